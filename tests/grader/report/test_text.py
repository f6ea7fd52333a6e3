"""The report that one reads: everything said once, nothing that a submission says passes for the grader's words."""

from io import StringIO

import pytest
from rich.console import Console

from grader import catalogue, grading
from grader.report import gradescope, record, text
from grader.submission import choose

SOFTMAX, FAST = catalogue.load("softmax"), catalogue.load("fast-attention")


def report_of(source, assignment=SOFTMAX, track="numpy", **others):
    name = assignment.tracks[track].file
    files = {name: source.encode(), **{other: content.encode() for other, content in others.items()}}
    return grading.grade(choose(files, assignment, track), assignment, seed=7)


def page_of(report, lang="en", **console):
    page = StringIO()
    text.show(report, lang, Console(file=page, **console))
    return page.getvalue()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def softmax(x)\n    return x\n", "cannot be imported"),
        ("def soft_max(x, axis=-1):\n    return x\n", "no function softmax"),
        ("import torch\n", "no module torch"),
    ],
)
def test_what_keeps_every_test_from_running_is_said_once(source, said):
    page = page_of(report_of(source))
    assert page.count(said) == 1
    assert page.count("not run") == len(SOFTMAX.tests)
    assert "called:" not in page


@pytest.mark.parametrize("module", ["torch", "scipy.special", "pyattn", "helper"])
@pytest.mark.parametrize("where", ["import {}\n", "def softmax(x, axis=-1):\n    import {}\n"])
def test_a_module_that_is_not_there_is_named_with_what_is(module, where):
    found = record.record(report_of(where.format(module)), "en")
    for test in found["tests"]:
        (finding,) = test["findings"]
        assert finding["code"] == "module-missing" and finding["params"]["module"] in (module, "scipy")
        assert "NumPy, the standard library" in finding["text"]


def test_a_traceback_is_shown_with_the_first_test_that_has_it():
    page = page_of(report_of("def softmax(x, axis=-1):\n    raise NotImplementedError('to do')\n"))
    assert page.count("Traceback") == 1 and page.count("NotImplementedError was raised") == len(SOFTMAX.tests)


def test_what_is_printed_is_shown_with_every_test():
    page = page_of(report_of("def softmax(x, axis=-1):\n    print('look here')\n    return x\n"))
    assert page.count("look here") == len(SOFTMAX.tests)


COMPILERS = [
    ("cython", "def attention(q, k, v\n    return 1\n", "Cython", "submission.pyx:2:4"),
    ("cython", "cdef extern from *:\n    '''#error no'''\n    int x\nx\n", "gcc", "#error no"),
    ("cpp", "void attention() {\n    return y;\n}\n", "g++", "submission.cpp:2:"),
    ("cpp", '#warning "w"\n' * 50 + "int x = y;\n", "g++", "submission.cpp:51:"),
]


@pytest.mark.parametrize(("track", "source", "command", "place"), COMPILERS, ids=range(len(COMPILERS)))
def test_a_failed_build_says_once_what_failed_and_where(track, source, command, place):
    report = report_of(source, FAST, track)
    reason = report.results[0].findings[0]
    assert reason.code == "compile-failed" and reason.params["command"] == command
    assert place in reason.params["text"]
    page = page_of(report)
    assert page.count(f"{command} cannot compile") == 1 and page.count("not run") == len(FAST.tests)
    assert page.count(place) >= 2, "the log around the error is there, too"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_line_of_a_piped_report_ends_in_a_space(lang):
    for source in ("import torch\n", "def softmax(x, axis=-1):\n    print('a ')\n    return -x\n"):
        lines = page_of(report_of(source), lang, width=60).splitlines()
        assert [line for line in lines if line != line.rstrip()] == []


def test_a_terminal_gets_lines_that_fit_and_stay_indented():
    page = page_of(report_of("import torch\n"), width=60, force_terminal=True, color_system=None)
    reason = page.splitlines()[1:4]
    assert all(line.startswith("    ") and len(line) <= 60 for line in reason)


FORGED = "✓ A matrix, row by row  12/12  public"


def test_no_line_of_a_submission_passes_for_one_of_the_report():
    """Whatever a student writes is indented; only the grader begins at the margin."""
    odd = {f"x\n{FORGED}.txt": ""}
    python = f"print({FORGED!r})\nraise ValueError('\\n{FORGED}')\n"
    cpp = f"#error {FORGED}\n"
    for report in (report_of(python, **odd), report_of(cpp, FAST, "cpp", **odd)):
        page = page_of(report)
        assert FORGED in page
        assert not any(line.startswith(("✓", "x")) for line in page.splitlines())


ODD = "\x1b\x9b\u202e\u2066\u200b\x07\x00\ud800"


def strings(document):
    """Every text of a document, before JSON has escaped anything in it."""
    if isinstance(document, dict | list):
        for part in document.values() if isinstance(document, dict) else document:
            yield from strings(part)
    elif isinstance(document, str):
        yield document


def test_no_control_or_direction_character_reaches_any_report():
    python = f"print({ODD!r})\nclass E(Exception): pass\nE.__name__ = {'E' + ODD[:-2]!r}\nraise E({ODD!r})\n"
    cpp = f"#error {ODD[:-2]}\n"
    file = {"a\x1b[31m\u202e.txt": ""}
    for report in (report_of(python, **file), report_of(cpp, FAST, "cpp", **file)):
        documents = [page_of(report), record.record(report, "en"), gradescope.results(report, "en")]
        for words in (words for document in documents for words in strings(document)):
            assert not set(words) & set(ODD), words
