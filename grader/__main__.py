"""`python -m grader`, and the console script."""

from __future__ import annotations

import contextlib
import sys

from grader import descriptors
from grader.ending import Ended, unwound_when_told


def run() -> None:
    """The command line, with what must be so before a file is opened or a sandbox made."""
    descriptors.open_missing()
    try:
        with unwound_when_told():
            from grader.cli import main  # only now: it brings NumPy and much else along

            main(prog_name="grader")
    except Ended as ended:
        with contextlib.suppress(OSError):  # after SIGHUP the terminal is gone
            print(f"grader: ended by {ended}; everything is cleaned up.", file=sys.stderr, flush=True)
        sys.exit(ended.status)


if __name__ == "__main__":
    run()
