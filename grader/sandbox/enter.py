"""The process that becomes bwrap: joins its cgroups, limits itself, gives up root, then `exec`.

A program of its own, run by the bare interpreter: what it does (cgroups, a private mount namespace, another uid)
must happen in a process that may do it to itself, and not in a copy of a grader that has threads.
"""

from __future__ import annotations

import json
import os
import resource
import sys

_CLONE_NEWNS = 0x20000
_BIND, _REC, _PRIVATE = 0x1000, 0x4000, 0x40000
_FIRST_UID, _UIDS = 1_900_000_000, 100_000_000


def main() -> None:
    """Read the plan from an inherited descriptor and follow it."""
    os.umask(0o022)  # what is made here others than root must be able to reach
    with open(int(sys.argv[1]), "rb") as file:
        plan = json.load(file)
    for path in plan["cgroups"]:
        with open(path, "w") as procs:
            procs.write(str(os.getpid()))
    if plan["cpu"] is not None:
        os.sched_setaffinity(0, [plan["cpu"]])
    for name, value in plan["limits"].items():
        _limit(getattr(resource, name), value)
    if plan["stage"]:
        _stage(plan["stage_root"], plan["stage"])
        _become_nobody()
    os.execve(plan["command"][0], plan["command"], {})


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(what, (value, value))


def _stage(root: str, binds: list[tuple[str, str]]) -> None:
    """Bind everything to a path that others than root may walk to. Only this process sees it."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)

    def check(result: int, what: str) -> None:
        if result:
            raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")

    check(libc.unshare(_CLONE_NEWNS), "a private mount namespace")
    check(libc.mount(b"none", b"/", None, _REC | _PRIVATE, None), "making mounts private")
    check(libc.mount(b"tmpfs", root.encode(), b"tmpfs", 0, b"mode=0755,size=1m"), f"a tmpfs at {root}")
    for source, target in binds:
        if os.path.isdir(source):
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            open(target, "x").close()
        check(libc.mount(source.encode(), target.encode(), None, _BIND | _REC, None), f"binding {source}")


def _become_nobody() -> None:
    """A uid that no account has and, as it is made from our pid, no other sandbox at the same time."""
    first, count = _uid_range()
    if not count:
        raise OSError(
            "this root has no other user to become; start the grader as an ordinary user, or map more uids"
        )
    uid = first + os.getpid() % count
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _uid_range() -> tuple[int, int]:
    """The highest uids this user namespace has; a container may have few."""
    with open("/proc/self/uid_map") as file:
        inside, _, length = max((tuple(map(int, line.split())) for line in file), key=lambda entry: entry[2])
    if inside + length >= _FIRST_UID + _UIDS:
        return _FIRST_UID, _UIDS
    return inside + length // 2, length // 2


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        sys.exit(f"entering the sandbox failed: {type(error).__name__}: {error}")
