"""Tries, exactly as a submission is run, what must not work; a machine that lets it work gets no submission."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from ..models import Call, Limits, Outcome, Status, Value
from .levels import Level
from .runtime import PACKAGES
from .unavailable import SandboxUnavailable

_PROBES = Path(__file__).with_name("probes.py")
_LIMITS = Limits(wall_seconds=5, memory_bytes=64 << 20, processes=12, run_seconds=30, file_bytes=16 << 20)
_FRESH_SECONDS = 300.0


@dataclass(frozen=True)
class Probe:
    """One thing that was tried; `ok` when the sandbox stood."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class SelfTest:
    """The level that was tried and what happened. Safe when every probe is ok."""

    level: Level
    probes: tuple[Probe, ...]

    @property
    def ok(self) -> bool:
        """Whether hostile code may be run at this level."""
        return self.level is not Level.NONE and all(probe.ok for probe in self.probes)


_known: tuple[float, SelfTest] | None = None


def best_level() -> Level:
    """The strongest level that stood a self-test within the last minutes."""
    global _known
    if _known is None or time.monotonic() - _known[0] > _FRESH_SECONDS:
        _known = (time.monotonic(), selftest())
    result = _known[1]
    if not result.ok:
        _known = None
        raise SandboxUnavailable(f"no safe sandbox on this machine ({_why(result)})")
    return result.level


def _why(result: SelfTest) -> str:
    """What failed, each reason once: most often it is the same at every level."""
    names: dict[str, list[str]] = {}
    for probe in result.probes:
        if not probe.ok:
            names.setdefault(probe.detail, []).append(probe.name)
    return "; ".join(f"{', '.join(found)}: {detail}" for detail, found in names.items())


def selftest(level: Level | None = None) -> SelfTest:
    """Probe one level; or the levels from the strongest on, until one stands.

    Where none does, the result has the failed probes of all that were tried.
    """
    if level is not None:
        return SelfTest(level, _probe(level))
    failed: tuple[Probe, ...] = ()
    for candidate in (Level.FULL, Level.REDUCED):
        result = SelfTest(candidate, _probe(candidate))
        if result.ok:
            return result
        failed += tuple(replace(probe, name=f"{candidate.value}: {probe.name}") for probe in result.probes)
    return SelfTest(Level.NONE, failed)


def _probe(level: Level) -> tuple[Probe, ...]:
    from .box import Sandbox  # it asks us for the best level

    if level is Level.NONE:  # what the probes try would work, and on the machine itself
        return (Probe("start", False, "there is no wall at level none: nothing was tried"),)
    try:
        with Sandbox.open({"submission.py": _PROBES.read_bytes()}, "numpy", _LIMITS, level=level) as box:
            return (Probe("start", True, level.value), *_all_probes(box))
    except SandboxUnavailable as error:
        return (Probe("start", False, str(error)),)


def _all_probes(box) -> list[Probe]:  # type: ignore[no-untyped-def]
    with tempfile.NamedTemporaryFile("w", prefix="grader-canary-") as canary:
        canary.write("a canary")
        canary.flush()
        Path(canary.name).chmod(0o644)
        tries: list[tuple[str, dict[str, Value]]] = [
            ("write_system", {}),
            ("read_outside", {"path": canary.name}),
            ("read_environment", {}),
            ("open_socket", {}),
            ("nested_namespace", {}),
            ("open_pipe_of_runner", {}),
            ("read_memory_of_runner", {}),
            ("import_grader", {}),
            ("right_python", {"prefix": sys.base_prefix, "package": str(PACKAGES / "numpy/__init__.py")}),
            ("fork_beyond", {"limit": _LIMITS.processes + 4}),
            ("leave_daemon", {}),
            ("find_daemon", {}),
            ("stop_runner", {}),
        ]
        found = [_judged(name, box.call(Call(name, arguments), _LIMITS)) for name, arguments in tries]
    outcome = box.call(Call("allocate_beyond", {"megabytes": 256}), _LIMITS)
    found.append(Probe("allocate_beyond", outcome.status is Status.OUT_OF_MEMORY, _detail(outcome)))
    found.append(_judged("find_daemon", box.call(Call("find_daemon", {}), _LIMITS)))
    return found


def _judged(name: str, outcome: Outcome) -> Probe:
    ok = outcome.status is Status.OK and bool(outcome.results[0] == 1)
    return Probe(name, ok, _detail(outcome))


def _detail(outcome: Outcome) -> str:
    words = [outcome.status.value] if outcome.status is not Status.OK else []
    if outcome.message is not None:
        words.append(f"{outcome.message.code} {dict(outcome.message.params)}")
    return " ".join([*words, outcome.printed.decode("utf-8", "replace").strip()])
