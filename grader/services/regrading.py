"""Grading again: new runs beside the old ones, which count until a teacher has seen the changes and says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session, joinedload

from grader.db.clock import seconds
from grader.db.tables import Job, JobState, Kind, Regrade, RegradeState, Run, RunState, Submission, Task, User
from grader.jobs import queue
from grader.services import access, audit, standing
from grader.services.refusals import Refused
from grader.services.submitting import assignment_of, is_timed

WHICH = ("latest", "best", "all")


@dataclass(frozen=True)
class Change:
    """A submission's score as it is and as it would be."""

    submission: Submission
    old: float | None
    new: float | None
    state: RunState
    run: int  # the new one

    @property
    def delta(self) -> float:
        """What the student would gain."""
        return 0.0 if self.new is None else self.new - (self.old or 0.0)


def start(session: Session, actor: User, task: Task, which: str) -> Regrade:
    """Queue runs of every student's latest submission, best one, or all."""
    access.require(session, actor, "regrade", task.course)
    if which not in WHICH:
        raise Refused("bad-choice", got=which[:20], known=", ".join(WHICH))
    chosen = _chosen(session, task, which)
    if not chosen:
        raise Refused("nothing-to-regrade")
    regrade = Regrade(task_id=task.id, user_id=actor.id, which=which)
    session.add(regrade)
    session.flush()
    timed = is_timed(assignment_of(task), Kind.FINAL)
    for submission in chosen:
        run = Run(submission_id=submission.id, regrade_id=regrade.id, counts=False)
        session.add(run)
        session.flush()
        queue.enqueue(session, run, submission.user_id, priority=queue.AGAIN, timed=timed)
    audit.note(session, actor, "regrade started", task.slug, task.course, which=which, count=len(chosen))
    return regrade


def _chosen(session: Session, task: Task, which: str) -> Sequence[Submission]:
    users = [one.user_id for one in standing.students_of(session, task.course)]
    ids: set[int] = set()
    for cell in standing.standings(session, [task], users).values():
        done = [one for one in cell.attempts if one.state in (RunState.GRADED, RunState.ERROR)]
        if not done:
            continue
        best = max(done, key=lambda one: one.score or 0.0)
        ids |= {"all": {one.id for one in done}, "latest": {done[-1].id}, "best": {best.id}}[which]
    # Chosen here: a class may have more of them than a statement takes parameters.
    handed_in = session.scalars(
        select(Submission).where(Submission.task_id == task.id).order_by(Submission.id)
    )
    return [submission for submission in handed_in if submission.id in ids]


def changes(session: Session, regrade: Regrade) -> list[Change]:
    """Old and new scores: the largest changes first."""
    asked = (
        select(Run).where(Run.regrade_id == regrade.id)
        .options(joinedload(Run.submission).joinedload(Submission.user))
    )  # fmt: skip
    old = _scores_beside(session, regrade)
    found = [
        Change(run.submission, old[run.submission_id], run.score, run.state, run.id)
        for run in session.scalars(asked)
    ]
    return sorted(found, key=lambda change: (-abs(change.delta), change.submission.id))


def _scores_beside(session: Session, regrade: Regrade) -> dict[int, float | None]:
    """The scores that count beside a regrade's, by submission; once it is applied, those that counted before it."""
    counted: ColumnElement[bool] = Run.counts.expression
    if regrade.state is RegradeState.APPLIED:
        earlier = Regrade.applied_at < regrade.applied_at
        counted = or_(Regrade.id.is_(None), and_(earlier, Run.state == RunState.GRADED))
    again = select(Run.submission_id).where(Run.regrade_id == regrade.id)
    asked = select(Run.submission_id, Run.score).outerjoin(Regrade, Run.regrade_id == Regrade.id)
    in_order = Regrade.applied_at.nulls_first(), Run.id
    kept = asked.where(Run.submission_id.in_(again), counted).order_by(*in_order)  # the last one stays
    return {run.submission_id: run.score for run in session.execute(kept)}


def open_for(session: Session, regrade: Regrade) -> int:
    """How many runs are not over."""
    states = session.scalars(select(Run.state).where(Run.regrade_id == regrade.id))
    return sum(not state.final for state in states)


def apply(session: Session, actor: User, regrade: Regrade) -> int:
    """Let the new scores count; where the grader failed the old one stays. Returns how many count now."""
    _must_be_open(session, actor, regrade)
    if waiting := open_for(session, regrade):
        raise Refused("still-running", count=waiting)
    graded = Run.regrade_id == regrade.id, Run.state == RunState.GRADED
    new = session.scalars(select(Run).where(*graded)).all()
    again = select(Run.submission_id).where(*graded)
    for run in session.scalars(select(Run).where(Run.submission_id.in_(again), Run.counts)).all():
        run.counts = False
    session.flush()  # one of a submission's runs counts, and never two
    for run in new:
        run.counts = True
    regrade.state, regrade.applied_at = RegradeState.APPLIED, session.scalar(select(seconds()))
    audit.note(session, actor, "regrade applied", regrade.task.slug, regrade.task.course, count=len(new))
    return len(new)


def discard(session: Session, actor: User, regrade: Regrade) -> None:
    """Let the old scores stand; runs that are queued are taken out."""
    _must_be_open(session, actor, regrade)
    queued = select(Job).join(Run).where(Run.regrade_id == regrade.id, Job.state == JobState.QUEUED)
    for job in session.scalars(queued):
        queue.cancel(session, job)
    regrade.state = RegradeState.DISCARDED
    audit.note(session, actor, "regrade discarded", regrade.task.slug, regrade.task.course)


def _must_be_open(session: Session, actor: User, regrade: Regrade) -> None:
    access.require(session, actor, "regrade", regrade.task.course)
    session.refresh(regrade, with_for_update=True)
    if regrade.state is not RegradeState.OPEN:
        raise Refused("regrade-over")


def of_task(session: Session, actor: User, task: Task) -> list[Regrade]:
    """The regrades of a task, the newest first."""
    access.require(session, actor, "regrade", task.course)
    asked = select(Regrade).where(Regrade.task_id == task.id).order_by(Regrade.id.desc())
    return list(session.scalars(asked))


# ---- Jobs that were given up ----


def dead_jobs(session: Session, actor: User, task: Task) -> list[Job]:
    """The jobs of a task that the grader could not do."""
    access.require(session, actor, "see-class", task.course)
    asked = select(Job).join(Run).join(Submission)
    return list(session.scalars(asked.where(Submission.task_id == task.id, Job.state == JobState.DEAD)))


def retry(session: Session, actor: User, task: Task, job_id: int) -> None:
    """Queue a job again that was given up."""
    access.require(session, actor, "retry-jobs", task.course)
    job = session.get(Job, job_id)
    if job is None or job.run.submission.task_id != task.id:
        raise Refused("not-found")
    if not queue.revive(session, job):
        raise Refused("not-dead")
    audit.note(session, actor, "job queued again", f"{task.slug} job {job.id}", task.course)
