"""The proof that assignments judge well, and that it would see it if they did not."""

import shutil
from functools import lru_cache

import numpy as np
import pytest

from grader import bounds, catalogue, inputs, solutions
from grader.diagnosis import SKIPPED_GROUPS
from grader.prove import prove

pytestmark = pytest.mark.usefixtures("one_thread_for_products")
ASSIGNMENTS = catalogue.load_all()
each = pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda assignment: assignment.slug)


@lru_cache
def proof_of(slug):
    return prove(catalogue.load(slug), [20261130, 4])


@each
def test_the_solution_passes_and_every_mistake_is_caught_and_named(assignment):
    proof = proof_of(assignment.slug)
    assert proof.holds, "\n".join(proof.faults)
    assert {shown.mistake.code for shown in proof.shown} == {mistake.code for mistake in assignment.mistakes}


@each
def test_no_test_is_blind_to_everything(assignment):
    for test, blind in proof_of(assignment.slug).blind_spots().items():
        assert len(blind) < len(assignment.mistakes), test


def spoilt(tmp_path, slug, file, old, new):
    shutil.copytree(catalogue.ROOT / slug, tmp_path / slug)
    path = tmp_path / slug / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return catalogue.load(slug, tmp_path)


def test_a_mistake_that_no_test_sees_is_a_fault(tmp_path):
    blunt = spoilt(
        tmp_path, "softmax", "assignment.toml", 'fill = "minus-inf", rows = 2', 'fill = "minus-inf"'
    )
    assert any("nan-row passes every test" in fault for fault in prove(blunt, [1]).faults)


def test_two_mistakes_that_look_alike_are_a_fault(tmp_path):
    twins = spoilt(
        tmp_path,
        "softmax",
        "mistakes/base-two.py",
        "np.exp2(shifted)",
        "(shifted == 0).astype(shifted.dtype)",
    )
    assert {"seed 1: hard-max is named nothing", "seed 1: base-two is named nothing"} <= set(
        prove(twins, [1]).faults
    )


def test_a_solution_that_fails_its_own_tests_is_a_fault(tmp_path):
    coarse = "np.exp(shifted) * (1 + 1e-5 * (shifted.dtype == np.float32) * (shifted < -1))"
    assignment = spoilt(tmp_path, "softmax", "solution.py", "return np.exp(shifted)", f"return {coarse}")
    assert any("the solution fails rows" in fault for fault in prove(assignment, [1]).faults)


def test_a_solution_that_raises_is_a_fault_that_names_the_test(tmp_path):
    assignment = spoilt(tmp_path, "softmax", "assignment.toml", "arguments.axis = 0", "arguments.axis = 7")
    (fault,) = prove(assignment, [1]).faults
    assert "tests.columns" in fault and "axis 7" in fault


def test_cheats_are_handed_to_the_grader_and_must_get_nothing():
    assignment = catalogue.load("softmax")
    asked = []

    def grade(given, paths):
        asked.extend(paths)
        return [7.0 if path.name == "zeros.py" else 0.0 for path in paths]

    proof = prove(assignment, [1], grade)
    assert tuple(asked) == assignment.cheats and len(asked) >= 10
    assert proof.faults == ("the cheat zeros.py gets 7 points",)


HARMLESS = ["zeros", "uniform", "nan", "infinite", "input-returned", "broadcast", "memorised"]


@pytest.mark.parametrize("name", HARMLESS)
@pytest.mark.parametrize("slug", ["softmax", "scaled-dot-product", "masking", "online-softmax"])
def test_no_cheat_that_is_safe_to_call_here_passes_a_test(slug, name):
    assignment = catalogue.load(slug)
    names = {}
    exec((assignment.folder / "cheats" / f"{name}.py").read_text(encoding="utf-8"), names)
    for test in assignment.tests:
        if test.group in SKIPPED_GROUPS:
            continue
        arguments = inputs.make_arguments(test, 11)
        exact = solutions.expected(assignment, test, arguments)
        try:
            given = names[test.function](**arguments)
        except ValueError:
            continue
        results = tuple(np.asarray(part) for part in (given if isinstance(given, tuple) else (given,)))
        assert not bounds.within(results, exact, bounds.of(test.bound, arguments, exact)), test.id
