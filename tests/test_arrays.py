"""Arrays of other frameworks, in and out."""

import array
import sys
import warnings

import ml_dtypes
import numpy as np
import pytest
from oracle import BFLOAT16, DTYPES

import pyattn

SHAPES = (2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 3)


def inputs(dtype=np.float32):
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape).astype(dtype) for shape in SHAPES]


# ---- what NumPy knows ----


@pytest.mark.parametrize(
    "view", [memoryview, np.asarray, lambda x: x.view(type("Subclass", (np.ndarray,), {}))]
)
def test_anything_with_the_buffer_protocol_is_an_array(view):
    q, k, v = inputs()
    np.testing.assert_array_equal(pyattn.attention(*map(view, (q, k, v))), pyattn.attention(q, k, v))
    keep = np.ones((5, 7), bool)
    np.testing.assert_array_equal(
        pyattn.attention(q, k, v, memoryview(keep)), pyattn.attention(q, k, v, keep)
    )
    flat = array.array("f", [0.0, 1.0])
    np.testing.assert_array_equal(pyattn.softmax(flat), pyattn.softmax(np.array([0, 1], np.float32)))


def test_a_memory_map_is_an_array(tmp_path):
    q, k, v = inputs()
    np.save(tmp_path / "k.npy", k)
    mapped = np.load(tmp_path / "k.npy", mmap_mode="r")
    np.testing.assert_array_equal(pyattn.attention(q, mapped, v), pyattn.attention(q, k, v))


def test_bfloat16_of_ml_dtypes():
    out = pyattn.attention(*inputs(BFLOAT16))
    assert type(out) is np.ndarray and out.dtype == ml_dtypes.bfloat16


class ByDLPack:
    """An array of a framework nobody here has heard of."""

    def __init__(self, x, device=(1, 0)):
        self.x, self.device = x, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)


def test_anything_with_dlpack_is_an_array_and_answered_with_numpy_s():
    q, k, v = inputs()
    out = pyattn.attention(
        *map(ByDLPack, (q, k, v)), ByDLPack(np.ones((5, 7), bool)), bias=ByDLPack(np.zeros((5, 7)))
    )
    assert type(out) is np.ndarray
    np.testing.assert_allclose(out, pyattn.attention(q, k, v), rtol=1e-5, atol=1e-6)


def test_memory_of_dlpack_is_given_back():
    q, k, v = inputs()
    before = sys.getrefcount(q)
    for _ in range(50):
        pyattn.attention(ByDLPack(q), k, v)
    assert sys.getrefcount(q) == before


@pytest.mark.parametrize("device", [(2, 0), (10, 1), (14, 0)], ids=["CUDA", "ROCm", "oneAPI"])
def test_another_device_is_refused_with_the_way_out(device):
    q, k, v = inputs()
    with pytest.raises(TypeError, match=f"key is on another device .*{device[0]}.*move it there first"):
        pyattn.attention(q, ByDLPack(k, device), v)


# ---- torch ----


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def to_torch(torch, x):
    return (
        torch.from_numpy(x.view(np.uint16)).view(torch.bfloat16)
        if x.dtype == BFLOAT16
        else torch.from_numpy(x)
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_torch_in_torch_out(torch, dtype):
    q, k, v = inputs(dtype)
    ours = pyattn.attention(
        *(to_torch(torch, x) for x in (q, k, v)), pyattn.causal(), return_lse=True, return_weights=True
    )
    expected = pyattn.attention(q, k, v, pyattn.causal(), return_lse=True, return_weights=True)
    for one, other in zip(ours, expected, strict=True):
        assert isinstance(one, torch.Tensor) and str(one.dtype) == f"torch.{other.dtype}"
        assert torch.equal(one, to_torch(torch, other))


def test_torch_masks_biases_and_sinks(torch, rng):
    q, k, v = inputs()
    keep, bias, sinks = rng.random((5, 7)) < 0.7, rng.standard_normal((5, 7)), rng.standard_normal(4)
    expected = pyattn.attention(q, k, v, keep, bias=bias, sinks=sinks)
    t = torch.from_numpy
    np.testing.assert_array_equal(
        pyattn.attention(t(q), t(k), t(v), t(keep), bias=t(bias), sinks=t(sinks)).numpy(), expected
    )
    masked = pyattn.attention(q, k, v, pyattn.causal() & keep)
    for mask in (pyattn.causal() & t(keep), t(keep) & pyattn.causal()):
        np.testing.assert_array_equal(pyattn.attention(q, k, v, mask), masked)
    padded = pyattn.attention(q, k, v, pyattn.padding(t(keep[:1])))
    np.testing.assert_array_equal(padded, pyattn.attention(q, k, v, pyattn.padding(keep[:1])))
    bf16 = pyattn.attention(q, k, v, sinks=t(sinks).bfloat16())
    np.testing.assert_array_equal(bf16, pyattn.attention(q, k, v, sinks=sinks.astype(BFLOAT16)))


def test_torch_strides_and_out(torch):
    q, k, v = (torch.from_numpy(x).transpose(1, 2).contiguous().transpose(1, 2) for x in inputs())
    out = torch.zeros(2, 5, 3, 4).permute(0, 3, 1, 2)
    assert pyattn.attention(q, k, v, out=out) is out
    assert torch.equal(out, pyattn.attention(q, k, v))
    assert pyattn.softmax(out, out=out) is out


def test_torch_and_numpy_mix_and_query_decides(torch):
    q, k, v = inputs()
    t = torch.from_numpy
    assert isinstance(pyattn.attention(q, t(k), t(v)), np.ndarray)
    assert isinstance(pyattn.attention(t(q), k, v), torch.Tensor)
    out = np.zeros((2, 4, 5, 3), np.float32)
    assert pyattn.attention(t(q), t(k), t(v), out=out) is out
    assert np.array_equal(out, pyattn.attention(q, k, v))


def test_torch_parameters_go_anywhere_when_gradients_are_off(torch):
    """Regression: sinks and biases are parameters of a model, and were refused even there."""
    q, k, v = inputs()
    bias, sinks = np.linspace(-1, 1, 7, dtype=np.float32), np.linspace(0, 1, 4, dtype=np.float32)
    expected = pyattn.attention(q, k, v, bias=(bias, bias), sinks=sinks)
    packed = q[0].swapaxes(0, 1)
    key, value = (x[0].swapaxes(0, 1) for x in (k, v))
    varlen = pyattn.attention_varlen(packed, key, value, [0, 5], [0, 7], sinks=sinks)

    def parameter(x):
        return torch.nn.Parameter(torch.from_numpy(x))

    with pytest.raises(ValueError, match=r"attention: bias requires a gradient.*no_grad"):
        pyattn.attention(q, k, v, bias=parameter(bias))
    with pytest.raises(ValueError, match=r"attention: sinks requires a gradient.*no_grad"):
        pyattn.attention(q, k, v, sinks=parameter(sinks))
    with torch.no_grad():
        ours = pyattn.attention(
            q, parameter(k), v, bias=(parameter(bias), parameter(bias)), sinks=parameter(sinks)
        )
        np.testing.assert_array_equal(ours, expected)
        ours = pyattn.attention_varlen(packed, key, value, [0, 5], [0, 7], sinks=parameter(sinks))
        np.testing.assert_array_equal(ours, varlen)


def test_a_torch_view_that_negates_its_memory_is_negated(torch):
    """Regression: DLPack hands over the memory without a word, and the signs were lost."""

    def lazily(x):  # x, whose memory holds -x
        view = torch.complex(torch.zeros_like(x), -x).conj().imag
        assert view.is_neg() and torch.equal(view, x)
        return view

    q, k, v = (torch.from_numpy(x) for x in inputs())
    bias, sinks = torch.linspace(-1, 1, 7), torch.linspace(0, 1, 4)
    expected = pyattn.attention(q, k, v, bias=bias, sinks=sinks)
    ours = pyattn.attention(lazily(q), lazily(k), lazily(v), bias=lazily(bias), sinks=lazily(sinks))
    assert torch.equal(ours, expected)
    assert torch.equal(pyattn.softmax(lazily(q)), pyattn.softmax(q))
    with pytest.raises(ValueError, match="out is a view that negates its memory"):
        pyattn.attention(q, k, v, out=lazily(expected))


def test_torch_s_out_may_not_overlap_the_bias_or_the_mask(torch):
    """Regression: only NumPy's arrays were looked at."""
    q, k, v = (torch.ones(3, 6, 8) for _ in range(3))
    for options in (
        {"bias": (out := torch.ones(3, 6, 8))[..., :6]},
        {"mask": out.view(torch.uint8).view(torch.bool)[..., ::4][..., :6]},
    ):
        with pytest.raises(ValueError, match="out shares memory with the mask or bias"):
            pyattn.attention(q, k, v, out=out, **options)
        assert torch.all(out == 1)


@pytest.mark.parametrize("which", range(3))
def test_a_torch_tensor_that_requires_a_gradient_is_refused_unless_gradients_are_off(torch, which):
    call = [torch.from_numpy(x) for x in inputs()]
    expected = pyattn.attention(*call)
    call[which].requires_grad_()
    name = ("query", "key", "value")[which]
    with pytest.raises(ValueError, match=rf"attention: {name} requires a gradient.*\.detach\(\).*no_grad"):
        pyattn.attention(*call)
    with torch.no_grad():
        assert torch.equal(pyattn.attention(*call), expected)
    with torch.inference_mode():
        assert torch.equal(pyattn.attention(*call), expected)


def test_other_functions_answer_torch_with_torch(torch):
    x = torch.randn(6, 2, 8)
    packed, lse = pyattn.attention_varlen(
        x, x, x, torch.tensor([0, 2, 6]), torch.tensor([0, 2, 6]), return_lse=True
    )
    assert isinstance(packed, torch.Tensor) and isinstance(lse, torch.Tensor)
    for ours, theirs in (
        (pyattn.softmax(x), torch.softmax(x, -1)),
        (pyattn.log_softmax(x, 0), torch.log_softmax(x, 0)),
        (pyattn.logsumexp(x), torch.logsumexp(x, -1)),
    ):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: x.to("meta"), "query cannot be read through DLPack"),
        (lambda x: x.to_sparse(), "query cannot be read through DLPack"),
        (lambda x: x.int(), "query has dtype int32; expected float64, float32"),
        (lambda x: x.cfloat(), "query has dtype complex64; expected"),
    ],
    ids=["meta", "sparse", "integers", "complex"],
)
def test_torch_tensors_it_cannot_read_are_refused(torch, change, message):
    q, k, v = map(torch.from_numpy, inputs())
    with pytest.raises(TypeError, match="attention: " + message):
        pyattn.attention(change(q), k, v)


# ---- jax ----


def fake(x):
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode() as mode:
        return mode.from_tensor(x)


def fake_view(x):
    return fake(x.new_ones(2, *x.shape))[1]  # its address is not 0


def freed(x):
    x = x.clone()
    x.untyped_storage().resize_(0)
    return x


@pytest.fixture(params=[fake, fake_view, freed])
def without_memory(request):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Accessing the data pointer of FakeTensor")
        yield request.param


@pytest.mark.parametrize("which", ["query", "key", "value", "mask", "bias", "sinks", "out"])
def test_a_torch_tensor_without_memory_is_refused(torch, without_memory, which):
    """Regression: it was read, at address 0."""
    given = dict(zip(("query", "key", "value"), map(torch.from_numpy, inputs()), strict=True))
    given |= {"mask": torch.ones(5, 7, dtype=torch.bool), "bias": torch.zeros(5, 7), "sinks": torch.zeros(4)}
    given["out"] = torch.zeros(2, 4, 5, 3)
    given[which] = without_memory(given[which])
    with pytest.raises(TypeError, match=f"{which} has a shape and no memory"):
        pyattn.attention(**given)


def test_no_function_reads_a_torch_tensor_without_memory(torch, without_memory):
    x = without_memory(torch.ones(3, 4, 5))
    for call in (
        lambda: pyattn.softmax(x),
        lambda: pyattn.logsumexp(x),
        lambda: pyattn.attention_varlen(x, x, x, [0, 4], [0, 4]),
        lambda: pyattn.scaled_dot_product_attention(x, x, x),
    ):
        with pytest.raises(TypeError, match="has a shape and no memory"):
            call()


@pytest.mark.filterwarnings("ignore:`torch.jit.trace` is deprecated")
def test_a_call_that_is_traced_is_refused(torch):
    """Regression: the trace had an empty tensor for a result."""
    from torch.fx.experimental.proxy_tensor import make_fx

    x = torch.ones(2, 3, 8)
    for trace in (torch.jit.trace, lambda call, x: make_fx(call)(x)):
        for call in (lambda x: pyattn.attention(x, x, x), lambda x: pyattn.softmax(x)):
            with pytest.raises(TypeError, match="the call is being traced"):
                trace(call, x)
    assert isinstance(pyattn.softmax(x), torch.Tensor)


@pytest.fixture
def jax():
    return pytest.importorskip("jax", reason="jax is not installed")


@pytest.mark.parametrize("dtype", DTYPES[1:], ids=str)
def test_jax_in_jax_out(jax, dtype):
    q, k, v = inputs(dtype)
    ours = pyattn.attention(*map(jax.numpy.asarray, (q, k, v)), pyattn.causal(), return_lse=True)
    for one, other in zip(ours, pyattn.attention(q, k, v, pyattn.causal(), return_lse=True), strict=True):
        assert isinstance(one, jax.Array) and one.dtype == other.dtype
        np.testing.assert_array_equal(np.asarray(one), other)


def test_jax_masks_and_softmax(jax, rng):
    q, k, v = inputs()
    keep = rng.random((5, 7)) < 0.7
    ours = jax.numpy.asarray(keep)
    for mask, same in (
        (ours, keep),
        (pyattn.causal() & ours, pyattn.causal() & keep),
        (ours & pyattn.causal(), pyattn.causal() & keep),
    ):
        np.testing.assert_array_equal(pyattn.attention(q, k, v, mask), pyattn.attention(q, k, v, same))
    assert isinstance(pyattn.softmax(jax.numpy.asarray(q)), jax.Array)


def test_a_jax_array_is_never_written_to(jax):
    """Regression: DLPack offers no sign that it must not be."""
    q, k, v = inputs()
    out = jax.numpy.zeros((2, 4, 5, 3))
    for call in (
        lambda: pyattn.attention(q, k, v, out=out),
        lambda: pyattn.softmax(np.zeros(out.shape, np.float32), out=out),
        lambda: pyattn.attention_varlen(q[0], q[0], q[0], [0, 4], [0, 4], out=out),
    ):
        with pytest.raises(ValueError, match="out is a JAX array, which is read-only"):
            call()
    assert not np.asarray(out).any()
