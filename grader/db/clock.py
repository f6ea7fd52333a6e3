"""Two clocks: instants in UTC for people, and the database's own seconds for leases."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from sqlalchemy import DateTime, Dialect, Float, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

UTC = timezone.utc


def now() -> datetime:
    """The present instant, by the server's clock."""
    return datetime.now(UTC)


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as UTC: SQLite has no zones, and nobody should guess them."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """UTC without its zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"an instant needs its zone; got {value!r}. Use datetime.now(UTC).")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """With its zone again."""
        return None if value is None else value.replace(tzinfo=UTC)


class seconds(FunctionElement[float]):
    """Seconds since 1970 by the database's clock, of this very moment. The clocks of workers do not matter."""

    type = Float()
    inherit_cache = True


@compiles(seconds, "sqlite")
def _of_sqlite(element: Any, compiler: Any, **options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(seconds, "postgresql")
def _of_postgresql(element: Any, compiler: Any, **options: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"


def instant(session: Session) -> datetime:
    """The present instant by the database's clock: for what workers write, whose clocks may be wrong."""
    return datetime.fromtimestamp(session.scalars(select(seconds())).one(), UTC)
