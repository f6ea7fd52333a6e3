"""Coming in and going out."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from flask_limiter.util import get_remote_address
from flask_login import current_user, login_required
from werkzeug.wrappers import Response as Answer

from grader.services import accounts, courses
from grader.services.refusals import Refused
from grader.web.forms import Join, Link, Login, Register, flash_refusal
from grader.web.guard import guesses, limiter, login_rate, per_login, registration_rate, safe_next
from grader.web.identity import enter, leave
from grader.web.languages import COOKIE, NAMES
from grader.web.looks import THEME_COOKIE, THEMES
from grader.web.transactions import database, reading, writing

bp = Blueprint("auth", __name__)
_YEAR = 365 * 24 * 3600


@bp.route("/login", methods=["GET", "POST"])
@limiter.limit(login_rate, key_func=per_login, methods=["POST"])
@limiter.limit(registration_rate, key_func=get_remote_address, methods=["POST"], deduct_when=guesses)
def login() -> Answer | str:
    """Come in with a login and a password."""
    form = Login()
    if form.validate_on_submit():
        try:
            enter(accounts.check_login(reading(), form.login.data, form.password.data))
            return redirect(safe_next(request.args.get("next"), url_for("student.home")))
        except Refused as refused:
            flash_refusal(refused)
    return render_template("login.html", form=form)


@bp.post("/logout")
@login_required
def logout() -> Answer:
    """Go out, in this browser."""
    leave()
    return redirect(url_for(".login"))


@bp.route("/register", methods=["GET", "POST"])
@limiter.limit(registration_rate, methods=["POST"])
def register() -> Answer | str:
    """Make an account and come into a course, by its join code."""
    if current_user.is_authenticated:
        return redirect(url_for(".join"))
    form = Register(code=request.args.get("code", ""))
    if form.validate_on_submit():
        try:
            with database().writing() as db:
                courses.by_join_code(db, form.code.data)
                user = accounts.create(db, form.login.data, form.name.data, form.password.data)
                place = courses.join(db, user, form.code.data, form.number.data or "")
                slug = place.course.slug
            enter(user)
            return redirect(url_for("student.course", course=slug))
        except Refused as refused:
            flash_refusal(refused)
    return render_template(
        "form.html", form=form, title=_("Register"), lead=_("Your teacher gives you the join code.")
    )


@bp.route("/join", methods=["GET", "POST"])
@login_required
@limiter.limit(registration_rate, methods=["POST"])
def join() -> Answer | str:
    """Come into one more course."""
    form = Join()
    if form.validate_on_submit():
        try:
            with writing() as (db, me):
                place = courses.join(db, me, form.code.data, form.number.data or "")
                slug = place.course.slug
            return redirect(url_for("student.course", course=slug))
        except Refused as refused:
            flash_refusal(refused)
    return render_template("form.html", form=form, title=_("Join a course"), lead="")


@bp.get("/link/<token>")
def open_link(token: str) -> Answer:
    """Take a one-time link: its token goes into the cookie and out of the address at once."""
    accounts.open_link(reading(), token)
    leave()
    session["link"] = token
    return redirect(url_for(".use_link"))


@bp.route("/link", methods=["GET", "POST"])
def use_link() -> Answer | str:
    """Choose the password that a one-time link is for, and come in."""
    token = session.get("link", "")
    link = accounts.open_link(reading(), token)
    form = Link()
    if link.user is not None:
        del form.login, form.name
    if form.validate_on_submit():
        try:
            with database().writing() as db:
                who = ("", "") if link.user else (form.login.data, form.name.data)
                user = accounts.use_link(db, token, form.password.data, *who)
            enter(user)
            return redirect(url_for("student.home"))
        except Refused as refused:
            flash_refusal(refused)
    lead = _("You are %(name)s.", name=link.user.name) if link.user else _("You will be the administrator.")
    return render_template("form.html", form=form, title=_("Choose a password"), lead=lead)


@bp.post("/preferences")
def preferences() -> Response:
    """Choose language and theme, in this browser and, for someone with an account, for good."""
    answer = make_response(redirect(safe_next(request.form.get("next"), url_for("student.home"))))
    lang, theme = request.form.get("lang"), request.form.get("theme")
    if lang in NAMES:
        _remember(answer, COOKIE, lang)
        if current_user.is_authenticated:
            with writing() as (_session, me):
                me.language = lang
    if theme in THEMES:
        _remember(answer, THEME_COOKIE, theme)
    return answer


def _remember(answer: Response, name: str, value: str) -> None:
    answer.set_cookie(name, value, max_age=_YEAR, samesite="Lax", httponly=True, secure=request.is_secure)
