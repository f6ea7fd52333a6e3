"""The engines that are compared: one file each, all with the same door.

An engine is a class. It is made with the number of threads, has a ``name`` and a ``version``, and ``calls(problem)``
gives the ways to compute the problem: every setting a user might choose, each as a `Call`. The benchmark checks them
all, and times the fastest. What an engine cannot compute it refuses with `Unsupported` and the reason.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from problems import Problem


class Unsupported(Exception):
    """The engine has no way to compute this problem; the message says why."""


@dataclass(frozen=True)
class Call:
    """``run()`` does the work that is timed; ``output(result)`` makes (B, H, Q, D) of what it returned.

    ``bound`` says that inputs and output were handed over before, once for all runs: quickest, but no whole call.
    """

    run: Callable[[], Any]
    output: Callable[[Any], np.ndarray] = np.asarray
    bound: bool = False


class Engine(Protocol):
    name: str
    version: str

    def calls(self, problem: Problem) -> dict[str, Call]: ...


@dataclass(frozen=True)
class Missing:
    """Stands for an engine that is not installed, so that the report shows it as such."""

    name: str
    reason: str
    version: str = "not installed"


KNOWN = {
    "pyattn": "engines.pyattn:Pyattn",
    "torch": "engines.torch:Torch",
    "ort-mha": "engines.onnxruntime:MultiHeadAttention",
    "ort-attention": "engines.onnxruntime:Attention23",
    "openvino": "engines.openvino:OpenVINO",
    "jax": "engines.jax:Jax",
    "numpy": "engines.numpy:NumPy",
    "ort-cache": "engines.onnxruntime_cache:GroupQueryAttention",
}
DEFAULT = tuple(
    name for name in KNOWN if name != "ort-cache"
)  # it brings a cache of its own: another contract


def load(name: str, threads: int) -> Engine | Missing:
    """The engine of that name, or ``package.module:Class`` for one of your own."""
    if name not in KNOWN and ":" not in name:
        raise SystemExit(
            f"--engines {name}: known are {', '.join(KNOWN)}; your own is written package.module:Class"
        )
    module, _, attribute = KNOWN.get(name, name).partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)(threads)
    except ImportError as missing:
        return Missing(name, f"not installed ({missing})")
