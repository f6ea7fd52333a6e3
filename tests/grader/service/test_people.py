"""Who is who in a course: logins, numbers, roles, extensions."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from service_world import PASSWORD, World

from grader.db.clock import now
from grader.db.tables import AuditEntry, Course, Enrolment, Extension, Role, User
from grader.services import accounts, courses, extensions, logins
from grader.services.refusals import Refused


@contextmanager
def refusing(code: str):
    with pytest.raises(Refused) as error:
        yield
    assert error.value.code == code


# ---- Logins ----


@pytest.mark.parametrize("login", ["ａｄｍｉｎ", "Ａdmin", " ADMIN ", "admin"])
def test_wide_letters_are_the_same_login(world, login):
    world.person("admin")
    with world.database.writing() as session, refusing("login-taken"):
        accounts.create(session, login, "Somebody")
    assert world.browser().post("/login", login=login, password=PASSWORD).status_code == 302


@pytest.mark.parametrize("login", ["аdmin", "p\u03bfpe", "li\u0410", "пop"])
def test_a_login_that_mixes_letters_which_look_alike_is_refused(world, login):
    with world.database.writing() as session, refusing("mixed-login"):
        accounts.create(session, login, "Somebody")


@pytest.mark.parametrize("login", ["иван", "ελένη", "李雷", "li雷", "zoë", "li@example.edu", "ｌｉ７"])
def test_a_login_of_one_alphabet_is_taken(login):
    assert logins.clean(login) == logins.plain(login)


@pytest.mark.parametrize("login", ["ａｄｍｉｎ", "аdmin"])
def test_an_account_of_before_still_comes_in(world, login):
    """Made when width did not count, and letters were not looked at; beside one that has the plain login."""
    world.person("admin")
    world.person("other")
    with world.database.writing() as session:
        world.user(session, "other").login = login
    world.browser(login)
    with world.database.reading() as session:
        assert accounts.find(session, login).login == login
        assert accounts.find(session, "admin").login == "admin"


def test_a_guess_in_wide_letters_counts_as_a_guess(tmp_path):
    world = World(tmp_path, logins_per_minute=3)
    browser = world.browser()
    written = ["admin", "ａdmin", "aｄmin", "adｍin"]
    assert [browser.post("/login", login=one, password="x").status_code for one in written][-1] == 429
    world.close()


# ---- Numbers ----


def registered(world, login: str, number: str, browser=None):
    with world.database.reading() as session:
        code = session.query(Course).one().join_code
    fields = {"code": code, "login": login, "name": login, "number": number, "password": PASSWORD}
    return (browser or world.browser()).post("/register", **fields)


@pytest.mark.parametrize("number", ["2024001a", " 2024001A", "２０２４００１Ａ"])
def test_a_number_that_another_has_is_refused_and_it_is_not_said_whose(world, number):
    world.course()
    assert registered(world, "victim", "2024001A").status_code == 302
    answer = registered(world, "malice", number)
    assert "has the student number" in answer.text and "victim" not in answer.text.casefold()
    with world.database.reading() as session:
        assert [user.login for user in session.query(User)] == ["victim"]
    assert registered(world, "malice", "").status_code == 302


def test_of_two_who_come_with_one_number_at_once_one_is_taken(world):
    world.course()
    browsers = [world.browser() for _ in range(4)]
    for browser in browsers:
        browser.get("/login")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: registered(world, f"s{i}", "7", browsers[i]).status_code, range(4)))
    assert sorted(found) == [200, 200, 200, 302]


def test_who_is_out_keeps_no_number_from_others_and_comes_back_without_taking_theirs(world):
    world.course(boss="teacher")
    registered(world, "li", "7")
    with world.database.writing() as session:
        boss, li = world.user(session, "boss"), world.user(session, "li")
        place = courses.place_of(session, li, session.query(Course).one())
        courses.set_role(session, boss, place, Role.STUDENT, active=False)
    assert registered(world, "han", "7").status_code == 302
    with world.database.writing() as session, refusing("number-of"):
        place = session.query(Enrolment).filter_by(user_id=world.user(session, "li").id).one()
        courses.set_role(session, world.user(session, "boss"), place, Role.STUDENT)


# ---- Roles ----


def role_of(world, login: str) -> Role:
    with world.database.reading() as session:
        return session.query(Enrolment).filter_by(user_id=world.user(session, login).id).one().role


@pytest.mark.parametrize("role", ["student", "assistant", "out"])
def test_the_last_teacher_of_a_course_stays(world, role):
    world.course(boss="teacher", mate="teacher", li="student")
    world.person("admin", admin=True)
    with world.database.writing() as session:
        ids = {login: world.user(session, login).id for login in ("boss", "mate")}
    assert world.browser("boss").post(f"/c/nlp/people/{ids['mate']}/role", role=role).status_code == 302
    for login in ("boss", "admin"):
        answer = world.browser(login).post(f"/c/nlp/people/{ids['boss']}/role", role=role)
        assert answer.status_code == 409 and "only teacher" in answer.text
    assert role_of(world, "boss") is Role.TEACHER


def test_a_teacher_whose_account_is_closed_is_no_teacher_who_is_left(world):
    world.course(boss="teacher", mate="teacher")
    with world.database.writing() as session:
        accounts.set_active(session, None, world.user(session, "mate"), False)
        place = session.query(Enrolment).filter_by(user_id=world.user(session, "boss").id).one()
        with refusing("last-teacher"):
            courses.set_role(session, None, place, Role.STUDENT)


@pytest.mark.parametrize("role", ["student", "out"])
def test_a_teacher_who_becomes_a_student_is_sent_where_he_may_go(world, role):
    world.course(boss="teacher", mate="teacher")
    with world.database.reading() as session:
        boss = world.user(session, "boss").id
    browser = world.browser("boss")
    answer = browser.post(f"/c/nlp/people/{boss}/role", role=role)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert browser.get("/").status_code == 200


# ---- Extensions ----


def given(world, days: float | None, attempts: int) -> Extension | None:
    with world.database.writing() as session:
        task, boss, li = world.task(session), world.user(session, "boss"), world.user(session, "li")
        due = None if days is None else task.due_at + timedelta(days=days)
        return extensions.extend(session, boss, task, li, due, attempts, "ill")


@pytest.mark.parametrize(
    ("days", "attempts", "limit", "code"),
    [
        (-1, 0, 3, "extension-early"),
        (0, 2, 3, "extension-early"),
        (None, 0, 3, "extension-nothing"),
        (None, 2, 0, "extension-nothing"),
    ],
)
def test_an_extension_that_gives_nothing_is_refused(world, days, attempts, limit, code):
    world.course(li="student", boss="teacher")
    world.set_task(due_at=now(), attempts=limit)
    with refusing(code):
        given(world, days, attempts)
    with world.database.reading() as session:
        assert (
            session.query(Extension).count()
            == session.query(AuditEntry).filter_by(act="extension").count()
            == 0
        )


def test_without_a_due_date_there_is_no_later_one(world):
    world.course(li="student", boss="teacher")
    with world.database.writing() as session, refusing("extension-no-due"):
        people = world.user(session, "boss"), world.task(session), world.user(session, "li")
        extensions.extend(session, *people, now(), 0, "")


def test_an_extension_is_taken_back_by_giving_nothing(world):
    world.course(li="student", boss="teacher")
    world.set_task(due_at=now(), attempts=3)
    assert given(world, 2, 1).attempts == 1
    assert given(world, None, 0) is None
    with world.database.reading() as session:
        assert session.query(Extension).count() == 0


def test_when_it_closed_is_said_in_the_zone_of_the_course(world):
    world.course(li="student")
    due = now() - timedelta(hours=1)
    world.set_task(due_at=due)
    answer = world.browser("li").post("/c/nlp/a/softmax/submissions", pasted="x = 1")
    assert answer.status_code == 403 and "took its last submissions at" in answer.text
    assert "(Asia/Shanghai)" in answer.text and "(UTC)" not in answer.text
