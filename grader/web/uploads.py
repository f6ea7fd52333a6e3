"""What a browser or a program sent along."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from flask import g
from werkzeug.datastructures import FileStorage

from grader.db.clock import now
from grader.web.transactions import settings


def contents(files: Iterable[FileStorage]) -> list[tuple[str, bytes]]:
    """Names and bytes. Large ones are on disk until then, and gone from there afterwards."""
    found = []
    for file in files:
        found.append((file.filename or "", file.read()))
        file.close()
    return found


def began() -> datetime:
    """When this upload began, which decides lateness. Ask when all of it is here.

    One that took too long counts from its end: else one could begin in time, and write the program afterwards.
    """
    ended: datetime = now()
    arrived: datetime = g.arrived
    return arrived if ended - arrived <= timedelta(seconds=settings().upload_seconds) else ended
