"""What is said about a submission and about each of its tests, line by line, in every kind of report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.messages import hints_of, render, title_of
from grader.models import Build, Message, Outcome, Report, Speed, Status, TestResult
from grader.printed import clean, shown

_PRINTED_CHARS = 2000
_LOG_LINES = 30
_LOG_BEFORE = 12  # lines before the first error: Cython quotes the source there
_NEVER_CALLED = (Status.IMPORT_FAILED, Status.MISSING)


def was_run(result: TestResult) -> bool:
    """Whether there was a function to call."""
    return result.outcome is None or result.outcome.status not in _NEVER_CALLED


def why_not_run(report: Report, lang: str) -> Iterator[str]:
    """Why tests could not be run, each reason once, however many tests it has kept from running."""
    if report.build is not None and not report.build.ok:
        yield from _build(report.build, lang)
        return
    told = set()
    for result in report.results:
        reason = "" if was_run(result) else "\n".join(_reason(result, lang))
        if reason and reason not in told:
            told.add(reason)
            yield reason


def _build(build: Build, lang: str) -> Iterator[str]:
    """What the compiler said around the first error."""
    quoted = ""
    if build.message:
        yield render(build.message, lang)
        quoted = str(build.message.params.get("text", ""))
    log = build.log.splitlines()
    at = next((number for number, line in enumerate(log) if quoted and line.startswith(quoted)), 0)
    first = max(0, at - _LOG_BEFORE)
    yield from (clean(line) for line in log[first : first + _LOG_LINES])


def _reason(result: TestResult, lang: str) -> Iterator[str]:
    yield from (render(finding, lang) for finding in result.findings)
    if result.outcome:
        yield from _traceback(result.outcome)
        yield from _printed(result.outcome, lang)


def lines(result: TestResult, lang: str, told: set[str] | None = None) -> Iterator[str]:
    """What was called, what was wrong with it, the mistake's name and hints, how fast it was, what it printed.

    What is long and in `told`, hints and tracebacks, is left out; what is not is added to it.
    """
    told = set() if told is None else told
    yield render(Message("called-as", {"call": result.call}), lang)
    for finding in result.findings:
        yield render(finding, lang)
    if not was_run(result):
        return
    if result.named:
        yield render(Message("your-mistake", {"title": title_of(result.named, lang)}), lang)
        yield from _once(hints_of(result.named, lang), told)
    if result.speed:
        yield from _speed(result.speed, lang)
    if result.outcome:
        yield from _once(_traceback(result.outcome), told)
        yield from _printed(result.outcome, lang)


def _once(texts: Iterable[str], told: set[str]) -> Iterator[str]:
    for text in texts:
        if text not in told:
            told.add(text)
            yield text


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


def _traceback(outcome: Outcome) -> Iterator[str]:
    if outcome.traceback:
        yield clean(outcome.traceback).rstrip()


def _printed(outcome: Outcome, lang: str) -> Iterator[str]:
    if outcome.printed:
        yield render(Message("printed"), lang) + "\n" + _shortened(shown(outcome.printed)).rstrip()


def _shortened(text: str) -> str:
    half = _PRINTED_CHARS // 2
    return text if len(text) <= 2 * half else f"{text[:half]}\n…\n{text[-half:]}"
