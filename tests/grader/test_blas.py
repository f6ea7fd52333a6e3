"""Matrix products keep to their thread for as long as an encoder needs it, and no longer."""

import sys
import threading

import numpy as np  # whose BLAS is limited
import pytest
from threadpoolctl import ThreadpoolController

from grader.blas import single_threaded_blas


def threads_of_blas():
    np.ones((2, 2)) @ np.ones((2, 2))
    libraries = ThreadpoolController().select(user_api="blas").info()
    return [library["num_threads"] for library in libraries]


@pytest.fixture(autouse=True)
def several_threads():
    """More threads than one to begin with, on any machine, set by a thread that is gone when the test runs."""
    setter = threading.Thread(target=lambda: ThreadpoolController().limit(limits=2, user_api="blas"))
    setter.start()
    setter.join()
    if set(threads_of_blas()) != {2}:
        pytest.skip("NumPy's BLAS has no number of threads to set")


def test_one_thread_inside_and_as_before_outside():
    with single_threaded_blas():
        assert set(threads_of_blas()) == {1}
    assert set(threads_of_blas()) == {2}


def test_an_error_restores_as_well():
    with pytest.raises(KeyError), single_threaded_blas():
        raise KeyError
    assert set(threads_of_blas()) == {2}


@pytest.mark.parametrize("leaves_first", [0, 1])
def test_overlapping_blocks_leave_nothing_behind(leaves_first):
    """Whoever ends last must not restore what it has found: the second thread finds the limit of the first."""
    inside = [threading.Event(), threading.Event()]
    may_leave = [threading.Event(), threading.Event()]

    def hold(number):
        with single_threaded_blas():
            inside[number].set()
            may_leave[number].wait(30)

    holders = [threading.Thread(target=hold, args=(number,)) for number in (0, 1)]
    for number, holder in enumerate(holders):
        holder.start()
        assert inside[number].wait(30)
    assert set(threads_of_blas()) == {1}
    for number in (leaves_first, 1 - leaves_first):
        may_leave[number].set()
        holders[number].join()
    assert set(threads_of_blas()) == {2}


def test_what_is_missing_is_in_the_extra_that_is_named(monkeypatch):
    """Regression: threadpoolctl was looked for in the extra that had it once."""
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with (
        pytest.raises(ModuleNotFoundError, match=r"'threadpoolctl'.*pip install 'pyattn\[grader\]'"),
        single_threaded_blas(),
    ):
        pass
    monkeypatch.undo()
    with single_threaded_blas():
        assert set(threads_of_blas()) == {1}
