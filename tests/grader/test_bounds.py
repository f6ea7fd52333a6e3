"""The bounds: honest programs keep them with room to spare, and a few of them more are seen."""

import honest
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader import bounds, catalogue, inputs, solutions
from grader.diagnosis import SKIPPED_GROUPS

pytestmark = pytest.mark.usefixtures("one_thread_for_products")
ASSIGNMENTS = catalogue.load_all()
CASES = [(a, test) for a in ASSIGNMENTS for test in a.tests if test.group not in SKIPPED_GROUPS]
each_test = pytest.mark.parametrize(
    ("assignment", "test"), CASES, ids=[f"{a.slug}-{test.id}" for a, test in CASES]
)
seeds = st.integers(0, 2**32)


def problem(assignment, test, seed):
    arguments = inputs.make_arguments(test, seed)
    exact = solutions.expected(assignment, test, arguments)
    return arguments, exact, bounds.of(test.bound, arguments, exact)


@each_test
@given(seed=seeds)
def test_honest_programs_need_half_of_the_bound_at_most(assignment, test, seed):
    arguments, exact, allowed = problem(assignment, test, seed)
    half = tuple(bound / 2 for bound in allowed)
    for program in honest.variants(assignment.slug):
        results = honest.answer(program, arguments, len(exact))
        assert bounds.within(results, exact[: len(results)], half[: len(results)]), program.__name__


@each_test
def test_bounds_are_as_small_as_the_precision(assignment, test):
    """Relative to the largest number of the result; no bound of a stability test may eat the result up either."""
    arguments, exact, allowed = problem(assignment, test, 7)
    loosest = 2e-2 if test.group == "stability" else 1e4 * bounds.roundoff(arguments)
    for result, bound in zip(exact, allowed, strict=True):
        assert np.all(bound >= 0)
        assert bound.max() <= loosest * np.abs(result).max()


@each_test
@given(seed=seeds, times=st.sampled_from([-3.0, 3.0]))
def test_three_bounds_beyond_are_seen_in_any_place(assignment, test, seed, times):
    arguments, exact, allowed = problem(assignment, test, seed)
    rng = np.random.default_rng(seed)
    which = rng.integers(len(exact))
    moved = [result.copy() for result in exact]
    place = tuple(rng.integers(moved[which].shape))
    moved[which][place] += times * allowed[which][place]
    assert bounds.within(exact, exact, allowed)
    assert not bounds.within(tuple(moved), exact, allowed)


@given(
    width=st.integers(1, 200),
    keys=st.integers(1, 300),
    size=st.floats(1e-3, 30),
    dtype=st.sampled_from(["float32", "float64"]),
    seed=seeds,
)
def test_honest_attention_of_any_size_keeps_the_bound(width, keys, size, dtype, seed):
    assignment = catalogue.load("scaled-dot-product")
    rng = np.random.default_rng(seed)
    shapes = {"q": (3, width), "k": (keys, width), "v": (keys, 2)}
    arguments = {name: (rng.normal(size=shape) * size**0.5).astype(dtype) for name, shape in shapes.items()}
    exact = solutions.expected(assignment, assignment.tests[0], arguments)
    allowed = bounds.of("attention", arguments, exact)
    for program in honest.ATTENTION:
        results = honest.answer(program, arguments, 2)
        assert bounds.within(results, exact[: len(results)], allowed[: len(results)]), program.__name__


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("slug", ["softmax", "masking"])
def test_one_number_that_is_not_finite_is_seen(slug, value):
    assignment = catalogue.load(slug)
    _, exact, allowed = problem(assignment, assignment.tests[0], 1)
    spoiled = exact[0].copy()
    spoiled.flat[-1] = value
    assert not bounds.within((spoiled,), exact, allowed)


def test_a_hidden_weight_must_vanish():
    assignment = catalogue.load("softmax")
    (test,) = (test for test in assignment.tests if test.id == "some-hidden")
    arguments, exact, allowed = problem(assignment, test, 1)
    hidden = np.isneginf(arguments["x"])
    assert hidden.any()
    assert np.all(allowed[0][hidden] < 1e-37)


def test_other_shapes_and_missing_results_are_never_within():
    one = np.zeros((2, 3))
    assert not bounds.within((np.zeros(()),), (one,), (one + 1,))
    assert not bounds.within((np.zeros((3, 2)),), (one,), (one + 1,))
    assert not bounds.within((), (one,), (one + 1,))


@given(x=st.floats(allow_nan=True, allow_infinity=True), y=st.floats(allow_nan=True, allow_infinity=True))
def test_errors_are_symmetric_and_zero_for_equals_only(x, y):
    assume(not (np.isnan(x) and np.isnan(y)))
    forth, back = bounds.errors(np.array([x]), np.array([y])), bounds.errors(np.array([y]), np.array([x]))
    assert np.array_equal(forth, back, equal_nan=True)
    assert (forth[0] == 0) == (x == y)


def test_exact_allows_nothing():
    one = np.array([1.0, 0.0])
    (allowed,) = bounds.of("exact", {}, (one,))
    assert bounds.within((one,), (one,), (allowed,))
    assert not bounds.within((np.nextafter(one, 2),), (one,), (allowed,))


def test_blocks_of_queries_change_no_bound(monkeypatch):
    assignment = catalogue.load("masking")
    for test in assignment.tests:
        arguments, exact, allowed = problem(assignment, test, 3)
        with monkeypatch.context() as patch:
            patch.setattr(bounds, "CHUNK", 1)
            small = bounds.of(test.bound, arguments, exact)
        for one, other in zip(allowed, small, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6)
