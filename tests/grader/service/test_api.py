"""`/api/v1`: a program hands in, follows, reads; with a token, and only what the token is good for."""

import io
import json
from datetime import timedelta

import pytest
from api_program import PEOPLE, ROOT, SUBMISSIONS, Program
from service_world import SOFTMAX, UNSTABLE, World

from grader.db.clock import now
from grader.db.tables import ApiToken
from grader.services import accounts


@pytest.fixture
def class_(world):
    world.course("nlp", **PEOPLE)
    return world


@pytest.fixture
def li(class_):
    return Program(class_, "li", "read", "submit")


def test_a_program_hands_in_follows_and_reads_the_report(class_, li):
    answer = li.hand_in(UNSTABLE)
    assert answer.status_code == 202
    where = answer.headers["Location"].removeprefix(ROOT)
    waiting = li.get(where)
    assert (waiting.json["state"], waiting.json["progress"]["place"]) == ("queued", 1)
    assert li.get(where + "/report").json["code"] == "no-report"
    assert class_.work() == 1
    graded = li.get(where).json
    report = li.get(where + "/report?lang=zh").json
    assert graded["state"] == "graded" and 0 < graded["score"] < graded["max_score"] == 100
    assert report["score"] == pytest.approx(graded["raw_score"], abs=1e-6)
    assert not report["tests"][0]["title"].isascii(), "in Chinese, as asked for"
    own = {one["assignment"]: one["score"] for one in li.get("/courses/nlp/scores").json}
    assert own["softmax"] == graded["score"] and own["scaled-dot-product"] is None


def test_asking_again_costs_nothing_until_something_changes(class_, li):
    where = li.hand_in().headers["Location"].removeprefix(ROOT)
    tag = li.get(where).headers["ETag"]
    same = li.get(where, **{"If-None-Match": tag})
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    assert class_.claim() is not None
    assert li.get(where, **{"If-None-Match": tag}).json["state"] == "running"


def test_equal_files_give_the_submission_that_waits(li):
    assert li.hand_in().json["id"] == li.hand_in().json["id"] != li.hand_in(UNSTABLE).json["id"]


def test_the_rules_are_those_of_the_pages(class_, li):
    class_.set_task(attempts=1, due_at=now() - timedelta(hours=30), late_days=3, late_percent=10)
    first = li.hand_in()
    assert (first.json["attempt"], first.json["late_days"]) == (1, 2)
    refused = li.hand_in(UNSTABLE)
    assert (refused.status_code, refused.json["code"]) == (403, "no-attempts")
    assert li.hand_in(UNSTABLE, "?kind=draft").json["kind"] == "draft", "a draft uses no attempt"
    class_.work()
    assert li.get("/submissions/1").json["score"] == pytest.approx(80)
    assert [one["kind"] for one in li.get(SUBMISSIONS).json] == ["draft", "final"]
    assert [one["id"] for one in li.get(SUBMISSIONS + "?kind=final").json] == [1]


def test_what_cannot_be_graded_is_refused_with_its_reason(li):
    answer = li.hand_in("")
    assert (answer.status_code, answer.json["code"], answer.mimetype) == (
        400, "empty-file", "application/problem+json",
    )  # fmt: skip
    assert li.hand_in(query="?track=fortran").json["code"] == "no-such-track"
    assert li.ask("POST", SUBMISSIONS).json["errors"] == {
        "files": {"files": ["Missing data for required field."]}
    }


def test_kind_and_track_count_as_fields_of_the_form_too(li):
    for how, code in [({"kind": "draft"}, 202), ({"kind": "Draft"}, 422), ({"track": "fortran"}, 400)]:
        files = {"files": (io.BytesIO(SOFTMAX.encode()), "softmax.py"), **how}
        answer = li.ask("POST", SUBMISSIONS, data=files)
        assert answer.status_code == code, answer.text
        assert answer.json.get("kind", "draft") == "draft"


@pytest.mark.parametrize(
    ("query", "fields"),
    [("?kind=draft", {"kind": "final"}), ("?kind=draft&kind=final", {}), ("", {"track": ["numpy", "cpp"]})],
)
def test_what_is_said_differently_twice_is_refused(li, query, fields):
    files = {"files": (io.BytesIO(SOFTMAX.encode()), "softmax.py"), **fields}
    answer = li.ask("POST", SUBMISSIONS + query, data=files)
    assert (answer.status_code, answer.json["code"]) == (409, "said-differently")
    assert li.get(SUBMISSIONS).json == []


@pytest.mark.parametrize(
    ("query", "more", "where", "known"),
    [
        ("?knd=draft", {}, "query", "kind, track"),
        ("", {"knd": "draft"}, "form", "kind, track"),
        ("", {"file": b"x"}, "files", "files"),
        ("", {"files": "x = 1"}, "form", "kind, track"),
    ],
)
def test_an_argument_that_is_unknown_is_refused_by_name(li, query, more, where, known):
    files = {"files": (io.BytesIO(SOFTMAX.encode()), "softmax.py"), **more}
    if where == "files":
        files = {"file": (io.BytesIO(b"x"), "a.py")}
    answer = li.ask("POST", SUBMISSIONS + query, data=files)
    name = next(iter(more), "knd")
    assert (answer.status_code, answer.json["errors"]) == (
        422,
        {where: {name: [f"Unknown; known are: {known}."]}},
    )
    assert li.get(SUBMISSIONS).json == [], "no attempt is used"


@pytest.mark.parametrize("path", ["/account?x=1", "/courses?pagesize=3", f"{SUBMISSIONS}?kin=draft"])
def test_no_route_takes_arguments_that_it_does_not_know(li, path):
    assert li.get(path).status_code == 422


def test_a_submission_is_taken_back_before_it_is_run_and_not_later(class_, li):
    li.hand_in()
    assert li.ask("POST", "/submissions/1/cancel").json["state"] == "cancelled"
    assert li.ask("POST", "/submissions/1/cancel").json["code"] == "too-late-to-cancel"
    assert class_.work() == 0


def test_lists_come_in_pages(class_, li):
    first = li.get("/courses/nlp/assignments?page_size=2")
    told = json.loads(first.headers["X-Pagination"])
    slugs = [one["slug"] for one in first.json]
    for page in range(2, told["total_pages"] + 1):
        slugs += [one["slug"] for one in li.get(f"/courses/nlp/assignments?page_size=2&page={page}").json]
    assert len(slugs) == len(set(slugs)) == told["total"] > 2


def test_errors_are_in_the_language_that_is_asked_for(li):
    english = li.get("/courses/none", **{"Accept-Language": "en"}).json
    assert english["detail"].startswith("There is no such") and english["code"] == "not-found"


@pytest.mark.parametrize(
    "path", ["/submissions/99999999999999999999", "/nothing", "/courses/%00", "/courses/é"]
)
def test_what_is_not_there_is_a_problem_of_its_kind(li, path):
    answer = li.get(path)
    assert answer.status_code in (400, 404) and answer.mimetype == "application/problem+json"


# ---- Who may what ----

ROUTES = {  # route → scope, and who may when the submission is li's
    ("GET", "/account"): ("read", set(PEOPLE) | {"stranger"}),
    ("GET", "/courses"): ("read", set(PEOPLE) | {"stranger"}),
    ("GET", "/courses/<course>"): ("read", set(PEOPLE)),
    ("GET", "/courses/<course>/assignments"): ("read", set(PEOPLE)),
    ("GET", "/courses/<course>/assignments/<assignment>"): ("read", set(PEOPLE)),
    ("GET", "/courses/<course>/scores"): ("read", set(PEOPLE)),
    ("GET", "/courses/<course>/class"): ("teach", {"tutor", "prof"}),
    ("GET", "/courses/<course>/assignments/<assignment>/submissions"): ("read", set(PEOPLE)),
    ("POST", "/courses/<course>/assignments/<assignment>/submissions"): ("submit", set(PEOPLE)),
    ("GET", "/submissions/<int:submission>"): ("read", {"li", "tutor", "prof"}),
    ("GET", "/submissions/<int:submission>/report"): ("read", {"li", "tutor", "prof"}),
    ("POST", "/submissions/<int:submission>/cancel"): ("submit", {"li"}),
}
named = pytest.mark.parametrize("route", ROUTES, ids=" ".join)


def _try(program: Program, route):
    method, path = route
    for part, value in {"<course>": "nlp", "<assignment>": "softmax", "<int:submission>": "1"}.items():
        path = path.replace(part, value)
    files = {"files": (io.BytesIO(SOFTMAX.encode()), "softmax.py")} if path.endswith("submissions") else None
    return program.ask(method, path, data=files if method == "POST" else None)


def test_every_route_is_in_the_table(class_):
    there = {
        (method, rule.rule.removeprefix(ROOT))
        for rule in class_.app.url_map.iter_rules()
        if rule.rule.startswith(ROOT)
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert there == set(ROUTES) | {("GET", "/openapi.json")}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """One submission of li's, over."""
    world = World(tmp_path_factory.mktemp("graded"))
    world.course("nlp", **PEOPLE)
    world.person("stranger")
    world.submit("li")
    world.work()
    yield world
    world.close()


def test_whoever_may_not_is_refused_by_every_route(graded):
    for login in [*PEOPLE, "stranger"]:
        program = Program(graded, login, "read", "submit", "teach")
        for route, (_scope, allowed) in ROUTES.items():
            status = _try(program, route).status_code
            assert (status in (403, 404)) == (login not in allowed), (login, route, status)


@named
def test_no_route_opens_without_its_scope(graded, route):
    others = [scope for scope in accounts.SCOPES if scope != ROUTES[route][0]]
    answer = _try(Program(graded, "prof", *others), route)
    assert (answer.status_code, answer.json["code"]) == (403, "no-scope")


@named
def test_no_route_opens_without_a_good_token(graded, route):
    logged_in = Program(graded, None)
    logged_in.client = graded.browser("prof").client
    assert _try(logged_in, route).json["code"] == "no-token", "a browser's session counts for nothing here"
    wrong = Program(graded, None)
    wrong.headers = {"Authorization": "Bearer " + "x" * 43}
    answer = _try(wrong, route)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_what_is_anothers_wants_the_scope_teach(graded):
    assert Program(graded, "prof", "read").get("/submissions/1").json["code"] == "no-scope"
    assert Program(graded, "prof", "read", "teach").get("/submissions/1").json["student"] == "li"


@pytest.mark.parametrize("end", ["revoked", "expired", "closed"])
def test_a_token_that_has_ended_opens_nothing(class_, end):
    program = Program(class_, "li", "read", days=1)
    assert program.get("/account").status_code == 200
    with class_.database.writing() as session:
        token = session.get_one(ApiToken, program.id)
        assert token.used_at is not None, "its owner sees when it was used"
        if end == "revoked":
            accounts.revoke_token(session, token.user, token.id)
        elif end == "expired":
            token.expires_at = now() - timedelta(seconds=1)
        else:
            accounts.set_active(session, None, token.user, False)
    assert program.get("/account").json["code"] == "bad-token"


def test_handing_in_is_limited_for_each_person(tmp_path):
    world = World(tmp_path, submissions_per_minute=2)
    world.course("nlp", **PEOPLE)
    li, han = (Program(world, login, "submit") for login in ("li", "han"))
    assert [li.hand_in().status_code for _ in range(3)] == [202, 202, 429]
    assert han.hand_in().status_code == 202
    world.close()


def test_requests_are_limited_for_each_person_and_guesses_for_each_address(tmp_path):
    world = World(tmp_path, requests_per_minute=4)
    world.course("nlp", **PEOPLE)
    li, han = (Program(world, login, "read") for login in ("li", "han"))
    assert [li.get("/account").status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    assert han.get("/account").status_code == 200, "from the same address"
    wrong = Program(world, "li", "read")
    wrong.headers = {"Authorization": "Bearer guessed"}
    guesses = [wrong.get("/account").status_code for _ in range(5)]
    assert guesses == [401, 401, 401, 401, 429]
    world.close()
