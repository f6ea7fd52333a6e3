"""Handing in: what is taken, what counts, what is run."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from grader.archive import MOST_NAME, read_archive
from grader.db.tables import (
    Enrolment,
    Extension,
    Job,
    Kind,
    Run,
    RunState,
    Submission,
    SubmittedFile,
    Task,
    User,
)
from grader.jobs import queue
from grader.models import Assignment
from grader.services import access, rules, shelf
from grader.services.refusals import Refused
from grader.settings import Settings
from grader.submission import MOST_BYTES, choose
from grader.unusable import UnusableSubmission


@dataclass(frozen=True)
class Upload:
    """Files as they came. `single`: one by itself, which is the submission whatever its name is."""

    files: Mapping[str, bytes]
    single: bool

    def digest(self, version: int, track: str) -> str:
        """Equal for equal files, for the same version of the assignment."""
        found = hashlib.sha256(f"{version} {track} {self.single}".encode())
        for name in sorted(self.files):
            for part in (name.encode(), self.files[name]):
                found.update(len(part).to_bytes(8, "big") + part)
        return found.hexdigest()


def read_upload(given: Sequence[tuple[str, bytes]], pasted: str = "", name: str = "submission.py") -> Upload:
    """Files, a zip, or pasted text, made into an `Upload`.

    Raises
    ------
    Refused
        Nothing came, or both ways, or two files of one name.
    UnusableSubmission
        A zip that no honest student makes, or a file that is too large.
    """
    given = [(_plain(name), content) for name, content in given if name]
    if pasted.strip() and given:
        raise Refused("both-given")
    if pasted.strip():
        given = [(name, pasted.replace("\r\n", "\n").encode())]
    if not given:
        raise Refused("nothing-given")
    if len(given) == 1 and _is_zip(*given[0]):
        return Upload(_unpacked(given[0][1]), single=False)
    for file, content in given:
        if len(content) > MOST_BYTES:
            raise UnusableSubmission("file-too-big", file=file, limit=MOST_BYTES >> 10)
    return Upload(_by_name(given), single=len(given) == 1)


def _by_name(given: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    """Files by their names, which may not differ in case only: some systems take them for the same."""
    found: dict[str, bytes] = {}
    for name, content in given:
        if name.casefold() in map(str.casefold, found):
            raise Refused("same-name", name=name)
        found[name] = content
    return found


def _plain(name: str) -> str:
    """A file's name without folders and without what no name should have."""
    name = PurePosixPath(name.replace("\\", "/")).name
    plain = "".join(c if c.isprintable() else "_" for c in name).encode()
    return plain[-MOST_NAME:].decode(errors="ignore") or "submission"


def _is_zip(name: str, content: bytes) -> bool:
    return name.lower().endswith(".zip") or content.startswith(b"PK\x03\x04")


def _unpacked(content: bytes) -> dict[str, bytes]:
    with tempfile.NamedTemporaryFile(prefix="grader-upload-", suffix=".zip") as file:
        file.write(content)
        file.flush()
        return read_archive(Path(file.name))


def assignment_of(task: Task) -> Assignment:
    """What the catalogue knows of a task."""
    return shelf.assignment(task.slug)


def submit(
    session: Session, actor: User, task: Task, upload: Upload, at: datetime, settings: Settings, *,
    kind: Kind = Kind.FINAL, track: str | None = None,
) -> Submission:  # fmt: skip
    """Take a submission and queue its run; equal files of which a run is not over give that submission again.

    Parameters
    ----------
    at : datetime
        When the upload began: this decides lateness.
    kind : Kind
        A draft runs public tests only and uses no attempt.

    Raises
    ------
    Refused
        Not open, closed, or no attempts left.
    UnusableSubmission
        Nothing in the files can be graded.
    """
    role = access.require(session, actor, "submit", task.course)
    assignment = assignment_of(task)
    chosen = choose(upload.files, assignment, track, single=upload.single)
    digest = upload.digest(assignment.version, chosen.track.name)
    _one_at_a_time(session, actor, task)
    before = _before(session, actor, task, kind)
    same = next((one.id for one in before if one.digest == digest and not one.state.final), None)
    if same is not None:
        return session.get_one(Submission, same)
    if not access.suffices(role, "see-unopened"):  # teachers try things out
        terms = terms_for(session, actor, task)
        _in_time(terms, at, task.course.zone)
        _not_too_many(terms, kind, [one.state for one in before], settings)
    number = 1 + max((one.number for one in before), default=0)
    submission = Submission(
        task_id=task.id, user_id=actor.id, kind=kind, number=number, submitted_at=at,
        digest=digest, single=upload.single, track=chosen.track.name,
        files=[SubmittedFile(name=name, content=content) for name, content in upload.files.items()],
    )  # fmt: skip
    session.add(submission)
    run = Run(submission=submission, counts=True)
    session.add(run)
    session.flush()
    priority = queue.DRAFT if kind is Kind.DRAFT else queue.FIRST
    queue.enqueue(session, run, actor.id, priority=priority, timed=is_timed(assignment, kind))
    return submission


def is_timed(assignment: Assignment, kind: Kind) -> bool:
    """Whether a run takes the time of something, and so needs a quiet core."""
    return kind is Kind.FINAL and any("speed" in test.checks for test in assignment.tests)


def _one_at_a_time(session: Session, actor: User, task: Task) -> None:
    """Let a student's submissions to a course pass one after the other, also where transactions run side by side."""
    own = select(Enrolment.id).where(Enrolment.course_id == task.course_id, Enrolment.user_id == actor.id)
    session.execute(own.with_for_update())


def _own(actor: User, task: Task, kind: Kind) -> ColumnElement[bool]:
    return and_(Submission.task_id == task.id, Submission.user_id == actor.id, Submission.kind == kind)


class _Before(NamedTuple):
    """What someone handed in earlier, with the state of the run that counts."""

    id: int
    number: int
    digest: str
    state: RunState


def _before(session: Session, actor: User, task: Task, kind: Kind) -> list[_Before]:
    asked = (
        select(Submission.id, Submission.number, Submission.digest, Run.state)
        .join(Run, (Run.submission_id == Submission.id) & Run.counts).where(_own(actor, task, kind))
    )  # fmt: skip
    return [_Before(*row) for row in session.execute(asked)]


def _in_time(terms: rules.Terms, at: datetime, zone: str) -> None:
    if terms.opens_at and at < terms.opens_at:
        raise Refused("not-open", at=terms.opens_at, zone=zone)
    if terms.closes_at and at > terms.closes_at:
        raise Refused("closed", at=terms.closes_at, zone=zone)


def _not_too_many(terms: rules.Terms, kind: Kind, states: Sequence[RunState], settings: Settings) -> None:
    if kind is Kind.DRAFT:
        waiting = sum(not state.final for state in states)
        if waiting >= settings.drafts_queued:
            raise Refused("drafts-waiting", count=waiting)
    elif terms.left(sum(map(rules.uses_attempt, states))) == 0:
        raise Refused("no-attempts", attempts=terms.attempts)


def terms_for(session: Session, user: User, task: Task) -> rules.Terms:
    """What holds for one student."""
    own = select(Extension).where(Extension.task_id == task.id, Extension.user_id == user.id)
    return rules.terms(task, session.scalar(own))


def counting_run(session: Session, submission: Submission) -> Run:
    """The run whose score a submission has."""
    return session.scalars(select(Run).where(Run.submission_id == submission.id, Run.counts)).one()


def job_of(session: Session, run: Run) -> Job | None:
    """A run's place in the queue."""
    return session.scalar(select(Job).where(Job.run_id == run.id))


def cancel(session: Session, actor: User, submission: Submission) -> None:
    """Take one's own submission back before it is run; its attempt is free again."""
    if submission.user_id != actor.id:
        raise Refused("not-allowed")
    job = session.scalar(
        select(Job).where(Job.run_id == counting_run(session, submission).id).with_for_update()
    )
    if job is None or not queue.cancel(session, job):
        raise Refused("too-late-to-cancel")


def submissions_of(session: Session, user: User, task: Task, kind: Kind | None = None) -> list[Submission]:
    """What a student handed in, the newest first."""
    own = select(Submission).where(Submission.task_id == task.id, Submission.user_id == user.id)
    if kind is not None:
        own = own.where(Submission.kind == kind)
    return list(session.scalars(own.order_by(Submission.id.desc())))


def drafts(session: Session, user: User, task: Task, count: int = 10) -> list[tuple[Submission, Run]]:
    """A student's last drafts, the newest first."""
    asked = (
        select(Submission, Run).join(Run, (Run.submission_id == Submission.id) & Run.counts)
        .where(_own(user, task, Kind.DRAFT)).order_by(Submission.id.desc()).limit(count)
    )  # fmt: skip
    return [(submission, run) for submission, run in session.execute(asked)]
