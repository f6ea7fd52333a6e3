"""What hostile people try at the pages."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from service_world import PASSWORD, SOFTMAX, World

from grader.db.tables import ApiToken, Link, User
from grader.services import accounts
from grader.services.refusals import Refused
from grader.web.guard import safe_next


@pytest.fixture
def course(world):
    world.course(li="student", boss="teacher")
    return world


@pytest.mark.parametrize("path", ["/login", "/c/nlp/", "/healthz", "/nowhere", "/static/grader.js"])
def test_every_answer_has_the_policy(course, path):
    headers = course.browser("li").get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Request-Id"]


def test_no_template_has_a_script_or_a_style_in_it(world):
    for path in Path(world.app.root_path, "templates").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"<script(?![^>]*\bsrc=)|<style|\bstyle=['\"]|\son\w+=['\"]|javascript:|\|\s*safe", text
        ), path


def test_without_the_token_of_the_form_nothing_is_done(course):
    browser = course.browser("li")
    for path in (
        "/logout",
        "/c/nlp/pseudonym",
        "/c/nlp/a/softmax/submissions",
        "/account/tokens",
        "/preferences",
    ):
        assert browser.client.post(path, data={"pasted": SOFTMAX}).status_code == 400
    with course.database.reading() as session:
        assert session.query(ApiToken).count() == 0


def test_the_cookie_is_not_for_scripts_or_other_sites(course, tmp_path):
    browser = course.browser()
    cookie = browser.get("/login").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    (tmp_path / "https").mkdir()
    secure = World(tmp_path / "https", public_url="https://grader.example.org")
    answer = secure.browser().get("/login")
    assert "Secure" in answer.headers["Set-Cookie"] and "Strict-Transport-Security" in answer.headers
    secure.close()


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.org", "//evil.org", "/\\evil.org", "\\\\evil.org", "javascript:alert(1)", "http:evil", "", None,
        "/a\nb", "///evil.org", " //evil.org",
    ],
)  # fmt: skip
def test_nobody_is_sent_to_another_site(target):
    assert safe_next(target, "/home") == "/home"


def test_after_logging_in_one_goes_on_where_one_wanted_to(course):
    browser = course.browser()
    answer = browser.get("/c/nlp/")
    assert answer.headers["Location"] == "/login?next=%2Fc%2Fnlp%2F"
    answer = browser.post(answer.headers["Location"], login="li", password=PASSWORD)
    assert answer.headers["Location"] == "/c/nlp/"


def test_passwords_cannot_be_guessed_for_long(tmp_path):
    world = World(tmp_path, logins_per_minute=3)
    world.course(li="student")
    browser = world.browser()
    statuses = [browser.post("/login", login="li", password=f"wrong guess {i}").status_code for i in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    world.close()


def test_a_new_password_ends_every_other_session(course):
    here, there = course.browser("li"), course.browser("li")
    assert there.get("/").status_code == 200
    answer = here.post("/account/password", old=PASSWORD, new="another long password")
    assert answer.status_code == 302
    assert here.get("/").status_code == 200
    assert there.get("/").status_code == 302


def test_a_closed_account_is_out_at_once(course):
    browser = course.browser("li")
    with course.database.writing() as session:
        accounts.set_active(session, None, course.user(session, "li"), False)
    assert browser.get("/").status_code == 302


def test_a_session_ends_by_itself(course):
    cookie = course.browser("li").client.get_cookie("grader")
    assert cookie is not None and cookie.expires is not None


def test_secrets_are_kept_as_digests_only(course):
    with course.database.writing() as session:
        user = course.user(session, "li")
        _token, text = accounts.make_token(session, user, "laptop", ["read"])
        link = accounts.make_link(session, user, 1)
    raw = b"".join(path.read_bytes() for path in course.settings.data.glob("grader.sqlite3*"))
    for secret in (text, link, PASSWORD):
        assert secret.encode() not in raw


def test_a_token_is_good_for_its_scope_until_it_is_revoked(course):
    with course.database.writing() as session:
        user = course.user(session, "li")
        token, text = accounts.make_token(session, user, "laptop", ["read"])
        assert accounts.token_of(session, text, "read").user is user
        with pytest.raises(Refused):
            accounts.token_of(session, text, "submit")
        accounts.revoke_token(session, user, token.id)
        with pytest.raises(Refused):
            accounts.token_of(session, text, "read")


def test_a_link_is_too_old_after_its_hours(course):
    with course.database.writing() as session:
        token = accounts.make_link(session, course.user(session, "li"), -1)
        with pytest.raises(Refused):
            accounts.open_link(session, token)
        assert session.query(Link).count() == 1


def test_names_and_programs_are_text_and_nothing_else(course):
    evil = "<script>alert(1)</script>"
    with course.database.writing() as session:
        course.user(session, "li").name = evil
    source = f"# {evil}\nprint({evil!r})\nraise ValueError({evil!r})\n"
    submission = course.submit("li", source)
    course.work()
    boss = course.browser("boss")
    for path in (
        f"/s/{submission}",
        f"/s/{submission}/code",
        "/c/nlp/class",
        "/c/nlp/people/",
        "/c/nlp/class/1",
    ):
        page = boss.get(path).text
        assert evil not in page, path
        assert "&lt;script&gt;" in page, path


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("a.py", SOFTMAX.encode(), 302),
        ("a.zip", zipped(**{"submission.py": SOFTMAX}), 302),
        ("../../etc/passwd.py", SOFTMAX.encode(), 302),  # the name is only a name
        ("a.py", b"", 400),
        ("a.py", b"\x00\x01", 400),
        ("a.py", b"#" * (2 << 20), 400),
        ("a.zip", b"PK\x03\x04nonsense", 400),
        ("a.zip", zipped(**{"../submission.py": SOFTMAX}), 400),
        ("a.zip", zipped(**{"submission.py": b"0" * (64 << 20)}), 400),
    ],
)
def test_what_may_be_uploaded(course, name, content, status):
    answer = course.browser("li").upload("/c/nlp/a/softmax/submissions", name, content)
    assert answer.status_code == status
    assert status == 302 or 'role="alert"' in answer.text, "it says why"


def test_an_upload_beyond_the_limit_ends_early(tmp_path):
    world = World(tmp_path, upload_bytes=10_000)
    world.course(li="student")
    answer = world.browser("li").upload("/c/nlp/a/softmax/submissions", "a.py", b"#" * 20_000)
    assert answer.status_code == 413
    world.close()


def test_teachers_acts_are_written_down(course):
    boss = course.browser("boss")
    boss.post("/c/nlp/join-code")
    with course.database.reading() as session:
        li = session.query(User).filter_by(login="li").one().id
    boss.post(f"/c/nlp/people/{li}/role", role="assistant")
    boss.get("/c/nlp/scores.csv")
    page = boss.get("/c/nlp/audit").text
    for words in ("join code renewed", "role", "scores exported", "Boss"):
        assert words in page


@pytest.mark.parametrize("days", ["-5", "0", "999999999", "99999999999"])
def test_a_token_ends_on_a_day_that_comes(course, days):
    answer = course.browser("li").post("/account/tokens", name="laptop", scopes="read", days=days)
    assert answer.status_code == 400 and "expected 1 to 3650" in answer.text
    with course.database.reading() as session:
        assert session.query(ApiToken).count() == 0


@pytest.mark.parametrize("due", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_date_at_the_end_of_the_calendar_takes_no_page_down(course, due):
    boss = course.browser("boss")
    rules = {"opens_at": "", "attempts": "0", "late_percent": "0", "late_days": "3", "counts": "best"}
    answer = boss.post("/c/nlp/a/softmax/edit", due_at=due, **rules)
    assert answer.status_code == 200 and "is no time" in answer.text
    assert course.browser("li").get("/c/nlp/").status_code == 200
