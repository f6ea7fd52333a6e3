"""The same tests as an ordinary user, when we are root and so could only claim that they pass."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.sandbox import cgroup_home, cgroups

pytestmark = [
    pytest.mark.alone,  # two users' tests run beside each other
    pytest.mark.skipif(os.geteuid() != 0, reason="this is an ordinary user already"),
    pytest.mark.skipif(
        not all(map(shutil.which, ("unshare", "setpriv", "mount"))), reason="needs util-linux"
    ),
]
NOBODY, DELEGATED = 65534, 65533  # who are both nobody: some limits count by user
# In a mount namespace of our own: root's home may be walked through, but shows only where the interpreter lies.
SCRIPT = """
set -e
if [ -n "$PREFIX" ]; then
  mount --bind "$PREFIX" /media
  mount -t tmpfs -o mode=755 none /root
  mkdir -p "$PREFIX"
  mount --move /media "$PREFIX"
fi
for procs in $JOIN; do echo $$ > $procs; done
exec setpriv --reuid=$USER_ID --regid=$USER_ID --clear-groups "$@"
"""


@pytest.fixture(scope="module")
def delegated():
    """A set of cgroups that is handed to the ordinary user, as systemd does with Delegate=yes."""
    try:
        group = cgroups.Cgroups(cgroup_home.home())
    except (cgroup_home.CgroupsUnavailable, OSError) as reason:
        pytest.skip(str(reason))
    for folder in group.folders:
        for path in (folder, *folder.iterdir()):
            os.chown(path, DELEGATED, DELEGATED)
    yield group.procs
    group.close()


def start(arguments, uid, join=(), **streams):
    """Start this interpreter as an ordinary user."""
    return subprocess.Popen(
        [
            *("unshare", "--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh"),
            sys.executable,
            "-B",
            "-P",
            *arguments,
        ],
        env={
            **os.environ,
            "PREFIX": sys.base_prefix if sys.base_prefix.startswith("/root/") else "",
            "USER_ID": str(uid),
            "TMPDIR": "/tmp",
            "JOIN": " ".join(join),
        },
        **streams,
    )


@pytest.fixture(scope="module", autouse=True)
def readable():
    """An environment in somebody's home cannot be used by anyone else."""
    probe = f"import sys, pytest, ml_dtypes; sys.exit(sys.prefix != {sys.prefix!r})"
    if start(["-c", probe], NOBODY, stderr=subprocess.DEVNULL).wait(60):
        pytest.skip(f"an ordinary user cannot read this environment, {sys.prefix}")


class Rerun:
    """Tests that another user runs meanwhile."""

    def __init__(self, names, choice, uid, join=()):
        files = [str(Path(__file__).with_name(f"test_{name}.py")) for name in names]
        words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files, "-k", choice]
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = start(words, uid, join, stdout=self._said, stderr=self._said)

    def result(self):
        """What they said, when they have passed."""
        code = self._process.wait(900)
        self._said.seek(0)
        said = self._said.read()
        assert code == 0 and " passed" in said, said[-6000:]
        return said

    def close(self):
        """End what is not over."""
        self._process.kill()
        self._process.wait()
        self._said.close()


def rerun(request, *arguments):
    one = Rerun(*arguments)
    request.addfinalizer(one.close)
    return one


@pytest.fixture(scope="module")
def reduced(request):
    """Started before the tests that have cgroups, beside which it runs: each has a user of its own."""
    names = ("calls", "traps", "compiled", "timed", "selftest", "nothing_left")
    return rerun(request, names, "not full", NOBODY)


@pytest.fixture(scope="module")
def full(request, reduced, delegated):
    names = ("traps", "selftest", "nothing_left", "cgroups")
    return rerun(request, names, "not reduced", DELEGATED, delegated)


@pytest.mark.slow
def test_with_delegated_cgroups_an_ordinary_user_gets_the_full_level(full):
    said = full.result()
    assert "level full needs cgroups" not in said, said


@pytest.mark.slow
def test_without_cgroups_of_their_own_an_ordinary_user_gets_the_reduced_level(reduced):
    reduced.result()
