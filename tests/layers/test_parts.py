"""A batch encoded in parts is the batch encoded at once."""

import threading

import numpy as np
import pytest

import pyattn
from pyattn.layers import Encoder, EncoderLayer, parts

BATCH, SEQUENCE, WIDTH = 5, 7, 24
KEEP = np.random.default_rng(1).random((BATCH, SEQUENCE)) < 0.7


@pytest.fixture
def several(monkeypatch):
    """Threads that do little each; tells which ones there were."""
    pytest.importorskip("threadpoolctl")
    monkeypatch.setattr(parts, "_WORK", 0)
    seen = []
    single = parts.single_threaded_blas
    monkeypatch.setattr(
        parts, "single_threaded_blas", lambda: (seen.append(threading.get_ident()), single())[1]
    )
    before = pyattn.get_num_threads()
    pyattn.set_num_threads(3)
    yield seen
    pyattn.set_num_threads(before)


@pytest.mark.parametrize(
    "mask",
    [
        None,
        pyattn.causal(),
        pyattn.lengths([7, 3, 1, 0, 5]),
        pyattn.lengths(4) & pyattn.window(2),
        pyattn.causal(offset=np.array([0, -1, 2, 5, 1])),
        pyattn.padding(KEEP) & pyattn.causal(),
        pyattn.padding(KEEP[0]),
        KEEP[:, None, None],
        KEEP[:1, None, None],
        np.tril(np.ones((SEQUENCE, SEQUENCE), bool)),
        pyattn.masks.valid_lens(
            np.minimum(np.arange(BATCH * SEQUENCE).reshape(BATCH, SEQUENCE), SEQUENCE), SEQUENCE
        ),
    ],
    ids=[
        "none",
        "causal",
        "lengths",
        "one length",
        "offsets",
        "padding",
        "one padding",
        "items",
        "one",
        "square",
        "each",
    ],
)
@pytest.mark.parametrize("layers", [1, 2])
def test_every_mask_is_divided_with_its_batch(several, mask, layers):
    make = (
        EncoderLayer.random
        if layers == 1
        else lambda *sizes, **options: Encoder.random(layers, *sizes, **options)
    )
    layer = make(WIDTH, 4, dim_feedforward=30, dtype="float64")
    x = np.random.default_rng(0).standard_normal((BATCH, SEQUENCE, WIDTH))
    whole, _ = layer(x, mask, return_weights=True)  # is never divided
    assert not several
    np.testing.assert_allclose(layer(x, mask), whole, atol=1e-13)
    assert several


def test_an_error_in_a_part_comes_out(several):
    layer = EncoderLayer.random(WIDTH, 4, 30)
    with pytest.raises(TypeError, match="query has dtype float64"):
        layer(np.ones((BATCH, SEQUENCE, WIDTH)))
    assert parts.threads() == 3
