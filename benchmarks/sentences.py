"""A sentence encoder (all-MiniLM-L6-v2) end to end, texts to vectors, beside the same weights in other engines.

    python benchmarks/sentences.py
    python benchmarks/sentences.py --model FOLDER --rounds 9 --json out.json

The texts are the documentation that comes with Python. All engines tokenize with the same tokenizer and compute in
float32; all but pyattn pad. Ends with status 1 when an engine's vectors are not those of the model.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path

import environment
import minilm
import numpy as np
import sentence_engines
from engines import Call
from measure import Timing, interleave, sampler, trial
from problems import WrongAnswer
from report import duration
from results import OURS
from rich.console import Console
from rich.table import Table

TOLERANCE = 1e-5  # of an embedding of length 1
CHECKED = 2  # texts of each work whose embedding is computed in float64


@dataclasses.dataclass(frozen=True)
class Work:
    """Some texts, how many the engines take at once, and how many times as fast as each engine we must be."""

    name: str
    texts: list[str]
    batch: int
    targets: dict[str, float]


@dataclasses.dataclass(frozen=True)
class Outcome:
    work: Work
    timings: list[Timing]
    noise: float

    def ratio(self, engine: str) -> float | None:
        """How many times as fast as ``engine`` we are."""
        seconds = {t.engine: t.seconds for t in self.timings}
        ours, theirs = seconds.get(OURS), seconds.get(engine)
        return theirs / ours if ours and theirs else None

    def verdict(self, engine: str) -> str:
        if engine not in self.work.targets:
            return ""
        ratio = self.ratio(engine)
        return (
            "not measured" if ratio is None else "reached" if ratio >= self.work.targets[engine] else "missed"
        )


def works(model: minilm.MiniLM, quick: bool) -> list[Work]:
    equal, tokens, unequal = (2, 32, 8) if quick else (8, 128, 64)
    real = minilm.texts_of_unequal_length(unequal)
    by_length = sorted(real, key=lambda text: len(model.token_ids([text])[0]))
    batch = 4 if quick else 8
    return [
        Work(
            f"{equal} x {tokens} tokens",
            minilm.texts_of_equal_length(model, equal, tokens),
            equal,
            {"openvino": 1.0, "torch": 2.2},
        ),
        Work(f"{unequal} real texts, padded to the longest", real, unequal, {"openvino": 1.8}),
        Work(f"{unequal} real texts, sorted by length, batches of {batch}", by_length, batch, {}),
    ]


def prepare(
    name: str, model: minilm.MiniLM, work: Work, threads: int, expected: dict
) -> tuple[Call | None, Timing]:
    """The engine's fastest way to embed the texts, checked."""
    try:
        ways = sentence_engines.load(name, model, threads, work.batch, work.texts)
        error = max(_error(embed(work.texts), expected) for embed in ways.values())
    except ImportError as reason:
        return None, Timing(name, "missing", f"not installed ({reason})")
    except WrongAnswer as reason:
        return None, Timing(name, "wrong", str(reason))
    trials = {way: trial(functools.partial(embed, work.texts), 0.1) for way, embed in ways.items()}
    chosen = min(trials, key=trials.__getitem__)
    return Call(functools.partial(ways[chosen], work.texts)), Timing(name, "timed", "", chosen, error, trials)


def _error(vectors: np.ndarray, expected: dict[int, np.ndarray]) -> float:
    worst = max(float(np.abs(vectors[i] - exact).max()) for i, exact in expected.items())
    if not worst <= TOLERANCE:
        raise WrongAnswer(f"a vector differs by {worst:.1e} from the float64 one, allowed: {TOLERANCE:.0e}")
    return worst


def measure(
    work: Work,
    model: minilm.MiniLM,
    expected: dict[str, np.ndarray],
    options: argparse.Namespace,
    threads: int,
) -> Outcome:
    """Check all engines on the work, then let them take turns."""
    exact = {place: expected[text] for place, text in enumerate(work.texts) if text in expected}
    names = options.engines.split(",")
    prepared = [prepare(name, model, work, threads, exact) for name in names]
    samplers: dict[str, Callable[[], float]] = {
        timing.engine: sampler(call, timing.settings[timing.setting], options.seconds)
        for call, timing in prepared
        if call is not None
    }
    samples, noise = interleave(samplers, options.rounds, options.patience)
    timings = [dataclasses.replace(timing, samples=samples.get(timing.engine, [])) for _, timing in prepared]
    return Outcome(work, timings, noise)


def _table(outcome: Outcome) -> Table:
    title = f"MiniLM, {outcome.work.name}" + (
        f" (others used {outcome.noise:.0%})" if outcome.noise > 0.05 else ""
    )
    table = Table("engine", "way", "time", "pyattn is", "target", "", title=title)
    for timing in outcome.timings:
        ratio, bound = outcome.ratio(timing.engine), outcome.work.targets.get(timing.engine)
        table.add_row(
            timing.engine, timing.setting or f"{timing.status}: {timing.reason}", duration(timing.seconds),
            "–" if ratio is None or timing.engine == OURS else f"{ratio:.2f}× as fast",
            "" if bound is None else f"≥ {bound:g}×", outcome.verdict(timing.engine),
        )  # fmt: skip
    return table


def record(outcome: Outcome) -> dict:
    rows = {t.engine: dataclasses.asdict(t) | {"seconds": t.seconds} for t in outcome.timings}
    for name, row in rows.items():
        row |= {"ratio": outcome.ratio(name), "verdict": outcome.verdict(name)}
    return {
        "work": outcome.work.name,
        "texts": len(outcome.work.texts),
        "noise": outcome.noise,
        "engines": rows,
    }


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model", type=Path, metavar="FOLDER", help="the model's files (default: as pyattn finds them)"
    )
    parser.add_argument("--engines", default=",".join(sentence_engines.KNOWN), help="separated by commas")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each engine in each round")
    parser.add_argument(
        "--patience", type=float, default=0, help="seconds to wait for each work for a quiet machine"
    )
    parser.add_argument("--threads", type=int, help="all cores")
    parser.add_argument(
        "--quick", action="store_true", help="few and short texts, two rounds: a trial, no figures to quote"
    )
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.quick:
        options.rounds, options.seconds = 2, 0.01
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    threads = environment.settle(options.threads)
    if options.model is None:
        from pyattn.models.fetch import model_folder

        options.model = model_folder()
    model = minilm.load(options.model)
    console = Console(width=None if sys.stdout.isatty() else 160)
    outcomes = []
    todo = works(model, options.quick)
    checked = {text for work in todo for text in sorted(work.texts)[:CHECKED]}
    expected = {text: minilm.embedding(model, text) for text in checked}
    for work in todo:
        outcomes.append(measure(work, model, expected, options, threads))
        console.print(_table(outcomes[-1]))
    if options.json:
        document = {
            "machine": environment.machine(threads),
            "works": [record(outcome) for outcome in outcomes],
        }
        Path(options.json).write_text(json.dumps(document, indent=1))
    wrong = [f"{t.engine} in {o.work.name!r}: {t.reason}" for o in outcomes for t in o.timings if t.to_blame]
    print(*(f"sentences: {line}" for line in wrong), sep="\n", end="\n" * bool(wrong), file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
