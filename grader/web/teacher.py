"""A teacher's pages: the class, what it has not understood, dates and rules, scores out."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import login_required
from werkzeug.wrappers import Response as Answer
from wtforms.fields.choices import SelectChoice

from grader.services import audit, courses, regrading, sheets, standing, submitting
from grader.services import extensions as extending
from grader.services.access import course_for, member_for, task_for
from grader.services.insight import failures
from grader.services.matrix import matrix as class_matrix
from grader.services.refusals import Refused
from grader.web.forms import EditCourse, EditTask, Extend, Plain, flash_refusal
from grader.web.identity import me
from grader.web.languages import language
from grader.web.times import field_time, read_time
from grader.web.transactions import reading, writing

bp = Blueprint("teacher", __name__)


@bp.get("/c/<course>/class")
@login_required
def matrix(course: str) -> str:
    """Students × assignments."""
    session, user = reading(), me()
    found = course_for(session, user, course, "see-class")
    return render_template(
        "matrix.html", course=found, table=class_matrix(session, found, courses.tasks(session, found))
    )


@bp.get("/c/<course>/class/<int:student>")
@login_required
def student(course: str, student: int) -> str:
    """Everything that one student handed in."""
    session, user = reading(), me()
    found = course_for(session, user, course, "see-class")
    place = member_for(session, user, found, student, "see-class")
    rows = standing.row_of(session, student, courses.tasks(session, found))
    return render_template("student.html", course=found, place=place, rows=rows)


@bp.get("/c/<course>/scores.csv")
@login_required
def export(course: str) -> Response:
    """The scores as CSV; `?style=` is plain, canvas or moodle."""
    style = request.args.get("style", "plain")
    with writing() as (session, user):  # it is noted who took them
        found = course_for(session, user, course, "export")
        content = sheets.scores(session, user, found, style, language())
    name = f"{course}-{style}.csv"
    return Response(
        content, mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@bp.route("/c/<course>/edit", methods=["GET", "POST"])
@login_required
def edit(course: str) -> Answer | str:
    """What the course is called, where it is, its join code."""
    found = course_for(reading(), me(), course, "edit-course")
    form = EditCourse(obj=found)
    if form.validate_on_submit():
        try:
            with writing() as (session, user):
                mine = course_for(session, user, course, "edit-course")
                courses.edit(session, user, mine, form.title.data, form.zone.data, form.join_open.data)
            flash(_("Saved."), "success")
            return redirect(url_for(".edit", course=course))
        except Refused as refused:
            flash_refusal(refused)
    return render_template("edit_course.html", course=found, form=form, button=Plain())


@bp.post("/c/<course>/join-code")
@login_required
def renew_join_code(course: str) -> Answer:
    """Another join code."""
    with writing() as (session, user):
        courses.renew_join_code(session, user, course_for(session, user, course, "edit-course"))
    return redirect(url_for(".edit", course=course))


@bp.post("/c/<course>/tasks")
@login_required
def add_tasks(course: str) -> Answer:
    """Take up what is new in the catalogue."""
    with writing() as (session, user):
        count = courses.add_missing_tasks(session, user, course_for(session, user, course, "edit-course"))
    flash(_("New assignments: %(count)s", count=count), "success")
    return redirect(url_for(".edit", course=course))


@bp.get("/c/<course>/audit")
@login_required
def log(course: str) -> str:
    """Who did what."""
    session, user = reading(), me()
    found = course_for(session, user, course, "see-audit")
    return render_template("audit.html", course=found, entries=audit.entries(session, user, found))


@bp.get("/c/<course>/a/<slug>/class")
@login_required
def insight(course: str, slug: str) -> str:
    """What the class has not understood, and what the grader could not do."""
    session, user = reading(), me()
    task = task_for(session, user, course, slug, "see-class")
    assignment = submitting.assignment_of(task)
    return render_template(
        "insight.html", course=task.course, task=task, assignment=assignment, button=Plain(),
        found=failures(session, user, task), dead=regrading.dead_jobs(session, user, task),
        mistakes={mistake.code: mistake for mistake in assignment.mistakes},
    )  # fmt: skip


@bp.route("/c/<course>/a/<slug>/edit", methods=["GET", "POST"])
@login_required
def edit_task(course: str, slug: str) -> Answer | str:
    """Dates and rules."""
    task = task_for(reading(), me(), course, slug, "edit-course")
    zone = task.course.zone
    form = EditTask(obj=task)
    if form.validate_on_submit():
        try:
            with writing() as (session, user):
                mine = task_for(session, user, course, slug, "edit-course")
                courses.edit_task(
                    session, user, mine, opens_at=read_time(request.form.get("opens_at"), zone),
                    due_at=read_time(request.form.get("due_at"), zone), attempts=form.attempts.data,
                    late_percent=form.late_percent.data, late_days=form.late_days.data, counts=form.counts.data,
                )  # fmt: skip
            flash(_("Saved."), "success")
            return redirect(url_for("student.assignment", course=course, slug=slug))
        except Refused as refused:
            flash_refusal(refused)
    written = {name: field_time(getattr(task, name), zone) for name in ("opens_at", "due_at")}
    if request.method == "GET":
        form.opens_at.raw_data, form.due_at.raw_data = [written["opens_at"]], [written["due_at"]]
    return render_template("edit_task.html", course=task.course, task=task, form=form)


@bp.route("/c/<course>/a/<slug>/extensions", methods=["GET", "POST"])
@login_required
def extensions(course: str, slug: str) -> Answer | str:
    """More time or more attempts for one student."""
    session, user = reading(), me()
    task = task_for(session, user, course, slug, "extend")
    form = Extend()
    students = standing.students_of(session, task.course)
    form.student.choices = [
        SelectChoice(one.user_id, f"{one.user.name} ({one.user.login})") for one in students
    ]
    if form.validate_on_submit():
        try:
            with writing() as (db, actor):
                mine = task_for(db, actor, course, slug, "extend")
                place = member_for(db, actor, mine.course, form.student.data, "extend")
                due = read_time(request.form.get("due_at"), task.course.zone)
                reason = form.reason.data or ""
                given = extending.extend(db, actor, mine, place.user, due, form.attempts.data, reason)
            flash(_("Saved.") if given else _("The extension is taken back."), "success")
            return redirect(url_for(".extensions", course=course, slug=slug))
        except Refused as refused:
            flash_refusal(refused)
    return render_template(
        "extensions.html", course=task.course, task=task, form=form,
        given=extending.extensions(session, user, task),
    )  # fmt: skip


@bp.post("/c/<course>/a/<slug>/jobs/<int:job>/retry")
@login_required
def retry_job(course: str, slug: str, job: int) -> Answer:
    """Queue a job again that was given up."""
    with writing() as (session, user):
        regrading.retry(session, user, task_for(session, user, course, slug, "retry-jobs"), job)
    return redirect(url_for(".insight", course=course, slug=slug))
