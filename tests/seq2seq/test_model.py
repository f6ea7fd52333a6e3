"""The recurrent translator: each rule by its formula, step by step."""

import itertools

import numpy as np
import pytest

import pyattn
from pyattn.seq2seq import Seq2Seq

SOURCE, TARGET, WIDTH = 11, 13, 6
everything = pytest.mark.parametrize(
    ("cell", "attention", "query", "start"),
    list(
        itertools.product(
            ["gru", "lstm"], ["none", "dot", "additive", "concat"], ["state", "output"], ["symbol", "state"]
        )
    ),
)


def make(cell="gru", attention="dot", query="state", start="symbol", **options):
    options = {"max_source_length": 7, "max_length": 5, "seed": 1, "dtype": "float64", **options}
    model = Seq2Seq.random(SOURCE, TARGET, WIDTH, WIDTH, cell, attention, query, start, **options)
    rng = np.random.default_rng(0)
    for name, parameter in model.state_dict().items():  # zeros would hide biases and score weights
        parameter += 0.3 * rng.standard_normal(parameter.shape)
    return model


def sentences():
    rng = np.random.default_rng(2)
    return rng.integers(3, SOURCE, (3, 7)), np.array([7, 4, 1]), rng.integers(3, TARGET, (3, 5))


def softmax(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def by_hand(model, attention, query, start, source, target):
    """One sentence, by the formulas."""
    p = model.state_dict()
    outputs, state = model.encoder(p["source_embedding.weight"][source][None])
    outputs, last = outputs[0], state[0][-1, 0]
    logits, weights = [], []
    for place, token in enumerate(target):
        word = last if place == 0 and start == "state" else p["target_embedding.weight"][token]
        h = state[0][-1, 0]
        q, k = (h, word) if query == "state" else (word, h)
        if attention == "none":
            read = np.concatenate([word, last])
        elif attention == "concat":
            n = len(outputs)
            w = softmax(
                p["attention.score_weight"][:n] @ np.concatenate([q, k]) + p["attention.score_bias"][:n]
            )
            read = (
                p["attention.output_weight"] @ np.concatenate([q, w @ outputs]) + p["attention.output_bias"]
            )
        else:
            if attention == "dot":
                scores = outputs @ q / np.sqrt(len(q))
            else:
                sums = p["attention.query_weight"] @ q + outputs @ p["attention.key_weight"].T
                scores = np.tanh(sums) @ p["attention.score_weight"]
            w = softmax(scores)
            read = np.concatenate([word, w @ outputs])
        if attention != "none":
            weights.append(w)
        out, state = model.decoder(read[None, None], state)
        logits.append(p["output.weight"] @ out[0, 0] + p["output.bias"])
    return np.array(logits), np.array(weights)


@everything
def test_every_variant_is_its_formula_and_tells_each_step_s_weights(cell, attention, query, start):
    model, (source, lengths, target) = make(cell, attention, query, start), sentences()
    logits, weights = model(source, target, lengths, return_weights=True)
    for item, length in enumerate(lengths):
        expected, seen = by_hand(model, attention, query, start, source[item, :length], target[item])
        np.testing.assert_allclose(logits[item], expected, atol=1e-12)
        if attention == "none":
            assert weights is None
        else:
            np.testing.assert_allclose(weights[item, :, :length], seen, atol=1e-12)
            assert (weights[item, :, length:] == 0).all()


@pytest.mark.parametrize("attention", ["none", "dot", "additive", "concat"])
def test_greedy_and_beam_decode_what_it_scores(attention):
    model, (source, lengths, _) = make(attention=attention, num_layers=2), sentences()
    ends = {"start": 1, "end": 2, "source_lengths": lengths}
    greedy, narrow, wide = (
        model.greedy(source, **ends),
        model.beam(source, width=1, **ends),
        model.beam(source, **ends),
    )
    for item in range(3):
        path = [1, *greedy[item], 2][:6]
        logits = model(source[item : item + 1], [path[:-1]], lengths[item : item + 1])[0]
        assert logits.argmax(axis=-1).tolist() == path[1:]
        total = pyattn.log_softmax(logits)[np.arange(len(path) - 1), path[1:]].sum()
        assert narrow[item][0].tokens == greedy[item]
        assert narrow[item][0].log_probability == pytest.approx(total)
        assert len(wide[item]) >= 1


def test_without_attention_it_knows_the_source_by_the_last_state_alone():
    model, (source, _, target) = make(attention="none"), sentences()
    decoding = model.start(source)
    decoding.encoded = decoding.encoded._replace(outputs=np.full_like(decoding.encoded.outputs, np.nan))
    assert np.isfinite(decoding.step(target[:, 0])).all()


def test_it_is_saved_and_loaded(tmp_path):
    model, (source, lengths, target) = make("lstm", "additive"), sentences()
    model.save(tmp_path / "model.safetensors")
    again = Seq2Seq.load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(again(source, target, lengths), model(source, target, lengths))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cell": "rnn"}, "cell is 'rnn'; expected one of"),
        ({"attention": "product"}, "attention is 'product'"),
        ({"query": "key"}, "query is 'key'"),
        ({"start": "end"}, "start is 'end'"),
        ({"hidden_size": 5, "start": "state"}, "a state of width 5 cannot stand for a word of width 6"),
        (
            {"hidden_size": 5, "attention": "dot", "query": "output"},
            "a word of width 6 has no product with states",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(options, message):
    sizes = {
        "source_vocabulary": SOURCE,
        "target_vocabulary": TARGET,
        "embedding_size": WIDTH,
        "hidden_size": WIDTH,
    }
    with pytest.raises(ValueError, match=message):
        Seq2Seq(**{**sizes, **options})


def test_a_sentence_too_long_for_the_older_rule_is_refused():
    with pytest.raises(ValueError, match="value has 9 steps and score_weight 7"):
        make(attention="concat")(np.full((1, 9), 3), [[1]])


@pytest.mark.parametrize("attention", ["none", "dot", "additive", "concat"])
def test_no_steps_are_no_error(attention):
    model, (source, lengths, _) = make(attention=attention), sentences()
    logits, weights = model(source, np.empty((3, 0), int), lengths, return_weights=True)
    assert logits.shape == (3, 0, TARGET)
    assert weights is None if attention == "none" else weights.shape == (3, 0, 7)
    assert np.isfinite(model(np.empty((3, 0), int), [[1]] * 3)).all()
    assert model.greedy(np.empty((0, 7), int), start=1, end=2) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda m: m.greedy([3, 4], start=1, end=2),
            r"Seq2Seq: source has shape \(2,\); expected \(batch, words\)",
        ),
        (lambda m: m([[3], [4]], [[1]]), "2 sentences in source and 1 in target"),
        (lambda m: m([[3]], [[1]], [2]), r"source_lengths are \[2\]; expected 1 whole numbers from 0 to 1"),
        (lambda m: m([[3]], [[1]], [[1]]), r"source_lengths are \[\[1\]\]"),
    ],
)
def test_sentences_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(make())
