"""Puts what a student begins with into a folder."""

from __future__ import annotations

from pathlib import Path

from grader.models import Assignment

STATEMENT = "statement.md"


def write_starter(assignment: Assignment, folder: Path, lang: str) -> tuple[Path, ...]:
    """Write each track's starter, under the name of the submission, and the statement; never over what is there.

    Parameters
    ----------
    assignment : Assignment
    folder : Path
        Made when it is not there.
    lang : str
        "en" or "zh".

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    FileExistsError
        One of them is there already; nothing is written then.
    """
    contents = {track.file: assignment.folder / track.starter for track in assignment.tracks.values()}
    contents[STATEMENT] = assignment.folder / f"statement.{lang}.md"
    taken = [name for name in contents if (folder / name).exists()]
    if taken:
        raise FileExistsError(
            f"starter: {', '.join(taken)} already in {folder}; expected none of them there. "
            "Choose another folder, or move them away."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in contents.items():
        with (folder / name).open("x", encoding="utf-8") as file:  # "x": another process may have been faster
            file.write(source.read_text(encoding="utf-8"))
    return tuple(folder / name for name in contents)
