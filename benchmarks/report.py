"""The comparison on the terminal: two tables, and what a reader must not overlook."""

from __future__ import annotations

from noise import QUIET
from results import OURS, Result, lines
from rich.console import Console
from rich.table import Table
from shapes import Target

VERDICTS = {
    "reached": "[green]✓ reached[/]",
    "missed": "[red]✗ missed[/]",
    "not measured": "[yellow]? not measured[/]",
}


def print_report(console: Console, results: list[Result], engines: list) -> None:
    console.print(_targets_table(results))
    console.print(_engines_table(results, [e.name for e in engines]))
    console.print(_lines_table(results))
    for note in _notes(results):
        console.print(note, highlight=False, soft_wrap=True)


def _targets_table(results: list[Result]) -> Table:
    table = Table(title="pyattn against the best peer and against the hardware")
    left = ("work", "best peer", "target", "verdict")
    figures = ("pyattn", "best peer", "its time", "ratio", "FMA peak", "read bandwidth")
    for name in ("work", *figures, "target", "verdict"):
        table.add_column(name, justify="left" if name in left else "right")
    for result in results:
        peer = result.best_peer
        table.add_row(
            result.row.name, duration(result.seconds(OURS)),
            peer or "–", duration(result.seconds(peer) if peer else None),
            _times(result.ratio()), _percent(result.fma_share()), _percent(result.read_share()),
            "\n".join(map(str, result.row.targets)),
            "\n".join(_verdict(result, target) for target in result.row.targets),
        )  # fmt: skip
    return table


def _verdict(result: Result, target: Target) -> str:
    value = result.value(target)
    figure = (
        "" if value is None else f" {_percent(value) if target.figure in ('fma', 'read') else _times(value)}"
    )
    return VERDICTS[result.verdict(target)] + figure


def _engines_table(results: list[Result], names: list[str]) -> Table:
    table = Table(
        title="Every engine, median time of a call", caption="the hardware as measured in the same rounds"
    )
    table.add_column("work")
    for name in names:
        table.add_column(name, justify="right")
    table.add_column("GFLOP/s peak", justify="right")
    table.add_column("GB/s read", justify="right")
    for result in results:
        timings = {t.engine: t for t in result.timings}
        cells = [_cell(timings.get(name), name == result.best_peer) for name in names]
        peaks = result.record()
        table.add_row(result.row.name, *cells, _giga(peaks["fma_peak"]), _giga(peaks["read_peak"]))
    return table


def _cell(timing, best: bool) -> str:
    if timing is None:
        return "–"
    if timing.seconds is None:
        return f"[red]{timing.status.upper()}[/]" if timing.to_blame else f"[dim]{timing.status}[/]"
    return f"[bold]{duration(timing.seconds)}[/]" if best else duration(timing.seconds)


def _lines_table(results: list[Result]) -> Table:
    table = Table("line of the targets", "", title="What it must reach")
    for line, verdict in lines(results).items():
        table.add_row(line, VERDICTS[verdict])
    return table


def _notes(results: list[Result]) -> list[str]:
    return [*_noise_notes(results), *_status_notes(results)]


def _noise_notes(results: list[Result]) -> list[str]:
    loud = [r for r in results if r.noise > QUIET]
    if not loud:
        return []
    worst = max(loud, key=lambda r: r.noise)
    used = (
        f"Others used the machine during {len(loud)} row(s), up to {worst.noise:.0%} of it ({worst.row.name})"
    )
    return [f"[yellow]{used}: take those figures with care.[/]"]


def _status_notes(results: list[Result]) -> list[str]:
    notes: dict[str, list[str]] = {}
    for result in results:
        for timing in result.timings:
            if timing.status != "timed":
                notes.setdefault(f"{timing.engine}: {timing.status}: {timing.reason}", []).append(
                    result.row.name
                )
    return [f"[dim]{note} — in {len(rows)} row(s), e.g. {rows[0]}[/]" for note, rows in notes.items()]


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds * 1e6:.2f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}×"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _giga(value: float | None) -> str:
    return "–" if value is None else f"{value / 1e9:.0f}"
