"""What a browser or a program sent along."""

from __future__ import annotations

from collections.abc import Iterable

from werkzeug.datastructures import FileStorage


def contents(files: Iterable[FileStorage]) -> list[tuple[str, bytes]]:
    """Names and bytes. Large ones are on disk until then, and gone from there afterwards."""
    found = []
    for file in files:
        found.append((file.filename or "", file.read()))
        file.close()
    return found
