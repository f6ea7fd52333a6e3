"""`grader check-assignments`: proves of assignments that they judge well."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from grader import grading, prove
from grader.blas import single_threaded_blas
from grader.commands.chosen import CATALOGUE, FAULT, GRADED, all_assignments, assignment, leave
from grader.ending import Ended, unwound_when_told
from grader.models import Assignment
from grader.submission import read_submission

_AT_ONCE = min(2, len(os.sched_getaffinity(0)))  # submissions: each waits for its sandbox half of the time


@click.command("check-assignments")
@click.argument("slugs", nargs=-1)
@click.option("--seeds", type=click.IntRange(1, 100), default=3, show_default=True, help="How many.")
@click.option("--no-cheats", is_flag=True, help="Leave out what needs the sandbox.")
@CATALOGUE
@single_threaded_blas()  # as grading itself: on a busy machine more threads wait for each other for minutes
def check_assignments(slugs: tuple[str, ...], seeds: int, no_cheats: bool, root: Path) -> None:
    """Prove of assignments that they judge well: solution, mistakes, cheats, blind spots."""
    chosen = [assignment(slug, root, "en") for slug in slugs] if slugs else all_assignments(root)
    faults = 0
    try:
        with _graders(0 if no_cheats else _AT_ONCE) as grade:
            for one in chosen:
                proof = prove.prove(one, range(seeds), grade)
                _print_proof(proof)
                faults += len(proof.faults)
    except RuntimeError as error:  # no sandbox, or a fault in it
        leave(f"grader: {error}", FAULT)
    sys.exit(GRADED if not faults else 1)


@contextlib.contextmanager
def _graders(count: int) -> Iterator[prove.Grade | None]:
    """What grades so many submissions at once, each in a process of its own; None for no submission at all."""
    if not count:
        yield None
        return
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        try:
            yield lambda assignment, paths: pool.map(_score, itertools.repeat(assignment), paths)
        except Ended:
            for child in multiprocessing.active_children():  # the signal was for us alone
                child.terminate()
            raise


def _score(assignment: Assignment, path: Path) -> float:
    """What a submission's file gets."""
    try:
        with unwound_when_told():
            report = grading.grade(read_submission(path, assignment), assignment)
    except Ended as ended:
        os._exit(ended.status)  # the pool would take it for a result, and go on
    if report.fault:  # its 0 points would prove nothing
        raise RuntimeError(f"the grader failed with {path.name}")
    return report.score


def _print_proof(proof: prove.Proof) -> None:
    slug, mistakes = proof.assignment.slug, len(proof.assignment.mistakes)
    click.echo(f"{slug}: {mistakes} mistakes, {len(proof.cheats)} cheats, {len(proof.seeds)} seeds")
    for test, codes in proof.blind_spots().items():
        click.echo(f"  {test} is blind to: {', '.join(codes) or 'nothing'}")
    for fault in proof.faults:
        click.echo(f"  FAULT {fault}")
