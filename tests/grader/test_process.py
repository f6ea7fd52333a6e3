"""The grader as a process: started without standard streams, and told to end."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import catalogue
from grader.sandbox.inside.leftovers import below

RIGHT = (catalogue.ROOT / "softmax" / "solution.py").read_text(encoding="utf-8")
SLEEPS = "import ctypes, time\nctypes.CDLL(None).prctl(15, b'asleep', 0, 0, 0)\ntime.sleep(60)\n"


def command(*arguments):
    return [sys.executable, "-m", "grader", *map(str, arguments)]


@pytest.fixture
def handed_in(tmp_path):
    def write(source):
        (tmp_path / "submission.py").write_text(source, encoding="utf-8")
        return command("grade", tmp_path / "submission.py", "--assignment", "softmax")

    return write


def run_with(closed, words):
    """Run a command as a shell does that was told to close some of its standard streams."""
    shell = ["sh", "-c", f'exec "$0" "$@" {closed}', *words]
    return subprocess.run(shell, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_not_make_the_sandbox_unsafe(closed, handed_in):
    """The numbers 0, 1, 2 were used again, for the sandbox's own files."""
    ran = run_with(closed, handed_in(RIGHT))
    assert ran.returncode == 0, ran.stderr
    assert " >&-" in f" {closed}" or "100 of 100" in ran.stdout


@pytest.mark.parametrize("umask", [0o027, 0o077, 0o777], ids=oct)
def test_no_umask_makes_the_sandbox_unsafe(umask, handed_in):
    """What the sandbox is entered by was made under it, for nobody to reach."""
    words = {"capture_output": True, "text": True, "timeout": 300, "check": False}
    ran = subprocess.run(handed_in(RIGHT), umask=umask, **words)
    assert ran.returncode == 0, ran.stderr
    assert "100 of 100" in ran.stdout


def test_the_self_test_stands_without_standard_input():
    ran = run_with("<&-", command("selftest"))
    assert ran.returncode == 0, ran.stdout + ran.stderr


@contextlib.contextmanager
def started(words, **environment):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes, env={**os.environ, **environment}) as process:
        try:
            yield process
        finally:
            process.kill()


def groups_of(pid):
    return list(Path("/sys/fs/cgroup").rglob(f"grader-{pid}-*"))


@pytest.mark.alone  # other graders would remove what is left
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("sandbox", [[], ["--unsafe-no-sandbox"]])
def test_who_is_told_to_end_cleans_up_first(number, sandbox, handed_in, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with started([*handed_in(SLEEPS), *sandbox], TMPDIR=str(temporary)) as process:
        wait_for(lambda: asleep_below(process.pid))
        process.send_signal(number)
        said = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert said == ("", f"grader: ended by {number.name}; everything is cleaned up.\n")
    assert not groups_of(process.pid) and not list(temporary.iterdir())


def test_what_is_ignored_from_the_start_stays_ignored():
    """As nohup has it."""
    program = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from grader.ending import unwound_when_told\n"
        "with unwound_when_told(): os.kill(os.getpid(), signal.SIGHUP); print('alive')"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "alive\n"


@pytest.mark.alone
def test_proving_ends_with_its_graders():
    """The signal reaches one process of several."""
    with started(command("check-assignments", "softmax", "--seeds", "1")) as process:
        wait_for(lambda: any(groups_of(child) for child in below(process.pid)))
        children = below(process.pid)
        process.terminate()
        assert process.communicate(timeout=30)[1].startswith("grader: ended by SIGTERM")
    assert process.returncode == 128 + signal.SIGTERM
    assert not any(groups_of(child) for child in children)


def asleep_below(pid):
    """Whether the submission has been imported, and sleeps there."""
    return any(name_of(one) == "asleep" for one in below(pid))


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
