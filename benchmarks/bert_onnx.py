"""The sentence encoder as an ONNX graph, built from its weights with onnx.helper.

``ids`` and ``keep`` (texts, tokens) go in, the embeddings (texts, hidden) come out. Two styles of the same network:
ONNX Runtime's own fused operators, and the standard's, of which other runtimes make their own.
"""

from __future__ import annotations

import numpy as np
from minilm import MiniLM
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

STYLES = ("fused", "standard")


def build(model: MiniLM, style: str) -> ModelProto:
    """The graph, with free sizes for texts and tokens."""
    return _Graph(model, style).build()


class _Graph:
    """Nodes as they are added; every method takes and returns names of values."""

    def __init__(self, model: MiniLM, style: str) -> None:
        self.model, self.fused = model, style == "fused"
        self.nodes: list = []
        self.constants: dict[str, np.ndarray] = {}

    def add(self, op: str, *inputs: str, domain: str = "", **attributes) -> str:
        output = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [output], domain=domain, **attributes))
        return output

    def own(self, op: str, *inputs: str, **attributes) -> str:
        """An operator that only ONNX Runtime has."""
        return self.add(op, *inputs, domain="com.microsoft", **attributes)

    def constant(self, array: np.ndarray, name: str = "") -> str:
        name = name or f"constant_{len(self.constants)}"
        self.constants[name] = array
        return name

    def weight(self, name: str, transposed: bool = False) -> str:
        array = self.model.weights[name]
        return self.constant(np.ascontiguousarray(array.T) if transposed else array, name)

    def build(self) -> ModelProto:
        hidden = self.embed()
        keep = self.constant_mask()
        for layer in range(self.model.layers):
            hidden = self.block(hidden, keep, f"encoder.layer.{layer}")
        output = self.pool(hidden)
        self.nodes.append(helper.make_node("Identity", [output], ["embeddings"]))
        sizes = ["texts", "tokens"]
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, sizes) for n in ("ids", "keep")]
        result = helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, ["texts", self.model.hidden])
        constants = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "sentence_encoder", inputs, [result], constants)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        checker.check_model(made)
        return made

    def embed(self) -> str:
        words = self.add("Gather", self.weight("embeddings.word_embeddings.weight"), "ids")
        length = self.add("Shape", "ids", start=1, end=2)
        start, axis = (self.constant(np.array([n], np.int64)) for n in (0, 0))
        positions = self.add(
            "Slice", self.weight("embeddings.position_embeddings.weight"), start, length, axis
        )
        kind = self.constant(self.model.weights["embeddings.token_type_embeddings.weight"][0])
        summed = self.add("Add", words, self.add("Add", positions, kind))
        return self.norm(summed, "embeddings.LayerNorm")

    def constant_mask(self) -> str:
        """What the attention takes as a mask: the integers as they are, or a bias of 0 and −∞."""
        if self.fused:
            return self.add("Cast", "keep", to=TensorProto.INT32)
        seen = self.add("Unsqueeze", self.add("Cast", "keep", to=TensorProto.BOOL), self.ints(1, 2))
        zero, never = (self.constant(np.array(n, np.float32)) for n in (0, -np.inf))
        return self.add("Where", seen, zero, never)

    def block(self, x: str, keep: str, layer: str) -> str:
        q, k, v = (self.project(x, f"{layer}.attention.self.{role}") for role in ("query", "key", "value"))
        context = (self.fused_attention if self.fused else self.attention)(q, k, v, keep)
        x = self.add_norm(context, x, f"{layer}.attention.output")
        inner = self.gelu(x, f"{layer}.intermediate.dense")
        return self.add_norm(inner, x, f"{layer}.output")

    def project(self, x: str, name: str) -> str:
        return self.add("Add", self.product(x, name), self.weight(f"{name}.bias"))

    def product(self, x: str, name: str) -> str:
        return self.add("MatMul", x, self.weight(f"{name}.weight", transposed=True))

    def fused_attention(self, q: str, k: str, v: str, keep: str) -> str:
        return self.own("MultiHeadAttention", q, k, v, "", keep, num_heads=self.model.heads)

    def attention(self, q: str, k: str, v: str, bias: str) -> str:
        q, v = self.split(q, (0, 2, 1, 3)), self.split(v, (0, 2, 1, 3))
        k = self.split(k, (0, 2, 3, 1))
        scale = self.constant(np.array((self.model.hidden / self.model.heads) ** -0.5, np.float32))
        scores = self.add("Add", self.add("Mul", self.add("MatMul", q, k), scale), bias)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), v)
        joined = self.add("Transpose", mixed, perm=(0, 2, 1, 3))
        return self.add("Reshape", joined, self.ints(0, 0, self.model.hidden))

    def split(self, x: str, order: tuple[int, ...]) -> str:
        heads = self.add(
            "Reshape", x, self.ints(0, 0, self.model.heads, self.model.hidden // self.model.heads)
        )
        return self.add("Transpose", heads, perm=order)

    def gelu(self, x: str, name: str) -> str:
        if self.fused:
            return self.own("BiasGelu", self.product(x, name), self.weight(f"{name}.bias"))
        x = self.project(x, name)
        root, one, half = (self.constant(np.array(n, np.float32)) for n in (2**0.5, 1, 0.5))
        phi = self.add("Add", self.add("Erf", self.add("Div", x, root)), one)
        return self.add("Mul", self.add("Mul", x, phi), half)

    def add_norm(self, x: str, residual: str, name: str) -> str:
        if self.fused:
            parts = [f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias", f"{name}.dense.bias"]
            product = self.product(x, f"{name}.dense")
            weights = map(self.weight, parts)
            return self.own("SkipLayerNormalization", product, residual, *weights, epsilon=self.model.eps)
        return self.norm(self.add("Add", self.project(x, f"{name}.dense"), residual), f"{name}.LayerNorm")

    def norm(self, x: str, name: str) -> str:
        weights = (self.weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, *weights, axis=-1, epsilon=self.model.eps)

    def pool(self, x: str) -> str:
        """The mean over what is no padding, scaled to length 1."""
        keep = self.add("Unsqueeze", self.add("Cast", "keep", to=TensorProto.FLOAT), self.ints(2))
        summed = self.add("ReduceSum", self.add("Mul", x, keep), self.ints(1), keepdims=0)
        return self.add("LpNormalization", summed, axis=-1, p=2)  # the length does not depend on the divisor

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))
