"""The tutorial says nothing that its code does not print."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIALS = ["docs/tutorial.md", "docs/tutorial.zh-CN.md"]


def blocks(name):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", TUTORIALS)
def test_every_number_is_what_the_code_prints(name, monkeypatch):
    pytest.importorskip("safetensors", reason="the trained examples are safetensors files")
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(ROOT / "examples")
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(name)), {}, name, name, 0)
    said = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert results.failed == 0, "".join(said)
    assert results.attempted > 80


def test_both_have_the_same_code():
    english, chinese = map(blocks, TUTORIALS)
    assert english == chinese
    assert len(english) > 15
