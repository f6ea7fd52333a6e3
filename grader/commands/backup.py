"""`grader backup`, `grader restore`: the SQLite file, whole, while the service runs."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from grader.commands import opened
from grader.commands.chosen import usable
from grader.db import history
from grader.settings import Settings, SettingsError
from grader.worker.supervisor import AlreadyServed, Supervisor


def _file(settings: Settings) -> Path:
    database = opened.connected(settings)
    if not database.is_sqlite:
        raise click.ClickException("the database is PostgreSQL: use pg_dump and pg_restore.")
    return Path(database.engine.url.database or "")


@click.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
def backup(target: Path) -> None:
    """Copy the database to TARGET, as it is at one instant, while it is in use. The secret key is not in it."""
    source = _file(opened.settings())
    if not source.exists():
        raise click.ClickException(f"{source}: there is no database yet.")
    with usable(target, "a new file in a folder that can be written to"):
        if target.exists():
            raise click.ClickException(f"{target}: is there already. Choose another name.")
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it has everyone's work in it
    try:
        _copy(source, target)
    except sqlite3.Error as error:
        target.unlink()
        raise click.ClickException(
            f"{source}: cannot be copied ({error}); expected a database that can be read. See GRADER_DATABASE_URL."
        ) from None
    click.echo(f"{target}: {target.stat().st_size} bytes")


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source, timeout=30)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
        there.execute("PRAGMA journal_mode=DELETE")  # one file, and nothing beside it


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(source: Path) -> None:
    """Put the backup SOURCE in the place of the database. The service must not run; the old file is kept beside it."""
    settings = opened.settings()
    target = _file(settings)
    _must_be_sound(source)
    try:
        with Supervisor(settings, opened.connected(settings), [], {}).alone():
            _replace(source, target)
    except (AlreadyServed, SettingsError) as error:
        raise click.ClickException(str(error)) from None
    database = opened.connected(settings)
    history.upgrade(database)
    database.close()
    click.echo(f"{target}: restored, revision {history.head()}")


def _must_be_sound(source: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as found:
            sound = found.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            revision = found.execute("SELECT version_num FROM alembic_version").fetchone()
        history.must_know(revision and revision[0], str(source))
    except history.UnknownRevision as error:
        raise click.ClickException(f"{error} Nothing was changed.") from None
    except sqlite3.DatabaseError:
        sound, revision = False, None
    if not sound or revision is None:
        raise click.ClickException(f"{source}: no backup of a grader, or a damaged one. Nothing was changed.")


def _replace(source: Path, target: Path) -> None:
    """By names only, at the end: whatever fails before leaves the old database where it is."""
    fresh = target.with_suffix(".restored")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as here,
        closing(sqlite3.connect(fresh)) as there,
    ):
        here.backup(there)
    if target.exists():
        with closing(sqlite3.connect(target)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        target.chmod(0o600)
        target.replace(target.with_suffix(".before-restore"))
    for ending in ("-wal", "-shm"):
        target.with_name(target.name + ending).unlink(missing_ok=True)
    fresh.replace(target)
