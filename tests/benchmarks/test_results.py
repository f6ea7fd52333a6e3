"""Figures from samples: ratios, shares and verdicts follow from the medians alone."""

from dataclasses import replace

import pytest

SHAPE = (1, 2, 32, 16)


@pytest.fixture
def result(module):
    """A row of 1 ms for us, 3 and 2 ms for the peers, whose medians outliers do not move."""
    measure, results, shapes = module("measure"), module("results"), module("shapes")
    targets = (
        shapes.Target("ratio", 2), shapes.Target("ratio", 3.5, against="slow"), shapes.Target("fma", 0.5),
        shapes.Target("read", 0.5), shapes.Target("unmasked", 1.5), shapes.Target("ratio", 1, against="absent"),
    )  # fmt: skip
    samples = {"pyattn": [1e-3, 1e-3, 9.0], "slow": [3e-3, 3e-3, 1e-9], "fast": [2e-3, 9.0, 2e-3]}
    timings = [measure.Timing(name, "timed", samples=times) for name, times in samples.items()]
    timings.append(measure.Timing("absent", "missing", "not installed"))
    row = shapes.Row("row", "line", shapes.Shape(*SHAPE), targets)
    peak = row.shape.flops * 1e3 * 1.25
    return results.Result(
        row, timings, "f32_wide", [peak] * 3, [row.shape.bytes_read * 4e3] * 3, [0.5e-3] * 3
    )


def test_the_ratio_is_of_medians_and_to_the_fastest_peer(result):
    assert result.best_peer == "fast"
    assert result.ratio() == pytest.approx(2)
    assert result.ratio("slow") == pytest.approx(3)


def test_shares_are_of_the_measured_peaks(result):
    assert result.fma_share() == pytest.approx(0.8)
    assert result.read_share() == pytest.approx(0.25)
    assert result.fma_share("fast") == pytest.approx(0.4)


def test_each_target_is_judged_by_its_own_figure(result):
    verdicts = [result.verdict(target) for target in result.row.targets]
    assert verdicts == ["reached", "missed", "reached", "missed", "missed", "not measured"]


def test_a_line_is_as_good_as_its_worst_row(module, result):
    lines = module("results").lines
    assert lines([result]) == {"line": "missed"}
    good = replace(result, row=replace(result.row, targets=result.row.targets[:1]))
    assert lines([good]) == {"line": "reached"}
    assert lines([good, result]) == {"line": "missed"}


def test_causal_counts_half_the_operations_and_no_fewer_bytes(module):
    shape = module("shapes").Shape
    full, causal = (
        shape(2, 6, 5, 7, keys=11, kv_heads=3),
        shape(2, 6, 5, 7, keys=11, kv_heads=3, mask="causal"),
    )
    assert full.flops == 4 * 2 * 6 * 5 * 11 * 7 == 2 * causal.flops
    assert full.bytes_read == 2 * 2 * 3 * 11 * 7 * 4 == causal.bytes_read


def test_every_row_is_named_once_and_has_something_to_reach(module):
    rows = module("shapes").ROWS
    assert len({row.name for row in rows}) == len(rows)
    assert all(row.targets for row in rows)
