"""Instants as people read and write them: in the course's zone, with the zone shown."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from flask_babel import format_date, format_time, format_timedelta

from grader.db.clock import now
from grader.services.refusals import Refused

_WRITTEN = ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S")
_YEARS = range(1970, 3000)  # at the ends of Python's calendar there is no other zone's time, and no day after


def show_time(at: datetime | None, zone: str) -> str:
    """“31 Mar 2027, 23:59 (Asia/Shanghai)”."""
    if at is None:
        return "–"
    local = at.astimezone(ZoneInfo(zone))
    return (
        f"{format_date(local, 'medium', rebase=False)}, {format_time(local, 'short', rebase=False)} ({zone})"
    )


def show_distance(at: datetime) -> str:
    """“in 3 days”, “2 hours ago”."""
    # From two of a unit on: “in 13 days” tells more than “in 2 weeks”.
    return str(format_timedelta(at - now(), threshold=2, add_direction=True))


def field_time(at: datetime | None, zone: str) -> str:
    """What stands in a field for a time of that zone."""
    return "" if at is None else at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def read_time(text: str | None, zone: str) -> datetime | None:
    """What somebody wrote into such a field; None when it is empty. A time that clocks skip is moved on by them."""
    text = (text or "").strip()
    if not text:
        return None
    for written in _WRITTEN:
        try:
            at = datetime.strptime(text, written)
        except ValueError:
            continue
        if at.year in _YEARS:
            return at.replace(tzinfo=ZoneInfo(zone))
    raise Refused("bad-time", text=text[:40])
