"""After a sandbox: no process, no mount, no cgroup, no file, no descriptor."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from sandbox_limits import LIMITS

from grader.models import Call
from grader.sandbox import Sandbox

pytestmark = pytest.mark.alone  # looks through cgroups, which others make and remove meanwhile
MESS = b"""
import os, time
def f(x):
    for n in range(50): open(f"/tmp/{n}", "w").write("x")
    for _ in range(5):
        if os.fork() == 0: os.setsid(); time.sleep(60)
    return x
"""


def ours():
    """What a sandbox could leave on this machine, as far as it is this process's."""
    pid = str(os.getpid())
    children = {line.split()[0] for line in subprocess_children()}
    groups = {str(path) for path in Path("/sys/fs/cgroup").rglob(f"grader-{pid}-*")}
    mounts = Path("/proc/self/mountinfo").read_text()
    return children, groups, mounts, len(os.listdir("/proc/self/fd"))


def subprocess_children():
    tasks = Path("/proc/self/task").glob("*/children")
    return [child for task in tasks for child in task.read_text().split()]


def test_nothing_is_left(level, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = ours()
    with Sandbox.open({"submission.py": MESS}, "numpy", LIMITS, level=level) as box:
        call = Call("f", {"x": np.ones(3)}, positional=1)
        box.call(call, LIMITS)
        with box.timed(call, LIMITS) as clock:
            clock.load({"x": np.zeros(3)})
            clock.run()
    assert ours() == before
    assert not list(tmp_path.iterdir())


def test_a_grader_that_is_killed_takes_its_sandbox_along(level):
    """Nobody is there to clean up: the kernel ends the processes, the next grader removes the cgroups."""
    grader = textwrap.dedent(f"""
        import sys
        sys.path[:0] = {sys.path!r}
        from grader.models import Call, Limits
        from grader.sandbox import Level, Sandbox
        source = b"import time\\ndef f(): time.sleep(60)"
        box = Sandbox.open({{"submission.py": source}}, "numpy", Limits(), level=Level({level.value!r}))
        print(box._engine._started.process.pid, flush=True)
        box.call(Call("f", {{}}), Limits(wall_seconds=50))
    """)
    process = subprocess.Popen([sys.executable, "-c", grader], stdout=subprocess.PIPE, text=True)
    inner = int(process.stdout.readline())
    process.stdout.close()
    time.sleep(0.2)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 5
    while running(inner) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not running(inner)
    Sandbox.open({"submission.py": b""}, "numpy", LIMITS, level=level).close()
    assert not list(Path("/sys/fs/cgroup").rglob(f"grader-{process.pid}-*"))


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
