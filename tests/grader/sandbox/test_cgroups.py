"""Cgroups: really, in whatever version this machine has; the other version's files in a folder that looks like it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.sandbox import cgroup_home, cgroup_sweep, cgroups


@pytest.fixture
def home():
    try:
        place = cgroup_home.home()
        cgroups.Cgroups(place).close()
    except (cgroup_home.CgroupsUnavailable, OSError) as reason:
        pytest.skip(str(reason))
    return place


def spend(group, source):
    """A process in the group that runs the source."""
    join = f"import os\nfor f in {list(group.procs)!r}: open(f, 'w').write(str(os.getpid()))\n"
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", join + source])


def test_a_set_lies_below_our_own_and_closes_without_trace(home):
    group = cgroups.Cgroups(home)
    assert all(folder.parent in home.folders.values() and folder.is_dir() for folder in group.folders)
    group.close()
    assert not any(folder.exists() for folder in group.folders)


def test_memory_beyond_the_limit_is_the_end_and_is_counted(home):
    group = cgroups.Cgroups(home)
    try:
        group.limit(32 << 20, 8)
        assert spend(group, "x = bytearray(1) * (64 << 20)").wait() == -9
        counters = group.counters()
        assert counters.oom_kills == 1 and (30 << 20) < counters.peak_bytes <= (32 << 20)
        assert counters.cpu_seconds > 0
        group.limit(256 << 20, 8)  # up and down again: the order of the two limits of version 1 matters
        group.limit(16 << 20, 8)
    finally:
        group.close()


def test_a_peak_can_be_forgotten(home):
    group = cgroups.Cgroups(home)
    try:
        group.limit(256 << 20, 8)
        spend(group, "x = bytearray(1) * (64 << 20)").wait()
        assert group.counters().peak_bytes > 64 << 20
        group.forget_peak()
        assert group.counters().peak_bytes < 32 << 20
    finally:
        group.close()


def test_what_is_cached_of_files_is_not_held(home, tmp_path):
    (tmp_path / "large").write_bytes(bytes(64 << 20))
    read = f"""
file = os.open({str(tmp_path / "large")!r}, os.O_RDONLY)
os.fsync(file)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
while os.read(file, 1 << 20): pass
"""
    group = cgroups.Cgroups(home)
    try:
        group.limit(256 << 20, 8)
        assert spend(group, read).wait() == 0
        assert group.held_bytes() < 16 << 20
    finally:
        group.close()


def test_kill_ends_everything_in_it(home):
    group = cgroups.Cgroups(home)
    try:
        group.limit(256 << 20, 8)
        process = spend(group, "import time\nfor _ in range(3): os.fork()\ntime.sleep(60)")
        time.sleep(0.3)
        group.kill()
        assert process.wait(5) == -9
        assert all(not (folder / "cgroup.procs").read_text() for folder in group.folders)
    finally:
        group.close()


@pytest.mark.alone  # another grader would remove the set first
def test_sets_of_dead_graders_are_removed_and_those_of_living_ones_stay(home):
    mine = cgroups.Cgroups(home)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    stale = next(iter(home.folders.values())) / f"grader-{dead.pid}-1-0"
    stale.mkdir()
    try:
        assert cgroups.remove_stale(home) >= 1
        assert not stale.exists() and all(folder.exists() for folder in mine.folders)
    finally:
        mine.close()


def test_old_empty_sets_below_other_parents_are_removed_and_no_others(home, tmp_path):
    """Three stood for hours below a parent that no grader has now. Who lives cannot be told there: none is ended."""
    later = time.time() + cgroup_sweep.OLD_SECONDS + 60
    parent = next(iter(home.folders.values())) / f"other-{os.getpid()}"
    old, used, strange = (parent / name for name in ("grader-1-1-0", "grader-1-1-1", "grader-of-somebody"))
    for folder in (parent, old, used, strange):
        folder.mkdir()
    process = subprocess.Popen(["sleep", "60"])
    try:
        (used / "cgroup.procs").write_text(str(process.pid))
        assert cgroup_sweep.remove_old([parent]) == 0  # young
        assert cgroup_sweep.remove_old([parent], later) == 1
        assert not old.exists() and used.exists() and strange.exists() and process.poll() is None
    finally:
        process.kill()
        process.wait()
        cgroups._remove((used, strange, old, parent))


V1_MOUNTS = """\
31 23 0:28 / {root} rw - tmpfs tmpfs rw,mode=755
35 31 0:32 {inner} {root}/memory rw,relatime - cgroup cgroup rw,memory
36 31 0:33 {inner} {root}/pids rw,relatime - cgroup cgroup rw,pids
"""


@pytest.mark.parametrize(
    "inner, path, below",
    [("/", "/a", "a"), ("/docker/x", "/docker/x/a", "a"), ("/docker/x", "/docker/x", "")],
)
def test_version_1_is_found_below_our_own_path_also_in_a_container(tmp_path, inner, path, below):
    for name in ("memory", "pids"):
        (tmp_path / name / "a").mkdir(parents=True)
    (tmp_path / "mountinfo").write_text(V1_MOUNTS.format(root=tmp_path, inner=inner))
    (tmp_path / "cgroup").write_text(f"8:pids:{path}\n4:memory:{path}\n")
    place = cgroup_home.home(tmp_path)
    assert place.version == 1
    assert place.folders == {name: tmp_path / name / below for name in ("memory", "pids")}


def version2(tmp_path, controllers="memory pids cpu"):
    """The files of version 2 as the kernel lays them out; only the kernel fills them."""
    own = tmp_path / "user" / "scope"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text(controllers)
    (own / "cgroup.subtree_control").write_text("memory pids")
    (tmp_path / "mountinfo").write_text(f"30 23 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw,nsdelegate\n")
    (tmp_path / "cgroup").write_text("0::/user/scope\n")
    return own


def test_version_2_is_found_and_its_files_are_written_and_read(tmp_path):
    own = version2(tmp_path)
    place = cgroup_home.home(tmp_path)
    assert place.version == 2 and set(place.folders.values()) == {own}
    group = cgroups.Cgroups(place)
    (folder,) = group.folders
    for name in ("pids.max", "memory.max", "memory.swap.max"):
        (folder / name).write_text("max")
    group.limit(1 << 20, 7)
    assert [(folder / name).read_text() for name in ("pids.max", "memory.max", "memory.swap.max")] == [
        "7", "1048576", "0"]  # fmt: skip
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    (folder / "memory.current").write_text("5\n")
    (folder / "memory.peak").write_text("9\n")
    (folder / "memory.events").write_text("low 0\noom 2\noom_kill 1\n")
    (folder / "pids.events").write_text("max 3\n")
    assert group.counters() == cgroups.Counters(1.5, 9, 5, 1, 3)
    for file in folder.iterdir():
        file.unlink()
    group.close()
    assert not folder.exists()


def test_version_2_without_the_controllers_is_a_reason(tmp_path):
    version2(tmp_path, controllers="cpu")
    with pytest.raises(cgroup_home.CgroupsUnavailable, match="Delegate=yes"):
        cgroup_home.home(tmp_path)


def test_the_kernel_s_own_version_2_ends_a_set_by_cgroup_kill():
    """What can really be tried where version 2 is mounted without controllers: joining, counting time, the end."""
    mounts = [
        place for kind, _, place, _ in cgroup_home._mounts(Path("/proc/self/mountinfo")) if kind == "cgroup2"
    ]
    if not mounts or not os.access(mounts[0], os.W_OK):
        pytest.skip("no cgroup version 2 that this user may write to")
    folder = Path(mounts[0], f"grader-{os.getpid()}-{cgroups._started(os.getpid())}-v2")
    folder.mkdir()
    try:
        join = f"import os, time; open({str(folder / 'cgroup.procs')!r}, 'w').write(str(os.getpid())); os.fork(); "
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", join + "time.sleep(60)"])
        time.sleep(0.3)
        assert cgroups._kill((folder,)) and process.wait(5) == -9
        assert cgroups._keyed(folder / "cpu.stat")["usage_usec"] > 0
    finally:
        cgroups._remove((folder,))
    assert not folder.exists()
