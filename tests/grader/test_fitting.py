"""The search for a free number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.fitting import minimise


@given(exponent=st.floats(-12, -1))
def test_finds_a_number_of_any_order_of_magnitude(exponent):
    wanted = 10**exponent
    assert minimise(lambda eps: abs(eps - wanted), 1e-13, 1e-1) == pytest.approx(wanted, rel=1e-9)


@given(exponent=st.floats(-8, 4))
def test_finds_negative_numbers_too(exponent):
    wanted = -(10**exponent)
    assert minimise(lambda fill: abs(fill - wanted), -1e5, -1e-9) == pytest.approx(wanted, rel=1e-9)


def test_stays_inside_the_interval():
    assert 1 <= minimise(lambda x: x, 1, 100) <= 1.001
    assert 99.9 <= minimise(lambda x: -x, 1, 100) <= 100
