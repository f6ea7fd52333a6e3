"""pyattn.attention, as a user calls it: arrays in, a new array out."""

from __future__ import annotations

from contextlib import AbstractContextManager

from problems import Problem

import pyattn
from engines import Call, Unsupported


class Pyattn:
    name = "pyattn"
    version = pyattn.__version__

    def __init__(self, threads: int) -> None:
        pyattn.set_num_threads(threads)

    def calls(self, problem: Problem) -> dict[str, Call]:
        q, k, v = problem.query, problem.key, problem.value
        mask, bias = _mask(problem), problem.bias
        return {"attention": Call(lambda: pyattn.attention(q, k, v, mask, bias=bias))}

    def use_isa(self, name: str) -> AbstractContextManager:
        if name not in pyattn.available_isas():
            raise Unsupported(
                f"instruction set {name} is not available here: {', '.join(pyattn.available_isas())}"
            )
        return pyattn.use_isa(name)


def _mask(problem: Problem):
    if problem.shape.mask == "causal":
        return pyattn.causal()
    if problem.shape.mask == "padding" and problem.keep is not None:
        return pyattn.padding(problem.keep[:, 0, 0])
    return problem.keep
