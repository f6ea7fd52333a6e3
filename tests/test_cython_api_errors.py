"""What the C door refuses: every misuse has its code, and leaves the results alone."""

import os
import resource

import numpy as np
import pytest
from cython_door import SIZES, place, problem

SIMPLE_BIAS = np.zeros((6, 5, 13), dtype=np.float32)
NAN, INF = float("nan"), float("inf")
WRONG_FIELDS = [
    ("ARGS", {"size": 8}), ("ARGS", {"size": 2**40}),
    ("NULL", {"query": (0, 0, 0, 0, 0)}), ("NULL", {"key": (0, 0, 0, 0, 0)}),
    ("NULL", {"value": (0, 0, 0, 0, 0)}), ("NULL", {"out": (0, 0, 0, 0, 0)}),
    ("DTYPE", {"dtype": 4}), ("DTYPE", {"dtype": -1}), ("DTYPE", {"bias": place(SIMPLE_BIAS), "bias_dtype": 17}),
    ("SCALE", {"scale": NAN}), ("SCALE", {"scale": -INF}),
    ("SOFTCAP", {"softcap": -1.0}), ("SOFTCAP", {"softcap": INF}), ("SOFTCAP", {"softcap": NAN}),
    ("MASK", {"left": -2}), ("MASK", {"right": -2}), ("MASK", {"align": 3}), ("MASK", {"align": -1}),
    ("THREADS", {"threads": -1}),
]  # fmt: skip
WRONG_SIZES = [
    ("SIZE", {0: -1}), ("SIZE", {1: 0}), ("SIZE", {2: 0}), ("SIZE", {2: -3}), ("SIZE", {3: -1}), ("SIZE", {4: -1}),
    ("SIZE", {5: 0}), ("SIZE", {6: 0}), ("SIZE", {3: 2**62}), ("SIZE", {0: 2**20, 3: 2**30}), ("SIZE", {5: 2**63 - 1}),
    ("HEADS", {1: 7}), ("HEADS", {1: 2}),
]  # fmt: skip


def refused(probe, rng, sizes=SIZES, **fields):
    """The code of a call that must not write anything."""
    q, k, v = problem(rng, "float32")
    out = np.full((2, 6, 5, 17), 7, dtype=np.float32)
    places = {"query": place(q), "key": place(k), "value": place(v), "out": place(out)}
    code = probe.attention(sizes, places | fields)
    assert (out == 7).all()
    return code


@pytest.mark.parametrize("error, fields", WRONG_FIELDS)
def test_a_wrong_argument_is_told_by_a_code(probe, rng, error, fields):
    assert refused(probe, rng, **fields) == probe.ERRORS[error]


@pytest.mark.parametrize("error, changes", WRONG_SIZES)
def test_sizes_that_do_not_fit_are_told_by_a_code(probe, rng, error, changes):
    sizes = tuple(changes.get(i, n) for i, n in enumerate(SIZES))
    assert refused(probe, rng, sizes) == probe.ERRORS[error]
    assert probe.contiguous_attention("float64", 0, 0, 0, 0, sizes, 0, 0) == probe.ERRORS[error]


@pytest.mark.parametrize("field, wrong", [("key_lengths", 14), ("key_lengths", -1), ("query_lengths", 6)])
def test_lengths_beyond_the_array_are_told_by_a_code(probe, rng, field, wrong):
    lengths = np.array([2, wrong])
    assert refused(probe, rng, **{field: lengths.ctypes.data}) == probe.ERRORS["LENGTHS"]


@pytest.mark.parametrize("axis", range(4))
def test_results_on_top_of_each_other_are_told_by_a_code(probe, rng, axis):
    out = np.full((2, 6, 5, 17), 7, dtype=np.float32)
    strides = tuple(0 if i == axis else s for i, s in enumerate(out.strides))
    for name in ("out", "lse") if axis < 3 else ("out",):
        assert refused(probe, rng, **{name: (out.ctypes.data, *strides)}) == probe.ERRORS["OUTPUT"]
    assert (out == 7).all()


def test_arguments_that_are_null_are_told_by_a_code(probe):
    assert probe.attention_of_nothing() == probe.ERRORS["NULL"]


def test_halves_are_asked_for_by_their_dtype(probe):
    assert probe.contiguous_attention("float8", 0, 0, 0, 0, SIZES, 0, 0) == probe.ERRORS["DTYPE"]


@pytest.mark.parametrize(
    "error, rows, columns, fields",
    [
        ("ARGS", 3, 5, {"size": 1}), ("DTYPE", 3, 5, {"dtype": 4}), ("FUNCTION", 3, 5, {"function": 3}),
        ("SIZE", -1, 5, {}), ("SIZE", 3, -1, {}), ("SIZE", 2**30, 2**30, {}), ("THREADS", 3, 5, {"threads": -1}),
        ("OUTPUT", 3, 5, {"out_strides": (0, 4)}), ("OUTPUT", 3, 5, {"out_strides": (20, 0)}),
    ],
)  # fmt: skip
def test_wrong_rows_are_told_by_a_code(probe, error, rows, columns, fields):
    x, out = np.ones((3, 5), dtype=np.float32), np.full((3, 5), 7, dtype=np.float32)
    assert probe.rows(x.ctypes.data, out.ctypes.data, rows, columns, fields) == probe.ERRORS[error]
    assert (out == 7).all()
    assert probe.rows(0, out.ctypes.data, 3, 5, {}) == probe.ERRORS["NULL"]
    assert probe.rows(x.ctypes.data, 0, 3, 5, {}) == probe.ERRORS["NULL"]


def test_every_code_has_a_message_of_its_own(probe):
    codes = [probe.OK, *probe.ERRORS.values()]
    messages = {probe.error_message(code) for code in codes}
    assert len(messages) == len(set(codes)) == 15
    unknown = {probe.error_message(code) for code in (-1, max(codes) + 1, 2**31 - 1)}
    assert len(unknown) == 1 and not unknown & messages


@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer ends the process instead"
)
def test_working_space_that_does_not_exist_is_told_by_a_code(probe):
    one = np.ones(1, dtype=np.float32)
    everywhere = (one.ctypes.data, 0, 0, 0, 0)  # a width that only exists by stride 0
    places = {"query": everywhere, "key": everywhere, "value": everywhere, "out": place(one)}
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**37, unlimited[1]))
    try:
        assert probe.attention((1, 1, 1, 1, 1, 2**36, 1), places) == probe.ERRORS["MEMORY"]
    finally:
        resource.setrlimit(resource.RLIMIT_AS, unlimited)
