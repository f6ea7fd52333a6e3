"""Reads a zip without trusting anything it says of itself. Nothing is ever extracted to disk."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from grader.sources import is_noise, is_source, some
from grader.unusable import UnusableSubmission

MOST_BYTES = 4 << 20  # of all files together, unpacked
MOST_FILES = 100
MOST_ARCHIVE = 8 << 20
MOST_RATIO = 200
MOST_NAME = 200  # bytes of a file's name: file systems take 255


def read_archive(path: Path) -> dict[str, bytes]:
    """The files at the top of a zip, or in the one folder at its top; sources in folders below by their paths.

    Raises
    ------
    UnusableSubmission
        It is no zip, or one that no honest student makes.
    """
    if path.stat().st_size > MOST_ARCHIVE:
        raise UnusableSubmission("archive-too-big", limit=MOST_ARCHIVE >> 20)
    try:
        with zipfile.ZipFile(path) as archive:
            return _contents(archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise UnusableSubmission("bad-archive", text=str(error)) from error


def _contents(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """What is wanted of an archive, by names without its top folder."""
    entries = [entry for entry in archive.infolist() if not _is_noise(_parts(entry))]
    _check(entries)
    files = {_parts(entry): entry for entry in entries if not entry.is_dir()}
    depth = 2 if len({parts[0] for parts in files}) == 1 and all(len(parts) > 1 for parts in files) else 1
    taken = [parts for parts in sorted(files) if len(parts) == depth]
    others = [parts for parts in sorted(files) if len(parts) > depth and is_source(parts[-1])]
    if others and not any(is_source(parts[-1]) for parts in taken):
        raise UnusableSubmission("not-taken", found=some(map("/".join, others)))
    return {"/".join(parts[depth - 1 :]): _read(archive, files[parts]) for parts in (*taken, *others)}


def _parts(entry: zipfile.ZipInfo) -> tuple[str, ...]:
    """An entry's path, folder by folder; "./" says nothing."""
    return PurePosixPath(entry.filename).parts


def _is_noise(parts: tuple[str, ...]) -> bool:
    """What desktops add by themselves, and the folder that the archive itself is."""
    return not parts or parts[0] == "__MACOSX" or is_noise(parts[-1])


def _check(entries: list[zipfile.ZipInfo]) -> None:
    """Refuse what no honest archive has, before anything is unpacked."""
    if len(entries) > MOST_FILES:
        raise UnusableSubmission("too-many-files", count=len(entries), limit=MOST_FILES)
    seen: set[str] = set()
    for entry in entries:
        _check_entry(entry)
        name = "/".join(_parts(entry)).casefold()
        if name in seen:
            raise UnusableSubmission("archive-twice", name=ascii(entry.filename))
        seen.add(name)
    total, packed = sum(e.file_size for e in entries), sum(e.compress_size for e in entries)
    if total > MOST_BYTES or total > MOST_RATIO * max(packed, 1024):
        raise UnusableSubmission("archive-bomb", limit=MOST_BYTES >> 20)


def is_plain(name: str) -> bool:
    """Whether a file can be called that on every system, and looks like what it is called on every page."""
    return name.isprintable() and len(name.encode()) <= MOST_NAME


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name, parts = ascii(entry.filename), _parts(entry)
    if not is_plain("/".join(parts)):
        raise UnusableSubmission("archive-name", name=name)
    if parts[0].startswith("/") or "\\" in entry.filename or ".." in parts or parts[0].endswith(":"):
        raise UnusableSubmission("archive-path", name=name)
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnusableSubmission("archive-link", name=name)
    if entry.flag_bits & 1:
        raise UnusableSubmission("archive-encrypted", name=name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnusableSubmission("archive-method", name=name)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """One file, no longer than the archive said: what it says may be a lie."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) > entry.file_size:
        raise UnusableSubmission("archive-bomb", limit=MOST_BYTES >> 20)
    return content
