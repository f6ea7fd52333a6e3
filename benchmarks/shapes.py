"""The rows of the comparison: what is computed, and what it must reach.

A row belongs to one line of the table of targets, so that the report can say of each line whether it was reached.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

MASKS = ("none", "causal", "padding", "causal-array", "bias")


@dataclass(frozen=True)
class Shape:
    """One attention problem: ``heads`` query heads of ``width`` features, ``kv_heads`` heads of keys and values."""

    batch: int
    heads: int
    queries: int
    width: int
    keys: int = 0  # 0: as many as queries
    kv_heads: int = 0  # 0: as many as heads
    dtype: str = "float32"
    mask: str = "none"

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", self.keys or self.queries)
        object.__setattr__(self, "kv_heads", self.kv_heads or self.heads)
        if self.mask not in MASKS:
            raise ValueError(f"Shape: mask {self.mask!r} is none of {', '.join(MASKS)}")

    @property
    def flops(self) -> float:
        """Multiplications and additions of both products; half of them for causal, however it is computed."""
        full = 4.0 * self.batch * self.heads * self.queries * self.keys * self.width
        return full / 2 if self.mask == "causal" else full

    @property
    def bytes_read(self) -> int:
        """Bytes of keys and values: what one query must read at the least."""
        return 2 * self.batch * self.kv_heads * self.keys * self.width * self.item_bytes

    @property
    def item_bytes(self) -> int:
        return 2 if self.dtype == "bfloat16" else np.dtype(self.dtype).itemsize

    def record(self) -> dict:
        return asdict(self) | {"flops": self.flops, "bytes_read": self.bytes_read}


@dataclass(frozen=True)
class Target:
    """A bound on one figure of a row.

    ``figure`` is ``ratio`` (times as fast as the best peer, or as the peer named ``against``), ``fma`` and ``read``
    (shares of the measured peak and bandwidth), or ``unmasked`` (time over the time without the mask, at most).
    """

    figure: str
    bound: float
    against: str | None = None

    def reached_by(self, value: float) -> bool:
        return value <= self.bound if self.figure == "unmasked" else value >= self.bound

    def __str__(self) -> str:
        sign = "≤" if self.figure == "unmasked" else "≥"
        unit = {
            "ratio": f"{self.bound:g}× {self.against or 'best peer'}",
            "unmasked": f"{self.bound:g}× unmasked",
        }
        return f"{sign} {unit.get(self.figure, f'{self.bound:.0%} {self.figure}')}"


@dataclass(frozen=True)
class Row:
    name: str
    line: str
    shape: Shape
    targets: tuple[Target, ...] = ()
    isa: str | None = None  # forces pyattn's instruction set; no peer can follow, so none is run
    whole_call: bool = False  # arrays in, an array out: settings that bind them beforehand do not count


def _line(line: str, *rows: tuple[str, Shape, tuple[Target, ...]], **options: Any) -> list[Row]:
    return [Row(name, line, shape, targets, **options) for name, shape, targets in rows]


def _reach(
    ratio: float | None = None, fma: float | None = None, read: float | None = None
) -> tuple[Target, ...]:
    figures = {"ratio": ratio, "fma": fma, "read": read}
    return tuple(Target(figure, bound) for figure, bound in figures.items() if bound is not None)


_MASKED = (Target("ratio", 1.5, against="torch"), Target("unmasked", 1.5))
_NEVER_SLOWER = _reach(ratio=1.0)
_BF16: dict[str, Any] = {"dtype": "bfloat16"}

ROWS: list[Row] = [
    *_line(
        "float32 dense, S ≥ 512, D 64 / 128",
        ("dense B1 H12 S512 D64", Shape(1, 12, 512, 64), _reach(1.1, fma=0.84)),
        ("dense B1 H8 S2048 D64", Shape(1, 8, 2048, 64), _reach(1.1, fma=0.84)),
        ("dense B1 H8 S4096 D128", Shape(1, 8, 4096, 128), _reach(1.1, fma=0.90)),
    ),
    *_line(
        "float32 dense, B8 H12 S128 D64; B32 S32",
        ("short B8 H12 S128 D64", Shape(8, 12, 128, 64), _reach(1.1)),
        ("short B32 H12 S32 D64", Shape(32, 12, 32, 64), _reach(1.1)),
    ),
    *_line(
        "float32 causal, S ≥ 2048",
        ("causal B1 H8 S2048 D64", Shape(1, 8, 2048, 64, mask="causal"), _reach(2, fma=0.82)),
        ("causal B1 H8 S4096 D128", Shape(1, 8, 4096, 128, mask="causal"), _reach(2, fma=0.87)),
    ),
    *_line(
        "bfloat16, S ≥ 512",
        ("bf16 B1 H12 S512 D64", Shape(1, 12, 512, 64, **_BF16), _reach(1.4, fma=0.68)),
        ("bf16 B1 H8 S2048 D64", Shape(1, 8, 2048, 64, **_BF16), _reach(1.4, fma=0.68)),
        ("bf16 B1 H8 S4096 D128", Shape(1, 8, 4096, 128, **_BF16), _reach(1.4, fma=0.68)),
    ),
    *_line(
        "one query, 4096 keys, fp32",
        ("decode H32 1x4096 D128", Shape(1, 32, 1, 128, keys=4096), _reach(1.5, read=0.90)),
    ),
    *_line(
        "grouped decode 32/8 heads, 8192 keys, fp32 and bf16",
        ("grouped decode fp32 32/8 1x8192 D128", Shape(1, 32, 1, 128, 8192, 8), _reach(3, read=0.85)),
        (
            "grouped decode bf16 32/8 1x8192 D128",
            Shape(1, 32, 1, 128, 8192, 8, **_BF16),
            _reach(3, read=0.85),
        ),
    ),
    *_line(
        "(1,4,16,32) and (1,1,1,64 over 64 keys) whole call",
        ("tiny B1 H4 S16 D32", Shape(1, 4, 16, 32), _reach(1.25)),
        ("tiny B1 H1 1x64 D64", Shape(1, 1, 1, 64, keys=64), _reach(1.25)),
        whole_call=True,
    ),
    *_line(
        "PYATTN_ISA=v3",
        ("v3 dense B1 H8 S2048 D128", Shape(1, 8, 2048, 128), _reach(fma=0.80)),
        ("v3 dense B1 H8 S4096 D128", Shape(1, 8, 4096, 128), _reach(fma=0.80)),
        isa="v3",
    ),
    *_line(
        "padding mask, causal mask given as dense bool, dense float bias",
        ("padding B8 H12 S512 D64", Shape(8, 12, 512, 64, mask="padding"), _MASKED),
        ("causal as bool B1 H8 S2048 D64", Shape(1, 8, 2048, 64, mask="causal-array"), _MASKED),
        ("bias B1 H8 S2048 D64", Shape(1, 8, 2048, 64, mask="bias"), _MASKED[:1]),
    ),
    *_line(
        "never slower than the best peer",
        ("chunk 32/8 8x4096 D128", Shape(1, 32, 8, 128, 4096, 8), _NEVER_SLOWER),
        ("odd B3 H5 509x521 D44", Shape(3, 5, 509, 44, keys=521), _NEVER_SLOWER),
        ("fp16 B1 H8 S2048 D64", Shape(1, 8, 2048, 64, dtype="float16"), _NEVER_SLOWER),
        ("fp64 B1 H8 S1024 D64", Shape(1, 8, 1024, 64, dtype="float64"), _NEVER_SLOWER),
    ),
]


def select(pattern: str | None = None, largest: float | None = None) -> list[Row]:
    """Rows whose name or line contains ``pattern`` and that take at most ``largest`` operations."""
    wanted = (pattern or "").lower()
    rows = [row for row in ROWS if wanted in row.name.lower() or wanted in row.line.lower()]
    if not rows:
        raise SystemExit(
            f"--only {pattern}: no row has this in its name; there are: {', '.join(r.name for r in ROWS)}"
        )
    return [row for row in rows if largest is None or row.shape.flops <= largest]
