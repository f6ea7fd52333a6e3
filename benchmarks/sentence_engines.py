"""The engines of the sentence benchmark: texts in, embeddings (texts, hidden) out, tokens included."""

from __future__ import annotations

from collections.abc import Callable

import bert_onnx
import numpy as np
from minilm import MiniLM

Embed = Callable[[list[str]], np.ndarray]


def load(name: str, model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    """The ways of an engine to embed ``texts``, ``batch`` at once; raises ImportError if it is not installed."""
    if name not in KNOWN:
        raise SystemExit(f"--engines {name}: known are {', '.join(KNOWN)}")
    return KNOWN[name](model, threads, batch, texts)


def _in_batches(embed: Embed, batch: int) -> Embed:
    return lambda texts: np.concatenate([embed(texts[i : i + batch]) for i in range(0, len(texts), batch)])


def _pyattn(model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    import pyattn
    from pyattn.models import SentenceEncoder

    pyattn.set_num_threads(threads)
    encoder = SentenceEncoder.from_folder(model.folder)
    return {"packed": lambda texts: encoder.encode(texts, batch_size=batch)}


def _numpy(model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    from pyattn.models.plain import PlainEncoder

    encoder = PlainEncoder(model.folder)
    return {"padded": lambda texts: encoder.encode(texts, batch_size=batch)}


def _torch(model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    import torch
    from bert_torch import encoder

    torch.set_num_threads(threads)
    network = encoder(model)

    def embed(texts: list[str]) -> np.ndarray:
        ids, keep = map(torch.from_numpy, model.padded(texts))
        with torch.inference_mode():
            return network(ids, keep.bool()).numpy()

    return {"padded": _in_batches(embed, batch)}


def _onnxruntime(model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1

    def embed_with(style: str) -> Embed:
        graph = bert_onnx.build(model, style).SerializeToString()
        session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        return lambda texts: session.run(None, dict(zip(("ids", "keep"), model.padded(texts), strict=True)))[
            0
        ]

    return {f"padded, {style} operators": _in_batches(embed_with(style), batch) for style in bert_onnx.STYLES}


def _openvino(model: MiniLM, threads: int, batch: int, texts: list[str]) -> dict[str, Embed]:
    """With free sizes, and (for a single batch) with the padded size of these very texts fixed beforehand."""
    import openvino as ov

    core = ov.Core()
    config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads}
    graph = bert_onnx.build(model, "standard").SerializeToString()

    def embed_with(sizes: tuple[int, ...]) -> Embed:
        network = core.read_model(graph)
        network.reshape({"ids": list(sizes), "keep": list(sizes)})
        request = core.compile_model(network, "CPU", config).create_infer_request()

        def embed(texts: list[str]) -> np.ndarray:
            request.infer(dict(zip(("ids", "keep"), model.padded(texts), strict=True)), share_inputs=True)
            return request.get_output_tensor(0).data.copy()

        return embed

    ways = {"padded, free sizes": _in_batches(embed_with((-1, -1)), batch)}
    if len(texts) == batch:
        ways["padded, fixed sizes"] = embed_with(model.padded(texts)[0].shape)
    return ways


KNOWN = {
    "pyattn": _pyattn,
    "torch": _torch,
    "onnxruntime": _onnxruntime,
    "openvino": _openvino,
    "numpy": _numpy,
}
