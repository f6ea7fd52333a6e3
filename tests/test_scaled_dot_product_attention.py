"""torch's function: its signature and its meaning."""

import inspect
import re

import numpy as np
import oracle
import pytest

import pyattn

sdpa = pyattn.scaled_dot_product_attention


@pytest.fixture
def qkv(rng):
    return [
        rng.standard_normal(shape).astype(np.float32) for shape in ((2, 6, 5, 8), (2, 6, 7, 8), (2, 6, 7, 3))
    ]


def test_is_causal_is_top_left(qkv):
    sees = oracle.band(5, 7, right=0, offset=0)
    np.testing.assert_allclose(sdpa(*qkv, is_causal=True), oracle.attention(*qkv, sees=sees).out, atol=1e-6)


def test_a_boolean_mask_takes_part_and_a_float_one_is_added(qkv, rng):
    keep, bias = rng.random((5, 7)) < 0.6, rng.standard_normal((5, 7)).astype(np.float32)
    np.testing.assert_array_equal(sdpa(*qkv, keep), pyattn.attention(*qkv, keep))
    np.testing.assert_array_equal(sdpa(*qkv, bias), pyattn.attention(*qkv, bias=bias))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dropout_p": 0.1}, "dropout_p is 0.1; only 0.0 is supported"),
        (
            {"is_causal": True, "attn_mask": np.ones((5, 7), bool)},
            "is_causal and attn_mask exclude each other",
        ),
    ],
)
def test_what_it_does_not_do_is_refused(qkv, options, message):
    with pytest.raises(ValueError, match=message):
        sdpa(*qkv, **options)


@pytest.mark.parametrize("heads", [1, 2])
def test_fewer_key_heads_need_enable_gqa(qkv, heads):
    q, k, v = qkv[0], qkv[1][:, :heads], qkv[2][:, :heads]
    with pytest.raises(ValueError, match=rf"\[6, {heads}, {heads}\] heads; pass enable_gqa=True"):
        sdpa(q, k, v)
    np.testing.assert_array_equal(sdpa(q, k, v, enable_gqa=True), pyattn.attention(q, k, v))


def test_heads_that_cannot_be_grouped_are_to_be_expanded(rng):
    """Regression: the advice was enable_gqa, which then did not fit either."""
    q, k = rng.standard_normal((3, 1, 5, 8)), rng.standard_normal((3, 4, 7, 8))
    with pytest.raises(ValueError, match=r"\[1, 4, 4\] heads; expand those that have fewer"):
        sdpa(q, k, k)
    np.testing.assert_array_equal(
        sdpa(np.broadcast_to(q, (3, 4, 5, 8)), k, k)[:, 2:3], sdpa(q, k[:, 2:3], k[:, 2:3])
    )


@pytest.mark.parametrize("mask", [np.ones((5, 7), int), [[True]]], ids=["integers", "list"])
def test_a_mask_that_is_neither_is_a_type_error(qkv, mask):
    with pytest.raises(TypeError, match="mask"):
        sdpa(*qkv, mask)


def test_lists_are_refused_as_attention_refuses_them(qkv):
    with pytest.raises(TypeError, match="query is a list; expected an array"):
        sdpa(qkv[0].tolist(), *qkv[1:])


class TestBesideTorch:
    """The same calls, the same answers."""

    @pytest.fixture
    def torch(self):
        return pytest.importorskip("torch", reason="torch is not installed")

    def test_the_signature_is_torch_s(self, torch):
        docstring = (
            torch.nn.functional.scaled_dot_product_attention.__doc__
        )  # a builtin: no signature to inspect
        theirs = re.search(r"\(([^)]*)\)", docstring)[1].split(",")
        assert list(inspect.signature(sdpa).parameters) == [part.split("=")[0].strip() for part in theirs]

    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"is_causal": True},
            {"scale": 0.3},
            {"attn_mask": "bool"},
            {"attn_mask": "float"},
            {"attn_mask": "bool", "scale": 1.5},
        ],
        ids=str,
    )
    @pytest.mark.parametrize(
        ("query", "key"),
        [
            ((2, 6, 5, 8), (2, 6, 7, 8)),
            ((6, 5, 8), (6, 7, 8)),
            ((5, 8), (7, 8)),
            ((2, 6, 5, 8), (1, 6, 7, 8)),
        ],
    )
    @pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
    def test_answers_are_torch_s(self, torch, query, key, options, dtype):
        torch.manual_seed(0)
        q, k, v = (
            torch.randn(shape, dtype=torch.float64).to(getattr(torch, dtype)) for shape in (query, key, key)
        )
        masks = {"bool": torch.rand(5, 7) < 0.8, "float": torch.randn(5, 7, dtype=torch.float64).to(q.dtype)}
        options = {name: masks.get(value, value) for name, value in options.items()}
        ours, theirs = (
            sdpa(q, k, v, **options),
            torch.nn.functional.scaled_dot_product_attention(q, k, v, **options),
        )
        assert isinstance(ours, torch.Tensor) and ours.dtype == q.dtype and ours.shape == theirs.shape
        tolerance = {"float64": 1e-13, "float32": 1e-5, "bfloat16": 3e-2}[dtype]
        torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=tolerance)

    def test_grouped_heads_are_torch_s(self, torch):
        torch.manual_seed(0)
        q, k = torch.randn(2, 6, 5, 8), torch.randn(2, 2, 7, 8)
        theirs = torch.nn.functional.scaled_dot_product_attention(q, k, k, enable_gqa=True)
        torch.testing.assert_close(sdpa(q, k, k, enable_gqa=True), theirs, rtol=1e-5, atol=1e-6)
