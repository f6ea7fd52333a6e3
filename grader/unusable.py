"""The one exception about what was handed in as a whole."""

from __future__ import annotations

from grader.models import Message


class UnusableSubmission(Exception):
    """What was handed in cannot be graded at all; `message` says why and what to do."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.message = Message(code, params)
