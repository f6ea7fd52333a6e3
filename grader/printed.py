"""What a student's program printed, as text that can be shown anywhere."""

from __future__ import annotations

import unicodedata


def shown(printed: bytes) -> str:
    """Bytes as text: UTF-8, or GB18030 where it is that; anything else replaced. Control characters go.

    A terminal obeys escape sequences, and a page may be confused by text that turns its direction: what a student
    prints must do neither to whoever reads the report.
    """
    return clean(_decoded(printed))


def clean(text: str) -> str:
    """Without control and direction characters, lines and tabs kept."""
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "�" for c in text
    )


def _decoded(printed: bytes) -> str:
    try:
        return printed.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return printed.decode("gb18030")
    except UnicodeDecodeError:
        return printed.decode("utf-8", "replace")
