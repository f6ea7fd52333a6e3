"""Which of the files that are handed in are sources, told from their names; and names in a message."""

from __future__ import annotations

from collections.abc import Iterable

SUFFIXES = {"numpy": (".py",), "cython": (".pyx",), "cpp": (".cpp", ".cc", ".cxx")}
_ALL = tuple(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)


def is_source(name: str) -> bool:
    """Whether a file could be a submission or a part of one."""
    return name.lower().endswith(_ALL)


def is_noise(name: str) -> bool:
    """Whether a desktop has put this file beside the others: macOS keeps what a disk cannot in `._NAME`."""
    return name in (".DS_Store", "Thumbs.db", "desktop.ini") or name.startswith("._")


def stands_apart(name: str) -> bool:
    """Whether a file is in a folder, where nothing is taken from."""
    return "/" in name


def some(names: Iterable[str], most: int = 5) -> str:
    """Names for a message, the first few of them; a dash when there are none."""
    every = list(names)
    more = f" … (+{len(every) - most})" if len(every) > most else ""
    return ", ".join(every[:most]) + more or "–"
