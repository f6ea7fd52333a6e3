"""Brings a database to another revision of the tables, and tells at which it is."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from grader.db.database import Database


class UnknownRevision(Exception):
    """A database has tables that another version of this program made."""


_FOLDER = Path(__file__).with_name("migrations")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def head() -> str:
    """The revision that this program works with."""
    found = ScriptDirectory.from_config(_config()).get_current_head()
    assert found is not None
    return found


def must_know(revision: str | None, where: str) -> None:
    """Raise `UnknownRevision` for one that no migration of ours leads to."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if revision is not None and revision not in known:
        raise UnknownRevision(
            f"{where}: its tables are of revision {revision}, and this program knows none later than {head()}. "
            "Use the version of the program that made them, or a later one."
        )


def revision_of(database: Database) -> str | None:
    """The revision that a database has; None when it is empty."""
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring a database to a revision, in one transaction.

    Raises
    ------
    UnknownRevision
        It has tables of a later version.
    """
    must_know(revision_of(database), database.engine.url.render_as_string())
    _migrate(database, lambda config: command.upgrade(config, revision))


def downgrade(database: Database, revision: str) -> None:
    """Bring a database back to an earlier revision ("base": nothing is left)."""
    _migrate(database, lambda config: command.downgrade(config, revision))


def write_revision(database: Database, message: str, number: str) -> None:
    """Write the next migration: what the tables in the program have and the database has not."""
    _migrate(
        database,
        lambda config: command.revision(config, message, autogenerate=True, rev_id=number),
    )


def _migrate(database: Database, act) -> None:  # type: ignore[no-untyped-def]
    with database.engine.execution_options(writing=True).begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        act(config)
