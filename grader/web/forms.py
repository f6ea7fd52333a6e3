"""Forms: their fields and labels. What is right is decided by the services."""

from __future__ import annotations

from flask import flash
from flask_babel import lazy_gettext as _l
from flask_wtf import FlaskForm
from flask_wtf.file import FileField, FileRequired
from wtforms import (
    BooleanField,
    DateTimeLocalField,
    FloatField,
    IntegerField,
    PasswordField,
    SelectField,
    SelectMultipleField,
    StringField,
    SubmitField,
)
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Optional

from grader.services.accounts import SCOPES
from grader.services.refusals import Refused
from grader.services.secrets import LEAST_PASSWORD
from grader.web.languages import in_words

_LOGIN = _l("You choose it, from letters and digits; case does not matter.")
_HINT = _l("At least %(least)s characters.", least=LEAST_PASSWORD)


def flash_refusal(refused: Refused) -> None:
    """Show why something was refused, above the form that it was written into."""
    flash(in_words(refused), "danger")


class Login(FlaskForm):
    """Who one is."""

    login = StringField(
        _l("Login name"), [InputRequired()], render_kw={"autocomplete": "username", "autofocus": True}
    )
    password = PasswordField(
        _l("Password"), [InputRequired()], render_kw={"autocomplete": "current-password"}
    )
    submit = SubmitField(_l("Log in"))


class Register(FlaskForm):
    """A new account in a course."""

    code = StringField(_l("Join code"), [InputRequired()], render_kw={"autocomplete": "off"})
    login = StringField(
        _l("Login name"), [InputRequired()], description=_LOGIN, render_kw={"autocomplete": "username"}
    )
    name = StringField(_l("Name"), [InputRequired()], render_kw={"autocomplete": "name"})
    number = StringField(_l("Student number (optional)"), [Optional()])
    password = PasswordField(
        _l("Password"), [InputRequired()], description=_HINT, render_kw={"autocomplete": "new-password"}
    )
    submit = SubmitField(_l("Register"))


class Join(FlaskForm):
    """One more course."""

    code = StringField(_l("Join code"), [InputRequired()], render_kw={"autocomplete": "off"})
    number = StringField(_l("Student number (optional)"), [Optional()])
    submit = SubmitField(_l("Join"))


class Link(FlaskForm):
    """What a one-time link asks for; login and name from the first administrator only."""

    login = StringField(_l("Login name"), [InputRequired()], render_kw={"autocomplete": "username"})
    name = StringField(_l("Name"), [InputRequired()], render_kw={"autocomplete": "name"})
    password = PasswordField(
        _l("New password"), [InputRequired()], description=_HINT, render_kw={"autocomplete": "new-password"}
    )
    submit = SubmitField(_l("Save and go on"))


class Password(FlaskForm):
    """Another password."""

    old = PasswordField(_l("Old password"), [InputRequired()], render_kw={"autocomplete": "current-password"})
    new = PasswordField(
        _l("New password"), [InputRequired()], description=_HINT, render_kw={"autocomplete": "new-password"}
    )
    submit = SubmitField(_l("Change password"))


class Name(FlaskForm):
    """What one is called."""

    name = StringField(_l("Name"), [InputRequired()], render_kw={"autocomplete": "name"})
    submit = SubmitField(_l("Save"))


class Token(FlaskForm):
    """A key for a program."""

    name = StringField(_l("What it is for"), [InputRequired()])
    scopes = SelectMultipleField(
        _l("May"),
        [InputRequired()],
        choices=[SelectChoice(scope) for scope in SCOPES],
        default=["read", "submit"],
        description=_l(
            "read: see what is yours. submit: hand in for you. teach: see what others handed in, where you may."
        ),
    )
    days = IntegerField(_l("Days until it ends (empty: never)"), [Optional()])
    submit = SubmitField(_l("Make a token"))


class NewCourse(FlaskForm):
    """A course."""

    slug = StringField(_l("Short name, for addresses"), [InputRequired()])
    title = StringField(_l("Title"), [InputRequired()])
    zone = StringField(_l("Time zone"), [InputRequired()])
    submit = SubmitField(_l("Make the course"))


class EditCourse(FlaskForm):
    """What a course is called, and whether one may join."""

    title = StringField(_l("Title"), [InputRequired()])
    zone = StringField(_l("Time zone"), [InputRequired()])
    join_open = BooleanField(_l("Students may join with the code"))
    submit = SubmitField(_l("Save"))


_MINUTES = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]


class EditTask(FlaskForm):
    """Dates and rules of a task; times are the course's."""

    opens_at = DateTimeLocalField(_l("Opens"), [Optional()], format=_MINUTES)
    due_at = DateTimeLocalField(_l("Due"), [Optional()], format=_MINUTES)
    attempts = IntegerField(_l("Attempts (0: no limit)"), [InputRequired()])
    late_percent = FloatField(_l("Percent off for every day late"), [InputRequired()])
    late_days = IntegerField(_l("Days late that are still taken"), [InputRequired()])
    counts = SelectField(
        _l("What counts"),
        choices=[
            SelectChoice("best", _l("the best attempt")),
            SelectChoice("latest", _l("the latest attempt")),
        ],
    )
    submit = SubmitField(_l("Save"))


class Extend(FlaskForm):
    """More for one student."""

    student = SelectField(_l("Student"), coerce=int)
    due_at = DateTimeLocalField(_l("Due"), [Optional()], format=_MINUTES)
    attempts = IntegerField(_l("More attempts"), [InputRequired()], default=0)
    reason = StringField(_l("Reason"), [Optional()])
    submit = SubmitField(_l("Give the extension"))


class Import(FlaskForm):
    """A list of students."""

    file = FileField(_l("CSV with the columns login, name, number"), [FileRequired()])
    submit = SubmitField(_l("Import"))


class Pseudonym(FlaskForm):
    """What one is called on the leaderboard."""

    pseudonym = StringField(_l("Pseudonym (empty: your real name)"), [Optional()])
    submit = SubmitField(_l("Save"))


class Plain(FlaskForm):
    """A button; what is in it is the proof that it was pressed here."""
