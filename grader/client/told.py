"""A submission on its way, and its report, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.messages import render
from grader.models import Message
from grader.printed import clean


def progress(submission: dict[str, Any]) -> str:
    """Where it is, in a few words."""
    at = submission["progress"]
    if submission["state"] == "queued":
        return f"in the queue: place {at['place']}" if at["place"] else "in the queue"
    if submission["state"] != "running":
        return str(submission["state"])
    if at["stage"] == "testing" and at["steps"]:
        return f"test {min(at['step'] + 1, at['steps'])} of {at['steps']}"
    return str(at["stage"] or "starting")


def show(record: dict[str, Any], title: str, lang: str, console: Console) -> None:
    """Print a report: the score, and of every test that failed why, with its hints."""
    tests = record["tests"]
    words = {
        "title": title, "score": record["score"], "most": record["max_score"], "count": len(tests),
        "passed": sum(test["passed"] for test in tests),
    }  # fmt: skip
    console.print(Text(render(Message("headline", words), lang), "bold"), soft_wrap=True)
    for note in _of_all(record):
        console.print(Text(f"! {clean(note)}", "yellow"), soft_wrap=True)
    if record.get("build") and not record["build"]["ok"]:
        return  # every test would say the same
    for test in tests:
        mark, style = ("✓", "green") if test["passed"] else ("✗", "red")
        line = Text.assemble((f"{mark} ", style), (clean(test["title"]), "bold"))
        console.print(line.append(f"  {test['score']:g}/{test['max_score']:g}"), soft_wrap=True)
        for words_of_test in _of_test(test):
            console.print(Text(f"    {clean(words_of_test)}"), soft_wrap=True)


def _of_all(record: dict[str, Any]) -> Iterator[str]:
    yield from (note["text"] for note in record.get("notes", ()))
    build = record.get("build")
    if build and not build["ok"]:
        yield from build["log"].splitlines()[:30]


def _of_test(test: dict[str, Any]) -> Iterator[str]:
    if test["passed"]:
        return
    yield from (finding["text"] for finding in test["findings"])
    if test["named"]:
        yield test["named"]["title"]
        yield from test["named"]["hints"]
    if test["run"] and test["run"]["traceback"]:
        yield from test["run"]["traceback"].rstrip().splitlines()
