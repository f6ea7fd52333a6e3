"""Attention over disjoint sets of keys joins into attention over all of them."""

import ml_dtypes
import numpy as np
import oracle
import pytest
from oracle import DTYPES, eps

import pyattn


def states(splits, dtype, mask_of=lambda part: None):
    rng = np.random.default_rng(0)
    q, k, v = (
        rng.standard_normal(shape).astype(dtype) for shape in ((2, 3, 5, 8), (2, 3, 40, 8), (2, 3, 40, 4))
    )
    parts = np.split(np.arange(40), splits)
    pairs = [pyattn.attention(q, k[:, :, p], v[:, :, p], mask_of(p), return_lse=True) for p in parts]
    return (q, k, v), tuple(zip(*pairs, strict=True))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("splits", [[], [40], [13], [1, 2, 39], [0, 20]], ids=str)
def test_parts_join_into_the_whole(splits, dtype):
    (q, k, v), (outs, lses) = states(splits, dtype)
    out, lse = pyattn.merge_states(outs, lses)
    exact = oracle.attention(q, k, v)
    assert (out.dtype, lse.dtype) == (dtype, oracle.arithmetic(dtype))
    assert oracle.max_error(out, exact.out) <= 4 * eps(dtype)
    assert oracle.max_error(lse, exact.lse) <= 16 * eps(lse.dtype)


def test_parts_that_see_nothing_do_not_count():
    _, (outs, lses) = states([20], np.float64, lambda p: pyattn.lengths(0 if p[0] else None))
    out, lse = pyattn.merge_states(outs, lses)
    np.testing.assert_array_equal(out, outs[0])
    np.testing.assert_array_equal(lse, lses[0])


def test_rows_that_see_nothing_in_any_part_are_zeros():
    _, (outs, lses) = states([20], np.float32, lambda p: pyattn.lengths(0))
    out, lse = pyattn.merge_states(outs, lses)
    assert np.all(out == 0) and np.all(np.isneginf(lse))


def test_order_and_grouping_of_the_parts_do_not_matter():
    _, (outs, lses) = states([7, 20], np.float64)
    out, lse = pyattn.merge_states(outs, lses)
    for joined in (
        pyattn.merge_states(outs[::-1], lses[::-1]),
        pyattn.merge_states(*zip((outs[0], lses[0]), pyattn.merge_states(outs[1:], lses[1:]), strict=True)),
    ):
        np.testing.assert_allclose(joined[0], out, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(joined[1], lse, rtol=1e-13)


def test_far_apart_lses_neither_overflow_nor_vanish():
    outs = [np.full((1, 1), x, np.float32) for x in (1, 2)]
    out, lse = pyattn.merge_states(outs, [np.array([3e4], np.float32), np.array([-3e4], np.float32)])
    assert out == 1 and lse == np.float32(3e4)


def test_a_nan_in_one_part_reaches_its_row_only():
    _, (outs, lses) = states([20], np.float32)
    outs[1][0, 1, 2], lses[1][0, 1, 2] = np.nan, np.nan
    out, lse = pyattn.merge_states(outs, lses)
    where = np.isnan(lse)
    assert where.sum() == 1 and where[0, 1, 2]
    np.testing.assert_array_equal(np.isnan(out).all(axis=-1), where)
    np.testing.assert_array_equal(np.isnan(out).any(axis=-1), where)


@pytest.mark.parametrize(
    ("outs", "lses", "message"),
    [
        ([], [], "0 outs and 0 lses; expected as many, and at least one"),
        ([np.ones((2, 3))], [], "1 outs and 0 lses"),
        ([np.ones((2, 3)), np.ones((2, 4))], [np.ones(2)] * 2, r"part 1 has out float64 \(2, 4\)"),
        ([np.ones((2, 3))], [np.ones(3)], r"part 0 .*lse \(3,\); expected out .*lse \(2,\)"),
        ([np.ones((2, 3)), np.ones((2, 3), np.float32)], [np.ones(2)] * 2, "part 1 has out float32"),
    ],
)
def test_parts_that_do_not_fit_are_refused(outs, lses, message):
    with pytest.raises(ValueError, match="merge_states: .*" + message):
        pyattn.merge_states(outs, lses)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_torch_states_join_into_a_torch_state(dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    _, (outs, lses) = states([13], np.float64)
    ours = [torch.from_numpy(x).to(getattr(torch, dtype)) for x in outs]
    out, lse = pyattn.merge_states(ours, [torch.from_numpy(x) for x in lses])
    assert (out.dtype, lse.dtype) == (getattr(torch, dtype), torch.float64)
    expected, expected_lse = pyattn.merge_states(outs, lses)
    np.testing.assert_allclose(out.double(), expected, atol=3 * eps(getattr(ml_dtypes, dtype, dtype)))
    np.testing.assert_allclose(lse, expected_lse)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_jax_states_join_into_a_jax_state(dtype):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    _, (outs, lses) = states([13], np.float32)
    out, lse = pyattn.merge_states(
        [jax.numpy.asarray(x, dtype) for x in outs], [jax.numpy.asarray(x) for x in lses]
    )
    assert isinstance(out, jax.Array) and isinstance(lse, jax.Array) and out.dtype == dtype
    np.testing.assert_allclose(
        out.astype("float32"), pyattn.merge_states(outs, lses)[0], atol=3 * eps(out.dtype)
    )


@pytest.mark.parametrize(
    ("outs", "lses", "message"),
    [
        ([np.ones((2, 3), int)], [np.ones(2)], "outs has dtype int64; expected float64, float32"),
        ([np.ones((2, 3), complex)], [np.ones(2)], "outs has dtype complex128"),
        ([np.ones((2, 3))], [np.ones(2, int)], "lses has dtype int64"),
    ],
)
def test_parts_of_other_dtypes_are_refused(outs, lses, message):
    """Regression: whole numbers came out cut off, and complex ones without their imaginary part."""
    with pytest.raises(TypeError, match="merge_states: " + message):
        pyattn.merge_states(outs, lses)


def test_a_scalar_is_no_part():
    with pytest.raises(ValueError, match=r"part 0 has out float64 \(\)"):
        pyattn.merge_states([np.float64(1)], [np.float64(1)])


def test_an_infinite_lse_makes_its_row_nan_without_a_warning():
    out, lse = pyattn.merge_states([np.ones((2, 3))] * 2, [np.array([np.inf, 0])] * 2)
    assert np.isnan(out[0]).all() and np.isnan(lse[0]) and np.all(out[1] == 1)


def test_torch_outs_and_numpy_lses_join():
    """Regression: an lse of another framework than the outs' ended in an error of torch."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    _, (outs, lses) = states([13], np.float32)
    out, lse = pyattn.merge_states([torch.from_numpy(x) for x in outs], lses)
    expected, expected_lse = pyattn.merge_states(outs, lses)
    assert np.array_equal(out.numpy(), expected) and np.array_equal(lse.numpy(), expected_lse)
