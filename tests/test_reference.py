"""The API reference: a page for every public module, an example for every public name, and every example runs."""

import doctest
import importlib
import inspect
import re

import pytest
from pages import ROOT, check, not_here

PAGES = sorted(path.stem for path in (ROOT / "docs" / "api").glob("*.md") if path.stem != "README")
PUBLIC = [name for name in PAGES if name.startswith("pyattn")]  # grader's has more than one module


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def modules_that_mention(text):
    files = [path for name in ("pyattn", "grader") for path in (ROOT / name).rglob("*.py")]
    return sorted(module_of(path) for path in files if text in path.read_text(encoding="utf-8"))


def imported(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(f"{type(error).__name__}: {error}")


@pytest.mark.parametrize("name", modules_that_mention(">>> "))
def test_examples_in_docstrings_run(name):
    module = imported(name)
    try:
        results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE, raise_on_error=True)
    except doctest.UnexpectedException as unexpected:
        error = unexpected.exc_info[1]
        if isinstance(error, not_here()):
            pytest.skip(f"{type(error).__name__}: {error}")
        raise error from None
    assert results.attempted > 0


def test_every_public_module_has_a_page():
    assert [n for n in modules_that_mention("\n__all__ = ") if n.startswith("pyattn")] == PUBLIC


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_about_modules_that_exist(name):
    text = (ROOT / "docs" / "api" / f"{name}.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. automodule:: (\S+)$", text, re.MULTILINE)
    assert documented and all(one == name or one.startswith(f"{name}.") for one in documented)
    for one in documented:
        assert imported(one).__doc__


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_that_takes_something_has_an_example(name):
    module = imported(name)
    public = [getattr(module, one) for one in module.__all__]
    callables = [one for one in public if inspect.isfunction(one) or inspect.isclass(one)]
    assert callables
    without = [one.__name__ for one in callables if takes_something(one) and ">>> " not in shown(one)]
    assert not without


def takes_something(one):
    """Whether users call it with arguments: not so what another call returns, or what only describes others."""
    return not is_made_by_others(one) and len(inspect.signature(one).parameters) > 0


def is_made_by_others(one):
    return inspect.isclass(one) and (
        issubclass(one, tuple | Exception)
        or hasattr(one, "__dataclass_fields__")
        or getattr(one, "_is_protocol", False)
    )


def shown(one):
    """A name's docstring, and a class's methods'."""
    members = vars(one).values() if inspect.isclass(one) else ()
    methods = [m for m in (getattr(m, "__func__", m) for m in members) if inspect.isfunction(m)]
    return "".join(inspect.getdoc(each) or "" for each in [one, *methods])


def test_the_page_about_the_grader_prints_what_it_says():
    check("docs/api/grader.md")
