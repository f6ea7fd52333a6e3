"""The rules of dates, attempts and lateness, as arithmetic: nothing here looks anything up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.db.tables import Extension, RunState, Task

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Terms:
    """A task's rules for one student, the extension included."""

    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None  # nothing is taken from here on
    attempts: int  # 0: as many as one likes
    late_percent: float

    def is_open(self, at: datetime) -> bool:
        """Whether something that came at an instant is taken."""
        begun = self.opens_at is None or at >= self.opens_at
        return begun and (self.closes_at is None or at <= self.closes_at)

    def late_days(self, at: datetime) -> int:
        """How many days late something is; a day begun is a day."""
        if self.due_at is None or at <= self.due_at:
            return 0
        return math.ceil((at - self.due_at) / DAY)

    def share(self, at: datetime) -> float:
        """What part of its points something is worth that came at an instant."""
        return max(0.0, 1.0 - self.late_days(at) * self.late_percent / 100)

    def left(self, used: int) -> int | None:
        """How many attempts are left; None when there is no end of them."""
        return max(0, self.attempts - used) if self.attempts else None


def terms(task: Task, extension: Extension | None = None) -> Terms:
    """What holds for one student."""
    due = task.due_at
    if extension and extension.due_at and due:
        due = max(due, extension.due_at)
    attempts = task.attempts + (extension.attempts if extension else 0) if task.attempts else 0
    closes = None if due is None else due + task.late_days * DAY
    return Terms(task.opens_at, due, closes, attempts, task.late_percent)


def uses_attempt(state: RunState) -> bool:
    """Whether a submission in this state is an attempt: not when the grader failed, not when it was cancelled."""
    return state not in (RunState.ERROR, RunState.CANCELLED)
