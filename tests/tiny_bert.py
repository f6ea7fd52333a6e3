"""A model folder with every file a real one has, small enough to make in a test: random weights, a real tokenizer."""

import json
import string
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HIDDEN, HEADS, LAYERS, INNER, POSITIONS = 30, 5, 2, 44, 23  # no whole vector, and no two alike
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "attention",
    "is",
    "all",
    "you",
    "need",
    "play",
    "##ing",
    "##ed",
    "the",
]
WORDS += [*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase)]


def make_folder(folder, model_type="bert", seed=1):
    """Write a model folder and return it as a path."""
    folder = Path(folder)
    (folder / "1_Pooling").mkdir(parents=True)
    write_json(folder / "config.json", config(model_type))
    save_file(tensors(model_type, seed), folder / "model.safetensors")
    tokenizer().save(str(folder / "tokenizer.json"))
    kinds = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    modules = [{"type": f"sentence_transformers.models.{kind}", "path": path} for kind, path in kinds.items()]
    write_json(folder / "modules.json", modules)
    write_json(
        folder / "1_Pooling" / "config.json",
        {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    )
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 17, "do_lower_case": False})
    return folder


def write_json(path, content):
    path.write_text(json.dumps(content))


def change_json(path, **entries):
    """Change entries of a JSON file."""
    write_json(path, json.loads(path.read_text()) | entries)


def config(model_type="bert"):
    if model_type == "distilbert":
        sizes = {
            "dim": HIDDEN,
            "n_heads": HEADS,
            "n_layers": LAYERS,
            "hidden_dim": INNER,
            "activation": "gelu",
        }
    else:
        sizes = {
            "hidden_size": HIDDEN,
            "num_attention_heads": HEADS,
            "num_hidden_layers": LAYERS,
            "intermediate_size": INNER,
            "type_vocab_size": 2,
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-5,
        }
    return sizes | {
        "model_type": model_type,
        "vocab_size": len(WORDS),
        "max_position_embeddings": POSITIONS,
        "pad_token_id": 0,
    }


def tensors(model_type="bert", seed=1):
    """Random weights under the published names."""
    random = np.random.default_rng(seed)
    linears = {
        "attention.self.query": (HIDDEN, HIDDEN),
        "attention.self.key": (HIDDEN, HIDDEN),
        "attention.self.value": (HIDDEN, HIDDEN),
        "attention.output.dense": (HIDDEN, HIDDEN),
        "intermediate.dense": (INNER, HIDDEN),
        "output.dense": (HIDDEN, INNER),
    }
    norms = ["embeddings.LayerNorm"]
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": (POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": (2, HIDDEN),
        "pooler.dense.weight": (HIDDEN, HIDDEN),
        "pooler.dense.bias": (HIDDEN,),
    }
    for number in range(LAYERS):
        for module, shape in linears.items():
            shapes[f"encoder.layer.{number}.{module}.weight"] = shape
            shapes[f"encoder.layer.{number}.{module}.bias"] = shape[:1]
        norms += [f"encoder.layer.{number}.{module}.LayerNorm" for module in ("attention.output", "output")]
    shapes |= {f"{norm}.{part}": (HIDDEN,) for norm in norms for part in ("weight", "bias")}
    made = {name: random.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}
    return distilbert_names(made) if model_type == "distilbert" else made


def distilbert_names(made):
    """DistilBERT's names for BERT's tensors; it has no token types and no pooler."""
    renamed = {
        "encoder.layer": "transformer.layer",
        "attention.self.query": "attention.q_lin",
        "attention.self.key": "attention.k_lin",
        "attention.self.value": "attention.v_lin",
        "attention.output.dense": "attention.out_lin",
        "attention.output.LayerNorm": "sa_layer_norm",
        "intermediate.dense": "ffn.lin1",
        "output.dense": "ffn.lin2",
        "output.LayerNorm": "output_layer_norm",
    }
    result = {}
    for name, tensor in made.items():
        for theirs, ours in renamed.items():
            name = name.replace(theirs, ours)
        if "token_type" not in name and "pooler" not in name:
            result[name] = tensor
    return result


def tokenizer():
    """WordPiece with special tokens around a text, padding and truncation switched on as published ones have it."""
    made = Tokenizer(models.WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(token, WORDS.index(token)) for token in ("[CLS]", "[SEP]")]
    )
    made.enable_padding(length=11)
    made.enable_truncation(max_length=9)
    return made
