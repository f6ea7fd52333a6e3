"""A submission that does not compile: said once at the top, and in every test."""

import json
import re
from dataclasses import replace

import pytest

from grader import catalogue, grading
from grader.messages import render
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


FAST = catalogue.load("fast-attention")
DOUBLED = b"".join(b"#define A%d A%d A%d\n" % (n + 1, n, n) for n in range(40))


def report_on(source, track="cpp", tests=1, **limits):
    """Graded with other limits than usual."""
    some = [replace(test, limits=replace(test.limits, **limits)) for test in FAST.tests[:tests]]
    name = FAST.tracks[track].file
    return grading.grade(choose({name: source}, FAST, track), replace(FAST, tests=tuple(some)), seed=1)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"#define A0 1,\n" + DOUBLED + b"int x[] = {A40 1};\n", "more than the 256 MiB of memory"),
        (b"char x[1ul << 30] = {1};\n", "a file of more than the 512 MiB"),
    ],
    ids=["memory", "file"],
)
def test_a_compiler_that_met_a_limit_is_no_bug_of_the_compiler(source, said):
    """It said "Killed signal terminated program cc1plus", and "Please submit a full bug report"."""
    report = report_on(source, compile_memory_bytes=256 << 20)
    (finding,) = report.results[0].findings
    assert said in render(finding, "en") and "g++" not in render(finding, "zh")
    assert report.build is not None and not re.search("bug report|terminated", report.build.log)


def test_a_library_with_too_large_arrays_is_told_the_limit_of_memory():
    """It said "cannot map zero-fill pages"."""
    (finding,) = report_on(b"char x[1ul << 40];\n").results[0].findings
    assert finding.code == "out-of-memory"


def test_a_library_without_the_function_is_not_told_what_was_found_instead():
    (finding,) = report_on(b"static int attention() { return 1; }\n").results[0].findings
    assert "(found" not in render(finding, "en") and 'extern "C"' in render(finding, "en")


CHANGES = {
    "cpp": (
        b'extern "C" void attention(float* q, const float*, const float*, float*) { q[0] += 1; }\n',
        "std::vector",
    ),
    "cython": (b"def attention(q, k, v):\n    q[0] += 1\n    return q * 1\n", "memoryview"),
}


@pytest.mark.parametrize("track", CHANGES)
def test_advice_is_in_the_language_of_the_submission(track):
    """C++ was told to write `q = q.copy()`."""
    source, advice = CHANGES[track]
    findings = [render(found, "en") for found in report_on(source, track).results[0].findings]
    (changed,) = [text for text in findings if text.startswith("The argument q")]
    assert advice in changed
