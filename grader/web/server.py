"""How gunicorn runs us: its words go where ours go."""

from __future__ import annotations

import os

from grader import logs

accesslog = None  # grader.web.requests_log writes one line for every request, without the tokens in paths
proc_name = "grader-web"


def on_starting(server: object) -> None:
    """In the master."""
    logs.set_up(os.environ.get("GRADER_LOG_LEVEL", "INFO"))


def post_fork(server: object, worker: object) -> None:
    """In every process of the web server."""
    logs.set_up(os.environ.get("GRADER_LOG_LEVEL", "INFO"))
