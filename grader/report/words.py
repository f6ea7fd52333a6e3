"""What is said about one test, line by line, in every kind of report."""

from __future__ import annotations

from collections.abc import Iterator

from grader.messages import hints_of, render, title_of
from grader.models import Message, Outcome, Report, Speed, TestResult
from grader.printed import clean, shown

_PRINTED_CHARS = 2000
_LOG_LINES = 30


def build_lines(report: Report, lang: str) -> Iterator[str]:
    """Why the submission did not compile, and the head of what the compiler said."""
    if report.build is None or report.build.ok:
        return
    if report.build.message:
        yield clean(render(report.build.message, lang))
    yield from clean(report.build.log).splitlines()[:_LOG_LINES]


def lines(result: TestResult, lang: str, *, hints: bool = True) -> Iterator[str]:
    """What was called, what was wrong with it, the mistake's name and hints, how fast it was, what it printed."""
    yield render(Message("called-as", {"call": result.call}), lang)
    for finding in result.findings:
        yield clean(render(finding, lang))
    if result.named:
        yield render(Message("your-mistake", {"title": title_of(result.named, lang)}), lang)
        yield from hints_of(result.named, lang) if hints else ()
    if result.speed:
        yield from _speed(result.speed, lang)
    if result.outcome:
        yield from _said(result.outcome, lang)


def _speed(speed: Speed, lang: str) -> Iterator[str]:
    numbers = {
        "ratio": speed.ratio,
        "low": speed.low,
        "high": speed.high,
        "rounds": speed.rounds,
        "ms": speed.student_seconds * 1e3,
        "gflops": speed.flops / speed.student_seconds / 1e9,
    }
    yield render(Message("speed", numbers), lang)
    if speed.held:
        yield render(Message("held-for-review"), lang)


def _said(outcome: Outcome, lang: str) -> Iterator[str]:
    if outcome.traceback:
        yield clean(outcome.traceback).rstrip()
    if outcome.printed:
        text = shown(outcome.printed)
        text = (
            text
            if len(text) <= _PRINTED_CHARS
            else f"{text[: _PRINTED_CHARS // 2]}\n…\n{text[-_PRINTED_CHARS // 2 :]}"
        )
        yield render(Message("printed"), lang)
        yield text.rstrip()
