"""What hostile people try at the pages."""

import io
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from service_world import PASSWORD, SOFTMAX, World
from sqlalchemy import select

from grader.db.clock import now
from grader.db.tables import ApiToken, EndedSession, Enrolment, Link, SubmittedFile, User
from grader.services import accounts, extensions, regrading, submitting
from grader.services.refusals import Refused
from grader.web.guard import safe_next
from grader.web.listings import listings


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
        "/a\nb", "///evil.org", " //evil.org", "//[", "http://[", "//\u2100.org", "/\t/evil.org", "/\u2028/evil.org",
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


def test_one_address_cannot_try_a_password_on_everybody(tmp_path):
    world = World(tmp_path, registrations_per_minute=3)
    world.course(li="student")
    browser = world.browser()
    for _ in range(5):  # a class that comes in is no attack
        world.browser("li")
    statuses = [browser.post("/login", login=f"s{i}", password=PASSWORD).status_code for i in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    world.close()


def test_what_a_request_says_of_its_address_counts_for_nothing(tmp_path):
    world = World(tmp_path, logins_per_minute=2)
    world.course(li="student")
    browser = world.browser()
    browser.get("/login")
    said = [{"X-Forwarded-For": f"10.0.0.{i}", "Forwarded": f"for=10.0.2.{i}"} for i in range(4)]
    fields = {"csrf_token": browser.token, "login": "li", "password": "wrong guess"}
    statuses = [browser.client.post("/login", data=fields, headers=headers).status_code for headers in said]
    assert statuses == [200, 200, 429, 429]
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


def test_a_copy_of_a_cookie_cannot_be_kept_alive(course, monkeypatch):
    browser = course.browser("li")
    browser.post("/account/name", name="Li")  # which writes the cookie anew
    later = now() + timedelta(hours=course.settings.session_hours, seconds=1)
    monkeypatch.setattr("grader.web.identity.now", lambda: later)
    assert browser.get("/").status_code == 302


@pytest.mark.parametrize("going", ["logout", "a link"])
def test_who_goes_out_ends_the_copies_of_a_cookie(course, going):
    browser, other, copy = course.browser("li"), course.browser("li"), course.browser()
    copy.client.set_cookie("grader", browser.client.get_cookie("grader").value)
    assert copy.get("/").status_code == 200
    if going == "logout":
        browser.post("/logout")
    else:
        with course.database.writing() as session:
            token = accounts.make_link(session, course.user(session, "boss"), 1)
        browser.get(f"/link/{token}")
    assert copy.get("/").status_code == 302
    assert other.get("/").status_code == 200


def test_sessions_that_were_ended_are_forgotten_when_they_would_have_ended(course):
    with course.database.writing() as session:
        accounts.end_session(session, "long ago", now() - timedelta(hours=1))
    course.browser("li").post("/logout")
    with course.database.reading() as session:
        assert len(session.scalars(select(EndedSession)).all()) == 1


@pytest.mark.parametrize(
    "path", ["/static/grader.css", "/bootstrap/static/css/bootstrap.min.css", "/code.css"]
)
def test_what_caches_may_keep_comes_without_a_cookie(course, path):
    answer = course.browser("li").get(path)
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/login", "/account/", "/c/nlp/class", "/c/nlp/scores.csv", "/nowhere"]
)
def test_what_is_somebody_s_is_kept_by_no_cache(course, path):
    assert course.browser("boss").get(path).headers["Cache-Control"] == "private, no-store"


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


EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def spoil(world):
    """Write it wherever somebody can write something."""
    with world.database.writing() as session:
        for user in session.query(User):
            user.name = EVIL
        for place in session.query(Enrolment):
            place.number = place.pseudonym = EVIL
        task = world.task(session)
        task.course.title, task.attempts = EVIL, 50
        li, boss = world.user(session, "li"), world.user(session, "boss")
        extensions.extend(session, boss, task, li, None, 1, EVIL)
        accounts.make_token(session, boss, EVIL[:100], ["read"])
        files = {"submission.py": f"# {EVIL}\nraise ValueError({EVIL!r})\n".encode(), EVIL: b"x"}
        upload = submitting.Upload(files, single=False)
        found = submitting.submit(session, li, task, upload, now(), world.settings).id
    world.work()
    with world.database.writing() as session:
        regrading.start(session, world.user(session, "boss"), world.task(session), "all")
    return found


def test_whatever_somebody_wrote_is_text_and_nothing_else(course):
    found = spoil(course)
    boss, seen = course.browser("boss"), 0
    task = "/c/nlp/a/softmax"
    for path in (
        "/", "/account/", "/c/nlp/", "/c/nlp/class", "/c/nlp/class/1", "/c/nlp/people/", "/c/nlp/edit", "/c/nlp/audit",
        f"/s/{found}", f"/s/{found}/code", f"{task}/", f"{task}/leaderboard", f"{task}/class", f"{task}/extensions",
        f"{task}/edit", f"{task}/regrades", "/regrades/1", "/regrades/99",
    ):  # fmt: skip
        page = boss.get(path).text
        assert "<script>alert" not in page and "<img src=x" not in page, path
        seen += "&lt;script&gt;" in page
    assert seen == 18


def test_code_is_shown_as_the_grader_reads_it_and_nothing_turns_it_around(course):
    source = ("x = '最大值'  # \u202e reversed\r\n" + SOFTMAX).encode("gb18030")
    with course.database.writing() as session:
        upload = submitting.read_upload([("submission.py", source)])
        user, task = course.user(session, "li"), course.task(session)
        submission = submitting.submit(session, user, task, upload, now(), course.settings).id
    page = course.browser("boss").get(f"/s/{submission}/code").text
    assert "最大值" in page and "\u202e" not in page and "\r" not in page


@pytest.mark.parametrize("name", ["a.html", "a.php", "Makefile", "a.pyx.txt"])
def test_only_languages_of_submissions_are_coloured(name):
    """A lexer that somebody else chooses can be made to compute for ever."""
    (found,) = listings([SubmittedFile(name=name, content=b"int x = 1; <a>")])
    assert "<span class=" not in found.html.replace('<span class="linenos">', "")


@pytest.mark.parametrize("content", [b"\n" * (1 << 20), b"x" * (1 << 20)])
def test_however_much_was_handed_in_a_page_stays_a_page(content):
    found = listings([SubmittedFile(name=f"{i}.py", content=content) for i in range(4)])
    assert not any(one.whole for one in found)
    assert sum(len(one.html) for one in found) < 2_000_000


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
        ("a.zip", zipped(**{"submission.py": SOFTMAX, "two\nlines.py": ""}), 400),
        ("a.zip", zipped(**{"submission.py": SOFTMAX, "\u202eyp.exe": ""}), 400),
        ("a.zip", zipped(**{"submission.py": SOFTMAX, "很" * 90 + ".py": ""}), 400),
        ("a.zip", zipped(**{f"{i}.py": "" for i in range(10_000)}), 400),
        ("a\u202eyp.py", SOFTMAX.encode(), 302),
    ],
)
def test_what_may_be_uploaded(course, name, content, status):
    answer = course.browser("li").upload("/c/nlp/a/softmax/submissions", name, content)
    assert answer.status_code == status
    assert status == 302 or 'role="alert"' in answer.text, "it says why"


def test_two_files_of_one_name_are_a_question(course):
    files = [(io.BytesIO(SOFTMAX.encode()), name) for name in ("submission.py", "old/Submission.py")]
    answer = course.browser("li").post("/c/nlp/a/softmax/submissions", files=files)
    assert answer.status_code == 409 and "Submission.py" in answer.text


def test_long_names_of_helpers_are_graded_all_the_same(course):
    files = [(io.BytesIO(SOFTMAX.encode()), "submission.py"), (io.BytesIO(b"x = 1"), "很" * 200 + ".py")]
    answer = course.browser("li").post("/c/nlp/a/softmax/submissions", files=files)
    course.work()
    assert "12 of 12 tests passed" in course.browser("li").get(answer.headers["Location"]).text


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # files of an upload that was broken off
def test_ten_thousand_files_are_not_even_read(course):
    files = [(io.BytesIO(b"x"), f"{i}.py") for i in range(10_000)]
    assert course.browser("li").post("/c/nlp/a/softmax/submissions", files=files).status_code == 413


SUBMISSIONS = "/c/nlp/a/softmax/submissions"
SUBMISSIONS_API = "/api/v1/courses/nlp/assignments/softmax/submissions"
_FILE = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.py"\r\n'
_BROKEN = [
    ("multipart/form-data", b"--x\r\n"),
    ("multipart/form-data; boundary=", b"--\r\n"),
    ("multipart/form-data; boundary=\xff", b"--\xff\r\n"),
    ("multipart/form-data; boundary=x", _FILE),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n--x--"),
    ("multipart/form-data; boundary=x", b"\xff\xfe" * 1000),
    ("application/x-www-form-urlencoded", b"pasted=%ff%fe&csrf_token=%00"),
    ("application/json", b"{"),
    ("text/plain; charset=utf-7", b"+ADw-"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body"), _BROKEN)
@pytest.mark.parametrize("path", ["/login", SUBMISSIONS, SUBMISSIONS_API])
def test_what_is_broken_on_the_way_is_refused(course, path, kind, body):
    with course.database.writing() as session:
        _token, text = accounts.make_token(session, course.user(session, "li"), "laptop", ["read", "submit"])
    headers = {"Authorization": f"Bearer {text}"} if path.startswith("/api") else {}
    answer = course.browser("li").client.post(path, data=body, content_type=kind, headers=headers)
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("query", ["run=99999999999999999999999", "run=-1", "run=%ff", "run=1%00"])
def test_odd_questions_are_no_error_of_ours(course, query):
    submission = course.submit("li")
    assert course.browser("li").get(f"/s/{submission}?{query}").status_code == 200


@pytest.mark.parametrize("number", ["7\x00", "\u202e7", "1" * 61])
def test_a_student_number_can_be_seen(course, number):
    with course.database.reading() as session:
        join_code = course.task(session).course.join_code
    course.person("han")
    answer = course.browser("han").post("/join", code=join_code, number=number)
    assert answer.status_code == 200 and "student number" in answer.text


def test_two_who_want_the_same_login_at_once_get_one_account(course):
    with course.database.reading() as session:
        fields = {
            "code": course.task(session).course.join_code,
            "login": "han",
            "name": "H",
            "password": PASSWORD,
        }
    browsers = [course.browser() for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(lambda one: one.post("/register", **fields).status_code, browsers))
    assert statuses.count(302) == 1 and set(statuses) <= {200, 302, 409}


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
