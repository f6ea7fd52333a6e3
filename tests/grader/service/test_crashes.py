"""Real processes, really killed. Whatever dies, every submission that was taken gets one result and none is lost."""

import os
import re
import signal
import subprocess
import sys

import pytest
from service_process import assert_every_submission_has_one_result, fill, serving, states
from service_servers import free_port
from service_world import World

from grader.db.tables import JobState

ENGINES = [("sqlite", "local"), ("postgresql", "local"), ("postgresql", "celery")]


@pytest.fixture(params=ENGINES, ids=lambda pair: " ".join(pair))
def full(request, tmp_path):
    """A service with work to do, on every pair of database and engine."""
    database, engine = request.param
    more = {"engine": engine}
    if database == "postgresql":
        more["database_url"] = request.getfixturevalue("postgres").fresh()
    if engine == "celery":
        more["broker_url"] = request.getfixturevalue("redis").url
    world = World(tmp_path, **more)
    fill(world)
    yield world
    world.close()


@pytest.mark.slow
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


@pytest.mark.parametrize("database_url", [""], ids=["sqlite"])
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
