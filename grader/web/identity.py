"""Who is there: Flask-Login on our accounts. A session ends by time, by logging out, and by a new password.

The instant at which it ends is in the cookie from the beginning: whoever has a copy of it cannot keep it alive.
"""

from __future__ import annotations

from flask import Flask, session
from flask_login import LoginManager, current_user, login_user
from flask_login import UserMixin as Mixin

from grader.db.clock import now
from grader.db.tables import User
from grader.web.transactions import close_reading, reading, settings


class Person(Mixin):
    """An account as Flask-Login wants it. Its id carries the count of sessions: another count, another person."""

    def __init__(self, user: User, ends: float) -> None:
        self.user, self.id, self.ends = user, user.id, ends

    def get_id(self) -> str:
        """What stands in the signed cookie."""
        return f"{self.user.id}:{self.user.sessions}:{self.ends:.0f}"


def init_app(app: Flask) -> None:
    """Set Flask-Login up."""
    manager = LoginManager(app)
    manager.login_view = "auth.login"
    manager.login_message = None
    manager.session_protection = None  # it ties sessions to addresses; telephones change theirs
    manager.user_loader(_load)
    app.teardown_request(close_reading)


def _load(kept: str) -> Person | None:
    id, _, rest = kept.partition(":")
    sessions, _, ends = rest.partition(":")
    if not ends or float(ends) < now().timestamp():
        return None
    user = reading().get(User, int(id))
    if user is None or not user.active or str(user.sessions) != sessions:
        return None
    return Person(user, float(ends))


def enter(user: User) -> None:
    """Begin a session for someone who has proved who he is; nothing of the session before is kept."""
    session.clear()
    session.permanent = True
    login_user(Person(user, now().timestamp() + settings().session_hours * 3600))


def me() -> User:
    """Who asks. Only for views that need a login."""
    user: User = current_user.user
    return user
