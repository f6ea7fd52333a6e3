"""What a page says when something is not possible."""

from __future__ import annotations

import logging

from flask import Flask, g, render_template
from flask_babel import gettext as _
from flask_login import AnonymousUserMixin
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from grader.services.refusals import Refused
from grader.unusable import UnusableSubmission
from grader.web.languages import in_words, message_in_words

log = logging.getLogger(__name__)

Answer = tuple[str, int]


def init_app(app: Flask) -> None:
    """Register the pages of errors."""
    app.register_error_handler(Refused, lambda error: page(error.status, in_words(error)))
    app.register_error_handler(UnusableSubmission, lambda error: page(400, message_in_words(error.message)))
    app.register_error_handler(
        CSRFError, lambda error: page(400, _("This form is too old. Load the page again."))
    )
    app.register_error_handler(OperationalError, _database)
    app.register_error_handler(HTTPException, _http)


def page(status: int, words: str) -> Answer:
    """A page with what is wrong and a way back."""
    return render_template("error.html", status=status, words=words), status


def _http(error: HTTPException) -> Answer:
    words = {
        404: _("There is no such page."),
        405: _("This page cannot be used in that way."),
        413: _("What was sent is too large. A submission is source code only."),
        429: _("That was too often. Wait a minute, and try again."),
        500: _("Something went wrong here, and we have written it down. Nothing that you handed in is lost."),
    }
    status = error.code or 500
    return page(status, words.get(status, error.description or error.name))


def _database(error: OperationalError) -> Answer:
    """The disk is full, or the database away: nothing was changed."""
    log.error("the database does not answer", exc_info=error)
    g._login_user = AnonymousUserMixin()  # the page must not ask the database who is there
    return page(503, _("The database does not answer. Nothing was changed; try again in a minute."))
