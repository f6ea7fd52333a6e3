"""Where the grader stands among the cgroups: its own one, below which sets can be made, in version 1 or 2."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NEEDED = ("memory", "pids")


class CgroupsUnavailable(RuntimeError):
    """Why there are no cgroups to make."""


@dataclass(frozen=True)
class Home:
    """The grader's own cgroup: version 2 has one folder, version 1 one per controller."""

    version: int
    folders: Mapping[str, Path]  # controller → folder


def home(proc: Path = Path("/proc/self")) -> Home:
    """Find the grader's own cgroup and whether sets can be made below it."""
    mounts = list(_mounts(proc / "mountinfo"))
    own = dict(_memberships(proc / "cgroup"))
    version2 = _version2(mounts, own)
    if version2 and set(NEEDED) <= set((version2 / "cgroup.controllers").read_text().split()):
        return Home(2, dict.fromkeys(("memory", "pids", "cpuacct"), version2))
    folders = {name: folder for name in (*NEEDED, "cpuacct") if (folder := _version1(name, mounts, own))}
    if missing := [name for name in NEEDED if name not in folders]:
        raise CgroupsUnavailable(
            f"no cgroup controller {' and '.join(missing)} here; start the grader with "
            "`systemd-run --user --scope -p Delegate=yes` or as root"
        )
    return Home(1, folders)


def roots(proc: Path = Path("/proc/self")) -> tuple[Path, ...]:
    """Where all cgroups of this machine that we can see begin."""
    return tuple(Path(place) for _, _, place, _ in _mounts(proc / "mountinfo"))


def _mounts(file: Path) -> Iterator[tuple[str, str, str, set[str]]]:
    """Kind, root, place and options of the cgroup mounts."""
    for line in file.read_text().splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            _, _, _, root, place, *_ = left.split()
            yield kind, root, place, set(options.split(","))


def _memberships(file: Path) -> Iterator[tuple[str, str]]:
    """Controller ("" for version 2) → path."""
    for line in file.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _version2(mounts: list[tuple[str, str, str, set[str]]], own: Mapping[str, str]) -> Path | None:
    for kind, root, place, _ in mounts:
        if kind == "cgroup2" and "" in own:
            return _below(root, place, own[""])
    return None


def _version1(
    controller: str, mounts: list[tuple[str, str, str, set[str]]], own: Mapping[str, str]
) -> Path | None:
    for kind, root, place, options in mounts:
        if kind == "cgroup" and controller in options and controller in own:
            return _below(root, place, own[controller])
    return None


def _below(root: str, place: str, path: str) -> Path:
    """In a container, paths may begin with the container's own root, which the mount does not show."""
    inside = (
        os.path.relpath(path, root)
        if root != "/" and (path + "/").startswith(root + "/")
        else path.lstrip("/")
    )
    folder = Path(place, inside)
    return folder if folder.is_dir() else Path(place)
