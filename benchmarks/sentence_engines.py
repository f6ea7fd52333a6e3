"""The engines of the sentence benchmark: texts in, embeddings (texts, hidden) out, tokens included."""

from __future__ import annotations

from collections.abc import Callable

import bert_onnx
import numpy as np
from minilm import MiniLM

Embed = Callable[[list[str]], np.ndarray]


def pyattn(model: MiniLM, threads: int, shape: tuple[int, int]) -> dict[str, Embed]:
    import pyattn as core
    from pyattn.models import SentenceEncoder

    core.set_num_threads(threads)
    encoder = SentenceEncoder.from_folder(model.folder)
    return {"packed": lambda texts: encoder.encode(texts, batch_size=shape[0])}


def numpy(model: MiniLM, threads: int, shape: tuple[int, int]) -> dict[str, Embed]:
    from pyattn.models.plain import PlainEncoder

    encoder = PlainEncoder(model.folder)
    return {"padded": lambda texts: encoder.encode(texts, batch_size=shape[0])}


def torch(model: MiniLM, threads: int, shape: tuple[int, int]) -> dict[str, Embed]:
    import torch as framework
    from bert_torch import encoder

    framework.set_num_threads(threads)
    network = encoder(model)

    def embed(texts: list[str]) -> np.ndarray:
        ids, keep = map(framework.from_numpy, model.padded(texts))
        with framework.inference_mode():
            return network(ids, keep.bool()).numpy()

    return {"padded": embed}


def onnxruntime(model: MiniLM, threads: int, shape: tuple[int, int]) -> dict[str, Embed]:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1

    def embed_with(style: str) -> Embed:
        graph = bert_onnx.build(model, style).SerializeToString()
        session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        return lambda texts: session.run(None, dict(zip(("ids", "keep"), model.padded(texts), strict=True)))[
            0
        ]

    return {style: embed_with(style) for style in bert_onnx.STYLES}


def openvino(model: MiniLM, threads: int, shape: tuple[int, int]) -> dict[str, Embed]:
    """With free sizes, and with the padded size of these very texts fixed beforehand."""
    import openvino as ov

    core = ov.Core()
    config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads}
    graph = bert_onnx.build(model, "standard").SerializeToString()

    def embed_with(sizes: tuple[int, int]) -> Embed:
        network = core.read_model(graph)
        network.reshape({"ids": list(sizes), "keep": list(sizes)})
        request = core.compile_model(network, "CPU", config).create_infer_request()

        def embed(texts: list[str]) -> np.ndarray:
            request.infer(dict(zip(("ids", "keep"), model.padded(texts), strict=True)), share_inputs=True)
            return request.get_output_tensor(0).data.copy()

        return embed

    return {"padded, free sizes": embed_with((-1, -1)), "padded, fixed sizes": embed_with(shape)}


KNOWN = {f.__name__: f for f in (pyattn, torch, onnxruntime, openvino, numpy)}
