"""From samples to figures: medians, the best peer, shares of the peaks, and whether a target was reached."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from measure import Timing
from shapes import Row, Target

OURS = "pyattn"
UNMASKED = "pyattn without the mask"


@dataclass
class Result:
    """One row: a Timing for each engine, and the samples of the peaks that took turns with them."""

    row: Row
    timings: list[Timing]
    peak_kind: str = ""
    fma_peaks: list[float] | None = None
    read_peaks: list[float] | None = None
    unmasked: list[float] | None = None
    noise: float = 0.0  # largest share of the machine that others had in a round

    def seconds(self, engine: str) -> float | None:
        return next((t.seconds for t in self.timings if t.engine == engine), None)

    @property
    def best_peer(self) -> str | None:
        """Name of the fastest engine that is not ours."""
        peers = [t for t in self.timings if t.engine != OURS and t.seconds is not None]
        return min(peers, key=lambda t: t.seconds or 0).engine if peers else None

    def ratio(self, against: str | None = None) -> float | None:
        """How many times as fast as the best peer (or as ``against``) we are."""
        peer = against or self.best_peer
        return _quotient(self.seconds(peer) if peer else None, self.seconds(OURS))

    def fma_share(self, engine: str = OURS) -> float | None:
        """Operations a second over the measured peak."""
        return _quotient(_quotient(self.row.shape.flops, self.seconds(engine)), _median(self.fma_peaks))

    def read_share(self, engine: str = OURS) -> float | None:
        """Bytes of keys and values a second over the measured read bandwidth."""
        return _quotient(_quotient(self.row.shape.bytes_read, self.seconds(engine)), _median(self.read_peaks))

    def value(self, target: Target) -> float | None:
        """The figure that the target bounds; None where it could not be measured."""
        if target.figure == "ratio":
            return self.ratio(target.against)
        if target.figure == "unmasked":
            return _quotient(self.seconds(OURS), _median(self.unmasked))
        return self.fma_share() if target.figure == "fma" else self.read_share()

    def verdict(self, target: Target) -> str:
        value = self.value(target)
        if value is None:
            return "not measured"
        return "reached" if target.reached_by(value) else "missed"

    def record(self) -> dict:
        """The row as plain data for JSON."""
        return {
            "name": self.row.name,
            "line": self.row.line,
            "isa": self.row.isa,
            "shape": self.row.shape.record(),
            "engines": {t.engine: _engine_record(t, self) for t in self.timings},
            "best_peer": self.best_peer,
            "ratio": self.ratio(),
            "peak": self.peak_kind,
            "fma_peak": _median(self.fma_peaks),
            "fma_peak_samples": self.fma_peaks,
            "read_peak": _median(self.read_peaks),
            "read_peak_samples": self.read_peaks,
            "fma_share": self.fma_share(),
            "read_share": self.read_share(),
            "unmasked_seconds": _median(self.unmasked),
            "noise": self.noise,
            "targets": [
                {
                    "target": str(t),
                    "figure": t.figure,
                    "bound": t.bound,
                    "value": self.value(t),
                    "verdict": self.verdict(t),
                }
                for t in self.row.targets
            ],
        }


def _engine_record(timing: Timing, result: Result) -> dict:
    return {
        "status": timing.status,
        "reason": timing.reason,
        "setting": timing.setting,
        "error": timing.error,
        "seconds": timing.seconds,
        "samples": timing.samples,
        "flops_per_second": _quotient(result.row.shape.flops, timing.seconds),
        "bytes_per_second": _quotient(result.row.shape.bytes_read, timing.seconds),
        "settings": timing.settings,
    }


def lines(results: list[Result]) -> dict[str, str]:
    """The verdict on each line of the table of targets: the worst of its rows."""
    verdicts: dict[str, set[str]] = {}
    for result in results:
        verdicts.setdefault(result.row.line, set()).update(result.verdict(t) for t in result.row.targets)
    order = ("missed", "not measured", "reached")
    return {line: next((v for v in order if v in found), "reached") for line, found in verdicts.items()}


def _median(samples: list[float] | None) -> float | None:
    return statistics.median(samples) if samples else None


def _quotient(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None
