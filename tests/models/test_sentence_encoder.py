"""The sentence encoder computes what the published model computes, whatever texts share a batch."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pydoc_data.topics import topics

import numpy as np
import pytest
from bert_oracle import BertOracle
from ml_dtypes import bfloat16
from safetensors.numpy import load_file, save_file
from tiny_bert import HIDDEN, LAYERS, change_json, config, make_folder, tensors, tokenizer, write_json
from tokenizers import Tokenizer

import pyattn
from pyattn.models import SentenceEncoder
from pyattn.models.plain import PlainEncoder

# Real paragraphs, from one word to more than the model reads.
MANUAL = [
    text.strip()
    for topic in ("with", "strings", "typesmethods", "compound")
    for text in topics[topic].split("\n\n")
]
TEXTS = [MANUAL[0], "", "Word", *MANUAL[5:65], topics["slicings"]]
TINY_TEXTS = [
    "attention is all you need",
    "playing",
    "",
    "the attention played the attention all the x is",
    "you",
]


def ids_of(folder, texts, longest):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return [encoding.ids for encoding in tokenizer.encode_batch(texts)]


def largest_difference(a, b):
    return np.abs(np.asarray(a, np.float64) - b).max()


# ---- the real model ----


def test_embeddings_equal_the_formula_in_float64(minilm, minilm_folder):
    oracle = BertOracle.from_folder(minilm_folder)
    texts = TEXTS[::4]
    exact = [oracle.mean_embedding(ids) for ids in ids_of(minilm_folder, texts, 256)]
    assert largest_difference(minilm.encode(texts), exact) <= 1e-6


def test_embeddings_equal_torchs(minilm, minilm_folder):
    pytest.importorskip("torch", reason="compares with PyTorch")
    from torch_bert import embed

    theirs = embed(minilm_folder, ids_of(minilm_folder, TEXTS, 256))
    assert largest_difference(minilm.encode(TEXTS), theirs) <= 1e-5


def test_embeddings_equal_plain_numpys(minilm, minilm_folder):
    assert (
        largest_difference(minilm.encode(TEXTS[:16]), PlainEncoder(minilm_folder).encode(TEXTS[:16])) <= 1e-6
    )


def test_a_batch_does_not_change_its_members(minilm):
    alone = np.stack([minilm.encode(text) for text in TEXTS])
    for batch_size in (7, 64):
        assert largest_difference(minilm.encode(TEXTS, batch_size=batch_size), alone) <= 1e-6


def test_results_come_in_the_order_of_the_texts(minilm):
    order = np.random.default_rng(3).permutation(len(TEXTS))
    shuffled = minilm.encode([TEXTS[i] for i in order])
    assert largest_difference(shuffled, minilm.encode(TEXTS)[order]) <= 1e-6


def test_what_is_too_long_is_cut_off(minilm):
    assert minilm.max_length == 256
    inside, beyond = "word " * 254, "word " * 254 + "python " * 100  # and two special tokens
    np.testing.assert_array_equal(minilm.encode(inside), minilm.encode(beyond))
    assert largest_difference(minilm.encode("word " * 253), minilm.encode(beyond)) > 1e-6


def test_embeddings_have_length_one_and_are_float32(minilm):
    vectors = minilm.encode(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), minilm.width) == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_near_in_meaning_is_near_in_angle(minilm):
    questions = [
        "How do I leave a loop early?",
        "Where are exceptions caught?",
        "How is a text joined to another?",
    ]
    answers = [
        "The break statement ends the nearest loop.",
        "An except clause handles errors.",
        "Add the two strings.",
    ]
    scores = minilm.encode(questions) @ minilm.encode(answers).T
    assert (scores.argmax(axis=1) == np.arange(3)).all()


def test_word_attention_is_the_formulas(minilm, minilm_folder):
    text, words = "The dog saw the cat.", ["The", "dog", "saw", "the", "cat", "."]  # each of them one token
    exact = BertOracle.from_folder(minilm_folder).attention_weights(ids_of(minilm_folder, [text], 256)[0], 3)
    result = minilm.word_attention(text, layer=3)
    assert result.words == words
    assert largest_difference(result.weights, exact[:, 1:-1, 1:-1]) <= 1e-6


# ---- any model, on small ones ----


def tiny_encoder(folder):
    return SentenceEncoder.from_folder(folder)


def exact_tiny_embeddings(oracle, folder, texts=TINY_TEXTS):
    return [oracle.mean_embedding(ids) for ids in ids_of(folder, texts, 17)]


def test_a_single_text_gives_a_vector(tiny_folder):
    encoder = tiny_encoder(tiny_folder)
    vector = encoder.encode("attention")
    assert vector.shape == (HIDDEN,)
    assert largest_difference(vector, encoder.encode(["attention"])[0]) == 0


def test_no_text_gives_no_vector(tiny_folder):
    assert tiny_encoder(tiny_folder).encode([]).shape == (0, HIDDEN)


def test_texts_may_come_from_a_generator(tiny_folder):
    encoder = tiny_encoder(tiny_folder)
    np.testing.assert_array_equal(encoder.encode(text for text in TINY_TEXTS), encoder.encode(TINY_TEXTS))


def test_no_padding_is_computed(tiny_folder, monkeypatch):
    """Attention gets as many rows as the texts have tokens, each text its own range."""
    seen = []
    real = pyattn.attention_varlen

    def watching(query, key, value, query_offsets, key_offsets, **options):
        lengths = [end - begin for begin, end in pairwise(query_offsets)]
        assert query.shape[0] == sum(lengths)
        seen.extend(lengths)
        return real(query, key, value, query_offsets, key_offsets, **options)

    monkeypatch.setattr(pyattn, "attention_varlen", watching)
    tiny_encoder(tiny_folder).encode(TINY_TEXTS)
    lengths = [len(ids) for ids in ids_of(tiny_folder, TINY_TEXTS, 17)]
    assert sorted(seen) == sorted(lengths * LAYERS)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_any_number_of_threads_gives_the_same(tiny_folder, threads):
    before = pyattn.get_num_threads()
    expected = tiny_encoder(tiny_folder).encode(TINY_TEXTS)
    try:
        pyattn.set_num_threads(threads)
        assert largest_difference(tiny_encoder(tiny_folder).encode(TINY_TEXTS), expected) <= 1e-6
    finally:
        pyattn.set_num_threads(before)


@pytest.mark.parametrize("model_type", ["bert", "roberta", "xlm-roberta"])
def test_every_family_equals_the_formula(tmp_path, model_type):
    folder = make_folder(tmp_path / "model", model_type)
    exact = exact_tiny_embeddings(BertOracle.from_folder(folder), folder)
    assert largest_difference(tiny_encoder(folder).encode(TINY_TEXTS), exact) <= 1e-6


def test_distilbert_is_bert_without_token_types(tmp_path):
    folder = make_folder(tmp_path / "model", "distilbert")
    weights = tensors("bert")
    weights["embeddings.token_type_embeddings.weight"][:] = 0
    exact = exact_tiny_embeddings(BertOracle(config("bert") | {"layer_norm_eps": 1e-12}, weights), folder)
    assert largest_difference(tiny_encoder(folder).encode(TINY_TEXTS), exact) <= 1e-6


def test_a_checkpoint_with_a_head_gives_the_same(tiny_folder):
    expected = tiny_encoder(tiny_folder).encode(TINY_TEXTS)
    headed = {f"bert.{name}": tensor for name, tensor in tensors().items()}
    save_file(headed | {"cls.predictions.bias": np.ones(3, np.float32)}, tiny_folder / "model.safetensors")
    np.testing.assert_array_equal(tiny_encoder(tiny_folder).encode(TINY_TEXTS), expected)


@pytest.mark.parametrize("dtype", [np.float16, bfloat16])
def test_half_checkpoints_are_computed_in_float32(tiny_folder, dtype):
    narrow = {name: tensor.astype(dtype) for name, tensor in tensors().items()}
    save_file(narrow, tiny_folder / "model.safetensors")
    exact = exact_tiny_embeddings(BertOracle(config(), narrow), tiny_folder)
    assert largest_difference(tiny_encoder(tiny_folder).encode(TINY_TEXTS), exact) <= 1e-6


def test_without_modules_the_mean_is_not_normalised(tiny_folder):
    (tiny_folder / "modules.json").unlink()
    oracle = BertOracle.from_folder(tiny_folder)
    exact = [oracle.hidden_states(ids).mean(axis=0) for ids in ids_of(tiny_folder, TINY_TEXTS, 17)]
    assert largest_difference(tiny_encoder(tiny_folder).encode(TINY_TEXTS), exact) <= 1e-5


POOLS = {
    "cls": lambda tokens: tokens[0],
    "lasttoken": lambda tokens: tokens[-1],
    "max": lambda tokens: tokens.max(axis=0),
    "mean": lambda tokens: tokens.mean(axis=0),
    "mean_sqrt_len_tokens": lambda tokens: tokens.sum(axis=0) / len(tokens) ** 0.5,
    "weightedmean": lambda tokens: np.average(tokens, axis=0, weights=range(1, len(tokens) + 1)),
}


@pytest.mark.parametrize("pool", POOLS)
def test_pooling_is_what_the_folder_says(tiny_folder, pool):
    write_json(tiny_folder / "1_Pooling" / "config.json", {"pooling_mode": pool})
    oracle = BertOracle.from_folder(tiny_folder)
    exact = np.stack([POOLS[pool](oracle.hidden_states(ids)) for ids in ids_of(tiny_folder, TINY_TEXTS, 17)])
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert largest_difference(tiny_encoder(tiny_folder).encode(TINY_TEXTS), exact) <= 1e-6


def test_several_pools_stand_side_by_side(tiny_folder):
    switches = {
        "pooling_mode_max_tokens": True,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
    }
    write_json(tiny_folder / "1_Pooling" / "config.json", switches)
    encoder = tiny_encoder(tiny_folder)
    tokens = BertOracle.from_folder(tiny_folder).hidden_states(ids_of(tiny_folder, TINY_TEXTS[:1], 17)[0])
    exact = np.concatenate([tokens[0], tokens.max(axis=0)])
    assert encoder.width == 2 * HIDDEN
    assert largest_difference(encoder.encode(TINY_TEXTS[0]), exact / np.linalg.norm(exact)) <= 1e-6


def test_a_text_of_no_tokens_gives_zeros(tiny_folder):
    bare = Tokenizer(tokenizer().model)
    bare.save(str(tiny_folder / "tokenizer.json"))
    assert not tiny_encoder(tiny_folder).encode(["", ""]).any()


def test_lower_case_where_the_folder_asks_for_it(tiny_folder):
    cased = tokenizer()
    cased.normalizer = None
    cased.save(str(tiny_folder / "tokenizer.json"))
    assert largest_difference(*tiny_encoder(tiny_folder).encode(["Attention", "attention"])) > 1e-3
    change_json(tiny_folder / "sentence_bert_config.json", do_lower_case=True)
    assert largest_difference(*tiny_encoder(tiny_folder).encode(["Attention", "attention"])) == 0


def test_a_word_of_several_tokens_is_one_word(tiny_folder):
    encoder = tiny_encoder(tiny_folder)
    text = "you played attention"
    exact = BertOracle.from_folder(tiny_folder).attention_weights(
        ids_of(tiny_folder, [text], 17)[0], LAYERS - 1
    )
    words, weights = encoder.word_attention(text)
    assert words == ["you", "played", "attention"]
    play, ed, attention = 2, 3, 4
    assert largest_difference(weights[:, 2, 1], exact[:, attention, play] + exact[:, attention, ed]) <= 1e-6
    assert (
        largest_difference(weights[:, 1, 2], (exact[:, play, attention] + exact[:, ed, attention]) / 2)
        <= 1e-6
    )


def test_threads_may_share_an_encoder(tiny_folder):
    encoder = tiny_encoder(tiny_folder)
    alone = [encoder.encode(TINY_TEXTS[i:]) for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda i: encoder.encode(TINY_TEXTS[i % 4 :]), range(32)))
    for i, vectors in enumerate(together):
        np.testing.assert_array_equal(vectors, alone[i % 4])


def test_progress_is_drawn_on_standard_error(tiny_folder, capsys):
    tiny_encoder(tiny_folder).encode(TINY_TEXTS, batch_size=2, show_progress=True)
    assert re.search(r" (\d+)/\1 ", capsys.readouterr().err)
    tiny_encoder(tiny_folder).encode(TINY_TEXTS)
    assert capsys.readouterr() == ("", "")


def test_importing_the_models_imports_no_framework():
    frameworks = {"torch", "tokenizers", "safetensors", "matplotlib"}
    code = f"import sys, pyattn.models; print(sorted({frameworks} & {{*sys.modules}}))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


# ---- what is refused ----


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "tokenizer.json", "1_Pooling/config.json"]
)
def test_a_missing_file_is_named(tiny_folder, name):
    (tiny_folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=name.rpartition("/")[2]):
        tiny_encoder(tiny_folder)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        tiny_encoder(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_damaged_file_is_named(tiny_folder, name):
    path = tiny_folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ValueError, match=name):
        tiny_encoder(tiny_folder)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("model_type", "gpt2"),
        ("model_type", None),
        ("hidden_act", "relu"),
        ("position_embedding_type", "relative_key"),
        ("is_decoder", True),
        ("num_attention_heads", 7),
    ],
)
def test_a_variant_that_would_be_computed_wrongly_is_refused(tiny_folder, entry, value):
    change_json(tiny_folder / "config.json", **{entry: value})
    with pytest.raises(ValueError, match=r"config\.json.*" + str(value)):
        tiny_encoder(tiny_folder)


def test_a_missing_entry_is_named(tiny_folder):
    entries = json.loads((tiny_folder / "config.json").read_text())
    del entries["hidden_size"]
    write_json(tiny_folder / "config.json", entries)
    with pytest.raises(ValueError, match="hidden_size"):
        tiny_encoder(tiny_folder)


KEY = "encoder.layer.1.attention.self.key.weight"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({KEY: None}, rf"no tensor '{KEY}'.*\(30, 30\)"),
        ({KEY: np.zeros((30, 31), np.float32)}, rf"'{KEY}' has shape \(30, 31\).*\(30, 30\)"),
        (
            {"encoder.layer.2.bias": np.zeros((3, 5), np.float32)},
            r"'encoder\.layer\.2\.bias' of shape \(3, 5\)",
        ),
    ],
)
def test_a_tensor_that_does_not_fit_is_named(tiny_folder, changes, message):
    path = tiny_folder / "model.safetensors"
    changed = {name: tensor for name, tensor in (load_file(path) | changes).items() if tensor is not None}
    save_file(changed, path)
    with pytest.raises(ValueError, match=message):
        tiny_encoder(tiny_folder)


def test_a_tokenizer_of_another_model_is_refused(tiny_folder):
    bigger = tokenizer()
    bigger.add_tokens(["transformer"])
    bigger.save(str(tiny_folder / "tokenizer.json"))
    with pytest.raises(ValueError, match=r"tokenizer\.json knows 66 tokens.*65"):
        tiny_encoder(tiny_folder)


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("modules.json", [{"type": "sentence_transformers.models.Dense", "path": ""}], "'Dense'"),
        ("1_Pooling/config.json", {"pooling_mode": "attention"}, "'attention'"),
    ],
)
def test_an_unknown_module_is_named(tiny_folder, path, content, message):
    write_json(tiny_folder / path, content)
    with pytest.raises(ValueError, match=message):
        tiny_encoder(tiny_folder)


def test_arguments_that_make_no_sense_are_refused(tiny_folder):
    encoder = tiny_encoder(tiny_folder)
    with pytest.raises(TypeError, match=r"texts\[1\] is a int"):
        encoder.encode(["one", 2])
    with pytest.raises(ValueError, match="batch_size is 0"):
        encoder.encode(["one"], batch_size=0)
    with pytest.raises(ValueError, match="layer is 2"):
        encoder.word_attention("you", layer=2)
    with pytest.raises(TypeError, match="layer is '0'; expected a whole number"):
        encoder.word_attention("you", layer="0")
    with pytest.raises(ValueError, match="no words"):
        encoder.word_attention("  ")


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("config.json", [1], "holds a list; expected names and values"),
        ("sentence_bert_config.json", {"max_seq_length": -1}, "said to have -1 tokens"),
        ("sentence_bert_config.json", {"max_seq_length": "5"}, "said to have '5' tokens"),
        ("modules.json", [{}], "a module is {}"),
        ("modules.json", [{"type": "x.Pooling", "path": "../../etc"}], "leaves the folder of the model"),
        ("modules.json", [{"type": "x.Pooling", "path": "/etc"}], "leaves the folder of the model"),
        ("1_Pooling/config.json", [1], "holds a list"),
    ],
)
def test_damaged_files_of_a_folder_are_named(tiny_folder, path, content, message):
    write_json(tiny_folder / path, content)
    with pytest.raises(ValueError, match=message):
        tiny_encoder(tiny_folder)


@pytest.mark.parametrize("heads", [0, -2, "2", 1.0, True])
def test_sizes_that_are_none_are_named(tiny_folder, heads):
    change_json(tiny_folder / "config.json", num_attention_heads=heads)
    with pytest.raises(ValueError, match=r"config\.json: num_attention_heads is .*; expected a whole number"):
        tiny_encoder(tiny_folder)


@pytest.mark.parametrize("package", ["safetensors", "tokenizers"])
def test_a_missing_package_names_the_extra(tiny_folder, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.*pyattn\[models\]"):
        tiny_encoder(tiny_folder)


def test_a_lone_surrogate_is_refused_by_its_place(tiny_folder):
    """Regression: os.fsdecode makes them of odd file names, and the tokenizer did not say which text it meant."""
    encoder = tiny_encoder(tiny_folder)
    with pytest.raises(ValueError, match=r"texts\[1\] is not valid Unicode .*errors='replace'"):
        encoder.encode(["one", "t\udcffwo"])
    with pytest.raises(ValueError, match=r"texts\[0\] is not valid Unicode"):
        encoder.encode("\ud800")
    with pytest.raises(ValueError, match=r"word_attention: text is not valid Unicode"):
        encoder.word_attention("\ud800")


@pytest.mark.parametrize("texts", [None, 3])
def test_what_holds_no_texts_is_refused(tiny_folder, texts):
    with pytest.raises(TypeError, match="texts is a .*, expected a str or an iterable of str"):
        tiny_encoder(tiny_folder).encode(texts)


@pytest.mark.parametrize("batch_size", [None, 1.5, float("nan"), "8"])
def test_a_batch_size_is_a_whole_number(tiny_folder, batch_size):
    with pytest.raises(TypeError, match="batch_size is .*, expected a whole number"):
        tiny_encoder(tiny_folder).encode(["one"] * 7, batch_size=batch_size)


@pytest.mark.parametrize("text", [None, ["two", "texts"]])
def test_word_attention_takes_one_text(tiny_folder, text):
    with pytest.raises(TypeError, match="word_attention: text is a .*; expected one str"):
        tiny_encoder(tiny_folder).word_attention(text)
