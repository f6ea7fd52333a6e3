"""What goes in and what comes out of an honest call, and what is refused with which reason."""

import numpy as np
import pytest
from sandbox_limits import LIMITS

from grader.models import Call, Status
from grader.sandbox import Level, Sandbox

TAKES_ANYTHING = """
import numpy as np
def f(a, b=1, *, c=2, flag=False, name="", nothing=0):
    assert type(a) is np.ndarray and a.flags.c_contiguous, a
    print(a.dtype, a.shape, b, c, flag, name, nothing)
    return np.asarray(a, dtype=np.float64)
"""


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint16", "bool"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3, 5), (4, 0, 2)], ids=str)
def test_arrays_arrive_as_they_were(level, dtype, shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    with Sandbox.open({"submission.py": TAKES_ANYTHING.encode()}, "numpy", LIMITS, level=level) as box:
        outcome = box.call(Call("f", {"a": a}, positional=1), LIMITS)
    assert outcome.status is Status.OK, outcome
    assert outcome.results[0].shape == shape and np.array_equal(outcome.results[0], a.astype(float))
    assert outcome.changed == () and outcome.printed.startswith(f"{dtype} {shape}".encode())


def test_strided_arrays_arrive_in_c_order(opened):
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))[:, ::-1]
    outcome = opened(TAKES_ANYTHING).call(Call("f", {"a": a}, positional=1), LIMITS)
    assert np.array_equal(outcome.results[0], a) and outcome.changed == ()


def test_scalars_texts_and_none_arrive_by_position_or_keyword(opened):
    arguments = {
        "a": np.ones(2),
        "b": 1 << 70,
        "c": float("-inf"),
        "flag": True,
        "name": "因果",
        "nothing": None,
    }
    outcome = opened(TAKES_ANYTHING).call(Call("f", arguments, positional=2), LIMITS)
    assert outcome.printed.decode().split()[2:] == [str(1 << 70), "-inf", "True", "因果", "None"]


def test_object_arrays_cannot_be_asked_for(opened):
    with pytest.raises(ValueError, match="dtype object"):
        opened(TAKES_ANYTHING).call(Call("f", {"a": np.array([None])}), LIMITS)


@pytest.mark.parametrize(
    "expression",
    [
        "x * 2",
        "(x * 2).T.copy().T",
        "np.asfortranarray(x * 2)",
        "np.repeat(x * 2, 2, axis=0)[::2]",
        "(x * 2)[::1]",
    ],
)
def test_any_layout_of_a_float_array_is_an_answer(outcome_of, expression):
    outcome = outcome_of(f"def f(x): return {expression}")
    assert outcome.status is Status.OK, outcome
    assert outcome.results[0].dtype == np.float32
    assert np.array_equal(outcome.results[0], np.arange(6).reshape(2, 3) * 2)


def test_a_result_keeps_every_bit(outcome_of):
    bits = np.array(
        [0x7FF8DEADBEEF0001, 0x8000000000000000, 0x0000000000000001, 0xFFF0000000000000], dtype=np.uint64
    )
    outcome = outcome_of("def f(x): return x.copy()", x=bits.view(np.float64))
    assert np.array_equal(outcome.results[0].view(np.uint64), bits)


@pytest.mark.parametrize("kind", ["tuple", "list"])
def test_two_results_come_as_tuple_or_list(outcome_of, kind):
    outcome = outcome_of(f"def f(x): return {kind}([x + 1, np.float64(2) * x])", results=2)
    assert [result.dtype.name for result in outcome.results] == ["float32", "float64"]


def test_two_results_may_come_as_a_named_tuple(outcome_of):
    named = "from collections import namedtuple\nPair = namedtuple('Pair', 'output weights')\n"
    outcome = outcome_of(f"{named}def f(x): return Pair(x + 1, x)", results=2)
    assert len(outcome.results) == 2


REFUSED = {
    "result-is-none": "None",
    "result-is-list": "x.tolist()",
    "result-is-tuple": "(x, x)",
    "result-is-scalar": "float(x.sum())",
    "result-is-scalar ": "x.sum()",
    "result-is-matrix": "np.matrix(x)",
    "result-is-masked": "np.ma.masked_array(x)",
    "result-is-subclass": "x.view(Sub)",
    "result-is-subclass ": "np.memmap('/tmp/m', np.float32, 'w+', shape=(2, 3))",
    "result-wrong-type": "Lazy()",
    "result-wrong-type ": "AllEqual()",
    "result-wrong-type  ": "'text'",
    "result-wrong-dtype": "x.astype(np.float16)",
    "result-wrong-dtype ": "x.astype(np.int32)",
    "result-wrong-dtype  ": "x.astype(object)",
    "result-wrong-dtype   ": "x.astype('>f4')",
    "result-wrong-dtype    ": "x.astype(complex)",
    "result-wrong-dtype     ": "np.zeros(2, dtype=[('a', np.float32)])",
    "result-wrong-dtype      ": "x > 1",
}


@pytest.mark.parametrize("code, expression", REFUSED.items(), ids=lambda text: text.strip())
def test_what_is_no_real_float_array_is_refused_with_the_reason(outcome_of, code, expression):
    source = """
class Sub(np.ndarray):
    def __array_function__(self, *a, **k): return True
class Lazy:
    def __array__(self, *a, **k): return np.ones((2, 3), np.float32)
    __class__ = np.ndarray
class AllEqual:
    def __eq__(self, other): return True
"""
    outcome = outcome_of(source + f"def f(x): return {expression}")
    assert (outcome.status, outcome.message.code) == (Status.REFUSED, code.strip())
    assert outcome.results == ()


@pytest.mark.parametrize(
    "expression", ["x", "(x,)", "(x, x, x)", "{0: x, 1: x}", "Pair([x, x])", "np.stack([x, x])"]
)
def test_another_number_of_results_is_refused(outcome_of, expression):
    outcome = outcome_of(f"class Pair(list): pass\ndef f(x): return {expression}", results=2)
    assert (outcome.status, outcome.message.code) == (Status.REFUSED, "result-count")


def test_changed_inputs_are_named(outcome_of):
    outcome = outcome_of("def f(x):\n    y = x * 2\n    x[0, 0] = -0.0\n    return y")
    assert outcome.status is Status.OK and outcome.changed == ("x",)


def test_in_place_results_are_refused(outcome_of):
    outcome = outcome_of("def f(x):\n    x *= 2\n    return x.T")
    assert (outcome.status, outcome.message.code) == (Status.REFUSED, "result-is-input")
    assert outcome.message.params == {"result": 0, "argument": "x"} and outcome.changed == ("x",)


def test_an_untouched_input_may_be_the_result(outcome_of):
    assert outcome_of("def f(x): return x").status is Status.OK


def test_results_beyond_the_limit_are_not_taken(outcome_of):
    outcome = outcome_of("def f(x): return np.broadcast_to(x[:1, :1], (1 << 20, 1 << 20))")
    assert (outcome.status, outcome.message.code) == (Status.TOO_LARGE, "result-too-large")


def test_helper_modules_can_be_imported(opened):
    box = opened("from part import two\ndef f(x): return x * two", part="two = 2")
    assert box.call(Call("f", {"x": np.ones(3)}), LIMITS).results[0].sum() == 6


@pytest.mark.parametrize(
    "source, status, code",
    [
        ("def g(x): return x", Status.MISSING, "function-missing"),
        ("f = 3", Status.MISSING, "function-not-callable"),
        ("def f(y): return y", Status.MISSING, "function-wrong-parameters"),
        ("def f(x) return x", Status.IMPORT_FAILED, "import-failed"),
        ("import torch", Status.IMPORT_FAILED, "module-missing"),
        ("import pyattn", Status.IMPORT_FAILED, "module-missing"),
        ("import grader.models", Status.IMPORT_FAILED, "module-missing"),
        ("def f(x): return x @ x", Status.RAISED, "raised"),
        ("def f(x): return f(x)", Status.RAISED, "raised"),
        ("def f(x): raise KeyboardInterrupt", Status.RAISED, "raised"),
        ("def f(x): sys.exit('enough')", Status.EXITED, "exit-called"),
        ("sys.exit(0)", Status.EXITED, "exit-called"),
        ("def f(x): return np.zeros(1 << 50)", Status.OUT_OF_MEMORY, "out-of-memory"),
    ],
)
def test_a_call_without_answer_says_why(opened, source, status, code):
    call = Call("f", {"x": np.ones((2, 3))})
    outcome = opened("import sys\nimport numpy as np\n" + source).call(call, LIMITS)
    assert (outcome.status, outcome.message.code) == (status, code), outcome


def test_a_traceback_shows_the_student_s_line_and_none_of_ours(outcome_of):
    outcome = outcome_of("def f(x):\n    return x.nonsense")
    assert 'submission.py", line 4, in f' in outcome.traceback and "return x.nonsense" in outcome.traceback
    assert "inside" not in outcome.traceback
    assert outcome.message.params["type"] == "AttributeError"


def test_without_walls_the_same_calls_give_the_same(opened):
    with Sandbox.open({"submission.py": TAKES_ANYTHING.encode()}, "numpy", LIMITS, level=Level.NONE) as box:
        outcome = box.call(Call("f", {"a": np.ones(2)}, positional=1), LIMITS)
        assert box.level is Level.NONE and outcome.results[0].sum() == 2
        assert box.call(Call("nope", {}), LIMITS).status is Status.MISSING


@pytest.mark.parametrize("name", ["/etc/x.py", "../x.py", "a/../../x.py", "", "a//b.py", "a\0b"])
def test_file_names_that_lead_elsewhere_are_an_error(level, name):
    with pytest.raises(ValueError, match="relative path"):
        Sandbox.open({"submission.py": b"", name: b""}, "numpy", LIMITS, level=level)


def test_helpers_may_lie_in_a_folder(level):
    files = {
        "submission.py": b"from part.deep import f",
        "part/deep.py": b"def f(x): return x",
        "part/__init__.py": b"",
    }
    with Sandbox.open(files, "numpy", LIMITS, level=level) as box:
        assert box.call(Call("f", {"x": np.ones(2)}), LIMITS).status is Status.OK


def test_a_helper_may_have_the_name_of_our_own_package(opened):
    box = opened("from inside import two\ndef f(x): return x * two", inside="two = 2")
    assert box.call(Call("f", {"x": np.ones(3)}), LIMITS).results[0].sum() == 6
