"""Layers of Transformers for inference: NumPy arrays in and out, parameters as ``torch.nn`` names and stores them.

Sequences stand in the second last axis: ``(batch, sequence, width)``, torch's ``batch_first=True``. Masks are True
where a query may look, the opposite of torch's boolean ones.
"""

from pyattn.layers.attention import MultiHeadAttention
from pyattn.layers.decoder import Decoder, DecoderLayer
from pyattn.layers.encoder import Encoder, EncoderLayer
from pyattn.layers.feed_forward import FeedForward
from pyattn.layers.layer import Layer
from pyattn.layers.linear import Embedding, Linear
from pyattn.layers.norm import AddNorm, LayerNorm
from pyattn.layers.positions import LearnedPositions, SinusoidalPositions
from pyattn.layers.transformer import Transformer, Translator
from pyattn.masks import valid_lens

__all__ = [
    "AddNorm",
    "Decoder",
    "DecoderLayer",
    "Embedding",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "Layer",
    "LayerNorm",
    "LearnedPositions",
    "Linear",
    "MultiHeadAttention",
    "SinusoidalPositions",
    "Transformer",
    "Translator",
    "valid_lens",
]
