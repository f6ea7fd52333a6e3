"""Every route, for everybody: one table. A route that is not in it fails the test."""

import pytest
from service_world import SOFTMAX, World

from grader.db.tables import Enrolment, Job, JobState, Picture
from grader.services import regrading

# Who there is, beside nobody: a student whose submission it is, another one of the course, its assistant and teacher,
# a teacher of another course, someone in no course, an administrator.
PEOPLE = ("owner", "mate", "tutor", "boss", "rival", "stranger", "root")
ALL = {*PEOPLE, "nobody"}
SOMEBODY = set(PEOPLE)
COURSE = {"owner", "mate", "tutor", "boss", "root"}
STAFF = {"tutor", "boss", "root"}
TEACHERS = {"boss", "root"}
ADMIN = {"root"}

ROUTES = {
    "static": ("GET", "/static/grader.css", ALL),
    "bootstrap.static": ("GET", "/bootstrap/static/css/bootstrap.min.css", ALL),
    "looks.code_css": ("GET", "/code.css", ALL),
    "operate.healthz": ("GET", "/healthz", ALL),
    "operate.metrics": ("GET", "/metrics", ALL),  # from this machine
    "auth.login": ("GET", "/login", ALL),
    "auth.register": ("GET", "/register", ALL),
    "auth.open_link": ("GET", "/link/nonsense", ALL),  # gone: whoever has no token has nothing
    "auth.use_link": ("GET", "/link", ALL),
    "auth.preferences": ("POST", "/preferences", ALL),
    "auth.logout": ("POST", "/logout", SOMEBODY),
    "auth.join": ("GET", "/join", SOMEBODY),
    "account.show": ("GET", "/account/", SOMEBODY),
    "account.rename": ("POST", "/account/name", SOMEBODY),
    "account.change_password": ("POST", "/account/password", SOMEBODY),
    "account.make_token": ("POST", "/account/tokens", SOMEBODY),
    "account.revoke_token": ("POST", "/account/tokens/{token}/revoke", {"owner"}),
    "student.home": ("GET", "/", SOMEBODY),
    "student.course": ("GET", "/c/nlp/", COURSE),
    "student.choose_pseudonym": ("POST", "/c/nlp/pseudonym", COURSE - {"root"}),
    "student.assignment": ("GET", "/c/nlp/a/softmax/", COURSE),
    "student.submit": ("POST", "/c/nlp/a/softmax/submissions", COURSE),
    "student.starter": ("GET", "/c/nlp/a/softmax/starter/numpy", COURSE),
    "student.leaderboard": ("GET", "/c/nlp/a/softmax/leaderboard", COURSE),
    "submissions.show": ("GET", "/s/{submission}", {"owner", *STAFF}),
    "submissions.progress": ("GET", "/s/{submission}/progress", {"owner", *STAFF}),
    "submissions.picture": ("GET", "/s/{submission}/pictures/rows.png", {"owner", *STAFF}),
    "submissions.code": ("GET", "/s/{submission}/code", {"owner", *STAFF}),
    "submissions.cancel": ("POST", "/s/{submission}/cancel", {"owner"}),
    "teacher.matrix": ("GET", "/c/nlp/class", STAFF),
    "teacher.student": ("GET", "/c/nlp/class/{owner}", STAFF),
    "teacher.insight": ("GET", "/c/nlp/a/softmax/class", STAFF),
    "teacher.extensions": ("GET", "/c/nlp/a/softmax/extensions", STAFF),
    "teacher.export": ("GET", "/c/nlp/scores.csv", TEACHERS),
    "teacher.edit": ("GET", "/c/nlp/edit", TEACHERS),
    "teacher.renew_join_code": ("POST", "/c/nlp/join-code", TEACHERS),
    "teacher.add_tasks": ("POST", "/c/nlp/tasks", TEACHERS),
    "teacher.log": ("GET", "/c/nlp/audit", TEACHERS),
    "teacher.edit_task": ("GET", "/c/nlp/a/softmax/edit", TEACHERS),
    "teacher.retry_job": ("POST", "/c/nlp/a/softmax/jobs/{dead}/retry", TEACHERS),
    "people.show": ("GET", "/c/nlp/people/", STAFF),
    "people.import_csv": ("POST", "/c/nlp/people/import", TEACHERS),
    "people.set_role": ("POST", "/c/nlp/people/{mate}/role", TEACHERS),
    "people.reset_link": ("POST", "/c/nlp/people/{mate}/link", TEACHERS),
    "regrades.index": ("GET", "/c/nlp/a/softmax/regrades", TEACHERS),
    "regrades.start": ("POST", "/c/nlp/a/softmax/regrades", TEACHERS),
    "regrades.show": ("GET", "/regrades/{regrade}", TEACHERS),
    "regrades.apply": ("POST", "/regrades/{regrade}/apply", TEACHERS),
    "regrades.discard": ("POST", "/regrades/{regrade}/discard", TEACHERS),
    "admin.show": ("GET", "/admin/", ADMIN),
    "admin.new_course": ("GET", "/admin/courses/new", ADMIN),
    "admin.users": ("GET", "/admin/users", ADMIN),
    "admin.user_link": ("POST", "/admin/users/{mate}/link", ADMIN),
    "admin.set_active": ("POST", "/admin/users/{mate}/active", ADMIN),
    "admin.set_admin": ("POST", "/admin/users/{mate}/admin", ADMIN),
}
# These take a POST as well, from the same people.
ALSO_POST = {
    "auth.login", "auth.register", "auth.join", "auth.use_link", "teacher.edit", "teacher.edit_task",
    "teacher.extensions", "admin.new_course",
}  # fmt: skip
FIELDS = {
    "student.choose_pseudonym": {"pseudonym": "Heron"},
    "student.submit": {"pasted": SOFTMAX},
    "people.set_role": {"role": "assistant"},
    "regrades.start": {"which": "latest"},
}


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """A world in which every route has something to act on, and a way back to how it was."""
    world = World(tmp_path_factory.mktemp("permissions"))
    world.course("nlp", owner="student", mate="student", tutor="assistant", boss="teacher")
    world.course("other", rival="teacher")
    for login in ("stranger", "root"):
        world.person(login, admin=login == "root")
    graded = world.submit("owner", SOFTMAX + "# graded")
    world.work()
    ids = {"submission": world.submit("owner", SOFTMAX + "# queued")}
    with world.database.writing() as session:
        ids["regrade"] = regrading.start(session, world.user(session, "boss"), world.task(session), "all").id
        session.add(Picture(run_id=world.run_of(ids["submission"]).id, test="rows", png=b"png"))
        job = session.query(Job).filter_by(run_id=world.run_of(graded).id).one()
        job.state, ids["dead"] = JobState.DEAD, job.id
        ids |= {login: world.user(session, login).id for login in PEOPLE}
    owner = world.browser("owner")
    owner.post("/account/tokens", name="laptop", scopes="read")
    ids["token"] = 1
    yield world, ids, snapshot(world)
    world.close()


def snapshot(world):
    with world.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return (world.settings.data / "grader.sqlite3").read_bytes()


def restore(world, kept):
    world.database.close()
    world.app.extensions["grader-database"].close()
    for ending in ("-wal", "-shm"):
        (world.settings.data / f"grader.sqlite3{ending}").unlink(missing_ok=True)
    (world.settings.data / "grader.sqlite3").write_bytes(kept)


def outcome(answer):
    """Whether someone was let through."""
    if answer.status_code == 302 and "/login?next=" in answer.headers["Location"]:
        return "log in first"
    return {401: "no", 403: "no", 404: "no"}.get(answer.status_code, "yes")


def test_every_route_is_in_the_table(state):
    world, _ids, _kept = state
    rules = [rule for rule in world.app.url_map.iter_rules() if not rule.rule.startswith("/api/")]
    assert {rule.endpoint for rule in rules} == set(ROUTES), "test_api.py has a table for programs"
    for rule in rules:
        methods = rule.methods - {"HEAD", "OPTIONS"}
        expected = {ROUTES[rule.endpoint][0]} | ({"POST"} if rule.endpoint in ALSO_POST else set())
        assert methods == expected, rule.endpoint


@pytest.mark.parametrize("person", ["nobody", *PEOPLE])
def test_everybody_gets_through_where_the_table_says_and_nowhere_else(state, person):
    world, ids, kept = state
    restore(world, kept)
    browser = world.browser(None if person == "nobody" else person)
    last = sorted(ROUTES, key=lambda endpoint: endpoint == "auth.logout")
    for endpoint in last:
        method, path, allowed = ROUTES[endpoint]
        for verb in {method} | ({"POST"} if endpoint in ALSO_POST - {"auth.login"} else set()):
            path = path.format(**ids)
            fields = FIELDS.get(endpoint, {})
            answer = browser.get(path) if verb == "GET" else browser.post(path, **fields)
            expected = "yes" if person in allowed else "log in first" if person == "nobody" else "no"
            assert outcome(answer) == expected, f"{person} {verb} {path}: {answer.status_code}"
            if verb == "POST":
                restore(world, kept)
            assert answer.status_code < 500 or endpoint == "operate.healthz"  # there is no worker here


def test_who_was_put_out_of_a_course_sees_nothing_of_it(state):
    world, ids, kept = state
    restore(world, kept)
    browser = world.browser("owner")
    with world.database.writing() as session:
        session.query(Enrolment).filter_by(user_id=ids["owner"]).update({"active": False})
    for path in ("/c/nlp/", "/c/nlp/a/softmax/", f"/s/{ids['submission']}"):
        assert browser.get(path).status_code == 404


def test_a_run_that_does_not_count_yet_is_not_for_students(state):
    world, ids, kept = state
    restore(world, kept)
    with world.database.reading() as session:
        run = next(run for run in session.query(Job) if run.run.regrade_id).run
    path = f"/s/{run.submission_id}?run={run.id}"
    assert world.browser("owner").get(path).status_code == 404
    assert world.browser("boss").get(path).status_code == 200
    assert world.browser("boss").get(f"/s/{ids['submission']}?run={run.id}").status_code == 404


def test_a_teacher_cannot_take_over_accounts_that_are_more_than_his_students(state):
    world, ids, kept = state
    restore(world, kept)
    boss = world.browser("boss")
    for login in ("root", "stranger"):
        answer = boss.upload_csv("/c/nlp/people/import", f"login,name\n{login},X\n")
        assert answer.status_code == 400 and f"{login} has an account that is in no course" in answer.text
    taken = boss.upload_csv("/c/nlp/people/import", "login,name\nrival,R\n").text
    assert "rival" in taken and "/link/" not in taken, "no links to accounts there are"
    for login, expected in (("root", 404), ("rival", 403), ("stranger", 404), ("mate", 200)):
        assert boss.post(f"/c/nlp/people/{ids[login]}/link").status_code == expected, login


def test_every_post_wants_the_token_of_its_form(state):
    world, ids, kept = state
    restore(world, kept)
    browser = world.browser("root")
    for endpoint, (method, path, _allowed) in ROUTES.items():
        if method == "POST" or endpoint in ALSO_POST:
            answer = browser.client.post(path.format(**ids), data=FIELDS.get(endpoint, {}))
            assert answer.status_code == 400 and "too old" in answer.text, endpoint
