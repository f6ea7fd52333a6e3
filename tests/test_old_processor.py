"""A build made on a new processor works on one of 2008, which has SSE4.2 and no AVX, and computes the same there.

qemu-user emulates that processor: an instruction it does not have ends the process with SIGILL, in any part of the
core that is run. NumPy's own wheels need as much (x86-64-v2), so that nothing older could be tested.
"""

import json
import os
import platform
import shutil
import subprocess
import sys

import numpy as np
import pytest

import pyattn

QEMU = shutil.which("qemu-x86_64")
MODEL = "Nehalem"
pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="emulates an x86-64 processor"),
    pytest.mark.skipif(QEMU is None, reason="qemu-x86_64 (Debian's qemu-user) is not installed"),
]
PROGRAM = """
import json, sys
import numpy as np
import pyattn

def attend(dtype, queries, options):
    random = np.random.default_rng(7)
    shapes = (2, 4, queries, 40), (2, 2, 700, 40), (2, 2, 700, 24)
    q, k, v = (random.standard_normal(shape).astype(dtype) for shape in shapes)
    if options.pop("poisoned"):
        v[:, :, 650:] = np.nan
        options["mask"] = pyattn.lengths(650) & pyattn.causal()
    return pyattn.attention(q, k, v, **options).astype("float64").tolist()

asked = json.load(sys.stdin)
json.dump({"isas": pyattn.available_isas(), "isa": pyattn.isa(), "outs": [attend(*one) for one in asked]}, sys.stdout)
"""
PROBLEMS = [
    [dtype, queries, {"poisoned": poisoned} | ({} if poisoned else {"softcap": 3.0})]
    for dtype in ("float32", "float64", "float16")
    for queries in (37, 1)
    for poisoned in (False, True)
]


def run(*command, given="", **environment):
    """What a program does with a fresh environment: nothing forces an instruction set but what is said here."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYATTN_ISA"}
    return subprocess.run(
        command, input=given, capture_output=True, text=True, env=inherited | environment, timeout=500
    )


def old(*arguments, **options):
    return run(QEMU, "-cpu", MODEL, sys.executable, *arguments, **options)


@pytest.fixture(scope="module")
def answer():
    done = old("-c", PROGRAM, given=json.dumps(PROBLEMS))
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}"
    return json.loads(done.stdout)


def test_only_the_baseline_is_offered_there(answer):
    assert answer["isas"] == ["baseline"]
    assert answer["isa"] == "baseline"


def test_it_computes_there_what_the_same_kernels_compute_here(answer):
    here = run(sys.executable, "-c", PROGRAM, given=json.dumps(PROBLEMS), PYATTN_ISA="baseline")
    assert here.returncode == 0, here.stderr
    for problem, there, expected in zip(
        PROBLEMS, answer["outs"], json.loads(here.stdout)["outs"], strict=True
    ):
        assert np.isfinite(expected).all()
        np.testing.assert_allclose(there, expected, rtol=0, atol=1e-6, err_msg=str(problem))


def test_the_whole_self_check_passes_there():
    done = old("-m", "pyattn")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout and "baseline" in done.stdout


@pytest.mark.skipif("v3" not in pyattn.available_isas(), reason="this processor has no AVX2 either")
def test_forcing_a_newer_instruction_set_fails_there_and_not_here():
    there, here = (call("-c", "import pyattn; print(pyattn.isa())", PYATTN_ISA="v3") for call in (old, new))
    assert there.returncode == 1
    assert "ImportError: PYATTN_ISA: instruction set 'v3' cannot be used here" in there.stderr
    assert here.stdout.strip() == "v3"


def new(*arguments, **options):
    return run(sys.executable, *arguments, **options)
