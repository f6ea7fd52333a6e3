"""The shared memory of one call: report, what to call, arrays between guards, results, what was printed.

The grader makes it, fills it and reads it; the child sees it mapped and nothing else. It is sealed against
growing and shrinking, so that nobody can make the grader read past its end.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..models import Call, Value
from .inside import protocol

_ALIGN, GUARD_BYTES = 64, 4096
_GUARD = b"\xa5" * GUARD_BYTES
_LINE_BETWEEN = 64  # of head and tail of what was printed
MAX_BYTES = 8 << 30


@dataclass(frozen=True)
class Block:
    """An array in the arena."""

    dtype: str
    shape: tuple[int, ...]
    at: int

    @property
    def place(self) -> protocol.Plain:
        """As the child is told."""
        return (self.dtype, self.shape, self.at)

    @property
    def bytes(self) -> int:
        """Its size."""
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


class Arena:
    """A sealed memfd, mapped here; `descriptor` is for the runner."""

    def __init__(self, call: Call, result_bytes: int, printed_bytes: int, track: str) -> None:
        self.call = call
        self.result_dtypes: tuple[str, ...] = ("float32", "float64")
        self._end = protocol.REPORT_BYTES + protocol.SPEC_BYTES
        self.inputs = {name: self._block(value) for name, value in _arrays(call.arguments).items()}
        self.outputs = [self._place(dtype, shape) for shape, dtype in call.outputs]
        self.results_at = self._reserve(result_bytes + _ALIGN * call.results)
        self.results_bytes = result_bytes + _ALIGN * call.results
        self.printed_at = self._reserve(printed_bytes + _LINE_BETWEEN)
        self.size = self._end
        if self.size > MAX_BYTES:
            raise ValueError(
                f"sandbox: a call of {self.size} bytes; at most {MAX_BYTES} are mapped: smaller arrays or limits"
            )
        self.descriptor = _sealed(self.size)
        self.memory = mmap.mmap(self.descriptor, self.size)
        self._write_spec(track)
        self.load(call.arguments)

    def _block(self, array: np.ndarray) -> Block:
        return self._place(str(array.dtype), array.shape)

    def _place(self, dtype: str, shape: tuple[int, ...]) -> Block:
        block = Block(dtype, shape, self._end + GUARD_BYTES)
        self._end = _up(block.at + block.bytes + GUARD_BYTES)
        return block

    def _reserve(self, size: int) -> int:
        at, self._end = self._end, _up(self._end + size)
        return at

    def _write_spec(self, track: str) -> None:
        spec = (
            track,
            self.call.function,
            self.call.results,
            self.call.positional,
            tuple(self._argument(name, value) for name, value in self.call.arguments.items()),
            tuple(block.place for block in self.outputs),
            self.results_at,
            self.results_bytes,
        )
        self.write_spec(spec)

    def write_spec(self, spec: protocol.Plain) -> None:
        """Tell the child what to do."""
        record = protocol.written(spec, protocol.SPEC_BYTES)
        self.memory[protocol.REPORT_BYTES : protocol.REPORT_BYTES + len(record)] = record

    def _argument(self, name: str, value: Value) -> protocol.Plain:
        if name in self.inputs:
            return (name, "array", self.inputs[name].place)
        if isinstance(value, str) and value.startswith("output:") and self.outputs:
            return (name, "output", int(value.partition(":")[2]))
        return (name, "value", value)  # type: ignore[return-value]

    def load(self, arguments: Mapping[str, Value]) -> None:
        """Fill in the arrays, NaN into the outputs, and the guards around both."""
        self.given = _arrays(arguments)
        if {name: (str(a.dtype), a.shape) for name, a in self.given.items()} != {
            name: (block.dtype, block.shape) for name, block in self.inputs.items()
        }:
            raise ValueError("sandbox: new data must have the names, dtypes and shapes of the call it is for")
        for name, block in self.inputs.items():
            np.copyto(self.view(block), self.given[name])
        for block in self.outputs:
            self.view(block)[...] = np.nan if np.dtype(block.dtype).kind == "f" else 0
        for block in (*self.inputs.values(), *self.outputs):
            self._guards(block, _GUARD)
        self.memory[:8] = bytes(8)

    def _guards(self, block: Block, fill: bytes) -> None:
        end = block.at + block.bytes
        self.memory[block.at - GUARD_BYTES : block.at] = fill
        self.memory[end : end + GUARD_BYTES] = fill

    def view(self, block: Block) -> np.ndarray:
        """The array itself, in shared memory."""
        size = int(np.prod(block.shape, dtype=np.int64))
        return np.frombuffer(self.memory, block.dtype, size, block.at).reshape(block.shape)

    def taken(self, block: Block) -> np.ndarray:
        """A copy of a result. Signalling NaNs become quiet: NumPy warns whoever computes with one."""
        array = self.view(block).copy()
        if array.dtype.kind == "f":
            kind = array.dtype
            bits = array.view(f"u{kind.itemsize}")
            bits[np.isnan(array)] |= bits.dtype.type(
                1 << (np.finfo(kind).nmant - 1)
            )  # all others stay as they are
        return array

    def changed(self) -> tuple[str, ...]:
        """Names of the arrays whose bytes are not those that were given."""
        return tuple(
            name
            for name, block in self.inputs.items()
            if self.view(block).tobytes() != self.given[name].tobytes()
        )

    def wrote_outside(self) -> bool:
        """Whether a guard around an input or output is broken."""
        return any(
            self.memory[block.at - GUARD_BYTES : block.at] != _GUARD
            or self.memory[(end := block.at + block.bytes) : end + GUARD_BYTES] != _GUARD
            for block in (*self.inputs.values(), *self.outputs)
        )

    def report(self) -> protocol.Plain:
        """What the child says: untrusted. ValueError when it is no record."""
        return protocol.read(self.memory[: protocol.REPORT_BYTES])

    def printed(self, size: int) -> bytes:
        """What the runner kept of the child's output."""
        return self.memory[self.printed_at : self.printed_at + size]

    def close(self) -> None:
        """Give the memory back."""
        os.close(self.descriptor)
        with contextlib.suppress(BufferError):  # a view that an exception still holds goes when it does
            self.memory.close()


def _sealed(size: int) -> int:
    descriptor = os.memfd_create("grader", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, size)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return descriptor


def _arrays(arguments: Mapping[str, Value]) -> dict[str, np.ndarray]:
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    for name, array in arrays.items():
        if array.dtype.kind not in "fiub":
            raise ValueError(
                f"sandbox: argument {name!r} has dtype {array.dtype}; floats, integers and booleans can be passed"
            )
    return {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}


def _up(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
