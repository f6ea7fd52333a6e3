"""What keeps a client from its service."""

from __future__ import annotations


class Trouble(Exception):
    """The text names what happened and the way out.

    Parameters
    ----------
    words : str
    ours : bool
        Whether who asks can mend it; else the network or the service is at fault.
    """

    def __init__(self, words: str, *, ours: bool = True) -> None:
        super().__init__(words)
        self.ours = ours
