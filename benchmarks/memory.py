"""Peak memory of one attention call against the length of the sequence, each length in a process of its own.

    python benchmarks/memory.py
    python benchmarks/memory.py --engines pyattn,torch,numpy --lengths 1024,2048,4096,8192 --json out.json

Counted is what the process holds at its peak during the call beyond what it held before it: the result and whatever
the engine needs, without the inputs. Ends with status 1 when pyattn misses its target.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import subprocess
import sys
from pathlib import Path

import engines
import environment
from problems import check, make_problem
from results import OURS
from rich.console import Console
from rich.table import Table
from shapes import Shape

LENGTHS = (2048, 4096, 8192, 16384, 32768)
WIDTH = 64
LIMIT = 64 * 2**20  # bytes, at the largest of LENGTHS
SLACK = 2**20  # the system counts whole pages and an allocator keeps some


def extra_bytes(engine: str, length: int, threads: int) -> int:
    """Bytes beyond the inputs that one call needs at its peak; to be asked in a fresh process."""
    loaded = engines.load(engine, threads)
    if isinstance(loaded, engines.Missing):
        raise SystemExit(loaded.reason)
    for call in loaded.calls(make_problem(Shape(1, 1, 64, WIDTH))).values():
        call.run()  # starts the threads, loads the code
    problem = make_problem(Shape(1, 1, length, WIDTH))
    call = next(iter(loaded.calls(problem).values()))
    _give_back_what_is_free()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    before = _status("VmRSS")
    output = call.run()
    extra = _status("VmHWM") - before
    check(problem, call.output(output))
    return max(0, extra)


def _give_back_what_is_free() -> None:
    """Else the call would be served from pages that the making of the inputs left behind, and seem to need none."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc
    if trim is not None:
        trim(0)


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:")) * 1024


def in_own_process(engine: str, length: int, threads: int) -> int | None:
    """`extra_bytes`, asked in a new process; None if the engine is not installed or failed, which is said."""
    command = [sys.executable, __file__, "--child", engine, str(length), "--threads", str(threads)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"memory: {engine}, length {length}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return int(done.stdout)


def is_linear(extra: dict[int, int]) -> bool:
    """Whether doubling the length at the end no more than doubles the memory (a table of scores would quadruple it)."""
    *_, shorter, longest = sorted(extra)
    return extra[longest] - SLACK <= 1.25 * longest / shorter * max(extra[shorter], SLACK)


def verdicts(extra: dict[int, int]) -> dict[str, bool]:
    """Whether pyattn's memory is what was promised."""
    *_, longest = sorted(extra)
    small = extra[longest] < LIMIT
    return {f"length {longest}: less than {LIMIT >> 20} MB": small, "linear in the length": is_linear(extra)}


def _table(measured: dict[str, dict[int, int | None]], lengths: list[int]) -> Table:
    table = Table(title="Memory beyond the inputs")
    table.add_column("length", justify="right")
    for engine in measured:
        table.add_column(engine, justify="right")
    for length in lengths:
        cells = (extra[length] for extra in measured.values())
        table.add_row(str(length), *("–" if cell is None else f"{cell / 2**20:.1f} MB" for cell in cells))
    return table


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engines", default="pyattn,torch", help="separated by commas")
    parser.add_argument(
        "--lengths", default=",".join(map(str, LENGTHS)), help="two at least, separated by commas"
    )
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--child", nargs=2, metavar=("ENGINE", "LENGTH"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    threads = environment.settle(options.threads)
    if options.child:
        print(extra_bytes(options.child[0], int(options.child[1]), threads))
        return 0
    lengths = sorted(map(int, options.lengths.split(",")))
    names = options.engines.split(",")
    measured = {name: {length: in_own_process(name, length, threads) for length in lengths} for name in names}
    Console().print(_table(measured, lengths))
    return _judge(measured, options.json)


def _judge(measured: dict[str, dict[int, int | None]], file: str | None) -> int:
    ours = measured.get(OURS, {})
    known = {length: extra for length, extra in ours.items() if extra is not None}
    judged = verdicts(known) if len(known) > 1 and len(known) == len(ours) else {}
    for claim, holds in judged.items():
        print(f"{OURS}: {claim}: {'reached' if holds else 'missed'}")
    if file:
        Path(file).write_text(json.dumps({"extra_bytes": measured, "verdicts": judged}, indent=1))
    failed = OURS in measured and not judged
    return int(failed or not all(judged.values()))


if __name__ == "__main__":
    raise SystemExit(main())
