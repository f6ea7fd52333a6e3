"""The example extension: a loop around the core in C, without the GIL."""

import numpy as np
import pytest
from cython_door import EXAMPLE, build, same_bits

import pyattn


@pytest.fixture(scope="module")
def hopfield(tmp_path_factory):
    return build(EXAMPLE, tmp_path_factory.mktemp("example"), "hopfield")


def settle(state, patterns, beta, tolerance=1e-6):
    """The example's loop in Python."""
    for step in range(1, 1001):
        moved = pyattn.attention(state[None], patterns, patterns, scale=beta)[0]
        way, state = np.abs(moved - state).max(), moved
        if way <= tolerance:
            break
    return state, step


@pytest.mark.parametrize("beta", [0.1, 0.3])
@pytest.mark.parametrize("num_threads", [1, 2, 3])
def test_the_example_computes_what_a_loop_in_python_does(hopfield, rng, beta, num_threads):
    patterns = rng.choice([-1, 1], (101, 64)).astype(np.float32)
    states = patterns[:53] * rng.choice([-1, 1], (53, 64), p=[0.1, 0.9])
    settled, steps = hopfield.recall(states, patterns, beta, num_threads=num_threads)
    expected = [settle(state, patterns, beta) for state in states.astype(np.float32)]
    assert same_bits(settled, np.array([state for state, _ in expected]))
    assert steps.tolist() == [count for _, count in expected]
    assert len(set(steps.tolist())) > 1


def test_the_example_recalls_damaged_patterns(hopfield, rng):
    patterns = rng.choice([-1, 1], (101, 64)).astype(np.float32)
    damaged = patterns.copy()
    damaged[:, rng.permutation(64)[:8]] *= -1
    settled, _ = hopfield.recall(damaged, patterns, beta=1.0)
    assert (np.sign(settled) == patterns).all()


def test_the_example_says_what_the_code_means(hopfield):
    with pytest.raises(ValueError, match="scale is not a finite number"):
        hopfield.recall(np.ones((1, 2)), np.ones((3, 2), dtype=np.float32), beta=float("nan"))
