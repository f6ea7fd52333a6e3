"""Whatever is asked for, the answer is as accurate as plain NumPy's in the same precision."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import DTYPES, eps, max_error
from strategies import Problem, problems

import pyattn
from pyattn import _core

dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)
isas = st.sampled_from(pyattn.available_isas())


def largest(x):
    x = np.asarray(x, np.float64)
    return np.abs(x).max(initial=0, where=np.isfinite(x))


def assert_as_accurate_as_the_obvious_way(problem, dtype, ours):
    """At most twice its error, and what one rounding of the scores can do: on a small problem it may be lucky."""
    exact, naive = problem.by_definition(oracle.exact_for(dtype)), problem.by_definition(dtype)
    luck = eps(dtype) * (2 + largest(exact.scores))
    sizes = {"out": largest(problem.value), "lse": max(1, largest(exact.lse)), "weights": 1}
    assert [x.dtype for x in ours] == [dtype, oracle.arithmetic(dtype), dtype]
    for (name, size), actual, rough, right in zip(sizes.items(), ours, naive[:3], exact[:3], strict=True):
        limit = 2 * max_error(rough, right) + luck * size
        assert max_error(actual, right) <= limit, name


def ours(problem, isa):
    """Result, lse and weights, the first two as they come without weights."""
    with pyattn.use_isa(isa):
        return *problem.ours(return_lse=True), problem.ours(return_weights=True)[1]


@dtypes
@settings(max_examples=60)
@given(data=st.data(), isa=isas)
def test_as_accurate_as_the_obvious_way(dtype, data, isa):
    problem = data.draw(problems(dtype))
    assert_as_accurate_as_the_obvious_way(problem, dtype, ours(problem, isa))


@dtypes
@settings(max_examples=30)
@given(data=st.data(), isa=isas)
def test_few_queries_over_many_keys_are_as_accurate(dtype, data, isa):
    problem = data.draw(problems(dtype, most_queries=3, most_keys=2500))
    assert_as_accurate_as_the_obvious_way(problem, dtype, ours(problem, isa))


@dtypes
@settings(max_examples=10)
@given(data=st.data(), isa=isas)
def test_many_rows_that_share_blocks_of_keys_are_as_accurate(dtype, data, isa):
    problem = data.draw(problems(dtype, least_queries=800, most_queries=2000, most_width=30))
    assert_as_accurate_as_the_obvious_way(problem, dtype, ours(problem, isa))


@dtypes
@pytest.mark.parametrize("step", [-3.0, 0.5, 3.0, 6.0, 40.0])
def test_scores_that_rise_or_fall_from_block_to_block(dtype, step, isa, rng):
    """A maximum may stay behind for a while."""
    query, keys, values = np.ones((1, 1, 70, 1)), 700, rng.standard_normal((1, 1, 700, 5))
    key = (step * np.arange(keys) / 128 + rng.standard_normal(keys)).reshape(1, 1, keys, 1)
    problem = Problem(*(x.astype(dtype) for x in (query, key, values)), options={"scale": 1.0})
    assert_as_accurate_as_the_obvious_way(problem, dtype, ours(problem, isa))


@dtypes
@settings(max_examples=40)
@given(data=st.data())
def test_the_core_s_own_definition_agrees_with_this_one(dtype, data):
    problem = data.draw(problems(dtype, most_queries=20, most_keys=40, most_width=20))
    numbers = (problem.options.get(name) for name in ("scale", "softcap", "sinks"))
    ours = _core.reference_attention(
        problem.query, problem.key, problem.value, problem.given_mask(), problem.bias(), *numbers, True, True
    )
    for actual, exact in zip(ours, problem.by_definition(np.float64)[:3], strict=True):
        np.testing.assert_allclose(actual, exact, rtol=1e-12, atol=1e-12)


@dtypes
@pytest.mark.parametrize("spread", [0.5, 4.0], ids=["soft", "peaked"])
@pytest.mark.parametrize("queries", [97, 1], ids=["many queries", "one query"])
def test_on_a_large_problem_no_luck_is_needed(dtype, spread, queries, isa, rng):
    q = (spread * rng.standard_normal((5, 2, queries, 64))).astype(dtype)
    k, v = (rng.standard_normal((5, 2, 1009, 64)).astype(dtype) for _ in "kv")
    exact, naive = (oracle.attention(q, k, v, dtype=d).out for d in (oracle.exact_for(dtype), dtype))
    ours = pyattn.attention(q, k, v)
    assert mean_error(ours, exact) <= 2 * mean_error(naive, exact)
    assert max_error(ours, exact) <= 2 * max_error(naive, exact)


def mean_error(actual, exact):
    return np.sqrt(np.mean((actual.astype(np.float64) - exact.astype(np.float64)) ** 2))
