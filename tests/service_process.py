"""`grader serve` as a process of its own, with the settings of a `World`."""

import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from service_servers import free_port
from service_world import SOFTMAX, World

from grader.db.tables import Job, Result, Run, RunState

STUDENTS, EACH = 3, 2
FILL = "\nimport time\ntime.sleep(0.15)  # in the import: long enough to be killed in\n"


class Served:
    """`grader serve` as a process."""

    def __init__(self, world: World, **more) -> None:
        self.port = free_port()
        self.log = world.settings.data.parent / f"serve-{self.port}.log"
        ours = {
            name: getattr(world.settings, name) for name in ("data", "database_url", "engine", "broker_url")
        }
        chosen = {**ours, "lease_seconds": 3, **more}
        settings = {f"GRADER_{name.upper()}": str(value) for name, value in chosen.items()}
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
def serving(world, **settings):
    served = Served(world, **settings)
    try:
        yield served
    finally:
        served.process.poll() is None and served.end()


def fill(world, mark: str = "") -> None:
    """Hand in for everyone, into a class that is made with the first of it."""
    if not mark:
        world.course(**{f"s{i}": "student" for i in range(STUDENTS)})
    for i in range(STUDENTS):
        for j in range(EACH):
            world.submit(f"s{i}", f"{SOFTMAX}{FILL}#{j}{mark}")


def states(world):
    with world.database.reading() as session:
        return [job.state for job in session.query(Job)]


def assert_every_submission_has_one_result(world, times: int = 1) -> None:
    with world.database.reading() as session:
        runs = session.query(Run).all()
        assert len(runs) == STUDENTS * EACH * times
        assert all(run.state is RunState.GRADED and run.score == 100 for run in runs)
        assert len({result.run_id for result in session.query(Result)}) == len(runs)
        tests = session.query(Result).filter_by(run_id=runs[0].id).count()
        assert session.query(Result).count() == tests * len(runs)
