"""What is bound into a sandbox, and what of it is hidden."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.runtime import _of_answers

ROOT = Path(__file__).resolve().parents[3]
STEALS = """
#include <cstdint>
asm(".data\\nstolen: .incbin \\"{}\\"\\n.text");
"""


def test_folders_with_the_grader_in_them_are_hidden_below_what_is_bound(tmp_path, monkeypatch):
    (tmp_path / "app" / "pyattn").mkdir(parents=True)
    (tmp_path / "lib").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "lib"), str(tmp_path / "app"), str(tmp_path)])
    assert list(_of_answers(tmp_path)) == [tmp_path / "app"]


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can mount")
@pytest.mark.skipif(not Path("/usr/src").is_dir(), reason="needs a folder under /usr to mount on")
def test_a_build_cannot_read_a_grader_that_lies_under_usr(tmp_path):
    """As in images whose programs are in /usr/src/app; a build sees the whole of /usr."""
    source = tmp_path / "submission.cpp"
    source.write_text(STEALS.format("/usr/src/grader/assignments/fast-attention/solution.py"))
    words = f"-m grader grade {source} --assignment fast-attention --format json"
    script = f"mount --bind {ROOT} /usr/src && cd / && exec {sys.executable} -P {words}"
    ran = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["/usr/src", *filter(None, sys.path)])},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    build = json.loads(ran.stdout)["build"]
    assert not build["ok"] and "file not found" in build["message"]["text"], build
