"""The trusted side's own runs: in float64, on copies, one variant not touching the next."""

import ast
from pathlib import Path

import numpy as np
import pytest

import grader
from grader import catalogue, inputs, solutions

ASSIGNMENTS = catalogue.load_all()
SOFTMAX = catalogue.load("softmax")
MISTAKES = {mistake.code: mistake for mistake in SOFTMAX.mistakes}
TEST = SOFTMAX.tests[0]


def test_the_expected_answer_is_float64_whatever_the_input():
    for assignment in ASSIGNMENTS:
        test = assignment.tests[0]
        arguments = inputs.make_arguments(test, 1)
        results = solutions.expected(assignment, test, arguments)
        assert len(results) == len(assignment.functions[test.function].results)
        assert all(result.dtype == np.float64 for result in results)


def test_the_solution_keeps_the_inputs_dtype():
    for assignment in ASSIGNMENTS:
        test = assignment.tests[0]
        results = solutions.evaluate(assignment, test, inputs.make_arguments(test, 1))
        assert all(result.dtype == np.float32 for result in results)


def test_arguments_are_left_alone_by_every_mistake():
    for assignment in ASSIGNMENTS:
        arguments = inputs.make_arguments(assignment.tests[1], 1)
        before = {name: np.array(value) for name, value in arguments.items()}
        for mistake in assignment.mistakes:
            numbers = {name: high for name, (_, high) in mistake.fit.items()}
            solutions.evaluate(assignment, assignment.tests[1], arguments, (mistake,), numbers)
        assert all(np.array_equal(before[name], value) for name, value in arguments.items())


def test_a_mistake_leaves_no_trace_in_the_solution():
    arguments = inputs.make_arguments(TEST, 1)
    (before,) = solutions.expected(SOFTMAX, TEST, arguments)
    (wrong,) = solutions.evaluate(SOFTMAX, TEST, arguments, (MISTAKES["base-two"],))
    (after,) = solutions.expected(SOFTMAX, TEST, arguments)
    assert np.array_equal(before, after) and not np.allclose(before, wrong)


def test_two_mistakes_are_both_made():
    arguments = inputs.make_arguments(TEST, 1)
    pair = (MISTAKES["base-two"], MISTAKES["not-normalised"])
    (both,) = solutions.evaluate(SOFTMAX, TEST, arguments, pair, dtype="float64")
    x = arguments["x"].astype(float)
    np.testing.assert_allclose(both, 2 ** (x - x.max(axis=-1, keepdims=True)), rtol=1e-14)


@pytest.mark.parametrize("eps", [0.25, 4.0])
def test_a_free_number_is_set_for_each_run(eps):
    arguments = inputs.make_arguments(TEST, 1)
    (got,) = solutions.evaluate(SOFTMAX, TEST, arguments, (MISTAKES["eps-added"],), {"EPS": eps}, "float64")
    powers = np.exp(arguments["x"].astype(float) - arguments["x"].astype(float).max(axis=-1, keepdims=True))
    np.testing.assert_allclose(got, powers / (powers.sum(axis=-1, keepdims=True) + eps), rtol=1e-14)


def test_a_mistake_that_raises_gives_nothing():
    assignment = catalogue.load("scaled-dot-product")
    (turned,) = (m for m in assignment.mistakes if m.code == "weights-transposed")
    plain = assignment.tests[0]
    assert solutions.evaluate(assignment, plain, inputs.make_arguments(plain, 1), (turned,)) is None


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    "name",
    [
        "bounds",
        "catalogue",
        "diagnosis",
        "evidence",
        "fields",
        "fitting",
        "inputs",
        "known",
        "limits",
        "messages",
    ]
    + ["prove", "solutions", "specs", "starter"],
)
def test_what_needs_no_sandbox_knows_none(name):
    found = set(imports(Path(grader.__file__).parent / f"{name}.py"))
    for other in (
        "grader.sandbox",
        "grader.grading",
        "grader.checks",
        "grader.cli",
        "flask",
        "click",
        "pyattn",
    ):
        assert not any(one == other or one.startswith(f"{other}.") for one in found)
