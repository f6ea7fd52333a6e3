"""What an error picture shows of a large result."""

import numpy as np
import pytest

from grader import catalogue, inputs, solutions
from grader.evidence import Evidence
from grader.report.pictures import MOST_SIDE, Window, draw

SHAPES = [(7,), (500,), (5, 7), (300, 3), (2, 200, 300), (2, 3, 64, 65)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_first_wrong_element_is_in_the_window(shape, rng):
    for _ in range(50):
        wrong = np.zeros(shape, bool)
        wrong.flat[rng.integers(wrong.size, size=3)] = True
        first = np.unravel_index(np.flatnonzero(wrong)[0], shape)
        numbers = np.arange(wrong.size).reshape(shape)
        shown = Window.around_first(wrong).of(numbers)
        assert numbers[first] in shown and max(shown.shape) <= MOST_SIDE
        assert shown.shape == tuple(min(side, MOST_SIDE) for side in np.atleast_2d(wrong).shape[-2:])


def test_indices_on_the_axes_are_those_of_the_result():
    wrong = np.zeros((200, 300), bool)
    wrong[150, 299] = True
    window = Window.around_first(wrong)
    left, right, bottom, top = window.extent
    assert left < 299 < right and top < 150 < bottom
    assert (right - left, bottom - top) == (MOST_SIDE, MOST_SIDE)


ODD = [np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 5e-324, -0.0, 1.0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_number_of_a_student_makes_the_pictures_warn(dtype, rng, tmp_path):
    """Differences of 1.7e308 overflowed in matplotlib. Here a warning is an error."""
    test = catalogue.load("softmax").tests[0]
    arguments = inputs.make_arguments(test, 1)
    right = solutions.expected(catalogue.load("softmax"), test, arguments)
    with np.errstate(over="ignore"):
        wild = rng.choice(ODD, right[0].shape).astype(dtype)
    for results in (wild, np.full_like(wild, wild.flat[0]), -np.abs(right[0]) * np.float64(1.7e308)):
        evidence = Evidence(catalogue.load("softmax"), test, arguments, (results,))
        assert draw(evidence, tmp_path / "picture.png")
