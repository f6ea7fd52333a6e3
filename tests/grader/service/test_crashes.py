"""Real processes, really killed. Whatever dies, every submission that was taken gets one result and none is lost."""

import os
import re
import signal
import subprocess
import sys

import pytest
from service_process import serving
from service_servers import free_port
from service_world import SOFTMAX

from grader.db.tables import Job, JobState, Result, Run, RunState

STUDENTS, EACH = 3, 2
FILL = "\nimport time\ntime.sleep(0.15)  # in the import: long enough to be killed in\n"


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
