"""ONNX Runtime's two attention operators: com.microsoft MultiHeadAttention and ai.onnx Attention of opset 23."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
from onnx import GraphProto, NodeProto, TensorProto, checker, helper
from problems import Problem

from engines import Call, Unsupported

_NotImplemented = ort.capi.onnxruntime_pybind11_state.NotImplemented

TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16}
TYPES |= {"float64": TensorProto.DOUBLE, "bool": TensorProto.BOOL, "int32": TensorProto.INT32}


def start(threads: int, graph: GraphProto) -> ort.InferenceSession:
    """A session for the graph; Unsupported where ONNX Runtime has no kernel for its types."""
    opsets = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=11)
    checker.check_model(model)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except _NotImplemented as no:
        raise Unsupported(f"no kernel for this type: {str(no).strip()[:120]}") from no


class _Session:
    """One node as a model, and its inputs bound once, so that a call pays for nothing but the run."""

    def __init__(
        self, threads: int, op: str, domain: str, inputs: dict[str, np.ndarray], output: tuple, **attributes
    ):
        self.inputs, self.output = inputs, output
        self.dtype = inputs["query"].dtype
        node = helper.make_node(op, _slots(op, inputs), ["output"], domain=domain, **attributes)
        self.session = start(threads, self._graph(node))

    def _graph(self, node: NodeProto) -> GraphProto:
        kind = TYPES[self.dtype.name]
        given = [
            helper.make_tensor_value_info(n, TYPES[a.dtype.name], a.shape) for n, a in self.inputs.items()
        ]
        result = helper.make_tensor_value_info("output", kind, self.output)
        return helper.make_graph([node], "attention", given, [result])

    def calls(self, name: str, output) -> dict[str, Call]:
        binding = self.session.io_binding()
        for key, array in self.inputs.items():
            binding.bind_ortvalue_input(key, ort.OrtValue.ortvalue_from_numpy(array))
        result = ort.OrtValue.ortvalue_from_numpy(np.zeros(self.output, self.dtype))
        binding.bind_ortvalue_output("output", result)
        return {
            f"{name}, bound": Call(
                lambda: self.session.run_with_iobinding(binding), lambda _: output(result.numpy()), bound=True
            ),
            name: Call(lambda: self.session.run(None, self.inputs), lambda r: output(r[0])),
        }


_SLOTS = {
    "MultiHeadAttention": ("query", "key", "value", "bias", "key_padding_mask", "attention_bias"),
    "Attention": ("query", "key", "value", "attn_mask"),
}


def _slots(op: str, inputs: dict[str, np.ndarray]) -> list[str]:
    """Names by position, an empty one for an input that is not given."""
    names = [slot if slot in inputs else "" for slot in _SLOTS[op]]
    while names[-1] == "":
        names.pop()
    return names


def packed(array: np.ndarray) -> np.ndarray:
    """(B, H, S, D) to (B, S, H·D)."""
    batch, heads, length, width = array.shape
    return np.ascontiguousarray(array.swapaxes(1, 2)).reshape(batch, length, heads * width)


def _unpacked(problem: Problem, array: np.ndarray) -> np.ndarray:
    shape = problem.shape
    return array.reshape(shape.batch, shape.queries, shape.heads, shape.width).swapaxes(1, 2)


def _as_bias(keep: np.ndarray, dtype: np.dtype) -> np.ndarray:
    keep = keep.reshape((1,) * (4 - keep.ndim) + keep.shape)
    return np.where(keep, 0, -np.inf).astype(dtype)


class MultiHeadAttention:
    name = "ort-mha"
    version = ort.__version__

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def calls(self, problem: Problem) -> dict[str, Call]:
        if problem.shape.dtype == "float64":
            raise Unsupported("MultiHeadAttention has no float64")
        if problem.shape.kv_heads != problem.shape.heads:
            raise Unsupported("MultiHeadAttention has as many key heads as query heads")
        inputs = {n: packed(getattr(problem, n)) for n in ("query", "key", "value")}
        calls: dict[str, Call] = {}
        for name, extra in self._masks(problem).items():
            session = _Session(self.threads, "MultiHeadAttention", "com.microsoft", inputs | extra,
                               inputs["query"].shape, num_heads=problem.shape.heads,
                               unidirectional=int(problem.shape.mask == "causal"))  # fmt: skip
            calls |= session.calls(name, lambda out: _unpacked(problem, out))
        return calls

    @staticmethod
    def _masks(problem: Problem) -> dict[str, dict[str, np.ndarray]]:
        shape = problem.shape
        if problem.bias is not None:
            return {"bias": {"attention_bias": problem.bias}}
        if problem.keep is None:
            return {"packed": {}}
        bias = np.broadcast_to(_as_bias(problem.keep, problem.query.dtype), _table(problem)).copy()
        ways = {"mask as bias": {"attention_bias": bias}}
        if shape.mask == "padding":
            ways["padding mask"] = {"key_padding_mask": problem.keep[:, 0, 0].astype(np.int32)}
        return ways


def _table(problem: Problem) -> tuple[int, int, int, int]:
    """Shape of a mask's table: the batch counts only where the mask depends on it."""
    keep = problem.keep
    batch = keep.shape[0] if keep is not None and keep.ndim == 4 else 1
    return batch, 1, problem.shape.queries, problem.shape.keys


class Attention23:
    name = "ort-attention"
    version = ort.__version__

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def calls(self, problem: Problem) -> dict[str, Call]:
        shape = problem.shape
        if shape.dtype == "float64":
            raise Unsupported("its softmax of double is computed in float32")
        causal = int(shape.mask == "causal")
        heads = {"q_num_heads": shape.heads, "kv_num_heads": shape.kv_heads}
        arrays = {n: getattr(problem, n) for n in ("query", "key", "value")}
        joined = {n: packed(a) for n, a in arrays.items()}
        calls: dict[str, Call] = {}
        for name, extra in self._masks(problem).items():
            four = _Session(
                self.threads, "Attention", "", arrays | extra, problem.query.shape, is_causal=causal
            )
            three = _Session(self.threads, "Attention", "", joined | extra, joined["query"].shape, is_causal=causal,
                             **heads)  # fmt: skip
            calls |= four.calls(f"4-D{name}", np.asarray)
            calls |= three.calls(f"3-D{name}", lambda out: _unpacked(problem, out))
        return calls

    @staticmethod
    def _masks(problem: Problem) -> dict[str, dict[str, np.ndarray]]:
        if problem.bias is not None:
            return {", bias": {"attn_mask": problem.bias}}
        if problem.keep is None:
            return {"": {}}
        keep = np.broadcast_to(problem.keep, _table(problem)).copy()
        return {
            ", bool mask": {"attn_mask": keep},
            ", mask as bias": {"attn_mask": _as_bias(keep, problem.query.dtype)},
        }
