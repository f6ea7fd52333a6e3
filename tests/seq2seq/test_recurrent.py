"""GRU and LSTM beside torch's."""

import numpy as np
import pytest

from pyattn import seq2seq

BATCH, STEPS, INPUT, HIDDEN = 3, 5, 4, 6
kinds = pytest.mark.parametrize("kind", ["GRU", "LSTM"])


def normal(*shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@kinds
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_layers": 2},
        {"bias": False},
        {"bidirectional": True},
        {"num_layers": 3, "bidirectional": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("lengths", [None, [5, 2, 1]])
def test_it_is_torch_s(kind, dtype, options, lengths):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch_layers import assert_equal_to_rounding, trained

    theirs = trained(getattr(torch.nn, kind)(INPUT, HIDDEN, batch_first=True, **options), dtype)
    ours = getattr(seq2seq, kind).from_state_dict(theirs.state_dict(), INPUT, HIDDEN, **options)
    x = normal(BATCH, STEPS, INPUT, dtype=dtype)
    count = options.get("num_layers", 1) * (2 if options.get("bidirectional") else 1)
    state = tuple(normal(count, BATCH, HIDDEN, dtype=dtype, seed=s) for s in range(1 if kind == "GRU" else 2))
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
        ValueError, match=rf"{kind}: state has shapes \[\(2, 3, 6\)\]; expected . of \(1, 3, 6\)"
    ):
        layer(normal(BATCH, STEPS, INPUT, dtype="float32"), (normal(2, BATCH, HIDDEN, dtype="float32"),))
