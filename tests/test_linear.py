"""Linear maps with what follows them, and layer normalisation, at every instruction set."""

import math

import numpy as np
import pytest

import pyattn
from pyattn import _core

# Rows, outputs, width: less than a vector, just some, more; few rows and many; several tasks of rows and of outputs.
MAPS = [
    (1, 1, 1),
    (1, 700, 384),
    (3, 5, 7),
    (5, 130, 33),
    (7, 16, 16),
    (29, 129, 64),
    (48, 64, 1000),
    (49, 257, 65),
    (131, 384, 385),
    (300, 700, 48),
]
SIZES = [(1, 1), (3, 5), (7, 16), (5, 17), (11, 64), (131, 384), (67, 1536)]
EXACT = {np.float32: 2.0**-24, np.float64: 2.0**-53}
_erf = np.vectorize(math.erf, otypes=[np.float64])


@pytest.fixture(params=pyattn.available_isas(), autouse=True)
def isa(request):
    with pyattn.use_isa(request.param):
        yield request.param


def exact_gelu(x):
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def exact_norm(t, gamma, beta, eps):
    centred = t - t.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps) * gamma + beta


def normal(*shape, seed=0, scale=1.0):
    return np.random.default_rng(seed).normal(0, scale, shape).astype(np.float32)


def normal64(*shape, seed=0):
    return np.random.default_rng(seed).normal(0, 1, shape)


def problem(rows, outputs, width, dtype=np.float32):
    sizes = [(rows, width), (outputs, width), (outputs,)]
    return [normal64(*size, seed=seed).astype(dtype) for seed, size in enumerate(sizes)]


def linear(x, weight, bias=None, activation="none", threads=2):
    return _core.linear(x, weight, bias, activation, np.empty((len(x), len(weight)), x.dtype), threads)


def through(activation, x, threads=2):
    """The activation alone: of x times the unit matrix."""
    return linear(x, np.eye(x.shape[1], dtype=x.dtype), None, activation, threads)


def norm(x, residual, gamma, beta, eps=1e-5, threads=2):
    return _core.residual_layer_norm(x, residual, gamma, beta, eps, np.empty_like(x), threads)


def assert_is_the_map(found, x, weight, bias, rounding):
    """Within the error of a sum of so many rounded products."""
    x, weight, bias = (np.asarray(a, np.longdouble) for a in (x, weight, bias))
    exact = x @ weight.T + bias
    size = np.abs(x) @ np.abs(weight).T + np.abs(bias)
    error = np.abs(np.asarray(found, np.longdouble) - exact)
    assert (error <= (8 + x.shape[1] ** 0.5) * rounding * size).all()


@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("size", MAPS)
def test_a_linear_map_is_the_product_and_the_bias(size, dtype):
    x, weight, bias = problem(*size, dtype)
    assert_is_the_map(linear(x, weight, bias), x, weight, bias, EXACT[dtype])
    assert_is_the_map(linear(x, weight), x, weight, 0 * bias, EXACT[dtype])


@pytest.mark.parametrize("size", MAPS)
def test_relu_follows_the_sum(size):
    x, weight, bias = problem(*size)
    np.testing.assert_array_equal(linear(x, weight, bias, "relu"), np.maximum(linear(x, weight, bias), 0))


@pytest.mark.parametrize("size", MAPS)
def test_gelu_follows_the_sum(size):
    x, weight, bias = problem(*size)
    exact = exact_gelu(linear(x, weight, bias).astype(np.float64))
    assert (np.abs(linear(x, weight, bias, "gelu") - exact) <= 1e-7 + 6e-8 * np.abs(exact)).all()


@pytest.mark.parametrize("dtype", EXACT)
def test_gelu_far_from_zero(dtype):
    x = np.array([[-np.inf], [-1e30], [-40], [40], [1e30], [np.inf], [np.nan]], dtype)
    np.testing.assert_array_equal(
        through("gelu", x), np.array([[0], [0], [0], [40], [1e30], [np.inf], [np.nan]], dtype)
    )


def test_relu_of_not_a_number_is_none():
    x = np.array([[np.nan], [-np.inf], [np.inf]], np.float32)
    np.testing.assert_array_equal(through("relu", x), [[np.nan], [0], [np.inf]])


def test_gelu_below_zero_keeps_its_digits():
    """1 + erf would leave none of them at −5."""
    x = np.linspace(-5, -1, 997, dtype=np.float32)[:, None]
    exact = np.array([[0.5 * v * math.erfc(-v / math.sqrt(2))] for v in x[:, 0].astype(np.float64)])
    np.testing.assert_allclose(through("gelu", x), exact, rtol=2e-6)


def test_gelu_of_float64_is_double_throughout():
    x = np.linspace(-9, 9, 1001)[:, None]
    np.testing.assert_allclose(through("gelu", x), exact_gelu(x), rtol=0, atol=1e-14)


@pytest.mark.parametrize("size", [(0, 5, 7), (5, 0, 7), (0, 0, 0)])
def test_nothing_in_nothing_out(size):
    x, weight, bias = problem(*size)
    assert linear(x, weight, bias).shape == size[:2]


@pytest.mark.parametrize("rows", [2, 50])
def test_a_map_of_no_features_is_its_bias(rows):
    x, weight, bias = problem(rows, 9, 0)
    np.testing.assert_array_equal(linear(x, weight, bias), np.broadcast_to(bias, (rows, 9)))


@pytest.mark.parametrize("rows", [3, 70])
@pytest.mark.parametrize("dtype", EXACT)
def test_any_strides_of_a_map_and_what_is_between_stays(rows, dtype):
    x, weight, bias = problem(rows, 150, 70, dtype)
    expected = linear(x, weight, bias)
    wide, tall = np.zeros((rows, 140), dtype), np.zeros((300, 70), dtype)
    wide[:, ::2], tall[::-2] = x, weight
    out = np.full((rows, 301), 7, dtype)
    _core.linear(wide[:, ::2], tall[::-2], np.repeat(bias, 3)[::3], "none", out[:, 1::2], 2)
    np.testing.assert_array_equal(out[:, 1::2], expected)
    assert (out[:, ::2] == 7).all()
    turned = np.asfortranarray(weight)
    np.testing.assert_array_equal(linear(np.asfortranarray(x), turned, bias), expected)


@pytest.mark.parametrize("rows", [5, 50])
def test_not_a_number_stays_in_its_row_and_column_of_a_map(rows):
    x, weight, bias = problem(rows, 100, 40)
    clean = linear(x, weight, bias)
    x[2, 7], weight[60, 3] = np.nan, np.inf
    dirty = linear(x, weight, bias)
    assert np.isnan(dirty[2]).all() and not np.isfinite(dirty[:, 60]).any()
    rest = np.ix_(np.arange(rows) != 2, np.arange(100) != 60)
    np.testing.assert_array_equal(dirty[rest], clean[rest])


def test_norm_without_a_residual_is_that_of_x():
    x, row = normal(7, 19), normal(19, seed=1)
    np.testing.assert_array_equal(norm(x, None, row, row), norm(x, np.zeros_like(x), row, row))


@pytest.mark.parametrize("size", SIZES)
def test_norm_is_the_formula(size):
    x, residual = normal(*size), normal(*size, seed=1)
    gamma, beta = normal(size[1], seed=3), normal(size[1], seed=4)
    exact = exact_norm(x.astype(np.float64) + residual, gamma, beta, 1e-5)
    # A single column differs from its mean by rounding only, which eps keeps small.
    assert np.abs(norm(x, residual, gamma, beta) - exact).max() <= 4e-6


@pytest.mark.parametrize("size", SIZES)
def test_norm_of_float64_is_double_throughout(size):
    x, residual, rows = normal64(*size), normal64(*size, seed=1), normal64(2, size[1], seed=2)
    exact = exact_norm((x + residual).astype(np.longdouble), *rows, 1e-5)
    assert np.abs(norm(x, residual, *rows) - exact).max() <= 1e-12


def test_norm_of_rows_far_from_zero():
    """The mean's square is 10⁸ times the variance; float32 would lose it in a difference of squares."""
    x, nothing = normal(31, 384) + np.float32(1e4), np.zeros((31, 384), np.float32)
    ones, zeros = np.ones(384, np.float32), np.zeros(384, np.float32)
    exact = exact_norm(x.astype(np.float64), ones, zeros, 1e-5)
    assert np.abs(norm(x, nothing, ones, zeros) - exact).max() <= 1e-2


def test_not_a_number_stays_in_its_row_of_a_norm():
    x, row = normal(5, 19), normal(19, seed=1)
    clean = norm(x, x, row, row)
    x[2, 7] = np.nan
    dirty = norm(x, x, row, row)
    assert np.isnan(dirty[2]).all()
    np.testing.assert_array_equal(np.delete(dirty, 2, axis=0), np.delete(clean, 2, axis=0))


def test_the_result_of_a_norm_may_replace_an_input():
    x, residual, row = normal(37, 19), normal(37, 19, seed=1), normal(19, seed=2)
    expected = norm(x, residual, row, row)
    np.testing.assert_array_equal(
        _core.residual_layer_norm(x, residual, row, row, 1e-5, residual, 2), expected
    )


def test_rows_of_a_norm_may_lie_apart_and_what_is_between_stays():
    wide, out = normal(23, 29), np.full((23, 31), 7, np.float32)
    row = normal(17, seed=1)
    _core.residual_layer_norm(wide[:, 3:20], None, row, row, 1e-5, out[:, 5:22], 2)
    np.testing.assert_array_equal(out[:, 5:22], norm(np.ascontiguousarray(wide[:, 3:20]), None, row, row))
    assert (np.delete(out, np.s_[5:22], axis=1) == 7).all()


@pytest.mark.parametrize("rows", [1, 515])
def test_same_bits_for_any_number_of_threads(rows):
    x, weight, bias = problem(rows, 700, 384)
    one = linear(x, weight, bias, "gelu", threads=1)
    for threads in (0, 2, 3, 7):
        np.testing.assert_array_equal(linear(x, weight, bias, "gelu", threads), one)
        np.testing.assert_array_equal(
            norm(x, x, x[0], x[0], threads=threads), norm(x, x, x[0], x[0], threads=1)
        )


def test_a_map_that_does_not_fit_is_named_and_nothing_is_written():
    x, weight, bias = problem(4, 5, 6)
    out, wrong = np.full((4, 5), 7, np.float32), np.float64
    both = np.zeros(64, np.float32)

    def call(x=x, weight=weight, bias=bias, activation="none", out=out):
        return _core.linear(x, weight, bias, activation, out, 1)

    refused = [
        (ValueError, r"linear: x has shape \(6,\); expected \(rows, columns\)", {"x": x[0]}),
        (ValueError, r"linear: weight has shape \(5, 5\); expected \(any, 6\)", {"weight": weight[:, 1:]}),
        (ValueError, r"linear: bias has shape \(4,\); expected \(5,\)", {"bias": bias[1:]}),
        (ValueError, r"linear: out has shape \(3, 5\)", {"out": out[1:]}),
        (
            ValueError,
            "linear: activation is 'tanh'; expected 'none', 'relu' or 'gelu'",
            {"activation": "tanh"},
        ),
        (TypeError, "linear: weight is float64; expected float32", {"weight": weight.astype(wrong)}),
        (TypeError, "linear: bias is float64; expected float32", {"bias": bias.astype(wrong)}),
        (TypeError, "linear: x is float16; expected float32 or float64", {"x": x.astype(np.float16)}),
        (TypeError, "linear: out has dtype float64", {"out": out.astype(wrong)}),
        (
            ValueError,
            "linear: out overlaps x",
            {"x": both[:24].reshape(4, 6), "out": both[4:24].reshape(4, 5)},
        ),
    ]
    for kind, message, arguments in refused:
        with pytest.raises(kind, match=message):
            call(**arguments)
    assert (out == 7).all()


def test_a_norm_that_does_not_fit_is_named_and_nothing_is_written():
    x, row = normal(4, 6), normal(6)
    out, buffer = np.full((4, 6), 7, np.float32), normal(5, 6)

    def call(x=x, residual=x, gamma=row, beta=row, out=out):
        return _core.residual_layer_norm(x, residual, gamma, beta, 0, out, 1)

    refused = [
        (ValueError, "x has shape", {"x": row}),
        (ValueError, "gamma has shape", {"gamma": row[:5]}),
        (ValueError, "residual has shape", {"residual": x[:2]}),
        (ValueError, "out has shape", {"x": x[:3]}),
        (TypeError, "out has dtype float32", {"x": x.astype(np.float64)}),
        (TypeError, "beta is float64", {"beta": row.astype(np.float64)}),
        (TypeError, "x is float16", {"x": x.astype(np.float16)}),
        (ValueError, "x has rows", {"x": normal(6, 4).T}),
        (ValueError, "partly overlaps x", {"x": buffer[1:], "out": buffer[:4]}),
    ]
    for kind, message, arguments in refused:
        with pytest.raises(kind, match=message):
            call(**arguments)
    assert (out == 7).all()
