"""Courses, their assignments, and one's own scores."""

from __future__ import annotations

from flask_smorest import Page

from grader.services import courses, standing
from grader.services.access import course_for, role_in, task_for
from grader.web.api import answers, shapes
from grader.web.api.answers import Answer
from grader.web.api.tokens import Part, caller, needs
from grader.web.transactions import reading

bp = Part("courses", "Courses, their assignments, and one's own scores")


@bp.get("/courses")
@needs("read")
@bp.response(200, shapes.Course(many=True))
@bp.paginate(Page)
def list_courses() -> list[Answer]:
    """List the courses that one is in, the newest first."""
    return [answers.course(place.course, place.role) for place in courses.places_of(reading(), caller())]


@bp.get("/courses/<course>")
@needs("read")
@bp.response(200, shapes.Course)
def show_course(course: str) -> Answer:
    """Show a course."""
    found = course_for(reading(), caller(), course)
    return answers.course(found, role_in(reading(), caller(), found))


@bp.get("/courses/<course>/assignments")
@needs("read")
@bp.response(200, shapes.Assignment(many=True))
@bp.paginate(Page)
def list_assignments(course: str) -> list[Answer]:
    """List the assignments of a course, in their order."""
    session, user = reading(), caller()
    tasks = courses.tasks(session, course_for(session, user, course))
    return [answers.assignment(*cell) for cell in standing.row_of(session, user.id, tasks)]


@bp.get("/courses/<course>/assignments/<assignment>")
@needs("read")
@bp.response(200, shapes.Assignment)
def show_assignment(course: str, assignment: str) -> Answer:
    """Show an assignment, and where one stands in it."""
    session, user = reading(), caller()
    task = task_for(session, user, course, assignment)
    return answers.assignment(task, standing.standing(session, user, task))


@bp.get("/courses/<course>/scores")
@needs("read")
@bp.response(200, shapes.Score(many=True))
@bp.paginate(Page)
def list_scores(course: str) -> list[Answer]:
    """List one's own scores in a course."""
    session, user = reading(), caller()
    tasks = courses.tasks(session, course_for(session, user, course))
    return [answers.score(*cell) for cell in standing.row_of(session, user.id, tasks)]
