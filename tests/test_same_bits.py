"""The same problem gives the same bits, whatever the number of threads and whoever shares the batch."""

import numpy as np
import pytest
from oracle import DTYPES, assert_same_bits

import pyattn

HEADS, KV_HEADS, WIDTH, VALUE_WIDTH = 6, 2, 24, 20
SIZES = {  # each is cut into tasks in another way
    "one query": (1, 2900),
    "few queries": (3, 1700),
    "short": (19, 23),
    "many queries": (203, 311),
    "rows in groups": (1100, 150),
    "keys split": (40, 2100),
}
sizes = pytest.mark.parametrize("size", SIZES)
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)
MASKS = {
    "none": lambda batch: None,
    "causal": lambda batch: pyattn.causal(),
    "window": lambda batch: pyattn.window(40, 3),
    "lengths": lambda batch: pyattn.causal() & pyattn.lengths([17, 23, 5, 20, 11][:batch]),
}


def inputs(size, batch, dtype=np.float32, seed=0):
    queries, keys = SIZES[size]
    rng = np.random.default_rng(seed)
    shapes = (HEADS, queries, WIDTH), (KV_HEADS, keys, WIDTH), (KV_HEADS, keys, VALUE_WIDTH)
    return [rng.standard_normal((batch, *shape)).astype(dtype) for shape in shapes]


def attend(q, k, v, mask=None, **options):
    return pyattn.attention(q, k, v, mask, return_lse=True, **options)


@sizes
@dtypes
@pytest.mark.parametrize("mask", ["none", "causal", "window"])
def test_for_any_number_of_threads(size, dtype, mask, isa):
    call = [*inputs(size, 2, dtype), MASKS[mask](2)]
    alone = attend(*call, num_threads=1)
    for threads in (2, 3, 8):
        assert_same_bits(attend(*call, num_threads=threads), alone, f"{threads} threads")


@sizes
def test_for_any_number_of_threads_with_weights_biases_and_sinks(size, rng, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(size, 2)
    options = {
        "bias": (rng.standard_normal((queries, keys)).astype(np.float32), pyattn.alibi(HEADS)),
        "sinks": rng.standard_normal(HEADS),
        "softcap": 2.0,
        "return_weights": True,
    }
    mask = pyattn.window(300, 200) & (rng.random((queries, keys)) < 0.9)
    alone = attend(q, k, v, mask, num_threads=1, **options)
    for threads in (2, 3, 8):
        assert_same_bits(attend(q, k, v, mask, num_threads=threads, **options), alone)


@sizes
@dtypes
def test_for_any_batch_size(size, dtype, isa):
    q, k, v = inputs(size, 5, dtype)
    whole = attend(q, k, v)
    for batch in (1, 2):
        assert_same_bits(attend(q[:batch], k[:batch], v[:batch]), tuple(x[:batch] for x in whole))
    assert_same_bits(attend(q[3], k[3], v[3]), tuple(x[3] for x in whole))


@sizes
@pytest.mark.parametrize("mask", list(MASKS))
def test_for_any_neighbours_in_the_batch(size, mask, isa):
    """Even such as overflow, or hold NaN."""
    q, k, v = inputs(size, 5)
    expected = attend(q, k, v, MASKS[mask](5))
    for number in (np.nan, np.inf, 1e30, 0):
        for x in (q, k, v):
            x[[0, 1, 3, 4]] = number
        changed = attend(q, k, v, MASKS[mask](5))
        assert_same_bits(tuple(x[2] for x in changed), tuple(x[2] for x in expected), f"{number}")


@sizes
def test_for_lengths_given_one_by_one_or_together(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(size, 3)
    lengths = np.array([keys, keys // 2, 1])
    whole = attend(q, k, v, pyattn.causal() & pyattn.lengths(lengths))
    for i in range(3):
        alone = attend(q[i], k[i], v[i], pyattn.causal() & pyattn.lengths(lengths[i]))
        assert_same_bits(alone, tuple(x[i] for x in whole))


@sizes
def test_for_offsets_given_one_by_one_or_together(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(size, 3)
    offsets = np.array([-1, keys // 3, keys])
    whole = attend(q, k, v, pyattn.causal(offset=offsets))
    for i in range(3):
        assert_same_bits(
            attend(q[i], k[i], v[i], pyattn.causal(offset=offsets[i])), tuple(x[i] for x in whole)
        )


@sizes
def test_from_call_to_call(size, isa):
    """Whatever other work the scratch memory was used for in between."""
    q, k, v = inputs(size, 2)
    expected = attend(q, k, v)
    pyattn.attention(*(np.full((2, 300, 90), np.nan, np.float32),) * 3)
    pyattn.attention(*(np.full((2, 1, 300), np.inf),) * 3, pyattn.causal())
    assert_same_bits(attend(q, k, v), expected)
