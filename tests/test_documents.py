"""What the documents say is so: their examples run, their links lead somewhere, their commands are the real ones."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import pyattn

ROOT = Path(__file__).parents[1]
READMES = ["README.md", "README.zh-CN.md"]
DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("*/**/*.md")])
DOCUMENTS = [name for name in DOCUMENTS if not name.startswith((".", "build/", "dist/"))]
NOT_HERE = ["pyattn.demo", "pyattn.__main__"]  # programs


def python_blocks(name):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)


def code_of(block):
    """A block without its comments, which differ between languages."""
    return re.sub(r"\s*#.*", "", block)


def run(block, name, namespace):
    try:
        exec(compile(block, name, "exec"), namespace)
    except pyattn_models_errors() as error:
        pytest.skip(f"{type(error).__name__}: {error}")


def pyattn_models_errors():
    """What a model raises where its weights or the extra that reads them are missing."""
    from pyattn.models import ModelNotAvailable

    return ModelNotAvailable, ModuleNotFoundError


@pytest.mark.parametrize("name", READMES)
def test_the_readme_s_blocks_run_one_after_the_other(name, capsys):
    namespace, (first, *others) = {}, python_blocks(name)
    run(first, name, namespace)
    assert capsys.readouterr().out == "(2, 8, 1000, 64) float32\n"
    assert len(others) == 3
    for block in others:
        run(block, name, namespace)


def test_the_first_block_has_ten_lines():
    first = python_blocks("README.md")[0].splitlines()
    assert len([line for line in first if line]) <= 10


def test_both_readmes_have_the_same_code():
    english, chinese = ([code_of(block) for block in python_blocks(name)] for name in READMES)
    assert english == chinese


@pytest.mark.parametrize("name", READMES)
def test_both_readmes_have_the_two_commands(name):
    text = (ROOT / name).read_text()
    for command in ("pip install '.[demo]' && python -m pyattn.demo ", "pip install '.[test]' && pytest "):
        assert re.search(rf"^{re.escape(command)} *# ", text, re.MULTILINE)


def test_both_readmes_have_the_same_figures():
    """The measured tables may differ in words only."""
    tables = [measured(name) for name in READMES]
    numbers = [re.findall(r"\d+(?:\.\d+)?", table) for table in tables]
    assert numbers[0] == numbers[1]


def measured(name):
    (table,) = re.findall(r"<!-- measured -->(.*?)<!-- /measured -->", (ROOT / name).read_text(), re.DOTALL)
    return table


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_what_is_there(name):
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith(("http", "#"))]
    missing = [link for link in links if not ((ROOT / name).parent / link.partition("#")[0]).exists()]
    assert not missing


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_a_table_tells_to_open_exist(name):
    folder = (ROOT / name).parent
    rows = [row for row in (ROOT / name).read_text().splitlines() if row.startswith("|")]
    named = [path for row in rows for path in re.findall(r"`([\w/]+\.(?:h|cpp|py|cmake))`", row)]
    assert not [path for path in named if not (folder / path).exists()]


def modules():
    walked = pkgutil.walk_packages(pyattn.__path__, "pyattn.")
    return ["pyattn", *(module.name for module in walked if module.name not in NOT_HERE)]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_run(name):
    try:
        module = importlib.import_module(name)
        results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE, raise_on_error=True)
    except doctest.UnexpectedException as unexpected:
        error = unexpected.exc_info[1]
        if isinstance(error, pyattn_models_errors()):
            pytest.skip(f"{type(error).__name__}: {error}")
        raise error from None
    assert results.failed == 0


def test_every_public_function_that_takes_something_has_an_example():
    functions = [
        getattr(pyattn, name) for name in pyattn.__all__ if inspect.isfunction(getattr(pyattn, name))
    ]
    assert len(functions) > 10
    without = [f.__name__ for f in functions if inspect.signature(f).parameters and ">>> " not in f.__doc__]
    assert not without
