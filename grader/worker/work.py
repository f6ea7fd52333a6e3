"""One job from claim to result. Any engine's worker calls `work`."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from grader import catalogue, grading
from grader.db.database import Database
from grader.db.tables import Kind, Run
from grader.jobs import queue
from grader.jobs.queue import Claim
from grader.models import Assignment, Report
from grader.sandbox import SandboxUnavailable
from grader.settings import Settings
from grader.submission import Submission, choose
from grader.worker.lease import Lease
from grader.worker.store import Told, store, tell

log = logging.getLogger(__name__)

_AGAIN_SECONDS = 0.5  # until a result is stored that could not be


@dataclass(frozen=True)
class Order:
    """What is to be graded, out of the database."""

    slug: str
    kind: Kind
    track: str
    single: bool
    files: dict[str, bytes]


def work(database: Database, claim: Claim, settings: Settings) -> bool:
    """Grade what a claim is about. True when its result is stored, False when there is none or it is another's by now.

    Raises
    ------
    SandboxUnavailable
        Nothing can be run here; the job is back in the queue, and this try does not count.
    """
    with Lease(database, claim, settings) as lease:
        try:
            told = tell(_graded(database, claim, lease))
            if told.report.fault:
                return _failed(database, claim, "the sandbox failed", settings)
            return _kept(database, claim, told, lease)
        except SandboxUnavailable as error:
            with database.writing() as session:
                queue.put_back(session, claim, str(error))
            raise
        except Exception as error:
            log.exception("the grader failed")
            return _failed(database, claim, repr(error), settings)


def _kept(database: Database, claim: Claim, told: Told, lease: Lease) -> bool:
    """Store a result. While the database is away, or its disk full, it is kept here: grading again would not help."""
    while not lease.lost:
        try:
            with database.writing() as session:
                if not queue.finish(session, claim):
                    break
                store(session, claim.run, told)
                return True
        except OperationalError:
            log.warning("the result cannot be stored yet", exc_info=True)
            time.sleep(_AGAIN_SECONDS)
    log.warning("the result comes too late: another worker has the job")
    return False


def _failed(database: Database, claim: Claim, fault: str, settings: Settings) -> bool:
    with database.writing() as session:
        queue.fail(session, claim, fault, settings)
    return False


def _graded(database: Database, claim: Claim, lease: Lease) -> Report:
    with database.reading() as session:
        order = _order(session, claim.run)
    assignment = asked(catalogue.load(order.slug), order.kind)
    submission = _chosen(order, assignment)
    lease.tell("compiling" if submission.track.name != "numpy" else "testing", 0, len(assignment.tests))
    return grading.grade(
        submission, assignment, progress=lambda step: lease.tell("testing", step, len(assignment.tests))
    )


def _order(session: Session, run_id: int) -> Order:
    submission = session.get_one(Run, run_id).submission
    files = {file.name: file.content for file in submission.files}
    return Order(submission.task.slug, submission.kind, submission.track, submission.single, files)


def _chosen(order: Order, assignment: Assignment) -> Submission:
    return choose(order.files, assignment, order.track, single=order.single)


def asked(assignment: Assignment, kind: Kind) -> Assignment:
    """The assignment with the tests that a submission of a kind is run against."""
    if kind is Kind.FINAL:
        return assignment
    return replace(assignment, tests=tuple(test for test in assignment.tests if test.group == "public"))
