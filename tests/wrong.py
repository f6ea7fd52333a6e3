"""Wrong submissions written as students write them, each with the codes of the mistakes in it."""

import math

import numpy as np


def _weights(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _scores(q, k):
    return np.einsum("...id,...jd->...ij", q, k)


def softmax_first_try(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)


def softmax_of_a_textbook(x, axis=-1):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax_with_eps(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-8)


def softmax_last_axis(x, axis=-1):
    top = x.max(axis=-1, keepdims=True)
    powers = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
    total = powers.sum(axis=-1, keepdims=True)
    return np.where(total == 0, 0, powers / np.where(total == 0, 1, total)).astype(x.dtype)


def softmax_nan_row(x, axis=-1):
    return _weights(x, axis)


def softmax_nan_to_num(x, axis=-1):
    powers = np.exp(np.nan_to_num(x - x.max(axis=axis, keepdims=True), nan=0.0))
    return powers / powers.sum(axis=axis, keepdims=True)


def attention_unscaled(q, k, v):
    weights = _weights(_scores(q, k))
    return np.einsum("...ij,...jd->...id", weights, v), weights


def attention_times(q, k, v):
    weights = _weights(_scores(q, k) * q.shape[-1] ** 0.5)
    return weights @ v, weights


def attention_twice_scaled(q, k, v):
    root = q.shape[-1] ** 0.5
    weights = _weights(_scores(q / root, k / root))
    return weights @ v, weights


def attention_columns(q, k, v):
    weights = _weights(_scores(q, k) / math.sqrt(q.shape[-1]), axis=-2)
    return weights @ v, weights


def attention_scaled_late(q, k, v):
    weights = _weights(_scores(q, k)) / math.sqrt(q.shape[-1])
    return weights @ v, weights


def attention_turned(q, k, v):
    weights = _weights(_scores(k, q) / math.sqrt(q.shape[-1]))
    return weights @ v, weights


def attention_half(q, k, v):
    weights = _weights(_scores(q, k) / math.sqrt(q.shape[-1])).astype(np.float16)
    return (weights @ v.astype(np.float16)).astype(q.dtype), weights.astype(q.dtype)


def attention_unscaled_columns(q, k, v):
    weights = _weights(_scores(q, k), axis=-2)
    return weights @ v, weights


def attention_other_order(q, k, v):
    weights = _weights(_scores(q, k) / math.sqrt(q.shape[-1]))
    return weights, weights @ v


def _masked(q, k, v, causal, valid_lens, fill=-np.inf, strict=0, corner=True, hide=None, flip=False):
    scores = _scores(q, k) / math.sqrt(q.shape[-1])
    queries, keys = scores.shape[-2:]
    visible = np.ones((queries, keys), bool)
    if causal:
        visible = np.tril(visible, k=(keys - queries if corner else 0) - strict)
    if valid_lens is not None:
        lengths = valid_lens[:, None, None] if valid_lens.ndim == 1 else valid_lens[:, :, None]
        visible = visible & (np.arange(keys)[None, None] < lengths)
    if flip and (causal or valid_lens is not None):
        visible = ~visible
    hidden = hide(scores, visible) if hide else np.where(visible, scores, fill).astype(scores.dtype)
    nothing = np.isneginf(hidden).all(axis=-1, keepdims=True)
    weights = _weights(np.where(nothing, 0, hidden).astype(scores.dtype)) * ~nothing
    return weights @ v


def masked_tiny(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, fill=-1e-9)


def masked_low(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, fill=-1e9)


def masked_minus_ten(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, fill=-10.0)


def masked_times(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, hide=lambda scores, visible: scores * visible)


def masked_strict(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, strict=1)


def masked_corner(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, corner=False)


def masked_late(q, k, v, *, causal=False, valid_lens=None):
    weights = _weights(_scores(q, k) / math.sqrt(q.shape[-1]))
    queries, keys = weights.shape[-2:]
    if causal:
        weights = np.tril(weights, k=keys - queries)
    if valid_lens is not None:
        weights = weights * (np.arange(keys) < valid_lens.reshape(len(valid_lens), -1, 1))
    return weights @ v


def masked_queries(q, k, v, *, causal=False, valid_lens=None):
    out = _masked(q, k, v, causal, None)
    if valid_lens is not None:
        out[
            np.broadcast_to(np.arange(q.shape[1]) >= valid_lens.reshape(len(valid_lens), -1), out.shape[:2])
        ] = 0
    return out


def masked_nan(q, k, v, *, causal=False, valid_lens=None):
    def hide(scores, visible):
        scores = scores.copy()
        scores[~np.broadcast_to(visible, scores.shape)] = -np.inf
        scores[np.isneginf(scores).all(axis=-1)] = np.nan
        return scores

    return _masked(q, k, v, causal, valid_lens, hide=hide)


def _blocked(q, k, v, block, factor=np.exp, total_factor=None, stop=None):
    top, total, out = np.full(len(q), -np.inf, q.dtype), np.zeros(len(q), q.dtype), 0
    for start in range(0, stop(len(k), block) if stop else len(k), block):
        scores = q @ k[start : start + block].T / math.sqrt(q.shape[1])
        new = np.maximum(top, scores.max(axis=1))
        powers, shrink = np.exp(scores - new[:, None]), factor(top - new)
        total = total * (total_factor or factor)(top - new) + powers.sum(axis=1)
        out = out * shrink[:, None] + powers @ v[start : start + block]
        top = new
    return out / total[:, None]


def blocked_never_shrunk(q, k, v, block):
    return _blocked(q, k, v, block, factor=np.ones_like)


def blocked_total_kept(q, k, v, block):
    return _blocked(q, k, v, block, total_factor=np.ones_like)


def blocked_whole_blocks(q, k, v, block):
    return (
        _blocked(q, k, v, block, stop=lambda keys, block: keys // block * block) if block <= len(k) else None
    )


def masked_added(q, k, v, *, causal=False, valid_lens=None):
    return _masked(
        q, k, v, causal, valid_lens, hide=lambda s, seen: s + np.where(seen, 0, -1e-9).astype(s.dtype)
    )


def masked_inside_out(q, k, v, *, causal=False, valid_lens=None):
    with np.errstate(all="ignore"):
        hidden = _masked(q, k, v, causal, valid_lens, hide=lambda s, seen: np.where(seen, -np.inf, s))
    return np.nan_to_num(hidden)


def masked_longest(q, k, v, *, causal=False, valid_lens=None):
    longest = None if valid_lens is None else np.full_like(valid_lens, valid_lens.max())
    return _masked(q, k, v, causal, longest)


def masked_one_short(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, None if valid_lens is None else valid_lens - 1)


def attention_by_eight(q, k, v):
    weights = _weights(q @ k.swapaxes(-1, -2) / 8)
    return weights @ v, weights


def attention_values_width(q, k, v):
    weights = _weights(q @ k.swapaxes(-1, -2) / np.sqrt(v.shape[-1]).astype(q.dtype))
    return weights @ v, weights


def attention_half_inputs(q, k, v):
    """Everything in float16, from the inputs on."""
    small = [x.astype(np.float16) for x in (q, k, v)]
    weights = _weights(small[0] @ small[1].swapaxes(-1, -2) / np.float16(q.shape[-1] ** 0.5))
    return (weights @ small[2]).astype(q.dtype), weights.astype(q.dtype)


def blocked_one_maximum(q, k, v, block):
    """A running maximum of all queries together."""
    top, total, output = -np.inf, np.zeros((len(q), 1), q.dtype), np.zeros((len(q), v.shape[1]), q.dtype)
    for start in range(0, len(k), block):
        scores = q @ k[start : start + block].T / np.sqrt(q.shape[1]).astype(q.dtype)
        old, top = top, max(top, scores.max())
        powers = np.exp(scores - top)
        total = total * np.exp(old - top) + powers.sum(axis=1, keepdims=True)
        output = output * np.exp(old - top) + powers @ v[start : start + block]
    return output / total


def softmax_negated(x, axis=-1):
    return _weights(-x, axis)


def softmax_upside_down(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(np.where(top == -np.inf, 0, top).astype(x.dtype) - x)
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax_of_a_matrix(x, axis=-1):
    """Every matrix as a whole, with what an assistant adds against 0/0."""
    both = tuple(range(x.ndim))[-2:]
    top = x.max(axis=both, keepdims=True)
    powers = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
    return powers / powers.sum(axis=both, keepdims=True)


def softmax_eps_above(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
    total = powers.sum(axis=axis, keepdims=True)
    return np.where(total == 0, 0, (powers + 1e-6) / np.where(total == 0, 1, total)).astype(x.dtype)


def softmax_without_anything(x, axis=-1):
    return x


def attention_both_axes(q, k, v):
    weights = _weights(_scores(q, k) / math.sqrt(q.shape[-1]), axis=(-2, -1))
    return weights @ v, weights


def attention_negated(q, k, v):
    weights = _weights(-_scores(q, k) / math.sqrt(q.shape[-1]))
    return weights @ v, weights


def attention_eps_above(q, k, v):
    scores = _scores(q, k) / math.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (powers + 1e-4) / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def _triangle(wrong):
    def program(q, k, v, *, causal=False, valid_lens=None):
        def hide(scores, visible):
            if causal:
                lengths = np.arange(k.shape[1]) < (
                    np.array(k.shape[1]) if valid_lens is None else valid_lens.reshape(len(valid_lens), -1, 1)
                )
                visible = wrong(q.shape[1], k.shape[1]) & lengths
            return np.where(visible, scores, -np.inf).astype(scores.dtype)

        return _masked(q, k, v, causal, valid_lens, hide=hide)

    return program


masked_flipped = _triangle(lambda queries, keys: np.fliplr(np.tri(queries, keys, keys - queries, dtype=bool)))
masked_flipped.__name__ = "masked_flipped"
masked_moved = _triangle(lambda queries, keys: np.tri(queries, keys, queries - keys, dtype=bool))
masked_moved.__name__ = "masked_moved"


def blocked_upside_down(q, k, v, block):
    return _blocked(q, k, v, block, factor=lambda gap: np.exp(-gap))


def blocked_from_the_second(q, k, v, block):
    return _blocked(q, k[block:], v[block:], block) if block < len(k) else None


def blocked_eps_above(q, k, v, block):
    powers = np.exp((scores := q @ k.T / math.sqrt(q.shape[1])) - scores.max(axis=1, keepdims=True))
    return ((powers @ v) + 1e-3) / powers.sum(axis=1, keepdims=True)


def softmax_divided_by_numbers(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True)) / np.sum(x, axis=axis, keepdims=True)


def softmax_shifted_above(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    return np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype)) / np.exp(x).sum(
        axis=axis, keepdims=True
    )


def softmax_of_logits(x, axis=-1):
    return 1 / (1 + np.exp(-x))


def attention_scores(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return _weights(scores) @ v, scores


def attention_twice(q, k, v):
    weights = _weights(_weights(_scores(q, k) / math.sqrt(q.shape[-1])))
    return weights @ v, weights


def attention_root_of_queries(q, k, v):
    weights = _weights(_scores(q, k) / np.sqrt(q.shape[-2]).astype(q.dtype))
    return weights @ v, weights


def masked_by_product(q, k, v, *, causal=False, valid_lens=None):
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    visible = np.ones(scores.shape, bool)
    if causal:
        visible &= np.tri(q.shape[1], k.shape[1], k.shape[1] - q.shape[1], dtype=bool)
    if valid_lens is not None:
        visible &= np.arange(k.shape[1]) < valid_lens.reshape(len(valid_lens), -1, 1)
    if causal or valid_lens is not None:
        scores = scores + (1 - visible.astype(q.dtype)) * -np.inf
    return _weights(scores) @ v


def masked_padding_twice(q, k, v, *, causal=False, valid_lens=None):
    output = _masked(q, k, v, causal, valid_lens)
    if valid_lens is not None and valid_lens.ndim == 1:
        output = output * (np.arange(q.shape[1])[:, None] < valid_lens[:, None, None])
    return output.astype(q.dtype)


def masked_always_causal(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, True, valid_lens)


def masked_plus(q, k, v, *, causal=False, valid_lens=None):
    return _masked(q, k, v, causal, valid_lens, fill=1e9)


def _lengths_of(choose):
    def program(q, k, v, *, causal=False, valid_lens=None):
        return _masked(q, k, v, causal, valid_lens if valid_lens is None else choose(valid_lens))

    return program


masked_last = _lengths_of(lambda lengths: np.broadcast_to(lengths[-1], lengths.shape))
masked_last.__name__ = "masked_last"
masked_shortest = _lengths_of(lambda lengths: np.full_like(lengths, lengths.min()))
masked_shortest.__name__ = "masked_shortest"


def _blocks(q, k, v, block, step):
    top, total = np.full((len(q), 1), -np.inf, q.dtype), np.zeros((len(q), 1), q.dtype)
    output = np.zeros((len(q), v.shape[1]), q.dtype)
    for start in range(0, len(k), block):
        scores = q @ k[start : start + block].T / math.sqrt(q.shape[1])
        new = np.maximum(top, scores.max(axis=1, keepdims=True))
        total, output = step(total, output, np.exp(top - new), scores, new, v[start : start + block])
        top = new
    return output, total


def blocked_own_maximum(q, k, v, block):
    def step(total, output, shrink, scores, new, values):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return total * shrink + powers.sum(axis=1, keepdims=True), output * shrink + powers @ values

    output, total = _blocks(q, k, v, block, step)
    return output / total


def blocked_divided_inside(q, k, v, block):
    def step(total, output, shrink, scores, new, values):
        powers = np.exp(scores - new)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        return total, (output * shrink + powers @ values) / total

    return _blocks(q, k, v, block, step)[0]


def blocked_new_shrunk(q, k, v, block):
    def step(total, output, shrink, scores, new, values):
        powers = np.exp(scores - new) * shrink
        return total + powers.sum(axis=1, keepdims=True), output + powers @ values

    output, total = _blocks(q, k, v, block, step)
    return output / total


def fast_without_last(q, k, v):
    return _weights(_scores(q, k[:, :-1]) / math.sqrt(q.shape[-1])) @ v[:, :-1]


def fast_sum_goes_on(q, k, v):
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    sums = np.cumsum(powers.sum(axis=-1)).reshape(*powers.shape[:-1], 1).astype(q.dtype)
    return powers @ v / sums


def fast_whole_tiles(q, k, v):
    output = np.full((*q.shape[:2], v.shape[2]), np.nan, q.dtype)
    whole = q.shape[1] // 4 * 4
    output[:, :whole] = _weights(_scores(q[:, :whole], k) / math.sqrt(q.shape[-1])) @ v
    return output


def fast_keys_stay(q, k, v):
    return _weights(q @ k[:1].swapaxes(1, 2) / math.sqrt(q.shape[-1])) @ v


WRONG = [
    ("softmax", softmax_first_try, {("no-max",), ("nan-row",), ("no-max", "nan-row"), ("nan-row", "no-max")}),
    ("softmax", softmax_of_a_textbook, {("max-overall",), ("nan-row",), ("max-overall", "nan-row")}),
    ("softmax", softmax_with_eps, {("eps-added",)}),
    ("softmax", softmax_last_axis, {("axis-ignored",)}),
    ("softmax", softmax_nan_row, {("nan-row",)}),
    ("softmax", softmax_nan_to_num, {("even-row",)}),
    ("scaled-dot-product", attention_unscaled, {("no-scale",)}),
    ("scaled-dot-product", attention_times, {("times-root-width",)}),
    ("scaled-dot-product", attention_twice_scaled, {("divided-by-width",)}),
    ("scaled-dot-product", attention_columns, {("wrong-axis",)}),
    ("scaled-dot-product", attention_scaled_late, {("scale-after-softmax",)}),
    ("scaled-dot-product", attention_turned, {("queries-keys-swapped",)}),
    ("scaled-dot-product", attention_half, {("half-precision",)}),
    (
        "scaled-dot-product",
        attention_unscaled_columns,
        {("no-scale", "wrong-axis"), ("no-scale",), ("wrong-axis",)},
    ),
    ("scaled-dot-product", attention_other_order, {("results-swapped",)}),
    ("masking", masked_tiny, {("fill-too-small",)}),
    ("masking", masked_low, {("mean-of-hidden",)}),
    ("masking", masked_minus_ten, {("fill-too-small",)}),
    ("masking", masked_times, {("mask-times-scores",)}),
    ("masking", masked_strict, {("causal-strict",)}),
    ("masking", masked_corner, {("wrong-corner",)}),
    ("masking", masked_late, {("mask-after-softmax",)}),
    ("masking", masked_queries, {("lengths-on-queries",)}),
    ("masking", masked_nan, {("nan-row",)}),
    ("online-softmax", blocked_never_shrunk, {("no-rescale",)}),
    ("online-softmax", blocked_total_kept, {("sum-not-rescaled",)}),
    ("online-softmax", blocked_whole_blocks, {("last-block-dropped",)}),
    ("masking", masked_added, {("bias-too-small",)}),
    ("masking", masked_inside_out, {("visible-hidden",)}),
    ("masking", masked_longest, {("lengths-of-longest",)}),
    ("masking", masked_one_short, {("lengths-one-short",)}),
    ("scaled-dot-product", attention_by_eight, {("fixed-scale",)}),
    ("scaled-dot-product", attention_values_width, {("scaled-by-values",)}),
    ("scaled-dot-product", attention_half_inputs, {("half-precision",)}),
    ("online-softmax", blocked_one_maximum, {("max-overall",)}),
    ("softmax", softmax_negated, {("negated",)}),
    ("softmax", softmax_upside_down, {("max-minus-x",)}),
    ("softmax", softmax_of_a_matrix, {("both-axes",), ("both-axes", "nan-row"), ("nan-row",)}),
    ("softmax", softmax_eps_above, {("eps-above",)}),
    ("softmax", softmax_without_anything, {("no-exp", "not-normalised")}),
    ("scaled-dot-product", attention_both_axes, {("both-axes",)}),
    ("scaled-dot-product", attention_negated, {("scores-negated",)}),
    ("scaled-dot-product", attention_eps_above, {("eps-above",)}),
    ("masking", masked_flipped, {("triangle-mirrored",)}),
    ("masking", masked_moved, {("corner-mirrored",)}),
    ("online-softmax", blocked_upside_down, {("nan-from-the-start",)}),
    ("online-softmax", blocked_from_the_second, {("first-block-dropped",)}),
    ("online-softmax", blocked_eps_above, {("eps-above",)}),
    (
        "softmax",
        softmax_divided_by_numbers,
        {("sum-of-numbers",), ("nan-row",), ("nan-row", "sum-of-numbers")},
    ),
    ("softmax", softmax_shifted_above, {("shifted-above-only",), ("nan-row", "shifted-above-only")}),
    ("softmax", softmax_of_logits, {("sigmoid",)}),
    ("scaled-dot-product", attention_scores, {("scores-returned",)}),
    ("scaled-dot-product", attention_twice, {("softmax-twice",)}),
    ("scaled-dot-product", attention_root_of_queries, {("scaled-by-queries",)}),
    ("masking", masked_by_product, {("zero-times-infinity",)}),
    ("masking", masked_padding_twice, {("padding-asks-nothing",)}),
    ("masking", masked_always_causal, {("causal-always",)}),
    ("masking", masked_plus, {("fill-positive",)}),
    ("masking", masked_last, {("lengths-of-last",)}),
    ("masking", masked_shortest, {("lengths-of-shortest",)}),
    ("online-softmax", blocked_own_maximum, {("block-maximum",)}),
    ("online-softmax", blocked_divided_inside, {("divided-in-every-block",)}),
    ("online-softmax", blocked_new_shrunk, {("new-block-rescaled",)}),
    ("fast-attention", fast_without_last, {("last-key-dropped",)}),
    ("fast-attention", fast_sum_goes_on, {("sum-carried-over",)}),
    ("fast-attention", fast_whole_tiles, {("queries-tail-4",)}),
    ("fast-attention", fast_keys_stay, {("keys-of-first-head",)}),
]
