"""The operations between the matrix products of a Transformer block, at every instruction set."""

import math

import numpy as np
import pytest

import pyattn
from pyattn import _core

SIZES = [
    (1, 1),
    (3, 5),
    (7, 16),
    (5, 17),
    (11, 64),
    (131, 384),
    (67, 1536),
]  # less, just, and more than a vector
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


def gelu(x, bias=None, threads=2):
    bias = np.zeros(x.shape[-1], x.dtype) if bias is None else bias
    return _core.bias_gelu(x, bias, np.empty_like(x), threads)


def norm(x, residual, bias, gamma, beta, eps=1e-5, threads=2):
    return _core.residual_layer_norm(x, residual, bias, gamma, beta, eps, np.empty_like(x), threads)


@pytest.mark.parametrize("size", SIZES)
def test_gelu_is_x_times_the_normal_distribution(size):
    x, bias = normal(*size, scale=3), normal(size[1], seed=1)
    exact = exact_gelu((x + bias).astype(np.float64))
    assert (np.abs(gelu(x, bias) - exact) <= 1e-7 + 6e-8 * np.abs(exact)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gelu_far_from_zero(dtype):
    x = np.array([[-np.inf, -1e30, -40, 40, 1e30, np.inf, np.nan]], dtype)
    np.testing.assert_array_equal(gelu(x), np.array([[0, 0, 0, 40, 1e30, np.inf, np.nan]], dtype))


@pytest.mark.parametrize("size", SIZES)
def test_float64_is_double_throughout(size):
    x, residual, rows = normal64(*size), normal64(*size, seed=1), normal64(3, size[1], seed=2)
    np.testing.assert_allclose(gelu(x, rows[0]), exact_gelu(x + rows[0]), rtol=0, atol=1e-14)
    exact = exact_norm((x + residual + rows[0]).astype(np.longdouble), rows[1], rows[2], 1e-5)
    assert np.abs(norm(x, residual, *rows) - exact).max() <= 1e-12


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", SIZES)
def test_relu_is_the_larger_of_the_sum_and_zero(size, dtype):
    x, bias = normal(*size).astype(dtype), normal(size[1], seed=1).astype(dtype)
    np.testing.assert_array_equal(_core.bias_relu(x, bias, np.empty_like(x), 2), np.maximum(x + bias, 0))


def test_relu_of_not_a_number_is_none():
    x = np.array([[np.nan, -np.inf, np.inf]], np.float32)
    relu = _core.bias_relu(x, np.zeros(3, np.float32), np.empty_like(x), 1)
    np.testing.assert_array_equal(relu, [[np.nan, 0, np.inf]])


def test_norm_without_a_residual_is_that_of_x():
    x, row = normal(7, 19), normal(19, seed=1)
    np.testing.assert_array_equal(norm(x, None, None, row, row), norm(x, np.zeros_like(x), None, row, row))


def test_gelu_below_zero_keeps_its_digits():
    """1 + erf would leave none of them at −5."""
    x = np.linspace(-5, -1, 997, dtype=np.float32)[None]
    exact = np.array([[0.5 * v * math.erfc(-v / math.sqrt(2)) for v in x[0].astype(np.float64)]])
    np.testing.assert_allclose(gelu(x), exact, rtol=2e-6)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_bias", [True, False])
def test_norm_is_the_formula(size, with_bias):
    x, residual, bias = normal(*size), normal(*size, seed=1), normal(size[1], seed=2) if with_bias else None
    gamma, beta = normal(size[1], seed=3), normal(size[1], seed=4)
    total = x.astype(np.float64) + residual + (bias if with_bias else 0)
    exact = exact_norm(total, gamma, beta, 1e-5)
    # A single column differs from its mean by rounding only, which eps keeps small.
    assert np.abs(norm(x, residual, bias, gamma, beta) - exact).max() <= 4e-6


def test_norm_of_rows_far_from_zero():
    """The mean's square is 10⁸ times the variance; float32 would lose it in a difference of squares."""
    x, nothing = normal(31, 384) + np.float32(1e4), np.zeros((31, 384), np.float32)
    ones, zeros = np.ones(384, np.float32), np.zeros(384, np.float32)
    exact = exact_norm(x.astype(np.float64), ones, zeros, 1e-5)
    assert np.abs(norm(x, nothing, None, ones, zeros) - exact).max() <= 1e-2


def test_not_a_number_stays_in_its_row():
    x = normal(5, 19)
    clean = norm(x, x, None, x[0], x[0])
    x[2, 7] = np.nan
    dirty = norm(x, x, None, normal(5, 19)[0], normal(5, 19)[0])
    assert np.isnan(dirty[2]).all()
    np.testing.assert_array_equal(np.delete(dirty, 2, axis=0), np.delete(clean, 2, axis=0))


def test_the_result_may_replace_an_input():
    x, residual, row = normal(37, 19), normal(37, 19, seed=1), normal(19, seed=2)
    expected = gelu(x, row), norm(x, residual, row, row, row)
    np.testing.assert_array_equal(
        _core.residual_layer_norm(x, residual, row, row, row, 1e-5, residual, 2), expected[1]
    )
    np.testing.assert_array_equal(_core.bias_gelu(x, row, x, 2), expected[0])


def test_rows_may_lie_apart_and_what_is_between_stays():
    wide, out = normal(23, 29), np.full((23, 31), 7, np.float32)
    row = normal(17, seed=1)
    _core.bias_gelu(wide[:, 3:20], row, out[:, 5:22], 2)
    np.testing.assert_array_equal(out[:, 5:22], gelu(np.ascontiguousarray(wide[:, 3:20]), row))
    assert (np.delete(out, np.s_[5:22], axis=1) == 7).all()


def test_same_bits_for_any_number_of_threads():
    x, row = normal(515, 384), normal(384, seed=1)
    for threads in (2, 3, 7):
        np.testing.assert_array_equal(gelu(x, row, threads), gelu(x, row, 1))
        np.testing.assert_array_equal(
            norm(x, x, row, row, row, threads=threads), norm(x, x, row, row, row, threads=1)
        )


def test_what_does_not_fit_is_named_and_nothing_is_written():
    x, row = normal(4, 6), normal(6)
    out = np.full((4, 6), 7, np.float32)
    buffer = normal(5, 6)
    refused = [
        (ValueError, "x has shape", lambda: _core.bias_gelu(row, row, out, 1)),
        (ValueError, "bias has shape", lambda: _core.bias_gelu(x, row[:5], out, 1)),
        (ValueError, "out has shape", lambda: _core.bias_gelu(x[:3], row, out, 1)),
        (TypeError, "out has dtype float32", lambda: _core.bias_gelu(x.astype(np.float64), row, out, 1)),
        (TypeError, "bias is float64", lambda: _core.bias_relu(x, row.astype(np.float64), out, 1)),
        (TypeError, "x is float16", lambda: _core.bias_gelu(x.astype(np.float16), row, out, 1)),
        (ValueError, "x has rows", lambda: _core.bias_gelu(normal(6, 4).T, row, out, 1)),
        (ValueError, "partly overlaps x", lambda: _core.bias_gelu(buffer[1:], row, buffer[:4], 1)),
        (
            ValueError,
            "residual has shape",
            lambda: _core.residual_layer_norm(x, x[:2], None, row, row, 0, out, 1),
        ),
        (
            ValueError,
            "gamma has shape",
            lambda: _core.residual_layer_norm(x, x, None, row[:2], row, 0, out, 1),
        ),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()
    assert (out == 7).all()
