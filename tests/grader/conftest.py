"""For all tests of the grader."""

import pytest

from grader.blas import single_threaded_blas


@pytest.fixture(scope="module")
def one_thread_for_products():
    """As the grader works itself: on a busy machine more threads wait for each other for minutes."""
    with single_threaded_blas():
        yield
