"""What every model that turns sentences into sentences does once it can say what comes next."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from pyattn import search
from pyattn.layers.layer import Layer


def sentences(tokens: ArrayLike, model: str, name: str) -> np.ndarray:
    """Sentences as a (batch, words) array of numbers, or an error that says what they are."""
    tokens = np.asarray(tokens)
    if tokens.ndim != 2:
        raise ValueError(
            f"{model}: {name} has shape {tokens.shape}; expected (batch, words), padded to one length."
        )
    return tokens


def pair(source: ArrayLike, target: ArrayLike, model: str) -> tuple[np.ndarray, np.ndarray]:
    """As many sentences in one language as in the other."""
    source, target = sentences(source, model, "source"), sentences(target, model, "target")
    if len(source) != len(target):
        raise ValueError(
            f"{model}: {len(source)} sentences in source and {len(target)} in target; expected as many."
        )
    return source, target


def checked_lengths(lengths: ArrayLike, sequences: np.ndarray, name: str) -> np.ndarray:
    """How many steps of each of (batch, steps, …) are real, or an error that says what does not fit."""
    known, (batch, longest) = np.asarray(lengths), sequences.shape[:2]
    whole = known.shape == (batch,) and (known.dtype.kind in "iu" or not batch)
    if not whole or (known < 0).any() or (known > longest).any():
        raise ValueError(f"{name} are {lengths!s}; expected {batch} whole numbers from 0 to {longest}.")
    return known.astype(np.int64)


class TranslationModel(Layer):
    """A model that decodes step by step, and with that by greedy and beam search."""

    max_length: int  # of what is decoded

    @abstractmethod
    def start(self, source: ArrayLike, source_lengths: ArrayLike | None = None) -> search.Decoding:
        """Read (batch, source) tokens, and be ready to decode their translations step by step."""

    def greedy(
        self, source: ArrayLike, *, start: int, end: int, source_lengths: ArrayLike | None = None
    ) -> list[list[int]]:
        """Translate by the likeliest token at every step.

        Parameters
        ----------
        source : (batch, source) integer array
        start, end : int
            The tokens that begin and end a translation.
        source_lengths : (batch,) integer array, optional
            Behind them ``source`` holds padding.

        Returns
        -------
        list of list of int
            Without start and end.
        """
        rows = len(np.asarray(source))
        decoding = self.start(source, source_lengths)
        return search.greedy(decoding, rows, start=start, end=end, max_length=self.max_length)

    def beam(
        self,
        source: ArrayLike,
        *,
        start: int,
        end: int,
        source_lengths: ArrayLike | None = None,
        width: int = 4,
        length_penalty: float = 0.0,
    ) -> list[list[search.Hypothesis]]:
        """Translate by beam search: the best hypotheses of each sentence; see :func:`pyattn.search.beam`."""
        return search.beam(
            self.start(source, source_lengths),
            len(np.asarray(source)),
            start=start,
            end=end,
            max_length=self.max_length,
            width=width,
            length_penalty=length_penalty,
        )
