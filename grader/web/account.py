"""One's own account."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from flask_login import login_required
from werkzeug.wrappers import Response

from grader.services import accounts
from grader.services.refusals import Refused
from grader.web.forms import Name, Password, Plain, Token, flash_refusal
from grader.web.guard import limiter, login_rate, per_person
from grader.web.identity import enter, me
from grader.web.transactions import reading, writing

bp = Blueprint("account", __name__, url_prefix="/account")


def _page(**more: object) -> str:
    shown = {"name": Name(obj=me()), "password": Password(), "token": Token(), "secret": None, **more}
    return render_template(
        "account.html", tokens=accounts.tokens_of(reading(), me()), button=Plain(), **shown
    )


@bp.get("/")
@login_required
def show() -> str:
    """Name, password, tokens."""
    return _page()


@bp.post("/name")
@login_required
def rename() -> Response | str:
    """Be called something else."""
    form = Name()
    if form.validate_on_submit():
        with writing() as (_session, user):
            user.name = accounts.clean_name(form.name.data)
        flash(_("Saved."), "success")
    return redirect(url_for(".show"))


@bp.post("/password")
@login_required
@limiter.limit(login_rate, key_func=per_person)
def change_password() -> Response | str:
    """Have another password; every other session ends."""
    form = Password()
    if not form.validate_on_submit():
        return _page(password=form)
    try:
        accounts.check_login(reading(), me().login, form.old.data)
        with writing() as (db, user):
            accounts.set_password(db, user, form.new.data)
    except Refused as refused:
        flash_refusal(refused)
        return _page(password=form)
    enter(user)
    flash(_("The password is changed, and every other session has ended."), "success")
    return redirect(url_for(".show"))


@bp.post("/tokens")
@login_required
def make_token() -> Response | str:
    """Make a key for a program, and show it this once."""
    form = Token()
    if not form.validate_on_submit():
        return _page(token=form)
    with writing() as (db, user):
        _token, text = accounts.make_token(db, user, form.name.data, form.scopes.data, form.days.data)
    return _page(secret=text)


@bp.post("/tokens/<int:token>/revoke")
@login_required
def revoke_token(token: int) -> Response:
    """End a key."""
    with writing() as (db, user):
        accounts.revoke_token(db, user, token)
    flash(_("The token is revoked."), "success")
    return redirect(url_for(".show"))
