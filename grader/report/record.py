"""The whole record of a graded submission as plain data, for JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from grader.messages import hints_of, render, title_of
from grader.models import Message, Outcome, Report, TestResult
from grader.printed import clean, shown


def as_json(report: Report, lang: str) -> str:
    """One JSON object."""
    return json.dumps(record(report, lang), ensure_ascii=False, indent=2, allow_nan=False)


def record(report: Report, lang: str) -> dict[str, Any]:
    """Everything: codes with their numbers, so that it can be told in any language, and the text in one."""
    return {
        "assignment": report.assignment.slug,
        "assignment_version": report.assignment.version,
        "track": report.track,
        "score": report.score,
        "max_score": report.max_score,
        "seed": report.seed,
        "sandbox": report.level,
        "seconds": report.seconds,
        "grader_error": report.fault,
        "notes": [_message(note, lang) for note in report.notes],
        "build": report.build
        and {
            "ok": report.build.ok,
            "seconds": report.build.seconds,
            "log": clean(report.build.log),
            "message": report.build.message and _message(report.build.message, lang),
        },
        "tests": [_test(result, lang) for result in report.results],
        "environment": dict(report.environment),
    }


def _test(result: TestResult, lang: str) -> dict[str, Any]:
    return {
        "id": result.test.id,
        "title": result.test.title[lang],
        "group": result.test.group,
        "passed": result.passed,
        "score": result.score,
        "max_score": result.test.points,
        "call": result.call,
        "findings": [_message(finding, lang) for finding in result.findings],
        "named": result.named
        and {
            "codes": [mistake.code for mistake in result.named.mistakes],
            "fitted": plain(result.named.fitted),
            "title": title_of(result.named, lang),
            "hints": list(hints_of(result.named, lang)),
        },
        "run": result.outcome and _outcome(result.outcome),
        "speed": result.speed and plain(vars(result.speed)),
        "picture": result.picture,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "status": outcome.status.value,
        "traceback": clean(outcome.traceback),
        "printed": shown(outcome.printed),
        "wall_seconds": outcome.wall_seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "peak_bytes": outcome.peak_bytes,
    }


def _message(message: Message, lang: str) -> dict[str, Any]:
    return {"code": message.code, "params": plain(message.params), "text": render(message, lang)}


def plain(value: Any) -> Any:
    """What JSON can hold, and any terminal: text cleaned, infinite numbers as text, messages and tuples taken apart."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Message):
        return {"code": value.code, "params": plain(value.params)}
    if isinstance(value, Mapping):
        return {clean(str(name)): plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
