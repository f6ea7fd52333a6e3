"""What every model that turns sentences into sentences does once it can say what comes next."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from pyattn import search
from pyattn.layers.layer import Layer


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
