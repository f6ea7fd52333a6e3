"""What can be checked, each in an environment of its own: ``nox -l`` lists it, ``nox -s NAME`` does it."""

import os
import shutil
import subprocess
from pathlib import Path

import nox

nox.options.sessions = ["lint", "typing", "tests"]
nox.options.default_venv_backend = "venv"

ROOT = Path(__file__).parent
CORE_TESTS = [  # what computes; the rest of tests/ starts programs, fetches models or compares with peers
    "accuracy",
    "functional",
    "fused",
    "mask_errors",
    "masked_values",
    "masks",
    "merge_states",
    "positions",
    "results",
    "same_bits",
    "scaled_dot_product_attention",
    "sizes",
    "softmax",
    "strides",
    "varlen",
]


def core_tests():
    """The files of CORE_TESTS that exist."""
    return [str(path) for name in CORE_TESTS if (path := ROOT / "tests" / f"test_{name}.py").exists()]
