"""ONNX Runtime's GroupQueryAttention: one new query over a cache that belongs to the operator.

It is quicker at decoding than the operators that take keys and values as they are, and can do nothing else: each call
writes the newest key and value into the cache, which must lie in its own layout. So it is not among the peers unless
asked for by name (``ort-cache``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime as ort
from onnx import GraphProto, helper
from problems import Problem

from engines import Call, Unsupported
from engines.onnxruntime import TYPES, packed, start

_INPUTS = ("query", "key", "value", "past_key", "past_value", "seqlens_k", "total_sequence_length")
_OUTPUTS = ("output", "present_key", "present_value")


class GroupQueryAttention:
    name = "ort-cache"
    version = ort.__version__

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def calls(self, problem: Problem) -> dict[str, Call]:
        shape = problem.shape
        if shape.queries != 1 or shape.mask not in ("none", "causal"):
            raise Unsupported("GroupQueryAttention is for one query over a cache, without a mask")
        if shape.dtype not in ("float32", "float16"):
            raise Unsupported(f"GroupQueryAttention has no {shape.dtype}")
        inputs = _inputs(problem)
        session = start(self.threads, _graph(problem, inputs))
        values = {name: ort.OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
        values["output"] = ort.OrtValue.ortvalue_from_numpy(np.zeros_like(inputs["query"]))
        # The cache is updated in place: what comes out is what went in.
        values |= {"present_key": values["past_key"], "present_value": values["past_value"]}
        binding = session.io_binding()
        for name in _INPUTS:
            binding.bind_ortvalue_input(name, values[name])
        for name in _OUTPUTS:
            binding.bind_ortvalue_output(name, values[name])
        run = session.run_with_iobinding
        return {
            "bound": Call(
                lambda: run(binding),
                lambda _: values["output"].numpy().reshape(problem.query.shape),
                bound=True,
            )
        }


def _inputs(problem: Problem) -> dict[str, np.ndarray]:
    """The newest key and value apart, and the cache with room for them as its last."""
    shape = problem.shape
    last = {n: packed(getattr(problem, n)[:, :, -1:]) for n in ("key", "value")}
    past = {f"past_{n}": getattr(problem, n).copy() for n in ("key", "value")}
    counts = np.full(shape.batch, shape.keys - 1, np.int32), np.array([shape.keys], np.int32)
    return {"query": packed(problem.query), **last, **past, **dict(zip(_INPUTS[-2:], counts, strict=True))}


def _graph(problem: Problem, inputs: dict[str, np.ndarray]) -> GraphProto:
    heads: dict[str, Any] = {"num_heads": problem.shape.heads, "kv_num_heads": problem.shape.kv_heads}
    node = helper.make_node("GroupQueryAttention", _INPUTS, _OUTPUTS, domain="com.microsoft", **heads)
    given = [helper.make_tensor_value_info(n, TYPES[a.dtype.name], a.shape) for n, a in inputs.items()]
    like = dict(zip(_OUTPUTS, ("query", "past_key", "past_value"), strict=True))
    results = [
        helper.make_tensor_value_info(n, TYPES[inputs[i].dtype.name], inputs[i].shape)
        for n, i in like.items()
    ]
    return helper.make_graph([node], "attention", given, results)
