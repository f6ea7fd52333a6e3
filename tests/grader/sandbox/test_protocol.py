"""Records: what was packed comes back; whatever else is a ValueError and never anything worse."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.inside import protocol

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
).filter(lambda value: depth(value) <= 5)


def depth(value):
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


@given(PLAIN)
def test_what_was_packed_comes_back(value):
    assert protocol.unpack(protocol.pack(value)) == value
    assert protocol.read(protocol.written(value, 1 << 16) + b"rest") == value


@given(PLAIN, st.integers(0, 1 << 30), st.integers(0, 255))
def test_a_record_with_one_byte_changed_is_read_or_refused(value, where, byte):
    data = bytearray(protocol.pack(value))
    data[where % len(data)] = byte
    with contextlib.suppress(ValueError):
        protocol.unpack(bytes(data))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    for reads in (protocol.unpack, protocol.read):
        with contextlib.suppress(ValueError):
            reads(data)


@pytest.mark.parametrize(
    "data",
    [
        b"t" + (513).to_bytes(4, "little") + b"N" * 513,
        b"t\1\0\0\0" * 7 + b"N",
        b"s\xff\xff\xff\xff",
        b"i" + (500).to_bytes(4, "little") + b"9" * 500,
        b"NN",
        b"",
        b"x",
    ],
)
def test_records_beyond_the_caps_are_refused(data):
    with pytest.raises(ValueError):
        protocol.unpack(data)


def test_packets_come_back():
    order = protocol.Order(1, 2.0, 3.0, 4, 5, 6, 7, 8, 9)
    ending = protocol.Ending(1, -2, 3.0, 4, 5, True)
    assert protocol.Order.unpack(order.pack()) == order and protocol.Ending.unpack(ending.pack()) == ending
    with pytest.raises(ValueError, match="CALL"):
        protocol.Order.unpack(b"ELSE" + order.pack()[4:])
