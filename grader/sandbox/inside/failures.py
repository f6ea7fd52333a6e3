"""Words for an exception that came out of student's code. The exception itself may be hostile."""

from __future__ import annotations

import traceback
from types import TracebackType

from . import protocol

_OURS = __file__.rpartition("/")[0]


def describe(error: BaseException, stage: str) -> protocol.Plain:
    """The report (message's code, its parameters, traceback) for an exception."""
    story = _story(error)
    words = (("type", _name(error)), ("text", _text(error)))
    if isinstance(error, SystemExit):
        return ("exit-called", (("text", _text(error)),), story)
    if isinstance(error, MemoryError):
        return ("out-of-memory", (), story)
    if module := _module_not_found(error):
        return ("module-missing", (("module", module),), story)
    if stage == "import":
        return ("import-failed", words, story)
    return ("raised", words, story)


def _module_not_found(error: BaseException) -> str:
    """The module that is not there, "" when something else is wrong. Not of a subclass: its name may do anything."""
    name = error.name if type(error) is ModuleNotFoundError else None
    return str.__str__(name)[: protocol.WORD_CHARS] if type(name) is str else ""


def _name(error: BaseException) -> str:
    return str(type.__dict__["__name__"].__get__(type(error)))[:100]


def _text(error: BaseException) -> str:
    try:
        return str(error)[: protocol.WORD_CHARS]
    except BaseException:
        return "(the exception's own text raised)"


def _story(error: BaseException) -> str:
    try:
        lines = traceback.format_exception(type(error), error, _student(error.__traceback__))
        story = "".join(lines)
    except BaseException:
        return "(the traceback could not be formatted)"
    if len(story) <= protocol.TRACEBACK_CHARS:
        return story
    half = protocol.TRACEBACK_CHARS // 2
    return f"{story[:half]}\n[... {len(story) - 2 * half} characters ...]\n{story[-half:]}"


def _student(trace: TracebackType | None) -> TracebackType | None:
    """Without the frames that are ours or the import machinery's: a student looks for their own line."""
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((_OURS, "<frozen importlib")):
        trace = trace.tb_next
        if trace is not None and "importlib/__init__" in trace.tb_frame.f_code.co_filename:
            trace = trace.tb_next
    return trace
