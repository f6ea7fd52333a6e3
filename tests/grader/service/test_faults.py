"""What surrounds the service fails, really: nothing is stuck, done twice, or charged to a student."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from service_process import STUDENTS, assert_every_submission_has_one_result, fill, serving, states
from service_world import World

from grader.db.clock import now
from grader.db.tables import Job, JobState, Run
from grader.services import standing

CLOCK = Path(__file__).parents[2] / "clock_off.c"
HOUR = 3600

pytestmark = pytest.mark.slow


def attempts_used(world) -> list[int]:
    with world.database.reading() as session:
        users = [world.user(session, f"s{i}") for i in range(STUDENTS)]
        return [standing.standing(session, user, world.task(session)).used for user in users]


# ---- A full disk ----


@pytest.fixture
def small_disk(tmp_path):
    """A service whose data has a disk of six megabytes to itself."""
    folder = tmp_path / "data"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr.decode()}")
    world = World(tmp_path)
    yield world
    world.close()
    subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled_up(folder: Path):
    """No byte is free in there meanwhile."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    assert shutil.disk_usage(folder).free == 0
    try:
        yield
    finally:
        ballast.unlink()


def test_a_disk_that_is_full_for_a_while_costs_nobody_anything(small_disk):
    fill(small_disk)
    browser = small_disk.browser("s0")
    where = "/c/nlp/a/softmax/submissions"
    with serving(small_disk) as served:
        served.wait(lambda: JobState.LEASED in states(small_disk), 180)
        with filled_up(small_disk.settings.data):
            refused = browser.upload(where, "a.py", b"#" * 500_000 + b"\nx = 1\n")
            assert refused.status_code == 503 and "Nothing was changed" in refused.text
            time.sleep(5)  # longer than a lease
            assert JobState.DEAD not in states(small_disk)
            assert "password" in served.get("/login")
        served.wait(lambda: set(states(small_disk)) == {JobState.DONE}, 180)
    assert_every_submission_has_one_result(small_disk)
    assert attempts_used(small_disk) == [2] * STUDENTS


# ---- A clock that is wrong ----


@pytest.fixture
def world_with_others(postgres, tmp_path):
    """A service whose workers may be on other machines."""
    world = World(tmp_path, database_url=postgres.fresh())
    yield world
    world.close()


@pytest.fixture(scope="module")
def clock_off(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = tmp_path_factory.mktemp("clock") / "clock_off.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, CLOCK], check=True)
    return library


@contextmanager
def worker(world, library: Path, off: int):
    """A worker's process, in which it is another time."""
    ours = {"GRADER_DATA": world.settings.data, "GRADER_DATABASE_URL": world.settings.database_url}
    wrong = {"LD_PRELOAD": library, "CLOCK_OFF": off, "GRADER_LEASE_SECONDS": 3}
    environment = os.environ | {name: str(value) for name, value in (ours | wrong).items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "worker"], env=environment, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_the_clock_of_the_test_is_off(clock_off):
    asked = [
        sys.executable,
        "-c",
        "import time, datetime as d; print(time.time(), d.datetime.now().timestamp())",
    ]
    environment = os.environ | {"LD_PRELOAD": str(clock_off), "CLOCK_OFF": str(HOUR)}
    told = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout
    assert [float(at) - time.time() for at in told.split()] == pytest.approx([HOUR, HOUR], abs=5)


def test_workers_whose_clocks_are_an_hour_off_take_nothing_from_each_other(world_with_others, clock_off):
    world = world_with_others
    fill(world)
    with ExitStack() as workers:
        for off in (HOUR, -HOUR):
            workers.enter_context(worker(world, clock_off, off))
        deadline = time.monotonic() + 300
        while set(states(world)) != {JobState.DONE} and time.monotonic() < deadline:
            time.sleep(0.1)
    assert_every_submission_has_one_result(world)
    with world.database.reading() as session:
        jobs = session.query(Job).all()
        assert {job.tries for job in jobs} == {1}, "no lease ran out"
        assert len({job.worker for job in jobs}) == 2, "both have worked"
        ended = [run.finished_at for run in session.query(Run)]
    assert all(abs((now() - at).total_seconds()) < 300 for at in ended)
    assert attempts_used(world) == [2] * STUDENTS
