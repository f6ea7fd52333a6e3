"""C++ and Cython: compiled inside, loaded by the child only."""

from dataclasses import replace

import numpy as np
import pytest
from sandbox_limits import LIMITS

from grader.models import Call, Status

CPP = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
extern "C" void scale(const float* x, int64_t n, double by, int negate, const float* extra, float* out, double* sum) {
  *sum = 0;
  for (int64_t i = 0; i < n; ++i) { out[i] = x[i] * by * (negate ? -1 : 1); *sum += x[i]; }
  if (extra) *sum = 1e9;
  std::printf("from C");
}
extern "C" void one_too_many(const float* x, int64_t n, double, int, const float*, float* out, double*) { out[n] = 0; }
extern "C" void into_the_input(float* x, int64_t, double, int, const float*, float*, double*) { x[-1] = 7; }
extern "C" void nothing(const float*, int64_t, double, int, const float*, float*, double*) {}
extern "C" void crash(const float*, int64_t, double, int, const float*, float*, double*) { std::abort(); }
void mangled(const float*) {}
"""
X = np.arange(5, dtype=np.float32)
OUTPUTS = (((5,), "float32"), ((), "float64"))


def c_call(name):
    arguments = {
        "x": X,
        "n": 5,
        "by": 2.5,
        "negate": True,
        "extra": None,
        "out": "output:0",
        "sum": "output:1",
    }
    return Call(name, arguments, outputs=OUTPUTS, results=2)


def test_a_c_function_gets_its_arguments_and_fills_its_outputs(opened):
    box = opened(CPP, "cpp")
    assert box.build.ok and box.build.seconds > 0
    outcome = box.call(c_call("scale"), LIMITS)
    assert outcome.status is Status.OK, outcome
    assert np.array_equal(outcome.results[0], X * -2.5) and outcome.results[1] == 10.0
    assert outcome.printed == b"from C"


@pytest.mark.parametrize(
    "name, status, code",
    [
        ("one_too_many", Status.REFUSED, "wrote-outside-output"),
        ("into_the_input", Status.REFUSED, "wrote-outside-output"),
        ("mangled", Status.MISSING, "function-not-extern-c"),
        ("not_there", Status.MISSING, "function-not-in-library"),
        ("crash", Status.KILLED, "killed"),
    ],
)
def test_a_wrong_c_function_is_told_why(opened, name, status, code):
    outcome = opened(CPP, "cpp").call(c_call(name), LIMITS)
    assert (outcome.status, outcome.message.code) == (status, code)


def test_an_output_that_was_not_written_is_nan(opened):
    outcome = opened(CPP, "cpp").call(c_call("nothing"), LIMITS)
    assert all(np.isnan(result).all() for result in outcome.results)


def test_a_c_error_is_shown_and_every_call_says_so(opened):
    box = opened("int x = ;\n", "cpp")
    assert not box.build.ok and "submission.cpp:1:9: error" in box.build.log
    assert box.build.message.code == "compile-failed" and box.build.message.params["command"] == "g++"
    assert box.call(c_call("scale"), LIMITS).status is Status.IMPORT_FAILED


CYTHON = """
cimport cython
import numpy as np
cimport numpy as cnp
from helper import two
def f(float[:, ::1] x, *, double by=1.0):
    cdef Py_ssize_t i, j
    out = np.empty_like(x)
    cdef float[:, ::1] view = out
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            view[i, j] = x[i, j] * by * two
    return out
"""


def test_a_cython_module_is_called_like_a_python_one(opened):
    box = opened(CYTHON, "cython", helper="two = 2")
    assert box.build.ok, box.build.log
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    outcome = box.call(Call("f", {"x": x, "by": 0.5}, positional=1), LIMITS)
    assert outcome.status is Status.OK and np.array_equal(outcome.results[0], x), outcome
    assert box.call(Call("g", {}), LIMITS).message.code == "function-missing"


def test_a_cython_error_is_shown(opened):
    box = opened("def f(x:\n", "cython")
    assert not box.build.ok and "submission.pyx:2:0: Expected" in box.build.log
    assert box.build.message.code == "compile-failed"


@pytest.mark.parametrize("header", ["/etc/shadow", "/root/.bashrc", "/proc/1/environ"])
def test_the_compiler_reads_nothing_of_the_host(opened, header):
    box = opened(f'#include "{header}"\nextern "C" void f() {{}}\n', "cpp")
    assert not box.build.ok and ("No such file" in box.build.log or "Permission denied" in box.build.log)


def test_a_compiler_that_does_not_end_is_ended(opened):
    slow = "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i; return s; }\n"
    limits = replace(LIMITS, compile_seconds=1.0)
    box = opened(
        slow + "".join(f"constexpr long v{i} = f(260000 - {i});\n" for i in range(400)), "cpp", limits
    )
    assert not box.build.ok and box.build.message.code == "compile-timed-out", box.build
    assert box.build.seconds < 5


def test_a_compiler_s_endless_log_is_cut(opened):
    limits = replace(LIMITS, printed_bytes=2000)
    box = opened("".join(f"#warning {'x' * 100} {i}\n" for i in range(5000)) + "int x = ;", "cpp", limits)
    assert len(box.build.log) < 2200 and "bytes ...]" in box.build.log


def test_a_constructor_of_the_library_runs_in_the_child_only(opened):
    evil = "#include <cstdlib>\n__attribute__((constructor)) void now() { std::_Exit(0); }\n"
    evil += 'extern "C" void scale() {}\n'
    box = opened(evil, "cpp")
    assert box.build.ok
    for _ in range(2):
        assert box.call(c_call("scale"), LIMITS).status is Status.EXITED
