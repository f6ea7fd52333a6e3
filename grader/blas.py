"""Matrix products that keep to the thread that asks for them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pyattn.extras import missing_extra

_lock = threading.Lock()
_holders = 0
_keeper: "_Keeper | None" = None


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Let NumPy's matrix products use one thread each, in the whole process.

    The threads of a product stay awake for a while after it: beside them a timing spreads, and where others use the
    processors, each waits for the rest.

    Blocks may overlap: the first to begin sets the limit, the last to end takes it away.
    """
    global _holders, _keeper
    with _lock:
        if not _holders:
            _keeper = _Keeper()
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1
            if not _holders and _keeper:
                _keeper.let_go()


class _Keeper:
    """A thread that holds the limit.

    threadpoolctl lets only the thread that has set a limit take it away again, and that must not depend on which of
    the overlapping blocks ends last.
    """

    def __init__(self) -> None:
        try:
            from threadpoolctl import threadpool_limits
        except ModuleNotFoundError as error:
            raise missing_extra("products of one thread need", error, "grader") from error
        self._limits = threadpool_limits
        self._holds, self._may_go = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold, daemon=True)
        self._thread.start()
        self._holds.wait()

    def let_go(self) -> None:
        self._may_go.set()
        self._thread.join()

    def _hold(self) -> None:
        try:
            with self._limits(limits=1, user_api="blas"):
                self._holds.set()
                self._may_go.wait()
        finally:
            self._holds.set()  # whatever went wrong, nobody waits for ever: a limit is about speed only
