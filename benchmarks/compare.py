"""Compare pyattn with torch, ONNX Runtime, OpenVINO, JAX and NumPy, and with what the hardware can do.

    python benchmarks/compare.py                        # every row, some ten minutes
    python benchmarks/compare.py --only decode --rounds 11
    python benchmarks/compare.py --quick --json out.json --plot out.png
    python benchmarks/compare.py --engines pyattn,torch,mine:Engine    # an engine of your own, from mine.py

Ends with status 1 when an engine gave a wrong answer or broke; a missed target is reported, not an error.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
import json
import signal
import sys
import time
from pathlib import Path

import engines
import environment
from measure import Timing, interleave, prepare, sampler
from peaks import NoCompiler, Peaks
from plot import save_plot
from problems import make_problem
from report import print_report
from results import OURS, UNMASKED, Result, lines
from rich.console import Console
from shapes import Row, select

QUICK_FLOPS = 1e9  # rows beyond this are left out of --quick


@dataclasses.dataclass(frozen=True)
class Settings:
    rounds: int
    seconds: float  # for each engine in each round
    seed: int = 0
    patience: float = 0  # seconds to wait in each row for others to leave the machine alone


def measure_row(row: Row, contestants: list, peaks: Peaks | None, settings: Settings) -> Result:
    """Check every engine on the row, then let those that can compute it take turns with the peaks."""
    problem = make_problem(row.shape, settings.seed)
    if row.isa:
        contestants = [e for e in contestants if e.name == OURS]
    with contextlib.ExitStack() as stack:
        try:
            _force_isa(row, contestants, stack)
        except engines.Unsupported as reason:
            return Result(row, [Timing(OURS, "unsupported", str(reason))])
        prepared = [prepare(e, problem, settings.seconds, row.whole_call) for e in contestants]
        calls = {timing.engine: sampler(call, timing.settings[timing.setting], settings.seconds)
                 for call, timing in prepared if call is not None}  # fmt: skip
        calls |= _unmasked(row, contestants, settings) | _peak_samplers(row, peaks)
        samples, noise = interleave(calls, settings.rounds, patience=settings.patience)
    timings = [dataclasses.replace(timing, samples=samples.get(timing.engine, [])) for _, timing in prepared]
    kind = peaks.kind(row) if peaks else ""
    return Result(
        row, timings, kind, samples.get("fma peak"), samples.get("read peak"), samples.get(UNMASKED), noise
    )


def _force_isa(row: Row, contestants: list, stack: contextlib.ExitStack) -> None:
    for engine in contestants:
        if row.isa and not isinstance(engine, engines.Missing):
            stack.enter_context(engine.use_isa(row.isa))


def _unmasked(row: Row, contestants: list, settings: Settings) -> dict:
    """Ours on the same problem without the mask, where a target asks for it."""
    ours = [e for e in contestants if e.name == OURS and not isinstance(e, engines.Missing)]
    if not ours or not any(target.figure == "unmasked" for target in row.targets):
        return {}
    plain = make_problem(dataclasses.replace(row.shape, mask="none"), settings.seed)
    call, timing = prepare(ours[0], plain, settings.seconds)
    return {UNMASKED: sampler(call, timing.settings[timing.setting], settings.seconds)} if call else {}


def _peak_samplers(row: Row, peaks: Peaks | None) -> dict:
    if peaks is None:
        return {}
    kind, size = peaks.kind(row), max(row.shape.bytes_read, 1 << 16)
    return {"fma peak": lambda: peaks.flops(kind, 0.05), "read peak": lambda: peaks.bandwidth(size, 0.1)}


def run(
    rows: list[Row], contestants: list, peaks: Peaks | None, settings: Settings, console: Console
) -> list[Result]:
    """Measure all rows, saying what is being done; when stopped, return what there is."""
    results: list[Result] = []
    try:
        for number, row in enumerate(rows, 1):
            started = time.perf_counter()
            results.append(measure_row(row, contestants, peaks, settings))
            took = time.perf_counter() - started
            console.print(f"[dim]{number}/{len(rows)} {row.name}: {took:.0f} s[/]", highlight=False)
    except KeyboardInterrupt:
        console.print(f"[yellow]Stopped: {len(results)} of {len(rows)} rows were measured.[/]")
    return results


def _peaks(threads: int, console: Console) -> Peaks | None:
    try:
        return Peaks(threads)
    except NoCompiler as reason:
        console.print(f"[yellow]The peaks of the hardware are unknown: {reason}[/]")
        return None


def document(results: list[Result], contestants: list, settings: Settings, machine: dict) -> dict:
    """Everything that was measured, as plain data."""
    return {
        "format": 1,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": machine,
        "settings": dataclasses.asdict(settings),
        "engines": {
            e.name: {"version": e.version, "installed": not isinstance(e, engines.Missing)}
            for e in contestants
        },
        "lines": lines(results),
        "rows": [result.record() for result in results],
    }


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="PATTERN", help="rows with this in their name or line")
    parser.add_argument(
        "--engines", default=",".join(engines.DEFAULT), help=f"some of {', '.join(engines.KNOWN)}"
    )
    parser.add_argument("--rounds", type=int, help="how often the engines take turns (7)")
    parser.add_argument("--seconds", type=float, help="for each engine in each round (0.2)")
    parser.add_argument("--threads", type=int, help="for every engine (all cores)")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs")
    parser.add_argument(
        "--patience", type=float, default=0, help="seconds to wait in each row for a quiet machine"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small rows, few rounds: a trial, no figures to quote"
    )
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured")
    parser.add_argument("--plot", metavar="FILE", help="write a picture (png, svg or pdf)")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse(sys.argv[1:] if arguments is None else arguments)
    threads = environment.settle(options.threads)
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # a time limit is no reason to lose the rows before it
    console = Console(width=None if sys.stdout.isatty() else 200)
    rounds, seconds = (2, 0.01) if options.quick else (7, 0.2)
    settings = Settings(options.rounds or rounds, options.seconds or seconds, options.seed, options.patience)
    rows = select(options.only, largest=QUICK_FLOPS if options.quick else None)
    contestants = [engines.load(name, threads) for name in options.engines.split(",")]
    machine = environment.machine(threads)
    results = run(rows, contestants, _peaks(threads, console), settings, console)
    print_report(console, results, contestants)
    if options.json:
        Path(options.json).write_text(json.dumps(document(results, contestants, settings, machine), indent=1))
    if options.plot:
        save_plot(options.plot, results, [e.name for e in contestants], machine)
    return _complain(results)


def _complain(results: list[Result]) -> int:
    """Say on stderr which engines were wrong or broke; the exit status."""
    blamed = [(r.row.name, t) for r in results for t in r.timings if t.to_blame]
    for row, timing in blamed:
        print(f"compare: {timing.engine} {timing.status} in {row!r}: {timing.reason}", file=sys.stderr)
    return 1 if blamed else 0


if __name__ == "__main__":
    raise SystemExit(main())
