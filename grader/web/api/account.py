"""Whose token it is."""

from __future__ import annotations

from flask import g

from grader.web.api import shapes
from grader.web.api.tokens import Part, caller, needs

bp = Part("account", "Whose token it is")


@bp.get("/account")
@needs("read")
@bp.response(200, shapes.Account)
def show_account() -> dict[str, object]:
    """Say whose token this is, and what it is good for."""
    return {"login": caller().login, "name": caller().name, "scopes": g.token.scopes}
