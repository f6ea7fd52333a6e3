"""The C door: other compiled code gets the very core that Python has, without the GIL and without a way to crash."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cython_door import DTYPES, SIZES, attend, place, problem, same_bits

import pyattn

KEY_LENGTHS, QUERY_LENGTHS = np.array([13, 4]), np.array([3, 5])
SINKS, SLOPES = np.linspace(-1, 2, 6), np.linspace(0.1, 1.2, 6)
KEEP = np.random.default_rng(5).random((2, 1, 5, 13)) < 0.7
BIAS = np.where(np.random.default_rng(7).random((6, 5, 13)) < 0.2, -np.inf, 0.5).astype(np.float32)

# What the door is told, and how the same is said in Python.
TERMS = {
    "nothing": (lambda p: {}, dict),
    "causal": (lambda p: {"right": 0}, lambda: {"mask": pyattn.causal()}),
    "top-left": (lambda p: {"right": 0, "align": p.TOP_LEFT}, lambda: {"mask": pyattn.causal("top-left")}),
    "offset": (
        lambda p: {"right": 0, "align": p.AT_OFFSET, "offset": -2},
        lambda: {"mask": pyattn.causal(offset=-2)},
    ),
    "window": (lambda p: {"left": 2, "right": 1}, lambda: {"mask": pyattn.window(2, 1)}),
    "endless window": (lambda p: {"left": 2**62}, lambda: {"mask": pyattn.window(2**62)}),
    "lengths": (
        lambda p: {"key_lengths": KEY_LENGTHS.ctypes.data, "query_lengths": QUERY_LENGTHS.ctypes.data},
        lambda: {"mask": pyattn.lengths(KEY_LENGTHS, QUERY_LENGTHS)},
    ),
    "keep": (lambda p: {"keep": place(KEEP)}, lambda: {"mask": KEEP}),
    "bias": (lambda p: {"bias": place(BIAS)}, lambda: {"bias": BIAS}),
    "sinks": (lambda p: {"sinks": SINKS.ctypes.data}, lambda: {"sinks": SINKS}),
    "alibi": (lambda p: {"slopes": SLOPES.ctypes.data}, lambda: {"bias": pyattn.alibi(SLOPES)}),
    "softcap": (lambda p: {"softcap": 0.7}, lambda: {"softcap": 0.7}),
    "scale 0": (lambda p: {"scale": 0.0}, lambda: {"scale": 0.0}),
    "scale -2": (lambda p: {"scale": -2.0}, lambda: {"scale": -2.0}),
}  # fmt: skip
TERMS["all at once"] = (
    lambda p: {name: field for key in TOGETHER for name, field in TERMS[key][0](p).items()},
    lambda: {
        "mask": pyattn.window(2, 1) & pyattn.lengths(KEY_LENGTHS, QUERY_LENGTHS) & KEEP,
        "bias": (BIAS, pyattn.alibi(SLOPES)),
        "sinks": SINKS, "softcap": 0.7, "scale": -2.0,
    },
)  # fmt: skip
TOGETHER = ("window", "lengths", "keep", "bias", "alibi", "sinks", "softcap", "scale -2")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("term", TERMS)
def test_the_door_gives_the_bits_of_attention(probe, rng, dtype, term):
    q, k, v = problem(rng, dtype)
    fields, arguments = TERMS[term]
    assert same_bits(attend(probe, q, k, v, **fields(probe)), pyattn.attention(q, k, v, **arguments()))


def test_no_two_of_the_terms_say_the_same(rng):
    q, k, v = problem(rng, "float32")
    answers = {pyattn.attention(q, k, v, **arguments()).tobytes() for name, (_, arguments) in TERMS.items()}
    assert len(answers) == len(TERMS) - 1  # but for a window without an end, which is none


def test_the_door_follows_the_instruction_set_in_use(probe, rng, isa):
    q, k, v = problem(rng, "float32")
    fields, arguments = TERMS["all at once"]
    assert same_bits(attend(probe, q, k, v, **fields(probe)), pyattn.attention(q, k, v, **arguments()))


@pytest.mark.parametrize("bias_dtype", DTYPES)
def test_a_bias_may_have_any_dtype(probe, rng, bias_dtype):
    q, k, v = problem(rng, "float32")
    bias = rng.standard_normal((6, 5, 13)).astype(DTYPES[bias_dtype])
    out = attend(probe, q, k, v, bias=place(bias), bias_dtype=probe.DTYPES[bias_dtype])
    assert same_bits(out, pyattn.attention(q, k, v, bias=bias))


LAYOUTS = {
    "(batch, sequence, heads, width)": lambda x: np.ascontiguousarray(x.swapaxes(1, 2)).swapaxes(1, 2),
    "keys in columns": lambda x: np.ascontiguousarray(x.swapaxes(2, 3)).swapaxes(2, 3),
    "backwards": lambda x: np.ascontiguousarray(x[:, ::-1, ::-1, ::-1])[:, ::-1, ::-1, ::-1],
    "every third": lambda x: np.ascontiguousarray(np.repeat(x, 3, axis=3))[..., ::3],
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_strides_do_not_change_the_answer(probe, rng, dtype, which, layout):
    arrays = [*problem(rng, dtype), np.full((2, 6, 5, 17), 7, dtype=DTYPES[dtype])]
    expected = attend(probe, *arrays[:3])
    arrays[which] = LAYOUTS[layout](arrays[which])
    assert same_bits(np.ascontiguousarray(attend(probe, *arrays)), expected)


@pytest.mark.parametrize("which", range(3))
def test_stride_zero_repeats_an_input(probe, rng, which):
    arrays = list(problem(rng, "float32"))
    arrays[which] = np.broadcast_to(arrays[which][:1], arrays[which].shape)
    expected = pyattn.attention(*map(np.ascontiguousarray, arrays))
    assert same_bits(attend(probe, *arrays), expected)


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("dtype", DTYPES)
def test_contiguous_arrays_need_no_strides(probe, rng, dtype, causal):
    q, k, v = problem(rng, dtype)
    out = np.empty((2, 6, 5, 17), dtype=q.dtype)
    addresses = (x.ctypes.data for x in (q, k, v, out))
    assert probe.contiguous_attention(dtype, *addresses, SIZES, causal, 0) == probe.OK
    assert same_bits(out, pyattn.attention(q, k, v, pyattn.causal() if causal else None))


@pytest.mark.parametrize("dtype", DTYPES)
def test_lse_is_that_of_attention(probe, rng, dtype):
    q, k, v = problem(rng, dtype)
    expected, expected_lse = pyattn.attention(q, k, v, pyattn.causal(offset=-2), return_lse=True)
    wide = np.full((2, 6, 5, 2), 7, dtype=expected_lse.dtype)  # written to every other place
    fields, _ = TERMS["offset"]
    assert same_bits(attend(probe, q, k, v, lse=place(wide[..., :1]), **fields(probe)), expected)
    assert np.array_equal(wide[..., 0], expected_lse)
    assert (wide[..., 1] == 7).all()


@pytest.mark.parametrize("sizes", [(2, 4, 2, 300, 700, 32, 32), (1, 8, 2, 1, 5000, 64, 64)])
def test_any_number_of_threads_gives_the_same_bits(probe, rng, sizes):
    q, k, v = problem(rng, "float32", sizes)
    assert len({attend(probe, q, k, v, threads=n).tobytes() for n in (0, 1, 2, 5, 2**31 - 1)}) == 1


@pytest.mark.parametrize("empty", ["batch", "queries", "keys"])
def test_empty_arrays_may_be_null(probe, empty):
    sizes = list(SIZES)
    sizes[{"batch": 0, "queries": 3, "keys": 4}[empty]] = 0
    query, out = np.ones((2, 6, 5, 11), dtype=np.float32), np.full((2, 6, 5, 17), 7, dtype=np.float32)
    fields = {"query": place(query), "out": place(out)} if empty == "keys" else {}
    assert probe.attention(tuple(sizes), fields) == probe.OK
    assert (out == (0 if empty == "keys" else 7)).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", ["softmax", "log_softmax", "logsumexp"])
def test_rows_are_those_of_softmax_and_its_relatives(probe, rng, dtype, function):
    x = rng.standard_normal((41, 37)).astype(DTYPES[dtype])[::2, ::-3]
    expected = getattr(pyattn, function)(x)
    out = np.empty(expected.shape[::-1], dtype=x.dtype).T
    out_strides = (*out.strides, 0)[:2]
    fields = {"dtype": probe.DTYPES[dtype], "function": probe.FUNCTIONS[function], "x_strides": x.strides}
    code = probe.rows(x.ctypes.data, out.ctypes.data, *x.shape, fields | {"out_strides": out_strides})
    assert code == probe.OK
    assert same_bits(np.ascontiguousarray(out), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax_of_contiguous_rows_may_be_done_in_place(probe, rng, dtype):
    x = rng.standard_normal((700, 31)).astype(dtype)
    expected = pyattn.softmax(x)
    assert probe.softmax(dtype, x.ctypes.data, x.ctypes.data, *x.shape, 0) == probe.OK
    assert same_bits(x, expected)


def test_the_default_number_of_threads_is_that_of_python(probe):
    before = pyattn.get_num_threads()
    assert probe.num_threads() == before
    try:
        pyattn.set_num_threads(before + 1)
        assert probe.num_threads() == before + 1
    finally:
        pyattn.set_num_threads(before)


def test_two_threads_are_in_the_core_at_once(probe, rng):
    q, k, v = problem(rng, "float32")
    outs = np.empty((2, 2, 6, 5, 17), dtype=np.float32)
    here = np.zeros(2, dtype=np.intc)
    places = {"query": place(q), "key": place(k), "value": place(v), "threads": 1}
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(probe.meet, here.ctypes.data, i, SIZES, places | {"out": place(outs[i])}, 10**7)
            for i in (0, 1)
        ]
    assert all(call.result() > 0 for call in calls)
    assert all(same_bits(out, pyattn.attention(q, k, v)) for out in outs)
