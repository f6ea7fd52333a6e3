"""The database as a request sees it: one session to read, transactions to write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from flask import current_app, g
from flask_login import current_user
from sqlalchemy.orm import Session

from grader.db.database import Database
from grader.db.tables import User
from grader.jobs.engines import Engine
from grader.services.access import KNOWN_ROLES
from grader.settings import Settings


def settings() -> Settings:
    """The settings of this application."""
    found: Settings = current_app.extensions["grader-settings"]
    return found


def database() -> Database:
    """The database of this application."""
    found: Database = current_app.extensions["grader-database"]
    return found


def engine() -> Engine:
    """What wakes the workers."""
    found: Engine = current_app.extensions["grader-engine"]
    return found


def reading() -> Session:
    """The session that this request looks with; closed when the request is over."""
    if "reading" not in g:
        g.reading_stack = ExitStack()
        g.reading = g.reading_stack.enter_context(database().reading())
        g.reading.info[KNOWN_ROLES] = {}
    session: Session = g.reading
    return session


def close_reading(error: BaseException | None = None) -> None:
    """At the end of a request."""
    if (stack := g.pop("reading_stack", None)) is not None:
        g.pop("reading", None)
        stack.close()


@contextmanager
def writing() -> Iterator[tuple[Session, User]]:
    """A transaction, and who asks for it as that transaction knows him."""
    with database().writing() as session:
        yield session, session.get_one(User, current_user.id)
