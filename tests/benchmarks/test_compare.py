"""compare.py: what it promises to write, and that it neither times nor hides a wrong engine."""

import json

import pytest

WRONG = """
import numpy as np
from engines import Call
from engines.numpy import naive

class {name}:
    name, version = "{name}", "0"
    def __init__(self, threads): pass
    def calls(self, problem):
        def run():
            right = naive(problem)
            return {mistake}
        return {{"only": Call(run)}}
"""
MISTAKES = {
    "scaled": "right * 1.001",
    "half": "right.astype(np.float16).astype(np.float32)",
    "nan": "np.full_like(right, np.nan)",
    "shifted": "np.roll(right, 1, axis=2 if right.shape[2] > 1 else 3)",
    "swapped": "right.swapaxes(1, 2)",
    "broken": "right / None",
}


@pytest.fixture(scope="module")
def quick(program_in, tmp_path_factory):
    """What is written of a run with all engines, and the folder it is in."""
    pytest.importorskip("matplotlib", reason="the benchmarks need pyattn[bench]")
    program = program_in(tmp_path_factory.mktemp("quick"))
    return program.measure("compare", "--quick", "--only", "tiny", "--plot", "out.png"), program.folder


def test_every_engine_is_measured_or_said_to_be_missing(quick):
    document, folder = quick
    assert set(document["engines"]) >= {
        "pyattn",
        "torch",
        "ort-mha",
        "ort-attention",
        "openvino",
        "jax",
        "numpy",
    }
    for row in document["rows"]:
        for name, engine in row["engines"].items():
            assert engine["status"] in ("timed", "unsupported") or not document["engines"][name]["installed"]
            assert (engine["seconds"] is None) == (engine["status"] != "timed")
            assert engine["reason"] or engine["status"] == "timed"
    assert (folder / "out.png").read_bytes().startswith(b"\x89PNG")


def test_the_json_has_what_the_targets_are_judged_by(quick):
    document, _ = quick
    assert document["machine"]["threads"] >= 1
    assert set(document["lines"]) == {row["line"] for row in document["rows"]}
    for row in document["rows"]:
        ours, peer = row["engines"]["pyattn"], row["engines"][row["best_peer"]]
        assert row["ratio"] == pytest.approx(peer["seconds"] / ours["seconds"])
        assert len(ours["samples"]) == document["settings"]["rounds"]
        assert row["fma_share"] == pytest.approx(ours["flops_per_second"] / row["fma_peak"])
        assert row["read_share"] == pytest.approx(ours["bytes_per_second"] / row["read_peak"])
        for target in row["targets"]:
            assert target["verdict"] == ("reached" if target["value"] >= target["bound"] else "missed")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_engine_is_caught_and_not_timed(program, mistake):
    (program.folder / "wrong.py").write_text(WRONG.format(name=mistake, mistake=MISTAKES[mistake]))
    engines = f"numpy,wrong:{mistake}"
    done = program("compare", "--quick", "--only", "16 D32", "--engines", engines, "--json", "out.json")
    assert done.returncode == 1
    assert mistake in done.stderr
    (row,) = json.loads((program.folder / "out.json").read_text())["rows"]
    engine = row["engines"][mistake]
    assert engine["status"] == ("failed" if mistake == "broken" else "wrong")
    assert engine["seconds"] is None
    assert row["best_peer"] == "numpy"


def test_an_engine_that_is_not_installed_is_shown_as_such(program):
    document = program.measure("compare", "--quick", "--only", "1x64", "--engines", "numpy,nowhere:Engine")
    assert document["engines"]["nowhere:Engine"]["installed"] is False
    (row,) = document["rows"]
    assert row["engines"]["nowhere:Engine"]["status"] == "missing"
    assert "nowhere" in row["engines"]["nowhere:Engine"]["reason"]


def test_an_unknown_row_or_engine_names_the_known_ones(program):
    assert "tiny B1 H4 S16 D32" in program("compare", "--only", "no such row").stderr
    assert "ort-attention" in program("compare", "--engines", "tensorflow").stderr
