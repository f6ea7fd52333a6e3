"""The people of a course: roles, lists of students, links for those who forgot their password."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import login_required
from werkzeug.wrappers import Response

from grader.db.tables import Role
from grader.services import accounts, courses, imports
from grader.services.access import course_for, may, member_for
from grader.services.refusals import Refused
from grader.web.forms import Import, Plain
from grader.web.identity import me
from grader.web.languages import in_words
from grader.web.transactions import reading, settings, writing

bp = Blueprint("people", __name__, url_prefix="/c/<course>/people")


def _page(course: str, **more: object) -> str:
    session, user = reading(), me()
    found = course_for(session, user, course, "see-class")
    members = courses.members(session, user, found)
    shown = {"form": Import(), "imported": None, "link": None, **more}
    return render_template(
        "people.html",
        course=found,
        members=members,
        roles=list(Role),
        button=Plain(),
        in_words=in_words,
        **shown,
    )


@bp.get("/")
@login_required
def show(course: str) -> str:
    """Who is in the course."""
    return _page(course)


@bp.post("/import")
@login_required
def import_csv(course: str) -> Response | str:
    """Enrol a list of students; what the new ones need to come in is shown this once."""
    course_for(reading(), me(), course, "manage-people")
    form = Import()
    if not form.validate_on_submit():
        return _page(course, form=form)
    with writing() as (session, user):
        found = course_for(session, user, course, "manage-people")
        content = form.file.data.read()
        imported = imports.import_students(session, user, found, content, settings().link_hours)
    return _page(course, imported=imported)


@bp.post("/<int:person>/role")
@login_required
def set_role(course: str, person: int) -> Response:
    """Make someone a student, an assistant, a teacher, or let him in no longer."""
    wanted = request.form.get("role", "")
    with writing() as (session, user):
        place = member_for(session, user, course_for(session, user, course), person, "manage-people")
        if wanted not in [role.value for role in Role] + ["out"]:
            raise Refused("bad-choice", got=wanted[:20], known="student, assistant, teacher, out")
        role = place.role if wanted == "out" else Role(wanted)
        courses.set_role(session, user, place, role, active=wanted != "out")
        left, seen = place.user_id == user.id, may(session, user, "see-class", place.course)
    flash(_("Saved."), "success")
    if left and not seen:  # it was himself: there is nothing here for him any more
        return redirect(url_for("student.home"))
    return redirect(url_for(".show", course=course))


@bp.post("/<int:person>/link")
@login_required
def reset_link(course: str, person: int) -> str:
    """A link for someone who forgot his password, shown this once."""
    with writing() as (session, user):
        found = course_for(session, user, course, "manage-people")
        place = member_for(session, user, found, person, "manage-people")
        token = accounts.reset_link(session, user, place.user, settings().link_hours, found)
    return _page(course, link=(place.user, token))
