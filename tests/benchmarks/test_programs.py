"""memory.py, scaling.py, sentences.py end to end, and the peaks they are held against."""

import json
import re

import pytest


def test_the_memory_of_a_stored_table_of_scores_is_seen_to_be_quadratic(program):
    document = program.measure("memory", "--engines", "numpy", "--lengths", "1024,2048,4096")
    extra = {int(length): size for length, size in document["extra_bytes"]["numpy"].items()}
    assert all(extra[length] >= 4 * length**2 for length in extra)
    assert 3 < extra[4096] / extra[2048] < 5


def test_pyattn_needs_memory_linear_in_the_length(program):
    document = program.measure("memory", "--engines", "pyattn", "--lengths", "2048,4096,8192")
    assert document["verdicts"]["linear in the length"] is True


def test_linear_and_quadratic_are_told_apart(module):
    is_linear = module("memory").is_linear
    assert is_linear({n: 1000 * n for n in (2048, 4096, 8192)})
    assert is_linear(dict.fromkeys((2048, 4096, 8192), 5000000))
    assert not is_linear({n: 4 * n * n for n in (2048, 4096, 8192)})


@pytest.mark.alone
def test_scaling_times_both_and_the_peak(program, module):
    if len(module("environment").cores()) < 2:
        pytest.skip("this process may use one core only")
    document = program.measure("scaling", "--rounds", "1", "--seconds", "0.01", "--only", "S2048 D64")
    for row in document["rows"]:
        assert row["ratio"] == pytest.approx(row["one"] / row["all"])
        assert row["peak_ratio"] > 0


@pytest.mark.alone
def test_no_engine_gets_more_than_the_peak_and_blas_much_of_it(program):
    """An over-stated peak would make all shares too small; NumPy's matrix product stands for what can be had."""
    (program.folder / "share.py").write_text(
        "import environment; environment.settle(1)\n"
        "import numpy as np; from peaks import Peaks; from timeit import repeat\n"
        "peaks, a = Peaks(1), np.ones((1024, 1024), np.float32)\n"
        "turns = [(peaks.flops('f32_wide', 0.05), 2 * 1024**3 / min(repeat(lambda: a @ a, number=1, repeat=3))) "
        "for _ in range(7)]\n"
        "print(max(product for _, product in turns) / max(peak for peak, _ in turns))\n"
    )
    done = program.start(program.folder / "share.py")
    assert done.returncode == 0, done.stderr
    assert 0.6 < float(done.stdout) < 1.05


def test_layers_are_timed_beside_torch_that_gives_the_same(program):
    pytest.importorskip("torch", reason="torch is not installed")
    done = program("layers", "--rounds", "1", "--only", "encoder")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"encoder +pyattn \d+\.\d ms; torch \d+\.\d\d×(, OpenVINO \d+\.\d\d×)?\n", done.stdout
    )


@pytest.mark.alone
def test_all_engines_give_the_same_sentence_vectors(program):
    for name in ("tokenizers", "safetensors", "pyattn.models"):
        pytest.importorskip(name, reason="the sentence benchmark needs pyattn[models]")
    from pyattn.models import ModelNotAvailable
    from pyattn.models.fetch import model_folder

    try:
        folder = model_folder(show_progress=False)
    except ModelNotAvailable as reason:
        pytest.skip(str(reason))
    document = program.measure("sentences", "--quick", "--model", str(folder))
    for work in document["works"]:
        statuses = {name: engine["status"] for name, engine in work["engines"].items()}
        assert statuses["pyattn"] == "timed"
        assert set(statuses.values()) <= {"timed", "missing"}, json.dumps(statuses)
