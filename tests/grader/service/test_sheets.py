"""Spreadsheets: students in, scores out."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.db.tables import Course, Enrolment, User
from grader.services import sheets
from grader.services.refusals import Refused


def imported(world, content, **more):
    with world.database.writing() as session:
        course = session.query(Course).one()
        found = sheets.import_students(session, None, course, content, 1, **more)
        return [(one.user.login, one.user.name, bool(one.link), bool(one.token)) for one in found]


def test_a_list_of_students_in_either_language_and_encoding(world):
    world.course()
    assert imported(world, "login,name,number\nLi,李雷,7\n".encode()) == [("li", "李雷", True, False)]
    chinese = "学号,姓名,登录名\n8,韩梅梅,han\n\n".encode("gb18030")
    assert imported(world, chinese, tokens=True) == [("han", "韩梅梅", True, True)]
    with world.database.reading() as session:
        assert sorted(place.number for place in session.query(Enrolment)) == ["7", "8"]


def test_who_has_an_account_gets_no_link_and_keeps_his_name(world):
    world.course()
    world.person("li")
    assert imported(world, b"login,name\nli,Somebody Else\n") == [("li", "Li", False, False)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"name,number\nLi,7\n", "csv-columns"),
        (b"", "csv-columns"),
        (b"login,name\nli,Li\nno spaces please,Han\n", "bad-csv"),
        (b"login,name\nli,\n", "bad-csv"),
        (b"\xff\xfe\x00", "bad-csv"),
    ],
)
def test_a_list_with_a_fault_changes_nothing(world, content, code):
    world.course()
    with pytest.raises(Refused) as error:
        imported(world, content)
    assert error.value.code == code
    with world.database.reading() as session:
        assert session.query(User).count() == 0


@pytest.mark.parametrize("style", sheets.STYLES)
def test_scores_go_out_with_a_bom_and_without_formulas(world, style):
    world.course(li="student")
    world.submit("li")
    world.work()
    with world.database.writing() as session:
        world.user(session, "li").name = '=HYPERLINK("http://evil","李雷")'
        content = sheets.scores(session, None, session.query(Course).one(), style, "zh")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert any("Softmax" in cell for cell in rows[0])
    assert "100.00" in rows[-1] and '\'=HYPERLINK("http://evil","李雷")' in rows[-1]
    assert len({len(row) for row in rows}) == 1


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"))))
def test_no_cell_is_ever_a_formula_and_no_text_is_lost(cells):
    rows = list(csv.reader(io.StringIO(sheets.as_csv(iter([["x", *cells]])).decode("utf-8-sig"), newline="")))
    for cell, came in zip(cells, rows[0][1:], strict=True):
        assert came in (cell, f"'{cell}")
        assert not came.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "＝"))


def test_a_pseudonym_stands_on_the_leaderboard_and_an_empty_one_is_the_name(world):
    world.course(li="student")
    world.submit("li")
    world.work()
    browser = world.browser("li")
    assert "Li " not in browser.get("/c/nlp/a/softmax/leaderboard").text.split("<tbody>")[1]
    browser.post("/c/nlp/pseudonym", pseudonym="")
    assert "Li " in browser.get("/c/nlp/a/softmax/leaderboard").text.split("<tbody>")[1]
