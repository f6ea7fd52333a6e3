"""additive_attention and concat_attention, held against their formulas written out."""

import ml_dtypes
import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import eps, max_error
from strategies import problems

import pyattn
from pyattn import _core

isas = st.sampled_from(pyattn.available_isas())


def normal(*shape, dtype=np.float64, seed=0, size=1.0):
    return (size * np.random.default_rng(seed).standard_normal(shape)).astype(dtype)


def by_definition(problem, score_weight, dtype):
    """Scores of projected queries and keys as the formula has them, (queries, keys, hidden) and all."""
    working = oracle.arithmetic(dtype)
    q, k, w = (np.asarray(x).astype(working) for x in (problem.query, problem.key, score_weight))
    k = np.repeat(k, q.shape[-3] // k.shape[-3], axis=-3)
    scores = np.tanh(q[..., :, None, :] + k[..., None, :, :]) @ w
    # What attention adds to products that are all zero.
    nothing = np.zeros_like(np.asarray(problem.query).astype(working))
    biases = (scores, *problem.biases)
    if problem.slopes is not None:
        lengths = {"key_lengths": problem.key_lengths, "query_lengths": problem.query_lengths}
        offset = oracle.offset_of(*problem.sizes, problem.align, problem.offset, **lengths)
        biases += (oracle.alibi(problem.slopes, *problem.sizes, offset=offset),)
    keys = np.zeros_like(np.asarray(problem.key).astype(working))
    return oracle.attention(nothing, keys, problem.value, sees=problem.sees(), biases=biases, dtype=dtype)


@pytest.mark.parametrize("dtype", [oracle.FLOAT32, oracle.FLOAT64], ids=str)
@settings(max_examples=30)
@given(data=st.data(), isa=isas)
def test_as_accurate_as_the_obvious_way(dtype, data, isa):
    problem = data.draw(problems(dtype, most_queries=40, most_keys=150, most_width=40))
    w = normal(problem.query.shape[-1], dtype=dtype, seed=1)
    arrays = (problem.query, problem.key, problem.value, w)
    exact = by_definition(problem, w, oracle.exact_for(dtype))
    naive = by_definition(problem, w, dtype)
    largest = np.abs(np.where(np.isfinite(exact.scores), exact.scores, 0)).max()
    luck = eps(dtype) * (2 + largest + np.abs(w).sum())  # each tanh of order 1 may be off by its last digits
    with pyattn.use_isa(isa):
        out, weights = _core.additive_attention(*arrays, problem.given_mask(), problem.bias(), True, 2)
        alone = _core.additive_attention(*arrays, problem.given_mask(), problem.bias(), False, 2)
    assert max_error(weights, exact.weights) <= 2 * max_error(naive.weights, exact.weights) + luck
    for found in (out, alone):
        limit = 2 * max_error(naive.out, exact.out) + luck * np.abs(problem.value).max()
        assert max_error(found, exact.out) <= limit


@settings(max_examples=30)
@given(data=st.data())
def test_the_core_s_own_definition_agrees_with_this_one(data):
    problem = data.draw(problems(oracle.FLOAT64, most_queries=20, most_keys=40, most_width=20))
    w = normal(problem.query.shape[-1], seed=1)
    out, weights = _core.reference_additive_attention(
        problem.query, problem.key, problem.value, w, problem.given_mask(), problem.bias(), True, 1
    )
    exact = by_definition(problem, w, oracle.exact_for(oracle.FLOAT64))
    assert max_error(weights, exact.weights) <= 1e-12
    assert max_error(out, exact.out) <= 1e-11


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), isa=isas)
def test_few_queries_and_many_agree(seed, isa):
    """They go through different kernels."""
    q, k, v, w = (
        normal(2, 67, 33, seed=seed),
        normal(2, 300, 33, seed=1),
        normal(2, 300, 5, seed=2),
        normal(33),
    )
    with pyattn.use_isa(isa):
        together = _core.additive_attention(q, k, v, w, None, None, False, 2)
        for row in (0, 40):
            alone = _core.additive_attention(q[:, row : row + 1], k, v, w, None, None, False, 2)
            np.testing.assert_allclose(alone[:, 0], together[:, row], atol=1e-13)


def test_same_bits_for_any_number_of_threads_and_any_batch(isa):
    q, k, v = (normal(3, 2, n, 19, dtype=np.float32, seed=n) for n in (37, 131, 131))
    w = normal(19, dtype=np.float32)
    whole = _core.additive_attention(q, k, v, w, None, None, False, 1)
    for threads in (2, 3):
        oracle.assert_same_bits(_core.additive_attention(q, k, v, w, None, None, False, threads), whole)
    one = _core.additive_attention(q[1:2], k[1:2], v[1:2], w, None, None, False, 2)
    oracle.assert_same_bits(one, whole[1:2])


def tanhs(x):
    """tanh by the kernel: between a key of zero and one that undoes the query, whose score is 0."""
    q = x[:, None, None]
    keys = np.concatenate([np.zeros_like(q), -q], axis=1)
    value = np.zeros((len(x), 2, 1), x.dtype)
    weights = _core.additive_attention(q, keys, value, np.ones(1, x.dtype), None, None, True, 1)[1]
    return np.log(weights[:, 0, 0]) - np.log(weights[:, 0, 1])


def test_the_kernel_s_tanh_is_tanh(isa):
    x = np.concatenate([np.linspace(-20, 20, 4001), np.geomspace(1e-3, 1, 1000)])
    np.testing.assert_allclose(tanhs(x), np.tanh(x), atol=1e-15)  # the logarithms' rounding


def test_what_is_masked_has_no_influence(isa):
    q, k, v, w = normal(2, 5, 9), normal(2, 40, 9, seed=1), normal(2, 40, 3, seed=2), normal(9)
    keep = np.arange(40) < 31
    clean = _core.additive_attention(q, k, v, w, pyattn.padding(keep), None, False, 1)
    for bad in (np.nan, np.inf, -np.inf):
        k[:, 35], v[:, 33:] = bad, bad
        dirty = _core.additive_attention(q, k, v, w, pyattn.padding(keep), None, False, 1)
        np.testing.assert_array_equal(dirty, clean)


def test_a_query_that_sees_nothing_gets_zeros(isa):
    q, k, v, w = normal(2, 5, 9), normal(2, 40, 9, seed=1), normal(2, 40, 3, seed=2), normal(9)
    out, weights = _core.additive_attention(q, k, v, w, pyattn.lengths(0), None, True, 1)
    assert (out == 0).all() and (weights == 0).all()


def public(dtype, **options):
    arrays = normal(2, 3, 7, 5), normal(2, 3, 11, 4, seed=1), normal(2, 3, 11, 6, seed=2)
    weights = normal(9, 5, seed=3), normal(9, 4, seed=4), normal(9, seed=5)
    arrays, weights = ([x.astype(dtype) for x in some] for some in (arrays, weights))
    return (*arrays, *weights), pyattn.additive_attention(*arrays, *weights, return_weights=True, **options)


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
def test_projections_of_any_widths_and_every_floating_type(dtype):
    given_arrays, (out, weights) = public(dtype)
    q, k, v, w_q, w_k, w = (x.astype(np.float64) for x in given_arrays)
    exact = pyattn.softmax(np.tanh((q @ w_q.T)[..., :, None, :] + (k @ w_k.T)[..., None, :, :]) @ w)
    assert out.dtype == weights.dtype == dtype
    tolerance = 16 * float(ml_dtypes.finfo(dtype).eps)
    np.testing.assert_allclose(weights.astype(np.float64), exact, atol=tolerance)
    np.testing.assert_allclose(out.astype(np.float64), exact @ v, atol=4 * tolerance)


def test_permuting_keys_changes_nothing():
    (q, k, v, *weights), (out, _) = public(np.float64)
    order = np.random.default_rng(0).permutation(11)
    np.testing.assert_allclose(
        pyattn.additive_attention(q, k[:, :, order], v[:, :, order], *weights), out, atol=1e-14
    )


def test_memory_is_linear_in_the_keys():
    """At 4096 × 4096, hidden 64, the formula's own buffer would have 4 GiB."""
    import resource

    q, k, v = (normal(4096, 64, dtype=np.float32, seed=s) for s in range(3))
    w = normal(64, dtype=np.float32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _core.additive_attention(q[:8], k, v, w, None, None, False, 2)
    _core.additive_attention(q[:256], k, v, w, None, None, False, 2)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024  # KiB


Q, K, V, W_Q, W_K, W = (
    normal(2, 5), normal(3, 4), normal(3, 6), normal(7, 5), normal(7, 4), normal(7),
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"query": Q.astype(np.float32)}, TypeError, "must share one dtype; got query float32, key float64"),
        (
            {"query_weight": W_K},
            ValueError,
            r"query_weight has shape \(7, 4\); expected \(hidden, 5\), as wide as query",
        ),
        ({"key_weight": normal(8, 4)}, ValueError, "query_weight has 7 hidden units and key_weight 8"),
        (
            {"score_weight": normal(6)},
            ValueError,
            "score_weight has 6 entries; expected one for each of 7 hidden units",
        ),
        ({"score_weight": normal(7, 1)}, ValueError, r"score_weight has shape \(7, 1\); expected one axis"),
        (
            {"query": normal(5)},
            ValueError,
            r"query has shape \(5,\); expected \(\.\.\., heads, sequence, width\)",
        ),
        ({"value": normal(4, 6)}, ValueError, "key and value must have the same number of keys"),
        (
            {"mask": np.ones((2, 3))},
            TypeError,
            "additive_attention: mask is an array of float64; a mask is boolean",
        ),
        ({"mask": np.ones((2, 9), bool)}, ValueError, "mask"),
    ],
)
def test_what_does_not_fit_is_named(change, error, message):
    arguments = {
        "query": Q, "key": K, "value": V, "query_weight": W_Q, "key_weight": W_K, "score_weight": W,
    }  # fmt: skip
    with pytest.raises(error, match=message):
        pyattn.additive_attention(**{**arguments, **change})


def test_integers_are_refused():
    ones = np.ones((2, 2), int)
    with pytest.raises(TypeError, match="query is int64; expected float64"):
        pyattn.additive_attention(ones, ones, ones, ones, ones, ones[0])


# ---- the older rule ----


@pytest.mark.parametrize("leading", [(), (3,)])
@pytest.mark.parametrize("with_bias", [True, False])
def test_concat_is_its_formula(leading, with_bias):
    q, k, v = normal(*leading, 2, 5), normal(*leading, 2, 4, seed=1), normal(*leading, 7, 6, seed=2)
    s_w, o_w = normal(9, 9, seed=3), normal(8, 11, seed=4)
    s_b, o_b = (normal(9, seed=5), normal(8, seed=6)) if with_bias else (None, None)
    keep = np.arange(7) < 5
    out, weights = pyattn.concat_attention(q, k, v, s_w, s_b, o_w, o_b, keep, return_weights=True)
    scores = np.concatenate([q, k], axis=-1) @ s_w[:7].T + (s_b[:7] if with_bias else 0)
    expected = pyattn.softmax(np.where(keep, scores, -np.inf))
    joined = np.concatenate([q, expected @ v], axis=-1) @ o_w.T + (o_b if with_bias else 0)
    np.testing.assert_allclose(weights, expected, atol=1e-14)
    np.testing.assert_allclose(out, joined, atol=1e-13)
    alone = pyattn.concat_attention(q, k, v, s_w, s_b, o_w, o_b, keep)
    np.testing.assert_array_equal(alone, out)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"score": (9, 8)}, r"score_weight has shape \(9, 8\); expected \(rows, 9\) for \[query; key\]"),
        ({"score": (6, 9)}, "value has 7 steps and score_weight 6; expected no more"),
        (
            {"output": (8, 9)},
            r"output_weight has shape \(8, 9\); expected \(rows, 11\) for \[query; context\]",
        ),
    ],
)
def test_concat_names_what_does_not_fit(sizes, message):
    score, output = sizes.get("score", (9, 9)), sizes.get("output", (8, 11))
    with pytest.raises(ValueError, match=message):
        pyattn.concat_attention(
            normal(2, 5), normal(2, 4), normal(7, 6), normal(*score), None, normal(*output), None
        )


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
def test_concat_computes_every_floating_type(dtype):
    arrays = [
        normal(*s, seed=i).astype(dtype)
        for i, s in enumerate([(3, 2, 5), (3, 2, 4), (3, 7, 6), (9, 9), (9,), (8, 11), (8,)])
    ]
    out, weights = pyattn.concat_attention(*arrays, return_weights=True)
    exact = pyattn.concat_attention(*(x.astype(np.float64) for x in arrays), return_weights=True)
    assert out.dtype == weights.dtype == dtype
    tolerance = 32 * float(ml_dtypes.finfo(dtype).eps)
    for mine, theirs in zip((out, weights), exact, strict=True):
        np.testing.assert_allclose(mine.astype(np.float64), theirs, atol=tolerance)


def test_concat_s_mask_is_of_each_item_and_query():
    """Regression: the first axis of a (batch, queries, steps) mask was taken for heads."""
    arrays = normal(3, 2, 5), normal(3, 2, 4, seed=1), normal(3, 7, 6, seed=2)
    maps = normal(9, 9, seed=3), None, normal(8, 11, seed=4), None
    keep = np.random.default_rng(5).random((3, 2, 7)) < 0.6
    out, weights = pyattn.concat_attention(*arrays, *maps, keep, return_weights=True)
    assert (weights[~keep] == 0).all()
    for item in range(3):
        alone = pyattn.concat_attention(*(x[item] for x in arrays), *maps, keep[item])
        np.testing.assert_allclose(out[item], alone, atol=1e-14)
    by_length = pyattn.concat_attention(*arrays, *maps, pyattn.lengths([7, 2, 0]), return_weights=True)[1]
    assert (by_length[1, :, 2:] == 0).all() and (by_length[2] == 0).all()


def test_concat_s_leading_axes_broadcast():
    arrays = normal(1, 2, 5), normal(3, 2, 4, seed=1), normal(3, 7, 6, seed=2)
    maps = normal(9, 9, seed=3), None, normal(8, 11, seed=4), None
    whole = pyattn.concat_attention(np.repeat(arrays[0], 3, axis=0), *arrays[1:], *maps)
    np.testing.assert_array_equal(pyattn.concat_attention(*arrays, *maps), whole)


CONCAT = {
    "query": normal(2, 5), "key": normal(2, 4), "value": normal(7, 6), "score_weight": normal(9, 9),
    "score_bias": normal(9), "output_weight": normal(8, 11), "output_bias": normal(8),
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"key": normal(3, 4)},
            ValueError,
            r"query has shape \(2, 5\), key \(3, 4\) .*; expected a key for each query",
        ),
        ({"value": normal(6)}, ValueError, r"value has shape \(6,\); expected \(\.\.\., sequence, width\)"),
        ({"score_bias": normal(1)}, ValueError, r"score_bias has shape \(1,\); expected \(9,\)"),
        ({"output_bias": normal(2, 8)}, ValueError, r"output_bias has shape \(2, 8\); expected \(8,\)"),
        (
            {"value": np.ones((7, 6), np.float32)},
            TypeError,
            "must share one dtype; got query float64, .* value float32",
        ),
        (
            {"mask": np.ones((2, 7))},
            TypeError,
            "concat_attention: mask is an array of float64; a mask is boolean",
        ),
        (
            {name: np.ones(x.shape, int) for name, x in CONCAT.items()},
            TypeError,
            "query is int64; expected float64",
        ),
    ],
    ids=["keys", "one vector", "score_bias", "output_bias", "mixed", "mask", "integers"],
)
def test_concat_refuses_what_does_not_fit(change, error, message):
    """Regression: a bias of another shape was broadcast."""
    with pytest.raises(error, match=message):
        pyattn.concat_attention(**{**CONCAT, **change})


# ---- other frameworks ----


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("rule", ["additive", "concat"])
def test_torch_in_torch_out(rule, dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    call = pyattn.additive_attention if rule == "additive" else pyattn.concat_attention
    arrays = (Q, K, V, W_Q, W_K, W) if rule == "additive" else tuple(CONCAT.values())
    tensors = [torch.from_numpy(x).to(getattr(torch, dtype)) for x in arrays]
    keep = torch.ones(len(arrays[0]), len(arrays[2]), dtype=torch.bool)
    found = call(*tensors, keep, return_weights=True)
    exact = call(*(x.double().numpy() for x in tensors), return_weights=True)
    for mine, theirs in zip(found, exact, strict=True):
        assert isinstance(mine, torch.Tensor) and mine.dtype == tensors[0].dtype
        np.testing.assert_allclose(mine.double(), theirs, atol=32 * torch.finfo(mine.dtype).eps)
    with pytest.raises(ValueError, match=rf"{rule}_attention: query requires a gradient.*\.detach\(\)"):
        call(tensors[0].requires_grad_(), *tensors[1:])


@pytest.mark.parametrize("rule", ["additive", "concat"])
def test_jax_in_jax_out(rule):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    call = pyattn.additive_attention if rule == "additive" else pyattn.concat_attention
    arrays = (Q, K, V, W_Q, W_K, W) if rule == "additive" else tuple(CONCAT.values())
    arrays = [x.astype(np.float32) for x in arrays]
    found = call(*map(jax.numpy.asarray, arrays))
    assert isinstance(found, jax.Array)
    np.testing.assert_allclose(found, call(*arrays), atol=1e-6)


def test_a_mask_that_is_combined_means_to_concat_what_it_means_alone(rng):
    """Regression: `array & mask` was refused for the heads that concat has not."""
    q, k, v = (rng.standard_normal(shape) for shape in ((2, 3, 3), (2, 3, 4), (2, 6, 5)))
    rest = rng.standard_normal((9, 7)), None, rng.standard_normal((4, 8)), None
    keep, real = rng.random((2, 3, 6)) < 0.7, np.array([2, 5])
    both = keep & (np.arange(6) < real[:, None])[:, None]
    expected = pyattn.concat_attention(q, k, v, *rest, both)
    for mask in (keep & pyattn.lengths(real), pyattn.lengths(real) & keep):
        np.testing.assert_array_equal(pyattn.concat_attention(q, k, v, *rest, mask), expected)
