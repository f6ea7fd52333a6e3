"""Whoever measures has a core for itself, whatever else is graded on this machine."""

import os
import subprocess
import sys

import pytest

from grader import cores

ALLOWED = sorted(os.sched_getaffinity(0), reverse=True)
HOLD = """
import sys, time
from grader import cores
with cores.claimed() as cpu:
    print(cpu, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def other():
    """Another grader, which measures."""
    with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.mark.alone
@pytest.mark.skipif(len(ALLOWED) < 2, reason="needs two cores")
def test_two_graders_measure_on_different_cores(other):
    theirs = int(other.stdout.readline())
    with cores.claimed() as ours:
        assert {theirs, ours} <= set(ALLOWED)
        assert theirs != ours


@pytest.mark.alone
def test_the_core_of_a_killed_grader_is_free_again(other):
    theirs = int(other.stdout.readline())
    other.kill()
    other.wait()
    with cores.claimed(theirs) as ours:
        assert ours == theirs


@pytest.mark.alone
def test_who_waited_long_enough_shares_a_core(other, monkeypatch, caplog):
    theirs = int(other.stdout.readline())
    monkeypatch.setattr(cores, "WAIT_SECONDS", 0.5)
    with cores.claimed(theirs) as ours:
        assert ours == theirs
    assert "shares core" in caplog.text
