"""Real processes, really killed. Whatever dies, every submission that was taken gets one result and none is lost."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from service_world import SOFTMAX, World

from grader.db.tables import Job, JobState, Result, Run, RunState

STUDENTS, EACH = 3, 2
FILL = "\nimport time\ntime.sleep(0.15)  # in the import: long enough to be killed in\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Served:
    """`grader serve` as a process."""

    def __init__(self, world: World) -> None:
        self.port = free_port()
        self.log = world.settings.data.parent / f"serve-{self.port}.log"
        settings = {"GRADER_DATA": str(world.settings.data), "GRADER_LEASE_SECONDS": "3"}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "grader", "serve", "--port", str(self.port), "--workers", "2"],
                env={**os.environ, **settings}, stdout=log, stderr=log,
            )  # fmt: skip

    def get(self, path):
        """The text of a page, with cookies kept on the way."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def wait(self, ready, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if ready():
                    return
            except OSError:
                pass
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        pytest.fail(f"not ready after {seconds} s\n{self.log.read_text()[-4000:]}")

    def workers(self):
        """Process ids of the workers that this one has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(one) for one in children if b"\0worker" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def end(self):
        self.process.terminate()
        try:
            assert self.process.wait(60) == 0, self.log.read_text()[-4000:]
        finally:
            self.process.kill()


@contextmanager
def serving(world):
    served = Served(world)
    try:
        yield served
    finally:
        served.process.poll() is None and served.end()


@pytest.fixture
def full(world):
    world.course(**{f"s{i}": "student" for i in range(STUDENTS)})
    for i in range(STUDENTS):
        for j in range(EACH):
            world.submit(f"s{i}", f"{SOFTMAX}{FILL}#{j}")
    return world


def states(world):
    with world.database.reading() as session:
        return [job.state for job in session.query(Job)]


def assert_every_submission_has_one_result(world):
    with world.database.reading() as session:
        runs = session.query(Run).all()
        assert len(runs) == STUDENTS * EACH
        assert all(run.state is RunState.GRADED and run.score == 100 for run in runs)
        assert len({result.run_id for result in session.query(Result)}) == STUDENTS * EACH
        tests = session.query(Result).filter_by(run_id=runs[0].id).count()
        assert session.query(Result).count() == tests * STUDENTS * EACH


def test_a_worker_and_then_the_whole_service_are_killed(full):
    with serving(full) as served:
        served.wait(lambda: JobState.LEASED in states(full))
        victim = served.workers()[0]
        os.kill(victim, signal.SIGKILL)
        served.wait(lambda: JobState.DONE in states(full) and len(set(served.workers()) - {victim}) == 2)
        assert "password" in served.get("/login")
        served.process.send_signal(signal.SIGKILL)
        served.process.wait()
    with serving(full) as served:
        served.wait(lambda: set(states(full)) == {JobState.DONE}, 120)
        assert_every_submission_has_one_result(full)


def test_the_first_start_prints_a_link_for_the_administrator(world):
    with serving(world) as served:
        served.wait(lambda: served.get("/healthz"))
        link = re.search(r"http://127\.0\.0\.1:\d+(/link/\S+)", served.log.read_text())[1]
        assert "administrator" in served.get(link)
        second = subprocess.run(
            [sys.executable, "-m", "grader", "serve", "--port", str(free_port())],
            env={**os.environ, "GRADER_DATA": str(world.settings.data)}, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert second.returncode != 0 and "another `grader serve`" in second.stderr
        assert "Traceback" not in second.stderr
