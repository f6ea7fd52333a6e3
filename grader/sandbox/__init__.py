"""Runs hostile code: files and each `Call` go in, an `Outcome` comes out. Knows nothing of assignments.

>>> from grader.sandbox import Sandbox
>>> with Sandbox.open({"submission.py": source}, "numpy", limits) as box:   # doctest: +SKIP
...     outcome = box.call(Call("softmax", {"x": x}, positional=1), limits)

Arguments of a C function (track "cpp") are those of the `Call` in order: an array is a pointer to its first
element, an int is int64_t, a float is double, a bool is int, None is a null pointer; the text "output:k" is the
pointer to the k-th of `Call.outputs`, which the function fills. These outputs are its results.
"""

from .box import Sandbox
from .levels import Level
from .selftest import Probe, SelfTest, selftest
from .timed import Timed
from .unavailable import SandboxUnavailable

__all__ = ["Level", "Probe", "Sandbox", "SandboxUnavailable", "SelfTest", "Timed", "selftest"]
