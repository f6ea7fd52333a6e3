"""Who asks: a token's owner. Cookies count for nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from flask import g, request
from flask_limiter.util import get_remote_address
from flask_smorest import Blueprint
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from grader.db.tables import ApiToken, Submission, User
from grader.services import access, accounts
from grader.services.refusals import Refused
from grader.web.api.known import Parser, require_known
from grader.web.guard import limiter, request_rate
from grader.web.transactions import database, reading

View = Callable[..., Any]


def needs(scope: str) -> Callable[[View], View]:
    """Let a view be used with a token that is good for a scope, and with arguments that it knows.

    Goes directly below the route.
    """

    def decorate(view: View) -> View:
        @Blueprint.doc(security=[{"token": []}])
        @wraps(view)
        def checked(*args: Any, **named: Any) -> Any:
            g.token = _token(scope)
            require_known(view)
            return view(*args, **named)

        return checked

    return decorate


def _text() -> str:
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not text.strip():
        raise Refused("no-token")
    return text.strip()


def _token(scope: str) -> ApiToken:
    token = accounts.token_of(reading(), _text(), scope)
    if accounts.is_long_unused(token):
        with database().writing() as session:
            accounts.note_use(session, token)
    return token


def caller() -> User:
    """Who asks, as the session for looking knows him."""
    user: User = g.token.user
    return user


def per_caller() -> str:
    """The key of rates: a token's owner, as a whole class may come from one address; whoever guesses, the address."""
    try:
        return f"user {accounts.token_of(reading(), _text()).user_id}"
    except Refused:
        return get_remote_address()


@contextmanager
def acting() -> Iterator[tuple[Session, User]]:
    """A transaction, and who asks for it as that transaction knows him."""
    with database().writing() as session:
        yield session, session.get_one(User, g.token.user_id)


def visible(session: Session, user: User, id: int) -> Submission:
    """A submission that this token may see: what is another's wants the scope "teach"."""
    found = access.submission_for(session, user, id)
    if found.user_id != user.id and "teach" not in g.token.scopes:
        raise Refused("no-scope", scope="teach")
    return found


def _tag(response: Response) -> Response:
    """Give what was looked up its ETag, and answer 304 to whoever has it already."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return response.make_conditional(request)


class Part(Blueprint):
    """A part of the API. What is looked up in it has an ETag."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, name: str, description: str) -> None:
        super().__init__(f"api-{name}", f"grader.web.api.{name}", description=description)
        limiter.limit(request_rate, key_func=per_caller)(self)
        self.after_request(_tag)

    def get(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Look something up."""
        route = super().get(rule, **options)
        tagged = self.alt_response(304, description="Nothing has changed since the ETag in If-None-Match.")
        return lambda view: route(tagged(view))

    def _document_pagination_metadata(self, spec: Any, doc: dict[str, Any]) -> None:
        """Of an object written into a header a client sees text."""
        about = "JSON: total, total_pages, first_page, last_page, page, previous_page, next_page"
        header = {"description": about, "schema": {"type": "string"}}
        doc.setdefault("headers", {})[self.PAGINATION_HEADER_NAME] = header
