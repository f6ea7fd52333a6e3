"""GRU and LSTM beside torch's."""

from itertools import product

import numpy as np
import pytest

from pyattn import seq2seq

BATCH, STEPS, INPUT, HIDDEN = 3, 5, 4, 6
kinds = pytest.mark.parametrize("kind", ["GRU", "LSTM"])


def normal(*shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


OPTIONS = [
    {},
    {"num_layers": 2},
    {"bias": False},
    {"bidirectional": True},
    {"num_layers": 3, "bidirectional": True},
]
PROJECTED = [{"proj_size": 2}, {"proj_size": 1, "num_layers": 2, "bidirectional": True, "bias": False}]
CASES = [*product(["GRU", "LSTM"], OPTIONS), *product(["LSTM"], PROJECTED)]


@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN")
@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lengths", [None, [5, 2, 1]])
def test_it_is_torch_s(kind, dtype, options, lengths):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch_layers import assert_equal_to_rounding, trained

    theirs = trained(getattr(torch.nn, kind)(INPUT, HIDDEN, batch_first=True, **options), dtype)
    ours = getattr(seq2seq, kind).from_state_dict(theirs.state_dict(), INPUT, HIDDEN, **options)
    x = normal(BATCH, STEPS, INPUT, dtype=dtype)
    count = options.get("num_layers", 1) * (2 if options.get("bidirectional") else 1)
    widths = (HIDDEN,) if kind == "GRU" else (options.get("proj_size") or HIDDEN, HIDDEN)
    state = tuple(normal(count, BATCH, width, dtype=dtype, seed=s) for s, width in enumerate(widths))
    given = tuple(map(torch.from_numpy, state))
    with torch.no_grad():
        packing = torch.nn.utils.rnn
        read = (
            torch.from_numpy(x)
            if lengths is None
            else packing.pack_padded_sequence(torch.from_numpy(x), lengths, batch_first=True)
        )
        outputs, last = theirs(read, given[0] if kind == "GRU" else given)
        if lengths is not None:
            outputs, _ = packing.pad_packed_sequence(outputs, batch_first=True)
    found, end = ours(x, state, lengths)
    assert_equal_to_rounding(found, outputs.numpy())
    for mine, other in zip(end, (last,) if kind == "GRU" else last, strict=True):
        assert_equal_to_rounding(mine, other.numpy())


@kinds
def test_in_pieces_equals_at_once(kind):
    layer = getattr(seq2seq, kind).random(INPUT, HIDDEN, 2, dtype="float64")
    x = normal(BATCH, STEPS, INPUT)
    whole, last = layer(x)
    first, between = layer(x[:, :2])
    second, end = layer(x[:, 2:], between)
    np.testing.assert_allclose(np.concatenate([first, second], axis=1), whole, atol=1e-14)
    for a, b in zip(end, last, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)


@kinds
def test_what_does_not_fit_is_named(kind):
    layer = getattr(seq2seq, kind).random(INPUT, HIDDEN)
    with pytest.raises(
        ValueError, match=rf"{kind}: x has shape \(5, 4\); expected \(batch, steps, input_size\)"
    ):
        layer(normal(STEPS, INPUT, dtype="float32"))
    with pytest.raises(
        ValueError, match=rf"{kind}: state is \['float32 \(2, 3, 6\)'\]; expected \['float32 \(1, 3, 6\)'"
    ):
        layer(normal(BATCH, STEPS, INPUT, dtype="float32"), (normal(2, BATCH, HIDDEN, dtype="float32"),))


@kinds
@pytest.mark.parametrize("lengths", [[5, 6, 1], [5, -1, 1], [5, 2], [[5, 2, 1]], [5.0, 2.0, 1.0]], ids=str)
def test_lengths_that_do_not_fit_are_named(kind, lengths):
    layer = getattr(seq2seq, kind).random(INPUT, HIDDEN)
    with pytest.raises(ValueError, match=rf"{kind}: lengths are .*; expected 3 whole numbers from 0 to 5"):
        layer(normal(BATCH, STEPS, INPUT, dtype="float32"), lengths=lengths)


@kinds
def test_a_state_of_another_dtype_is_refused(kind):
    """Regression: the last state came back in it."""
    layer = getattr(seq2seq, kind).random(INPUT, HIDDEN)
    state = (normal(1, BATCH, HIDDEN),) * layer.states
    with pytest.raises(
        ValueError, match=r"state is .*float64 \(1, 3, 6\).* expected .*float32 \(1, 3, 6\)'\], in a tuple"
    ):
        layer(normal(BATCH, STEPS, INPUT, dtype="float32"), state)


@kinds
def test_no_layers_are_refused(kind):
    with pytest.raises(ValueError, match=f"{kind}: num_layers is 0; expected at least 1"):
        getattr(seq2seq, kind)(INPUT, HIDDEN, 0)


@kinds
def test_what_is_padding_has_no_influence(kind):
    layer = getattr(seq2seq, kind).random(INPUT, HIDDEN, 2, bidirectional=True, dtype="float64")
    x, lengths = normal(BATCH, STEPS, INPUT), np.array([5, 2, 0], np.uint8)
    clean, end = layer(x, lengths=lengths)
    x[np.arange(STEPS) >= lengths[:, None]] = np.nan
    dirty, same = layer(x, lengths=lengths)
    np.testing.assert_array_equal(dirty, clean)
    np.testing.assert_array_equal(same, end)
    alone, _ = layer(x[1:2, :2])
    np.testing.assert_allclose(dirty[1, :2], alone[0], atol=1e-14)


@pytest.mark.parametrize("size", [-1, HIDDEN, HIDDEN + 1])
def test_projections_that_widen_are_refused(size):
    with pytest.raises(
        ValueError, match=f"proj_size is {size}; expected less than hidden_size, which is 6, or 0"
    ):
        seq2seq.LSTM(INPUT, HIDDEN, proj_size=size)


def test_parameters_of_a_projection_need_its_size():
    state = seq2seq.LSTM.random(INPUT, HIDDEN, proj_size=2).state_dict()
    with pytest.raises(
        ValueError, match="has a parameter 'weight_hr_l0' of shape .* that this layer does not use"
    ):
        seq2seq.LSTM.from_state_dict(state, INPUT, HIDDEN)
