"""Reads a zip without trusting anything it says of itself. Nothing is ever extracted to disk."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

MOST_BYTES = 4 << 20  # of all files together, unpacked
MOST_FILES = 100
MOST_ARCHIVE = 8 << 20
MOST_RATIO = 200

Refuse = Callable[..., Exception]


def read_archive(path: Path, refuse: Refuse) -> dict[str, bytes]:
    """The files at the top of a zip, or in the one folder at its top.

    Parameters
    ----------
    path : Path
    refuse : callable
        Makes the exception to raise from a message's code and fields.
    """
    if path.stat().st_size > MOST_ARCHIVE:
        raise refuse("archive-too-big", limit=MOST_ARCHIVE >> 20)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not _is_noise(entry.filename)]
            _check(entries, refuse)
            top = _top(entries)
            kept = {_below(entry.filename, top): entry for entry in entries if not entry.is_dir()}
            return {
                name: _read(archive, kept[name], refuse) for name in sorted(kept) if name and "/" not in name
            }
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise refuse("bad-archive", text=str(error)) from error


def _is_noise(name: str) -> bool:
    """What desktops add by themselves."""
    parts = PurePosixPath(name).parts
    return bool(parts) and (parts[0] == "__MACOSX" or parts[-1] in (".DS_Store", "Thumbs.db"))


def _check(entries: list[zipfile.ZipInfo], refuse: Refuse) -> None:
    """Refuse what no honest archive has, before anything is unpacked."""
    if len(entries) > MOST_FILES:
        raise refuse("too-many-files", count=len(entries), limit=MOST_FILES)
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        parts = PurePosixPath(name).parts
        if name.startswith("/") or "\\" in name or ".." in parts or (parts and parts[0].endswith(":")):
            raise refuse("archive-path", name=ascii(name))
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise refuse("archive-link", name=ascii(name))
        if entry.flag_bits & 1:
            raise refuse("archive-encrypted", name=ascii(name))
        if name.casefold() in seen:
            raise refuse("archive-twice", name=ascii(name))
        seen.add(name.casefold())
    total, packed = sum(e.file_size for e in entries), sum(e.compress_size for e in entries)
    if total > MOST_BYTES or total > MOST_RATIO * max(packed, 1024):
        raise refuse("archive-bomb", limit=MOST_BYTES >> 20)


def _top(entries: list[zipfile.ZipInfo]) -> str:
    """The one folder that everything is in, if so."""
    firsts = {PurePosixPath(entry.filename).parts[0] for entry in entries if entry.filename.strip("/")}
    whole = all("/" in entry.filename for entry in entries)
    return firsts.pop() + "/" if len(firsts) == 1 and whole else ""


def _below(name: str, top: str) -> str:
    return name[len(top) :]


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, refuse: Refuse) -> bytes:
    """One file, no longer than the archive said: what it says may be a lie."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) > entry.file_size or len(content) > MOST_BYTES:
        raise refuse("archive-bomb", limit=MOST_BYTES >> 20)
    return content
