"""The same tests as an ordinary user, when we are root and so could only claim that they pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox import cgroup_home, cgroups

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="this is an ordinary user already"),
    pytest.mark.skipif(
        not all(map(shutil.which, ("unshare", "setpriv", "mount"))), reason="needs util-linux"
    ),
]
NOBODY = 65534
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


@pytest.fixture
def delegated():
    """A set of cgroups that is handed to the ordinary user, as systemd does with Delegate=yes."""
    try:
        group = cgroups.Cgroups(cgroup_home.home())
    except (cgroup_home.CgroupsUnavailable, OSError) as reason:
        pytest.skip(str(reason))
    for folder in group.folders:
        for path in (folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)
    yield group.procs
    group.close()


def run(arguments, join=()):
    """Run this interpreter as the ordinary user."""
    return subprocess.run(
        [
            *("unshare", "--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh"),
            sys.executable,
            "-B",
            "-P",
        ]
        + arguments,
        env={
            **os.environ,
            "PREFIX": sys.base_prefix if sys.base_prefix.startswith("/root/") else "",
            "USER_ID": str(NOBODY),
            "TMPDIR": "/tmp",
            "JOIN": " ".join(join),
        },
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def run_tests(*arguments, join=()):
    result = run(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *map(str, arguments)], join)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    return result.stdout


@pytest.fixture(autouse=True)
def readable():
    """An environment in somebody's home cannot be used by anyone else."""
    probe = f"import sys, pytest, ml_dtypes; sys.exit(sys.prefix != {sys.prefix!r})"
    if run(["-c", probe]).returncode:
        pytest.skip(f"an ordinary user cannot read this environment, {sys.prefix}")


def files(*names):
    return [Path(__file__).with_name(f"test_{name}.py") for name in names]


@pytest.mark.slow
def test_without_cgroups_of_their_own_an_ordinary_user_gets_the_reduced_level():
    said = run_tests(
        *files("calls", "traps", "compiled", "timed", "selftest", "nothing_left"), "-k", "not full"
    )
    assert " passed" in said


@pytest.mark.slow
def test_with_delegated_cgroups_an_ordinary_user_gets_the_full_level(delegated):
    said = run_tests(
        *files("traps", "selftest", "nothing_left", "cgroups"), "-k", "not reduced", join=delegated
    )
    assert " passed" in said and "level full needs cgroups" not in said, said
