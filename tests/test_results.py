"""Shapes, heads, dtypes, `out` and the other results of attention."""

import numpy as np
import oracle
import pytest
from oracle import BFLOAT16, DTYPES, assert_same_bits

import pyattn

dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


def arrays(*shapes, dtype=np.float32, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


# ---- heads and leading axes ----


@pytest.mark.parametrize(("heads", "kv_heads"), [(6, 6), (6, 3), (6, 2), (6, 1), (35, 5)])
@pytest.mark.parametrize("queries", [1, 7, 50])
def test_query_head_h_uses_kv_head_h_over_the_group(heads, kv_heads, queries, isa):
    q, k, v = arrays((2, heads, queries, 9), (2, kv_heads, 31, 9), (2, kv_heads, 31, 4), dtype=np.float64)
    out, lse = pyattn.attention(q, k, v, return_lse=True)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        alone, alone_lse = pyattn.attention(q[:, h], k[:, kv], v[:, kv], return_lse=True)  # (batch as heads)
        np.testing.assert_allclose(out[:, h], alone, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(lse[:, h], alone_lse, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("query", "key", "out"),
    [
        ((5, 8), (7, 8), (5, 3)),
        ((2, 5, 8), (2, 7, 8), (2, 5, 3)),
        ((4, 5, 8), (7, 8), (4, 5, 3)),
        ((5, 8), (1, 7, 8), (1, 5, 3)),
        ((6, 2, 5, 8), (6, 2, 7, 8), (6, 2, 5, 3)),
        ((6, 4, 5, 8), (2, 7, 8), (6, 4, 5, 3)),
        ((4, 5, 8), (6, 2, 7, 8), (6, 4, 5, 3)),
        ((1, 4, 5, 8), (6, 2, 7, 8), (6, 4, 5, 3)),
        ((3, 1, 4, 5, 8), (6, 2, 7, 8), (3, 6, 4, 5, 3)),
        ((3, 1, 4, 5, 8), (1, 6, 2, 7, 8), (3, 6, 4, 5, 3)),
    ],
)
def test_leading_axes_broadcast(query, key, out, isa):
    q, k, v = arrays(query, key, key[:-1] + (3,))
    results = pyattn.attention(q, k, v, return_lse=True, return_weights=True)
    assert [x.shape for x in results] == [out, out[:-1], out[:-1] + (7,)]
    lead = out[:-3]
    heads, kv_heads = (out[-3], k.shape[-3] if k.ndim > 2 else 1) if len(out) > 2 else (1, 1)
    whole = (
        np.broadcast_to(q, lead + (heads, 5, 8)),
        np.broadcast_to(k, lead + (kv_heads, 7, 8)),
        np.broadcast_to(v, lead + (kv_heads, 7, 3)),
    )
    exact = oracle.attention(*whole)
    for actual, expected in zip(results, exact[:3], strict=True):
        np.testing.assert_allclose(actual, expected.reshape(actual.shape), rtol=1e-5, atol=1e-6)


def test_value_may_have_leading_axes_of_its_own():
    q, k, v = arrays((2, 5, 8), (2, 7, 8), (4, 2, 7, 3))
    out = pyattn.attention(q, k, v)
    assert out.shape == (4, 2, 5, 3)
    for i in range(4):
        np.testing.assert_array_equal(out[i], pyattn.attention(q, k, v[i]))


@pytest.mark.parametrize("value_width", [1, 3, 16, 65, 200])
@pytest.mark.parametrize("width", [1, 7, 16, 65, 300])
@pytest.mark.parametrize("queries", [1, 20])
def test_value_width_may_differ(width, value_width, queries, isa):
    q, k, v = arrays((2, queries, width), (2, 130, width), (2, 130, value_width))
    exact = oracle.attention(q, k, v)
    np.testing.assert_allclose(pyattn.attention(q, k, v), exact.out, rtol=1e-4, atol=1e-5)


# ---- what comes back ----


def test_results_come_in_order():
    q, k, v = arrays((2, 5, 8), (2, 7, 8), (2, 7, 3))
    out, lse, weights = pyattn.attention(q, k, v, return_lse=True, return_weights=True)
    assert isinstance(pyattn.attention(q, k, v), np.ndarray)
    assert [x.shape for x in pyattn.attention(q, k, v, return_lse=True)] == [out.shape, lse.shape]
    assert [x.shape for x in pyattn.attention(q, k, v, return_weights=True)] == [out.shape, weights.shape]
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-6)
    np.testing.assert_allclose(weights @ v, out, rtol=1e-5, atol=1e-6)


@dtypes
def test_results_have_query_s_dtype_and_lse_that_of_the_arithmetic(dtype):
    q, k, v = arrays((2, 5, 8), (2, 7, 8), (2, 7, 3), dtype=dtype)
    out, lse, weights = pyattn.attention(q, k, v, return_lse=True, return_weights=True)
    assert (out.dtype, weights.dtype) == (dtype, dtype)
    assert lse.dtype == (np.float64 if dtype == np.float64 else np.float32)


@dtypes
def test_out_is_filled_and_returned(dtype, isa):
    q, k, v = arrays((2, 5, 8), (2, 7, 8), (2, 7, 3), dtype=dtype)
    out = np.full((2, 5, 3), np.nan, dtype)
    assert pyattn.attention(q, k, v, out=out) is out
    assert_same_bits(out, pyattn.attention(q, k, v))
    again, _ = pyattn.attention(q, k, v, out=out, return_lse=True)
    assert again is out


def test_float64_is_double_throughout(isa):
    q, k, v = arrays((2, 50, 64), (2, 300, 64), (2, 300, 64), dtype=np.float64)
    exact = oracle.attention(q, k, v, dtype=np.longdouble)
    for actual, expected in zip(
        pyattn.attention(q, k, v, return_lse=True, return_weights=True), exact[:3], strict=True
    ):
        assert np.abs(actual - expected).max() < 1e-14


# ---- half types, bit by bit ----

HALVES = pytest.mark.parametrize("dtype", [np.dtype(np.float16), BFLOAT16], ids=str)


@HALVES
@pytest.mark.parametrize("queries", [1, 20])
def test_one_key_gives_back_its_value_bit_by_bit(dtype, queries, isa):
    """Every number of the type goes through widening and narrowing unharmed."""
    v = np.arange(2**16, dtype=np.uint16).view(dtype)
    numbers = v.astype(np.float32)
    if dtype == BFLOAT16:  # processors that multiply it take its subnormals, below 1e-38, as zeros
        v = v[~((np.abs(numbers) < np.finfo(np.float32).tiny) & (numbers != 0))]
    out = pyattn.attention(np.zeros((queries, 4), dtype), np.zeros((1, 4), dtype), v[None])
    for row in out:
        np.testing.assert_array_equal(row.astype(np.float32), v.astype(np.float32))  # where NaN is NaN


@HALVES
def test_results_are_rounded_to_nearest_even(dtype, isa):
    """The mean of two neighbours in float32 has one more bit than the type: a tie, or nearly so, each time."""
    rng = np.random.default_rng(0)
    v = rng.integers(0, 2**16, (2, 20011), dtype=np.uint16).view(dtype)
    v[~np.isfinite(v.astype(np.float32))] = 0
    v[1, ::2] = (v[0, ::2].view(np.uint16) ^ 1).view(dtype)
    expected = (v[0].astype(np.float32) / 2 + v[1].astype(np.float32) / 2).astype(dtype)
    out = pyattn.attention(np.zeros((1, 4), dtype), np.zeros((2, 4), dtype), v)
    size = np.abs(v.astype(np.float32)).max(axis=0)
    normal = (size > 1e-36) & (
        size < 1e38
    )  # halving loses a bit of the smallest, the sum of the largest overflows
    np.testing.assert_array_equal(out[0][normal], expected[normal])


@pytest.mark.parametrize("queries", [1, 40])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_sink_may_be_the_largest_float(queries, sign, isa):
    sink = sign * np.finfo(np.float32).max
    x = np.ones((1, queries, 8), np.float32)
    out, lse = pyattn.attention(x, x, x, sinks=np.full(1, sink), return_lse=True)
    np.testing.assert_allclose(out, 0 if sign > 0 else 1, rtol=1e-6)
    np.testing.assert_allclose(lse, sink if sign > 0 else np.log(queries) + 8**0.5, rtol=1e-6)
