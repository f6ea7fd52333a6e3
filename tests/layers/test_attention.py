"""MultiHeadAttention beside torch's, and what it has that torch's has not."""

import numpy as np
import pytest

import pyattn
from pyattn.layers import Linear, MultiHeadAttention, valid_lens
from pyattn.positions import rope

BATCH, QUERIES, KEYS, WIDTH, HEADS = 3, 5, 7, 24, 4
dtypes = pytest.mark.parametrize("dtype", ["float32", "float64"])


def normal(*shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@dtypes
@pytest.mark.parametrize("keep", [None, "per item"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias": False},
        {"add_bias_kv": True},
        {"add_zero_attn": True},
        {"add_bias_kv": True, "add_zero_attn": True},
        {"kdim": 10, "vdim": 14},
        {"kdim": 10, "bias": False, "add_bias_kv": True},
    ],
    ids=str,
)
def test_it_is_torch_s(dtype, keep, options):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, **options), dtype)
    ours = MultiHeadAttention.from_state_dict(theirs.state_dict(), WIDTH, HEADS, **options)
    query = normal(BATCH, QUERIES, WIDTH, dtype=dtype)
    key = normal(BATCH, KEYS, options.get("kdim", WIDTH), dtype=dtype, seed=1)
    value = normal(BATCH, KEYS, options.get("vdim", WIDTH), dtype=dtype, seed=2)
    real = np.arange(KEYS) < np.array([KEYS, 2, 3])[:, None]
    padding = {} if keep is None else {"key_padding_mask": torch.from_numpy(~real)}
    expected = answer(theirs, query, key, value, average_attn_weights=False, **padding)
    mask = None if keep is None else pyattn.padding(real)
    found = ours(query, key, value, mask, return_weights=True)
    for mine, other in zip(found, expected, strict=True):
        assert_equal_to_rounding(mine, other)
    assert_equal_to_rounding(ours(query, key, value, mask), expected[0])


@dtypes
def test_masks_and_biases_are_torch_s_attn_mask(dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True), dtype)
    ours = MultiHeadAttention.from_state_dict(theirs.state_dict(), WIDTH, HEADS)
    x, added = normal(BATCH, QUERIES, WIDTH, dtype=dtype), normal(QUERIES, QUERIES, dtype=dtype, seed=1)
    late = np.triu(np.ones((QUERIES, QUERIES), bool), 1)
    hidden = answer(theirs, x, x, x, need_weights=False, attn_mask=torch.from_numpy(late))[0]
    assert_equal_to_rounding(ours(x, mask=pyattn.causal()), hidden)
    assert_equal_to_rounding(ours(x, mask=~late), hidden)
    biased = answer(theirs, x, x, x, need_weights=False, attn_mask=torch.from_numpy(added))[0]
    assert_equal_to_rounding(ours(x, bias=added), biased)


def by_heads(layer, query, key, value, **options):
    """Attention head by head, each with its rows of the projections."""
    parameters = layer.state_dict()
    ends = np.cumsum(layer.rows)
    roles = zip(
        np.split(parameters["in_proj_weight"], ends[:2]),
        np.split(parameters["in_proj_bias"], ends[:2]),
        strict=True,
    )
    q, k, v = (x @ w.T + b for x, (w, b) in zip((query, key, value), roles, strict=True))
    group = layer.heads // layer.kv_heads
    found = []
    for head in range(layer.heads):
        one = [
            x[..., n * w : (n + 1) * w]
            for x, n, w in (
                (q, head, layer.width),
                (k, head // group, layer.width),
                (v, head // group, layer.value_width),
            )
        ]
        found.append(attended(*one, **options))
    return np.concatenate(found, axis=-1) @ parameters["out_proj.weight"].T + parameters["out_proj.bias"]


def attended(q, k, v, turn=lambda x: x, scores=lambda s: s):
    s = scores(turn(q) @ turn(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    weights = np.exp(s - s.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_kv_heads": 2},
        {"head_dim": 5},
        {"value_dim": 3},
        {"num_kv_heads": 1, "head_dim": 10, "value_dim": 7},
    ],
    ids=str,
)
def test_heads_may_be_grouped_and_of_any_width(options):
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64", **options)
    query, memory = normal(BATCH, QUERIES, WIDTH), normal(BATCH, KEYS, WIDTH, seed=1)
    np.testing.assert_allclose(layer(query, memory), by_heads(layer, query, memory, memory), atol=1e-13)
    np.testing.assert_allclose(layer(query), by_heads(layer, query, query, query), atol=1e-13)


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_rope_turns_queries_and_keys_of_every_head(layout):
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64", rope=layout)
    x = normal(BATCH, QUERIES, WIDTH)
    expected = by_heads(
        layer, x, x, x, turn=lambda y: rope(y[:, None], interleaved=layout == "interleaved")[:, 0]
    )
    np.testing.assert_allclose(layer(x), expected, atol=1e-13)


def test_alibi_biases_each_head_by_its_slope():
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64", alibi=True)
    plain = MultiHeadAttention.from_state_dict(layer.state_dict(), WIDTH, HEADS)
    x = normal(BATCH, QUERIES, WIDTH)
    place = np.arange(QUERIES)
    slopes = pyattn.alibi(HEADS).slopes[:, None, None]
    np.testing.assert_allclose(layer(x), plain(x, bias=-slopes * abs(place[:, None] - place)), atol=1e-13)


def test_two_stages_are_one_projection_and_then_one_for_each_head():
    layer = MultiHeadAttention.random(WIDTH, HEADS, two_stage=10, head_dim=6, dtype="float64")
    p = layer.state_dict()
    x = normal(BATCH, QUERIES, WIDTH)
    first = np.split(x @ p["in_proj_weight"].T + p["in_proj_bias"], 3, axis=-1)
    heads = []
    for head in range(HEADS):
        q, k, v = (y @ p[f"{role}_head_weight"][head].T for role, y in zip("qkv", first, strict=True))
        heads.append(attended(q, k, v))
    expected = np.concatenate(heads, axis=-1) @ p["out_proj.weight"].T + p["out_proj.bias"]
    np.testing.assert_allclose(layer(x), expected, atol=1e-13)


@pytest.mark.parametrize(
    "options", [{}, {"rope": "halves"}, {"alibi": True}, {"num_kv_heads": 2, "value_dim": 3}], ids=str
)
def test_decoding_with_a_cache_equals_the_whole_sequence(options):
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64", **options)
    x = normal(BATCH, KEYS, WIDTH)
    whole = layer(x, mask=pyattn.causal())
    cache = layer.new_cache(BATCH, KEYS)
    steps = [layer(x[:, a:b], mask=pyattn.causal(), cache=cache) for a, b in ((0, 3), (3, 4), (4, KEYS))]
    np.testing.assert_allclose(np.concatenate(steps, axis=1), whole, atol=1e-13)


def test_lengths_may_be_per_item_and_per_query():
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64")
    x, memory = normal(2, 3, WIDTH), normal(2, KEYS, WIDTH, seed=1)
    per_item = layer(x, memory, mask=valid_lens([2, 5]))
    per_query = layer(x, memory, mask=valid_lens([[1, 2, 3], [7, 5, 4]], KEYS))
    for item, keys in enumerate([2, 5]):
        np.testing.assert_allclose(per_item[item], layer(x[item], memory[item, :keys]), atol=1e-13)
    for item, row in enumerate([[1, 2, 3], [7, 5, 4]]):
        for query, keys in enumerate(row):
            alone = layer(x[item, query : query + 1], memory[item, :keys])
            np.testing.assert_allclose(per_query[item, query], alone[0], atol=1e-13)


def test_attention_is_linear_in_the_output_projection():
    layer = MultiHeadAttention.random(WIDTH, HEADS, dtype="float64")
    context, _ = layer.context(normal(BATCH, QUERIES, WIDTH))
    out = Linear.from_state_dict({"weight": layer.out_proj.weight, "bias": layer.out_proj.bias}, WIDTH, WIDTH)
    np.testing.assert_array_equal(layer(normal(BATCH, QUERIES, WIDTH)), out(context))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embed_dim": 25}, "embed_dim 25 is no multiple of 4 heads; pass head_dim"),
        ({"num_kv_heads": 3}, "4 query heads and 3 key heads"),
        ({"rope": "thirds"}, "rope is 'thirds'"),
        ({"head_dim": 0}, "head_dim is 0; expected at least 1"),
        ({"value_dim": -2}, "value_dim is -2; expected at least 1"),
    ],
)
def test_what_cannot_be_made_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(**{"embed_dim": WIDTH, "num_heads": HEADS, **options})


def test_what_does_not_fit_is_named():
    layer = MultiHeadAttention.random(WIDTH, HEADS)
    with pytest.raises(ValueError, match=r"key has shape \(3, 5, 23\); expected \(\.\.\., 24\)"):
        layer(normal(3, 5, WIDTH, dtype="float32"), normal(3, 5, 23, dtype="float32"))
    with pytest.raises(TypeError, match="query has dtype float64 and the parameters have float32"):
        layer(normal(3, 5, WIDTH))
    with pytest.raises(ValueError, match=r"query has shape \(24,\); expected \(\.\.\., sequence, width\)"):
        layer(normal(WIDTH, dtype="float32"))
