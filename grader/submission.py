"""Reads what a student hands in, a file, a folder or a zip, into the files that the sandbox is given.

Nothing here is executed; everything is bounded before it is read.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grader.archive import MOST_ARCHIVE, MOST_FILES, read_archive
from grader.models import Assignment, Message, Track
from grader.sources import SUFFIXES as SUFFIXES
from grader.sources import is_noise, is_source, some, stands_apart
from grader.starter import STATEMENT
from grader.unusable import UnusableSubmission

MOST_BYTES = 1 << 20  # of one source file; a student's is a few thousand
_MOST_LOOKED_AT = 1000  # entries of a folder without sources: somebody may have given the root of a disk
_COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)")  # PEP 263: in the first two lines
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
_LINE_END = re.compile(r"(\r\n|\r|\n)")


@dataclass(frozen=True)
class Submission:
    """What goes into the sandbox, and what has to be said about it."""

    files: Mapping[str, bytes]
    track: Track
    notes: tuple[Message, ...] = ()


def read_submission(path: Path, assignment: Assignment, track: str | None = None) -> Submission:
    """Read a file, a folder or a zip.

    Parameters
    ----------
    path : Path
    assignment : Assignment
    track : str, optional
        "numpy", "cython" or "cpp"; told from the files' names by default.

    Raises
    ------
    UnusableSubmission
        It is not there, cannot be read, is empty, too large, not text, ambiguous, or an archive that tries something.
    """
    try:
        found = choose(_files(path), assignment, track, single=not path.is_dir() and not _is_zip(path))
        return replace(found, notes=found.notes + _apart(path))
    except OSError as error:
        raise UnusableSubmission("unreadable", path=str(path), text=error.strerror or str(error)) from error


def _apart(path: Path) -> tuple[Message, ...]:
    """A note of sources that a folder has in folders of its own."""
    names = [name for name in _not_taken(path) if stands_apart(name)] if path.is_dir() else []
    return (_ignored(names),) if names else ()


def _ignored(names: list[str]) -> Message:
    return Message("ignored-files", {"names": some(names), "suffix": ".py"})


def _files(path: Path) -> dict[str, bytes]:
    return read_archive(path) if _is_zip(path) else read_files(path)


def read_files(path: Path) -> dict[str, bytes]:
    """The files that stand at a path, as they are: a zip is one of them.

    Raises
    ------
    UnusableSubmission
        There is none, or too much.
    """
    if path.is_dir():
        return _of_folder(path)
    if not path.exists():
        raise UnusableSubmission("no-such-file", path=str(path))
    if not path.is_file():
        raise UnusableSubmission("not-a-file", path=str(path))
    return {path.name: _bounded(path, MOST_ARCHIVE if _is_zip(path) else MOST_BYTES)}


def _is_zip(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return path.suffix.lower() == ".zip" or file.read(4) == b"PK\x03\x04"


def _of_folder(folder: Path) -> dict[str, bytes]:
    """The files that stand in the folder itself; links are not followed."""
    found = sorted(entry for entry in folder.iterdir() if entry.is_file() and not entry.is_symlink())
    if len(found) > MOST_FILES:
        raise UnusableSubmission("too-many-files", count=len(found), limit=MOST_FILES)
    if not any(is_source(entry.name) for entry in found) and (others := _not_taken(folder)):
        raise UnusableSubmission("not-taken", found=some(others))
    return {entry.name: _bounded(entry) if is_source(entry.name) else b"" for entry in found}


def require_source(path: Path, files: Mapping[str, bytes]) -> None:
    """Raise `UnusableSubmission` when a folder has nothing that could be graded: no server need be asked for that."""
    if path.is_dir() and not any(map(is_source, files)):
        suffixes = ", ".join(suffix for kinds in SUFFIXES.values() for suffix in kinds)
        raise UnusableSubmission("no-source-in-folder", path=str(path), suffixes=suffixes)


def _not_taken(folder: Path) -> list[str]:
    """Sources that are links, or one folder deeper: where somebody who finds nothing taken will have them."""
    near = itertools.islice(itertools.chain(folder.glob("*"), folder.glob("*/*")), _MOST_LOOKED_AT)
    return sorted(str(entry.relative_to(folder)) for entry in near if is_source(entry.name))


def _bounded(path: Path, most: int = MOST_BYTES) -> bytes:
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise UnusableSubmission("file-too-big", file=path.name, limit=most >> 10)
    return content


def choose(
    files: Mapping[str, bytes], assignment: Assignment, track: str | None, *, single: bool = False
) -> Submission:
    """Tell the submission from its helpers and from what is ignored.

    Parameters
    ----------
    files : mapping of name to content
    single : bool
        Only one file was handed in: it is the submission whatever its name is, if the ending tells its language.
    """
    if track is not None and track not in assignment.tracks:
        raise UnusableSubmission("no-such-track", track=track, known=", ".join(assignment.tracks))
    files = {name: content for name, content in files.items() if not is_noise(name)}
    chosen, entry = _entry(files, assignment, track, single)
    helpers = [name for name in files if name.endswith(".py") and name != entry and not stands_apart(name)]
    ignored = sorted(name for name in files if name not in (entry, STATEMENT, *helpers))
    texts = {name: _text(name, files[name]) for name in [entry, *helpers]}
    if not texts[entry][0].strip():
        raise UnusableSubmission("empty-file", file=entry)
    notes = [note for _, note in texts.values() if note]
    if ignored:
        notes.append(_ignored(ignored))
    kept = {chosen.file if name == entry else name: text.encode() for name, (text, _) in texts.items()}
    return Submission(kept, chosen, tuple(notes))


def _entry(
    files: Mapping[str, bytes], assignment: Assignment, track: str | None, single: bool
) -> tuple[Track, str]:
    """The track, and the file that has the entry points."""
    tracks = [assignment.tracks[track]] if track else list(assignment.tracks.values())
    near = [name for name in files if not stands_apart(name)]
    fitting = [(one, name) for one in tracks for name in near if name.lower().endswith(SUFFIXES[one.name])]
    named = [(one, name) for one, name in fitting if PurePosixPath(name).stem == "submission"]
    candidates = named or fitting
    if len(candidates) == 1:
        return candidates[0]
    expected = " / ".join(one.file for one in tracks)
    if not candidates:
        if single and track:  # said to be of this language, whatever its name says
            return tracks[0], next(iter(files))
        code = "unknown-ending" if single else "no-candidate"
        raise UnusableSubmission(code, expected=expected, found=some(sorted(files)))
    raise _undecided(candidates)


def _undecided(candidates: list[tuple[Track, str]]) -> UnusableSubmission:
    """Several files may be the submission: of one track, or of several."""
    found = some(name for _, name in candidates)
    tracks = {track.name: track.file for track, _ in candidates}
    if len(tracks) == 1:
        return UnusableSubmission("two-candidates", found=found, expected=next(iter(tracks.values())))
    options = " / ".join(f"--track {name}" for name in tracks)
    return UnusableSubmission("two-tracks", found=found, options=options)


def _text(name: str, content: bytes) -> tuple[str, Message | None]:
    """The source as text, and a note when it was not UTF-8."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnusableSubmission("not-text", file=name)
    text, note = _decoded(name, content)
    if "\0" in text:
        raise _with_nul(name, text)
    return _as_utf8(text), note


def _with_nul(name: str, text: str) -> UnusableSubmission:
    """A source with a stray NUL byte; or a program, or UTF-16: there it is not the NUL that is wrong."""
    if _CONTROL.search(text) or text.count("\0") > len(text) / 3:
        return UnusableSubmission("not-text", file=name)
    return UnusableSubmission("nul-byte", file=name, line=text[: text.index("\0")].count("\n") + 1)


def _decoded(name: str, content: bytes) -> tuple[str, Message | None]:
    try:
        return content.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("gb18030"), Message("read-as-gb18030", {"file": name})
    except UnicodeDecodeError:
        raise UnusableSubmission("not-text", file=name) from None


def _as_utf8(text: str) -> str:
    """The text with a declaration of another encoding made true: it is written as UTF-8 from here on."""
    first, *rest = _LINE_END.split(text, 2)  # lines and their ends by turns
    rest[1:2] = [_COOKIE.sub(r"\1utf-8", line) for line in rest[1:2]]
    return "".join([_COOKIE.sub(r"\1utf-8", first), *rest])
