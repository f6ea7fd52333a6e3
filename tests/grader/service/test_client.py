"""`grader login` and `grader submit`, as processes, against a service that listens."""

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from api_program import PEOPLE
from service_world import SOFTMAX, UNSTABLE, World
from werkzeug.serving import make_server

from grader.client import told
from grader.services import accounts


class Laptop:
    """Someone's own machine: a folder for settings, a file to hand in."""

    def __init__(self, folder) -> None:
        self.folder, self.kept = folder, folder / "config" / "grader" / "login.json"
        folder.mkdir()

    def run(self, *arguments, given: str = ""):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config"), "NO_PROXY": "*"}
        command = [sys.executable, "-m", "grader", *map(str, arguments)]
        return subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=120, env=environment, check=False
        )

    def submit(self, source: str, *more):
        file = self.folder / "softmax.py"
        file.write_text(source, encoding="utf-8")
        return self.run("submit", file, "--assignment", "softmax", *more)


@contextmanager
def listening(world):
    server = make_server("127.0.0.1", 0, world.app, threaded=True)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def working(world):
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.1):
            world.work()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("world"))
    made.course("nlp", **PEOPLE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(world):
    with listening(world) as url:
        yield url


def token(world, *scopes: str, login: str = "li") -> str:
    with world.database.writing() as session:
        return accounts.make_token(session, world.user(session, login), "laptop", scopes)[1]


@pytest.fixture
def laptop(tmp_path, world, server):
    made = Laptop(tmp_path / "laptop")
    ran = made.run("login", "--server", server + "/", given=token(world, "read", "submit") + "\n")
    assert (ran.returncode, ran.stderr) == (0, "") and "Li (li)" in ran.stdout
    return made


def test_the_token_is_kept_where_only_its_owner_can_read_it(laptop, server):
    assert laptop.kept.stat().st_mode & 0o777 == 0o600
    assert laptop.kept.parent.stat().st_mode & 0o077 == 0
    assert json.loads(laptop.kept.read_text())["server"] == server
    laptop.kept.chmod(0o644)
    ran = laptop.submit(SOFTMAX)
    assert ran.returncode == 2 and "chmod 600" in ran.stderr


def test_what_is_handed_in_is_graded_and_told(laptop, world):
    with working(world):
        ran = laptop.submit(UNSTABLE, "--wait")
    assert ran.returncode == 0, ran.stderr
    assert "attempt 1" in ran.stderr and "graded" in ran.stderr
    assert "12 tests passed" in ran.stdout and "✗" in ran.stdout


@pytest.mark.parametrize(
    ("state", "place", "stage", "words"),
    [
        ("queued", 3, "", "in the queue: place 3"),
        ("running", None, "", "starting"),
        ("running", None, "compiling", "compiling"),
        ("running", None, "testing", "test 3 of 7"),
        ("graded", None, "", "graded"),
    ],
)
def test_it_says_how_far_it_is(state, place, stage, words):
    at = {"place": place, "stage": stage, "step": 2, "steps": 7}
    assert told.progress({"state": state, "progress": at}) == words


def test_a_folder_is_handed_in_with_its_helpers_and_json_is_the_whole_record(laptop, world):
    folder = laptop.folder / "work"
    folder.mkdir()
    (folder / "submission.py").write_text("from helper import softmax\n")
    (folder / "helper.py").write_text(SOFTMAX, encoding="utf-8")
    with working(world):
        ran = laptop.run("submit", folder, "--assignment", "softmax", "--draft", "--wait", "--format", "json")
    record = json.loads(ran.stdout)
    assert ran.returncode == 0 and record["score"] == record["max_score"] > 0
    assert {test["group"] for test in record["tests"]} == {"public"}


def test_without_waiting_it_says_where_to_look(laptop, server):
    ran = laptop.submit(SOFTMAX)
    assert ran.returncode == 0 and f"{server}/s/" in ran.stdout


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--assignment", "nothing"], "no assignment “nothing”; it has: softmax"),
        (["--track", "cpp"], "cpp"),
        (["--course", "other"], "no such thing"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_server(laptop, more, words):
    ran = laptop.submit(SOFTMAX, *more)
    assert ran.returncode == 2 and words in ran.stderr, ran.stderr
    assert "Traceback" not in ran.stderr


def test_what_is_not_there_is_not_sent(laptop):
    ran = laptop.run("submit", laptop.folder / "none.py", "--assignment", "softmax")
    assert ran.returncode == 2 and "none.py" in ran.stderr


def test_a_wrong_token_is_not_kept(tmp_path, server):
    laptop = Laptop(tmp_path / "laptop")
    ran = laptop.run("login", "--server", server, given="nonsense\n")
    assert ran.returncode == 2 and "unknown, revoked or too old" in ran.stderr
    assert not laptop.kept.exists()
    assert laptop.submit(SOFTMAX).returncode == 2, "and nothing can be handed in"


def test_a_token_that_cannot_hand_in_is_told_at_once(tmp_path, world, server):
    laptop = Laptop(tmp_path / "laptop")
    ran = laptop.run("login", "--server", server, given=token(world, "read") + "\n")
    assert ran.returncode == 0 and "cannot hand in" in ran.stderr
    ran = laptop.submit(SOFTMAX)
    assert ran.returncode == 2 and "not good for “submit”" in ran.stderr


def test_a_server_that_is_away_is_no_fault_of_the_student(laptop):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    kept = json.loads(laptop.kept.read_text())
    laptop.kept.write_text(json.dumps({**kept, "server": address}))
    ran = laptop.submit(SOFTMAX)
    assert (
        ran.returncode == 3 and f"{address} does not answer" in ran.stderr and "Traceback" not in ran.stderr
    )


@pytest.mark.parametrize("address", ["grader.example.edu", "ftp://x", "https://"])
def test_what_is_no_address_is_refused(tmp_path, address):
    ran = Laptop(tmp_path / "laptop").run("login", "--server", address, given="x\n")
    assert ran.returncode == 2 and "expected an address" in ran.stderr


def test_a_folder_with_nothing_to_grade_is_told_without_asking_the_server(tmp_path):
    laptop = Laptop(tmp_path / "laptop")
    (tmp_path / "empty").mkdir()
    for name in ("", "README.md"):
        name and (tmp_path / "empty" / name).write_text("x")
        ran = laptop.run("submit", tmp_path / "empty", "--assignment", "softmax")
        assert ran.returncode == 2 and "no source file (.py" in ran.stderr and "log in" not in ran.stderr
