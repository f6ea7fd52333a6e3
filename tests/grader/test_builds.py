"""A submission that does not compile: said once at the top, and in every test."""

import json

import pytest

from grader import catalogue, grading
from grader.report import gradescope, record
from grader.submission import choose

BROKEN = {
    "cpp": ("submission.cpp", b'extern "C" void attention( { return 1; }\n'),
    "cython": ("submission.pyx", b"def attention(q, k, v):\n    return (\n"),
}


@pytest.mark.parametrize("track", BROKEN)
def test_what_the_compiler_said_is_in_every_kind_of_report(track):
    fast = catalogue.load("fast-attention")
    name, source = BROKEN[track]
    report = grading.grade(choose({name: source}, fast, track), fast, seed=1)
    assert report.score == 0 and len(report.results) == len(fast.tests)
    assert report.build is not None and not report.build.ok
    assert all(result.findings[0].code == "compile-failed" for result in report.results)
    assert "submission" in json.loads(record.as_json(report, "zh"))["build"]["log"]
    assert "submission" in gradescope.results(report, "en")["output"]
