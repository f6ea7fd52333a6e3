"""Every program of the corpus gets its verdict, and neither gains a point, leaves a trace nor reads the host."""

import json
import subprocess
import sys
from io import StringIO

import pytest
from corpus_program import programs
from corpus_worker import graded
from rich.console import Console

from grader.printed import clean
from grader.report import gradescope, record, text
from grader.sandbox import Level, Sandbox, SandboxUnavailable
from grader.unusable import UnusableSubmission

pytestmark = pytest.mark.alone  # keeps two cores busy
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
    return request.param


def can_tell(program, level):
    """Whether a program is graded at this level."""
    return program.header.get("level", level.value) == level.value and not program.expected.refused


@pytest.fixture(scope="module")
def results(level, request):
    """What comes of the programs whose tests will be run at this level: they are graded ahead, a few at a time."""
    given = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    wanted = [params["program"] for params in given if params.get("level") is level and "program" in params]
    with graded([program for program in wanted if can_tell(program, level)], level) as results:
        yield results


@pytest.fixture
def report_of(results):
    """The report on a program; nothing may be left of it, and nothing of the host may be in the report."""

    def report_of(program):
        one = results[program.name].result()
        assert one.after == one.before and one.scratch == ()
        assert one.secret not in everything_said(one.report)
        return one.report

    return report_of


def everything_said(report):
    """The report in every form, in both languages: each can be made and encoded, and none of them obeys the student."""
    page = StringIO()
    text.show(report, "zh", Console(file=page, width=110, force_terminal=False))
    documents = [record.record(report, "en"), gradescope.results(report, "en")]
    whole = "\n".join(
        [page.getvalue(), *(json.dumps(one, allow_nan=False, ensure_ascii=False) for one in documents)]
    )
    assert whole == clean(whole) and whole.encode()
    return whole


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_gets_its_verdict(program, report_of, level, tmp_path):
    expected = program.expected
    if expected.refused:
        with pytest.raises(UnusableSubmission) as refused:
            program.submission(tmp_path)
        assert refused.value.message.code == expected.refused
        return
    if not can_tell(program, level):
        pytest.skip(f"only the level {program.header['level']} can tell")
    report = report_of(program)
    assert not report.fault, [result.outcome for result in report.results]
    shown = report.seed, [(result.test.id, result.score, result.findings) for result in report.results]
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


THROUGH_THE_COMMAND_LINE = {
    "honest-blocks-merged.py": 0,
    "honest-gbk-comments.py": 0,
    "forged-report-prints.py": 0,
    "forged-grader-error.py": 0,
    "helpers-hide-the-library": 0,
    "compile-lines-of-the-report.cpp": 0,
    "everybody-killed.py": 0,
    "source-binary.py": 2,
    "source-with-nul.py": 2,
}


@pytest.mark.parametrize("name", THROUGH_THE_COMMAND_LINE)
def test_the_command_line_ends_as_it_says(name, tmp_path):
    """0 whatever a submission does, 2 where there is nothing to grade; on standard output one report or nothing."""
    (program,) = (program for program in PROGRAMS if program.name == name)
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for file, content in program.files(tmp_path / "canary").items():
        (folder / file).write_bytes(content)
    path = folder if program.path.is_dir() else folder / name
    words = ["grade", str(path), "--assignment", program.header["assignment"], "--format", "json"]
    ran = subprocess.run([sys.executable, "-m", "grader", *words], capture_output=True, check=False)
    assert ran.returncode == THROUGH_THE_COMMAND_LINE[name], ran.stderr
    assert b"Traceback" not in ran.stderr
    if ran.returncode:
        assert ran.stdout == b"" and ran.stderr.strip()
    else:
        assert json.loads(ran.stdout)["score"] == program.expected.score
