"""Jobs on lease.

A worker *claims* a job and has it for some seconds, which it renews while it works. Every claim counts the job's
`token` up, and whatever a worker writes, it writes "where the token is mine": if the lease ran out and another has the
job, nothing is changed and the late result is thrown away. So each run gets exactly one result, whoever dies when.

All times are the database's (`clock.seconds`). Every function wants to be in a transaction of `Database.writing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import CursorResult, and_, case, func, or_, select, update
from sqlalchemy.orm import Session

from grader.db.clock import instant, seconds
from grader.db.tables import Job, JobState, Run, RunState, Worker
from grader.settings import Settings

FIRST, DRAFT, AGAIN = 0, 0, 10  # priorities: who waits at a page goes before a regrade
HEARD_SECONDS = 30.0  # without a word for longer a worker counts as gone
_ORDER = Job.priority, Job.turn, Job.id
_LATER = 4.0  # seconds until a job that met a fault of the grader is tried again, times its tries


@dataclass(frozen=True)
class Claim:
    """A job that is ours until its lease ends, and the number that proves it."""

    job: int
    run: int
    token: int


def enqueue(session: Session, run: Run, user_id: int, *, priority: int, timed: bool) -> Job:
    """Give a run a place in the queue, in the round after the last one that this student has a job in."""
    own_turn = case((Job.user_id == user_id, Job.turn))
    waiting = Job.state.in_((JobState.QUEUED, JobState.LEASED)), Job.priority == priority
    asked = select(seconds(), func.min(Job.turn), func.max(own_turn)).where(*waiting)
    at, round_now, own_last = session.execute(asked).one()
    turn = (round_now or 0) if own_last is None else max(round_now, own_last + 1)
    job = Job(
        run_id=run.id, user_id=user_id, priority=priority, turn=turn, timed=timed, queued_at=at, not_before=at
    )  # fmt: skip
    session.add(job)
    session.flush()
    _knock(session, job)
    return job


def claim(session: Session, worker: str, settings: Settings, *, timed: bool = True) -> Claim | None:
    """Take the next job.

    Parameters
    ----------
    worker : str
        The name of who asks.
    timed : bool
        Whether it may take jobs that need a quiet core.
    """
    ready = [Job.state == JobState.QUEUED, Job.not_before <= seconds()]
    if not timed:
        ready.append(Job.timed.is_(False))
    found = session.scalar(
        select(Job).where(*ready).order_by(*_ORDER).limit(1).with_for_update(skip_locked=True)
    )
    if found is None:
        return None
    mine = {"state": JobState.LEASED, "worker": worker, "token": Job.token + 1, "tries": Job.tries + 1}
    times = {"leased_at": seconds(), "lease_until": seconds() + settings.lease_seconds}
    session.execute(
        update(Job).where(Job.id == found.id).values(**mine, **times, stage="", step=0, steps=0),
        execution_options={"synchronize_session": False},
    )
    session.execute(update(Run).where(Run.id == found.run_id).values(state=RunState.RUNNING))
    return Claim(found.id, found.run_id, found.token + 1)


def _mine(claim: Claim) -> Any:
    return and_(Job.id == claim.job, Job.token == claim.token, Job.state == JobState.LEASED)


def _change(session: Session, which: Any, **values: Any) -> bool:
    found = session.execute(
        update(Job).where(which).values(**values), execution_options={"synchronize_session": False}
    )
    return isinstance(found, CursorResult) and found.rowcount == 1


def renew(session: Session, claim: Claim, settings: Settings) -> bool:
    """Have the lease for longer; False when it is lost, or the run has taken all the time that a run may take."""
    in_time = Job.leased_at > seconds() - settings.run_seconds
    return _change(session, and_(_mine(claim), in_time), lease_until=seconds() + settings.lease_seconds)


def report_progress(session: Session, claim: Claim, stage: str, step: int = 0, steps: int = 0) -> bool:
    """Say how far the run is; False when the lease is lost."""
    return _change(session, _mine(claim), stage=stage, step=step, steps=steps)


def finish(session: Session, claim: Claim) -> bool:
    """End the job; whoever calls this puts the results into the same transaction, if it is True."""
    return _change(session, _mine(claim), state=JobState.DONE, lease_until=None)


def fail(session: Session, claim: Claim, fault: str, settings: Settings) -> bool:
    """Give a job back that met a fault of the grader; it is tried again later, or dead after its last try."""
    job = session.scalar(select(Job).where(_mine(claim)).with_for_update())
    if job is None:
        return False
    _retry(session, job, fault, settings, later=_LATER * job.tries)
    return True


def put_back(session: Session, claim: Claim, fault: str, wait: float = _LATER) -> bool:
    """Give a job back that was not begun, through no fault of its own: this try does not count."""
    back = _change(
        session, _mine(claim), state=JobState.QUEUED, tries=Job.tries - 1, worker=None, lease_until=None,
        not_before=seconds() + wait, fault=fault,
    )  # fmt: skip
    if back:
        session.execute(update(Run).where(Run.id == claim.run).values(state=RunState.QUEUED))
    return back


def release(session: Session, worker: str, settings: Settings) -> int:
    """Queue again what a worker had that is known to be dead. Returns how many jobs."""
    lost = list(session.scalars(_leased().where(Job.worker == worker)))
    for job in lost:
        _retry(session, job, f"worker {worker} ended", settings)
    return len(lost)


def holders(session: Session) -> set[str]:
    """The names of the workers that have jobs."""
    asked = select(Job.worker).where(Job.state == JobState.LEASED, Job.worker.is_not(None))
    return {name for name in session.scalars(asked) if name}


def reap(session: Session, settings: Settings) -> int:
    """Queue again what nobody works on any more, give up what waited too long. Returns how many jobs."""
    expired = or_(Job.lease_until < seconds(), Job.leased_at < seconds() - settings.run_seconds)
    lost = list(session.scalars(_leased().where(expired)))
    for job in lost:
        _retry(session, job, f"the lease of worker {job.worker} ran out", settings)
    forgotten = select(Job).where(
        Job.state == JobState.QUEUED, Job.queued_at < seconds() - settings.queue_hours * 3600
    )
    old = list(session.scalars(forgotten.with_for_update(skip_locked=True)))
    for job in old:
        _end(session, job, JobState.DEAD, RunState.ERROR, f"no worker took it. {job.fault}".strip())
    return len(lost) + len(old)


def _leased() -> Any:
    return select(Job).where(Job.state == JobState.LEASED).with_for_update(skip_locked=True)


def cancel(session: Session, job: Job) -> bool:
    """Take a job out of the queue; False when it is being worked on or over."""
    if job.state is not JobState.QUEUED:
        return False
    _end(session, job, JobState.CANCELLED, RunState.CANCELLED, "")
    return True


def revive(session: Session, job: Job) -> bool:
    """Queue a dead job again, with all its tries."""
    if job.state is not JobState.DEAD:
        return False
    at = session.scalar(select(seconds())) or 0.0
    job.state, job.tries, job.worker, job.queued_at, job.not_before = JobState.QUEUED, 0, None, at, at
    run = session.get_one(Run, job.run_id)
    run.state, run.fault, run.finished_at = RunState.QUEUED, None, None
    _knock(session, job)
    return True


def place(session: Session, job: Job) -> int:
    """How many jobs are to be taken before this one."""
    before = or_(
        Job.priority < job.priority,
        and_(Job.priority == job.priority, Job.turn < job.turn),
        and_(Job.priority == job.priority, Job.turn == job.turn, Job.id < job.id),
    )
    return session.scalar(select(func.count(Job.id)).where(Job.state == JobState.QUEUED, before)) or 0


def unheard(session: Session, settings: Settings) -> list[tuple[int, bool]]:
    """Jobs, and whether they are timed, that have been ready for a while though a worker idles.

    Where workers are woken by messages, those of these must have got lost. No more are given than workers idle: while
    all are busy nothing is missing, and messages do not pile up.
    """
    alive = Worker.level != "", Worker.seen > seconds() - HEARD_SECONDS
    slots = session.scalar(select(func.count(Worker.name)).where(*alive)) or 0
    busy = session.scalar(select(func.count(Job.id)).where(Job.state == JobState.LEASED)) or 0
    ready = Job.state == JobState.QUEUED, Job.not_before <= seconds() - settings.sweep_seconds
    asked = select(Job.id, Job.timed).where(*ready).order_by(*_ORDER).limit(max(0, slots - busy))
    return [
        (job, timed)
        for kind in (False, True)
        for job, timed in session.execute(asked.where(Job.timed.is_(kind)))
    ]


def _knock(session: Session, job: Job) -> None:
    """Have the engine told of a job, once this transaction is committed."""
    session.info.setdefault("enqueued", []).append((job.id, job.timed))


def _retry(session: Session, job: Job, fault: str, settings: Settings, later: float = 0.0) -> None:
    if job.tries >= settings.tries:
        _end(session, job, JobState.DEAD, RunState.ERROR, fault)
        return
    at = session.scalar(select(seconds())) or 0.0
    job.state, job.worker, job.lease_until, job.fault = JobState.QUEUED, None, None, fault
    job.not_before = at + later
    session.get_one(Run, job.run_id).state = RunState.QUEUED
    _knock(session, job)


def _end(session: Session, job: Job, state: JobState, run_state: RunState, fault: str) -> None:
    job.state, job.lease_until, job.fault = state, None, fault
    run = session.get_one(Run, job.run_id)
    run.state, run.fault, run.finished_at = run_state, fault or None, instant(session)
