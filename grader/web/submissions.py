"""One submission: how far it is, its report, its code."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask_login import login_required
from werkzeug.wrappers import Response as Answer

from grader.db.tables import Run, Submission
from grader.services import reports, submitting
from grader.services.access import run_for, submission_for
from grader.services.refusals import Refused
from grader.web.addresses import asked_id
from grader.web.forms import Plain
from grader.web.identity import me
from grader.web.languages import language
from grader.web.listings import listings
from grader.web.transactions import reading, writing

bp = Blueprint("submissions", __name__)


def _find(id: int) -> tuple[Submission, Run]:
    """A submission that one may see, and the run to show: the one that counts, or one that `?run=` names."""
    submission = submission_for(reading(), me(), id)
    if (wanted := asked_id("run")) is not None:
        run = run_for(reading(), me(), wanted)
        if run.submission_id != submission.id:
            raise Refused("not-found")
        return submission, run
    return submission, submitting.counting_run(reading(), submission)


@bp.get("/s/<int:id>")
@login_required
def show(id: int) -> str:
    """The report; until it is there, how far it is."""
    submission, run = _find(id)
    progress = reports.progress(reading(), run)
    told = _told(submission, run) if progress.over else {}
    return render_template(
        "submission.html", submission=submission, run=run, course=submission.task.course, task=submission.task,
        progress=progress, button=Plain(), foreign=submission.user_id != me().id, **told,
    )  # fmt: skip


def _told(submission: Submission, run: Run) -> dict[str, Any]:
    """What there is to tell once a run is over. Who waits does not ask for it: a class waits all at once."""
    session = reading()
    return {
        "record": reports.record(session, run, language()),
        "pictures": reports.pictures(session, run),
        "difference": reports.difference(session, submission, run),
        "terms": submitting.terms_for(session, submission.user, submission.task),
    }


@bp.get("/s/<int:id>/progress")
@login_required
def progress(id: int) -> Answer:
    """How far it is, as a piece of the page; 304 when nothing has changed since the ETag."""
    submission, run = _find(id)
    found = reports.progress(reading(), run)
    tag = f"{found.tag()}-{language()}"
    answer = Response(status=304)
    if not request.if_none_match.contains_weak(tag):
        answer = Response(render_template("_progress.html", progress=found, submission=submission))
    answer.headers["X-Over"] = "yes" if found.over else "no"
    answer.headers["X-Again"] = f"{found.again * 1000:.0f}"  # ms
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.set_etag(tag)
    return answer


@bp.get("/s/<int:id>/pictures/<test>.png")
@login_required
def picture(id: int, test: str) -> Response:
    """What came, what was expected, how far they are apart."""
    _submission, run = _find(id)
    png = reports.picture(reading(), run, test)
    if png is None:
        raise Refused("not-found")
    return Response(png, mimetype="image/png")


@bp.get("/s/<int:id>/code")
@login_required
def code(id: int) -> str:
    """The files as they were handed in."""
    submission, _run = _find(id)
    return render_template(
        "code.html", submission=submission, course=submission.task.course, task=submission.task,
        listings=listings(submission.files),
    )  # fmt: skip


@bp.post("/s/<int:id>/cancel")
@login_required
def cancel(id: int) -> Answer:
    """Take it back before it is run."""
    with writing() as (session, user):
        submitting.cancel(session, user, submission_for(session, user, id))
    return redirect(url_for(".show", id=id))
