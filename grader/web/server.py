"""How gunicorn runs us: its words go where ours go, and it does not outlive whoever started it."""

from __future__ import annotations

import ctypes
import os
import signal

from grader import logs

accesslog = None  # grader.web.requests_log writes one line for every request, without the tokens in paths
proc_name = "grader-web"

_PR_SET_PDEATHSIG = 1


def on_starting(server: object) -> None:
    """In the master: end with `grader serve`, also when that was killed; else the next one finds the port taken."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    logs.set_up(os.environ.get("GRADER_LOG_LEVEL", "INFO"))


def post_fork(server: object, worker: object) -> None:
    """In every process of the web server."""
    logs.set_up(os.environ.get("GRADER_LOG_LEVEL", "INFO"))
