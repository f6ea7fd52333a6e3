"""Recurrent layers: each step's output comes from its input and from the state that the step before left."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.layer import Layer
from pyattn.layers.linear import vectors
from pyattn.layers.translation import checked_lengths

State = tuple[np.ndarray, ...]  # each (layers · directions, batch, width); GRU has one, LSTM two


class Recurrent(Layer):
    """What GRU and LSTM share: layers, directions, lengths and the names of parameters, which `GRU` tells."""

    gates: int
    states: int

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        bidirectional: bool = False,
    ):
        if num_layers < 1:
            raise ValueError(f"{type(self).__name__}: num_layers is {num_layers}; expected at least 1.")
        self.hidden, self.inputs = hidden_size, input_size
        said = self._widths()[0]
        self.directions = ("", "_reverse") if bidirectional else ("",)
        self.suffixes = [
            f"_l{layer}{direction}" for layer in range(num_layers) for direction in self.directions
        ]
        rows = self.gates * hidden_size
        for number, suffix in enumerate(self.suffixes):
            first = number < len(self.directions)
            columns = input_size if first else said * len(self.directions)
            self._declare(**{f"weight_ih{suffix}": (rows, columns), f"weight_hh{suffix}": (rows, said)})
            self._declare(**{f"weight_hr{suffix}": (said, hidden_size) if said != hidden_size else None})
            for name in ("bias_ih", "bias_hh"):
                self._declare(**{name + suffix: (rows,) if bias else None})

    def _widths(self) -> tuple[int, ...]:
        """Of each part of the state; the first is what the layer says."""
        return (self.hidden,) * self.states

    @abstractmethod
    def _cell(self, inputs: np.ndarray, recurrent: np.ndarray, state: State) -> State:
        """Tell the next state (batch, hidden) from what the input and the last state give to the gates."""

    def __call__(
        self, x: ArrayLike, state: State | None = None, lengths: ArrayLike | None = None
    ) -> tuple[np.ndarray, State]:
        """Run over sequences.

        Parameters
        ----------
        x : (batch, steps, input_size) array
        state : tuple of (layers · directions, batch, hidden_size) arrays, default zeros
            ``(h,)`` of a GRU, ``(h, c)`` of an LSTM, whose h may have another width.
        lengths : (batch,) integer array, optional
            Steps beyond an item's length change nothing, and their outputs are zeros.

        Returns
        -------
        outputs : (batch, steps, directions · hidden_size) array
            h of each step, both directions side by side.
        state : tuple of (layers · directions, batch, hidden_size) arrays
            After each item's last step.
        """
        x = vectors(x, self.inputs, getattr(self, f"weight_ih{self.suffixes[0]}").dtype, type(self).__name__)
        if x.ndim != 3:
            raise ValueError(
                f"{type(self).__name__}: x has shape {x.shape}; expected (batch, steps, input_size)."
            )
        live = None
        if lengths is not None:
            lengths = checked_lengths(lengths, x, f"{type(self).__name__}: lengths")
            live = np.arange(x.shape[1]) < lengths[:, None]
        last: list[State] = []
        for begin in range(0, len(self.suffixes), len(self.directions)):
            outputs = []
            for number in range(begin, begin + len(self.directions)):
                out, end = self._run(x, number, self._begin(x, state, number), live)
                outputs.append(out)
                last.append(end)
            x = np.concatenate(outputs, axis=-1)
        return x, tuple(np.stack(part) for part in zip(*last, strict=True))

    def _begin(self, x: np.ndarray, state: State | None, number: int) -> State:
        if state is None:
            return tuple(np.zeros((len(x), width), x.dtype) for width in self._widths())
        state = tuple(map(np.asarray, state))
        given = [f"{part.dtype} {part.shape}" for part in state]
        expected = [f"{x.dtype} {(len(self.suffixes), len(x), width)}" for width in self._widths()]
        if given != expected:
            raise ValueError(
                f"{type(self).__name__}: state is {given}; expected {expected}, in a tuple of arrays."
            )
        return tuple(part[number] for part in state)

    def _run(
        self, x: np.ndarray, number: int, state: State, live: np.ndarray | None
    ) -> tuple[np.ndarray, State]:
        suffix = self.suffixes[number]
        bias_ih, bias_hh = (getattr(self, name + suffix) for name in ("bias_ih", "bias_hh"))
        inputs = x @ getattr(self, f"weight_ih{suffix}").T + (
            0 if bias_ih is None else bias_ih
        )  # of all steps at once
        weight, projection = (getattr(self, name + suffix) for name in ("weight_hh", "weight_hr"))
        out = np.zeros((*x.shape[:2], self._widths()[0]), x.dtype)
        steps = range(x.shape[1])
        for step in reversed(steps) if suffix.endswith("_reverse") else steps:
            recurrent = state[0] @ weight.T + (0 if bias_hh is None else bias_hh)
            new = self._cell(inputs[:, step], recurrent, state)
            if projection is not None:
                new = (new[0] @ projection.T, *new[1:])
            if live is not None:
                goes_on = live[:, step, None]
                new = tuple(np.where(goes_on, a, b) for a, b in zip(new, state, strict=True))
            out[:, step] = new[0] if live is None else np.where(goes_on, new[0], 0)
            state = new
        return out, state


class GRU(Recurrent):
    """Gated recurrent units (Cho et al., 2014), as ``torch.nn.GRU(…, batch_first=True)``.

    ::

        r, z = σ(W_r x + U_r h), σ(W_z x + U_z h)       reset and update
        n    = tanh(W_n x + r · U_n h)
        h    = (1 − z) · n + z · h

    Parameters
    ----------
    input_size, hidden_size : int
    num_layers : int
    bias, bidirectional : bool

    Notes
    -----
    Parameters of layer l are ``weight_ih_l0`` (3 · hidden, input), ``weight_hh_l0`` (3 · hidden, hidden),
    ``bias_ih_l0`` and ``bias_hh_l0`` (3 · hidden,) and so on; those of the backward direction end in ``_reverse``.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.seq2seq import GRU
    >>> outputs, (h,) = GRU.random(3, 5)(np.ones((2, 4, 3), np.float32))
    >>> outputs.shape, h.shape
    ((2, 4, 5), (1, 2, 5))
    """

    gates, states = 3, 1

    def _cell(self, inputs: np.ndarray, recurrent: np.ndarray, state: State) -> State:
        (h,) = state
        reset, update = np.split(
            _sigmoid(inputs[:, : 2 * self.hidden] + recurrent[:, : 2 * self.hidden]), 2, axis=-1
        )
        new = np.tanh(inputs[:, 2 * self.hidden :] + reset * recurrent[:, 2 * self.hidden :])
        return (new + update * (h - new),)


class LSTM(Recurrent):
    """Long short-term memory (Hochreiter & Schmidhuber, 1997), as ``torch.nn.LSTM(…, batch_first=True)``.

    ::

        i, f, o = σ(W x + U h) each                      input, forget and output
        c       = f · c + i · tanh(W_g x + U_g h)
        h       = o · tanh(c)                            or P (o · tanh(c)), of proj_size features

    Parameters
    ----------
    input_size, hidden_size : int
    num_layers : int
    bias, bidirectional : bool
    proj_size : int
        How many features h has, fewer than hidden_size (Sak et al., 2014); 0 for all of them.

    Raises
    ------
    ValueError
        proj_size is negative, or not less than hidden_size.

    Notes
    -----
    Parameters are named as `GRU`'s, and have four gates in place of its three; P is ``weight_hr_l0`` (proj, hidden).

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.seq2seq import LSTM
    >>> outputs, (h, c) = LSTM.random(3, 5)(np.ones((2, 4, 3), np.float32))
    >>> outputs.shape, h.shape, c.shape
    ((2, 4, 5), (1, 2, 5), (1, 2, 5))
    """

    gates, states = 4, 2

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        bidirectional: bool = False,
        proj_size: int = 0,
    ):
        if not 0 <= proj_size < hidden_size:
            raise ValueError(
                f"LSTM: proj_size is {proj_size}; expected less than hidden_size, which is {hidden_size}, or 0."
            )
        self.projected = proj_size
        super().__init__(input_size, hidden_size, num_layers, bias, bidirectional)

    def _widths(self) -> tuple[int, ...]:
        return self.projected or self.hidden, self.hidden

    def _cell(self, inputs: np.ndarray, recurrent: np.ndarray, state: State) -> State:
        _, c = state
        enter, forget, new, leave = np.split(inputs + recurrent, 4, axis=-1)
        c = _sigmoid(forget) * c + _sigmoid(enter) * np.tanh(new)
        return _sigmoid(leave) * np.tanh(c), c


def _sigmoid(x: np.ndarray) -> np.ndarray:
    half = x.dtype.type(0.5)
    return half * np.tanh(half * x) + half  # 1/(1 + e^−x) without overflow
