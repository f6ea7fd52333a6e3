"""A report that one reads in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from grader.messages import render
from grader.models import Message, Report, TestResult
from grader.report.words import lines, was_run, why_not_run

_INDENT = "    "  # of all that a submission has a part in: only the grader's own lines begin at the margin
_UNBOUNDED = 1 << 20


def show(report: Report, lang: str, console: Console) -> None:
    """Print the whole report: the score first, then every test, then how to run it again."""
    console.print(_headline(report, lang), soft_wrap=True)
    for note in report.notes:
        words = " ".join(render(note, lang).split())
        console.print(Text(f"! {words}", "yellow"), soft_wrap=True)
    for reason in why_not_run(report, lang):
        _indented(reason, "red", console)
    told: set[str] = set()  # a hint is given once, with the first test that it is about
    for result in report.results:
        _test(result, lang, console, told)
    console.print(Text(_footer(report, lang), "dim"), soft_wrap=True)


def _indented(words: str, style: str, console: Console) -> None:
    """Lines with a margin: as long as they are where nobody sees them, else as long as the terminal permits."""
    width = console.width - len(_INDENT) if console.is_terminal else _UNBOUNDED
    for line in Text(words, style).wrap(console, max(width, 20)):
        line.rstrip()
        console.print(Text(_INDENT) + line if line else "", soft_wrap=True, highlight=False)


def _headline(report: Report, lang: str) -> Text:
    passed = sum(result.passed for result in report.results)
    words = {
        "title": report.assignment.title[lang], "score": report.score, "most": report.max_score,
        "passed": passed, "count": len(report.results),
    }  # fmt: skip
    return Text(
        render(Message("headline", words), lang), "bold green" if passed == len(report.results) else "bold"
    )


def _test(result: TestResult, lang: str, console: Console, told: set[str]) -> None:
    mark, style = ("✓", "green") if result.passed else ("✗", "red")
    points = f"{result.score:g}/{result.test.points:g}"
    line = Text.assemble(
        (f"{mark} ", style),
        (result.test.title[lang], "bold"),
        f"  {points}  ",
        (render(Message(f"group-{result.test.group}"), lang), "dim"),
    )
    if not was_run(result):
        console.print(line + Text("  " + render(Message("not-run"), lang), "dim"), soft_wrap=True)
        return
    console.print(line, soft_wrap=True)
    if result.passed and not result.speed and not (result.outcome and result.outcome.printed):
        return
    for number, text in enumerate(lines(result, lang, told)):
        _indented(text, "dim" if number == 0 else "", console)
    if result.picture:
        _indented(render(Message("picture", {"path": result.picture}), lang), "dim", console)


def _footer(report: Report, lang: str) -> str:
    words = {
        "level": report.level, "seconds": report.seconds,
        "slug": report.assignment.slug, "track": report.track, "seed": report.seed,
    }  # fmt: skip
    return render(Message("run-again", words), lang)
