"""jax.nn.dot_product_attention, jitted. Its own layout is (batch, sequence, heads, width)."""

from __future__ import annotations

import functools

import jax
import numpy as np
from problems import Problem

from engines import Call, Unsupported


class Jax:
    name = "jax"
    version = jax.__version__

    def __init__(self, threads: int) -> None:
        jax.config.update("jax_platforms", "cpu")  # its threads are as many as the process may use cores

    def calls(self, problem: Problem) -> dict[str, Call]:
        if problem.shape.dtype == "float64":
            raise Unsupported("its softmax is always float32")
        arrays = [jax.numpy.asarray(a.swapaxes(1, 2)) for a in (problem.query, problem.key, problem.value)]
        options = _options(problem)
        attend = jax.jit(
            functools.partial(jax.nn.dot_product_attention, is_causal=problem.shape.mask == "causal")
        )
        try:
            attend(*arrays, **options).block_until_ready()
        except ValueError as refused:  # float16: no such matrix product on the CPU
            raise Unsupported(str(refused).splitlines()[0]) from refused
        return {"jit": Call(lambda: attend(*arrays, **options).block_until_ready(), _output)}


def _options(problem: Problem) -> dict:
    options = {}
    if problem.bias is not None:
        options["bias"] = jax.numpy.asarray(problem.bias)
    if problem.keep is not None:
        keep = problem.keep
        options["mask"] = jax.numpy.asarray(keep.reshape((1,) * (4 - keep.ndim) + keep.shape))
    return options


def _output(array: jax.Array) -> np.ndarray:
    return np.asarray(array).swapaxes(1, 2)
