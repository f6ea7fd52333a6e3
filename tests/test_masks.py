"""Masks say who sees whom, and combine without contradiction."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyattn

BATCH, HEADS, QUERIES, KEYS, WIDTH = 3, 2, 5, 11, 7


def sees(mask, queries=QUERIES, keys=KEYS, batch=BATCH):
    """Which keys each query attends, read off the weights: (batch, queries, keys)."""
    q, k = np.zeros((batch, HEADS, queries, 1)), np.zeros((batch, HEADS, keys, 1))
    weights = pyattn.attention(q, k, k, mask, return_weights=True)[1]
    np.testing.assert_array_equal(weights[:, 0], weights[:, 1])
    return weights[:, 0] > 0


def rule(left=None, right=None, *, offset, queries=QUERIES, keys=KEYS):
    return np.broadcast_to(
        oracle.band(queries, keys, left, right, offset=offset).reshape(-1, queries, keys),
        (BATCH, queries, keys),
    )


def same(mask, expected, **sizes):
    np.testing.assert_array_equal(sees(mask, **sizes), expected)


# ---- causal ----


def test_bottom_right_lets_the_last_query_see_every_key(isa):
    same(pyattn.causal(), rule(right=0, offset=KEYS - QUERIES))
    same(pyattn.causal("bottom-right"), rule(right=0, offset=KEYS - QUERIES))


def test_top_left_lets_the_first_query_see_the_first_key_only(isa):
    same(pyattn.causal("top-left"), rule(right=0, offset=0))


def test_bottom_right_hides_everything_from_the_first_of_more_queries_than_keys(isa):
    expected = rule(right=0, offset=-6, queries=11, keys=5)
    assert not expected[:, :6].any()
    same(pyattn.causal(), expected, queries=11, keys=5)


@pytest.mark.parametrize("offset", [-100, -QUERIES, -2, -1, 0, 1, KEYS - 1, KEYS, 100])
def test_key_j_is_visible_to_query_i_iff_j_is_at_most_i_plus_offset(offset, isa):
    same(pyattn.causal(offset=offset), rule(right=0, offset=offset))


def test_offset_overrides_align():
    same(pyattn.causal("top-left", offset=2), rule(right=0, offset=2))


@pytest.mark.parametrize("integers", [list, np.array, lambda x: np.array(x, np.uint8).astype(np.int32)])
def test_offset_may_be_one_number_per_batch_item(integers, isa):
    offset = [0, 3, 7]
    same(pyattn.causal(offset=integers(offset)), rule(right=0, offset=offset))


def test_offset_of_each_item_may_be_negative(isa):
    same(pyattn.causal(offset=[-3, 0, -QUERIES]), rule(right=0, offset=[-3, 0, -QUERIES]))


# ---- window ----


@pytest.mark.parametrize("left", [None, 0, 1, 4, 100])
@pytest.mark.parametrize("right", [None, 0, 1, 4, 100])
def test_window_reaches_from_left_to_right_both_included(left, right, isa):
    same(pyattn.window(left, right, offset=2), rule(left, right, offset=2))


def test_window_by_itself_stands_at_the_bottom_right():
    same(pyattn.window(1, 2), rule(1, 2, offset=KEYS - QUERIES))


def test_left_1_is_two_tokens():
    assert set(sees(pyattn.causal() & pyattn.window(1)).sum(axis=-1).ravel()) == {2}


def test_window_takes_align_and_offset_as_causal_does():
    same(pyattn.window(2, 1, align="top-left"), rule(2, 1, offset=0))
    same(pyattn.window(2, 1, offset=[1, 2, 3]), rule(2, 1, offset=[1, 2, 3]))
    same(pyattn.window(align="top-left"), np.ones((BATCH, QUERIES, KEYS), bool))


@pytest.mark.parametrize("far", [10**9, 2**40, 2**63 - 1, 10**30])
def test_a_window_of_any_size_is_accepted(far):
    same(pyattn.window(far, far), np.ones((BATCH, QUERIES, KEYS), bool))
    same(pyattn.window(far, 0, offset=1), rule(right=0, offset=1))


@pytest.mark.parametrize("offset", [2**40, -(2**40), 2**62, -(2**62)])
def test_no_limit_holds_from_any_offset(offset):
    seen = sees(pyattn.window(None, 0, offset=offset))
    assert seen.all() == (offset > 0) and seen.any() == (offset > 0)
    seen = sees(pyattn.window(0, None, offset=offset))
    assert seen.all() == (offset < 0) and seen.any() == (offset < 0)


@pytest.mark.parametrize("far", [2**39, 2**40, 2**41, 2**61])
@pytest.mark.parametrize(("left", "right"), [(0, 0), (-2, 3), (1, -1)])
def test_a_window_far_away_reaches_back_as_far_as_it_says(far, left, right):
    """Offset and reach are beyond every array, their sum is not."""
    same(pyattn.window(far + left, 0, offset=far), rule(left, far, offset=0))
    same(pyattn.window(0, far + right, offset=-far), rule(far, right, offset=0))


# ---- lengths ----


def test_lengths_hide_keys_and_queries_beyond_them(isa):
    mask = pyattn.lengths(keys=[0, 4, KEYS], queries=[QUERIES, 2, 0])
    expected = oracle.within(QUERIES, KEYS, [0, 4, KEYS], [QUERIES, 2, 0])[:, 0]
    same(mask, expected)


def test_one_length_is_for_all_items():
    same(pyattn.lengths(4), np.broadcast_to(np.arange(KEYS) < 4, (BATCH, QUERIES, KEYS)))


@pytest.mark.parametrize("queries", [None, [5, 3, 1]])
def test_bottom_right_is_counted_per_item_from_its_lengths(queries, isa):
    keys = [11, 2, 0]
    offset = oracle.offset_of(QUERIES, KEYS, key_lengths=keys, query_lengths=queries)
    expected = rule(right=0, offset=offset) & oracle.within(QUERIES, KEYS, keys, queries)[:, 0]
    same(pyattn.causal() & pyattn.lengths(keys, queries), expected)
    same(pyattn.lengths(keys, queries) & pyattn.window(None, 0), expected)


def test_top_left_does_not_move_with_lengths():
    expected = rule(right=0, offset=0) & oracle.within(QUERIES, KEYS, [11, 2, 0])[:, 0]
    same(pyattn.causal("top-left") & pyattn.lengths([11, 2, 0]), expected)


def test_lengths_of_2d_and_3d_input_are_one_number():
    q, k = np.zeros((QUERIES, WIDTH)), np.zeros((KEYS, WIDTH))
    for shape in ((), (1,)):
        for lead in (lambda x: x, lambda x: x[None]):
            mask = pyattn.lengths(np.full(shape, 4))
            weights = pyattn.attention(lead(q), lead(k), lead(k), mask, return_weights=True)[1]
            np.testing.assert_array_equal(np.count_nonzero(weights, axis=-1), 4)


def test_the_shorter_of_two_lengths_counts():
    mask = pyattn.lengths([3, 9, 5]) & pyattn.lengths(4)
    same(mask, oracle.within(QUERIES, KEYS, [3, 4, 4])[:, 0])


# ---- boolean arrays and padding ----


@pytest.mark.parametrize(
    "shape",
    [
        (),
        (KEYS,),
        (1,),
        (QUERIES, KEYS),
        (QUERIES, 1),
        (1, KEYS),
        (1, QUERIES, KEYS),
        (BATCH, 1, 1, KEYS),
        (BATCH, 1, QUERIES, KEYS),
        (BATCH, 1, QUERIES, 1),
        (1, BATCH, 1, QUERIES, KEYS),
    ],
)
def test_a_boolean_array_of_any_rank_broadcasts_right_aligned(shape, rng, isa):
    keep = np.asarray(rng.random(shape) < 0.5)
    expected = np.broadcast_to(keep, (1, BATCH, 1, QUERIES, KEYS))[0, :, 0]
    same(keep, expected)


def test_a_boolean_array_may_differ_by_head(rng, isa):
    keep = rng.random((HEADS, 1, KEYS)) < 0.5
    q, k = np.zeros((HEADS, QUERIES, 1)), np.zeros((HEADS, KEYS, 1))
    weights = pyattn.attention(q, k, k, keep, return_weights=True)[1]
    np.testing.assert_array_equal(weights > 0, np.broadcast_to(keep, weights.shape))


def test_any_byte_but_zero_is_true():
    keep = np.array([0, 1, 2, 255] * 5, np.uint8).view(bool)
    same(keep, np.broadcast_to(keep.view(np.uint8) != 0, (BATCH, QUERIES, 20)), keys=20)


@pytest.mark.parametrize("shape", [(KEYS,), (1, KEYS), (BATCH, KEYS), (BATCH, 1)])
def test_padding_is_by_item_and_key(shape, rng, isa):
    keep = rng.random(shape) < 0.5
    same(pyattn.padding(keep), np.broadcast_to(keep.reshape(-1, 1, keep.shape[-1]), (BATCH, QUERIES, KEYS)))


def test_padding_of_several_leading_axes():
    keep = np.random.default_rng(0).random((2, 3, KEYS)) < 0.5
    q, k = np.zeros((2, 3, HEADS, QUERIES, 1)), np.zeros((2, 3, HEADS, KEYS, 1))
    weights = pyattn.attention(q, k, k, pyattn.padding(keep), return_weights=True)[1]
    np.testing.assert_array_equal(weights > 0, np.broadcast_to(keep[:, :, None, None], weights.shape))


# ---- & ----

keep_2d = np.random.default_rng(3).random((QUERIES, KEYS)) < 0.7
PARTS = {
    "causal": lambda: pyattn.causal(),
    "window": lambda: pyattn.window(4, 6),
    "lengths": lambda: pyattn.lengths([11, 7, 2], [5, 4, 3]),
    "padding": lambda: pyattn.padding(np.random.default_rng(4).random((BATCH, KEYS)) < 0.7),
    "array": lambda: pyattn.Mask() & keep_2d,
}


@given(st.lists(st.sampled_from(list(PARTS)), min_size=2, max_size=4))
def test_and_sees_what_all_of_its_parts_see(names):
    """Their corner is that of the lengths among them, if there are any."""
    lengths = PARTS["lengths"]() if "lengths" in names else pyattn.Mask()
    expected = np.logical_and.reduce([sees(PARTS[name]() & lengths) for name in names])
    combined = PARTS[names[0]]()
    for name in names[1:]:
        combined = combined & PARTS[name]()
    same(combined, expected)


def test_arrays_combine_from_either_side():
    same(pyattn.causal() & keep_2d, rule(right=0, offset=6) & keep_2d)
    same(keep_2d & pyattn.causal(), rule(right=0, offset=6) & keep_2d)


def test_combining_changes_neither_mask():
    mask = pyattn.causal()
    _ = mask & pyattn.window(1) & pyattn.lengths(2) & keep_2d
    same(mask, rule(right=0, offset=6))
