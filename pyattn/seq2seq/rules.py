"""What a recurrent decoder reads at a step: the word before, and what the encoder has to say to it."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from pyattn.functional import attention
from pyattn.layers.layer import Layer
from pyattn.masks import Mask, lengths
from pyattn.scoring import additive_attention, concat_attention

Found = tuple[np.ndarray, np.ndarray | None]
Weighed = tuple[np.ndarray, np.ndarray]


class Encoded(NamedTuple):
    """What the encoder left: its outputs (batch, source, hidden), its last one (batch, hidden), and the lengths."""

    outputs: np.ndarray
    last: np.ndarray
    lengths: np.ndarray | None

    @property
    def mask(self) -> Mask | None:
        """Hides padding."""
        return None if self.lengths is None else lengths(self.lengths)

    def select(self, rows: np.ndarray) -> Encoded:
        """Go on with these sentences, in this order."""
        return Encoded(
            self.outputs[rows], self.last[rows], None if self.lengths is None else self.lengths[rows]
        )


class Rule(Layer):
    """Make the decoder's input of the word before (batch, embedding) and its last state (batch, hidden).

    Parameters
    ----------
    embedding, hidden : int
    query : {"state", "output"}
        What asks: the decoder's last state, or what it said last.
    most_steps : int
        The longest source sentence.
    """

    def __init__(self, embedding: int, hidden: int, query: str, most_steps: int):
        self.by_state = query == "state"
        self.width = embedding + hidden  # of what the decoder reads

    @abstractmethod
    def __call__(self, word: np.ndarray, state: np.ndarray, encoded: Encoded) -> Found:
        """Tell the decoder's input (batch, width), and the weights (batch, source) or None."""


class FixedContext(Rule):
    """No attention: at every step the encoder's last state, in which the whole sentence must find room."""

    def __call__(self, word: np.ndarray, state: np.ndarray, encoded: Encoded) -> Found:
        """As in :class:`Rule`; there are no weights."""
        return np.concatenate([word, encoded.last], axis=-1), None


class Attending(Rule):
    """Attention beside the word: the decoder reads [word; context]."""

    def __call__(self, word: np.ndarray, state: np.ndarray, encoded: Encoded) -> Found:
        """As in :class:`Rule`."""
        query, outputs = state if self.by_state else word, encoded.outputs[:, None]  # of one head
        context, weights = self._attend(query[:, None, None], outputs, encoded.mask)
        return np.concatenate([word, context[:, 0, 0]], axis=-1), weights[:, 0, 0]

    @abstractmethod
    def _attend(self, query: np.ndarray, outputs: np.ndarray, mask: Mask | None) -> Weighed:
        """Tell context and weights of (batch, 1, 1, width) queries over (batch, 1, source, hidden) outputs."""


class Dot(Attending):
    """softmax(q · K / √width) weighs the encoder's outputs (Luong et al., 2015)."""

    def __init__(self, embedding: int, hidden: int, query: str, most_steps: int):
        super().__init__(embedding, hidden, query, most_steps)
        if not self.by_state and embedding != hidden:
            raise ValueError(
                f"Seq2Seq: a word of width {embedding} has no product with states of width {hidden}; expected the same "
                "for attention='dot' with query='output'."
            )

    def _attend(self, query: np.ndarray, outputs: np.ndarray, mask: Mask | None) -> Weighed:
        return attention(query, outputs, outputs, mask, return_weights=True)


class Additive(Attending):
    """score_weight · tanh(query_weight q + key_weight k) weighs them (Bahdanau et al., 2015)."""

    query_weight: np.ndarray
    key_weight: np.ndarray
    score_weight: np.ndarray

    def __init__(self, embedding: int, hidden: int, query: str, most_steps: int):
        super().__init__(embedding, hidden, query, most_steps)
        asks = hidden if self.by_state else embedding
        self._declare(query_weight=(hidden, asks), key_weight=(hidden, hidden), score_weight=(hidden,))

    def _attend(self, query: np.ndarray, outputs: np.ndarray, mask: Mask | None) -> Weighed:
        w_q, w_k, w = self.query_weight, self.key_weight, self.score_weight
        return additive_attention(query, outputs, outputs, w_q, w_k, w, mask, return_weights=True)


class Concat(Rule):
    """The older rule: a linear map of query and key gives the weights, another of query and context the input.

    With ``query="output"`` the query is the word before and the key the state; with ``"state"`` the other way round.
    """

    score_weight: np.ndarray
    score_bias: np.ndarray
    output_weight: np.ndarray
    output_bias: np.ndarray

    def __init__(self, embedding: int, hidden: int, query: str, most_steps: int):
        super().__init__(embedding, hidden, query, most_steps)
        self.width = embedding
        asks = hidden if self.by_state else embedding
        self._declare(
            score_weight=(most_steps, embedding + hidden),
            score_bias=(most_steps,),
            output_weight=(embedding, asks + hidden),
            output_bias=(embedding,),
        )

    def __call__(self, word: np.ndarray, state: np.ndarray, encoded: Encoded) -> Found:
        """As in :class:`Rule`."""
        query, key = (state, word) if self.by_state else (word, state)
        maps = (self.score_weight, self.score_bias, self.output_weight, self.output_bias)
        out, weights = concat_attention(
            query[:, None], key[:, None], encoded.outputs, *maps, encoded.mask, return_weights=True
        )
        return out[:, 0], weights[:, 0]


RULES: dict[str, type[Rule]] = {"none": FixedContext, "dot": Dot, "additive": Additive, "concat": Concat}
