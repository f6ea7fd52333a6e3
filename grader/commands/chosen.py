"""The assignments that a command is about: of the course's catalogue or of one's own; and how a command gives up."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from grader import catalogue
from grader.fields import CatalogueError
from grader.messages import render
from grader.models import Assignment
from grader.printed import clean

GRADED, UNUSABLE, FAULT = 0, 2, 3  # exit codes
_READABLE = "a folder of assignments that can be read"
LANGUAGE = click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
CATALOGUE = click.option(
    "--catalogue",
    "root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=catalogue.ROOT,
    help="The folder of the assignments, when they are your own.",
)


def assignment(slug: str, root: Path, lang: str) -> Assignment:
    """One by its name; the command ends where there is none."""
    try:
        with usable(root, _READABLE):
            return catalogue.load(slug, root)
    except catalogue.UnknownAssignment as error:
        leave(render(error.message, lang), UNUSABLE)
    except CatalogueError as error:
        leave(str(error), UNUSABLE)


def all_assignments(root: Path) -> tuple[Assignment, ...]:
    """All of a catalogue; the command ends where it is wrong."""
    try:
        with usable(root, _READABLE):
            return catalogue.load_all(root)
    except CatalogueError as error:
        leave(str(error), UNUSABLE)


@contextlib.contextmanager
def usable(path: Path, wanted: str) -> Iterator[None]:
    """End the command clearly where a path that was given to it cannot be used inside."""
    try:
        yield
    except OSError as error:
        name, why = error.filename or path, error.strerror or error
        leave(f"grader: {name} cannot be used ({why}); expected {wanted}. Choose another one.", UNUSABLE)


def leave(words: str, code: int) -> NoReturn:
    """End the command with a line on standard error."""
    click.echo(clean(words), err=True)
    sys.exit(code)
