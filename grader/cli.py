"""The command line. Reports go to standard output, everything else to standard error.

Exit 0: graded, whatever the score. 2: wrong usage, or nothing that can be graded. 3: the grader's own fault, or no
safe sandbox here. 128 + n: ended by signal n, with everything cleaned up.
"""

from __future__ import annotations

import codecs
import io
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

import pyattn
from grader import grading, starter
from grader.commands import WithService
from grader.commands.chosen import (
    CATALOGUE,
    FAULT,
    GRADED,
    LANGUAGE,
    UNUSABLE,
    all_assignments,
    assignment,
    leave,
    usable,
)
from grader.messages import render
from grader.models import Report
from grader.report import gradescope, pictures, record, text
from grader.sandbox import Level, SandboxUnavailable, selftest
from grader.submission import read_submission
from grader.unusable import UnusableSubmission


@click.group(cls=WithService)
@click.version_option(pyattn.__version__, prog_name="grader")
def main() -> None:
    """Grade implementations of attention, name their mistakes, measure their speed."""
    for stream in (sys.stdout, sys.stderr):
        _make_writable(stream)
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


def _make_writable(stream: object) -> None:
    """Let a stream take every letter: reports have ✓, √ and Chinese, which a terminal of the C locale has not."""
    if isinstance(stream, io.TextIOWrapper):
        plain = codecs.lookup(stream.encoding).name == "ascii"
        stream.reconfigure(encoding="utf-8" if plain else None, errors="replace")


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--assignment", "slug", required=True, help="Which assignment; see `grader assignments`.")
@click.option(
    "--track", type=click.Choice(["numpy", "cython", "cpp"]), help="Told from the files by default."
)
@click.option(
    "--format", "kind", type=click.Choice(["text", "json", "gradescope"]), default="text", show_default=True
)
@LANGUAGE
@CATALOGUE
@click.option("--seed", type=click.IntRange(0, 2**62 - 1), help="Of the inputs; a secret one by default.")
@click.option(
    "--pictures",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Put pictures of errors here.",
)
@click.option(
    "--unsafe-no-sandbox", is_flag=True, help="Run the code as yourself. Only for code of your own."
)
def grade(
    path: Path, slug: str, track: str | None, kind: str, lang: str, root: Path, seed: int | None,
    folder: Path | None, unsafe_no_sandbox: bool,
) -> None:  # fmt: skip
    """Grade PATH: a file, a folder or a zip."""
    chosen = assignment(slug, root, lang)
    try:
        submission = read_submission(path, chosen, track)
    except UnusableSubmission as error:
        leave(render(error.message, lang), UNUSABLE)
    if folder:  # before anybody waits for the grading
        with usable(folder, "a folder that can be made or written to"):
            folder.mkdir(parents=True, exist_ok=True)
    level = Level.NONE if unsafe_no_sandbox else None
    report = _safely(lambda: grading.grade(submission, chosen, seed=seed, level=level))
    try:
        if folder:
            report = _with_pictures(report, folder)
        _print(report, kind, lang)
    except ModuleNotFoundError as error:
        leave(f"grader: --pictures needs {error.name}: `pip install 'pyattn[grader]'`.", UNUSABLE)
    except BrokenPipeError:  # the reader has enough: click ends quietly
        raise
    except OSError as error:
        leave(f"grader: the report cannot be written: {error}.", FAULT)
    sys.exit(FAULT if report.fault else GRADED)


def _safely(work: Callable[[], Report]) -> Report:
    """The report; any fault of the grader itself ends with a clear line and the exit code for it."""
    try:
        return work()
    except SandboxUnavailable as error:
        leave(f"{error}\nCode of your own can be graded without one: --unsafe-no-sandbox.", FAULT)
    except Exception as error:
        logging.getLogger(__name__).exception("grading failed")
        leave(f"grader: the grader itself failed ({error!r}). No points are lost by it.", FAULT)


def _print(report: Report, kind: str, lang: str) -> None:
    if kind == "text":
        text.show(report, lang, Console(highlight=False))
    elif kind == "json":
        click.echo(record.as_json(report, lang).encode())  # JSON is UTF-8, whatever the terminal is
    else:
        words = json.dumps(gradescope.results(report, lang), ensure_ascii=False, indent=2, allow_nan=False)
        click.echo(words.encode())


def _with_pictures(report: Report, folder: Path) -> Report:
    """The report with a picture of every wrong result."""
    results = []
    for result in report.results:
        evidence = result.findings and grading.evidence_of(report, result)
        path = pictures.draw(evidence, folder / f"{result.test.id}.png") if evidence else None
        results.append(replace(result, picture=str(path)) if path else result)
    return replace(report, results=tuple(results))


@main.command()
@LANGUAGE
@CATALOGUE
def assignments(lang: str, root: Path) -> None:
    """List the assignments."""
    for one in all_assignments(root):
        tracks = ", ".join(one.tracks)
        click.echo(f"{one.number:>3}  {one.slug:<20} {one.title[lang]}  ({tracks})")


@main.command("starter")
@click.argument("slug")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@LANGUAGE
@CATALOGUE
def write_starter(slug: str, folder: Path, lang: str, root: Path) -> None:
    """Put the statement and the files to begin with of assignment SLUG into FOLDER."""
    chosen = assignment(slug, root, lang)
    with usable(folder, "a folder that can be made or written to"):
        try:
            written = starter.write_starter(chosen, folder, lang)
        except FileExistsError as error:
            leave(str(error), UNUSABLE)
    for path in written:
        click.echo(path)


@main.command("selftest")
def run_selftest() -> None:
    """Try to break out of the sandbox of this machine, and say what happened."""
    try:
        found = selftest()
    except SandboxUnavailable as error:
        leave(str(error), FAULT)
    click.echo(f"level: {found.level.value}")
    for probe in found.probes:
        click.echo(f"{'ok  ' if probe.ok else 'FAIL'} {probe.name}: {probe.detail}")
    sys.exit(GRADED if found.ok else FAULT)
