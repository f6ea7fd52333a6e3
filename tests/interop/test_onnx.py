"""pyattn.interop.onnx against the operators' own test cases, and against onnx's reference evaluator."""

import ast
import inspect

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx.backend.test.case.node import _NodeTestCases
from onnx.backend.test.case.node import attention as attention_cases
from onnx.backend.test.case.node import rotaryembedding as rotary_cases
from onnx.reference import ReferenceEvaluator

from pyattn.interop import onnx as ours

INPUTS = ("Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen")


def node_cases(operator):
    """The cases whose model is the operator itself rather than its expansion into others."""
    # Importing the two modules above has filled the list; onnx's loader would make every other operator's
    # data as well, and warn of overflow while at it.
    alone = (case for case in _NodeTestCases if len(case.model.graph.node) == 1)
    return [case for case in alone if case.model.graph.node[0].op_type == operator]


def names_in_source(module):
    """Every name that the source of onnx's module gives to a case."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "expect"]
    return [ast.literal_eval(word.value) for call in calls for word in call.keywords if word.arg == "name"]


def run(case, function, **options):
    """The function's outputs for the case, or its only output."""
    (node,), ((values, _),) = case.model.graph.node, case.data_sets
    given = iter(values)
    inputs = [next(given) if name else None for name in node.input]
    return function(
        *inputs, **{a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}, **options
    )


def assert_agrees(actual, expected, case):
    """As onnx's own runner compares, with two units in the last place for either half type."""
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    rtol = max(case.rtol, 2 * float(ml_dtypes.finfo(expected.dtype).eps))
    np.testing.assert_allclose(actual.astype(np.float64), expected.astype(np.float64), rtol, case.atol)


@pytest.mark.parametrize("case", node_cases("Attention"), ids=lambda case: case.name)
def test_attention_gives_what_the_operator_gives(case):
    wanted = list(case.model.graph.node[0].output) + [""] * 3
    outputs = run(case, ours.attention, return_qk_matmul_output=bool(wanted[3]))
    actual = [output for output, name in zip(outputs, wanted, strict=False) if name]
    ((_, expected),) = case.data_sets
    for one, other in zip(actual, expected, strict=True):
        assert_agrees(one, other, case)


@pytest.mark.parametrize("case", node_cases("RotaryEmbedding"), ids=lambda case: case.name)
def test_rotary_embedding_gives_what_the_operator_gives(case):
    ((_, (expected,)),) = case.data_sets
    assert_agrees(run(case, ours.rotary_embedding), expected, case)


@pytest.mark.parametrize(
    ("operator", "module"), [("Attention", attention_cases), ("RotaryEmbedding", rotary_cases)]
)
def test_every_case_that_onnx_declares_is_run(operator, module):
    declared = names_in_source(module)
    assert declared
    assert sorted(case.name for case in node_cases(operator)) == sorted(declared)


def test_attention_has_the_operators_inputs_attributes_and_outputs():
    schema = onnx.defs.get_schema("Attention")
    parameters = inspect.signature(ours.attention).parameters
    positional = [name for name, p in parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional == [entry.name for entry in schema.inputs]
    assert set(parameters) - set(positional) == {*schema.attributes, "return_qk_matmul_output"}
    assert ours.AttentionOutputs._fields == tuple(entry.name for entry in schema.outputs)


def reference(inputs, attributes):
    names = [name if name in inputs else "" for name in INPUTS]
    node = onnx.helper.make_node("Attention", names, list(ours.AttentionOutputs._fields), **attributes)
    return ReferenceEvaluator(node).run(None, inputs)


@st.composite
def calls(draw):
    """Inputs and attributes of the operator, in float64, with any combination it allows."""
    batch, kv_heads, group, queries, keys, width, value_width = (
        draw(st.integers(1, n)) for n in (3, 2, 3, 5, 7, 4, 6)
    )
    cache = draw(st.sampled_from(["none", "inside", "outside"]))
    past = draw(st.integers(0, 4)) if cache == "inside" else 0
    normal = np.random.default_rng(draw(st.integers(0, 2**32))).standard_normal
    inputs = {
        "Q": normal((batch, kv_heads * group, queries, width)),
        "K": normal((batch, kv_heads, keys, width)),
        "V": normal((batch, kv_heads, keys, value_width)),
    }
    attributes = {
        "is_causal": draw(st.integers(0, 1)),
        "left_window_size": draw(st.integers(-1, 3)),
        "right_window_size": draw(st.integers(-1, 3)),
        "softcap": draw(st.sampled_from([0.0, 0.75])),
        "qk_matmul_output_mode": draw(st.integers(0, 3)),
    }
    if draw(st.booleans()):
        attributes["scale"] = 0.5625  # the evaluator takes its root in float32, which this one survives
    if cache == "inside":
        inputs["past_key"] = normal((batch, kv_heads, past, width))
        inputs["past_value"] = normal((batch, kv_heads, past, value_width))
    if cache == "outside":
        inputs["nonpad_kv_seqlen"] = np.array([draw(st.integers(0, keys)) for _ in range(batch)])
    kind = draw(st.sampled_from(["none", "bool", "float"]))
    if kind != "none":
        # No mask of one row: onnx 1.23's evaluator counts the queries by the mask.
        leading = draw(
            st.sampled_from([(), (1,), (kv_heads * group,), (batch, 1), (batch, kv_heads * group)])
        )
        mask = normal((*leading, queries, draw(st.integers(1, past + keys))))
        inputs["attn_mask"] = mask > 0 if kind == "bool" else np.where(mask < -1, -np.inf, mask)
    if draw(st.booleans()):
        attributes |= {"q_num_heads": kv_heads * group, "kv_num_heads": kv_heads}
        for name in "QKV":
            inputs[name] = inputs[name].swapaxes(1, 2).reshape(batch, inputs[name].shape[2], -1)
    return inputs, attributes


@settings(max_examples=400, deadline=None)
@given(calls())
def test_any_inputs_and_attributes_agree_with_the_reference_evaluator(call):
    inputs, attributes = call
    actual = ours.attention(**inputs, **attributes, return_qk_matmul_output=True)
    compared = 3 if attributes["qk_matmul_output_mode"] == 0 and attributes["softcap"] else 4
    for one, other in list(zip(actual, reference(inputs, attributes), strict=True))[:compared]:
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_mode_0_is_what_the_scores_are_before_softcap():
    """onnx 1.23's evaluator gives those after it, against the operator's text and its function body."""
    q = np.random.default_rng(0).standard_normal((1, 2, 3, 5))
    plain, capped = (ours.attention(q, q, q, softcap=c, return_qk_matmul_output=True) for c in (0.0, 0.5))
    np.testing.assert_array_equal(plain.qk_matmul_output, capped.qk_matmul_output)
    assert not np.allclose(plain.Y, capped.Y)


def test_keys_beyond_the_mask_have_no_influence_even_when_they_are_nan():
    q = np.random.default_rng(1).standard_normal((1, 2, 3, 5))
    k = np.random.default_rng(2).standard_normal((1, 2, 7, 5))
    k[:, :, 4:] = np.nan
    mask = np.ones((3, 4), bool)
    outputs = ours.attention(q, k, k, mask, qk_matmul_output_mode=3, return_qk_matmul_output=True)
    np.testing.assert_array_equal(outputs.Y, ours.attention(q, k[:, :, :4], k[:, :, :4]).Y)
    assert outputs.qk_matmul_output.shape == (1, 2, 3, 7)
    assert not outputs.qk_matmul_output[..., 4:].any()


def test_a_mask_may_end_before_the_filled_keys_do():
    q = np.random.default_rng(5).standard_normal((2, 2, 3, 5))
    k = np.random.default_rng(6).standard_normal((2, 2, 7, 5))
    mask, filled = np.ones((3, 4), bool), np.array([2, 6])
    padded = np.pad(mask, [(0, 0), (0, 3)])
    for causal in (0, 1):
        short, full = (
            ours.attention(q, k, k, m, None, None, filled, is_causal=causal) for m in (mask, padded)
        )
        np.testing.assert_allclose(short.Y, full.Y, rtol=1e-12)


def test_the_matrix_of_scores_is_made_only_when_asked_for():
    q = np.ones((1, 2, 3, 5))
    assert ours.attention(q, q, q, qk_matmul_output_mode=3).qk_matmul_output is None


def test_query_and_value_may_have_different_types():
    rng = np.random.default_rng(3)
    q, k = (rng.standard_normal((2, 3, n, 5)).astype(np.float16) for n in (4, 7))
    v = rng.standard_normal((2, 3, 7, 6)).astype(ml_dtypes.bfloat16)
    outputs = ours.attention(q, k, v)
    assert (outputs.Y.dtype, outputs.present_value.dtype) == (q.dtype, v.dtype)
    exact = ours.attention(*(x.astype(np.float64) for x in (q, k, v))).Y
    np.testing.assert_allclose(outputs.Y, exact, rtol=2**-10, atol=2**-14)


def test_softmax_precision_double_computes_in_float64():
    q = np.random.default_rng(4).standard_normal((1, 2, 13, 5)).astype(np.float32)
    exact = ours.attention(*(q.astype(np.float64),) * 3).Y
    np.testing.assert_array_equal(ours.attention(q, q, q, softmax_precision=11).Y, exact.astype(np.float32))


@pytest.mark.parametrize("packed", [False, True])
def test_an_empty_batch_gives_an_empty_result(packed):
    q, heads = (
        (np.ones((0, 3, 10)), {"q_num_heads": 2, "kv_num_heads": 2})
        if packed
        else (np.ones((0, 2, 3, 5)), {})
    )
    outputs = ours.attention(q, q, q, **heads, qk_matmul_output_mode=2, return_qk_matmul_output=True)
    assert outputs.Y.shape == q.shape
    assert outputs.qk_matmul_output.shape == (0, 2, 3, 3)


X = np.ones((2, 4, 3, 6))
PACKED = np.ones((2, 3, 24))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Q": PACKED, "K": PACKED, "V": PACKED}, "q_num_heads"),
        ({"Q": PACKED, "K": PACKED, "V": PACKED, "q_num_heads": 5, "kv_num_heads": 5}, "divisor"),
        ({"q_num_heads": 3}, "q_num_heads=3"),
        ({"Q": X[0, 0]}, r"Q \(3, 6\)"),
        ({"past_key": X}, "past_key and past_value come together"),
        ({"past_key": X[:, :2], "past_value": X}, r"past_key \(2, 2, 3, 6\)"),
        ({"past_key": X, "past_value": X, "nonpad_kv_seqlen": np.array([1, 2])}, "excludes past_key"),
        ({"nonpad_kv_seqlen": np.array([1, 4])}, "from 0 to 3"),
        ({"nonpad_kv_seqlen": np.array([1, -1])}, "from 0 to 3"),
        ({"nonpad_kv_seqlen": np.array([1])}, "one per batch item"),
        ({"attn_mask": np.ones((3, 4))}, "longer than the 3 keys"),
        ({"is_causal": 2}, "is_causal"),
        ({"qk_matmul_output_mode": 4}, "qk_matmul_output_mode"),
        ({"softmax_precision": 2}, "softmax_precision"),
        ({"left_window_size": -2}, "left_window_size"),
        ({"right_window_size": -2}, "right_window_size"),
        ({"softcap": -1.0}, "softcap"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        ours.attention(**({"Q": X, "K": X, "V": X} | options))


def test_a_mask_of_integers_is_refused_with_the_way_out():
    with pytest.raises(TypeError, match=r"attn_mask\.astype\(bool\)"):
        ours.attention(X, X, X, np.ones((3, 3), np.int64))


@pytest.mark.parametrize("which", ["Q", "K", "V", "attn_mask", "past_key", "past_value"])
def test_what_is_no_numpy_array_is_refused_by_name(which):
    inputs = {"Q": X, "K": X, "V": X, "past_key": X, "past_value": X} | {which: X.tolist()}
    with pytest.raises(TypeError, match=rf"onnx\.attention: {which} is a list; expected a NumPy array"):
        ours.attention(**inputs)


@pytest.mark.parametrize(
    "shapes",
    [
        {"Q": (2, 4, 5, 8), "K": (2, 2, 7, 8), "V": (2, 2, 9, 8)},
        {"Q": (2, 4, 5, 8), "K": (1, 2, 7, 8), "V": (1, 2, 7, 8)},
        {"Q": (2, 4, 5, 8), "K": (2, 2, 7, 8), "V": (2, 1, 7, 8)},
        {
            "Q": (1, 1, 1, 4),
            "K": (1, 1, 1, 4),
            "V": (1, 1, 1, 1),
            "past_key": (1, 1, 2, 4),
            "past_value": (1, 1, 3, 1),
        },
    ],
)
def test_every_key_has_a_value_and_nothing_broadcasts(shapes):
    """Regression: values beyond the keys were dropped, or all of them shifted."""
    with pytest.raises(ValueError, match="expected one batch, and as many heads of one length in K and V"):
        ours.attention(**{name: np.ones(shape, np.float32) for name, shape in shapes.items()})
