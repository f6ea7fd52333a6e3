"""How much faster two threads are than one: both take turns, and so does the hardware's own peak.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --patience 60 --rounds 15 --json out.json

On a machine shared with others the cores do not double either; the peak's own ratio says what there was to gain.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import sys
from pathlib import Path

import environment
from measure import interleave, trial
from peaks import NoCompiler, Peaks
from problems import make_problem
from rich.console import Console
from rich.table import Table
from shapes import Shape

import pyattn

TARGET = 1.9
SHAPES = {
    "dense B1 H8 S2048 D64": Shape(1, 8, 2048, 64),
    "dense B1 H8 S2048 D128": Shape(1, 8, 2048, 128),
    "causal B1 H8 S2048 D64": Shape(1, 8, 2048, 64, mask="causal"),
}


@dataclasses.dataclass(frozen=True)
class Scaling:
    """Median seconds with one thread and with all, and the same of a fixed piece of peak arithmetic."""

    work: str
    threads: int
    one: float
    all: float
    peak_ratio: float | None
    noise: float

    @property
    def ratio(self) -> float:
        return self.one / self.all


def measure(work: str, threads: int, rounds: int, seconds: float, patience: float) -> Scaling:
    """Time one thread and ``threads`` in turns."""
    shape = SHAPES[work]
    problem = make_problem(shape)
    mask = pyattn.causal() if shape.mask == "causal" else None

    def attend(count: int) -> None:
        pyattn.attention(problem.query, problem.key, problem.value, mask, num_threads=count)

    samplers = {
        "one": lambda: trial(lambda: attend(1), seconds),
        "all": lambda: trial(lambda: attend(threads), seconds),
    } | _peaks(threads)
    samples, noise = interleave(samplers, rounds, patience)
    medians = {name: statistics.median(values) for name, values in samples.items()}
    gain = medians["all peak"] / medians["one peak"] if "all peak" in medians else None
    return Scaling(work, threads, medians["one"], medians["all"], gain, noise)


def _peaks(threads: int) -> dict:
    try:
        one, all_ = Peaks(1), Peaks(threads)
    except NoCompiler as reason:
        print(f"scaling: the peak of the hardware is unknown: {reason}", file=sys.stderr)
        return {}
    return {"one peak": lambda: one.flops("f32_wide", 0.05), "all peak": lambda: all_.flops("f32_wide", 0.05)}


def _table(measured: list[Scaling]) -> Table:
    table = Table(title="From one thread to all", caption=f"target: {TARGET}× from 1 to 2 threads")
    for name in ("work", "threads", "1 thread", "all", "ratio", "ratio of the peak", "others used", ""):
        table.add_column(name, justify="left" if name in ("work", "") else "right")
    for scaling in measured:
        peak = "–" if scaling.peak_ratio is None else f"{scaling.peak_ratio:.2f}×"
        table.add_row(
            scaling.work, str(scaling.threads), f"{scaling.one * 1e3:.2f} ms", f"{scaling.all * 1e3:.2f} ms",
            f"{scaling.ratio:.2f}×", peak, f"{scaling.noise:.0%}", _verdict(scaling),
        )  # fmt: skip
    return table


def _verdict(scaling: Scaling) -> str:
    if scaling.threads != 2:
        return "no target"
    return "[green]✓ reached[/]" if scaling.ratio >= TARGET else "[red]✗ missed[/]"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="PATTERN", help="work with this in its name")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each in each round")
    parser.add_argument(
        "--patience", type=float, default=0, help="seconds to wait in all for a quiet machine"
    )
    parser.add_argument("--threads", type=int, help="all cores")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    threads = environment.settle(options.threads)
    if threads < 2:
        raise SystemExit("scaling: this process may use one core only")
    works = [name for name in SHAPES if options.only in name]
    measured = [measure(work, threads, options.rounds, options.seconds, options.patience) for work in works]
    Console(width=None if Console().is_terminal else 160).print(_table(measured))
    if options.json:
        rows = [
            dataclasses.asdict(scaling) | {"ratio": scaling.ratio, "target": TARGET} for scaling in measured
        ]
        Path(options.json).write_text(
            json.dumps({"machine": environment.machine(threads), "rows": rows}, indent=1)
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
