"""The float64 answer is the attention that all engines agree on, for every mask and for grouped heads."""

import numpy as np
import pytest

ENGINES = ("pyattn", "torch", "ort-mha", "ort-attention", "openvino", "jax", "numpy", "ort-cache")
SHAPES = {
    "plain": {"dtype": "float32"},
    "one query": {"queries": 1, "kv_heads": 2},
    "grouped": {"kv_heads": 2},
    "causal": {"mask": "causal", "keys": 19},
    "padding": {"mask": "padding"},
    "causal as array": {"mask": "causal-array", "keys": 19},
    "bias": {"mask": "bias"},
    "bfloat16": {"dtype": "bfloat16"},
    "float16": {"dtype": "float16"},
    "float64": {"dtype": "float64"},
}


def small(module, **options):
    return module("problems").make_problem(
        module("shapes").Shape(3, 4, **{"queries": 19, "width": 24, "keys": 29} | options)
    )


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.filterwarnings("default")  # of other people's libraries
def test_every_engine_gives_the_float64_answer(module, name, kind):
    engines, problems = module("engines"), module("problems")
    engine = engines.load(name, 1)
    if isinstance(engine, engines.Missing):
        pytest.skip(engine.reason)
    problem = small(module, **SHAPES[kind])
    try:
        calls = engine.calls(problem)
    except engines.Unsupported as reason:
        assert str(reason) and name not in ("pyattn", "numpy")
        return
    for call in calls.values():
        problems.check(problem, call.output(call.run()))


def test_what_is_masked_has_no_part_in_the_answer(module):
    problem = small(module, mask="padding")
    hidden = ~np.broadcast_to(
        problem.keep[:, 0, 0, :, None], problem.value.shape[:1] + problem.value.shape[2:]
    )
    before = module("problems").expected_row(problem, 1, 2, 3)
    problem.value[1][:, hidden[1]] = 1e9
    np.testing.assert_array_equal(module("problems").expected_row(problem, 1, 2, 3), before)


def test_the_environment_is_settled_once_and_frees_numpy(module):
    wanted = module("environment").wanted_environment
    settled = wanted({"HOME": "/", "OPENBLAS_CORETYPE": "Prescott", "OMP_NUM_THREADS": "7"}, 2)
    assert (
        settled["OMP_NUM_THREADS"] == settled["OPENBLAS_NUM_THREADS"] == settled["PYATTN_NUM_THREADS"] == "2"
    )
    assert "OPENBLAS_CORETYPE" not in settled
    assert wanted(settled, 2) == settled
