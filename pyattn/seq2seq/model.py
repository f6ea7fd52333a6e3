"""The recurrent encoder–decoder, with and without attention."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.linear import Embedding, Linear
from pyattn.layers.translation import TranslationModel, checked_lengths, pair, sentences
from pyattn.rowwise import log_softmax
from pyattn.seq2seq.recurrent import GRU, LSTM, Recurrent, State
from pyattn.seq2seq.rules import RULES, Encoded, FixedContext

CELLS: dict[str, type[Recurrent]] = {"gru": GRU, "lstm": LSTM}


class Seq2Seq(TranslationModel):
    """A recurrent encoder reads a sentence, a recurrent decoder that begins in its last state says another.

    Parameters
    ----------
    source_vocabulary, target_vocabulary, embedding_size, hidden_size : int
    cell : {"gru", "lstm"}
    attention : {"none", "dot", "additive", "concat"}
        What the decoder reads beside the word before: the encoder's last state at every step (Sutskever et al., 2014;
        Cho et al., 2014), or its outputs weighed by one of three rules; see :func:`pyattn.attention`,
        :func:`pyattn.additive_attention` and :func:`pyattn.concat_attention`.
    query : {"state", "output"}
        What asks: the decoder's last state, or what it said last.
    start : {"symbol", "state"}
        What stands for the word before the first: the start symbol's vector, or the encoder's last state.
    num_layers : int
    max_source_length, max_length : int
        The longest sentence that ``attention="concat"`` has weights for; the longest one that is decoded.

    Notes
    -----
    Parameters: ``source_embedding.weight``, ``target_embedding.weight``, ``encoder.…`` and ``decoder.…`` as in
    ``torch.nn.GRU`` or ``LSTM``, ``output.weight`` and ``output.bias``, and of the rule: ``attention.query_weight``,
    ``.key_weight``, ``.score_weight``; or ``attention.score_weight``, ``.score_bias``, ``.output_weight``,
    ``.output_bias``. The decoder reads [word; context], or what the older rule makes of both.

    Examples
    --------
    >>> from pyattn.seq2seq import Seq2Seq
    >>> model = Seq2Seq.random(11, 13, 16, 16, attention="additive", max_length=6)
    >>> logits, weights = model([[3, 4, 5], [6, 7, 0]], [[1, 5], [1, 8]], [3, 2], return_weights=True)
    >>> logits.shape, weights.shape
    ((2, 2, 13), (2, 2, 3))
    """

    def __init__(
        self,
        source_vocabulary: int,
        target_vocabulary: int,
        embedding_size: int,
        hidden_size: int,
        cell: str = "gru",
        attention: str = "none",
        query: str = "state",
        start: str = "symbol",
        num_layers: int = 1,
        max_source_length: int = 64,
        max_length: int = 64,
    ):
        for name, given, known in (
            ("cell", cell, tuple(CELLS)),
            ("attention", attention, tuple(RULES)),
            ("query", query, ("state", "output")),
            ("start", start, ("symbol", "state")),
        ):
            if given not in known:
                raise ValueError(f"Seq2Seq: {name} is {given!r}; expected one of {known}.")
        if start == "state" and embedding_size != hidden_size:
            raise ValueError(
                f"Seq2Seq: a state of width {hidden_size} cannot stand for a word of width {embedding_size}; expected "
                "the same for start='state'."
            )
        self.max_length, self.starts_by_state = max_length, start == "state"
        self.source_embedding = Embedding(source_vocabulary, embedding_size)
        self.target_embedding = Embedding(target_vocabulary, embedding_size)
        self.encoder = CELLS[cell](embedding_size, hidden_size, num_layers)
        self.attention = RULES[attention](embedding_size, hidden_size, query, max_source_length)
        self.decoder = CELLS[cell](self.attention.width, hidden_size, num_layers)
        self.output = Linear(hidden_size, target_vocabulary)

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
        weights : (batch, target, source) array
            If ``return_weights``: where each step looked; None without attention.
        """
        source, target = pair(source, target, "Seq2Seq")
        decoding = self.start(source, source_lengths)
        logits = np.empty((*target.shape, len(self.output.weight)), self.output.weight.dtype)
        weights = np.empty((*target.shape, source.shape[1]), logits.dtype)
        for step, tokens in enumerate(target.T):
            logits[:, step] = decoding.logits(tokens)
            if decoding.weights is not None:
                weights[:, step] = decoding.weights
        looks = None if isinstance(self.attention, FixedContext) else weights
        return (logits, looks) if return_weights else logits

    def start(self, source: ArrayLike, source_lengths: ArrayLike | None = None) -> Seq2SeqDecoding:
        """Read (batch, source) tokens, and be ready to decode their translations step by step."""
        return Seq2SeqDecoding(self, source, source_lengths)


class Seq2SeqDecoding:
    """A `Seq2Seq` in the middle of some sentences.

    Attributes
    ----------
    weights : (rows, source) array or None
        Where the last step looked; None without attention.
    """

    weights: np.ndarray | None = None

    def __init__(self, model: Seq2Seq, source: ArrayLike, source_lengths: ArrayLike | None):
        self.model, self.steps = model, 0
        source = sentences(source, "Seq2Seq", "source")
        lengths = None
        if source_lengths is not None:
            lengths = checked_lengths(source_lengths, source, "Seq2Seq: source_lengths")
        outputs, state = model.encoder(model.source_embedding(source), lengths=lengths)
        self.state: State = state
        self.encoded = Encoded(outputs, state[0][-1], lengths)

    def logits(self, tokens: ArrayLike) -> np.ndarray:
        """Read each row's last token, (rows,); tell the logits of its next, (rows, vocabulary)."""
        by_state = self.steps == 0 and self.model.starts_by_state
        word = self.encoded.last if by_state else self.model.target_embedding(tokens)
        read, self.weights = self.model.attention(word, self.state[0][-1], self.encoded)
        outputs, self.state = self.model.decoder(read[:, None], self.state)
        self.steps += 1
        return self.model.output(outputs[:, 0])

    def step(self, tokens: ArrayLike) -> np.ndarray:
        """Likewise, log-probabilities."""
        return log_softmax(self.logits(tokens))

    def select(self, rows: np.ndarray) -> None:
        """Go on with these rows, in this order."""
        self.encoded = self.encoded.select(rows)
        self.state = tuple(part[:, rows] for part in self.state)
