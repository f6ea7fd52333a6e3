"""Who is there: Flask-Login on our accounts. A session ends by time, by logging out, and by a new password.

The instant at which it ends is in the cookie from the beginning: whoever has a copy of it cannot keep it alive, and
logging out ends all copies.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from flask import Flask, session
from flask_login import LoginManager, current_user, login_user, logout_user
from flask_login import UserMixin as Mixin

from grader.db.clock import UTC, now
from grader.db.tables import User
from grader.services import accounts
from grader.web.transactions import close_reading, database, reading, settings


@dataclass(frozen=True)
class Kept:
    """What stands in the signed cookie."""

    user: int
    sessions: int  # of the account: another count, another person
    ends: int  # seconds since 1970
    session: str  # this one's name

    @classmethod
    def read(cls, text: str) -> Kept | None:
        """None for what an earlier version wrote."""
        parts = text.split(":")
        return cls(int(parts[0]), int(parts[1]), int(parts[2]), parts[3]) if len(parts) == 4 else None

    def __str__(self) -> str:
        return f"{self.user}:{self.sessions}:{self.ends}:{self.session}"


class Person(Mixin):
    """An account as Flask-Login wants it, in one of its sessions."""

    def __init__(self, user: User, kept: Kept) -> None:
        self.user, self.id, self.kept = user, user.id, kept

    def get_id(self) -> str:
        """What Flask-Login keeps."""
        return str(self.kept)


def init_app(app: Flask) -> None:
    """Set Flask-Login up."""
    manager = LoginManager(app)
    manager.login_view = "auth.login"
    manager.login_message = None
    manager.session_protection = None  # it ties sessions to addresses; telephones change theirs
    manager.user_loader(_load)
    app.teardown_request(close_reading)


def _load(text: str) -> Person | None:
    kept = Kept.read(text)
    if kept is None or kept.ends < now().timestamp():
        return None
    user = accounts.session_user(reading(), kept.user, kept.sessions, kept.session)
    return None if user is None else Person(user, kept)


def enter(user: User) -> None:
    """Begin a session for someone who has proved who he is; nothing of the session before is kept."""
    leave()
    session.permanent = True
    ends = int(now().timestamp() + settings().session_hours * 3600)
    login_user(Person(user, Kept(user.id, user.sessions, ends, secrets.token_urlsafe(12))))


def leave() -> None:
    """End the session, in every copy of its cookie."""
    if current_user.is_authenticated:
        kept: Kept = current_user.kept
        with database().writing() as db:
            accounts.end_session(db, kept.session, datetime.fromtimestamp(kept.ends, UTC))
    logout_user()
    session.clear()


def me() -> User:
    """Who asks. Only for views that need a login."""
    user: User = current_user.user
    return user
