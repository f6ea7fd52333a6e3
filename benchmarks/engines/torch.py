"""torch.nn.functional.scaled_dot_product_attention, in both memory layouts and with both of its CPU back-ends."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from problems import Problem
from torch.nn.attention import SDPBackend, sdpa_kernel

from engines import Call


class Torch:
    name = "torch"
    version = torch.__version__

    def __init__(self, threads: int) -> None:
        torch.set_num_threads(threads)

    def calls(self, problem: Problem) -> dict[str, Call]:
        with torch.inference_mode():  # tensors made in here carry no autograd: less to do in each call
            heads_outside = [to_tensor(a) for a in (problem.query, problem.key, problem.value)]
            heads_inside = [t.transpose(1, 2).contiguous().transpose(1, 2) for t in heads_outside]
            options = _options(problem)
        q, k, v = heads_outside
        inner_q, inner_k, inner_v = heads_inside
        return {
            "heads outside": Call(lambda: F.scaled_dot_product_attention(q, k, v, **options), to_numpy),
            "heads inside": Call(
                lambda: F.scaled_dot_product_attention(inner_q, inner_k, inner_v, **options), to_numpy
            ),
            "math back-end": Call(lambda: _unfused(q, k, v, options), to_numpy),
        }


def _unfused(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, options: dict) -> torch.Tensor:
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q, k, v, **options)


def _options(problem: Problem) -> dict:
    options: dict = {}
    if problem.shape.kv_heads != problem.shape.heads:
        options["enable_gqa"] = True
    if problem.shape.mask == "causal":
        options["is_causal"] = True
    given = problem.keep if problem.bias is None else problem.bias
    if given is not None:
        options["attn_mask"] = torch.from_numpy(given)
    return options


def to_tensor(array: np.ndarray) -> torch.Tensor:
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16).clone()
    return torch.from_numpy(array).clone()


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()
