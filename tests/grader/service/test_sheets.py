"""Spreadsheets: students in, scores out."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.db.tables import AuditEntry, Course, Enrolment, Role, User
from grader.services import courses, imports, sheets
from grader.services.refusals import Refused


def imported(world, content, **more):
    with world.database.writing() as session:
        course = session.query(Course).one()
        found = imports.import_students(session, None, course, content, 1, **more)
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
        (b"\xff\xfe\x00", "csv-encoding"),
    ],
)
def test_a_list_with_a_fault_changes_nothing(world, content, code):
    world.course()
    with pytest.raises(Refused) as error:
        imported(world, content)
    assert error.value.code == code
    with world.database.reading() as session:
        assert session.query(User).count() == 0


LIST = "login,name,number\nli,Li,7\nhan,Han,8\n"


def numbers(world):
    with world.database.reading() as session:
        return {place.user.login: place.number for place in session.query(Enrolment) if place.active}


def told(world, text):
    with world.database.writing() as session:
        found = imports.import_students(session, None, session.query(Course).one(), text.encode(), 1)
        return {one.user.login: "; ".join(map(str, one.notes)) for one in found}


def refused(world, text):
    with pytest.raises(Refused) as error:
        imported(world, text if isinstance(text, bytes) else text.encode())
    return str(error.value)


def test_a_list_sets_and_corrects_numbers_and_says_so(world):
    world.course(li="student")
    assert told(world, LIST) == {"li": "has the number 7 now", "han": ""}
    assert told(world, LIST) == {"li": "", "han": ""}
    swapped = "login,name,number\nli,Li,8\nhan,Han,7\n"
    assert told(world, swapped)["han"] == "has the number 7 now, not 8"
    assert told(world, "login,name\nli,Li\n") == {"li": ""}, "without the column nothing is taken away"
    assert numbers(world) == {"li": "8", "han": "7"}
    with world.database.reading() as session:
        noted = [one for one in session.query(AuditEntry) if one.act == "student number"]
        assert [one.target for one in noted] == ["li", "li", "han"]
        assert noted[-1].detail == {"number": "7", "before": "8"}


def test_a_number_that_another_has_is_refused_by_its_line(world):
    world.course()
    imported(world, LIST.encode())
    words = refused(world, "login,name,number\nnew,New,1\nli,Li,８\n")
    assert words == "Line 3 of the CSV: han has the student number 8 in this course already."
    assert numbers(world) == {"li": "7", "han": "8"}


def test_who_was_put_out_is_back_by_the_list_and_it_is_said(world):
    world.course(li="teacher", boss="teacher")
    with world.database.writing() as session:
        place = session.query(Enrolment).filter_by(user_id=world.user(session, "li").id).one()
        courses.set_role(session, None, place, place.role, active=False)
    assert told(world, LIST)["li"] == "is back in the course; has the number 7 now"
    with world.database.reading() as session:
        place = session.query(Enrolment).filter_by(user_id=world.user(session, "li").id).one()
        assert place.active and place.role is Role.STUDENT
    boss = world.browser("boss")
    page = boss.upload_csv("/c/nlp/people/import", "login,name,number\nli,Li,9\nboss,Boss,1\n").text
    assert len(page.split("<pre")[1].split("</pre>")[0].splitlines()) == 2
    assert "1 student is in the course" in page
    assert "has the number 9 now, not 7" in page and "is no student here, and stays so" in page


def test_one_login_twice_in_a_list_counts_once_or_is_refused_with_both_lines(world):
    world.course()
    assert len(imported(world, b"login,name,number\ndd,First,1\n\nDD,First, 1\n")) == 1
    words = refused(world, "login,name,number\nee,First,5\nff,F,6\nｅｅ,Second,5\n")
    assert words.startswith("Lines 2 and 4 of the CSV are both about")
    words = refused(world, "login,name,number\nee,First,5\nff,F,５\n")
    assert words == "Lines 2 and 3 of the CSV have the same student number, 5."


@pytest.mark.parametrize("separator", [";", "\t", "，", "；"])
def test_lists_separated_by_other_signs_are_read(world, separator):
    world.course()
    assert imported(world, LIST.replace(",", separator).encode())[0][:2] == ("li", "Li")
    assert numbers(world) == {"li": "7", "han": "8"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (LIST.replace(",", "|").encode(), "with commas between them; found: login|name|number."),
        (LIST.encode("utf-16"), "CSV UTF-8"),
        (LIST.encode("utf-16-le"), "CSV UTF-8"),
        (LIST.encode("utf-16-be"), "CSV UTF-8"),
        (b"PK\x03\x04\x14\x00\x06\x00", "CSV UTF-8"),
        (b"login,name,number\nli,Li, Lei,7\n", "Line 2 of the CSV: there are 4 cells and only 3 columns."),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_with_the_way_out(world, content, words):
    world.course()
    assert words in refused(world, content)


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
