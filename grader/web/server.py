"""How gunicorn runs us: its words go where ours go."""

from __future__ import annotations

from grader import logs, settings

accesslog = None  # grader.web.requests_log writes one line for every request, without the tokens in paths
proc_name = "grader-web"
# What proxies say of a request counts as `trusted_proxies` has it, and in no other way.
forwarded_allow_ips = ""
forwarder_headers = ""


def on_starting(server: object) -> None:
    """In the master."""
    logs.set_up(settings.load().log_level)


def post_fork(server: object, worker: object) -> None:
    """In every process of the web server."""
    logs.set_up(settings.load().log_level)
