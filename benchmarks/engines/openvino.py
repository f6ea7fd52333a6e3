"""OpenVINO's ScaledDotProductAttention operation on the CPU, with the precision of the row forced.

Without the hint, a processor with AVX512-BF16 would compute float32 models in bfloat16.
"""

from __future__ import annotations

import numpy as np
import openvino as ov
from openvino import opset13 as ops
from problems import Problem

from engines import Call, Unsupported

_TYPES = {"float32": ov.Type.f32, "float16": ov.Type.f16, "bfloat16": ov.Type.bf16}
_PRECISION = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}


class OpenVINO:
    name = "openvino"
    version = ov.__version__.split("-")[0]

    def __init__(self, threads: int) -> None:
        self.core = ov.Core()
        self.threads = threads

    def calls(self, problem: Problem) -> dict[str, Call]:
        if problem.shape.dtype not in _TYPES:
            raise Unsupported("the CPU plug-in computes float64 in float32")
        precision = self._precision(problem.shape.dtype)
        forms = (
            ("float32", problem.shape.dtype) if problem.shape.dtype == "bfloat16" else (problem.shape.dtype,)
        )
        calls: dict[str, Call] = {}
        for form in forms:
            calls |= self._calls(problem, precision, form)
        return calls

    def _precision(self, dtype: str) -> str:
        """The hint for a type; a processor without float16 arithmetic would answer the hint f16 in bfloat16."""
        able = self.core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        return "f32" if dtype == "float16" and "FP16" not in able else _PRECISION[dtype]

    def _calls(self, problem: Problem, precision: str, form: str) -> dict[str, Call]:
        config = {"INFERENCE_PRECISION_HINT": precision, "INFERENCE_NUM_THREADS": self.threads}
        try:
            compiled = self.core.compile_model(_model(problem, _TYPES[form]), "CPU", config)
        except RuntimeError as refused:
            raise Unsupported(f"{precision}: {str(refused).strip().splitlines()[-1][:120]}") from refused
        tensors = [_tensor(a, _TYPES[form] if i < 3 else None) for i, a in enumerate(_inputs(problem))]
        request, bound = compiled.create_infer_request(), compiled.create_infer_request()
        for index, tensor in enumerate(tensors):
            bound.set_input_tensor(index, tensor)
        given = dict(enumerate(tensors))
        name = f"computes {precision}, takes {form}"
        return {
            f"{name}, bound": Call(bound.infer, lambda _: _to_numpy(bound.get_output_tensor(0)), bound=True),
            name: Call(
                lambda: request.infer(given, share_inputs=True, share_outputs=True),
                lambda _: _to_numpy(request.get_output_tensor(0)),
            ),
        }


def _inputs(problem: Problem) -> list[np.ndarray]:
    extra = [a for a in (problem.keep, problem.bias) if a is not None]
    return [problem.query, problem.key, problem.value, *extra]


def _model(problem: Problem, element: ov.Type) -> ov.Model:
    shape = problem.shape
    parameters = [ops.parameter(list(a.shape), element) for a in (problem.query, problem.key, problem.value)]
    q, k, v = parameters
    if shape.kv_heads != shape.heads:
        k, v = _repeat_heads(k, problem), _repeat_heads(v, problem)
    mask = None
    for array in _inputs(problem)[3:]:
        mask = ops.parameter(list(array.shape), ov.Type.boolean if array.dtype == bool else ov.Type.f32)
        parameters.append(mask)
    out = ops.scaled_dot_product_attention(q, k, v, attention_mask=mask, causal=shape.mask == "causal")
    result = ops.result(ops.convert(out, "f32") if element == ov.Type.f32 else out)
    return ov.Model([result], parameters, "attention")


def _repeat_heads(node: ov.Node, problem: Problem) -> ov.Node:
    shape = problem.shape
    group = shape.heads // shape.kv_heads
    axis = ops.constant(np.int64(2))
    split = ops.unsqueeze(node, axis)
    wide = ops.broadcast(split, ops.constant([shape.batch, shape.kv_heads, group, shape.keys, shape.width]))
    return ops.reshape(wide, ops.constant([shape.batch, shape.heads, shape.keys, shape.width]), False)


def _tensor(array: np.ndarray, element: ov.Type | None) -> ov.Tensor:
    array = np.ascontiguousarray(array)
    if element == ov.Type.f32:
        return ov.Tensor(array.astype(np.float32))
    if element == ov.Type.bf16:
        tensor = ov.Tensor(element, array.shape)
        tensor.data.view(np.uint16)[:] = array.view(np.uint16)
        return tensor
    return ov.Tensor(array)


def _to_numpy(tensor: ov.Tensor) -> np.ndarray:
    if tensor.element_type == ov.Type.bf16:
        return (tensor.data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return tensor.data
