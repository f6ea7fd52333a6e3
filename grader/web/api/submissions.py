"""Handing in, and what becomes of it."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request, url_for
from flask_smorest import Page

from grader.db.tables import Kind, Submission
from grader.services import reports, submitting
from grader.services.access import task_for
from grader.services.refusals import Refused
from grader.web.api import answers, shapes
from grader.web.api.answers import Answer
from grader.web.api.tokens import Part, acting, caller, needs, per_caller, visible
from grader.web.guard import limiter, submission_rate
from grader.web.transactions import reading, settings
from grader.web.uploads import began, contents

bp = Part("submissions", "Handing in, and what becomes of it")


class _Told(Page):
    """Tells of those that are on the page only."""

    @property
    def items(self) -> list[Answer]:
        return [answers.submission(reading(), found) for found in super().items]


@bp.post("/courses/<course>/assignments/<assignment>/submissions")
@needs("submit")
@limiter.limit(submission_rate, key_func=per_caller)
@bp.arguments(shapes.HandIn, location="query")
@bp.arguments(shapes.Files, location="files")
@bp.response(202, shapes.Submission, headers={"Location": {"schema": {"type": "string"}}})
def hand_in(
    how: dict[str, str], given: dict[str, Any], course: str, assignment: str
) -> tuple[Answer, dict[str, str]]:
    """Hand in files; they are graded later.

    Files that equal a submission which is still to be graded give that one again. When the upload began decides
    whether it is late.
    """
    _refuse_contradictions()
    how |= given
    kind, track = Kind(how.get("kind", Kind.FINAL)), how.get("track")
    upload = submitting.read_upload(contents(given["files"]))
    with acting() as (session, user):
        task = task_for(session, user, course, assignment, "submit")
        found = submitting.submit(session, user, task, upload, began(), settings(), kind=kind, track=track)
        told = answers.submission(session, found)
    return told, {"Location": url_for(".show_submission", submission=found.id)}


def _refuse_contradictions() -> None:
    """Raise `Refused` when query and form, or one of them twice, want different things: one may cost an attempt."""
    for name in shapes.HandIn._declared_fields:
        said = {*request.args.getlist(name), *request.form.getlist(name)}
        if len(said) > 1:
            raise Refused("said-differently", name=name, got=", ".join(sorted(said))[:100])


@bp.get("/courses/<course>/assignments/<assignment>/submissions")
@needs("read")
@bp.arguments(shapes.OfKind, location="query")
@bp.response(200, shapes.Submission(many=True))
@bp.paginate(_Told)
def list_submissions(which: dict[str, str], course: str, assignment: str) -> list[Submission]:
    """List one's own submissions, the newest first."""
    task = task_for(reading(), caller(), course, assignment)
    kind = Kind(which["kind"]) if "kind" in which else None
    return submitting.submissions_of(reading(), caller(), task, kind)


@bp.get("/submissions/<int:submission>")
@needs("read")
@bp.response(200, shapes.Submission)
def show_submission(submission: int) -> Answer:
    """Show a submission: its state, its score, how far it is. Made to be asked again and again, with the ETag."""
    return answers.submission(reading(), visible(reading(), caller(), submission))


@bp.get("/submissions/<int:submission>/report")
@needs("read")
@bp.arguments(shapes.Language, location="query")
@bp.response(200, shapes.Report)
def show_report(wish: dict[str, str], submission: int) -> Response:
    """Show the whole report."""
    found = visible(reading(), caller(), submission)
    record = reports.record(reading(), submitting.counting_run(reading(), found), wish["lang"])
    if record is None:
        raise Refused("no-report")
    return jsonify(record)


@bp.post("/submissions/<int:submission>/cancel")
@needs("submit")
@bp.response(200, shapes.Submission)
def cancel_submission(submission: int) -> Any:
    """Take one's own submission back before it is run; its attempt is free again."""
    with acting() as (session, user):
        found = visible(session, user, submission)
        submitting.cancel(session, user, found)
        return answers.submission(session, found)
