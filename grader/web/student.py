"""A student's pages: courses, assignments, handing in, the leaderboard."""

from __future__ import annotations

from flask import Blueprint, Response, flash, g, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import login_required
from werkzeug.wrappers import Response as Answer

from grader.db.tables import Kind
from grader.services import courses, shelf, standing, submitting
from grader.services.access import course_for, role_in, task_for
from grader.services.leaderboard import has_speed, ranked
from grader.services.refusals import Refused
from grader.unusable import UnusableSubmission
from grader.web.forms import Plain, Pseudonym, flash_refusal
from grader.web.guard import limiter, per_person, submission_rate
from grader.web.identity import me
from grader.web.languages import language, message_in_words
from grader.web.looks import chart
from grader.web.statements import statement
from grader.web.transactions import reading, settings, writing
from grader.web.uploads import began, contents

bp = Blueprint("student", __name__)


@bp.get("/")
@login_required
def home() -> str:
    """One's courses."""
    session, user = reading(), me()
    everything = courses.all_courses(session) if user.admin else []
    return render_template("home.html", places=courses.places_of(session, user), everything=everything)


@bp.get("/c/<course>/")
@login_required
def course(course: str) -> str:
    """The assignments of a course, and where one stands in each."""
    session, user = reading(), me()
    found = course_for(session, user, course)
    rows = standing.row_of(session, user.id, courses.tasks(session, found))
    place = courses.place_of(session, user, found)
    pseudonym = Pseudonym(pseudonym=place.pseudonym if place else "")
    return render_template(
        "course.html", course=found, rows=rows, role=role_in(session, user, found), pseudonym=pseudonym, place=place,
        total=sum(cell.score or 0 for _task, cell in rows), now=g.arrived,
    )  # fmt: skip


@bp.post("/c/<course>/pseudonym")
@login_required
def choose_pseudonym(course: str) -> Answer:
    """Choose what one is called on the leaderboard."""
    with writing() as (session, user):
        courses.set_pseudonym(
            session, user, course_for(session, user, course), request.form.get("pseudonym", "")
        )
    flash(_("Saved."), "success")
    return redirect(url_for(".course", course=course))


@bp.get("/c/<course>/a/<slug>/")
@login_required
def assignment(course: str, slug: str) -> str:
    """What to do, a way to hand it in, and what was handed in."""
    return _assignment(course, slug)


def _assignment(course: str, slug: str, pasted: str = "") -> str:
    session, user = reading(), me()
    task = task_for(session, user, course, slug)
    found = submitting.assignment_of(task)
    own = standing.standing(session, user, task)
    return render_template(
        "assignment.html", course=task.course, task=task, assignment=found, statement=statement(found, language()),
        own=own, drafts=submitting.drafts(session, user, task), chart=chart(own.attempts), now=g.arrived,
        button=Plain(), pasted=pasted, opened=own.terms.is_open(g.arrived), most=settings().upload_bytes,
    )  # fmt: skip


@bp.post("/c/<course>/a/<slug>/submissions")
@login_required
@limiter.limit(submission_rate, key_func=per_person)
def submit(course: str, slug: str) -> Answer | tuple[str, int]:
    """Take a submission and answer at once; a worker grades it."""
    kind = Kind.DRAFT if request.form.get("kind") == "draft" else Kind.FINAL
    pasted = request.form.get("pasted", "")
    track = request.form.get("track") or None
    try:
        # Before anything is locked.
        upload = submitting.read_upload(contents(request.files.getlist("files")), pasted, _name(slug, track))
        with writing() as (session, user):
            task = task_for(session, user, course, slug, "submit")
            found = submitting.submit(
                session, user, task, upload, began(), settings(), kind=kind, track=track
            )
    except Refused as refused:  # the page is refused again to whoever has no business here
        flash_refusal(refused)
        return _assignment(course, slug, pasted), refused.status
    except UnusableSubmission as error:
        flash(message_in_words(error.message), "danger")
        return _assignment(course, slug, pasted), 400
    return redirect(url_for("submissions.show", id=found.id))


def _name(slug: str, track: str | None) -> str:
    """What pasted text is called."""
    tracks = shelf.assignment(slug).tracks
    return (tracks.get(track or "") or next(iter(tracks.values()))).file


@bp.get("/c/<course>/a/<slug>/starter/<track>")
@login_required
def starter(course: str, slug: str, track: str) -> Response:
    """The file to begin with."""
    found = submitting.assignment_of(task_for(reading(), me(), course, slug))
    if track not in found.tracks:
        raise Refused("not-found")
    chosen = found.tracks[track]
    return Response(
        (found.folder / chosen.starter).read_bytes(),
        mimetype="text/plain",
        headers={"Content-Disposition": f'attachment; filename="{chosen.file}"'},
    )


@bp.get("/c/<course>/a/<slug>/leaderboard")
@login_required
def leaderboard(course: str, slug: str) -> str:
    """Who is fastest, or best."""
    session, user = reading(), me()
    task = task_for(session, user, course, slug)
    lines = ranked(session, user, task)
    return render_template(
        "leaderboard.html", course=task.course, task=task, lines=lines, speed=has_speed(lines)
    )
