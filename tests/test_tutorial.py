"""The tutorial: all its numbers come out of its code, and both languages tell them of the same code."""

import re
import sys

import numpy as np
import pytest
from pages import ROOT, blocks, check, prose

TUTORIALS = ["docs/tutorial.md", "docs/tutorial.zh-CN.md"]
DECIMAL = re.compile(r"\d+\.\d+")


@pytest.fixture
def in_the_folder_of_the_sources(monkeypatch):
    """Where the tutorial tells its reader to be; what it changes is undone."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with np.printoptions():
        yield


def test_every_block_prints_what_the_page_says(in_the_folder_of_the_sources):
    assert len(blocks(TUTORIALS[0])) > 40
    check(TUTORIALS[0])


def test_both_languages_have_the_same_code_and_the_same_output():
    """So that one of them is enough to run."""
    english, chinese = ([(b.bare_code, b.printed) for b in blocks(name)] for name in TUTORIALS)
    assert english == chinese


@pytest.mark.parametrize("name", TUTORIALS)
def test_every_decimal_in_the_text_is_one_that_the_code_prints(name):
    printed = {number for block in blocks(name) for number in DECIMAL.findall(block.printed)}
    told = DECIMAL.findall(prose(name))
    assert len(told) > 5
    assert not set(told) - printed


@pytest.mark.parametrize("name", TUTORIALS)
def test_no_line_of_code_is_too_long_to_read(name):
    assert max(len(line) for block in blocks(name) for line in block.code.splitlines()) <= 110
