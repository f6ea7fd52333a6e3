"""``python -m pyattn`` shows the configuration and notices a kernel that computes something else."""

import subprocess
import sys

import numpy as np
import pytest

import pyattn
from pyattn.__main__ import formula, problems, self_check


def test_the_command_reports_every_instruction_set():
    result = subprocess.run([sys.executable, "-m", "pyattn"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert pyattn.__version__ in result.stdout
    for isa in pyattn.available_isas():
        assert f"\n{isa} " in result.stdout


def without_scale(query, key, value, **options):
    return pyattn.attention(query, key, value, scale=1.0, **options)


def without_mask(query, key, value, mask=None, **options):
    return pyattn.attention(query, key, value, **options)


def without_bias(query, key, value, mask=None, bias=None):
    return pyattn.attention(query, key, value, mask)


def not_a_number(query, key, value, **options):
    return np.full_like(pyattn.attention(query, key, value, **options), np.nan)


@pytest.mark.parametrize("wrong", [without_scale, without_mask, without_bias, not_a_number])
def test_the_self_check_notices(wrong, capsys):
    assert not self_check(wrong)
    assert "WRONG" in capsys.readouterr().out


def test_the_self_check_uses_every_instruction_set():
    seen = set()

    def watching(*inputs, **options):
        seen.add(pyattn.isa())
        return pyattn.attention(*inputs, **options)

    assert self_check(watching)
    assert seen == set(pyattn.available_isas())


def test_the_formula_is_the_definition():
    """One query over two keys, by hand: weights e⁰ and e^(ln 3), that is ¼ and ¾."""
    query, key = np.ones((1, 1, 1)), np.array([[[0.0], [np.log(3)]]])
    value = np.array([[[4.0], [8.0]]])
    keep, bias = np.ones((1, 1, 2), bool), np.zeros((1, 1, 2))
    assert formula(query, key, value, keep, bias) == pytest.approx(7.0)
    assert formula(query, key, value, keep & [True, False], bias) == pytest.approx(4.0)


def test_every_problem_has_a_finite_answer():
    for problem in problems():
        assert np.isfinite(problem.exact).all(), problem.name
