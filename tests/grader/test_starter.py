"""Starters: written once, never over anything, and they are what the statement says."""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from grader import bounds, catalogue, inputs, solutions
from grader.starter import write_starter

ASSIGNMENTS = catalogue.load_all()
each = pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda assignment: assignment.slug)


@each
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_starter_and_statement_are_written(assignment, lang, tmp_path):
    written = write_starter(assignment, tmp_path / "new" / "folder", lang)
    assert {path.name for path in written} == {"statement.md", *(t.file for t in assignment.tracks.values())}
    statement = (tmp_path / "new" / "folder" / "statement.md").read_text(encoding="utf-8")
    assert statement == (assignment.folder / f"statement.{lang}.md").read_text(encoding="utf-8")


@each
def test_nothing_is_overwritten(assignment, tmp_path):
    (tmp_path / "statement.md").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match=r"statement\.md already in .*Choose another"):
        write_starter(assignment, tmp_path, "en")
    assert [path.name for path in tmp_path.iterdir()] == ["statement.md"]
    assert (tmp_path / "statement.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("assignment", [a for a in ASSIGNMENTS if "numpy" in a.tracks], ids=lambda a: a.slug)
def test_a_starter_has_every_function_and_raises(assignment):
    names = {}
    exec((assignment.folder / "starter.py").read_text(encoding="utf-8"), names)
    for test in assignment.tests[:3]:
        with pytest.raises(NotImplementedError):
            names[test.function](**inputs.make_arguments(test, 1))


def right(assignment, test, call):
    arguments = inputs.make_arguments(test, 1)
    exact = solutions.expected(assignment, test, arguments)
    return bounds.within((call(arguments, exact[0].shape),), exact, bounds.of(test.bound, arguments, exact))


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_the_starter_in_cpp_is_right(tmp_path):
    """Called as the track's C signature says, pointer by pointer and size by size."""
    assignment = catalogue.load("fast-attention")
    library = tmp_path / "starter.so"
    source = assignment.folder / "starter.cpp"
    options = ["-std=c++20", "-O3", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["g++", *options, str(source), "-o", str(library)], check=True)
    functions = ctypes.CDLL(str(library))

    for test in [test for test in assignment.tests if test.group != "speed"]:

        def call(arguments, shape, test=test):
            arrays = {**arguments, "output": np.full(shape, np.nan, arguments["q"].dtype)}
            getattr(functions, test.function)(
                *(c_value(word, arrays) for word in assignment.tracks["cpp"].arguments)
            )
            return arrays["output"]

        assert right(assignment, test, call), test.id


def c_value(word, arrays):
    name, _, axis = word.partition("[")
    if axis:
        return ctypes.c_int64(arrays[name].shape[int(axis[:-1])])
    return arrays[name].ctypes.data_as(ctypes.c_void_p)


def test_the_starter_in_cython_is_right(tmp_path):
    pytest.importorskip("Cython", reason="no Cython here")
    assignment = catalogue.load("fast-attention")
    source = tmp_path / "attention_starter.pyx"
    shutil.copy(assignment.folder / "starter.pyx", source)
    command = [sys.executable, "-m", "Cython.Build.Cythonize", "-i", "-3", str(source)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"CFLAGS": "-O0"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    module = imported(next(tmp_path.glob("attention_starter*.so")))
    for test in [test for test in assignment.tests if test.group != "speed"]:
        function = getattr(module, test.function)
        assert right(assignment, test, lambda arguments, _, call=function: call(**arguments)), test.id


def imported(binary):
    spec = importlib.util.spec_from_file_location("attention_starter", binary)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
