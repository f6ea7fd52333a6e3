"""What is masked has no influence at all, even NaN and inf; what is attended spreads to its own rows only."""

import numpy as np
import oracle
import pytest
from oracle import BFLOAT16, DTYPES, assert_same_bits

import pyattn

HEADS, WIDTH, VALUE_WIDTH = 2, 5, 19
SIZES = {  # each takes another way through the kernels
    "many queries": (59, 137),
    "few queries": (2, 41),
    "few queries, keys split": (2, 1301),
    "many queries, keys split": (31, 1301),
}
POISON = [np.nan, np.inf, -np.inf]


def random_keep(queries, keys):
    keep = np.random.default_rng(1).random((queries, keys)) < 0.6
    keep[queries // 2] = False
    return keep


def minus_inf_where(hidden):
    return np.where(hidden, -np.inf, 0).astype(np.float32)


def last_hidden(queries, keys, hidden=7):
    return np.broadcast_to(np.arange(keys) < keys - hidden, (queries, keys))


def banded(queries, keys, left=None, right=None, offset=None):
    offset = keys - queries if offset is None else offset
    return oracle.band(queries, keys, left, right, offset=offset)[0]


# name: (mask, bias, which keys each query sees), for so many queries and keys
HIDING = {
    "boolean array": lambda q, k: (random_keep(q, k), None, random_keep(q, k)),
    "one row for all": lambda q, k: (last_hidden(1, k), None, last_hidden(q, k)),
    "padding": lambda q, k: (pyattn.padding(last_hidden(1, k)[0]), None, last_hidden(q, k)),
    "lengths": lambda q, k: (pyattn.lengths(k - 7), None, last_hidden(q, k)),
    "causal": lambda q, k: (pyattn.causal(), None, banded(q, k, right=0)),
    "causal, far": lambda q, k: (pyattn.causal(offset=-9), None, banded(q, k, right=0, offset=-9)),
    "window": lambda q, k: (pyattn.window(3, 2), None, banded(q, k, 3, 2)),
    "window and array": lambda q, k: (
        pyattn.window(30, 20) & random_keep(q, k),
        None,
        banded(q, k, 30, 20) & random_keep(q, k),
    ),
    "bias": lambda q, k: (None, minus_inf_where(~random_keep(q, k)), random_keep(q, k)),
    "one row of bias": lambda q, k: (None, minus_inf_where(~last_hidden(1, k)), last_hidden(q, k)),
    "two biases": lambda q, k: (
        None,
        (minus_inf_where(~random_keep(q, k)), minus_inf_where(~last_hidden(1, k))),
        random_keep(q, k) & last_hidden(q, k),
    ),
    "array and bias": lambda q, k: (
        last_hidden(q, k),
        minus_inf_where(~random_keep(q, k)),
        random_keep(q, k) & last_hidden(q, k),
    ),
}


def inputs(queries, keys, dtype):
    rng = np.random.default_rng(0)
    shapes = (HEADS, queries, WIDTH), (HEADS, keys, WIDTH), (HEADS, keys, VALUE_WIDTH)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def with_rows(x, rows, number):
    x = x.copy()
    x[:, rows] = number
    return x


def specials(x):
    x = np.asarray(x, np.float64)
    return np.isnan(x) + 2 * np.isposinf(x) + 3 * np.isneginf(x)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hiding", HIDING)
def test_nan_and_inf_reach_only_the_rows_that_attend_them(hiding, size, dtype, isa):
    assert_reach_only_their_rows(hiding, *SIZES[size], dtype)


@pytest.mark.parametrize("dtype", [np.float32, BFLOAT16], ids=["float32", "bfloat16"])
@pytest.mark.parametrize("hiding", ["lengths", "window and array"])
def test_rows_that_share_blocks_of_keys_do_not_share_nan(hiding, dtype, isa):
    assert_reach_only_their_rows(hiding, 1600, 150, dtype)


def assert_reach_only_their_rows(hiding, queries, keys, dtype):
    mask, bias, sees = HIDING[hiding](queries, keys)
    q, k, v = inputs(queries, keys, dtype)
    poisoned = [keys // 3, keys - 2]
    attends = sees[:, poisoned].any(axis=1)

    def attend(k, v):
        return pyattn.attention(q, k, v, mask, bias=bias, return_lse=True)

    for where in ("key", "value", "both"):
        spoil_key, spoil_value = where != "value", where != "key"
        spoiled = lambda x, does, number: with_rows(x, poisoned, number) if does else x  # noqa: E731
        clean = attend(spoiled(k, spoil_key, 0), spoiled(v, spoil_value, 0))
        for poison in POISON:
            bad_k, bad_v = spoiled(k, spoil_key, poison), spoiled(v, spoil_value, poison)
            out, lse = attend(bad_k, bad_v)
            name = f"{poison} in {where}"
            assert_same_bits((out[:, ~attends], lse[:, ~attends]), tuple(x[:, ~attends] for x in clean), name)
            exact = oracle.attention(q, bad_k, bad_v, sees=sees).out
            np.testing.assert_array_equal(specials(out), specials(exact), err_msg=name)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("hiding", HIDING)
def test_weights_of_what_is_masked_are_zero_whatever_it_holds(hiding, dtype, isa):
    queries, keys = SIZES["many queries"]
    mask, bias, sees = HIDING[hiding](queries, keys)
    q, k, v = inputs(queries, keys, dtype)
    hidden = [keys // 3, keys - 2]
    blind = ~sees[:, hidden].any(axis=1)

    def attend(number):
        bad_k, bad_v = with_rows(k, hidden, number), with_rows(v, hidden, number)
        return pyattn.attention(q, bad_k, bad_v, mask, bias=bias, return_weights=True)

    clean = attend(0)
    assert np.all(clean[1][:, ~sees] == 0)
    for poison in POISON:
        assert_same_bits(tuple(x[:, blind] for x in attend(poison)), tuple(x[:, blind] for x in clean))


@pytest.mark.parametrize("size", SIZES)
def test_a_later_bias_cannot_bring_back_what_an_earlier_one_masks(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    hidden = ~random_keep(queries, keys)
    expected = pyattn.attention(
        q, k, v, bias=(minus_inf_where(hidden), np.zeros((queries, keys), np.float32))
    )
    for number in POISON:
        second = np.where(hidden, number, 0).astype(np.float32)
        for biases in [(minus_inf_where(hidden), second), (second, minus_inf_where(hidden))]:
            assert_same_bits(pyattn.attention(q, k, v, bias=biases), expected)


@pytest.mark.parametrize("size", SIZES)
def test_bias_that_is_nan_where_the_mask_hides_does_not_count(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    keep = random_keep(queries, keys)
    bias = np.where(keep, 0.5, np.nan).astype(np.float32)
    assert_same_bits(
        pyattn.attention(q, k, v, keep, bias=bias),
        pyattn.attention(q, k, v, keep, bias=np.nan_to_num(bias)),
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.dtype(np.float32), BFLOAT16], ids=str)
def test_nan_in_one_query_stays_in_its_row(size, dtype, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, dtype)
    clean = pyattn.attention(q, k, v)
    q[:, queries - 1, 2] = np.nan
    out = pyattn.attention(q, k, v)
    assert np.isnan(out[:, -1]).all()
    assert_same_bits(out[:, :-1], clean[:, :-1])


@pytest.mark.parametrize("size", SIZES)
def test_nan_in_one_feature_of_a_value_stays_in_that_feature(size, isa):
    q, k, v = inputs(*SIZES[size], np.float32)
    clean = pyattn.attention(q, k, v)
    v[:, 11, 3] = np.nan
    out = pyattn.attention(q, k, v)
    assert np.isnan(out[..., 3]).all()
    assert_same_bits(np.delete(out, 3, axis=-1), np.delete(clean, 3, axis=-1))


@pytest.mark.parametrize("size", SIZES)
def test_queries_beyond_their_length_may_be_nan(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    q[:, -1] = np.nan
    out, lse = pyattn.attention(q, k, v, pyattn.lengths(queries=queries - 1), return_lse=True)
    assert np.all(out[:, -1] == 0) and np.all(np.isneginf(lse[:, -1]))
    assert np.isfinite(out).all()


@pytest.mark.parametrize("size", SIZES)
def test_a_row_whose_attended_scores_are_all_minus_inf_is_nan(size, isa):
    """By value, not by mask: that is what IEEE arithmetic makes of (−inf) − (−inf)."""
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    q[:], k[:] = np.abs(q), -np.inf
    for mask in (None, random_keep(queries, keys)):
        out, lse = pyattn.attention(q, k, v, mask, return_lse=True)
        seeing = np.ones(queries, bool) if mask is None else mask.any(axis=1)
        assert np.isnan(out[:, seeing]).all() and np.all(out[:, ~seeing] == 0)
        assert np.isneginf(lse).all()


@pytest.mark.parametrize("size", SIZES)
def test_scores_of_minus_inf_beside_others_weigh_nothing(size, isa):
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    half = keys // 2
    k[:, half:] = -np.inf
    q = np.abs(q)
    out = pyattn.attention(q, k, v)
    np.testing.assert_allclose(out, pyattn.attention(q, k[:, :half], v[:, :half]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("half", [slice(0, 1024), slice(512, None)], ids=["first", "second"])
def test_keys_that_are_all_nan_reach_the_result_beside_others_that_are_not(size, half, isa):
    """A part of the keys whose scores are all NaN has no largest score: merging must not take it for an empty one."""
    queries, keys = SIZES[size]
    q, k, v = inputs(queries, keys, np.float32)
    k[:, half] = np.nan
    out, lse = pyattn.attention(q, k, v, return_lse=True)
    sees_nan = np.isnan(k).any()
    assert np.isnan(out).all() == sees_nan and np.isnan(lse).all() == sees_nan
