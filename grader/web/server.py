"""How gunicorn runs us: its words go where ours go."""

from __future__ import annotations

from grader import logs, settings

accesslog = None  # grader.web.requests_log writes one line for every request, without the tokens in paths
proc_name = "grader-web"


def on_starting(server: object) -> None:
    """In the master."""
    logs.set_up(settings.load().log_level)


def post_fork(server: object, worker: object) -> None:
    """In every process of the web server."""
    logs.set_up(settings.load().log_level)
