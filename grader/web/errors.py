"""What a page says when something is not possible."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from flask import Flask, Response, g, make_response, render_template, request
from flask_babel import gettext as _
from flask_login import AnonymousUserMixin
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, ProgrammingError
from werkzeug.exceptions import HTTPException

from grader.services.refusals import Refused
from grader.unusable import UnusableSubmission
from grader.web import problems
from grader.web.guard import safe_next
from grader.web.languages import in_words, message_in_words

log = logging.getLogger(__name__)

Answer = tuple[str, int] | Response


def init_app(app: Flask) -> None:
    """Register what is said of errors."""
    app.register_error_handler(Refused, lambda error: tell(error.status, in_words(error), error.code))
    app.register_error_handler(UnusableSubmission, _unusable)
    app.register_error_handler(
        CSRFError, lambda error: tell(400, _("This form is too old. Load the page again."))
    )
    app.register_error_handler(DataError, _data)
    app.register_error_handler(IntegrityError, _at_once)
    for kind in (OperationalError, ProgrammingError):  # PostgreSQL's for tables that are not there
        app.register_error_handler(kind, _database)
    app.register_error_handler(HTTPException, _http)


def tell(
    status: int, words: str, code: str | None = None, errors: Mapping[str, object] | None = None
) -> Answer:
    """What is wrong: for people a page with a way back, for programs a problem."""
    if problems.wanted():
        return problems.problem(status, words, code, errors)
    return render_template("error.html", status=status, words=words, back=_way_back()), status


def _way_back() -> str:
    """The page of ours where one was before; empty when it was none, or this one."""
    before, ours = request.referrer or "", request.host_url
    path = safe_next(f"/{before.removeprefix(ours)}", "") if before.startswith(ours) else ""
    return "" if path == request.full_path.rstrip("?") else path


def _http(error: HTTPException) -> Answer:
    words = {
        404: _("There is no such page."),
        405: _("This page cannot be used in that way."),
        413: _("What was sent is too large. A submission is source code only."),
        422: _("Some of what was given is not as it must be."),
        429: _("That was too often. Wait a minute, and try again."),
        500: _("Something went wrong here, and we have written it down. Nothing that you handed in is lost."),
    }
    status = error.code or 500
    faults = getattr(error, "data", {}).get("messages")  # of the arguments, by webargs
    told = make_response(tell(status, words.get(status, error.description or error.name), None, faults))
    told.headers.extend(
        (name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After")
    )
    return told


def _unusable(error: UnusableSubmission) -> Answer:
    return tell(400, message_in_words(error.message), error.message.code)


def _data(error: DataError) -> Answer:
    """A text with NUL in it, a number that no column holds: nobody writes such by mistake."""
    return tell(400, _("That is nothing that can be looked for."))


def _at_once(error: IntegrityError) -> Answer:
    """Two looked whether something is there, and both made it: the database lets one of them."""
    log.warning("two at once", exc_info=error)
    return tell(409, _("Somebody did the same at this very moment. Load the page again, and see."))


def _database(error: OperationalError | ProgrammingError) -> Answer:
    """The disk is full, the database away, or not ours: nothing was changed."""
    log.error("the database does not answer", exc_info=error)
    g._login_user = AnonymousUserMixin()  # the page must not ask the database who is there
    return tell(503, _("The database does not answer. Nothing was changed; try again in a minute."))
