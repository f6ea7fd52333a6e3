"""An administrator's pages: courses, accounts, the state of the service."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask_login import login_required
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from grader.db.tables import Role, User
from grader.services import accounts, courses, health
from grader.services.access import require_admin
from grader.services.refusals import Refused, existing
from grader.web.forms import NewCourse, Plain, flash_refusal
from grader.web.identity import me
from grader.web.transactions import database, engine, reading, settings, writing

bp = Blueprint("admin", __name__, url_prefix="/admin")


@bp.get("/")
@login_required
def show() -> str:
    """How the service is."""
    require_admin(me())
    found = health.look(database(), engine(), settings())
    return render_template("admin.html", health=found, courses=courses.all_courses(reading()))


@bp.route("/courses/new", methods=["GET", "POST"])
@login_required
def new_course() -> Response | str:
    """Make a course; who makes it is its teacher."""
    require_admin(me())
    form = NewCourse(zone=settings().zone)
    if form.validate_on_submit():
        try:
            with writing() as (session, user):
                course = courses.create(session, user, form.slug.data, form.title.data, form.zone.data)
                courses.enrol(session, user, course, Role.TEACHER)
                slug = course.slug
            return redirect(url_for("teacher.edit", course=slug))
        except Refused as refused:
            flash_refusal(refused)
    return render_template("new_course.html", form=form)


def _users(**more: object) -> str:
    wanted = request.args.get("q", "")
    shown = {"link": None, **more}
    found = accounts.search(reading(), wanted)
    return render_template("users.html", users=found, wanted=wanted, button=Plain(), **shown)


@bp.get("/users")
@login_required
def users() -> str:
    """Accounts, by a part of login or name."""
    require_admin(me())
    return _users()


def _user(session: Session, id: int) -> User:
    return existing(session.get(User, id))


@bp.post("/users/<int:person>/link")
@login_required
def user_link(person: int) -> str:
    """A link for someone who forgot the password, shown this once."""
    require_admin(me())
    with writing() as (session, actor):
        user = _user(session, person)
        token = accounts.reset_link(session, actor, user, settings().link_hours)
    return _users(link=(user, token))


@bp.post("/users/<int:person>/active")
@login_required
def set_active(person: int) -> Response:
    """Close an account, or open it again."""
    require_admin(me())
    with writing() as (session, actor):
        accounts.set_active(session, actor, _user(session, person), request.form.get("active") == "yes")
    return redirect(url_for(".users"))


@bp.post("/users/<int:person>/admin")
@login_required
def set_admin(person: int) -> Response:
    """Make someone an administrator, or no longer."""
    require_admin(me())
    with writing() as (session, actor):
        accounts.set_admin(session, actor, _user(session, person), request.form.get("admin") == "yes")
    return redirect(url_for(".users"))
