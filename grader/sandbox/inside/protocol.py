"""What grader and runner say to each other, and what a child may write down: fixed binary records with caps.

Between grader and runner go `Order` and `Ending`, one packet each. Everything long lies in the arena, a sealed
piece of shared memory per call: what to call (`pack`ed by the grader), the arrays, and the child's report
(`pack`ed by hostile code, hence `unpack`ed with caps on depth, number and length). Nothing is ever unpickled.
"""

from __future__ import annotations

import struct
from dataclasses import astuple, dataclass
from typing import TypeAlias, Union

Plain: TypeAlias = Union[bool, int, float, str, "tuple[Plain, ...]", None]  # all that a record may hold

READY, STOP = b"READY001", b"STOP"
PACKET_BYTES = 4096
REPORT_BYTES = 128 << 10  # room for what a child reports, at the arena's beginning
SPEC_BYTES = 128 << 10  # room for what to call, behind it
TRACEBACK_CHARS = 16_000
WORD_CHARS = 2_000  # of one parameter of a message

CALL, TIMED, BUILD = range(3)
EXITED, KILLED, TIMED_OUT, TOO_MUCH_MEMORY, STOPPED, LOST = range(6)  # LOST: with the runner itself

_ITEMS, _DEPTH = 512, 6


@dataclass(frozen=True)
class Order:
    """What the runner must know of a call; what to call is for the child and stands in the arena."""

    kind: int
    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int  # 0: the cgroup sees to it
    processes: int  # 0: no limit that counts by user
    file_bytes: int
    arena_bytes: int
    printed_at: int
    printed_bytes: int

    _layout = struct.Struct("<4sBddQIQQQQ")

    def pack(self) -> bytes:
        """As a packet."""
        return self._layout.pack(b"CALL", *astuple(self))

    @classmethod
    def unpack(cls, packet: bytes) -> Order:
        """From a packet."""
        magic, *fields = cls._layout.unpack(packet)
        if magic != b"CALL":
            raise ValueError(f"a packet of the grader begins with CALL, not {magic!r}")
        return cls(*fields)


@dataclass(frozen=True)
class Ending:
    """How a child ended, from the runner's own observation."""

    how: int
    code: int  # exit status or signal
    cpu_seconds: float
    peak_bytes: int
    printed_bytes: int
    clean: bool  # nothing of the call is left: no process, no file

    _layout = struct.Struct("<4sBidQQ?")

    def pack(self) -> bytes:
        """As a packet."""
        return self._layout.pack(b"ENDS", *astuple(self))

    @classmethod
    def unpack(cls, packet: bytes) -> Ending:
        """From a packet."""
        magic, *fields = cls._layout.unpack(packet)
        if magic != b"ENDS":
            raise ValueError(f"a packet of the runner begins with ENDS, not {magic!r}")
        return cls(*fields)


def pack(value: Plain) -> bytes:
    """Write a plain value down: a letter for its kind, then its bytes."""
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"T" if value else b"F"
    if isinstance(value, int):
        return _text(b"i", str(value))
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value)
    if isinstance(value, str):
        return _text(b"s", value)
    return b"t" + struct.pack("<I", len(value)) + b"".join(pack(item) for item in value)


def _text(kind: bytes, text: str) -> bytes:
    encoded = text.encode("utf-8", "replace")
    return kind + struct.pack("<I", len(encoded)) + encoded


def unpack(data: bytes) -> Plain:
    """Read a plain value that anybody may have written. Whatever is not exactly one is a ValueError."""
    try:
        value, end = _value(data, 0, _DEPTH)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"a record is cut or garbled: {error}") from None
    if end != len(data):
        raise ValueError(f"a record of {end} bytes was followed by {len(data) - end} more")
    return value


def _value(data: bytes, at: int, depth: int) -> tuple[Plain, int]:
    kind, at = data[at : at + 1], at + 1
    if kind in b"NTF" and kind:
        return {b"N": None, b"T": True, b"F": False}[kind], at
    if kind == b"f":
        return struct.unpack_from("<d", data, at)[0], at + 8
    if kind in (b"i", b"s"):
        return _read_text(data, at, number=kind == b"i")
    if kind == b"t" and depth:
        return _tuple(data, at, depth)
    raise ValueError(f"a record has no kind {kind!r} here")


def _read_text(data: bytes, at: int, *, number: bool) -> tuple[Plain, int]:
    (length,) = struct.unpack_from("<I", data, at)
    at += 4
    if at + length > len(data) or (number and length > 400):
        raise ValueError(f"a record promises {length} bytes and has {len(data) - at}")
    text = data[at : at + length].decode()
    return (int(text) if number else text), at + length


def _tuple(data: bytes, at: int, depth: int) -> tuple[Plain, int]:
    (count,) = struct.unpack_from("<I", data, at)
    if count > _ITEMS:
        raise ValueError(f"a record has {count} items, at most {_ITEMS} are allowed")
    at += 4
    items = []
    for _ in range(count):
        item, at = _value(data, at, depth - 1)
        items.append(item)
    return tuple(items), at


def written(value: Plain, room: int) -> bytes:
    """A record with its length before it, for the arena."""
    data = pack(value)
    if len(data) + 4 > room:
        raise ValueError(f"a record of {len(data)} bytes does not fit into {room}")
    return struct.pack("<I", len(data)) + data


def read(area: bytes) -> Plain:
    """The record that `written` put at the beginning of `area`."""
    length = int.from_bytes(area[:4], "little")
    if not 0 < length <= len(area) - 4:
        raise ValueError(f"a record of {length} bytes in an area of {len(area)}")
    return unpack(area[4 : 4 + length])
