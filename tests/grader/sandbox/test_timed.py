"""A persistent child under a clock that it cannot reach."""

import os
from dataclasses import replace

import numpy as np
import pytest
from sandbox_limits import LIMITS

from grader.models import Call, Status
from grader.sandbox import Sandbox

pytestmark = pytest.mark.alone
X = np.arange(8, dtype=np.float64)
HEAD = "import os, sys, threading, time\nimport numpy as np\n"


def timed(opened, source, limits=LIMITS):
    return opened(HEAD + source).timed(Call("f", {"x": X}, positional=1), limits)


def test_every_run_sees_its_new_data(opened):
    with timed(opened, "def f(x): return x * 2") as clock:
        for step in range(5):
            clock.load({"x": X + step})
            seconds = clock.run()
            outcome = clock.fetch()
            assert 0 < seconds < 1 and outcome.wall_seconds == seconds
            assert outcome.status is Status.OK and np.array_equal(outcome.results[0], (X + step) * 2)
            assert outcome.changed == ()


def test_the_clock_measures_the_call_and_not_the_import(opened):
    with timed(opened, "time.sleep(0.5)\ndef f(x):\n    time.sleep(0.05)\n    return x") as clock:
        clock.load({"x": X})
        assert 0.05 <= clock.run() < 0.3


def test_data_of_another_shape_cannot_be_loaded(opened):
    with timed(opened, "def f(x): return x") as clock, pytest.raises(ValueError, match="shapes of the call"):
        clock.load({"x": X[:3]})


def test_a_changed_input_is_named(opened):
    with timed(opened, "def f(x):\n    y = x + 1\n    x[0] = 9\n    return y") as clock:
        clock.load({"x": X})
        clock.run()
        assert clock.fetch().changed == ("x",)


def test_a_thread_that_works_on_shows_in_the_processor_time(opened, level):
    if level.value != "full":
        pytest.skip("without cgroups, processor time is counted in ticks of 10 ms")
    source = """
def f(x):
    threading.Thread(target=lambda: [None for _ in range(10**8)], daemon=True).start()
    return x
"""
    with timed(opened, source) as clock:
        seen = []
        for _ in range(10):  # on a busy machine the thread may not have had its turn yet
            clock.load({"x": X})
            wall = clock.run()
            seen.append(clock.fetch().cpu_seconds - wall)
        assert max(seen) > 0.002


def test_an_honest_call_uses_no_more_processor_time_than_wall(opened, level):
    if level.value != "full":
        pytest.skip("without cgroups, processor time is counted in ticks of 10 ms")
    with timed(opened, "def f(x):\n    for _ in range(1000): x = x + 1\n    return x") as clock:
        clock.load({"x": X})
        wall = clock.run()
        assert 0 < clock.fetch().cpu_seconds < wall + 0.002


def test_saying_done_too_early_gives_no_result(opened):
    source = """
def f(x):
    for descriptor in range(3, 10):
        try: os.write(descriptor, b"dddd")
        except OSError: pass
    time.sleep(0.3)
    return x
"""
    with timed(opened, source) as clock:
        for _ in range(2):
            clock.load({"x": X})
            clock.run()
            assert clock.fetch().results == ()


@pytest.mark.parametrize(
    "body, status",
    [
        ("1 / 0", Status.RAISED),
        ("os._exit(0)", Status.EXITED),
        ("os.abort()", Status.KILLED),
        ("time.sleep(60)", Status.TIMEOUT),
        ("return [1]", Status.REFUSED),
        ("sys.exit()", Status.EXITED),
        ("return bytearray(1) * (1 << 31)", Status.OUT_OF_MEMORY),
    ],
)
def test_a_failure_is_the_outcome_from_then_on(opened, body, status):
    with timed(opened, f"def f(x):\n    {body}\n", replace(LIMITS, wall_seconds=0.5)) as clock:
        for _ in range(2):
            clock.load({"x": X})
            assert clock.run() < 2
            outcome = clock.fetch()
            assert outcome.status is status and outcome.results == (), outcome


def test_calls_go_on_after_a_timed_one(opened):
    box = opened(HEAD + "def f(x):\n    time.sleep(60)\n")
    call = Call("f", {"x": X}, positional=1)
    with box.timed(call, replace(LIMITS, wall_seconds=0.3)) as clock:
        clock.load({"x": X})
        clock.run()
    assert box.call(Call("g", {}), LIMITS).status is Status.MISSING


STAYS = b"""
import os, numpy as np
def f():
    try: os.sched_setaffinity(0, range(os.cpu_count()))
    except PermissionError: pass
    return np.array(sorted(os.sched_getaffinity(0)), float)
"""


@pytest.mark.parametrize("cpu", sorted(os.sched_getaffinity(0)))
def test_everything_inside_stays_on_the_core_asked_for(level, cpu):
    with Sandbox.open({"submission.py": STAYS}, "numpy", LIMITS, level=level, cpu=cpu) as box:
        assert box.call(Call("f", {}), LIMITS).results[0].tolist() == [cpu]
