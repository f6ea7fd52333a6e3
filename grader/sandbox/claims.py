"""What a child may say about having no answer: code → what the call counts as, and the words that belong to it.

The child is hostile: it chooses among these and nothing else. Were it to choose the status too, it could call
its failure the grader's; were it to choose the words, whoever fills in the message's text would fall.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..models import Limits, Message, Status
from .inside import protocol

_RESULT = {"result": int, "type": str}
_SIZES = {"bytes": int, "limit": int}

CLAIMS: Mapping[str, tuple[Status, Mapping[str, type]]] = {
    "import-failed": (Status.IMPORT_FAILED, {"type": str, "text": str}),
    "module-missing": (Status.IMPORT_FAILED, {"module": str}),
    "raised": (Status.RAISED, {"type": str, "text": str}),
    "exit-called": (Status.EXITED, {"text": str}),
    "out-of-memory": (Status.OUT_OF_MEMORY, {}),
    "function-missing": (Status.MISSING, {"function": str, "found": str}),
    "function-not-extern-c": (Status.MISSING, {"function": str}),
    "function-not-in-library": (Status.MISSING, {"function": str}),
    "function-not-callable": (Status.MISSING, {"function": str, "type": str}),
    "function-wrong-parameters": (Status.MISSING, {"function": str, "signature": str, "text": str}),
    "result-is-none": (Status.REFUSED, _RESULT),
    "result-is-list": (Status.REFUSED, _RESULT),
    "result-is-tuple": (Status.REFUSED, _RESULT),
    "result-is-scalar": (Status.REFUSED, _RESULT),
    "result-is-matrix": (Status.REFUSED, _RESULT),
    "result-is-masked": (Status.REFUSED, _RESULT),
    "result-is-subclass": (Status.REFUSED, _RESULT),
    "result-wrong-type": (Status.REFUSED, _RESULT),
    "result-wrong-dtype": (Status.REFUSED, {"result": int, "dtype": str}),
    "result-count": (Status.REFUSED, {"expected": int, "got": int, "type": str}),
    "result-too-large": (Status.TOO_LARGE, _SIZES),
    "compile-failed": (Status.RAISED, {"command": str, "code": int, "text": str}),
    "library-too-large": (Status.TOO_LARGE, _SIZES),
}


def claim(code: str, words: tuple[protocol.Plain, ...], limits: Limits) -> tuple[Status, Message]:
    """What the child's words come to. ValueError when they are none that a child may say."""
    if code not in CLAIMS:
        raise ValueError(f"no child may say {code!r}")
    status, expected = CLAIMS[code]
    given = dict(map(_word, words))
    if {name: type(value) for name, value in given.items()} != expected:
        raise ValueError(
            f"{code} goes with {', '.join(expected) or 'no words'}; got {', '.join(given) or 'none'}"
        )
    if status is Status.OUT_OF_MEMORY:
        given = {"bytes": limits.memory_bytes}
    return status, Message(code, given)


def _word(word: protocol.Plain) -> tuple[str, object]:
    match word:
        case (str(name), str(value)):
            return name, value[: protocol.WORD_CHARS]
        case (str(name), int(value)):
            return name, value
    raise ValueError("a parameter is a name and a plain value")
