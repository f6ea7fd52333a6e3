"""Standard input, output and error, which every part of the grader takes for granted.

Whoever starts us may have closed them (`<&-`, some service managers). The next file, pipe or socket that is opened
would then have the number 0, 1 or 2, and a process that we start would get it as its standard streams.
"""

from __future__ import annotations

import os
import sys

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_missing() -> None:
    """Let those that are closed be /dev/null. To be called before anything else opens a file."""
    for number, (name, mode) in enumerate(_STREAMS):
        if _is_open(number):
            continue
        opened = os.open(os.devnull, os.O_RDWR)  # gets this number: all below it are in use
        os.set_inheritable(opened, True)
        setattr(sys, name, os.fdopen(opened, mode, encoding="utf-8", closefd=False))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
