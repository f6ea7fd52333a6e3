"""One line of log for every request, with an id that the answer carries too."""

from __future__ import annotations

import logging
import re
import secrets
import time

import structlog
from flask import Flask, Response, g, request

from grader.db.clock import now

log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    """Begin and end every request with a look at the clock. Must come first: the instant decides lateness."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.arrived, g.began = now(), time.perf_counter()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if re.fullmatch(r"[\w-]{8,64}", given) else secrets.token_hex(8)
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request=g.request_id)


def _end(response: Response) -> Response:
    seconds = time.perf_counter() - g.began
    response.headers["X-Request-Id"] = g.request_id
    # The rule, not the path: paths of one-time links have tokens in them.
    rule = request.url_rule.rule if request.url_rule else "–"
    log.info("%s %s %s %.3f", request.method, rule, response.status_code, seconds)
    return response
