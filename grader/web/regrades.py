"""Grading again, with a look at the changes before they count."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import login_required
from werkzeug.wrappers import Response

from grader.services import regrading
from grader.services.access import regrade_for, task_for
from grader.web.forms import Plain
from grader.web.identity import me
from grader.web.transactions import reading, writing

bp = Blueprint("regrades", __name__)


@bp.get("/c/<course>/a/<slug>/regrades")
@login_required
def index(course: str, slug: str) -> str:
    """The regrades of a task."""
    session, user = reading(), me()
    task = task_for(session, user, course, slug, "regrade")
    found = regrading.of_task(session, user, task)
    return render_template(
        "regrades.html", course=task.course, task=task, regrades=found, which=regrading.WHICH, button=Plain()
    )


@bp.post("/c/<course>/a/<slug>/regrades")
@login_required
def start(course: str, slug: str) -> Response:
    """Queue one."""
    with writing() as (session, user):
        task = task_for(session, user, course, slug, "regrade")
        regrade = regrading.start(session, user, task, request.form.get("which", ""))
    return redirect(url_for(".show", id=regrade.id))


@bp.get("/regrades/<int:id>")
@login_required
def show(id: int) -> str:
    """What would change."""
    session, user = reading(), me()
    regrade = regrade_for(session, user, id)
    return render_template(
        "regrade.html", course=regrade.task.course, task=regrade.task, regrade=regrade, button=Plain(),
        changes=regrading.changes(session, regrade), waiting=regrading.open_for(session, regrade),
    )  # fmt: skip


@bp.post("/regrades/<int:id>/apply")
@login_required
def apply(id: int) -> Response:
    """Let the new scores count."""
    with writing() as (session, user):
        count = regrading.apply(session, user, regrade_for(session, user, id))
    flash(_("New scores that count now: %(count)s", count=count), "success")
    return redirect(url_for(".show", id=id))


@bp.post("/regrades/<int:id>/discard")
@login_required
def discard(id: int) -> Response:
    """Let the old scores stand."""
    with writing() as (session, user):
        regrading.discard(session, user, regrade_for(session, user, id))
    return redirect(url_for(".show", id=id))
