"""Encoder, decoder and Transformer beside torch's, and one token after the other."""

import numpy as np
import pytest

import pyattn
from pyattn import layers
from pyattn.layers import valid_lens

BATCH, TARGET, SOURCE, WIDTH, HEADS, INNER = 3, 5, 7, 24, 4, 40
dtypes = pytest.mark.parametrize("dtype", ["float32", "float64"])
variants = pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm_first": True},
        {"activation": "gelu"},
        {"bias": False},
        {"layer_norm_eps": 0.1, "norm_first": True, "activation": "gelu"},
        {"bias": False, "norm_first": True},
    ],
    ids=str,
)


def normal(*shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


@dtypes
@variants
def test_an_encoder_layer_is_torch_s(torch, dtype, options):
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(
        torch.nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, batch_first=True, **options), dtype
    )
    ours = layers.EncoderLayer.from_state_dict(theirs.state_dict(), WIDTH, HEADS, INNER, **options)
    x = normal(BATCH, SOURCE, WIDTH, dtype=dtype)
    assert_equal_to_rounding(ours(x), answer(theirs, x))
    late = torch.triu(torch.ones(SOURCE, SOURCE, dtype=torch.bool), 1)
    assert_equal_to_rounding(ours(x, pyattn.causal()), answer(theirs, x, src_mask=late))


@dtypes
@variants
def test_a_decoder_layer_is_torch_s(torch, dtype, options):
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(
        torch.nn.TransformerDecoderLayer(WIDTH, HEADS, INNER, batch_first=True, **options), dtype
    )
    ours = layers.DecoderLayer.from_state_dict(theirs.state_dict(), WIDTH, HEADS, INNER, **options)
    x, memory = normal(BATCH, TARGET, WIDTH, dtype=dtype), normal(BATCH, SOURCE, WIDTH, dtype=dtype, seed=1)
    real = np.arange(SOURCE) < np.array([SOURCE, 2, 3])[:, None]
    late = torch.triu(torch.ones(TARGET, TARGET, dtype=torch.bool), 1)
    expected = answer(theirs, x, memory, tgt_mask=late, memory_key_padding_mask=torch.from_numpy(~real))
    assert_equal_to_rounding(ours(x, memory, memory_mask=valid_lens([SOURCE, 2, 3])), expected)
    assert_equal_to_rounding(ours(x, memory, mask=None), answer(theirs, x, memory))


@dtypes
@pytest.mark.parametrize("norm", [True, False])
def test_stacks_are_torch_s(torch, dtype, norm):
    from torch_layers import answer, assert_equal_to_rounding, trained

    nn = torch.nn
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, batch_first=True)
    last = nn.LayerNorm(WIDTH) if norm else None
    theirs = trained(nn.TransformerEncoder(layer, 3, last, enable_nested_tensor=False), dtype)
    ours = layers.Encoder.from_state_dict(
        theirs.state_dict(), 3, WIDTH, HEADS, final_norm=norm, dim_feedforward=INNER
    )
    x = normal(BATCH, SOURCE, WIDTH, dtype=dtype)
    assert_equal_to_rounding(ours(x), answer(theirs, x))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch tells why it will not use them
@dtypes
@pytest.mark.parametrize(
    "options", [{}, {"norm_first": True, "activation": "gelu"}, {"bias": False}], ids=str
)
def test_a_transformer_is_torch_s(torch, dtype, options):
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(torch.nn.Transformer(WIDTH, HEADS, 2, 3, INNER, batch_first=True, **options), dtype)
    ours = layers.Transformer.from_state_dict(
        theirs.state_dict(), WIDTH, HEADS, 2, 3, dim_feedforward=INNER, **options
    )
    x, y = normal(BATCH, SOURCE, WIDTH, dtype=dtype), normal(BATCH, TARGET, WIDTH, dtype=dtype, seed=1)
    late = torch.triu(torch.ones(TARGET, TARGET, dtype=torch.bool), 1)
    assert_equal_to_rounding(ours(x, y), answer(theirs, x, y, tgt_mask=late))


@pytest.mark.parametrize("name", ["Linear", "Embedding", "LayerNorm"])
def test_small_layers_are_torch_s(torch, name):
    from torch_layers import answer, assert_equal_to_rounding, trained

    sizes = {"Linear": (5, 7), "Embedding": (5, 7), "LayerNorm": (5,)}[name]
    theirs = trained(getattr(torch.nn, name)(*sizes), "float64")
    ours = getattr(layers, name).from_state_dict(theirs.state_dict(), *sizes)
    x = np.array([[4, 0, 3]]) if name == "Embedding" else normal(2, 3, 5)
    assert_equal_to_rounding(ours(x), answer(theirs, x))


@pytest.mark.parametrize("options", [{"bias": False}, {"elementwise_affine": False}], ids=str)
def test_a_norm_may_lack_parameters(torch, options):
    from torch_layers import answer, assert_equal_to_rounding, trained

    theirs = trained(torch.nn.LayerNorm(5, **options), "float64")
    ours = layers.LayerNorm.from_state_dict(theirs.state_dict(), 5, **options)
    assert_equal_to_rounding(ours(normal(2, 3, 5)), answer(theirs, normal(2, 3, 5)))


@dtypes
@pytest.mark.parametrize("width", [1, 5, 37, 768])
@pytest.mark.parametrize("number", [3.3, -1e4, 1e-20, 7.7e8])
def test_equal_numbers_are_normalised_to_zero(dtype, width, number, isa):
    """Regression: the mean's own rounding was divided by √eps, and with BERT's eps became −0.8."""
    norm = layers.LayerNorm(width, eps=1e-12, elementwise_affine=False)
    assert np.abs(norm(np.full((2, width), number, dtype))).max() <= 1e-6


def test_a_mean_far_from_zero_costs_no_digits(isa):
    x = (100 + 0.01 * normal(50, 384)).astype("float32")
    wide = x.astype("float64")
    exact = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)
    found = layers.LayerNorm(384, elementwise_affine=False)(x)
    assert np.abs(found - exact).max() <= 4e-6  # torch: 1e-3


def test_a_batch_is_a_loop_and_padding_changes_nothing():
    encoder = layers.Encoder.random(2, WIDTH, HEADS, dim_feedforward=INNER, dtype="float64")
    x = normal(BATCH, SOURCE, WIDTH)
    together = encoder(x, valid_lens([SOURCE, 2, 3]))
    for item, length in enumerate([SOURCE, 2, 3]):
        np.testing.assert_allclose(together[item, :length], encoder(x[item, :length]), atol=1e-12)


@variants
def test_decoding_step_by_step_equals_the_whole_sequence(options):
    decoder = layers.Decoder.random(
        2, WIDTH, HEADS, final_norm=True, dim_feedforward=INNER, dtype="float64", **options
    )
    x, memory, mask = (
        normal(BATCH, TARGET, WIDTH),
        normal(BATCH, SOURCE, WIDTH, seed=1),
        valid_lens([7, 2, 3]),
    )
    whole, weights = decoder(x, memory, memory_mask=mask, return_weights=True)
    state = decoder.start(memory, TARGET)
    for place in range(TARGET):
        y, seen = decoder.step(x[:, place : place + 1], state, mask, return_weights=True)
        np.testing.assert_allclose(y[:, 0], whole[:, place], atol=1e-12)
        np.testing.assert_allclose(seen[1][:, :, 0], weights[1][:, :, place], atol=1e-12)


@pytest.mark.parametrize(
    "shape", [(0, SOURCE, WIDTH), (BATCH, 0, WIDTH), (SOURCE, WIDTH), (2, BATCH, SOURCE, WIDTH)]
)
def test_any_leading_axes_and_no_tokens_are_fine(shape):
    layer = layers.EncoderLayer.random(WIDTH, HEADS, INNER, dtype="float64")
    x = normal(*shape)
    assert layer(x).shape == shape
    if x.size:
        np.testing.assert_allclose(
            layer(x).reshape(-1, SOURCE, WIDTH), layer(x.reshape(-1, SOURCE, WIDTH)), atol=1e-13
        )


def test_an_encoder_layer_may_turn_group_and_bias():
    options = {"rope": "interleaved", "num_kv_heads": 2, "alibi": True}
    layer = layers.EncoderLayer.random(WIDTH, HEADS, INNER, attention=options)
    assert layer.shapes()["self_attn.in_proj_weight"] == (2 * WIDTH, WIDTH)
    x, weights = layer(normal(BATCH, SOURCE, WIDTH, dtype="float32"), return_weights=True)
    assert weights.shape == (BATCH, HEADS, SOURCE, SOURCE)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)


def test_an_order_that_positions_do_not_tell_is_not_known():
    """Without positions, self-attention sees a set."""
    encoder = layers.Encoder.random(2, WIDTH, HEADS, dim_feedforward=INNER, dtype="float64")
    x, order = normal(1, SOURCE, WIDTH), np.random.default_rng(0).permutation(SOURCE)
    np.testing.assert_allclose(encoder(x[:, order]), encoder(x)[:, order], atol=1e-12)
    told = layers.SinusoidalPositions(WIDTH)
    assert not np.allclose(encoder(told(x[:, order])), encoder(told(x))[:, order])


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_a_translator_decodes_what_it_scores(positions):
    model = layers.Translator.random(
        11,
        13,
        16,
        HEADS,
        2,
        2,
        positions=positions,
        max_length=6,
        dim_feedforward=INNER,
        dtype="float64",
        seed=3,
    )
    rng = np.random.default_rng(0)
    source, lengths, target = (
        rng.integers(3, 11, (BATCH, 5)),
        np.array([5, 4, 2]),
        rng.integers(3, 13, (BATCH, 6)),
    )
    logits = model(source, target, lengths)
    decoding = model.start(source, lengths)
    for place in range(6):
        log_probabilities = decoding.step(target[:, place])
        np.testing.assert_allclose(log_probabilities, pyattn.log_softmax(logits[:, place]), atol=1e-12)


def test_greedy_takes_the_likeliest_token_of_each_step():
    model = layers.Translator.random(11, 13, 16, HEADS, 1, 1, max_length=6, dim_feedforward=INNER, seed=4)
    source = np.random.default_rng(1).integers(3, 11, (BATCH, 5))
    for sentence, tokens in zip(source, model.greedy(source, start=1, end=2), strict=True):
        logits = model(sentence[None], [[1, *tokens]])[0]
        likeliest = logits.argmax(axis=-1).tolist()
        assert likeliest[: len(tokens)] == tokens and (len(tokens) == 6 or likeliest[len(tokens)] == 2)


def test_a_beam_of_one_is_greedy_and_a_wider_one_finds_no_less():
    model = layers.Translator.random(
        11, 13, 16, HEADS, 1, 2, max_length=6, dim_feedforward=INNER, dtype="float64", seed=5
    )
    source, ends = np.random.default_rng(0).integers(3, 11, (4, 5)), {"start": 1, "end": 2}

    def probability(tokens, item):
        whole = [*tokens, 2][:6]
        logs = pyattn.log_softmax(model(source[item : item + 1], [[1, *whole[:-1]]])[0])
        return sum(logs[place, token] for place, token in enumerate(whole))

    greedy = model.greedy(source, **ends)
    narrow, wide = model.beam(source, width=1, **ends), model.beam(source, width=13, **ends)
    for item in range(4):
        assert narrow[item][0].tokens == greedy[item]
        assert wide[item][0].log_probability >= narrow[item][0].log_probability - 1e-12
        for found in wide[item]:
            assert found.log_probability == pytest.approx(probability(found.tokens, item))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_names_and_shapes_are_those_of_the_whole(torch):
    theirs = torch.nn.Transformer(WIDTH, HEADS, 1, 1, INNER)
    shapes = layers.Transformer(WIDTH, HEADS, 1, 1, dim_feedforward=INNER).shapes()
    assert shapes == {name: tuple(p.shape) for name, p in theirs.state_dict().items()}


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_sentences_of_unequal_length_are_translated_as_each_by_itself(positions):
    options = {"positions": positions, "max_length": 6, "dim_feedforward": INNER, "dtype": "float64"}
    model = layers.Translator.random(11, 13, 16, HEADS, 1, 2, **options)
    source, counts = np.random.default_rng(0).integers(3, 11, (4, 6)), [6, 1, 4, 0]
    ends = {"start": 1, "end": 2}
    greedy = model.greedy(source, source_lengths=counts, **ends)
    wide = model.beam(source, source_lengths=counts, width=3, **ends)
    for item, count in enumerate(counts):
        alone = source[item : item + 1, :count]
        assert model.greedy(alone, **ends) == [greedy[item]]
        expected = model.beam(alone, width=3, **ends)[0]
        assert [one.tokens for one in wide[item]] == [one.tokens for one in expected]


TRANSLATOR = layers.Translator.random(11, 13, 16, HEADS, 1, 1, "learned", max_length=6, dim_feedforward=INNER)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda t: t.greedy([3, 4], start=1, end=2),
            r"Translator: source has shape \(2,\); expected \(batch, words\)",
        ),
        (lambda t: t([[3]], [1]), r"target has shape \(1,\)"),
        (lambda t: t([[3], [4]], [[1]]), "2 sentences in source and 1 in target"),
        (
            lambda t: t([[3, 4]], [[1]], [3]),
            r"source_lengths are \[3\]; expected 1 whole numbers from 0 to 2",
        ),
        (lambda t: t([[3, 4]], [[1]], [-1]), r"source_lengths are \[-1\]"),
        (lambda t: t([[3, 4]], [[1]], [1, 2]), r"source_lengths are \[1, 2\]"),
        (lambda t: t([[3, 4]], [[1]], [1.5]), r"source_lengths are \[1.5\]"),
        (
            lambda t: t([[3] * 7], [[1]]),
            "LearnedPositions: x stands at positions 0 to 6; there are vectors for 0 to 5",
        ),
        (lambda t: t([[3]], [[13]]), "ids run from 13 to 13; the table has rows 0 to 12"),
    ],
)
def test_sentences_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(TRANSLATOR)


@pytest.mark.parametrize(
    ("layer", "x", "error", "message"),
    [
        (
            layers.SinusoidalPositions(4),
            np.zeros((2, 4), int),
            TypeError,
            "x has dtype int64; expected floating",
        ),
        (
            layers.SinusoidalPositions(4),
            np.zeros((2, 1)),
            ValueError,
            r"x has shape \(2, 1\); expected \(\.\.\., 4\)",
        ),
        (layers.SinusoidalPositions(4), np.zeros(4), ValueError, r"expected \(\.\.\., sequence, 4\)"),
        (
            layers.LearnedPositions.random(3, 4),
            np.zeros((2, 4)),
            TypeError,
            "x has dtype float64 and the parameters",
        ),
        (
            layers.LearnedPositions.random(3, 4),
            np.zeros((2, 1), np.float32),
            ValueError,
            r"expected \(\.\.\., 4\)",
        ),
        (
            layers.LearnedPositions.random(3, 4),
            np.zeros((4, 4), np.float32),
            ValueError,
            "x stands at positions 0 to 3",
        ),
    ],
)
def test_vectors_that_positions_cannot_be_added_to_are_refused(layer, x, error, message):
    """Regression: sines became zeros in whole numbers, and one column was broadcast to all."""
    with pytest.raises(error, match=message):
        layer(x)


def test_a_memory_without_a_batch_is_refused_by_its_shape():
    """Regression: its heads were taken for the batch."""
    with pytest.raises(
        ValueError, match=r"DecoderLayer.start: memory has shape \(5, 8\); expected \(batch, source"
    ):
        layers.DecoderLayer.random(8, 2, 16).start(np.ones((5, 8), np.float32), 3)


def test_no_words_have_no_vectors_and_need_no_dtype():
    assert layers.Embedding.random(3, 4)([]).shape == (0, 4)
    assert layers.Embedding.random(3, 4)([[], []]).shape == (2, 0, 4)
