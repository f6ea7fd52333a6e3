"""What a signal to end does: it unwinds like Ctrl-C, so that sandboxes, control groups and folders are removed."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Ended(BaseException):
    """We were told to end. No `Exception`: what goes on after a mistake must not go on after this."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number  # as shells tell it


@contextlib.contextmanager
def unwound_when_told() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP raise `Ended`; one that is ignored, as under nohup, stays ignored."""
    ours = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    for other in _SIGNALS:  # a second one must not interrupt the cleaning up; SIGKILL always can
        signal.signal(other, signal.SIG_IGN)
    raise Ended(number)
