"""Every misuse says which argument, what came, what was expected and the way out, and leaves `out` untouched."""

import numpy as np
import pytest

import pyattn

Q, K, V = (2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 3)
f4 = np.float32


def ones(shape, dtype=f4):
    return np.ones(shape, dtype)


SHAPES = [
    (((8,), K, V), r"query, key and value need at least 2 axes, \(…, heads, sequence, width\)"),
    ((Q, (2, 2, 7, 9), V), r"query and key must have the same width \(last axis\)"),
    ((Q, K, (2, 2, 6, 3)), "key and value must have the same number of keys"),
    ((Q, K, (2, 1, 7, 3)), "key and value must have the same number of heads"),
    (
        ((2, 3, 5, 8), K, V),
        r"query has 3 heads and key has 2; query heads must be a multiple of key heads \(grouped",
    ),
    (((2, 1, 5, 8), K, V), "query has 1 heads and key has 2"),
    (((3, 4, 5, 8), K, V), "the leading axes do not broadcast against each other"),
    ((Q, K, (3, 2, 7, 3)), "the leading axes do not broadcast"),
    (((2, 4, 5, 0), (2, 2, 7, 0), V), r"the width \(last axis\) must be at least 1"),
    ((Q, K, (2, 2, 7, 0)), r"the width \(last axis\) must be at least 1"),
    (((2, 0, 5, 8), K, V), "there must be at least one head"),
    ((Q, (2, 0, 7, 8), (2, 0, 7, 3)), "there must be at least one head"),
    (((1,) * 18 + Q, K, V), "more than 16 leading axes; reshape some of them together"),
]


@pytest.mark.parametrize(("shapes", "message"), SHAPES)
def test_shapes_that_do_not_fit_are_all_told(shapes, message):
    q, k, v = map(ones, shapes)
    with pytest.raises(ValueError, match="attention: " + message) as error:
        pyattn.attention(q, k, v)
    assert f"Got query {q.shape}, key {k.shape}, value {v.shape}" in str(error.value)


@pytest.mark.parametrize("which", ["query", "key", "value"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            lambda x: x.astype(int),
            r"has dtype int64; expected float64, float32, float16 or bfloat16 .*\.astype",
        ),
        (lambda x: x.astype(bool), "has dtype bool; expected float64"),
        (lambda x: x.astype(np.complex64), "has dtype complex64; expected"),
        (lambda x: x.astype(np.longdouble), "has dtype float128|has dtype longdouble"),
        (lambda x: x.astype(object), "has dtype object; expected"),
        (
            lambda x: x.astype(x.dtype.newbyteorder()),
            r"has dtype >f4 in foreign byte order; convert it with \.astype",
        ),
        (lambda x: x.tolist(), "is a list; expected an array .*numpy.asarray makes one"),
        (lambda x: None, "is a NoneType; expected an array"),
        (lambda x: "text", "is a str; expected an array"),
        (lambda x: b"bytes", "is a bytes; expected an array"),
        (np.ma.masked_array, r"is a masked array, whose mask would be ignored; pass \.data and a mask"),
    ],
)
def test_what_is_no_floating_array_is_refused_by_name(which, bad, message):
    call = dict(zip(("query", "key", "value"), map(ones, (Q, K, V)), strict=True))
    call[which] = bad(call[which])
    with pytest.raises(TypeError, match=f"attention: {which} (?:{message})"):
        pyattn.attention(**call)


@pytest.mark.parametrize("which", range(3))
def test_mixed_dtypes_are_refused_with_the_way_out(which):
    arrays = [ones(shape) for shape in (Q, K, V)]
    arrays[which] = arrays[which].astype(np.float16)
    with pytest.raises(TypeError, match=r"must share one dtype; got .*float16.*\(convert with \.astype\)"):
        pyattn.attention(*arrays)


read_only = ones((2, 4, 5, 3))
read_only.flags.writeable = False
repeated = np.lib.stride_tricks.as_strided(np.ones(3, f4), (2, 4, 5, 3), (0, 0, 0, 4))

OPTIONS = [
    ({"scale": "large"}, TypeError, "scale is a str; expected a number"),
    ({"scale": np.nan}, ValueError, "scale is nan; expected a finite number"),
    ({"scale": -np.inf}, ValueError, "scale is -inf"),
    ({"softcap": 0}, ValueError, "softcap is 0.0*; expected a positive number, or None for no cap"),
    ({"softcap": -2.0}, ValueError, "softcap is -2.0*; expected a positive number"),
    ({"softcap": np.inf}, ValueError, "softcap is inf"),
    ({"softcap": [1.0]}, TypeError, "softcap is a list; expected a number"),
    ({"sinks": ones(2)}, ValueError, "sinks has 2 entries; expected one for each of 4 query heads"),
    ({"sinks": ones((4, 1))}, ValueError, r"sinks has shape \(4, 1\); expected one axis"),
    ({"sinks": ones(4, int)}, TypeError, "sinks has dtype int64; expected float64"),
    ({"sinks": [1.0] * 4}, TypeError, "sinks is a list; expected an array"),
    (
        {"bias": ones((5, 6))},
        ValueError,
        r"bias has shape \(5, 6\), which does not broadcast to \(2, 4, 5, 7\)",
    ),
    ({"bias": ones((3, 1, 5, 7))}, ValueError, r"bias has shape \(3, 1, 5, 7\)"),
    ({"bias": ones((2, 2, 4, 5, 7))}, ValueError, r"bias has shape \(2, 2, 4, 5, 7\)"),
    ({"bias": ones((5, 7), bool)}, TypeError, "bias has dtype bool; a mask .* goes to mask="),
    ({"bias": ones((5, 7), int)}, TypeError, "bias has dtype int64; expected float64"),
    ({"bias": [ones((5, 7))]}, TypeError, "bias is a list; expected an array"),
    ({"bias": 3.0}, TypeError, "bias is a float; expected an array"),
    ({"bias": (ones((5, 7)), ones((5, 6)))}, ValueError, r"bias has shape \(5, 6\)"),
    ({"bias": (ones(7),) * 9}, ValueError, "bias has more than 8 arrays; add some of them first"),
    ({"bias": pyattn.alibi(2)}, ValueError, "bias is alibi for 2 heads; query has 4"),
    ({"mask": ones((5, 7))}, TypeError, "mask .*bias="),
    ({"mask": ones((5, 6), bool)}, ValueError, r"mask has shape \(5, 6\)"),
    ({"mask": pyattn.lengths(8)}, ValueError, r"lengths\(keys\) has 8"),
    ({"return_lse": "no"}, TypeError, "return_lse is a str; expected True or False"),
    ({"return_weights": 2}, TypeError, "return_weights is a int; expected True or False"),
    ({"num_threads": 0}, ValueError, "num_threads is 0; expected at least 1"),
    ({"num_threads": 1.5}, TypeError, "num_threads is 1.5; expected a whole number of at least 1"),
    ({"num_threads": True}, TypeError, "num_threads is True"),
]


@pytest.mark.parametrize(("options", "error", "message"), OPTIONS, ids=lambda x: None)
def test_options_that_do_not_fit_are_refused_by_name_and_out_is_untouched(options, error, message):
    out = np.full((2, 4, 5, 3), 7, f4)
    with pytest.raises(error, match=message) as raised:
        pyattn.attention(ones(Q), ones(K), ones(V), out=out, **options)
    assert "attention: " in str(raised.value) or "num_threads" in options
    assert np.all(out == 7)


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (ones((2, 4, 5, 8)), ValueError, r"out has shape \(2, 4, 5, 8\); expected \(2, 4, 5, 3\)"),
        (ones((4, 5, 3)), ValueError, r"out has shape \(4, 5, 3\); expected \(2, 4, 5, 3\)"),
        (ones((2, 4, 5, 3), np.float64), TypeError, "out has dtype float64; expected float32"),
        (ones((2, 4, 5, 3), int), TypeError, "out has dtype int64"),
        (read_only, ValueError, "out is read-only; expected an array that can be written"),
        (
            repeated,
            ValueError,
            r"out has elements that share memory \(.*\); expected an array of its own",
        ),
        ([1.0], TypeError, "out is a list"),
    ],
    ids=lambda x: None,
)
def test_an_out_that_cannot_take_the_result_is_refused(out, error, message):
    with pytest.raises(error, match="attention: " + message):
        pyattn.attention(ones(Q), ones(K), ones(V), out=out)
    assert np.all(np.asarray(out) == 1)


@pytest.mark.parametrize("which", ["query", "key", "value"])
def test_out_may_not_overlap_an_input(which):
    x = {name: ones((2, 3, 6, 8)) for name in ("query", "key", "value")}
    for out in (x[which], x[which][:, ::-1], x[which].swapaxes(0, 0)):
        with pytest.raises(ValueError, match=f"out shares memory with {which}; expected an array of its own"):
            pyattn.attention(**x, out=out)
    whole = ones((3, 3, 6, 8))
    x[which], out = whole[:2], whole[1:]
    with pytest.raises(ValueError, match=f"out shares memory with {which}"):
        pyattn.attention(**x, out=out)
    assert np.all(whole == 1)


def test_out_may_not_overlap_the_bias():
    q, k, v = ones((3, 6, 8)), ones((3, 8, 8)), ones((3, 8, 8))
    bias = ones((3, 6, 8))
    with pytest.raises(ValueError, match="out shares memory with the mask or bias"):
        pyattn.attention(q, k, v, bias=bias, out=bias)
    assert np.all(bias == 1)


def test_an_overlap_that_is_too_hard_to_rule_out_is_refused_at_once():
    """Regression: deciding exactly whether two strided arrays share an element can take for ever."""
    memory = ones(2**22)
    strided = np.lib.stride_tricks.as_strided
    q = strided(memory, (5, 4, 3, 6, 5), tuple(4 * n for n in (104729, 7919, 1299, 154, 17)))
    out = strided(memory[1:], (5, 4, 3, 6, 5), tuple(4 * n for n in (104723, 7907, 1297, 151, 19)))
    kv = ones((3, 7, 5))
    with pytest.raises(ValueError, match="out shares memory with query"):
        pyattn.attention(q, kv, kv, out=out)


def test_there_are_no_other_positional_arguments():
    with pytest.raises(TypeError, match="positional"):
        pyattn.attention(ones(Q), ones(K), ones(V), None, ones((5, 7)))


def test_an_out_whose_elements_overlap_is_refused():
    """Not by a stride of 0 only: here each row begins one number after the row before."""
    query = ones((1, 50, 8))
    overlapping = np.lib.stride_tricks.as_strided(np.ones(400, np.float32), (1, 50, 8), (4, 4, 4))
    with pytest.raises(ValueError, match="out has elements that share memory"):
        pyattn.attention(query, query, query, out=overlapping)
    strided = np.zeros((8, 50, 2), np.float32)[:, :, 0].T[None]
    assert pyattn.attention(query, query, query, out=strided) is strided


def test_a_scale_beyond_all_floats_is_refused_as_a_number():
    query = ones((1, 5, 8))
    with pytest.raises(ValueError, match="attention: scale is larger than any float"):
        pyattn.attention(query, query, query, scale=10**400)


def test_offsets_without_entries_are_refused_by_their_shape():
    query = ones((5, 1, 8))
    with pytest.raises(ValueError, match=r"query_offsets has shape \(0,\); expected \(sequences \+ 1,\)"):
        pyattn.attention_varlen(query, query, query, [], [])


def test_numpys_true_and_false_are_flags():
    assert len(pyattn.attention(ones(Q), ones(K), ones(V), return_lse=np.True_)) == 2
    assert isinstance(pyattn.attention(ones(Q), ones(K), ones(V), return_lse=np.False_), np.ndarray)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: pyattn.merge_states([x], [np.ones(2)]),
        lambda x: pyattn.additive_attention(x, x, x, np.ones((4, 3)), np.ones((4, 3)), np.ones(4)),
        lambda x: pyattn.concat_attention(x, x, x, np.ones((9, 6)), None, np.ones((4, 6)), None),
        lambda x: pyattn.positions.rope(x[..., :2]),
        lambda x: pyattn.show(x),
        lambda x: pyattn.KVCache(1, 1, 3, capacity=4, dtype="float64").append(x[None, None], x[None, None]),
    ],
)
def test_no_function_loses_the_mask_of_a_masked_array(call):
    """Regression: what is masked holds anything, and was computed with."""
    with pytest.raises(TypeError, match="is a masked array, whose mask would be ignored"):
        call(np.ma.masked_all((2, 3)))
