"""The catalogue, read once in a process: pages ask for it again and again. New assignments want a restart."""

from __future__ import annotations

from functools import lru_cache

from grader import catalogue
from grader.fields import CatalogueError
from grader.models import Assignment
from grader.services.refusals import Refused


@lru_cache(maxsize=1)
def assignments() -> dict[str, Assignment]:
    """Every assignment by its slug, in the order of the course."""
    return {assignment.slug: assignment for assignment in catalogue.load_all()}


def assignment(slug: str) -> Assignment:
    """One assignment, or `Refused` where the catalogue has it no longer."""
    try:
        return assignments()[slug]
    except (KeyError, CatalogueError):
        raise Refused("no-such-assignment", slug=slug) from None


def points(slug: str) -> float:
    """What an assignment is worth; 0 where the catalogue has it no longer."""
    found = assignments().get(slug)
    return sum(test.points for test in found.tests) if found else 0.0


def title(slug: str, lang: str) -> str:
    """An assignment's title; its slug where the catalogue has it no longer."""
    found = assignments().get(slug)
    return found.title[lang] if found else slug
