"""Every option that torch.nn and these layers both have, in any combination, on random sizes and masks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyattn import layers, padding

torch = pytest.importorskip("torch", reason="torch is not installed")

from torch_layers import answer, trained

pytestmark = [
    pytest.mark.filterwarnings("ignore:enable_nested_tensor"),
    pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors"),
    pytest.mark.filterwarnings("ignore:Support for mismatched"),
]
flags, dtypes = st.booleans(), st.sampled_from(["float32", "float64"])
sizes, seeds = st.integers(1, 9), st.integers(0, 2**32 - 1)
rates = st.sampled_from([0.0, 0.5, 1.0])  # of what is hidden
often = settings(max_examples=60)
blocks = st.fixed_dictionaries(
    {
        "dim_feedforward": st.integers(1, 20),
        "activation": st.sampled_from(["relu", "gelu"]),
        "layer_norm_eps": st.sampled_from([1e-12, 1e-5, 0.1]),
        "norm_first": flags,
        "bias": flags,
    }
)


def normal(rng, *shape, dtype):
    return rng.standard_normal(shape).astype(dtype)


def assert_like(ours, theirs):
    """Equal to rounding where torch has numbers; it has NaN where a query sees nothing."""
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    assert np.isfinite(ours).all()
    known = np.isfinite(theirs)
    tolerance = 1e-12 if ours.dtype == np.float64 else 2e-5
    np.testing.assert_allclose(ours[known], theirs[known], rtol=tolerance, atol=tolerance)


def hidden(rng, batch, keys, rate):
    """True where a key is padding, as torch has it."""
    return rng.random((batch, keys)) < rate


@often
@given(data=st.data(), dtype=dtypes, batch=st.integers(0, 4), seed=seeds, batched=flags, rate=rates)
def test_attention(data, dtype, batch, seed, batched, rate):
    rng, heads = np.random.default_rng(seed), data.draw(st.integers(1, 4))
    width, queries, keys = heads * data.draw(sizes), data.draw(sizes), data.draw(sizes)
    widths = data.draw(
        st.sampled_from([{}, {"kdim": 5}, {"vdim": 3}, {"kdim": 7, "vdim": 2}, {"kdim": width}])
    )
    options = {name: data.draw(flags) for name in ("bias", "add_bias_kv", "add_zero_attn")} | widths
    theirs = trained(torch.nn.MultiheadAttention(width, heads, batch_first=True, **options), dtype)
    ours = layers.MultiHeadAttention.from_state_dict(theirs.state_dict(), width, heads, **options)
    leading = (batch,) if batched else ()
    q = normal(rng, *leading, queries, width, dtype=dtype)
    k = normal(rng, *leading, keys, widths.get("kdim", width), dtype=dtype)
    v = normal(rng, *leading, keys, widths.get("vdim", width), dtype=dtype)
    kind = data.draw(st.sampled_from(["none", "padding", "boolean", "each head", "added", "both"]))
    pad = hidden(rng, batch, keys, rate)
    square = rng.random((queries, keys)) < 0.4
    each = rng.random((batch if batched else 1, heads, queries, keys)) < 0.4
    added = normal(rng, queries, keys, dtype=dtype)
    if not batched:
        pad, each = hidden(rng, 1, keys, rate)[0], each[0]
    their_options, mask, bias = {
        "none": ({}, None, None),
        "padding": ({"key_padding_mask": pad}, padding(~pad), None),
        "boolean": ({"attn_mask": square}, ~square, None),
        "each head": ({"attn_mask": each.reshape(-1, queries, keys)}, ~each, None),
        "added": ({"attn_mask": added}, None, added),
        "both": ({"attn_mask": square, "key_padding_mask": pad}, padding(~pad) & ~square, None),
    }[kind]
    tensors = {name: torch.from_numpy(x) for name, x in their_options.items()}
    out, weights = answer(theirs, q, k, v, average_attn_weights=False, **tensors)
    mean = answer(theirs, q, k, v, **tensors)[1]
    found, seen = ours(q, k, v, mask, bias=bias, return_weights=True)
    assert_like(found, out)
    assert_like(seen, weights)
    assert_like(seen.mean(axis=-3), mean)
    assert_like(ours(q, k, v, mask, bias=bias), out)


@often
@given(
    dtype=dtypes, heads=st.integers(1, 3), width=sizes, tokens=sizes, depth=st.integers(1, 3), norm=flags,
    options=blocks, seed=seeds, rate=st.sampled_from([0.0, 0.4]),
)  # fmt: skip
def test_an_encoder(dtype, heads, width, tokens, depth, norm, options, seed, rate):
    rng, d = np.random.default_rng(seed), 2 * heads * width
    layer = torch.nn.TransformerEncoderLayer(d, heads, batch_first=True, **options)
    last = {"eps": options["layer_norm_eps"], "bias": options["bias"]}
    stack = torch.nn.TransformerEncoder(
        layer, depth, torch.nn.LayerNorm(d, **last) if norm else None, enable_nested_tensor=False
    )
    theirs = trained(stack, dtype)
    ours = layers.Encoder.from_state_dict(theirs.state_dict(), depth, d, heads, final_norm=norm, **options)
    x, pad = normal(rng, 3, tokens, d, dtype=dtype), hidden(rng, 3, tokens, rate)
    pad[:, 0] = False
    expected = answer(theirs, x, src_key_padding_mask=torch.from_numpy(pad))
    dirty = np.where(pad[..., None], np.nan, x)  # what is padding has no influence
    assert_like(ours(x, padding(~pad))[~pad], expected[~pad])
    assert_like(ours(dirty, padding(~pad))[~pad], expected[~pad])
    assert_like(ours(x[0]), answer(theirs, x[0]))


@often
@given(
    dtype=dtypes, heads=st.integers(1, 3), width=sizes, lengths=st.tuples(sizes, sizes),
    depths=st.tuples(st.integers(1, 2), st.integers(1, 2)), options=blocks, seed=seeds,
    rate=st.sampled_from([0.0, 0.4]),
)  # fmt: skip
def test_a_transformer(dtype, heads, width, lengths, depths, options, seed, rate):
    rng, d, (source, target) = np.random.default_rng(seed), 2 * heads * width, lengths
    theirs = trained(torch.nn.Transformer(d, heads, *depths, batch_first=True, **options), dtype)
    ours = layers.Transformer.from_state_dict(theirs.state_dict(), d, heads, *depths, **options)
    x, y = normal(rng, 3, source, d, dtype=dtype), normal(rng, 3, target, d, dtype=dtype)
    pad = hidden(rng, 3, source, rate)
    pad[:, 0] = False
    mask, theirs_pad = padding(~pad), torch.from_numpy(pad)
    late = torch.triu(torch.ones(target, target, dtype=torch.bool), 1)
    options = {"src_key_padding_mask": theirs_pad, "memory_key_padding_mask": theirs_pad}
    expected = answer(theirs, x, y, tgt_mask=late, **options)
    dirty = np.where(pad[..., None], np.nan, x)
    assert_like(ours(x, y, mask, memory_mask=mask), expected)
    assert_like(ours(dirty, y, mask, memory_mask=mask), expected)
    assert_like(ours(x, y, mask, None, mask), answer(theirs, x, y, **options))
    assert_like(ours(x[0], y[0]), answer(theirs, x[0], y[0], tgt_mask=late))


@given(
    dtype=dtypes, width=st.integers(1, 40), affine=flags, bias=flags, seed=seeds, power=st.integers(-18, 18)
)
def test_a_norm_of_any_size_of_numbers(dtype, width, affine, bias, seed, power):
    options = {"eps": 1e-5, "elementwise_affine": affine, "bias": bias}
    theirs = trained(torch.nn.LayerNorm(width, **options), dtype)
    ours = layers.LayerNorm.from_state_dict(theirs.state_dict(), width, **options)
    x = 10.0**power * np.random.default_rng(seed).standard_normal((2, 3, width))
    x = x.astype(dtype)
    exact = trained(torch.nn.LayerNorm(width, **options), "float64")
    exact.load_state_dict(theirs.state_dict())
    tolerance = 1e-11 if dtype == "float64" else 1e-4
    np.testing.assert_allclose(ours(x), answer(exact, x.astype(float)), rtol=tolerance, atol=tolerance)


@given(dtype=dtypes, inputs=sizes, outputs=sizes, bias=flags, leading=st.lists(st.integers(0, 3), max_size=3))
def test_a_linear_map(dtype, inputs, outputs, bias, leading):
    theirs = trained(torch.nn.Linear(inputs, outputs, bias), dtype)
    ours = layers.Linear.from_state_dict(theirs.state_dict(), inputs, outputs, bias)
    x = normal(np.random.default_rng(0), *leading, inputs, dtype=dtype)
    assert_like(ours(x), answer(theirs, x))


def test_an_embedding_with_a_padding_index():
    theirs = trained(torch.nn.Embedding(5, 7, padding_idx=1), "float64")
    ours = layers.Embedding.from_state_dict(theirs.state_dict(), 5, 7)
    ids = np.array([[1, 4], [0, 1]])
    assert_like(ours(ids), answer(theirs, ids))


@given(
    dtype=dtypes, steps=st.integers(1, 6), inputs=sizes, hidden=sizes, depth=st.integers(1, 3),
    bidirectional=flags, bias=flags, seed=seeds, kind=st.sampled_from(["GRU", "LSTM"]),
)  # fmt: skip
def test_a_recurrent_layer(dtype, steps, inputs, hidden, depth, bidirectional, bias, seed, kind):
    from pyattn import seq2seq

    options = {"num_layers": depth, "bidirectional": bidirectional, "bias": bias}
    theirs = trained(getattr(torch.nn, kind)(inputs, hidden, batch_first=True, **options), dtype)
    ours = getattr(seq2seq, kind).from_state_dict(theirs.state_dict(), inputs, hidden, **options)
    x = normal(np.random.default_rng(seed), 3, steps, inputs, dtype=dtype)
    with torch.no_grad():
        outputs, last = theirs(torch.from_numpy(x))
    found, state = ours(x)
    assert_like(found, outputs.numpy())
    for mine, other in zip(state, (last,) if kind == "GRU" else last, strict=True):
        assert_like(mine, other.numpy())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_are_converted_on_request_and_never_silently(dtype):
    theirs = trained(torch.nn.Linear(3, 2), dtype)
    with pytest.raises(TypeError, match=f"'weight' .* has dtype {dtype}; expected float32 or float64"):
        layers.Linear.from_state_dict(theirs.state_dict(), 3, 2)
    ours = layers.Linear.from_state_dict(theirs.state_dict(), 3, 2, dtype="float64")
    x = np.ones((1, 3))
    assert_like(ours(x), answer(theirs.double(), x))


def test_a_layer_within_a_model_is_named_by_its_prefix(tmp_path):
    from safetensors.torch import save_file

    model = torch.nn.Sequential(
        torch.nn.Linear(3, 4), trained(torch.nn.TransformerEncoderLayer(4, 2, 6), "float64")
    )
    with pytest.raises(ValueError, match=r"holds '1\.self_attn\.in_proj_weight': pass prefix='1\.'"):
        layers.EncoderLayer.from_state_dict(model.state_dict(), 4, 2, 6)
    with pytest.raises(ValueError, match=r"holds '1\.self_attn\.in_proj_weight': pass prefix='1\.'"):
        layers.EncoderLayer.from_state_dict(model.state_dict(), 4, 2, 6, prefix="1")
    save_file(model.state_dict(), tmp_path / "model.safetensors")
    x = np.ones((1, 3, 4))
    for layer in (
        layers.EncoderLayer.from_state_dict(model.state_dict(), 4, 2, 6, prefix="1."),
        layers.EncoderLayer.load(tmp_path / "model.safetensors", 4, 2, 6, prefix="1.", dtype="float64"),
    ):
        assert_like(layer(x), answer(model[1].eval(), x.swapaxes(0, 1)).swapaxes(0, 1))


def test_tied_weights_and_views_of_other_tensors_load():
    model = torch.nn.ModuleDict(
        {"embedding": torch.nn.Embedding(5, 4), "output": torch.nn.Linear(4, 5, bias=False)}
    )
    model["output"].weight = model["embedding"].weight
    output = layers.Linear.from_state_dict(model.state_dict(), 4, 5, False, prefix="output.")
    table = layers.Embedding.from_state_dict(model.state_dict(), 5, 4, prefix="embedding.")
    np.testing.assert_array_equal(output.weight, table.weight)
    turned = layers.Linear.from_state_dict({"weight": torch.eye(5, 4).T[:, ::2]}, 3, 4, False)
    assert turned(np.ones((1, 3), np.float32)).tolist() == [[1, 0, 1, 0]]


def test_what_a_state_holds_beside_arrays_is_named():
    with pytest.raises(
        ValueError, match=r"has a parameter 'steps' of shape \(\) that this layer does not use"
    ):
        layers.Linear.from_state_dict({"weight": np.eye(2), "bias": np.ones(2), "steps": 3}, 2, 2)
