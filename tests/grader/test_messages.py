"""Messages: every code in both languages, with the same fields."""

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import messages
from grader.apart import told_apart
from grader.catalogue import load, load_all
from grader.messages import ENGLISH, fields, place, render, translated
from grader.models import Message, Named

GRADER = Path(messages.__file__).parent


class Any:
    """Fills every field, whatever its format."""

    def __format__(self, spec):
        return "§"


@pytest.mark.parametrize("code", ENGLISH)
def test_every_code_has_a_chinese_text_with_the_same_fields(code):
    chinese = translated(code, "zh")
    assert any("一" <= letter <= "鿿" for letter in chinese)
    assert fields(chinese) == fields(ENGLISH[code])


@pytest.mark.parametrize("code", ENGLISH)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_code_is_rendered(code, lang):
    params = {name: Any() for name in fields(ENGLISH[code])}
    text = render(Message(code, params), lang)
    assert text.count("§") >= len(params) and "{" not in text


def test_the_catalogue_has_no_texts_of_codes_that_are_gone():
    entries = [message for message in messages._catalog("zh") if message.id]
    assert {message.context for message in entries} == set(ENGLISH)


@pytest.mark.parametrize("code", ENGLISH)
def test_fields_are_plain_names(code):
    """Not attributes or items of what is filled in."""
    for _, name, _, conversion in string.Formatter().parse(ENGLISH[code]):
        assert name is None or (name.isidentifier() and conversion is None)


def test_what_is_filled_in_is_not_read_as_a_template():
    text = render(Message("raised", {"type": "ValueError", "text": "{0.__class__} {text}"}), "en")
    assert text.endswith("{0.__class__} {text}")


def test_nothing_that_is_filled_in_can_turn_a_terminal_or_a_line():
    inner = Message("raised", {"type": "E\x1b[2J", "text": "\u202e\x9b\ud800"})
    text = render(Message("your-mistake", {"title": inner}), "en")
    assert "E\ufffd[2J" in text and not set(text) & set("\x1b\u202e\x9b\ud800")


@pytest.mark.parametrize(("lang", "said"), [("en", "query 3, column 1"), ("zh", "查询 3，第 1 列")])
def test_an_index_is_said_by_the_names_of_the_last_axes(lang, said):
    index = place(("batch", "head", "query", "column"), (3, 1))
    params = {"result": "output", "count": 1, "total": 9, "index": index, "expected": 2.0}
    assert said in render(Message("nan-where-none-belongs", params), lang)


NEAR = {"index": "0", "result": "y", "count": 1, "total": 2, "error": 3e-18, "bound": 1e-19, "times": 30.0}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("code", "params", "shown"),
    [
        (
            "wrong-values",
            NEAR | {"got": 0.000759981834512341, "expected": 0.000759981834512342},
            ("0.000759981834512341", "0.000759981834512342"),
        ),
        ("wrong-values", NEAR | {"got": 1.0, "expected": 1.0 + 2**-52}, ("1", "1.0000000000000002")),
        ("wrong-values", NEAR | {"got": 1.5, "expected": 2.25}, ("1.5", "2.25")),
        ("wrong-values", NEAR | {"got": 1.5, "expected": 2.0, "error": 1.0001, "bound": 1.0}, ("1.0001",)),
        ("too-much-memory", {"got": 512.004, "limit": 512.0}, ("512.004", "512.000")),
        ("too-slow", {"ratio": 2.0004, "target": 2.0}, ("2.0004",)),
    ],
)
def test_two_numbers_that_differ_are_shown_differently(code, params, shown, lang):
    """It said "got 0.000759981835, expected 0.000759981835"."""
    words = re.findall(r"[\d.e+-]*\d", render(Message(code, params), lang))
    assert set(shown) <= set(words)


@given(st.floats(), st.floats())
def test_any_two_floats_that_differ_are_told_apart(one, two):
    texts = [f"{number:.9g}" for number in told_apart({"got": one, "expected": two}).values()]
    assert (texts[0] != texts[1]) == (one != two) or {one, two} == {0.0} or texts == ["nan", "nan"]


def test_every_axis_of_the_course_has_a_name():
    for assignment in load_all():
        for function in assignment.functions.values():
            for axes in function.axes.values():
                assert all(f"axis-{axis}" in ENGLISH for axis in axes)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_pair_and_a_fitted_number_are_told(lang):
    by_code = {mistake.code: mistake for mistake in load("softmax").mistakes}
    named = Named((by_code["no-max"], by_code["eps-added"]), {"EPS": 1e-8})
    title = messages.title_of(named, lang)
    assert by_code["no-max"].title[lang] in title and "1e-08" in title
    assert messages.hints_of(named, lang) == (by_code["no-max"].hint[lang], by_code["eps-added"].hint[lang])


def test_every_code_is_used_somewhere():
    sources = [path for path in GRADER.rglob("*.py") if "assignments" not in path.relative_to(GRADER).parts]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.name != "verdict.py")
    code += (
        (GRADER / "sandbox" / "verdict.py").read_text(encoding="utf-8").split('"""', 2)[2]
    )  # not its table
    for name in ENGLISH:
        uses = code.count(f'"{name}"') - 1
        assert uses or name.startswith(("axis-", "group-")), name
