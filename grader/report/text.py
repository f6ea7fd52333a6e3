"""A report that one reads in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.messages import render
from grader.models import Message, Report, TestResult
from grader.printed import clean
from grader.report.words import build_lines, lines


def show(report: Report, lang: str, console: Console) -> None:
    """Print the whole report: the score first, then every test, then how to run it again."""
    console.print(_headline(report, lang), soft_wrap=True)
    for note in report.notes:
        console.print(Text(f"! {clean(render(note, lang))}", "yellow"))
    for line in build_lines(report, lang):
        console.print(Text(line, "red"), soft_wrap=True)
    told: set[tuple[str, ...]] = set()  # a hint is given once, with the first test that it is about
    for result in report.results:
        codes = tuple(mistake.code for mistake in result.named.mistakes) if result.named else ()
        _test(result, lang, console, hints=codes not in told)
        told.add(codes)
    console.print(Text(_footer(report, lang), "dim"), soft_wrap=True)


def _headline(report: Report, lang: str) -> Text:
    passed = sum(result.passed for result in report.results)
    words = {
        "title": report.assignment.title[lang], "score": report.score, "most": report.max_score,
        "passed": passed, "count": len(report.results),
    }  # fmt: skip
    return Text(
        render(Message("headline", words), lang), "bold green" if passed == len(report.results) else "bold"
    )


def _test(result: TestResult, lang: str, console: Console, *, hints: bool) -> None:
    mark, style = ("✓", "green") if result.passed else ("✗", "red")
    points = f"{result.score:g}/{result.test.points:g}"
    line = Text.assemble(
        (f"{mark} ", style),
        (result.test.title[lang], "bold"),
        f"  {points}  ",
        (render(Message(f"group-{result.test.group}"), lang), "dim"),
    )
    console.print(line, soft_wrap=True)
    if result.passed and not result.speed and not (result.outcome and result.outcome.printed):
        return
    for number, text in enumerate(lines(result, lang, hints=hints)):
        console.print(
            Padding(Text(text, "dim" if number == 0 else ""), (0, 0, 0, 4), expand=False), highlight=False
        )
    if result.picture:
        console.print(Padding(Text(result.picture, "dim"), (0, 0, 0, 4), expand=False))


def _footer(report: Report, lang: str) -> str:
    words = {
        "level": report.level, "seconds": report.seconds,
        "slug": report.assignment.slug, "track": report.track, "seed": report.seed,
    }  # fmt: skip
    return render(Message("run-again", words), lang)
