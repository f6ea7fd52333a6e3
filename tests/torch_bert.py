"""BERT in PyTorch's own functions, on a padded batch; importing it needs torch."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch.nn import functional


@torch.inference_mode()
def embed(folder, ids):
    """(texts, hidden) means of the texts' token vectors, of length one, as a NumPy array."""
    config = json.loads((Path(folder) / "config.json").read_text())
    weights = load_file(Path(folder) / "model.safetensors")
    padded = torch.nn.utils.rnn.pad_sequence([torch.tensor(text) for text in ids], batch_first=True)
    keep = torch.arange(padded.shape[1]) < torch.tensor([len(text) for text in ids])[:, None]
    x = hidden_states(config, weights, padded, keep)
    mean = (x * keep[:, :, None]).sum(dim=1) / keep.sum(dim=1, keepdim=True)
    return functional.normalize(mean, dim=1).numpy()


def hidden_states(config, weights, padded, keep):
    def linear(x, name):
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(x, name):
        shape, eps = x.shape[-1:], config["layer_norm_eps"]
        return functional.layer_norm(x, shape, weights[f"{name}.weight"], weights[f"{name}.bias"], eps)

    def split(x):
        return x.unflatten(2, (config["num_attention_heads"], -1)).transpose(1, 2)

    x = functional.embedding(padded, weights["embeddings.word_embeddings.weight"])
    x = x + weights["embeddings.position_embeddings.weight"][: padded.shape[1]]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{number}"
        query, key, value = (
            split(linear(x, f"{name}.attention.self.{role}")) for role in ("query", "key", "value")
        )
        context = functional.scaled_dot_product_attention(query, key, value, attn_mask=keep[:, None, None])
        context = context.transpose(1, 2).flatten(2)
        x = norm(x + linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = functional.gelu(linear(x, f"{name}.intermediate.dense"))
        x = norm(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    return x
