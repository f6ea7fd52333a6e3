"""The same tests as an ordinary user, when we are root and so could only claim that they pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
exec setpriv --reuid=$USER_ID --regid=$USER_ID --clear-groups "$@"
"""


def test_everything_holds_for_an_ordinary_user(tmp_path_factory):
    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    if missing := [name for name in ("unshare", "setpriv", "mount") if shutil.which(name) is None]:
        pytest.skip(f"needs {', '.join(missing)} of util-linux")
    prefix = sys.base_prefix if sys.base_prefix.startswith("/root/") else ""
    tests = [str(path) for path in Path(__file__).parent.glob("test_*.py") if path.name != Path(__file__).name]
    result = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh", sys.executable, "-B", "-P"]
        + ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        env={**os.environ, "PREFIX": prefix, "USER_ID": str(NOBODY), "HOME": "/tmp", "TMPDIR": "/tmp"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    assert " passed" in result.stdout
