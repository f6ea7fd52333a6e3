"""Packed sequences: each as if it were alone."""

import numpy as np
import oracle
import pytest
from oracle import DTYPES, assert_same_bits

import pyattn

HEADS, KV_HEADS, WIDTH, VALUE_WIDTH = 4, 2, 9, 5
QUERIES, KEYS = [3, 0, 61, 1, 8], [7, 2, 61, 1500, 0]  # per sequence
QUERY_OFFSETS, KEY_OFFSETS = np.cumsum([2, *QUERIES]), np.cumsum([1, *KEYS])  # the first rows belong to none


def packed(dtype=np.float32):
    rng = np.random.default_rng(0)
    queries, keys = QUERY_OFFSETS[-1] + 4, KEY_OFFSETS[-1] + 3  # nor do the last
    shapes = (queries, HEADS, WIDTH), (keys, KV_HEADS, WIDTH), (keys, KV_HEADS, VALUE_WIDTH)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def one_by_one(q, k, v, mask_of=lambda i: None, **options):
    """What attention gives for each sequence, put where it belongs."""
    out = np.zeros((*q.shape[:2], v.shape[-1]), q.dtype)
    lse = np.full((q.shape[1], q.shape[0]), -np.inf, oracle.arithmetic(q.dtype))
    for i in range(len(QUERIES)):
        rows, keys = slice(*QUERY_OFFSETS[i : i + 2]), slice(*KEY_OFFSETS[i : i + 2])
        alone = (x.swapaxes(0, 1) for x in (q[rows], k[keys], v[keys]))
        part, lse[:, rows] = pyattn.attention(*alone, mask_of(i), return_lse=True, **options)
        out[rows] = part.swapaxes(0, 1)
    return out, lse


def varlen(q, k, v, mask=None, **options):
    return pyattn.attention_varlen(q, k, v, QUERY_OFFSETS, KEY_OFFSETS, mask, return_lse=True, **options)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_it_equals_a_loop_over_the_sequences(dtype, isa):
    assert_same_bits(varlen(*packed(dtype)), one_by_one(*packed(dtype)))


@pytest.mark.parametrize(
    "mask_of",
    [
        lambda i: pyattn.causal(),
        lambda i: pyattn.causal("top-left") & pyattn.window(5),
        lambda i: pyattn.window(4, 4),
        lambda i: pyattn.causal(offset=[1, 2, 3, 4, -5] if i is None else [1, 2, 3, 4, -5][i]),
        lambda i: (
            pyattn.lengths([5, 2, 44, 1100, 0] if i is None else [5, 2, 44, 1100, 0][i]) & pyattn.causal()
        ),
        lambda i: pyattn.lengths(queries=[2, 0, 61, 0, 8] if i is None else [2, 0, 61, 0, 8][i]),
    ],
    ids=["causal", "top-left, window", "window", "offsets", "key lengths", "query lengths"],
)
def test_a_mask_counts_within_each_sequence(mask_of, isa):
    assert_same_bits(varlen(*packed(), mask_of(None)), one_by_one(*packed(), mask_of))


def test_options_are_those_of_attention(isa):
    options = {
        "bias": pyattn.alibi(HEADS),
        "scale": -0.7,
        "softcap": 2.0,
        "sinks": np.array([0.1, -2.0, 3.0, 0.0]),
    }
    ours, expected = (
        varlen(*packed(), pyattn.causal(), **options),
        one_by_one(*packed(), lambda i: pyattn.causal(), **options),
    )
    inside = slice(QUERY_OFFSETS[0], QUERY_OFFSETS[-1])
    assert_same_bits((ours[0][inside], ours[1][:, inside]), (expected[0][inside], expected[1][:, inside]))


def test_rows_outside_the_offsets_are_zeros_with_an_lse_of_minus_inf():
    q, k, v = packed()
    out = np.full((*q.shape[:2], VALUE_WIDTH), np.nan, np.float32)
    same, lse = varlen(q, k, v, out=out)
    assert same is out and lse.shape == (HEADS, len(q))
    outside = np.r_[: QUERY_OFFSETS[0], QUERY_OFFSETS[-1] : len(q)]
    assert np.all(out[outside] == 0) and np.all(np.isneginf(lse[:, outside]))
    assert np.isfinite(out).all()


def test_nan_outside_the_offsets_has_no_influence():
    q, k, v = packed()
    expected = varlen(q, k, v)
    for x, offsets in ((q, QUERY_OFFSETS), (k, KEY_OFFSETS), (v, KEY_OFFSETS)):
        x[: offsets[0]] = x[offsets[-1] :] = np.nan
    assert_same_bits(varlen(q, k, v), expected)


def test_nan_in_one_sequence_stays_there():
    q, k, v = packed()
    expected = varlen(q, k, v)[0]
    v[KEY_OFFSETS[2] : KEY_OFFSETS[3]] = np.nan
    out = varlen(q, k, v)[0]
    spoiled = slice(*QUERY_OFFSETS[2:4])
    assert np.isnan(out[spoiled]).all()
    assert_same_bits(np.delete(out, spoiled, axis=0), np.delete(expected, spoiled, axis=0))


@pytest.mark.parametrize("integers", [list, np.int32, np.uint64, np.int64])
def test_offsets_may_be_any_integers(integers):
    q, k, v = packed()
    offsets = [x.tolist() if integers is list else x.astype(integers) for x in (QUERY_OFFSETS, KEY_OFFSETS)]
    assert_same_bits(pyattn.attention_varlen(q, k, v, *offsets), varlen(q, k, v)[0])


def test_strided_input_and_output(isa):
    q, k, v = packed()
    expected, _ = varlen(q, k, v)
    buffer = np.zeros((len(q), VALUE_WIDTH, HEADS), np.float32)
    out = buffer.swapaxes(1, 2)[:, ::-1]
    transposed = (x.transpose(2, 0, 1).copy().transpose(1, 2, 0) for x in (q, k, v))
    assert varlen(*transposed, out=out)[0] is out
    np.testing.assert_allclose(out, expected, rtol=1e-6, atol=1e-6)


def test_no_sequences_give_zeros():
    q, k, v = packed()
    assert np.all(pyattn.attention_varlen(q, k, v, [0], [0]) == 0)


@pytest.mark.parametrize("sequences", [1, 300])
def test_many_short_sequences(sequences, rng, isa):
    x = rng.standard_normal((3 * sequences, 2, 8)).astype(np.float32)
    offsets = np.arange(0, 3 * sequences + 1, 3)
    batch = x.reshape(sequences, 3, 2, 8).swapaxes(1, 2)
    expected = pyattn.attention(batch, batch, batch).swapaxes(1, 2).reshape(x.shape)
    assert_same_bits(pyattn.attention_varlen(x, x, x, offsets, offsets), expected)


X = np.ones((7, 2, 8), np.float32)
O = [0, 3, 7]  # noqa: E741


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((X[0], X, X, O, O), {}, ValueError, r"are \(total, heads, width\).*query \(2, 8\)"),
        ((X[None], X, X, O, O), {}, ValueError, r"query \(1, 7, 2, 8\)"),
        ((X, X, X, [0, 3, 8], O), {}, ValueError, r"query_offsets must rise .* at most 7 .*entry 2 is 8"),
        ((X, X, X, O, [0, 4, 3]), {}, ValueError, "key_offsets must rise .*entry 2 is 3"),
        ((X, X, X, [-1, 7], [0, 7]), {}, ValueError, "query_offsets must rise from 0"),
        ((X, X, X, O, [0, 7]), {}, ValueError, "key_offsets describes 1 sequences and query_offsets 2"),
        ((X, X, X, [0.0, 7.0], [0, 7]), {}, TypeError, "query_offsets holds float64; expected whole numbers"),
        ((X, X, X, 7, [0, 7]), {}, ValueError, r"query_offsets has shape \(\); expected \(sequences \+ 1,\)"),
        ((X, X, X, [[0, 7]], [0, 7]), {}, ValueError, r"query_offsets has shape \(1, 2\)"),
        (
            (X, X, X, O, O, np.ones((7, 7), bool)),
            {},
            ValueError,
            "mask is a boolean array; packed sequences have no",
        ),
        (
            (X, X, X, O, O),
            {"bias": np.ones((7, 7))},
            ValueError,
            r"bias is an array; packed .*only alibi\(\)",
        ),
        (
            (X, X, X, O, O, pyattn.lengths([3, 5])),
            {},
            ValueError,
            r"lengths\(keys\) has 5 for batch item 1; .*0 to 4",
        ),
        ((X, X, X, O, O, np.ones((7, 7))), {}, TypeError, "mask .*bias="),
        ((X, X[:, :1], X, O, O), {}, ValueError, "same number of heads"),
        ((X, X.astype(np.float64), X, O, O), {}, TypeError, "must share one dtype"),
        (
            (X, X, X, O, O),
            {"out": X[:, :1].copy()},
            ValueError,
            r"out has shape \(7, 1, 8\); expected \(7, 2, 8\)",
        ),
        ((X, X, X, O, O), {"out": X}, ValueError, "out shares memory with query"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(arguments, options, error, message):
    with pytest.raises(error, match="attention_varlen: .*" + message):
        pyattn.attention_varlen(*arguments, **options)


def test_out_is_untouched_when_a_call_is_refused():
    out = np.full_like(X, 5)
    for bad in ({"mask": np.ones((7, 7), bool)}, {"softcap": -1}, {"sinks": np.ones(3)}):
        with pytest.raises(ValueError):
            pyattn.attention_varlen(X, X, X, [1, 3, 6], O, out=out, **bad)
    assert np.all(out == 5)
