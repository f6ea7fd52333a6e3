"""What attention computes: the order of its steps, its heads, biases, sinks and results."""

import numpy as np
import oracle
import pytest
from oracle import DTYPES, FLOAT16, FLOAT32, eps, max_error

import pyattn

BATCH, HEADS, KV_HEADS, QUERIES, KEYS, WIDTH, VALUE_WIDTH = 3, 4, 2, 13, 29, 8, 5
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@pytest.fixture
def qkv(rng):
    shapes = (
        (BATCH, HEADS, QUERIES, WIDTH),
        (BATCH, KV_HEADS, KEYS, WIDTH),
        (BATCH, KV_HEADS, KEYS, VALUE_WIDTH),
    )
    return [rng.standard_normal(shape) for shape in shapes]


def close(actual, expected, rtol=1e-12):
    actual, expected = (np.asarray(x).astype(np.float64) for x in (actual, expected))  # bfloat16, too
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol)


# ---- scale, softcap, bias ----


def test_scale_is_one_over_the_root_of_the_width(qkv, isa):
    close(pyattn.attention(*qkv), pyattn.attention(*qkv, scale=WIDTH**-0.5))


def test_scale_0_is_the_mean_of_the_values(qkv, isa):
    q, k, v = qkv
    mean = np.repeat(v.mean(axis=-2, keepdims=True), 2, axis=1)
    close(pyattn.attention(q, k, v, scale=0), np.broadcast_to(mean, (BATCH, HEADS, QUERIES, VALUE_WIDTH)))


def test_a_negative_scale_is_used_as_given(qkv, isa):
    q, k, v = qkv
    close(pyattn.attention(q, k, v, scale=-0.5), pyattn.attention(-q, k, v, scale=0.5))


def test_steps_come_in_order(qkv, rng, isa):
    """scale, softcap, bias, mask, softmax with sinks, value: any other order gives something else."""
    q, k, v = qkv
    bias, keep = rng.standard_normal((QUERIES, KEYS)), rng.random((QUERIES, KEYS)) < 0.6
    sinks = rng.standard_normal(HEADS)
    ours = pyattn.attention(
        q, k, v, keep, bias=bias, scale=3.0, softcap=1.5, sinks=sinks, return_lse=True, return_weights=True
    )
    s = 1.5 * np.tanh(3.0 * (q @ np.repeat(k, 2, axis=1).swapaxes(-1, -2)) / 1.5) + bias
    weights = np.where(keep, np.exp(s), 0)
    total = weights.sum(axis=-1) + np.exp(sinks)[:, None]
    weights /= total[..., None]
    for actual, expected in zip(
        ours, (weights @ np.repeat(v, 2, axis=1), np.log(total), weights), strict=True
    ):
        close(actual, expected)


def test_adding_a_constant_to_all_scores_changes_the_lse_only(qkv, isa):
    out, lse = pyattn.attention(*qkv, return_lse=True)
    shifted, shifted_lse = pyattn.attention(*qkv, bias=np.array(3.0), return_lse=True)
    close(shifted, out)
    close(shifted_lse, lse + 3)


def test_order_of_key_value_pairs_does_not_matter(qkv, rng, isa):
    q, k, v = qkv
    order = rng.permutation(KEYS)
    close(pyattn.attention(q, k[:, :, order], v[:, :, order]), pyattn.attention(q, k, v))


def test_biases_of_a_tuple_are_all_added(qkv, rng, isa):
    one, other = rng.standard_normal((QUERIES, KEYS)), rng.standard_normal((HEADS, 1, KEYS))
    slopes = rng.random(HEADS)
    together = pyattn.attention(*qkv, bias=(one, pyattn.alibi(slopes), other))
    dense = one + other + oracle.alibi(slopes, QUERIES, KEYS, offset=KEYS - QUERIES)
    close(together, pyattn.attention(*qkv, bias=dense))


def test_bias_of_minus_inf_masks(qkv, rng, isa):
    keep = rng.random((HEADS, QUERIES, KEYS)) < 0.5
    keep[1, 3] = False
    ours = pyattn.attention(*qkv, bias=np.where(keep, 0.0, -np.inf), return_lse=True)
    for actual, expected in zip(ours, pyattn.attention(*qkv, keep, return_lse=True), strict=True):
        close(actual, expected)


@dtypes
@pytest.mark.parametrize("queries", [1, 40])
def test_the_lowest_finite_bias_is_a_number_and_not_a_mask(dtype, queries, isa):
    """Everything at it is uniform, as at any other number; beside anything else it weighs nothing."""
    q, k, v = (np.ones((n, 8), dtype) for n in (queries, 7, 7))
    v[:] = np.arange(7)[:, None]
    lowest = oracle.arithmetic(dtype).type(np.finfo(oracle.arithmetic(dtype)).min)
    bias = np.full((queries, 7), lowest)
    out, lse = pyattn.attention(q, k, v, bias=bias, return_lse=True)
    assert max_error(out, np.full_like(out, 3)) <= 3 * eps(dtype)
    assert np.isfinite(lse).all()
    bias[:, 5] = 0
    assert np.all(pyattn.attention(q, k, v, bias=bias) == 5)


@dtypes
@pytest.mark.parametrize("queries", [1, 40])
def test_a_cap_beyond_the_arithmetic_is_still_a_cap(dtype, queries, rng, isa):
    """Regression: where the cap or its reciprocal overflowed, a score of zero became NaN."""
    q, k, v = (rng.standard_normal((n, 8)).astype(dtype) for n in (queries, 23, 23))
    q[0] = 0
    for cap in (5e-324, 1e-300, 1e-45, 1e-39):  # all scores are as good as 0
        close(pyattn.attention(q, k, v, softcap=cap), pyattn.attention(q, k, v, scale=0), 16 * eps(dtype))
    for cap in (1e39, 1e300):
        close(pyattn.attention(q, k, v, softcap=cap), pyattn.attention(q, k, v), 16 * eps(dtype))


@dtypes
@pytest.mark.parametrize("queries", [1, 40])
@pytest.mark.parametrize("strided", [False, True])
def test_the_lowest_bias_of_float64_masks_nothing_in_narrower_inputs(dtype, queries, strided, isa):
    """Regression: rounded to float32 it was −inf, and a row of it saw no key."""
    q, k, v = (np.ones((n, 8), dtype) for n in (queries, 23, 23))
    v[:] = np.arange(23)[:, None]
    bias = np.full((queries, 46), np.finfo(np.float64).min)[:, :: 2 if strided else 1][:, :23]
    out, lse = pyattn.attention(q, k, v, bias=bias, return_lse=True)
    assert max_error(out, np.full_like(out, 11)) <= 11 * 3 * eps(dtype)
    assert np.isfinite(lse).all()
    for one in (0, -bias[0, 0]):
        bias[:, 5] = one
        assert np.all(pyattn.attention(q, k, v, bias=bias) == 5)
    bias[:] = -np.inf
    assert np.all(pyattn.attention(q, k, v, bias=bias) == 0)


@pytest.mark.parametrize("bias_dtype", DTYPES, ids=str)
@dtypes
def test_bias_may_have_another_floating_dtype(dtype, bias_dtype, qkv, rng, isa):
    """A float64 one is rounded to float32 for narrower inputs."""
    q, k, v = (x.astype(dtype) for x in qkv)
    bias = rng.standard_normal((QUERIES, KEYS)).astype(bias_dtype)
    same = bias.astype(oracle.arithmetic(dtype))
    np.testing.assert_array_equal(pyattn.attention(q, k, v, bias=bias), pyattn.attention(q, k, v, bias=same))


# ---- alibi ----


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 8, 12, 16, 20])
def test_alibi_takes_the_slopes_of_the_paper(heads):
    """2^(−8 i / n); for other counts those of the power of two below, then every second one of that above."""
    power = 1 << (heads.bit_length() - 1)
    expected = [2 ** (-8 * i / power) for i in range(1, power + 1)]
    expected += [2 ** (-8 * i / (2 * power)) for i in range(1, 2 * power, 2)]
    np.testing.assert_allclose(pyattn.alibi(heads).slopes, expected[:heads], rtol=1e-15)


@pytest.mark.parametrize(
    ("mask", "offset"),
    [
        (None, KEYS - QUERIES),
        (pyattn.causal(), KEYS - QUERIES),
        (pyattn.causal("top-left"), 0),
        (pyattn.window(align="top-left"), 0),
        (pyattn.window(3, offset=-4), -4),
        (pyattn.causal(offset=[1, -2, 30]), [1, -2, 30]),
        (pyattn.lengths([29, 20, 3], [13, 13, 2]), [16, 7, 1]),
    ],
)
def test_alibi_counts_distance_from_the_corner_of_the_mask(mask, offset, qkv, isa):
    slopes = pyattn.alibi(HEADS).slopes
    dense = oracle.alibi(slopes, QUERIES, KEYS, offset=offset)
    close(pyattn.attention(*qkv, mask, bias=pyattn.alibi(HEADS)), pyattn.attention(*qkv, mask, bias=dense))


# ---- sinks ----


def test_a_sink_is_a_key_with_a_value_of_zero(qkv, rng, isa):
    q, k, v = qkv
    sinks = rng.standard_normal(HEADS)
    lead = (BATCH, KV_HEADS, 1)
    padded = (
        np.concatenate([k, np.zeros((*lead, WIDTH))], axis=2),
        np.concatenate([v, np.zeros((*lead, VALUE_WIDTH))], axis=2),
    )
    bias = np.where(np.arange(KEYS + 1) < KEYS, 0, sinks[:, None, None])
    ours = pyattn.attention(q, k, v, sinks=sinks, return_lse=True, return_weights=True)
    out, lse, weights = pyattn.attention(q, *padded, bias=bias, return_lse=True, return_weights=True)
    for actual, expected in zip(ours, (out, lse, weights[..., :KEYS]), strict=True):
        close(actual, expected)


@dtypes
def test_sinks_may_have_any_floating_dtype(dtype, qkv, isa):
    sinks = np.array([0.5, -1, 2, 0.25])
    np.testing.assert_array_equal(
        pyattn.attention(*qkv, sinks=sinks.astype(dtype)), pyattn.attention(*qkv, sinks=sinks)
    )


# ---- a query that sees no key ----


@dtypes
@pytest.mark.parametrize("queries", [1, 60])
def test_a_query_that_sees_no_key_gets_zeros(dtype, queries, rng, isa):
    q, k, v = (rng.standard_normal((2, n, 6)).astype(dtype) for n in (queries, 31, 31))
    for mask, bias in (
        (np.zeros((queries, 31), bool), None),
        (pyattn.causal(offset=-queries), None),
        (pyattn.lengths(0), None),
        (pyattn.lengths(queries=0), None),
        (None, np.full((queries, 31), -np.inf)),
    ):
        out, lse, weights = pyattn.attention(q, k, v, mask, bias=bias, return_lse=True, return_weights=True)
        assert np.all(out == 0) and np.all(weights == 0) and np.all(np.isneginf(lse))
        alone, lse = pyattn.attention(q, k, v, mask, bias=bias, return_lse=True)
        assert np.all(alone == 0) and np.all(np.isneginf(lse))


@dtypes
@pytest.mark.parametrize("mask", [np.zeros((1, 31), bool), pyattn.lengths(0)], ids=["array", "lengths"])
def test_its_lse_is_the_sink_if_there_is_one(dtype, mask, isa):
    q, k = np.ones((2, 3, 6), dtype), np.ones((2, 31, 6), dtype)
    sinks = np.array([0.75, -30.0])
    out, lse = pyattn.attention(q, k, k, mask, sinks=sinks, return_lse=True)
    assert np.all(out == 0)
    np.testing.assert_allclose(lse, np.broadcast_to(sinks[:, None], (2, 3)), rtol=2 * eps(lse.dtype))


# ---- half types ----


@pytest.mark.parametrize("queries", [1, 60])
def test_scores_of_float16_may_exceed_65504(queries, rng, isa):
    q, k, v = ((8 * rng.standard_normal((n, 64))).astype(FLOAT16) for n in (queries, 97, 97))
    q, k, v = q[None], k[None], v[None]
    q, k = 60 * q, 60 * k  # scale 1: scores near 10⁷
    out, lse, weights = pyattn.attention(q, k, v, scale=1.0, return_lse=True, return_weights=True)
    exact = oracle.attention(q, k, v, scale=1.0)
    assert np.abs(exact.scores).max() > 65504
    assert max_error(out, exact.out) <= 2 * eps(FLOAT16) * np.abs(exact.out).max()
    assert max_error(lse, exact.lse) <= 8 * eps(FLOAT32) * np.abs(exact.scores).max()
    assert max_error(weights, exact.weights) <= 2 * eps(FLOAT16)
