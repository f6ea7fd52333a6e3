"""Arguments: the same for the same seed, others for any other, and what their recipes promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import catalogue, inputs
from grader.models import ArraySpec

TESTS = [test for assignment in catalogue.load_all() for test in assignment.tests if test.group != "speed"]
each_test = pytest.mark.parametrize("test", TESTS, ids=lambda test: f"{test.assignment}-{test.id}")


def arrays(arguments):
    return {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}


@each_test
def test_the_same_seed_makes_the_same_bytes(test):
    one, other = (arrays(inputs.make_arguments(test, 5)) for _ in range(2))
    assert {name: array.tobytes() for name, array in one.items()} == {
        n: a.tobytes() for n, a in other.items()
    }


@each_test
def test_another_seed_makes_other_numbers(test):
    one, other = (arrays(inputs.make_arguments(test, seed)) for seed in (5, 6))
    assert any(not np.array_equal(one[name], other[name]) for name in one)


@each_test
def test_arrays_are_what_the_specification_says(test):
    for name, array in arrays(inputs.make_arguments(test, 1)).items():
        spec = test.arguments[name]
        assert (array.shape, array.dtype) == (spec.shape, np.dtype(spec.dtype))
        assert type(array) is np.ndarray and array.flags.c_contiguous and array.flags.writeable


def test_no_two_tests_share_their_numbers():
    same = [t for t in TESTS if t.assignment == "softmax" and t.id in ("rows", "columns")]
    first, second = (inputs.make_arguments(test, 1)["x"] for test in same)
    assert first.shape == second.shape and not np.array_equal(first, second)


def make(fill, shape, seed, dtype="float64", **options):
    return inputs.fill(ArraySpec(shape, dtype, fill, options), np.random.default_rng(seed))


@given(seed=st.integers(0, 2**32), rows=st.integers(0, 5))
def test_rows_of_only_minus_inf_are_as_many_as_asked_for(seed, rows):
    x = make("minus-inf", (5, 7), seed, rows=rows)
    assert np.isneginf(x).all(axis=-1).sum() == rows
    assert not np.isnan(x).any() and not np.isposinf(x).any()


@given(seed=st.integers(0, 2**32), low=st.integers(-3, 2), more=st.integers(1, 5))
def test_integers_hold_both_ends(seed, low, more):
    x = make("integers", (6,), seed, "int64", low=low, high=low + more)
    assert (x.min(), x.max()) == (low, low + more)


@given(seed=st.integers(0, 2**32))
def test_large_numbers_overflow_and_leave_more_than_one_winner(seed):
    x = make("large", (5, 40), seed)
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(x)).any()
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    assert np.all((powers > 1e-9).sum(axis=-1) > 1)


def test_stairs_rise_along_their_axis():
    x = make("stairs", (3, 4, 5), 1, step=100.0, axis=-2)
    assert np.all(np.diff(x.mean(axis=(0, 2))) > 90)


def test_plain_recipes():
    assert make("sequence", (2, 3), 1, "int32", start=4, step=2).tolist() == [[4, 6, 8], [10, 12, 14]]
    assert make("values", (2, 1), 1, numbers=[1.5, 2]).tolist() == [[1.5], [2.0]]
    assert make("booleans", (40,), 1, "bool", share=0.5).sum() in range(5, 36)
    assert make("uniform", (9,), 1, low=2.0, high=3.0).min() >= 2
