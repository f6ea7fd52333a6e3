"""Dates, attempts, lateness: arithmetic that must be right on the second."""

import io
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service_world import SOFTMAX, UNSTABLE, World

from grader.db.clock import now
from grader.db.tables import Extension, Kind, RunState, Task
from grader.services import accounts, courses, rules, standing
from grader.services.refusals import Refused

DUE = datetime(2027, 3, 31, 15, 59, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)


def terms(**values):
    extension = values.pop("extension", None)
    usual = {"due_at": DUE, "late_percent": 10.0, "late_days": 2, "attempts": 3}
    return rules.terms(Task(**{**usual, **values}), extension)


@pytest.mark.parametrize(
    ("after", "days", "share"),
    [
        (-SECOND, 0, 1.0),
        (0 * SECOND, 0, 1.0),
        (SECOND, 1, 0.9),
        (rules.DAY, 1, 0.9),
        (rules.DAY + SECOND, 2, 0.8),
    ],
)
def test_a_day_begun_is_a_day_late(after, days, share):
    found = terms()
    assert found.late_days(DUE + after) == days
    assert found.share(DUE + after) == pytest.approx(share)


def test_nothing_is_taken_after_the_last_late_day():
    assert terms().is_open(DUE + 2 * rules.DAY)
    assert not terms().is_open(DUE + 2 * rules.DAY + SECOND)


def test_an_extension_moves_the_due_date_and_with_it_lateness():
    more = Extension(due_at=DUE + 3 * rules.DAY, attempts=2)
    found = terms(extension=more)
    assert found.late_days(DUE + 3 * rules.DAY) == 0
    assert found.closes_at == DUE + 5 * rules.DAY
    assert found.attempts == 5


def test_an_extension_never_takes_time_away():
    assert terms(extension=Extension(due_at=DUE - rules.DAY, attempts=0)).due_at == DUE


def test_more_attempts_of_no_limit_are_no_limit():
    assert terms(attempts=0, extension=Extension(due_at=None, attempts=2)).left(100) is None


@given(st.integers(0, 10**7), st.floats(0, 100), st.integers(0, 30))
def test_later_is_never_worth_more(seconds, percent, days):
    found = terms(late_percent=percent, late_days=days)
    one, other = (found.share(DUE + timedelta(seconds=s)) for s in (seconds, seconds + 3600))
    assert 0.0 <= other <= one <= 1.0


# ---- In the service ----


def refused(world, code, *arguments, **more):
    with pytest.raises(Refused) as error:
        world.submit(*arguments, **more)
    assert error.value.code == code


def test_before_it_opens_and_after_it_closes_nothing_is_taken(world):
    world.course(li="student", tutor="assistant")
    at = now()
    world.set_task(opens_at=at + rules.DAY, due_at=at + 2 * rules.DAY)
    refused(world, "not-open", "li", at=at)
    refused(world, "closed", "li", at=at + 3 * rules.DAY)
    assert world.submit("tutor", at=at), "teachers try things out before"


def test_attempts_run_out_and_drafts_do_not_use_them(world):
    world.course(li="student")
    world.set_task(attempts=2)
    world.submit("li", SOFTMAX + "#1")
    world.submit("li", SOFTMAX + "#2")
    refused(world, "no-attempts", "li", SOFTMAX + "#3")
    assert world.submit("li", SOFTMAX + "#3", kind=Kind.DRAFT)


def test_a_draft_runs_public_tests_only(world):
    world.course(li="student")
    draft = world.submit("li", kind=Kind.DRAFT)
    world.work()
    run = world.run_of(draft)
    assert run.state is RunState.GRADED
    assert 0 < run.max_score < 100
    with world.database.reading() as session:
        assert standing.standing(session, world.user(session, "li"), world.task(session)).score is None


def test_equal_files_return_the_submission_that_is_running(world):
    world.course(li="student", han="student")
    first = world.submit("li")
    assert world.submit("li") == first
    assert world.submit("han") != first, "of another student it is another one"
    assert world.submit("li", kind=Kind.DRAFT) != first
    world.work()
    assert world.submit("li") != first, "what is over is over"


def test_lateness_is_that_of_the_beginning_of_the_upload(world):
    world.course(li="student")
    due = now() - timedelta(hours=1)
    world.set_task(due_at=due, late_percent=10.0, late_days=3)
    world.submit("li", SOFTMAX, at=due - SECOND)
    world.submit("li", SOFTMAX + "# late", at=due + SECOND)
    world.work()
    with world.database.reading() as session:
        own = standing.standing(session, world.user(session, "li"), world.task(session))
    assert [one.score for one in own.attempts] == [100, 90]
    assert own.score == 100


def test_the_latest_counts_where_the_teacher_wants_it_so(world):
    world.course(li="student")
    world.submit("li", SOFTMAX)
    world.submit("li", UNSTABLE)
    world.work()
    with world.database.writing() as session:
        user, task = world.user(session, "li"), world.task(session)
        best = standing.standing(session, user, task).score
        task.counts = "latest"
        assert standing.standing(session, user, task).score < best == 100


def test_who_is_not_in_the_course_hands_nothing_in(world):
    world.course(li="student")
    world.person("stranger")
    refused(world, "not-found", "stranger")


def test_who_was_put_out_of_the_course_hands_nothing_in(world):
    world.course(li="student", boss="teacher")
    with world.database.writing() as session:
        boss, li = world.user(session, "boss"), world.user(session, "li")
        place = courses.place_of(session, li, world.task(session).course)
        courses.set_role(session, boss, place, place.role, active=False)
    refused(world, "not-found", "li")


def test_of_two_submissions_at_once_one_gets_the_last_attempt(world):
    world.course(li="student")
    world.set_task(attempts=1)

    def hand_in(number):
        try:
            return world.submit("li", f"{SOFTMAX}# {number}")
        except Refused as error:
            return error.code

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(hand_in, range(6)))
    assert found.count("no-attempts") == 5


class Dawdling(io.BytesIO):
    """A body that comes a little at a time."""

    def read(self, *arguments):
        time.sleep(0.3)
        self.ended = now()
        return super().read(*arguments)


@pytest.mark.parametrize(("patience", "late"), [(300.0, False), (0.1, True)])
def test_an_upload_that_dawdles_counts_from_its_end(tmp_path, patience, late):
    """Else one could begin it in time, and write the program afterwards."""
    world = World(tmp_path, upload_seconds=patience)
    world.course(li="student")
    with world.database.writing() as session:
        _token, text = accounts.make_token(session, world.user(session, "li"), "laptop", ["submit"])
    file = 'Content-Disposition: form-data; name="files"; filename="a.py"'
    body = f"--x\r\n{file}\r\n\r\n{SOFTMAX}\r\n--x--\r\n".encode()
    upload = Dawdling(body)
    answer = world.app.test_client().post(
        "/api/v1/courses/nlp/assignments/softmax/submissions", input_stream=upload, content_length=len(body),
        content_type="multipart/form-data; boundary=x", headers={"Authorization": f"Bearer {text}"},
    )  # fmt: skip
    assert answer.status_code == 202, answer.text
    assert (datetime.fromisoformat(answer.json["submitted_at"]) >= upload.ended) is late
    world.close()
