"""A cache is the sequences' past: whatever way they went into it, attention over it is that over the whole."""

from itertools import pairwise

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyattn
from pyattn import KVCache

BATCH, HEADS, KV_HEADS, WIDTH, VALUE_WIDTH = 3, 4, 2, 5, 7


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def keys_and_values(tokens, dtype=np.float64):
    return normal(BATCH, KV_HEADS, tokens, WIDTH, dtype=dtype), normal(
        BATCH, KV_HEADS, tokens, VALUE_WIDTH, dtype=dtype, seed=1
    )


def new(capacity=11, dtype="float64"):
    return KVCache(BATCH, KV_HEADS, WIDTH, VALUE_WIDTH, capacity=capacity, dtype=dtype)


@given(cuts=st.sets(st.integers(1, 10)))
def test_decoding_in_any_pieces_equals_prefill(cuts):
    (k, v), q, cache = keys_and_values(11), normal(BATCH, HEADS, 11, WIDTH, seed=2), new()
    whole = pyattn.attention(q, k, v, pyattn.causal())
    edges = [0, *sorted(cuts), 11]
    for begin, end in pairwise(edges):
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
        np.testing.assert_allclose(
            cache.attend(q[:, :, begin:end], pyattn.causal()), whole[:, :, begin:end], atol=1e-13
        )


@pytest.mark.parametrize("dtype", oracle.DTYPES, ids=str)
def test_every_floating_type_is_stored_as_it_is(dtype):
    (k, v), cache = keys_and_values(6, dtype), new(dtype=dtype.name)
    cache.append(k, v)
    oracle.assert_same_bits(cache.keys, k)
    q = normal(BATCH, HEADS, 2, WIDTH, dtype=dtype)
    oracle.assert_same_bits(cache.attend(q), pyattn.attention(q, k, v))


def test_sequences_of_unequal_length_are_each_by_themselves():
    (k, v), q, cache = keys_and_values(6), normal(BATCH, HEADS, 2, WIDTH, seed=2), new()
    counts = np.array([6, 1, 3])
    cache.append(k, v, counts)
    more_k, more_v = (
        normal(BATCH, KV_HEADS, 2, WIDTH, seed=3),
        normal(BATCH, KV_HEADS, 2, VALUE_WIDTH, seed=4),
    )
    more = np.array([1, 2, 0])
    cache.append(more_k, more_v, more)
    assert cache.lengths.tolist() == [7, 3, 3]
    out = cache.attend(q, pyattn.causal(), queries=more)
    for item in range(BATCH):
        now = slice(0, more[item])
        whole = [
            np.concatenate([a[item, :, : counts[item]], b[item, :, now]], axis=1)
            for a, b in ((k, more_k), (v, more_v))
        ]
        expected = pyattn.attention(q[item, :, now], *whole, pyattn.causal())
        np.testing.assert_allclose(out[item, :, now], expected, atol=1e-13)
        assert (out[item, :, more[item] :] == 0).all()


def test_what_is_behind_a_sequence_s_end_has_no_influence():
    (k, v), q = keys_and_values(6), normal(BATCH, HEADS, 1, WIDTH, seed=2)
    k[1, :, 2:] = np.nan
    cache = new()
    cache.append(k, v, [6, 6, 6])
    cache.truncate([6, 2, 6])
    assert np.isfinite(cache.attend(q)).all()


def test_truncating_forgets_and_the_room_is_used_again():
    (k, v), q, cache = keys_and_values(6), normal(BATCH, HEADS, 1, WIDTH, seed=2), new(capacity=6)
    cache.append(k, v)
    cache.truncate(4)
    np.testing.assert_allclose(cache.attend(q), pyattn.attention(q, k[:, :, :4], v[:, :, :4]), atol=1e-13)
    cache.append(k[:, :, 4:], v[:, :, 4:])
    np.testing.assert_allclose(cache.attend(q), pyattn.attention(q, k, v), atol=1e-13)


@pytest.mark.parametrize("rows", [[2, 0, 1], [1, 1, 1], [0, 0, 1, 1, 2, 2], [2], [0, 1, 2]])
def test_reordering_takes_sequences_as_often_as_asked(rows):
    (k, v), cache = keys_and_values(6), new()
    cache.append(k, v, [6, 2, 4])
    cache.reorder(rows)
    assert cache.lengths.tolist() == [[6, 2, 4][row] for row in rows]
    q = normal(len(rows), HEADS, 1, WIDTH, seed=2)
    for item, row in enumerate(rows):
        real = slice(0, [6, 2, 4][row])
        alone = pyattn.attention(q[item], k[row, :, real], v[row, :, real])
        np.testing.assert_allclose(cache.attend(q)[item], alone, atol=1e-13)


def test_a_full_cache_says_so_and_stays_as_it_was():
    (k, v), cache = keys_and_values(6), new(capacity=7)
    cache.append(k, v)
    with pytest.raises(ValueError, match="would have 8 tokens and the capacity is 7"):
        cache.append(k[:, :, :2], v[:, :, :2])
    assert cache.lengths.tolist() == [6, 6, 6]


K, V = keys_and_values(2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda c: c.append(K.astype(np.float32), V), TypeError, "key has dtype float32, the cache float64"),
        (
            lambda c: c.append(K[:2], V),
            ValueError,
            r"key has shape \(2, 2, 2, 5\); expected \(3, 2, tokens, 5\)",
        ),
        (lambda c: c.append(K, V[:, :, :1]), ValueError, "2 keys and 1 values"),
        (lambda c: c.append(K, V, [1, 1]), ValueError, "expected 3 whole numbers"),
        (lambda c: c.append(K, V, [1, 3, 1]), ValueError, "expected 0 to 2"),
        (lambda c: c.truncate([0, 0]), ValueError, r"lengths are \[0, 0\]; expected whole numbers"),
        (
            lambda c: c.attend(K[0]),
            ValueError,
            r"attend: query has shape \(2, 2, 5\); expected \(3, query heads",
        ),
        (lambda c: c.attend(K[:2]), ValueError, r"query has shape \(2, 2, 2, 5\); expected \(3, query heads"),
        (
            lambda c: c.attend(K, queries=[1, 3, 1]),
            ValueError,
            r"attend: queries are \[1 3 1\]; expected 0 to 2",
        ),
        (
            lambda c: c.attend(K, queries=[1]),
            ValueError,
            r"attend: queries are \[1\]; expected 3 whole numbers",
        ),
        (lambda c: c.truncate(3), ValueError, r"lengths are 3; expected whole numbers from 0 to \[0, 0, 0\]"),
        (lambda c: c.reorder([0, 3]), ValueError, "expected whole numbers from 0 to 2"),
        (lambda c: KVCache(1, 1, 0, capacity=4), ValueError, "width is 0; expected at least 1"),
        (lambda c: KVCache(1, 1, 4, 0, capacity=4), ValueError, "value_width is 0"),
        (lambda c: KVCache(1, 1, 4, capacity=-1), ValueError, "capacity is -1; expected at least 0"),
        (lambda c: KVCache(1, 1, 4, capacity=4.5), TypeError, "capacity is 4.5; expected a whole number"),
        (lambda c: KVCache("2", 1, 4, capacity=4), TypeError, "batch is '2'; expected a whole number"),
        (lambda c: KVCache(1, 1, 4, capacity=4, dtype="int32"), TypeError, "dtype is int32"),
    ],
)
def test_what_does_not_fit_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call(new())


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int32])
def test_counts_and_lengths_may_be_any_whole_numbers(dtype):
    """Regression: an unsigned count made lengths floats, at which the next call failed."""
    (k, v), cache = keys_and_values(4), new()
    for _ in range(2):
        cache.append(k, v, np.array([4, 1, 2], dtype))
        cache.attend(normal(BATCH, HEADS, 2, WIDTH), queries=np.array([2, 1, 0], dtype))
    assert cache.lengths.dtype == np.int64 and cache.lengths.tolist() == [8, 2, 4]
    cache.truncate(np.array([3, 1, 0], dtype))
    assert cache.lengths.dtype == np.int64 and cache.lengths.tolist() == [3, 1, 0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_torch_tensors_are_stored_and_answered_in_kind(dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    k, v = (torch.from_numpy(x).to(getattr(torch, dtype)) for x in keys_and_values(6))
    q = torch.from_numpy(normal(BATCH, HEADS, 2, WIDTH)).to(k.dtype)
    cache = new(dtype=dtype)
    cache.append(k, v)
    assert torch.equal(cache.attend(q), pyattn.attention(q, k, v))
    with pytest.raises(ValueError, match=r"append: key requires a gradient.*\.detach\(\)"):
        cache.append(k.requires_grad_(), v)


def test_a_cache_takes_what_it_holds_itself():
    (k, v), cache = keys_and_values(3), new()
    cache.append(k, v, [3, 1, 2])
    held = cache.keys.copy(), cache.values.copy()
    cache.append(cache.keys, cache.values, [1, 1, 2])
    for item, (old, more) in enumerate(((3, 1), (1, 1), (2, 2))):
        for mine, before in zip((cache.keys, cache.values), held, strict=True):
            np.testing.assert_array_equal(mine[item, :, old : old + more], before[item, :, :more])


@pytest.mark.parametrize("batch", [0, 1])
def test_an_empty_cache_finds_nothing(batch):
    cache = KVCache(batch, KV_HEADS, WIDTH, VALUE_WIDTH, capacity=0)
    cache.append(
        np.empty((batch, KV_HEADS, 0, WIDTH), np.float32), np.empty((batch, KV_HEADS, 0, 7), np.float32)
    )
    assert (cache.attend(np.ones((batch, HEADS, 2, WIDTH), np.float32)) == 0).all()


@pytest.mark.parametrize("dtype", [">f4", None, "x", "int8", "float128", [1]], ids=str)
def test_a_dtype_that_cannot_be_computed_with_is_refused_at_once(dtype):
    with pytest.raises(
        TypeError, match=r"KVCache: dtype is .*; expected one of float64, float32, float16, bfloat16"
    ):
        KVCache(1, 1, 4, capacity=4, dtype=dtype)


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float64"])
def test_torch_s_dtypes_are_known_by_their_names(name):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert KVCache(1, 1, 4, capacity=4, dtype=getattr(torch, name)).keys.dtype.name == name


def test_no_sequences_have_an_empty_list_of_everything():
    cache, x = KVCache(0, 1, 4, capacity=4), np.ones((0, 1, 2, 4), np.float32)
    cache.append(x, x, [])
    cache.truncate([])
    cache.reorder([])
    assert pyattn.attention(x, x, x, pyattn.lengths([])).shape == (0, 1, 2, 4)
