"""Connections and transactions: one way to read, one way to write."""

from __future__ import annotations

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
        As SQLAlchemy has them: ``sqlite:///file`` or ``postgresql+psycopg://…``.
    woken : callable
        Is given the id of every job that a transaction has enqueued, after its commit: an engine's `wake`.
    """

    def __init__(self, url: str, woken: Callable[[int], None] = lambda job: None) -> None:
        self.url, self.woken = url, woken
        self.engine = _sqlite(url) if self.is_sqlite else create_engine(url, pool_pre_ping=True)
        self._writer = self.engine.execution_options(writing=True)

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
            with session.begin():
                yield session
            for job in session.info.pop("enqueued", ()):
                self.woken(job)

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def _sqlite(url: str) -> Engine:
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A transaction that begins by reading and then wants to write fails at once ("database is locked") when another
    # wrote meanwhile, whatever the timeout is. So whoever wants to write says so first, and waits for his turn.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
