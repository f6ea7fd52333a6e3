"""What a teacher's program asks."""

from __future__ import annotations

from flask_smorest import Page

from grader.services import courses
from grader.services.access import course_for
from grader.services.matrix import matrix
from grader.web.api import answers, shapes
from grader.web.api.answers import Answer
from grader.web.api.tokens import Part, caller, needs
from grader.web.transactions import reading

bp = Part("classes", "The scores of a class, for its teachers")


@bp.get("/courses/<course>/class")
@needs("teach")
@bp.response(200, shapes.Student(many=True))
@bp.paginate(Page)
def list_class(course: str) -> list[Answer]:
    """List the students of a course with their scores."""
    session = reading()
    found = course_for(session, caller(), course, "see-class")
    table = matrix(session, found, courses.tasks(session, found))
    return [
        {
            "login": student.user.login, "name": student.user.name, "number": student.number,
            "total": table.total(student), "scores": list(map(answers.score, table.tasks, table.row(student))),
        }
        for student in table.students
    ]  # fmt: skip
