"""What may stand in an address."""

from __future__ import annotations

from typing import Any

from flask import request
from werkzeug.routing import IntegerConverter, Map

_MOST = 2**31 - 1  # that a column of ids holds


class Id(IntegerConverter):
    """`<int:…>`: an id that the database can have. Greater ones are not found, instead of an error there."""

    def __init__(self, map: Map, *args: Any, **named: Any) -> None:
        super().__init__(map, *args, **{"max": _MOST, **named})


def asked_id(name: str) -> int | None:
    """The id that a question of the address names; None when there is none, or none that the database can have."""
    found = request.args.get(name, type=int)
    return found if found is not None and 0 <= found <= _MOST else None
