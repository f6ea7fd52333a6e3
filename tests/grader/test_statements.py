"""Statements: their examples are right, and what they say of points and limits is what the tests say."""

import doctest

import pytest

from grader import catalogue, solutions

CASES = [(assignment, lang) for assignment in catalogue.load_all() for lang in ("en", "zh")]
each = pytest.mark.parametrize(("assignment", "lang"), CASES, ids=[f"{a.slug}-{lang}" for a, lang in CASES])


def statement(assignment, lang):
    return (assignment.folder / f"statement.{lang}.md").read_text(encoding="utf-8")


@each
def test_examples_are_what_the_solution_gives(assignment, lang):
    names = {name: solutions.variant(assignment, name) for name in assignment.functions}
    text = statement(assignment, lang).replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, names, assignment.slug, None, 0)
    said = []
    result = doctest.DocTestRunner().run(examples, out=said.append)
    assert result.attempted >= 3 and not result.failed, "".join(said)


@each
def test_points_are_those_of_the_tests(assignment, lang):
    text = statement(assignment, lang)
    for group in {test.group for test in assignment.tests}:
        mine = [test for test in assignment.tests if test.group == group]
        assert f"| {len(mine)} | {sum(test.points for test in mine):g} |" in text, group


@each
def test_limits_are_those_of_the_tests(assignment, lang):
    text = statement(assignment, lang)
    for limits in {test.limits for test in assignment.tests}:
        assert f"{limits.wall_seconds:g} s" in text or f"{limits.wall_seconds:g} 秒" in text
        assert f"{limits.memory_bytes >> 20} MiB" in text


@each
def test_ratios_are_those_of_the_tests(assignment, lang):
    for ratios in {test.options["ratios"] for test in assignment.tests if test.group == "speed"}:
        for ratio, share in ratios:
            assert f"| {ratio:g} | {share * 100:.0f} % |" in statement(assignment, lang)


@each
def test_functions_are_named(assignment, lang):
    assert all(f"{name}(" in statement(assignment, lang) for name in assignment.functions)
