"""Only what a view knows may be said to it: a misspelt `kind=draft` that counted for nothing would cost an attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import marshmallow as ma
from flask import request
from flask_smorest.fields import Upload
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import CombinedMultiDict, MultiDict
from werkzeug.exceptions import UnprocessableEntity


class Parser(FlaskParser):
    """Reads the fields of a form along with its files: they are one body."""

    def load_files(self, req: Any, schema: ma.Schema) -> Any:
        """Files, and what else the form has."""
        return self._makeproxy(CombinedMultiDict([req.files, req.form]), schema)


def require_known(view: Callable[..., Any]) -> None:
    """Raise 422 with the names that are unknown, and those that are known."""
    known: dict[str, list[str]] = {"query": [], "form": [], "files": []}
    for where, name in _named(view):
        known[where].append(name)
    given: dict[str, MultiDict[str, Any]] = {
        "query": request.args,
        "form": request.form,
        "files": request.files,
    }
    wrong = {
        where: {name: [f"Unknown; known are: {', '.join(known[where]) or 'none'}."] for name in strangers}
        for where, names in given.items()
        if (strangers := sorted(set(names) - set(known[where])))
    }
    if wrong:
        error = UnprocessableEntity()
        error.data = {"messages": wrong}  # type: ignore[attr-defined]  # where webargs puts it
        raise error


def _named(view: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Where something may be said, and its name: from what the OpenAPI document is made of as well."""
    documented = getattr(view, "_apidoc", {})
    parameters = list(documented.get("arguments", {}).get("parameters", ()))
    if "pagination" in documented:
        parameters.append(documented["pagination"]["parameters"])
    for parameter in parameters:
        for name, field in parameter["schema"]._declared_fields.items():
            in_form = parameter["in"] == "files" and not _is_file(field)
            yield ("form" if in_form else parameter["in"]), name


def _is_file(field: ma.fields.Field[Any]) -> bool:
    return isinstance(field.inner if isinstance(field, ma.fields.List) else field, Upload)
