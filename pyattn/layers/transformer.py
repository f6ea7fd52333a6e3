"""Encoder and decoder together, and with words at both ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.decoder import CAUSAL, Decoder
from pyattn.layers.encoder import Encoder
from pyattn.layers.layer import Layer
from pyattn.layers.linear import Embedding, Linear
from pyattn.layers.positions import LearnedPositions, SinusoidalPositions
from pyattn.layers.translation import TranslationModel, checked_lengths, pair, sentences
from pyattn.masks import lengths
from pyattn.rowwise import log_softmax


class Transformer(Layer):
    """An encoder and a decoder that looks at what it found: ``torch.nn.Transformer(…, batch_first=True)``.

    Parameters
    ----------
    d_model, nhead, num_encoder_layers, num_decoder_layers : int
    **options
        Those of `EncoderLayer` and `DecoderLayer`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import Transformer
    >>> model = Transformer.random(16, 4, 2, 2, dim_feedforward=32)
    >>> model(np.ones((2, 7, 16), np.float32), np.ones((2, 5, 16), np.float32)).shape
    (2, 5, 16)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        **options: Any,
    ):
        self.encoder = Encoder(num_encoder_layers, d_model, nhead, final_norm=True, **options)
        self.decoder = Decoder(num_decoder_layers, d_model, nhead, final_norm=True, **options)

    def __call__(
        self,
        source: ArrayLike,
        target: ArrayLike,
        source_mask: Any = None,
        target_mask: Any = CAUSAL,
        memory_mask: Any = None,
    ) -> np.ndarray:
        """Decode (..., target, d_model) beside the encoded (..., source, d_model)."""
        return self.decoder(target, self.encoder(source, source_mask), target_mask, memory_mask)


class Translator(TranslationModel):
    """A Transformer between the words of two languages.

    Parameters
    ----------
    source_vocabulary, target_vocabulary : int
    d_model, nhead, num_encoder_layers, num_decoder_layers : int
    positions : {"sinusoidal", "learned"}
    max_length : int
        The longest sentence that learned positions have vectors for, and that is decoded.
    **options
        Those of `EncoderLayer`.

    Notes
    -----
    Parameters: ``source_embedding.weight`` and ``target_embedding.weight`` (vocabulary, d_model), multiplied by
    √d_model as they are read; ``transformer.…``; ``output.weight`` (target_vocabulary, d_model) and ``output.bias``;
    ``source_positions.weight`` and ``target_positions.weight`` (max_length, d_model) if positions are learned.

    Examples
    --------
    >>> from pyattn.layers import Translator
    >>> model = Translator.random(11, 13, 16, 4, 2, 2, max_length=6, dim_feedforward=32)
    >>> sentences = model.greedy([[3, 4, 5], [6, 7, 0]], start=1, end=2, source_lengths=[3, 2])
    >>> len(sentences)
    2
    """

    def __init__(
        self,
        source_vocabulary: int,
        target_vocabulary: int,
        d_model: int,
        nhead: int,
        num_encoder_layers: int,
        num_decoder_layers: int,
        positions: str = "sinusoidal",
        max_length: int = 256,
        **options: Any,
    ):
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"Translator: positions is {positions!r}; expected 'sinusoidal' or 'learned'.")
        self.scale, self.max_length = math.sqrt(d_model), max_length
        self.source_embedding = Embedding(source_vocabulary, d_model)
        self.target_embedding = Embedding(target_vocabulary, d_model)
        self.source_positions, self.target_positions = (
            SinusoidalPositions(d_model)
            if positions == "sinusoidal"
            else LearnedPositions(max_length, d_model)
            for _ in range(2)
        )
        self.transformer = Transformer(d_model, nhead, num_encoder_layers, num_decoder_layers, **options)
        self.output = Linear(d_model, target_vocabulary)

    def __call__(
        self,
        source: ArrayLike,
        target: ArrayLike,
        source_lengths: ArrayLike | None = None,
        *,
        return_weights: bool = False,
    ) -> Any:
        """Tell the logits of each token after those of ``target``.

        Parameters
        ----------
        source : (batch, source) integer array
        target : (batch, target) integer array
        source_lengths : (batch,) integer array, optional
            Behind them ``source`` holds padding.

        Returns
        -------
        logits : (batch, target, target_vocabulary) array
        weights : list of (batch, heads, target, source) arrays
            If ``return_weights``: where each token of ``target`` looks, in each layer.
        """
        source, target = pair(source, target, "Translator")
        mask = _mask(_lengths(source_lengths, source))
        memory = self.encode(source, mask)
        x = self._target(target, 0)
        found = self.transformer.decoder(x, memory, memory_mask=mask, return_weights=return_weights)
        return (self.output(found[0]), found[1]) if return_weights else self.output(found)

    def encode(self, source: ArrayLike, mask: Any = None) -> np.ndarray:
        """Encode (batch, source) tokens as (batch, source, d_model)."""
        return self.transformer.encoder(
            self.source_positions(self.source_embedding(source) * self._scale), mask
        )

    def start(self, source: ArrayLike, source_lengths: ArrayLike | None = None) -> TransformerDecoding:
        """Encode sentences, and be ready to decode their translations step by step."""
        return TransformerDecoding(self, source, source_lengths)

    @property
    def _scale(self) -> Any:
        return self.target_embedding.weight.dtype.type(self.scale)

    def _target(self, tokens: ArrayLike, start: int) -> np.ndarray:
        return self.target_positions(self.target_embedding(tokens) * self._scale, start)


class TransformerDecoding:
    """A `Translator` in the middle of some sentences.

    Attributes
    ----------
    weights : list of (rows, heads, 1, source) arrays
        Where the last step's token looked, in each decoder layer.
    """

    def __init__(self, model: Translator, source: ArrayLike, source_lengths: ArrayLike | None = None):
        self.model, self.steps = model, 0
        source = sentences(source, "Translator", "source")
        self.lengths = _lengths(source_lengths, source)
        memory = model.encode(source, _mask(self.lengths))
        self.states = model.transformer.decoder.start(memory, model.max_length)
        self.weights: list[np.ndarray | None] = []

    def step(self, tokens: np.ndarray, *, return_weights: bool = False) -> np.ndarray:
        """Read each row's last token, (rows,); tell the log-probabilities of its next, (rows, vocabulary)."""
        x = self.model._target(np.asarray(tokens)[:, None], self.steps)
        x, self.weights = self.model.transformer.decoder.step(
            x, self.states, _mask(self.lengths), return_weights=return_weights
        )
        self.steps += 1
        return log_softmax(self.model.output(x[:, 0]))

    def select(self, rows: np.ndarray) -> None:
        """Go on with these rows, in this order."""
        self.lengths = None if self.lengths is None else self.lengths[rows]
        for state in self.states:
            state.select(rows)


def _lengths(source_lengths: ArrayLike | None, source: np.ndarray) -> np.ndarray | None:
    if source_lengths is None:
        return None
    return checked_lengths(source_lengths, source, "Translator: source_lengths")


def _mask(source_lengths: np.ndarray | None) -> Any:
    return None if source_lengths is None else lengths(source_lengths)
