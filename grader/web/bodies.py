"""The body of a request is whole, or the request is refused.

Our server says that it ends bodies by itself (`wsgi.input_terminated`), so Werkzeug does not count. But a client that
hangs up ends a body as well, and what the server's reader says of broken chunks is no error that Werkzeug knows. Half a
program must not be graded, and nobody's broken request is a fault of ours.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from werkzeug.wsgi import get_content_length

from grader.services.refusals import Refused

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class Body(io.RawIOBase):
    """A server's stream of a body; its errors, and an end before all of `length` is there, are a `Refused`.

    Once broken it stays so: some readers go on after an error as if the body had ended there.
    """

    def __init__(self, stream: IO[bytes], length: int | None) -> None:
        self._stream, self._left, self._broken = stream, length, False

    def readable(self) -> bool:
        """It can be."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Read some of it."""
        if self._broken or (data := self._read(len(buffer))) is None:
            self._broken = True
            raise Refused("broken-body")
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes | None:
        """Some more; nothing at the end of all; None when it cannot be had."""
        try:
            data = self._stream.read(size if self._left is None else min(size, self._left))
        except Exception:  # whatever it is: we have called the reader as WSGI has it
            return None
        if self._left is not None:
            if not data and self._left and size:
                return None
            self._left -= len(data)
        return data


def whole(app: WSGIApplication) -> WSGIApplication:
    """An application that is given whole bodies only."""

    def wrapped(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = Body(environ["wsgi.input"], get_content_length(environ))
        return app(environ, start)

    return wrapped
