"""Laws of rotary position embedding."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyattn.positions import rope, rope_tables

BATCH, HEADS, SEQUENCE, WIDTH = 2, 3, 5, 14
EPS = np.finfo(np.float64).eps

layouts = pytest.mark.parametrize("interleaved", [False, True], ids=["halves", "interleaved"])


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.fixture
def x():
    return normal(BATCH, HEADS, SEQUENCE, WIDTH)


def turned_as_complex_numbers(x, positions, base=10000.0):
    """The definition: neighbours are one complex number, which is multiplied by exp(i · angle)."""
    numbers = np.ascontiguousarray(x, np.float64).view(np.complex128)
    exponents = -2 * np.arange(x.shape[-1] // 2) / x.shape[-1]
    return (numbers * np.exp(1j * np.multiply.outer(positions, base**exponents))).view(np.float64)


def halves_order(width):
    """Where the neighbours (0, 1), (2, 3), … stand once all first members come before all second ones."""
    return np.concatenate([np.arange(0, width, 2), np.arange(1, width, 2)])


@settings(deadline=None)
@given(
    base=st.floats(1.5, 1e6),
    start=st.integers(-10_000, 10_000),
    pairs=st.integers(1, 9),
    seed=st.integers(0, 2**32),
)
def test_it_multiplies_complex_numbers(base, start, pairs, seed):
    x = normal(HEADS, SEQUENCE, 2 * pairs, seed=seed)
    positions = start + np.arange(SEQUENCE)
    exact = turned_as_complex_numbers(x, positions, base)
    assert np.abs(rope(x, positions, base=base, interleaved=True) - exact).max() <= 4 * EPS * np.abs(x).max()


def test_halves_are_neighbours_in_another_order(x):
    order = halves_order(WIDTH)
    np.testing.assert_array_equal(rope(x[..., order]), rope(x, interleaved=True)[..., order])


@layouts
def test_it_keeps_the_length_of_every_vector(x, interleaved):
    lengths = np.linalg.norm(rope(x, interleaved=interleaved), axis=-1)
    np.testing.assert_allclose(lengths, np.linalg.norm(x, axis=-1), rtol=4 * EPS)


@layouts
@pytest.mark.parametrize("shift", [1, 7, -2, 0.5])
def test_scores_depend_on_the_distance_of_query_and_key_only(interleaved, shift):
    q, k = normal(HEADS, SEQUENCE, WIDTH, seed=1), normal(HEADS, 7, WIDTH, seed=2)

    def scores(start):
        here, there = start + np.arange(SEQUENCE), start + np.arange(7)
        return rope(q, here, interleaved=interleaved) @ rope(k, there, interleaved=interleaved).swapaxes(1, 2)

    np.testing.assert_allclose(scores(shift), scores(0), atol=64 * EPS * WIDTH)
    assert not np.allclose(scores(0), q @ k.swapaxes(1, 2))


@layouts
def test_turning_twice_adds_the_positions(x, interleaved):
    once = rope(x, [3, 1, 4, 1, 5], interleaved=interleaved)
    twice = rope(once, [-2, 7, 1, 8, 2], interleaved=interleaved)
    both = rope(x, [1, 8, 5, 9, 7], interleaved=interleaved)
    np.testing.assert_allclose(twice, both, atol=32 * EPS * np.abs(x).max())


@layouts
def test_position_0_changes_nothing(x, interleaved):
    np.testing.assert_array_equal(rope(x, np.zeros(SEQUENCE), interleaved=interleaved), x)


def test_positions_count_from_0_unless_given(x):
    np.testing.assert_array_equal(rope(x), rope(x, np.arange(SEQUENCE)))
    assert not np.allclose(rope(x), x)


def test_decoding_one_by_one_equals_the_whole_sequence(x):
    steps = [rope(x[:, :, i : i + 1], [i]) for i in range(SEQUENCE)]
    np.testing.assert_array_equal(np.concatenate(steps, axis=2), rope(x))


def test_a_batch_is_a_loop_over_its_items(x):
    positions = np.array([[0, 1, 2, 3, 4], [9, 2, 6, 5, 3]])
    items = [rope(item, p) for item, p in zip(x, positions, strict=True)]
    np.testing.assert_array_equal(rope(x, positions), items)


@layouts
def test_a_partial_width_turns_the_first_features_and_leaves_the_rest(x, interleaved):
    turned = rope(x, interleaved=interleaved, rotary_width=6)
    np.testing.assert_array_equal(turned[..., 6:], x[..., 6:])
    np.testing.assert_array_equal(turned[..., :6], rope(x[..., :6], interleaved=interleaved))


def test_tables_give_what_the_base_gives(x):
    positions = np.array([[0, 1, 2, 3, 4], [9, 2, 6, 5, 3]])
    expected = rope(x, positions, base=500.0, rotary_width=8)
    cos, sin = rope_tables(np.arange(11), 8, base=500.0)
    np.testing.assert_array_equal(rope(x, positions, rotary_width=8, cos=cos, sin=sin), expected)
    picked = rope(x, rotary_width=8, cos=cos[positions], sin=sin[positions])
    np.testing.assert_array_equal(picked, expected)


def test_tables_may_hold_other_than_cosines_and_sines(x):
    """Long-context schemes stretch them; they are used as given."""
    cos, sin = normal(SEQUENCE, WIDTH // 2, seed=3), normal(SEQUENCE, WIDTH // 2, seed=4)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = rope(x, interleaved=True, cos=cos, sin=sin)
    np.testing.assert_array_equal(turned[..., 0::2], a * cos - b * sin)
    np.testing.assert_array_equal(turned[..., 1::2], a * sin + b * cos)


@layouts
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_each_dtype_is_rounded_once(dtype, interleaved):
    x = normal(HEADS, SEQUENCE, WIDTH, dtype=dtype)
    turned = rope(x, 1000 + np.arange(SEQUENCE), interleaved=interleaved)
    assert turned.dtype == x.dtype
    exact = rope(x.astype(np.float64), 1000 + np.arange(SEQUENCE), interleaved=interleaved)
    working = EPS if dtype == np.float64 else np.finfo(np.float32).eps
    bound = ml_dtypes.finfo(dtype).eps / 2 * np.abs(exact) + 4 * working * np.abs(exact).max()
    assert np.all(np.abs(turned.astype(np.float64) - exact) <= bound)


def test_float32_is_as_accurate_far_away_as_near():
    x = normal(HEADS, SEQUENCE, WIDTH, dtype=np.float32)
    far = 1_000_000 + np.arange(SEQUENCE)
    error = rope(x, far, interleaved=True) - turned_as_complex_numbers(x, far)
    assert np.abs(error).max() <= 2 * np.finfo(np.float32).eps * np.abs(x).max()


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.transpose(0, 2, 1, 3).copy().transpose(0, 2, 1, 3),
        lambda x: x[:, :, ::-1].copy()[:, :, ::-1],
        lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
        np.asfortranarray,
    ],
    ids=["sequence before heads", "reversed", "every other", "columns first"],
)
def test_strides_make_no_difference_and_x_is_left_alone(x, view):
    strided = view(x)
    strided.flags.writeable = False
    np.testing.assert_array_equal(rope(strided), rope(x))
    np.testing.assert_array_equal(strided, x)


def test_the_result_keeps_the_layout_of_x(x):
    assert rope(x.swapaxes(1, 2)).swapaxes(1, 2).flags.c_contiguous


def test_no_tokens_is_no_error():
    assert rope(np.ones((HEADS, 0, WIDTH))).shape == (HEADS, 0, WIDTH)


COS, SIN = np.ones((11, WIDTH // 2)), np.zeros((11, WIDTH // 2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rotary_width": 5}, "even and between 2 and x's width 14; got 5"),
        ({"rotary_width": 16}, "got 16"),
        ({"rotary_width": 0}, "got 0"),
        ({"base": 0.0}, "base must be positive"),
        ({"positions": [1, 2]}, r"of shape \(2,\) do not fit x \(2, 3, 5, 14\)"),
        ({"positions": [1]}, r"of shape \(1,\) do not fit"),
        ({"positions": 3}, r"of shape \(\) do not fit"),
        ({"positions": np.ones((3, 5))}, r"of shape \(3, 5\) do not fit"),
        ({"cos": COS}, "cos and sin come together"),
        ({"sin": SIN}, "cos and sin come together"),
        ({"cos": COS, "sin": SIN[:5]}, "must both end in"),
        ({"cos": np.ones((11, WIDTH)), "sin": np.ones((11, WIDTH))}, "pass one half"),
        ({"cos": COS, "sin": SIN}, "do not fit x"),
        ({"cos": COS, "sin": SIN, "positions": [0, 1, 2, 3, 11]}, "from 0 to 11, .* hold positions 0 to 10"),
        ({"cos": COS, "sin": SIN, "positions": [0, 1, 2, 3, -1]}, "from -1 to 3"),
        ({"cos": COS[None], "sin": SIN[None], "positions": [0, 1, 2, 3, 4]}, "2-D cos and sin tables"),
    ],
)
def test_what_does_not_fit_is_refused(x, options, message):
    with pytest.raises(ValueError, match=message):
        rope(x, **options)


def test_positions_of_a_batch_need_an_axis_for_it():
    with pytest.raises(ValueError, match="batch, heads, sequence, width"):
        rope(np.ones((BATCH, SEQUENCE, WIDTH)), np.ones((BATCH, SEQUENCE)))


def test_one_vector_alone_is_refused():
    with pytest.raises(ValueError, match=r"\(\.\.\., sequence, width\), got \(14,\)"):
        rope(np.ones(WIDTH))


def test_integers_are_refused():
    with pytest.raises(TypeError, match="x has dtype int64"):
        rope(np.ones((SEQUENCE, WIDTH), np.int64))


def test_fractional_positions_cannot_pick_rows(x):
    with pytest.raises(TypeError, match="must be integers, got dtype float64"):
        rope(x, np.arange(5.0), cos=COS, sin=SIN)


@pytest.mark.parametrize("width", [0, 3])
def test_tables_have_whole_pairs(width):
    with pytest.raises(ValueError, match="even and at least 2"):
        rope_tables(np.arange(5), width)


@pytest.mark.parametrize("width", [4.0, True, "4"])
def test_a_rotary_width_is_a_whole_number(x, width):
    with pytest.raises(TypeError, match=f"rotary_width must be a whole number, got {width!r}"):
        rope(x, rotary_width=width)
    with pytest.raises(TypeError, match=f"rotary_width must be a whole number, got {width!r}"):
        rope_tables(np.arange(5), width)


@pytest.mark.parametrize("interleaved", [False, True])
def test_it_is_the_formula_of_models_in_torch(interleaved):
    """x · cos + turned(x) · sin, as both families write it, in torch."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = torch.from_numpy(normal(BATCH, HEADS, SEQUENCE, WIDTH))
    angles = torch.outer(
        torch.arange(SEQUENCE, dtype=torch.float64),
        10000.0 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH),
    )
    if interleaved:
        angles = angles.repeat_interleave(2, dim=-1)
        turned = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    else:
        angles = torch.cat([angles, angles], dim=-1)
        turned = torch.cat([-x[..., WIDTH // 2 :], x[..., : WIDTH // 2]], dim=-1)
    expected = x * angles.cos() + turned * angles.sin()
    np.testing.assert_allclose(rope(x.numpy(), interleaved=interleaved), expected, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_torch_in_torch_out(dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tensor = torch.from_numpy(normal(HEADS, SEQUENCE, WIDTH)).to(getattr(torch, dtype))
    turned = rope(tensor)
    assert isinstance(turned, torch.Tensor) and turned.dtype == tensor.dtype
    np.testing.assert_allclose(
        turned.double(), rope(tensor.double().numpy()), atol=4 * torch.finfo(tensor.dtype).eps
    )


def test_tables_of_torch_are_tables():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x, cos, sin = torch.ones(1, 2, 3, 4).bfloat16(), torch.zeros(3, 2).bfloat16(), torch.ones(3, 2).bfloat16()
    assert rope(x, cos=cos, sin=sin).dtype == torch.bfloat16
    with pytest.raises(ValueError, match="rope: cos requires a gradient"):
        rope(x, cos=cos.requires_grad_(), sin=sin)


def test_complex_tables_are_refused():
    with pytest.raises(TypeError, match="cos and sin are complex128 and float64; expected real numbers"):
        rope(np.ones((1, 2, 3, 4)), cos=np.ones((3, 2), complex), sin=np.zeros((3, 2)))


@pytest.mark.parametrize("positions", [None, "a", [None], [1j]])
def test_positions_that_are_no_numbers_are_refused(positions):
    """Regression: None became NaN, and every feature with it."""
    with pytest.raises(TypeError, match="positions are .*; expected numbers"):
        rope_tables(positions, 4)
