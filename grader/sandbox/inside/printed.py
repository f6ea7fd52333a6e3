"""What a child prints: drained always, so that nobody blocks; the first and the last bytes are kept."""

from __future__ import annotations

import os
from collections import deque

_CHUNK = 1 << 16


class Printed:
    """Reads a pipe and keeps head and tail of what came, at most `cap` bytes together."""

    def __init__(self, pipe: int, cap: int) -> None:
        os.set_blocking(pipe, False)
        self.pipe, self.open = pipe, True
        self._head_room = cap - cap // 2
        self._tail_room = cap // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._dropped = 0

    def drain(self, most: int = 16 * _CHUNK) -> None:
        """Take what is there, but no more than `most`: a child that prints for ever must not keep us."""
        while self.open and most > 0:
            try:
                chunk = os.read(self.pipe, _CHUNK)
            except BlockingIOError:
                return
            self.open = bool(chunk)
            most -= len(chunk)
            self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        room = self._head_room - len(self._head)
        self._head += chunk[:room]
        if rest := chunk[room:]:
            self._tail.append(rest)
            self._tail_size += len(rest)
        while self._tail and self._tail_size - len(self._tail[0]) >= self._tail_room:
            gone = len(self._tail.popleft())
            self._tail_size -= gone
            self._dropped += gone

    def kept(self) -> bytes:
        """Head and tail, with a line between them that says how much is missing."""
        tail = b"".join(self._tail)
        short = tail[max(0, len(tail) - self._tail_room) :]
        dropped = self._dropped + len(tail) - len(short)
        gap = b"\n[... %d bytes ...]\n" % dropped if dropped else b""
        return bytes(self._head) + gap + short
