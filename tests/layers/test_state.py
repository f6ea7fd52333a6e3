"""Parameters from states and files, and what is said of those that do not fit."""

import inspect

import ml_dtypes
import numpy as np
import pytest

from pyattn import layers, seq2seq
from pyattn.layers import Encoder, EncoderLayer, Layer, Linear, MultiHeadAttention, Transformer, Translator

SIZES = (8, 2, 12)


@pytest.fixture
def state():
    return dict(EncoderLayer.random(*SIZES).state_dict())


def test_a_state_goes_in_and_comes_out(state):
    layer = EncoderLayer.from_state_dict(state, *SIZES)
    assert list(layer.state_dict()) == list(layer.shapes()) == list(state)
    for name, array in layer.state_dict().items():
        np.testing.assert_array_equal(array, state[name])


def test_a_file_remembers_what_the_layer_was_made_with(tmp_path):
    layer = EncoderLayer.random(*SIZES, activation="gelu", attention={"rope": "halves"})
    layer.save(tmp_path / "layer.safetensors")
    again = EncoderLayer.load(tmp_path / "layer.safetensors")
    x = np.random.default_rng(0).standard_normal((2, 3, 8), dtype=np.float32)
    np.testing.assert_array_equal(again(x), layer(x))
    assert again.options == layer.options


@pytest.mark.parametrize(
    ("kind", "sizes", "options"),
    [
        (Encoder, (2, 8, 2), {"final_norm": True, "dim_feedforward": 12, "norm_first": True}),
        (Transformer, (8, 2, 1, 1), {"dim_feedforward": 12, "activation": "gelu"}),
        (Translator, (5, 6, 8, 2, 1, 1), {"positions": "learned", "max_length": 9, "dim_feedforward": 12}),
    ],
)
def test_options_that_are_passed_on_are_remembered_too(tmp_path, kind, sizes, options):
    layer = kind.random(*sizes, **options)
    layer.save(tmp_path / "layer.safetensors")
    again = kind.load(tmp_path / "layer.safetensors")
    assert again.options == layer.options
    assert again.shapes() == layer.shapes()


def test_a_file_of_torch_needs_the_sizes(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from safetensors.torch import save_file

    theirs = torch.nn.TransformerEncoderLayer(*SIZES, batch_first=True).eval()
    save_file(theirs.state_dict(), tmp_path / "torch.safetensors")
    ours = EncoderLayer.load(tmp_path / "torch.safetensors", *SIZES)
    x = torch.randn(2, 3, 8)
    with torch.no_grad():
        np.testing.assert_allclose(ours(x.numpy()), theirs(x).numpy(), atol=1e-6)
    with pytest.raises(ValueError, match=r"does not say .* EncoderLayer\.load\(path, d_model, nhead, …\)"):
        EncoderLayer.load(tmp_path / "torch.safetensors")


@pytest.mark.parametrize("stored", [np.float16, ml_dtypes.bfloat16, np.float64])
def test_other_floats_are_converted_on_request(state, stored, tmp_path):
    from safetensors.numpy import save_file

    save_file({name: array.astype(stored) for name, array in state.items()}, tmp_path / "other.safetensors")
    layer = EncoderLayer.load(tmp_path / "other.safetensors", *SIZES, dtype="float32")
    for name, array in layer.state_dict().items():
        assert array.dtype == np.float32
        np.testing.assert_array_equal(array, state[name].astype(stored).astype(np.float32))


def without(state, name):
    return {other: array for other, array in state.items() if other != name}


@pytest.mark.parametrize(
    ("damage", "error", "message"),
    [
        (
            lambda s: without(s, "norm1.weight"),
            ValueError,
            r"no parameter 'norm1.weight'; expected one of shape \(8,\)",
        ),
        (
            lambda s: s | {"norm3.weight": np.ones(8)},
            ValueError,
            r"has a parameter 'norm3.weight' of shape \(8,\) that this layer does not use",
        ),
        (
            lambda s: s | {"linear1.weight": s["linear1.weight"].T},
            ValueError,
            r"'linear1.weight' has shape \(8, 12\); expected \(12, 8\)\. It is transposed",
        ),
        (
            lambda s: s | {"linear1.weight": np.ones((5, 8))},
            ValueError,
            r"'linear1.weight' has shape \(5, 8\); expected \(12, 8\)\.$",
        ),
        (
            lambda s: s | {"norm2.bias": np.zeros(8, np.int64)},
            TypeError,
            r"'norm2.bias' of shape \(8,\) has dtype int64; expected float32",
        ),
        (
            lambda s: s | {"norm2.bias": np.zeros(8)},
            TypeError,
            r"'norm2.bias' of shape \(8,\) has dtype float64; expected float32",
        ),
    ],
    ids=["missing", "extra", "transposed", "another size", "integers", "mixed"],
)
def test_what_does_not_fit_is_named(state, damage, error, message):
    with pytest.raises(error, match=message):
        EncoderLayer.from_state_dict(damage(state), *SIZES)


def test_integers_are_not_converted(state):
    with pytest.raises(TypeError, match="'norm2.bias' .* has dtype int64"):
        EncoderLayer.from_state_dict(state | {"norm2.bias": np.zeros(8, np.int64)}, *SIZES, dtype="float32")


def test_a_missing_parameter_tells_which_ones_there_are():
    for shape, hint in (
        ((24, 8), r"'q\.in_proj_weight': pass prefix='q\.'"),
        ((8, 24), r"'q\.in_proj_weight' \(8, 24\)"),
    ):
        with pytest.raises(ValueError, match=rf"no parameter 'in_proj_weight'; .* It holds {hint}\.$"):
            MultiHeadAttention.from_state_dict({"q.in_proj_weight": np.ones(shape)}, 8, 2)


def test_half_a_layer_cannot_compute_in_half_precision(state):
    with pytest.raises(TypeError, match="dtype is 'float16'; layers compute in 'float32' or 'float64'"):
        EncoderLayer.from_state_dict(state, *SIZES, dtype="float16")


def test_a_layer_without_parameters_says_how_to_get_them():
    with pytest.raises(
        ValueError, match=r"parameter 'weight' \(3, 2\) has no value yet; .*Linear\.from_state_dict"
    ):
        Linear(2, 3)(np.ones(2, np.float32))


def test_a_file_that_is_none_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file .*nowhere\.safetensors"):
        Linear.load(tmp_path / "nowhere.safetensors", 2, 3)
    (tmp_path / "broken.safetensors").write_bytes(b"no tensors")
    with pytest.raises(ValueError, match=r"broken\.safetensors is not a readable safetensors file"):
        Linear.load(tmp_path / "broken.safetensors", 2, 3)


@pytest.mark.parametrize("layer", [Linear, MultiHeadAttention, EncoderLayer])
def test_help_tells_what_a_layer_is_made_with(layer):
    assert "*sizes" not in str(inspect.signature(layer))
    assert list(inspect.signature(layer).parameters) == list(inspect.signature(layer.__init__).parameters)[1:]


def test_options_may_be_numpy_s_numbers(tmp_path):
    """Regression: JSON cannot write them by itself."""
    layer = Linear.random(np.int64(3), np.int32(2), np.bool_(False))
    layer.save(tmp_path / "layer.safetensors")
    assert Linear.load(tmp_path / "layer.safetensors").options == {
        "in_features": 3,
        "out_features": 2,
        "bias": False,
    }


def test_what_a_layer_is_not_made_with_is_named():
    with pytest.raises(
        TypeError,
        match=r"Linear: got an unexpected keyword .*'rank'; it is made with \(in_features, out_features, bias=True\)",
    ):
        Linear(2, 3, rank=1)
    with pytest.raises(
        TypeError, match="EncoderLayer: missing a required argument: 'nhead'; it is made with"
    ):
        EncoderLayer.random(8)


def test_a_file_of_another_layer_is_named(tmp_path):
    EncoderLayer.random(*SIZES).save(tmp_path / "layer.safetensors")
    with pytest.raises(ValueError, match=r"holds EncoderLayer's parameters; load them by EncoderLayer\.load"):
        Encoder.load(tmp_path / "layer.safetensors")


def test_what_is_no_state_is_named(state):
    with pytest.raises(
        TypeError, match=r"Linear: the state is a list; expected a mapping .* \.state_dict\(\)"
    ):
        Linear.from_state_dict([np.eye(2), np.ones(2)], 2, 2)
    for dtype in ("half a float", "int32", object()):
        with pytest.raises(TypeError, match="layers compute in 'float32' or 'float64'"):
            EncoderLayer.from_state_dict(state, *SIZES, dtype=dtype)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"there is no folder .*nowhere to write layer\.safetensors to"
    ):
        Linear.random(2, 2).save(tmp_path / "nowhere" / "layer.safetensors")


@pytest.mark.parametrize(
    "view",
    [np.asfortranarray, lambda x: np.repeat(x, 2, axis=1)[:, ::2], lambda x: x[::-1]],
    ids=["F", "every", "rev"],
)
def test_parameters_of_any_strides_are_saved_as_they_are(view, tmp_path):
    """Regression: what was written of a transposed or sliced parameter was other numbers."""
    layer = Linear.random(3, 5)
    layer.weight = view(layer.weight)
    layer.save(tmp_path / "layer.safetensors")
    np.testing.assert_array_equal(Linear.load(tmp_path / "layer.safetensors").weight, layer.weight)


class Scaled(Layer):
    """A layer as users write theirs, with one number for a parameter."""

    def __init__(self):
        self._declare(scale=())


def test_one_number_may_be_a_parameter(tmp_path):
    """Regression: it came out as an array of one, which no file of it fitted."""
    layer = Scaled.from_state_dict({"scale": np.float64(3)})
    layer.save(tmp_path / "layer.safetensors")
    assert Scaled.load(tmp_path / "layer.safetensors").state_dict() == {"scale": np.array(3.0)}
    assert layer.scale.shape == ()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[" * 5000,
        "null",
        "[1]",
        '{"d_model":"16","nhead":4}',
        '{"dtype":"float32"}',
        '{"d_model":16,"nhead":0}',
    ],
)
def test_options_that_make_no_layer_are_told_with_their_file(tmp_path, text):
    from safetensors.numpy import save_file

    layer = EncoderLayer.random(16, 4, 32)
    save_file(layer.state_dict(), tmp_path / "x.safetensors", {"pyattn.options": text})
    with pytest.raises(
        ValueError, match=r"x\.safetensors: what it says it was made with, .* makes no EncoderLayer"
    ):
        EncoderLayer.load(tmp_path / "x.safetensors")
    loaded = EncoderLayer.load(tmp_path / "x.safetensors", 16, 4, 32)
    np.testing.assert_array_equal(loaded.state_dict()["norm1.bias"], 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: EncoderLayer(0, 4, 32),
        lambda: EncoderLayer(16, 4, -1),
        lambda: EncoderLayer(-16, 4, 32),
        lambda: Linear(3, 2.0),
        lambda: Linear(True, 2),
        lambda: layers.LayerNorm(0),
        lambda: seq2seq.GRU(3, 0),
        lambda: layers.Embedding(5, 0),
    ],
)
def test_a_layer_without_a_size_is_refused(make):
    with pytest.raises(ValueError, match="sizes of at least 1"):
        make()


@pytest.mark.parametrize("eps", ["x", -1, float("nan"), None])
def test_an_eps_that_is_none_is_refused(eps):
    with pytest.raises(ValueError, match="LayerNorm: eps is .*; expected a number of at least 0"):
        layers.LayerNorm(4, eps)


def test_parameters_of_torch_that_are_negated_views_or_nowhere():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    negated = torch.view_as_complex(torch.ones(3, 2, 2)).conj().imag
    found = Linear.from_state_dict({"weight": negated}, 2, 3, bias=False)
    np.testing.assert_array_equal(found.weight, -1)
    with pytest.raises(ValueError, match="parameter 'weight' is on torch's device 'meta'"):
        Linear.from_state_dict({"weight": torch.ones(3, 2, device="meta")}, 2, 3, bias=False)


def test_parameters_have_names():
    with pytest.raises(TypeError, match="the state has a parameter called 0; expected names"):
        Linear.from_state_dict({0: np.ones((3, 2))}, 2, 3, bias=False)
