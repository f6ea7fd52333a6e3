"""What a page or a program wants to know about one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.db.tables import JobState, Picture, ReportText, Run, RunState, Submission
from grader.jobs import queue
from grader.services.submitting import job_of


@dataclass(frozen=True)
class Progress:
    """Where a run is. `place` counts from 1 while it is queued; `step` of `steps` tests are over while it runs."""

    state: RunState
    place: int | None = None
    stage: str = ""
    step: int = 0
    steps: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing will change any more."""
        return self.state.final

    @property
    def again(self) -> float:
        """In how many seconds something may have changed: who waits behind many need not ask as often."""
        return 0.4 if self.place is None else min(0.4 * self.place, 6.0)

    def tag(self) -> str:
        """Equal for equal progress: an ETag."""
        return f"{self.state.value}-{self.place}-{self.stage}-{self.step}"


def progress(session: Session, run: Run) -> Progress:
    """Where a run is."""
    job = None if run.state.final else job_of(session, run)
    if job is None:
        return Progress(run.state)
    if job.state is JobState.QUEUED:
        return Progress(RunState.QUEUED, queue.place(session, job) + 1)
    return Progress(run.state, None, job.stage, job.step, job.steps)


def record(session: Session, run: Run, lang: str) -> dict[str, Any] | None:
    """The whole report of a run in a language; None when there is none."""
    found = session.get(ReportText, (run.id, lang))
    return None if found is None else found.record


def pictures(session: Session, run: Run) -> set[str]:
    """The tests that there are pictures of."""
    return set(session.scalars(select(Picture.test).where(Picture.run_id == run.id)))


def picture(session: Session, run: Run, test: str) -> bytes | None:
    """The PNG of a test's error."""
    found = session.get(Picture, (run.id, test))
    return None if found is None else found.png


@dataclass(frozen=True)
class Difference:
    """What changed since the attempt before."""

    number: int  # of that attempt
    id: int
    delta: float
    tests: dict[str, float]  # test → points gained; only where they changed


def difference(session: Session, submission: Submission, run: Run) -> Difference | None:
    """The attempt beside the last graded one before it; None for the first."""
    before = session.execute(
        select(Submission, Run)
        .join(Run, (Run.submission_id == Submission.id) & Run.counts)
        .where(
            Submission.task_id == submission.task_id, Submission.user_id == submission.user_id,
            Submission.kind == submission.kind, Submission.number < submission.number, Run.state == RunState.GRADED,
        )
        .order_by(Submission.number.desc()).limit(1)
    ).first()  # fmt: skip
    if before is None or run.score is None:
        return None
    earlier, old_run = before
    old, new = _points(old_run), _points(run)
    changed = {
        test: new[test] - old.get(test, 0.0) for test in new if abs(new[test] - old.get(test, 0.0)) > 1e-9
    }
    return Difference(earlier.number, earlier.id, run.score - (old_run.score or 0.0), changed)


def _points(run: Run) -> dict[str, float]:
    return {result.test: result.score for result in run.results}
