"""Every program of the corpus gets its verdict, and neither gains a point, leaves a trace nor reads the host."""

import json
import secrets
from dataclasses import replace
from io import StringIO

import pytest
from corpus_program import Program, programs
from host_traces import orphans_come_to_us, same_again, traces
from rich.console import Console

from grader import grading
from grader.report import gradescope, record, text
from grader.sandbox import Level, Sandbox, SandboxUnavailable
from grader.unusable import UnusableSubmission

PROGRAMS = programs()
SILENT = ("skipped-after-timeouts",)  # tests that were not run


def offered(level):
    """Whether this machine has this level."""
    try:
        Sandbox.open(
            {"submission.py": b""}, "numpy", PROGRAMS[0].assignment.tests[0].limits, level=level
        ).close()
    except SandboxUnavailable:
        return False
    return True


@pytest.fixture(
    scope="module", params=[Level.FULL, pytest.param(Level.REDUCED, marks=pytest.mark.slow)], ids=str
)
def level(request):
    if not offered(request.param):
        assert request.param is Level.FULL, (
            "every machine that runs these tests has at least the level reduced"
        )
        pytest.skip("no cgroups here")
    with orphans_come_to_us():
        yield request.param


@pytest.fixture
def canary(tmp_path):
    """A secret on the host, and one in the environment of the grader."""
    secret = secrets.token_hex(16)
    file = tmp_path / "canary"
    file.write_text(secret)
    file.chmod(0o644)
    return file


@pytest.fixture
def graded(level, canary, tmp_path, monkeypatch):
    """Grades a program; nothing may be left of it, and nothing of the host may be in the report."""

    def grades(program: Program):
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        monkeypatch.setenv("TMPDIR", str(scratch))
        monkeypatch.setenv("CORPUS_CANARY", secret := canary.read_text())
        before = same_again(replace(traces(), processes=frozenset()))
        report = grading.grade(program.submission(canary), program.assignment, level=level)
        assert same_again(before) == before
        assert list(scratch.iterdir()) == [] and canary.read_text() == secret
        assert secret not in everything_said(report)
        return report

    return grades


def everything_said(report):
    """The report in every form, in both languages: each can be made and encoded, and none of them obeys the student."""
    page = StringIO()
    text.show(report, "zh", Console(file=page, width=110, force_terminal=False))
    assert "\x1b" not in page.getvalue()
    documents = [record.record(report, "en"), gradescope.results(report, "en")]
    whole = "\n".join(
        [page.getvalue(), *(json.dumps(one, allow_nan=False, ensure_ascii=False) for one in documents)]
    )
    whole.encode()
    return whole


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_gets_its_verdict(program, graded, level, canary):
    if program.header.get("level", level.value) != level.value:
        pytest.skip(f"only the level {program.header['level']} can tell")
    expected = program.expected
    if expected.refused:
        with pytest.raises(UnusableSubmission) as refused:
            program.submission(canary)
        assert refused.value.message.code == expected.refused
        return
    report = graded(program)
    assert not report.fault, [result.outcome for result in report.results]
    shown = [(result.test.id, result.score, result.findings) for result in report.results]
    assert 100 * report.score == pytest.approx(expected.score * report.max_score), shown
    if expected.code:
        first = {result.findings[0].code for result in report.results if result.findings} - set(SILENT)
        assert first and first <= expected.code, shown
    names = {mistake.code for result in report.results if result.named for mistake in result.named.mistakes}
    assert names == {expected.named} - {""} or not (expected.named or expected.score == 100), names
    assert expected.note in {"", *(note.code for note in report.notes)}, report.notes


def test_the_corpus_is_large_and_tries_and_permits():
    scores = [program.expected.score for program in PROGRAMS]
    assert len(scores) >= 60 and scores.count(0) >= 60 and scores.count(100) >= 20
