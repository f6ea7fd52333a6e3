"""softmax, log_softmax and logsumexp along any axis of anything."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import DTYPES, FLOAT32, FLOAT64, assert_same_bits, eps

import pyattn

FUNCTIONS = [pyattn.softmax, pyattn.log_softmax, pyattn.logsumexp]
functions = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


def by_definition(function, x, axis, dtype):
    x = np.asarray(x).astype(dtype)
    with np.errstate(all="ignore"):
        top = x.max(axis=axis, keepdims=True)
        exps = np.exp(x - top)
        total = exps.sum(axis=axis, keepdims=True)
        if function is pyattn.softmax:
            return exps / total
        if function is pyattn.log_softmax:
            return (x - top) - np.log(total)
        return (top + np.log(total)).squeeze(axis)


@functions
@dtypes
@given(
    shape=st.lists(st.integers(1, 7), max_size=2).map(tuple),
    length=st.integers(1, 3000),
    place=st.integers(0, 2),
    spread=st.sampled_from([0.1, 1, 10, 100]),
    seed=st.integers(0, 2**32 - 1),
    isa=st.sampled_from(pyattn.available_isas()),
)
def test_as_accurate_as_the_obvious_way(function, dtype, shape, length, place, spread, seed, isa):
    axis = min(place, len(shape))
    x = (spread * np.random.default_rng(seed).standard_normal((*shape[:axis], length, *shape[axis:]))).astype(
        dtype
    )
    with pyattn.use_isa(isa):
        ours = function(x, axis)
    exact = by_definition(function, x, axis, oracle.exact_for(dtype))
    naive = by_definition(function, x, axis, oracle.arithmetic(dtype)).astype(dtype)
    assert ours.dtype == dtype and ours.shape == exact.shape
    limit = 2 * oracle.max_error(naive, exact) + 4 * eps(dtype) * max(1, np.abs(exact).max())
    assert oracle.max_error(ours, exact) <= limit


@functions
def test_the_axis_may_count_from_either_end(function, rng):
    x = rng.standard_normal((2, 3, 5))
    for axis in range(3):
        np.testing.assert_array_equal(function(x, axis), function(x, axis - 3))
    np.testing.assert_array_equal(function(x), function(x, 2))


@dtypes
def test_weights_add_up_to_one(dtype, rng, isa):
    x = (5 * rng.standard_normal((20, 301))).astype(dtype)
    sums = pyattn.softmax(x).astype(np.float64).sum(axis=-1)
    np.testing.assert_allclose(sums, 1, atol=10 * eps(dtype))


@functions
@dtypes
@pytest.mark.parametrize("length", [1, 3, 40])
def test_a_row_of_only_minus_inf_is_as_in_scipy(function, dtype, length, isa):
    """NaN, but for logsumexp: the logarithm of a sum of zeros."""
    out = np.asarray(function(np.full((2, length), -np.inf, dtype)), np.float64)
    assert np.isneginf(out).all() if function is pyattn.logsumexp else np.isnan(out).all()


@functions
@dtypes
def test_minus_inf_beside_a_number_weighs_nothing(function, dtype, isa):
    x = np.array([[-np.inf, 0, -np.inf, 0]], dtype)
    expected = by_definition(function, x, -1, np.float64)
    np.testing.assert_allclose(np.asarray(function(x), np.float64), expected, rtol=eps(dtype))


@functions
@dtypes
def test_nan_and_inf_stay_in_their_row(function, dtype, rng, isa):
    x = rng.standard_normal((6, 37)).astype(dtype)
    clean = function(x)
    x[1, 5], x[3, 36], x[4, 0] = np.nan, np.inf, np.nan
    out = function(x)
    calm = [0, 2, 5]
    assert_same_bits(out[calm], clean[calm])
    with np.errstate(invalid="ignore"):
        expected = by_definition(function, x, -1, np.float64)
    spoiled = np.asarray(out, np.float64)[[1, 4]]
    assert np.isnan(spoiled).all()
    row, exact = np.asarray(out[3], np.float64), expected[3]
    if function is pyattn.logsumexp:
        assert np.isposinf(row)  # where the formula would say inf − inf
    else:
        assert (np.isnan(row).any() and np.array_equal(np.isnan(row), np.isnan(exact))) or np.isnan(row).all()


@functions
@dtypes
def test_large_numbers_neither_overflow_nor_vanish(function, dtype, isa):
    big = 2.0 ** (15 if dtype == np.float16 else 100)
    x = np.array([[big, big, 0], [-big, -big, -big]], dtype)
    expected = by_definition(function, x, -1, np.float64)
    np.testing.assert_allclose(np.asarray(function(x), np.float64), expected, rtol=4 * eps(dtype))


@functions
@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::-1],
        lambda x: x[:, ::-1],
        lambda x: x[:, ::3],
        lambda x: x.T,
        lambda x: np.broadcast_to(x[:1], x.shape),
        lambda x: np.broadcast_to(x[:, :1], x.shape),
    ],
    ids=["rows backwards", "backwards", "every third", "transposed", "one row", "one column"],
)
@dtypes
def test_any_strides(function, view, dtype, rng, isa):
    x = view(rng.standard_normal((11, 61)).astype(dtype))
    x.flags.writeable = False
    for axis in (0, 1):
        assert_same_bits(function(x, axis), function(np.ascontiguousarray(x), axis))


@pytest.mark.parametrize("function", FUNCTIONS[:2], ids=lambda f: f.__name__)
@dtypes
def test_out_may_be_x_itself_or_any_strided_array(function, dtype, rng):
    x = rng.standard_normal((7, 45)).astype(dtype)
    expected = function(x)
    out = np.empty((45, 14), dtype).T[::-2]
    assert function(x, out=out) is out
    assert_same_bits(out, expected)
    assert function(x, out=x) is x
    assert_same_bits(x, expected)


@functions
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_same_bits_for_any_number_of_threads(function, threads, rng, isa):
    x = rng.standard_normal((200, 300)).astype(FLOAT32)
    before = pyattn.get_num_threads()
    try:
        pyattn.set_num_threads(1)
        alone = function(x)
        pyattn.set_num_threads(threads)
        assert_same_bits(function(x), alone)
    finally:
        pyattn.set_num_threads(before)


@functions
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0), (3, 0, 4)])
def test_nothing_in_gives_nothing_out(function, shape):
    out = function(np.zeros(shape, FLOAT64), 1)
    if function is pyattn.logsumexp:
        assert out.shape == shape[:1] + shape[2:] and np.all(np.isneginf(out))
    else:
        assert out.shape == shape


@functions
@pytest.mark.parametrize(
    ("x", "axis", "error", "message"),
    [
        (np.array(1.0), -1, ValueError, "x is a scalar; expected at least one axis"),
        (np.ones((2, 3)), 2, ValueError, "axis is 2; x has 2 axes, expected -2 to 1"),
        (np.ones((2, 3)), -3, ValueError, "axis is -3"),
        (np.ones((2, 3)), 2**40, ValueError, r"axis is \d+; no array has so many axes"),
        (np.ones((2, 3)), None, TypeError, "axis is None; expected a whole number"),
        (np.ones((2, 3)), (0, 1), TypeError, r"axis is \(0, 1\); expected a whole number"),
        (np.ones((2, 3)), 1.0, TypeError, "axis is 1.0"),
        (np.ones(3, int), -1, TypeError, r"x has dtype int64; expected float64, .*\.astype"),
        ([1.0, 2.0], -1, TypeError, "x is a list; expected an array"),
    ],
)
def test_what_it_cannot_take_is_refused(function, x, axis, error, message):
    with pytest.raises(error, match=f"{function.__name__}: {message}"):
        function(x, axis)


@pytest.mark.parametrize("function", FUNCTIONS[:2], ids=lambda f: f.__name__)
def test_an_out_that_does_not_fit_is_refused(function):
    x = np.ones((4, 6))
    whole = np.ones((5, 6))
    for bad, error, message in (
        (np.ones((4, 5)), ValueError, r"out has shape \(4, 5\); expected \(4, 6\)"),
        (np.ones((4, 6), np.float32), TypeError, "out has dtype float32; expected float64"),
        (np.broadcast_to(x, x.shape), ValueError, "out is read-only"),
        (
            np.lib.stride_tricks.as_strided(np.ones(6), (4, 6), (0, 8)),
            ValueError,
            "out has elements that share memory",
        ),
    ):
        with pytest.raises(error, match=f"{function.__name__}: {message}"):
            function(x, out=bad)
    with pytest.raises(ValueError, match="out partly overlaps x"):
        function(whole[:4], out=whole[1:])
