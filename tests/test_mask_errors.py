"""What cannot be a mask is refused where it is made, or by name where it is used."""

import numpy as np
import pytest

import pyattn

X = np.ones((3, 2, 5, 7), np.float32)


def attend(mask):
    return pyattn.attention(X, X, X, mask)


CONFLICTS = [
    (pyattn.causal(), pyattn.causal("top-left")),
    (pyattn.causal(), pyattn.window(3, align="top-left")),
    (pyattn.causal("top-left"), pyattn.window(3, offset=1)),
    (pyattn.causal(offset=2), pyattn.window(3, offset=1)),
    (pyattn.causal(offset=2), pyattn.window(3, align="bottom-right")),
    (pyattn.causal(offset=[1, 2, 3]), pyattn.causal(offset=[1, 2, 4])),
    (pyattn.causal(offset=[1, 2, 3]), pyattn.causal(offset=[1, 2])),
    (pyattn.causal(offset=[1, 2, 3]), pyattn.causal(offset=1)),
]


@pytest.mark.parametrize(("one", "other"), CONFLICTS)
def test_two_masks_with_different_offsets_cannot_be_combined(one, other):
    for a, b in ((one, other), (other, one)):
        with pytest.raises(ValueError, match="different corners .*same align or offset"):
            _ = a & b


AGREEING = [
    (pyattn.causal(), pyattn.window(3)),
    (pyattn.causal(), pyattn.window(3, align="bottom-right")),
    (pyattn.causal("top-left"), pyattn.window(3, align="top-left")),
    (pyattn.causal("top-left"), pyattn.window(3, offset=0)),
    (pyattn.causal(offset=2), pyattn.window(3, offset=2)),
    (pyattn.causal(offset=2), pyattn.window(3, offset=[2, 2, 2])),
    (pyattn.causal(offset=[1, 2, 3]), pyattn.window(3, offset=np.array([1, 2, 3]))),
]


@pytest.mark.parametrize(("one", "other"), AGREEING)
def test_masks_with_one_offset_can_however_it_is_said(one, other):
    np.testing.assert_array_equal(attend(one & other), attend(other & one))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: pyattn.causal("bottom-left"),
            ValueError,
            "align is 'bottom-left'; expected 'bottom-right' or",
        ),
        (lambda: pyattn.window(align="middle"), ValueError, "align is 'middle'"),
        (lambda: pyattn.causal(offset=1.5), TypeError, "offset is 1.5; expected a whole number"),
        (lambda: pyattn.window(-1), ValueError, "left is -1; expected 0 or more, or None for no limit"),
        (lambda: pyattn.window(None, -2), ValueError, "right is -2"),
        (lambda: pyattn.window(1.0), TypeError, "left is 1.0; expected a whole number, or None"),
        (lambda: pyattn.window(True), TypeError, "left is True"),
        (lambda: pyattn.lengths(2.5), TypeError, "lengths: keys is 2.5; expected a whole number"),
        (lambda: pyattn.lengths(queries=[1.0]), TypeError, r"lengths: queries is \[1.0\]"),
        (lambda: pyattn.lengths([1, 2]) & pyattn.lengths([1, 2, 3]), ValueError, r"shapes \(2,\) and \(3,\)"),
        (lambda: pyattn.padding(np.ones(5, int)), TypeError, "padding: keep has dtype int64; expected bool"),
        (lambda: pyattn.padding([1, 0]), TypeError, "padding: keep has dtype int64"),
        (lambda: pyattn.causal() & 3, TypeError, "mask & other is a int; expected a boolean array"),
        (lambda: pyattn.causal() & np.ones(5), TypeError, r"goes to bias="),
        (lambda: np.ones(5) & pyattn.causal(), TypeError, r"goes to bias="),
        (lambda: pyattn.alibi(0), ValueError, "0 heads; expected at least one"),
        (lambda: pyattn.alibi([[1.0]]), ValueError, r"of shape \(1, 1\); expected finite ones, \(heads,\)"),
        (lambda: pyattn.alibi([np.inf, 1.0]), ValueError, "expected finite ones"),
    ],
)
def test_what_makes_no_mask_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (np.ones((5, 5), np.float32), TypeError, r"mask .*float32.* boolean.*bias="),
        (np.ones((5, 5), int), TypeError, r"mask has dtype int64; expected bool.*\.astype\(bool\)"),
        (True, TypeError, "mask is a bool; expected a boolean array"),
        ("causal", TypeError, r"mask is a str; .* or a mask such as pyattn\.causal\(\)"),
        (np.ones((4, 5), bool), ValueError, r"mask has shape \(4, 5\).*broadcast to \(3, 2, 5, 5\)"),
        (np.ones((2, 3, 2, 5, 5), bool), ValueError, r"mask has shape \(2, 3, 2, 5, 5\)"),
        (
            pyattn.padding(np.ones((2, 5), bool)),
            ValueError,
            r"mask has shape \(2, 1, 1, 5\)|mask has shape \(2, 5\)",
        ),
        (pyattn.padding(np.ones(4, bool)), ValueError, r"one entry for each of 5 keys"),
        (
            pyattn.padding(np.ones((3, 2, 5), bool)),
            ValueError,
            r"padding expects \(batch, keys\) or \(keys,\)",
        ),
        (pyattn.lengths(6), ValueError, r"lengths\(keys\) has 6 for batch item 0; expected 0 to 5"),
        (pyattn.lengths([1, 2, -1]), ValueError, r"lengths\(keys\) has -1 for batch item 2"),
        (pyattn.lengths(queries=[0, 9, 0]), ValueError, r"lengths\(queries\) has 9 for batch item 1"),
        (
            pyattn.lengths([1, 2]),
            ValueError,
            r"lengths\(keys\) has shape \(2,\); expected one number per batch item",
        ),
        (
            pyattn.causal(offset=[1, 2]),
            ValueError,
            r"offset has shape \(2,\); expected one number per batch item",
        ),
    ],
)
def test_a_mask_that_does_not_fit_is_refused_by_name(mask, error, message):
    with pytest.raises(error, match="attention: " + ".*" + message):
        attend(mask)


@pytest.mark.parametrize("far", [2**62, 2**63, np.uint64(2**64 - 1), [2**64 - 1] * 3, 2**70], ids=str)
def test_an_offset_beyond_every_array_does_not_wrap_around(far):
    """Regression: a uint64 became a negative offset, and an int that fits no 64 bits was no whole number."""
    np.testing.assert_array_equal(attend(pyattn.causal(offset=far)), attend(None))
    if isinstance(far, int):
        assert np.all(attend(pyattn.causal(offset=-far)) == 0)


def test_an_offset_may_be_of_any_integer_dtype():
    for dtype in "bBhHiIlLqQ":
        offset = np.array([1, 2, 3], dtype)
        np.testing.assert_array_equal(
            attend(pyattn.causal(offset=offset)), attend(pyattn.causal(offset=[1, 2, 3]))
        )


def test_too_many_arrays_in_one_mask_are_refused_with_the_way_out():
    mask = pyattn.Mask()
    for _ in range(9):
        mask = mask & np.ones((5, 5), bool)
    with pytest.raises(ValueError, match="more than 8 boolean arrays; combine some of them"):
        attend(mask)


def test_lengths_of_3d_input_are_not_one_per_head():
    with pytest.raises(ValueError, match=r"lengths\(keys\) has shape \(2,\)"):
        pyattn.attention(X[0], X[0], X[0], pyattn.lengths([1, 2]))


@pytest.mark.parametrize("bad", ["a", {}, ["x"]])
def test_slopes_that_are_no_numbers_are_refused_by_name(bad):
    with pytest.raises(TypeError, match="alibi: heads_or_slopes is a"):
        pyattn.alibi(bad)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"left": "a"}, "left is 'a'; expected a whole number or None"),
        ({"right": 1.5}, r"right is 1\.5; expected a whole number or None"),
        ({"left": True}, "left is True; expected a whole number or None"),
        ({"left": 2**70}, r"left is \d+; expected at most 2\*\*62"),
        ({"align": "x"}, "align is 'x'; expected 'bottom-right' or 'top-left'"),
    ],
    ids=str,
)
def test_a_mask_made_by_hand_is_checked_as_well(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        pyattn.Mask(**arguments)


def test_slopes_made_by_hand_are_checked_as_well():
    with pytest.raises(ValueError, match="expected finite ones"):
        pyattn.Alibi(np.array([np.nan]))
    for heads in (None, True):
        with pytest.raises(TypeError, match=f"heads_or_slopes is {heads}; expected a number of heads"):
            pyattn.alibi(heads)
