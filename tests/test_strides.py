"""Any strides for each argument by itself, none of them copied whole, none of them written to but `out`."""

import numpy as np
import pytest
from oracle import BFLOAT16, DTYPES, eps

import pyattn

BATCH, HEADS, KV_HEADS, QUERIES, KEYS, WIDTH, VALUE_WIDTH = 2, 4, 2, 53, 145, 19, 33
SIZES = {"many queries": QUERIES, "one query": 1}


def in_fields(x):
    """As a field of a packed structured array: neither aligned nor at a stride of its own size."""
    records = np.zeros(x.shape, [("before", "u1"), ("x", x.dtype), ("after", "S2")])
    records["x"] = x
    return records["x"]


def in_rows_of_bytes(x):
    """Rows that lie side by side, but begin at odd addresses."""
    size = x.shape[-1] * x.itemsize
    memory = np.zeros((*x.shape[:-1], size + 3), np.uint8)
    memory[..., 1 : 1 + size] = np.ascontiguousarray(x).view(np.uint8)
    strides = memory.strides[:-1] + (x.itemsize,)
    return np.ndarray(x.shape, x.dtype, memory, 1, strides)


LAYOUTS = {
    "contiguous": np.ascontiguousarray,
    "columns first": np.asfortranarray,
    "sequence before heads": lambda x: x.swapaxes(-3, -2).copy().swapaxes(-3, -2),
    "rows backwards": lambda x: x[..., ::-1, :].copy()[..., ::-1, :],
    "features backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
    "everything backwards": lambda x: x[::-1, ::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1, ::-1],
    "every third feature": lambda x: np.repeat(x, 3, axis=-1)[..., ::3],
    "every other row": lambda x: np.repeat(x, 2, axis=-2)[..., ::2, :],
    "rows apart": lambda x: np.concatenate([x, x[..., :5]], axis=-1)[..., : x.shape[-1]],
    "fields": in_fields,
    "odd addresses": in_rows_of_bytes,
}
layouts = pytest.mark.parametrize("layout", LAYOUTS)
sizes = pytest.mark.parametrize("queries", SIZES.values(), ids=list(SIZES))
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


def test_the_layouts_are_what_they_say():
    x = np.arange(2 * 3 * 5 * 7, dtype=np.float32).reshape(2, 3, 5, 7)
    strides = {name: layout(x).strides for name, layout in LAYOUTS.items()}
    assert len(set(strides.values())) == len(LAYOUTS)
    assert all(np.array_equal(layout(x), x) for layout in LAYOUTS.values())
    assert not LAYOUTS["fields"](x).flags.aligned and not LAYOUTS["odd addresses"](x).flags.aligned


def problem(dtype, queries):
    rng = np.random.default_rng(0)
    return {
        "query": rng.standard_normal((BATCH, HEADS, queries, WIDTH)).astype(dtype),
        "key": rng.standard_normal((BATCH, KV_HEADS, KEYS, WIDTH)).astype(dtype),
        "value": rng.standard_normal((BATCH, KV_HEADS, KEYS, VALUE_WIDTH)).astype(dtype),
        "mask": rng.random((BATCH, HEADS, queries, KEYS)) < 0.8,
        "bias": rng.standard_normal((BATCH, HEADS, queries, KEYS)).astype(dtype),
        "out": np.zeros((BATCH, HEADS, queries, VALUE_WIDTH), dtype),
    }


def assert_close(actual, expected, dtype):
    np.testing.assert_allclose(
        np.asarray(actual, np.float64),
        np.asarray(expected, np.float64),
        rtol=2 * eps(dtype),
        atol=2 * eps(dtype),
    )


@layouts
@dtypes
@sizes
@pytest.mark.parametrize("argument", ["query", "key", "value", "mask", "bias", "out"])
def test_any_strides_of_each_argument(argument, layout, dtype, queries, isa):
    call = problem(dtype, queries)
    expected = pyattn.attention(**call).copy()
    call[argument] = LAYOUTS[layout](call[argument])
    call["out"][...] = 0
    originals = {name: x.copy() for name, x in call.items() if name != "out"}
    out = pyattn.attention(**call)
    assert out is call["out"]
    assert_close(out, expected, dtype)
    for name, original in originals.items():
        np.testing.assert_array_equal(call[name], original, err_msg=name)


@dtypes
@sizes
@pytest.mark.parametrize("axis", [0, 1, 2, 3])
@pytest.mark.parametrize("argument", ["query", "key", "value", "mask", "bias"])
def test_a_stride_of_zero_repeats(argument, axis, dtype, queries, isa):
    call = problem(dtype, queries)
    one = call[argument].take([0], axis=axis)
    call[argument] = np.broadcast_to(one, call[argument].shape)
    repeated = pyattn.attention(**call).copy()
    call[argument] = call[argument].copy()
    assert_close(repeated, pyattn.attention(**call), dtype)


@dtypes
@sizes
def test_all_inputs_may_be_read_only(dtype, queries, isa):
    call = problem(dtype, queries)
    expected = pyattn.attention(**call).copy()
    for name, x in call.items():
        x.flags.writeable = name == "out"
    np.testing.assert_array_equal(pyattn.attention(**call), expected)


@layouts
def test_what_lies_between_the_elements_of_out_is_left_alone(layout, isa):
    call = problem(np.float32, QUERIES)
    out = LAYOUTS[layout](np.full_like(call["out"], 7))
    base = out if out.base is None else out.base
    while isinstance(base.base, np.ndarray):
        base = base.base
    before = base.tobytes()
    pyattn.attention(**call | {"out": out})
    out[...] = 7
    assert base.tobytes() == before


@layouts
def test_any_strides_of_sinks_and_slopes(layout, isa):
    call = problem(np.float32, QUERIES)
    numbers = np.linspace(-1, 1, HEADS).reshape(1, 1, HEADS, 1)
    strided = LAYOUTS[layout](numbers)[0, 0, :, 0]
    call["bias"], call["sinks"] = pyattn.alibi(numbers.ravel()), numbers.ravel()
    expected = pyattn.attention(**call).copy()
    call["bias"], call["sinks"] = pyattn.alibi(strided), strided
    np.testing.assert_array_equal(pyattn.attention(**call), expected)


def test_out_may_lie_beside_the_inputs_in_one_buffer(isa):
    """As the columns of a fused projection, or the fields of one record."""
    buffer = np.random.default_rng(0).standard_normal((QUERIES, 4, HEADS, 8)).astype(np.float32)
    q, k, v, out = (buffer[:, i].swapaxes(0, 1) for i in range(4))
    expected = pyattn.attention(q.copy(), k.copy(), v.copy())
    assert pyattn.attention(q, k, v, out=out) is out
    np.testing.assert_allclose(out, expected, rtol=1e-6, atol=1e-6)

    records = np.zeros((HEADS, QUERIES, QUERIES), [("keep", "?"), ("bias", "f4"), ("out", "f4")])
    records["keep"], out = True, records["out"][..., :8]
    assert pyattn.attention(q, k, v, records["keep"], bias=records["bias"], out=out) is out
    np.testing.assert_allclose(out, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("queries", [1, 33])
@pytest.mark.parametrize("shift", range(0, 64, 7))
def test_pairs_of_bfloat16_may_begin_anywhere(shift, queries, isa):
    memory = np.zeros(2**16, np.uint8)
    x = np.random.default_rng(0).standard_normal((queries + 40, 16)).astype(BFLOAT16)
    expected = pyattn.attention(x[:queries], x, x)
    moved = np.ndarray(x.shape, x.dtype, memory, shift)
    moved[:] = x
    np.testing.assert_array_equal(pyattn.attention(moved[:queries], moved, moved), expected)
