"""What answers look like: the schemas of the OpenAPI document."""

from __future__ import annotations

import marshmallow as ma
from flask_smorest.fields import Upload as File
from marshmallow import fields
from marshmallow.validate import Length, OneOf

from grader.db.tables import Kind, Role, RunState
from grader.fields import LANGUAGES
from grader.services.accounts import SCOPES
from grader.services.courses import COUNTS


def _instant(about: str) -> fields.DateTime:
    return fields.AwareDateTime(required=True, allow_none=True, metadata={"description": about})


def _number(about: str) -> fields.Float:
    return fields.Float(required=True, allow_none=True, metadata={"description": about})


def _count(about: str) -> fields.Integer:
    return fields.Integer(required=True, allow_none=True, metadata={"description": about})


def _word(*known: str) -> fields.String:
    return fields.String(required=True, validate=OneOf(known))


class Account(ma.Schema):
    """Whose token this is."""

    login = fields.String(required=True)
    name = fields.String(required=True)
    scopes = fields.List(_word(*SCOPES), required=True)


class Course(ma.Schema):
    """A course."""

    slug = fields.String(required=True)
    title = fields.String(required=True)
    zone = fields.String(required=True, metadata={"description": "Of its deadlines, like Asia/Shanghai"})
    role = _word(*(role.value for role in Role))


class Assignment(ma.Schema):
    """An assignment of a course, with the rules that hold for who asks."""

    slug = fields.String(required=True)
    title = fields.String(required=True)
    tracks = fields.List(fields.String(), required=True)
    opens_at = _instant("Nothing is taken before")
    due_at = _instant("After this it is late")
    closes_at = _instant("Nothing is taken after")
    late_percent = fields.Float(
        required=True, metadata={"description": "Off for every day late that has begun"}
    )
    attempts = _count("How many there are; null: no end of them")
    attempts_left = _count("How many are left; null: no end of them")
    counts = _word(*COUNTS)
    score = _number("What counts, lateness taken off; null: nothing graded yet")
    max_score = fields.Float(required=True)


class Progress(ma.Schema):
    """Where a run is."""

    place = _count("In the queue, from 1; null: not in it")
    stage = fields.String(required=True, metadata={"description": "compiling or testing, while it runs"})
    step = fields.Integer(required=True, metadata={"description": "Tests that are over"})
    steps = fields.Integer(required=True, metadata={"description": "Tests that there are"})


class Submission(ma.Schema):
    """Something handed in. Nothing but state, score and progress of it ever changes."""

    id = fields.Integer(required=True)
    course = fields.String(required=True)
    assignment = fields.String(required=True)
    student = fields.String(required=True, metadata={"description": "The login"})
    kind = _word(*(kind.value for kind in Kind))
    attempt = fields.Integer(
        required=True, metadata={"description": "Its number, from 1, among those of its kind"}
    )
    track = fields.String(required=True)
    submitted_at = fields.AwareDateTime(required=True, metadata={"description": "When its upload began"})
    late_days = fields.Integer(required=True)
    state = _word(*(state.value for state in RunState))
    score = _number("Lateness taken off; null: not graded")
    raw_score = _number("As graded")
    max_score = _number("Of the tests that were run")
    progress = fields.Nested(Progress, required=True)
    url = fields.Url(required=True, relative=True, metadata={"description": "Its page"})


class Score(ma.Schema):
    """What counts in one assignment."""

    assignment = fields.String(required=True)
    score = _number("Lateness taken off; null: nothing graded yet")
    max_score = fields.Float(required=True)
    submission = _count("The one that counts")
    attempts_used = fields.Integer(required=True)


class Student(ma.Schema):
    """A student's scores."""

    login = fields.String(required=True)
    name = fields.String(required=True)
    number = fields.String(required=True)
    total = fields.Float(required=True)
    scores = fields.List(fields.Nested(Score), required=True)


class Report(ma.Schema):
    """The whole record of a run: what `grader grade --format json` prints."""

    class Meta:
        """What a later version adds is passed on."""

        unknown = ma.INCLUDE

    assignment = fields.String(required=True)
    track = fields.String(required=True)
    score = fields.Float(required=True)
    max_score = fields.Float(required=True)
    tests = fields.List(fields.Dict(), required=True)


# ---- Questions ----


class Language(ma.Schema):
    """In which language."""

    lang = fields.String(load_default="en", validate=OneOf(LANGUAGES))


class HandIn(ma.Schema):
    """How something is handed in: in the query or in the form."""

    kind = fields.String(
        validate=OneOf([kind.value for kind in Kind]),
        metadata={
            "description": "A draft runs public tests only and uses no attempt",
            "default": Kind.FINAL.value,
        },
    )
    track = fields.String(metadata={"description": "Told from the files' names by default"})


class Files(HandIn):
    """One file, a zip, or a submission with its helpers."""

    class Meta:
        """What is misspelt is refused."""

        unknown = ma.RAISE

    files = fields.List(File(), required=True, validate=Length(1, 100))


class OfKind(ma.Schema):
    """Which ones."""

    kind = fields.String(validate=OneOf([kind.value for kind in Kind]))
