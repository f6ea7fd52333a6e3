"""Instruction sets and the default number of threads."""

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

import pyattn
from pyattn import runtime

# ---- instruction sets ----


def test_the_baseline_runs_everywhere_and_the_best_is_chosen():
    isas = pyattn.available_isas()
    assert isas[0] == "baseline"
    if "PYATTN_ISA" not in os.environ:
        assert pyattn.isa() == isas[-1]


def test_use_isa_ends_with_its_block_even_by_an_error():
    before = pyattn.isa()
    for name in pyattn.available_isas():
        with pyattn.use_isa(name):
            assert pyattn.isa() == name
        assert pyattn.isa() == before
    with pytest.raises(RuntimeError, match="inside"), pyattn.use_isa("baseline"):
        raise RuntimeError("inside")
    assert pyattn.isa() == before


@pytest.mark.parametrize("name", ["v9", "", "AVX2"])
def test_an_instruction_set_that_is_not_there_is_refused(name):
    before = pyattn.isa()
    message = f"'{name}' cannot be used here; this machine runs 'baseline'"
    with pytest.raises(ValueError, match=message), pyattn.use_isa(name):
        pass
    assert pyattn.isa() == before


@pytest.mark.parametrize("name", [None, 3, b"v3"])
def test_an_instruction_set_is_named_by_a_str(name):
    with (
        pytest.raises(TypeError, match=r"use_isa: name is .*; expected one of baseline"),
        pyattn.use_isa(name),
    ):
        pass


def test_it_holds_for_the_whole_process(isa):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(pyattn.isa).result() == isa


def python(script, **environment):
    return subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", pyattn.available_isas())
def test_pyattn_isa_forces_one(name):
    assert python("import pyattn; print(pyattn.isa())", PYATTN_ISA=name).stdout.strip() == name


def test_pyattn_isa_fails_loudly_if_it_cannot():
    done = python("import pyattn", PYATTN_ISA="sse9")
    assert done.returncode != 0
    assert re.search(r"ImportError: PYATTN_ISA: .*'sse9' cannot be used here.*unset PYATTN_ISA", done.stderr)


REFUSE_TILES = """
import ctypes, struct
LOAD, EQUAL, RETURN, ALLOW, EPERM, ARCH_PRCTL = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050001, 158
lines = (LOAD, 0, 0, 0), (EQUAL, 0, 1, ARCH_PRCTL), (RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW)
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(program)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0  # no new privileges
assert libc.prctl(22, 2, filter) == 0  # filter system calls
"""


@pytest.mark.skipif("v4_amx" not in pyattn.available_isas(), reason="this processor has no tiles to refuse")
def test_where_the_system_refuses_tiles_the_next_best_is_chosen():
    done = python(
        REFUSE_TILES + "import pyattn; print(pyattn.isa(), *pyattn.available_isas())", PYATTN_ISA=""
    )
    assert done.stdout.split() == ["v4_bf16", *pyattn.available_isas()[:-1]], done.stderr


def test_every_instruction_set_says_its_own_lanes():
    """The wider, the more: else two names would stand for one kernel."""
    lanes = []
    for name in pyattn.available_isas():
        with pyattn.use_isa(name):
            lanes.append(pyattn._core.lanes())
    assert lanes == sorted(lanes) and lanes[0] == 4


# ---- threads ----


@pytest.fixture
def threads():
    before = pyattn.get_num_threads()
    yield before
    pyattn.set_num_threads(before)


@pytest.mark.parametrize("n", [1, 3, np.int64(5)])
def test_set_num_threads_holds_until_the_next(threads, n):
    pyattn.set_num_threads(n)
    assert pyattn.get_num_threads() == n


@pytest.mark.parametrize(
    ("n", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError), ("2", TypeError)]
)
def test_a_number_of_threads_that_is_none_is_refused(threads, n, error):
    with pytest.raises(error, match=f"set_num_threads: n is {n!r}; expected .*at least 1"):
        pyattn.set_num_threads(n)
    assert pyattn.get_num_threads() == threads


def test_the_environment_overrides_all():
    script = "import pyattn; print(pyattn.get_num_threads())"
    assert python(script, PYATTN_NUM_THREADS="7", OMP_NUM_THREADS="2").stdout.strip() == "7"
    for forced in ("many", "²"):  # a digit, but no number
        with pytest.raises(
            ValueError, match=f"PYATTN_NUM_THREADS is '{forced}'; expected a whole number of at least"
        ):
            runtime.default_num_threads({"PYATTN_NUM_THREADS": forced})
    done = python("import pyattn", PYATTN_NUM_THREADS="many")
    assert "PYATTN_NUM_THREADS is 'many'; expected a whole number of at least 1" in done.stderr


def test_a_number_of_threads_beyond_reason_is_cut_in_the_environment_as_in_a_call(threads):
    """Regression: from the environment it came to the core uncut, whose int it did not fit: no import."""
    pyattn.set_num_threads(10**20)
    assert runtime.default_num_threads({"PYATTN_NUM_THREADS": str(10**20)}) == pyattn.get_num_threads()


AFFINITY = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, AFFINITY),
        ({"OMP_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "1,4"}, 1),
        ({"OMP_NUM_THREADS": "1000"}, AFFINITY),
        ({"OMP_NUM_THREADS": "nonsense"}, AFFINITY),
        ({"OMP_NUM_THREADS": "0"}, AFFINITY),
        ({"OMP_NUM_THREADS": "²"}, AFFINITY),
        ({"PYATTN_NUM_THREADS": "3", "OMP_NUM_THREADS": "1"}, 3),
        ({"PYATTN_NUM_THREADS": ""}, AFFINITY),
    ],
    ids=str,
)
def test_the_default_is_the_least_of_affinity_and_openmp_s(tmp_path, environment, expected):
    assert runtime.default_num_threads(environment, tmp_path) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no sched_setaffinity")
def test_affinity_counts_not_processors():
    script = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
    script += "import pyattn; print(pyattn.get_num_threads())"
    assert python(script).stdout.strip() == "1"


# ---- container quotas: control groups in a folder that plays the root of the file system ----


def make(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


GROUPS = "sys/fs/cgroup"
V1 = "4:cpu,cpuacct:/docker/abc\n2:memory:/docker/abc\n"


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", f"{GROUPS}/cpu.max": "150000 100000\n"}, 1.5),
        ({"proc/self/cgroup": "0::/\n", f"{GROUPS}/cpu.max": "max 100000\n"}, None),
        ({"proc/self/cgroup": "0::/\n"}, None),
        ({"proc/self/cgroup": "0::/a/b\n", f"{GROUPS}/a/b/cpu.max": "50000 100000\n"}, 0.5),
        # the least on the way to the root counts
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                f"{GROUPS}/a/b/cpu.max": "400000 100000\n",
                f"{GROUPS}/a/cpu.max": "300000 100000\n",
                f"{GROUPS}/cpu.max": "max 100000\n",
            },
            3.0,
        ),
        # inside a container the host's path is not there, the mount's root is the container's group
        ({"proc/self/cgroup": "0::/host/only\n", f"{GROUPS}/cpu.max": "200000 100000\n"}, 2.0),
        ({"proc/self/cgroup": "0::/../outside\n", f"{GROUPS}/cpu.max": "200000 100000\n"}, 2.0),
        # version 1
        (
            {
                "proc/self/cgroup": V1,
                f"{GROUPS}/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "250000\n",
                f"{GROUPS}/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000\n",
            },
            2.5,
        ),
        (
            {
                "proc/self/cgroup": V1,
                f"{GROUPS}/cpu/cpu.cfs_quota_us": "100000\n",
                f"{GROUPS}/cpu/cpu.cfs_period_us": "50000\n",
            },
            2.0,
        ),
        (
            {
                "proc/self/cgroup": V1,
                f"{GROUPS}/cpu/docker/abc/cpu.cfs_quota_us": "-1\n",
                f"{GROUPS}/cpu/docker/abc/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
        # nonsense is no quota
        ({"proc/self/cgroup": "0::/\n", f"{GROUPS}/cpu.max": "lots\n"}, None),
        ({"proc/self/cgroup": "0::/\n", f"{GROUPS}/cpu.max": "100000 0\n"}, None),
    ],
)
def test_the_quota_of_the_container(tmp_path, files, quota):
    assert runtime.quota_of_cgroup(make(tmp_path, files)) == quota


@pytest.mark.parametrize(("quota", "expected"), [(10, 1), (50, 1), (100, 1), (140, 1)])
def test_the_default_keeps_to_the_quota_but_is_at_least_one(tmp_path, quota, expected):
    root = make(tmp_path, {"proc/self/cgroup": "0::/\n", f"{GROUPS}/cpu.max": f"{quota}000 100000\n"})
    assert runtime.default_num_threads({}, root) == expected
    assert runtime.default_num_threads({"PYATTN_NUM_THREADS": "6"}, root) == 6


# ---- what a bug report should say ----


def test_show_config_says_versions_instruction_sets_and_threads(isa):
    text = StringIO()
    pyattn.show_config(text)
    for word in (
        pyattn.__version__,
        np.__version__,
        isa,
        *pyattn.available_isas(),
        str(pyattn.get_num_threads()),
    ):
        assert word in text.getvalue()
