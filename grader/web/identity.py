"""Who is there: Flask-Login on our accounts. A session ends by time, by logging out, and by a new password."""

from __future__ import annotations

from flask import Flask, session
from flask_login import LoginManager, current_user, login_user
from flask_login import UserMixin as Mixin

from grader.db.tables import User
from grader.web.transactions import close_reading, reading


class Person(Mixin):
    """An account as Flask-Login wants it. Its id carries the count of sessions: another count, another person."""

    def __init__(self, user: User) -> None:
        self.user, self.id = user, user.id

    def get_id(self) -> str:
        """What stands in the signed cookie."""
        return f"{self.user.id}:{self.user.sessions}"


def init_app(app: Flask) -> None:
    """Set Flask-Login up."""
    manager = LoginManager(app)
    manager.login_view = "auth.login"
    manager.login_message = None
    manager.session_protection = None  # it ties sessions to addresses; telephones change theirs
    manager.user_loader(_load)
    app.teardown_request(close_reading)


def _load(kept: str) -> Person | None:
    id, _, sessions = kept.partition(":")
    user = reading().get(User, int(id)) if id.isdigit() else None
    if user is None or not user.active or str(user.sessions) != sessions:
        return None
    return Person(user)


def enter(user: User) -> None:
    """Begin a session for someone who has proved who he is; nothing of the session before is kept."""
    session.clear()
    session.permanent = True
    login_user(Person(user))


def me() -> User:
    """Who asks. Only for views that need a login."""
    user: User = current_user.user
    return user
