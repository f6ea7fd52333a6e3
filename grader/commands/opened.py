"""What every command of the service begins with: settings, logs, a database that is up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from grader import logs
from grader import settings as settings_module
from grader.db import history
from grader.db.database import Database
from grader.db.tables import Course, User
from grader.services import accounts
from grader.services.refusals import Refused
from grader.settings import Settings, SettingsError, unusable


def settings() -> Settings:
    """The settings of the environment; what is wrong with them ends the command."""
    try:
        found = settings_module.load()
        logs.set_up(found.log_level)
    except (SettingsError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    return found


def connected(settings: Settings, **options: Callable[[int, bool], None]) -> Database:
    """The database of the settings, not yet used; a setting that names none ends the command."""
    try:
        return Database(settings.database, **options)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    except (SQLAlchemyError, OSError, ValueError, ImportError) as error:
        raise _no_database(settings, error) from None


def upgrade(settings: Settings, database: Database) -> None:
    """Bring the database to the newest tables; one that cannot be used ends the command."""
    try:
        history.upgrade(database)
    except history.UnknownRevision as error:
        raise click.ClickException(str(error)) from None
    except DBAPIError as error:
        raise _no_database(settings, error.orig or error) from None


def _no_database(settings: Settings, error: BaseException) -> click.ClickException:
    why = " ".join(str(error).split()) or type(error).__name__
    expected = "a SQLite file that can be written to, or a PostgreSQL that answers"
    return click.ClickException(str(unusable("database_url", settings.database, why, expected)))


@contextmanager
def database() -> Iterator[Database]:
    """The database, with the newest tables; a refusal ends the command with its words."""
    ours = settings()
    found = connected(ours)
    try:
        upgrade(ours, found)
        yield found
    except Refused as refused:
        raise click.ClickException(str(refused)) from None
    finally:
        found.close()


def user_of(session: Session, login: str) -> User:
    """An account by its login."""
    user = accounts.find(session, login)
    if user is None:
        raise click.ClickException(f"no account {login!r}. `grader users list` shows them.")
    return user


def course_of(session: Session, slug: str) -> Course:
    """A course by its slug."""
    found: Course | None = session.query(Course).filter_by(slug=slug).one_or_none()
    if found is None:
        raise click.ClickException(f"no course {slug!r}. `grader course list` shows them.")
    return found
