"""What an error picture shows of a large result."""

import numpy as np
import pytest

from grader.report.pictures import MOST_SIDE, Window

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
