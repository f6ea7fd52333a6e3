"""Markdown pages with Python in them: a page's blocks run one after the other, in one namespace."""

import contextlib
import io
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
# A block of Python and, if one follows, the block of text that it prints.
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """What a page runs, what it says that this prints, and where it stands."""

    code: str
    printed: str
    line: int

    @property
    def bare_code(self) -> str:
        """Without comments, which differ between languages."""
        return re.sub(r"\s*#.*", "", self.code)


def blocks(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return [Block(m[1], m[2] or "", text.count("\n", 0, m.start()) + 1) for m in _BLOCK.finditer(text)]


def prose(name):
    """A page without its blocks."""
    return _FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))


def run(block, name, namespace):
    """Run a block and tell what it prints; skip the test if a model or an optional package is missing."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile("\n" * block.line + block.code, name, "exec"), namespace)
    except not_here() as error:
        pytest.skip(f"{type(error).__name__}: {error}")
    return out.getvalue()


def not_here():
    """What is raised where a model's weights, an optional package or a safe sandbox are missing."""
    from pyattn.models import ModelNotAvailable

    missing = [ModelNotAvailable, ModuleNotFoundError]
    with contextlib.suppress(ModuleNotFoundError):
        from grader.sandbox import SandboxUnavailable

        missing.append(SandboxUnavailable)
    return tuple(missing)


def check(name):
    """Run a page; every block must print what the page says."""
    namespace = {}
    for block in blocks(name):
        assert run(block, name, namespace) == block.printed, f"{name}, line {block.line}"
