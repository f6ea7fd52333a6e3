"""From the probabilities of the next token to whole sequences: greedy and beam search."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pyattn.whole import is_whole

__all__ = ["Decoding", "Hypothesis", "beam", "greedy"]

_MOST_PENALTY = 10.0  # lengths to this power are numbers still


class Decoding(Protocol):
    """A decoder in the middle of some sentences, one per row."""

    def step(self, tokens: NDArray[np.intp]) -> NDArray[Any]:
        """Read each row's last token, (rows,); tell the log-probabilities of its next, (rows, vocabulary)."""

    def select(self, rows: NDArray[np.intp]) -> None:
        """Go on with these rows, in this order; one may be taken several times, or not at all."""


class Hypothesis(NamedTuple):
    """A sequence, without its start and end, and the logarithm of its probability."""

    tokens: list[int]
    log_probability: float


def greedy(decoding: Decoding, rows: int, *, start: int, end: int, max_length: int) -> list[list[int]]:
    """Take the likeliest token at every step.

    Parameters
    ----------
    decoding : Decoding
        Before its first step.
    rows : int
        How many sentences it decodes.
    start, end : int
        The tokens that begin and end a sentence; neither is in the results.
    max_length : int
        Where a sentence is cut that does not end.

    Raises
    ------
    TypeError
        ``start``, ``end`` or ``max_length`` is no whole number.
    ValueError
        ``end`` is no token of the vocabulary.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.search import greedy
    >>> class CountsDown:
    ...     def step(self, tokens):
    ...         return np.log(np.eye(10)[tokens - 1] + 1e-9)
    >>> greedy(CountsDown(), 1, start=4, end=0, max_length=8)
    [[3, 2, 1]]
    """
    _check_whole("greedy", rows=rows, start=start, end=end, max_length=max_length)
    tokens, live = np.full(rows, start), np.ones(rows, bool)
    sentences: list[list[int]] = [[] for _ in range(rows)]
    for _ in range(max_length):
        scores = decoding.step(tokens)
        _check_end("greedy", end, scores.shape[-1])
        tokens = scores.argmax(axis=-1)
        live &= tokens != end
        if not live.any():
            break
        for row in np.flatnonzero(live):
            sentences[row].append(int(tokens[row]))
    return sentences


def beam(
    decoding: Decoding,
    rows: int,
    *,
    start: int,
    end: int,
    max_length: int,
    width: int = 4,
    length_penalty: float = 0.0,
) -> list[list[Hypothesis]]:
    """Follow the ``width`` likeliest beginnings of each sentence.

    Parameters
    ----------
    decoding, rows, start, end, max_length
        As in :func:`greedy`.
    width : int
        One is greedy search, unless a ``length_penalty`` above 0 makes it look beyond the first end.
    length_penalty : float
        Hypotheses are ranked by ``log_probability / length ** length_penalty``; above 0 it favours longer ones.

    Returns
    -------
    list of list of Hypothesis
        For each sentence up to ``width`` hypotheses, the best first.

    Raises
    ------
    TypeError, ValueError
        As :func:`greedy`; or a ``width`` below 1.

    Examples
    --------
    The likeliest first token, 2, is a bad beginning: whatever follows it has 0.4 at most.

    >>> import numpy as np
    >>> from pyattn.search import beam
    >>> after = np.array([[1, 0, 0, 0], [0, 0, 0.6, 0.4], [0.4, 0, 0.3, 0.3], [1, 0, 0, 0]])
    >>> class Chain:
    ...     def step(self, tokens):
    ...         return np.log(after[tokens] + 1e-9)
    ...
    ...     def select(self, rows):
    ...         pass
    >>> best, second = beam(Chain(), 1, start=1, end=0, max_length=5, width=2)[0]
    >>> best.tokens, round(float(np.exp(best.log_probability)), 3)
    ([3], 0.4)
    >>> second.tokens, round(float(np.exp(second.log_probability)), 3)
    ([2], 0.24)
    """
    _check_whole("beam", rows=rows, start=start, end=end, max_length=max_length, width=width)
    if width < 1:
        raise ValueError(f"beam: width is {width}; expected at least 1.")
    if isinstance(length_penalty, bool | str) or not hasattr(length_penalty, "__float__"):
        raise TypeError(f"beam: length_penalty is {length_penalty!r}; expected a number.")
    if not -_MOST_PENALTY <= length_penalty <= _MOST_PENALTY:
        raise ValueError(
            f"beam: length_penalty is {length_penalty}; expected one around 1, up to {_MOST_PENALTY}."
        )
    decoding.select(np.repeat(np.arange(rows), width))
    sentences = [_Beam(width, end, max_length, length_penalty) for _ in range(rows)]
    tokens = np.full(rows * width, start)
    for _ in range(max_length):
        scores = decoding.step(tokens)
        _check_end("beam", end, scores.shape[-1])
        scores = scores.reshape(rows, width, scores.shape[-1])
        chosen = [one.advance(score) for one, score in zip(sentences, scores, strict=True)]
        if all(one.done for one in sentences):
            break
        tokens = np.concatenate([token for _, token in chosen])
        decoding.select(np.concatenate([row * width + parent for row, (parent, _) in enumerate(chosen)]))
    return [one.best() for one in sentences]


def _check_whole(where: str, **numbers: object) -> None:
    for name, number in numbers.items():
        if not is_whole(number):
            raise TypeError(f"{where}: {name} is {number!r}; expected a whole number.")
        if name in ("max_length", "rows") and number < 0:  # type: ignore[operator]
            raise ValueError(f"{where}: {name} is {number}; expected at least 0.")


def _check_end(where: str, end: int, vocabulary: int) -> None:
    """A token that there is not would end no sentence, and never be missed."""
    if not 0 <= end < vocabulary:
        raise ValueError(
            f"{where}: end is {end}; expected a token of the vocabulary, 0 to {vocabulary - 1}. "
            "Give the one that ends sentences; max_length cuts those that do not end."
        )


class _Beam:
    """The live beginnings of one sentence, and its finished hypotheses."""

    def __init__(self, width: int, end: int, max_length: int, length_penalty: float):
        self.width, self.end, self.max_length, self.penalty = width, end, max_length, length_penalty
        self.scores = np.full(width, -np.inf)
        self.scores[0] = 0  # all begin alike: one of them is enough
        self.tokens: list[list[int]] = [[] for _ in range(width)]
        self.finished: list[Hypothesis] = []

    def advance(self, log_probabilities: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Extend every beginning by a token; tell of the new ones which beginning each comes from, and its token."""
        totals = self.scores[:, None] + log_probabilities
        candidates = np.argsort(-totals, axis=None, kind="stable")[
            : 2 * self.width
        ]  # if all the best ones end
        parents, tokens = np.unravel_index(candidates, totals.shape)
        scores = totals.reshape(-1)[candidates]
        ends = tokens == self.end
        for place in np.flatnonzero(ends[: self.width] & (scores[: self.width] > -np.inf)):
            self.finished.append(Hypothesis(self.tokens[parents[place]], float(scores[place])))
        scores[ends] = -np.inf
        going_on = np.argsort(ends, kind="stable")[
            : self.width
        ]  # a tiny vocabulary may not have enough: dead ones
        parents, tokens, self.scores = parents[going_on], tokens[going_on], scores[going_on]
        self.tokens = [[*self.tokens[p], int(t)] for p, t in zip(parents, tokens, strict=True)]
        return parents, tokens

    @property
    def done(self) -> bool:
        """No live beginning can still become one of the best: it only loses probability."""
        if np.isneginf(self.scores).all():
            return True
        if len(self.finished) < self.width:
            return False
        most = max(
            self._rank(float(self.scores.max()), 1), self._rank(float(self.scores.max()), self.max_length)
        )
        return most <= sorted(self._rank_of(one) for one in self.finished)[-self.width]

    def best(self) -> list[Hypothesis]:
        cut = [Hypothesis(t, float(s)) for t, s in zip(self.tokens, self.scores, strict=True) if s > -np.inf]
        found = sorted(self.finished or cut, key=self._rank_of, reverse=True)
        return found[: self.width]

    def _rank_of(self, one: Hypothesis) -> float:
        return self._rank(one.log_probability, max(1, len(one.tokens)))

    def _rank(self, log_probability: float, length: int) -> float:
        return float(log_probability / length**self.penalty)
