"""The command line. Reports go to standard output, everything else to standard error.

Exit 0: graded, whatever the score. 2: wrong usage, or nothing that can be graded. 3: the grader's own fault, or no
safe sandbox here.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import json
import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from grader import catalogue, grading, prove, starter
from grader.blas import single_threaded_blas
from grader.commands import WithService
from grader.fields import CatalogueError
from grader.messages import render
from grader.models import Assignment, Report
from grader.printed import clean
from grader.report import gradescope, pictures, record, text
from grader.sandbox import Level, SandboxUnavailable, selftest
from grader.submission import read_submission
from grader.unusable import UnusableSubmission

GRADED, UNUSABLE, FAULT = 0, 2, 3
_AT_ONCE = min(2, len(os.sched_getaffinity(0)))  # submissions: each waits for its sandbox half of the time
_LANGUAGE = click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
_CATALOGUE = click.option(
    "--catalogue",
    "root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=catalogue.ROOT,
    help="The folder of the assignments, when they are your own.",
)


@click.group(cls=WithService)
@click.version_option(package_name="pyattn", prog_name="grader")
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
@_LANGUAGE
@_CATALOGUE
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
    assignment = _assignment(slug, root, lang)
    try:
        submission = read_submission(path, assignment, track)
    except UnusableSubmission as error:
        _leave(render(error.message, lang), UNUSABLE)
    level = Level.NONE if unsafe_no_sandbox else None
    report = _safely(lambda: grading.grade(submission, assignment, seed=seed, level=level))
    try:
        if folder:
            report = _with_pictures(report, folder)
        _print(report, kind, lang)
    except ModuleNotFoundError as error:
        _leave(f"grader: --pictures needs {error.name}: `pip install 'pyattn[grader]'`.", UNUSABLE)
    except BrokenPipeError:  # the reader has enough: click ends quietly
        raise
    except OSError as error:
        _leave(f"grader: the report cannot be written: {error}.", FAULT)
    sys.exit(FAULT if report.fault else GRADED)


def _assignment(slug: str, root: Path, lang: str) -> Assignment:
    try:
        return catalogue.load(slug, root)
    except catalogue.UnknownAssignment as error:
        _leave(render(error.message, lang), UNUSABLE)
    except CatalogueError as error:
        _leave(str(error), UNUSABLE)


def _safely(work: Callable[[], Report]) -> Report:
    """The report; any fault of the grader itself ends with a clear line and the exit code for it."""
    try:
        return work()
    except SandboxUnavailable as error:
        _leave(f"{error}\nCode of your own can be graded without one: --unsafe-no-sandbox.", FAULT)
    except Exception as error:
        logging.getLogger(__name__).exception("grading failed")
        _leave(f"grader: the grader itself failed ({error!r}). No points are lost by it.", FAULT)


def _leave(words: str, code: int) -> NoReturn:
    click.echo(clean(words), err=True)
    sys.exit(code)


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
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for result in report.results:
        evidence = result.findings and grading.evidence_of(report, result)
        path = pictures.draw(evidence, folder / f"{result.test.id}.png") if evidence else None
        results.append(replace(result, picture=str(path)) if path else result)
    return replace(report, results=tuple(results))


@main.command()
@_LANGUAGE
@_CATALOGUE
def assignments(lang: str, root: Path) -> None:
    """List the assignments."""
    for assignment in _all_assignments(root):
        tracks = ", ".join(assignment.tracks)
        click.echo(f"{assignment.number:>3}  {assignment.slug:<20} {assignment.title[lang]}  ({tracks})")


@main.command("starter")
@click.argument("slug")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@_LANGUAGE
@_CATALOGUE
def write_starter(slug: str, folder: Path, lang: str, root: Path) -> None:
    """Put the statement and the files to begin with of assignment SLUG into FOLDER."""
    try:
        for path in starter.write_starter(_assignment(slug, root, lang), folder, lang):
            click.echo(path)
    except OSError as error:
        _leave(str(error), UNUSABLE)


@main.command("selftest")
def run_selftest() -> None:
    """Try to break out of the sandbox of this machine, and say what happened."""
    try:
        found = selftest()
    except SandboxUnavailable as error:
        _leave(str(error), FAULT)
    click.echo(f"level: {found.level.value}")
    for probe in found.probes:
        click.echo(f"{'ok  ' if probe.ok else 'FAIL'} {probe.name}: {probe.detail}")
    sys.exit(GRADED if found.ok else FAULT)


@main.command("check-assignments")
@click.argument("slugs", nargs=-1)
@click.option("--seeds", type=click.IntRange(1, 100), default=3, show_default=True, help="How many.")
@click.option("--no-cheats", is_flag=True, help="Leave out what needs the sandbox.")
@_CATALOGUE
@single_threaded_blas()  # as grading itself: on a busy machine more threads wait for each other for minutes
def check_assignments(slugs: tuple[str, ...], seeds: int, no_cheats: bool, root: Path) -> None:
    """Prove of assignments that they judge well: solution, mistakes, cheats, blind spots."""
    chosen = [_assignment(slug, root, "en") for slug in slugs] if slugs else _all_assignments(root)
    faults = 0
    try:
        with _graders(0 if no_cheats else _AT_ONCE) as grade:
            for assignment in chosen:
                proof = prove.prove(assignment, range(seeds), grade)
                _print_proof(proof)
                faults += len(proof.faults)
    except RuntimeError as error:  # no sandbox, or a fault in it
        _leave(f"grader: {error}", FAULT)
    sys.exit(GRADED if not faults else 1)


@contextlib.contextmanager
def _graders(count: int) -> Iterator[prove.Grade | None]:
    """What grades so many submissions at once, each in a process of its own; None for no submission at all."""
    if not count:
        yield None
        return
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        yield lambda assignment, paths: pool.map(_score, itertools.repeat(assignment), paths)


def _print_proof(proof: prove.Proof) -> None:
    slug, mistakes = proof.assignment.slug, len(proof.assignment.mistakes)
    click.echo(f"{slug}: {mistakes} mistakes, {len(proof.cheats)} cheats, {len(proof.seeds)} seeds")
    for test, codes in proof.blind_spots().items():
        click.echo(f"  {test} is blind to: {', '.join(codes) or 'nothing'}")
    for fault in proof.faults:
        click.echo(f"  FAULT {fault}")


def _all_assignments(root: Path) -> tuple[Assignment, ...]:
    try:
        return catalogue.load_all(root)
    except CatalogueError as error:
        _leave(str(error), UNUSABLE)


def _score(assignment: Assignment, path: Path) -> float:
    """What a submission's file gets."""
    report = grading.grade(read_submission(path, assignment), assignment)
    if report.fault:  # its 0 points would prove nothing
        raise RuntimeError(f"the grader failed with {path.name}")
    return report.score
