"""Errors for programs: problem details as in RFC 9457."""

from __future__ import annotations

import http
import json
from collections.abc import Mapping

import marshmallow as ma
from flask import Response, g, request

PREFIX = "/api/v1"
TYPE = "application/problem+json"


class Problem(ma.Schema):
    """What is wrong, and what can be done."""

    title = ma.fields.String(required=True, metadata={"description": "The status in words"})
    status = ma.fields.Integer(required=True)
    code = ma.fields.String(required=True, metadata={"description": "For programs; does not change"})
    detail = ma.fields.String(required=True, metadata={"description": "For people, in their language"})
    request = ma.fields.String(required=True, metadata={"description": "Its id in the server's log"})
    errors = ma.fields.Dict(metadata={"description": "What is wrong with which argument"})


def wanted() -> bool:
    """Whether a program asks."""
    return request.path.startswith("/api/")


def problem(status: int, detail: str, code: str | None, errors: Mapping[str, object] | None) -> Response:
    """The answer to something that is not possible."""
    title = http.HTTPStatus(status).phrase
    told = {
        "title": title, "status": status, "code": code or title.lower().replace(" ", "-"), "detail": detail,
        "request": g.request_id,
    }  # fmt: skip
    if errors:
        told["errors"] = errors
    answer = Response(json.dumps(told, ensure_ascii=False), status, mimetype=TYPE)
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
