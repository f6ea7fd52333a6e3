"""Connections and transactions: one way to read, one way to write."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.orm import Session

_BUSY_SECONDS = 20.0


class Database:
    """One database, shared by all threads of a process.

    Parameters
    ----------
    url : str
        ``sqlite:///file`` or ``postgresql://user@host/name``.
    woken : callable
        Is told every job that a transaction has enqueued, and if it is timed, after the commit: an engine's `wake`.
    """

    def __init__(self, url: str, woken: Callable[[int, bool], None] = lambda job, timed: None) -> None:
        self.url, self.woken = _with_driver(url), woken
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        self._writer = self.engine.execution_options(writing=True)
        # SQLite lets writers try again and again, up to a tenth of a second apart. Threads of one process take turns.
        self._turn = threading.RLock() if self.is_sqlite else contextlib.nullcontext()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is one file here."""
        return make_url(self.url).get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session for looking only. What is changed in it is not kept."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction: committed at its end, rolled back by any exception. Keep it short."""
        with Session(self._writer, expire_on_commit=False) as session:
            with self._turn, session.begin():
                yield session
            for job in session.info.pop("enqueued", ()):
                self.woken(*job)

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def _with_driver(url: str) -> str:
    """Both ways in which people write PostgreSQL's addresses mean psycopg."""
    kind, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if kind in ("postgres", "postgresql") else url


def _postgresql(url: str) -> Engine:
    # A connection that the server has closed meanwhile is found out before it is used. Every thread of the web server
    # may hold two: one looks, one writes.
    # Nobody waits for a lock for ever, as with SQLite.
    options = {"options": f"-c lock_timeout={int(_BUSY_SECONDS * 1000)}"}
    return create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=30, connect_args=options)


def _sqlite(url: str) -> Engine:
    file = make_url(url).database
    if file and file != ":memory:":
        Path(file).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _close_to_others(Path(file))
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _close_to_others(file: Path) -> None:
    """Everybody's work and the hashes of their passwords are in it, and SQLite would go by the umask."""
    with contextlib.suppress(OSError):  # who may not make or change it is told when it is opened
        with open(os.open(file, os.O_CREAT | os.O_RDWR, 0o600), "rb") as content:  # an error for a folder
            if content.read(16) not in (b"", b"SQLite format 3\0"):  # no database of ours
                return
        for one in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
            if one.is_file() and one.stat().st_mode & 0o077:
                one.chmod(0o600)


def _prepare(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A transaction that begins by reading and then wants to write fails at once ("database is locked") when another
    # wrote meanwhile, whatever the timeout is. So whoever wants to write says so first, and waits for his turn.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
