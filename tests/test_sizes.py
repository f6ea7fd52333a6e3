"""Any size: nothing, one, odd, and further apart than 32 bits can count."""

import numpy as np
import oracle
import pytest
from oracle import DTYPES, eps

import pyattn

dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@dtypes
@pytest.mark.parametrize(
    ("query", "key", "value_width"),
    [
        ((0, 2, 5, 8), (0, 2, 7, 8), 3),
        ((2, 2, 0, 8), (2, 2, 7, 8), 3),
        ((2, 4, 0, 8), (2, 2, 0, 8), 3),
        ((0, 1, 2, 5, 8), (1, 3, 2, 7, 8), 3),
        ((0, 8), (7, 8), 3),
    ],
    ids=str,
)
def test_no_batch_or_no_queries_give_an_empty_result(query, key, value_width, dtype, isa):
    q, k, v = np.ones(query, dtype), np.ones(key, dtype), np.ones(key[:-1] + (value_width,), dtype)
    lead = np.broadcast_shapes(query[:-3], key[:-3])
    heads = query[-3:-2]
    for out in (None, np.ones(lead + heads + (query[-2], value_width), dtype)):
        results = pyattn.attention(q, k, v, return_lse=True, return_weights=True, out=out)
        expected = [lead + heads + (query[-2],) + tail for tail in ((value_width,), (), (key[-2],))]
        assert [x.shape for x in results] == expected


@dtypes
@pytest.mark.parametrize("queries", [1, 40])
def test_no_keys_give_zeros(dtype, queries, isa):
    q, k, v = np.ones((2, queries, 8), dtype), np.ones((2, 0, 8), dtype), np.ones((2, 0, 3), dtype)
    for mask in (None, pyattn.causal(), pyattn.lengths(0), np.ones((queries, 0), bool)):
        out, lse, weights = pyattn.attention(q, k, v, mask, return_lse=True, return_weights=True)
        assert out.shape == (2, queries, 3) and np.all(out == 0)
        assert np.all(np.isneginf(lse)) and weights.shape == (2, queries, 0)
    sinks = np.array([1.5, -2])
    out, lse = pyattn.attention(q, k, v, sinks=sinks, return_lse=True)
    assert np.all(out == 0)
    np.testing.assert_allclose(lse, np.broadcast_to(sinks[:, None], lse.shape), rtol=2 * eps(lse.dtype))


def test_an_empty_out_is_accepted_whatever_its_strides():
    """Regression: a stride of 0, which NumPy gives an empty array, was taken for repeated memory."""
    x = np.ones((0, 2, 5, 8))
    out = np.empty((0, 2, 5, 8))
    assert pyattn.attention(x, x, x, out=out) is out


@dtypes
@pytest.mark.parametrize("width", [*range(1, 18), 31, 33, 63, 64, 65, 127, 129, 257, 600])
def test_any_width(width, dtype, isa):
    """Of queries and keys as of values; the error against the definition stays that of one rounding or so."""
    rng = np.random.default_rng(width)
    for queries, keys in ((1, 140), (50, 33)):
        q, k, v = (rng.standard_normal((2, n, width)).astype(dtype) for n in (queries, keys, keys))
        exact = oracle.attention(q, k, v).out
        assert (
            oracle.max_error(pyattn.attention(q, k, v), exact)
            <= 12 * eps(dtype) * np.abs(exact).max() + 1e-15
        )


LENGTHS = [*range(1, 36), 47, 48, 49, 95, 97, 127, 128, 129, 191, 255, 257, 383, 385, 1023, 1025, 1537]


@pytest.mark.parametrize("keys", LENGTHS)
def test_any_number_of_keys(keys, isa):
    rng = np.random.default_rng(keys)
    for queries in (1, 5, 33):
        q, k, v = (rng.standard_normal((2, n, 8)).astype(np.float32) for n in (queries, keys, keys))
        for mask, sees in (
            (None, True),
            (pyattn.causal(), oracle.band(queries, keys, right=0, offset=keys - queries)),
        ):
            np.testing.assert_allclose(
                pyattn.attention(q, k, v, mask),
                oracle.attention(q, k, v, sees=sees).out,
                rtol=1e-5,
                atol=2e-6,
            )


@pytest.mark.parametrize("queries", LENGTHS)
def test_any_number_of_queries(queries, isa):
    rng = np.random.default_rng(queries)
    q, k, v = (rng.standard_normal((2, n, 8)).astype(np.float32) for n in (queries, 41, 41))
    np.testing.assert_allclose(pyattn.attention(q, k, v), oracle.attention(q, k, v).out, rtol=1e-5, atol=2e-6)


# ---- further apart than 32 bits can count: in a file of which only what is touched takes any space ----

FAR = 2**31 + 128  # elements between rows


@pytest.fixture
def far_apart(tmp_path):
    """A copy of an array whose rows lie `FAR` elements apart in one sparse file."""
    count = iter(range(100))

    def copy(x, axis=-2):
        x = np.moveaxis(x, axis, 0)
        path = tmp_path / f"sparse{next(count)}"
        with path.open("wb") as file:
            try:
                file.truncate(x.shape[0] * FAR * x.itemsize)
            except OSError as error:
                pytest.skip(f"this file system has no sparse files of that size: {error}")
        whole = np.memmap(path, x.dtype, "r+", shape=(x.shape[0], FAR))
        apart = whole[:, : x[0].size].reshape(x.shape)
        assert np.may_share_memory(apart, whole)  # a view
        apart[:] = x
        return np.moveaxis(apart, 0, axis)

    return copy


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), oracle.BFLOAT16], ids=str)
@pytest.mark.parametrize("queries", [2, 5])
@pytest.mark.parametrize("axis", [-1, -2, -3, -4], ids=["features", "rows", "heads", "batch"])
def test_elements_may_lie_billions_apart(dtype, queries, axis, far_apart, isa):
    rng = np.random.default_rng(0)
    call = {
        "query": rng.standard_normal((2, 2, queries, 3)).astype(dtype),
        "key": rng.standard_normal((2, 2, 4, 3)).astype(dtype),
        "value": rng.standard_normal((2, 2, 4, 3)).astype(dtype),
        "mask": rng.random((2, 2, queries, 4)) < 0.8,
        "bias": rng.standard_normal((2, 2, queries, 4)).astype(dtype),
        "out": np.zeros((2, 2, queries, 3), dtype),
    }
    expected = pyattn.attention(**call).copy()
    apart = {name: far_apart(x, axis) for name, x in call.items()}
    apart["out"][...] = 0
    assert pyattn.attention(**apart) is apart["out"]
    np.testing.assert_array_equal(apart["out"], expected)


def test_softmax_reaches_as_far(far_apart):
    x = np.random.default_rng(0).standard_normal((3, 5)).astype(np.float32)
    apart = far_apart(x)
    for axis in (0, 1):
        np.testing.assert_array_equal(pyattn.softmax(apart, axis), pyattn.softmax(x, axis))


@pytest.mark.slow
def test_more_keys_than_31_bits_of_elements_hold(isa):
    """One key repeated 2²⁵ times, of width 70: the mean of equal values is the value."""
    if isa != pyattn.available_isas()[-1]:
        pytest.skip("takes seconds: at the best instruction set only")
    k = np.broadcast_to(np.linspace(-1, 1, 70, dtype=np.float32), (2**25, 70))
    assert k.size > 2**31
    out, lse = pyattn.attention(k[:1], k, k, return_lse=True)
    np.testing.assert_allclose(out, k[:1], rtol=1e-3)  # NumPy is off by 2 %
    np.testing.assert_allclose(lse, 25 * np.log(2) + (k[0] @ k[0]) / np.sqrt(70), rtol=1e-5)
