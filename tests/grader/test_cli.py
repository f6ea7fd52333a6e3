"""The command line as it is used: a process, its exit code, one report on standard output."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import catalogue

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = ROOT / "grader" / "assignments"
RIGHT = (ASSIGNMENTS / "softmax" / "solution.py").read_text(encoding="utf-8")
UNSTABLE = """
import numpy as np

def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
"""


def grader(*arguments, cwd=None):
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd, check=False)


def handed_in(tmp_path, source, name="submission.py"):
    (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path / name


def graded(tmp_path, source, *more, slug="softmax"):
    ran = grader(
        "grade", handed_in(tmp_path, source), "--assignment", slug, "--format", "json", "--seed", 7, *more
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_right_submission_gets_full_marks(tmp_path):
    found = graded(tmp_path, RIGHT)
    assert found["score"] == found["max_score"] == 100
    assert all(test["passed"] and not test["named"] for test in found["tests"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_mistake_is_named_in_either_language(tmp_path, lang):
    found = graded(tmp_path, UNSTABLE, "--lang", lang)
    assert 0 < found["score"] < 100
    names = {code for test in found["tests"] if test["named"] for code in test["named"]["codes"]}
    assert "no-max" in names


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def softmax(x, axis=-1)\n    return x\n", "import-failed"),
        ("import no_such_module\n", "module-missing"),
        ("def soft_max(x, axis=-1):\n    return x\n", "function-missing"),
        ("def softmax(x):\n    return x\n", "function-wrong-parameters"),
        ("softmax = 3\n", "function-not-callable"),
        ("def softmax(x, axis=-1):\n    pass\n", "result-is-none"),
        ("def softmax(x, axis=-1):\n    return x.tolist()\n", "result-is-list"),
        ("def softmax(x, axis=-1):\n    return x.astype('float16')\n", "result-wrong-dtype"),
        ("def softmax(x, axis=-1):\n    raise ValueError('nein')\n", "raised"),
        ("def softmax(x, axis=-1):\n    return x[..., :1]\n", "wrong-shape"),
        ("import os\nos._exit(0)\n", "exited"),
        ("import pyattn\n", "module-missing"),
        ("import grader\n", "module-missing"),
        ("import sys\nsys.exit(0)\n", "exit-called"),
    ],
)
def test_what_cannot_work_says_why_in_every_test(tmp_path, source, code):
    found = graded(tmp_path, source)
    assert found["score"] == 0
    assert [test["id"] for test in found["tests"]] == [test.id for test in catalogue.load("softmax").tests]
    for test in found["tests"]:
        codes = [finding["code"] for finding in test["findings"]]
        assert code in codes or (code == "function-wrong-parameters" and codes)
        assert all(finding["text"] for finding in test["findings"])


def test_the_same_seed_gives_the_same_report(tmp_path):
    first, second = (graded(tmp_path, UNSTABLE)["tests"] for _ in range(2))
    assert [test["findings"] for test in first] == [test["findings"] for test in second]


def test_two_time_outs_end_the_waiting(tmp_path):
    found = graded(tmp_path, "def softmax(x, axis=-1):\n    while True: pass\n")
    codes = [test["findings"][0]["code"] for test in found["tests"]]
    assert codes[2:] == ["skipped-after-timeouts"] * (len(codes) - 2)
    assert all(code in ("wall-time-out", "cpu-time-out") for code in codes[:2])


def test_gradescope_gets_its_document(tmp_path):
    path = handed_in(tmp_path, UNSTABLE)
    found = json.loads(grader("grade", path, "--assignment", "softmax", "--format", "gradescope").stdout)
    assert found["score"] == pytest.approx(sum(test["score"] for test in found["tests"]), abs=1e-3)
    assert found["execution_time"] > 0
    for test in found["tests"]:
        assert {"name", "score", "max_score", "status", "output", "visibility"} <= set(test)
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")


def test_escape_sequences_do_not_reach_the_terminal(tmp_path):
    source = (
        "def softmax(x, axis=-1):\n"
        "    print('\\x1b[2J\\x1b]0;owned\\x07')\n"
        "    raise ValueError('\\x1b[31m')\n"
    )
    path = handed_in(tmp_path, source)
    for kind in ("text", "gradescope", "json"):
        assert "\x1b" not in grader("grade", path, "--assignment", "softmax", "--format", kind).stdout


def test_markup_in_what_is_printed_is_shown_and_not_obeyed(tmp_path):
    source = "def softmax(x, axis=-1):\n    raise ValueError('[bold red]x[/bold red] [/] [link=file:///]')\n"
    shown = grader("grade", handed_in(tmp_path, source), "--assignment", "softmax").stdout
    assert "[bold red]x[/bold red]" in shown


def test_pictures_show_the_error(tmp_path):
    folder = tmp_path / "pictures"
    found = graded(tmp_path, UNSTABLE, "--pictures", folder)
    wrong = [test for test in found["tests"] if not test["passed"]]
    for test in wrong:
        assert Path(test["picture"]).read_bytes().startswith(b"\x89PNG")
    assert len(list(folder.iterdir())) == len(wrong)


@pytest.mark.parametrize(
    "arguments",
    [
        ("grade",),
        ("grade", "nothing.py", "--assignment", "softmax"),
        ("grade", __file__, "--assignment", "sofmax"),
        ("grade", __file__, "--assignment", "softmax", "--track", "cpp"),
        ("grade", __file__, "--assignment", "softmax", "--format", "xml"),
        ("grade", __file__, "--assignment", "softmax", "--seed", "-1"),
        ("starter", "no-such"),
        ("check-assignments", "no-such"),
        ("nonsense",),
    ],
)
def test_wrong_use_ends_with_2_and_says_what_to_do(tmp_path, arguments):
    ran = grader(*arguments, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.strip()
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "There is no assignment sofmax"), ("zh", "没有名为 sofmax")]
)
def test_a_wrong_name_is_answered_in_the_students_language_with_the_right_ones(tmp_path, lang, said):
    ran = grader("grade", handed_in(tmp_path, RIGHT), "--assignment", "sofmax", "--lang", lang)
    assert ran.returncode == 2 and ran.stderr.startswith(said) and "online-softmax, " in ran.stderr
    assert "/" not in ran.stderr


def test_a_teacher_checks_lists_and_grades_with_a_catalogue_of_their_own(tmp_path):
    shutil.copytree(ASSIGNMENTS / "softmax", tmp_path / "own" / "spitze")
    own = ("--catalogue", tmp_path / "own")
    checked = grader("check-assignments", "--no-cheats", "--seeds", 1, *own)
    assert checked.returncode == 0 and checked.stdout.startswith("spitze: ")
    assert "spitze" in grader("assignments", *own).stdout
    assert graded(tmp_path, RIGHT, *own, slug="spitze")["score"] == 100
    nothing = grader("check-assignments", "--catalogue", tmp_path)
    assert nothing.returncode == 2 and "no assignment" in nothing.stderr


def test_a_starter_is_written_once(tmp_path):
    assert grader("starter", "masking", tmp_path / "hw", "--lang", "zh").returncode == 0
    assert (tmp_path / "hw" / "submission.py").exists()
    again = grader("starter", "masking", tmp_path / "hw")
    assert again.returncode == 2 and "submission.py" in again.stderr


def test_assignments_are_listed():
    assert "softmax" in grader("assignments").stdout


def test_the_self_test_tells_its_level():
    ran = grader("selftest")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("level: ")
    assert "FAIL" not in ran.stdout


def test_nothing_of_a_server_is_needed():
    code = "import sys, grader.cli; sys.exit('flask' in sys.modules or 'sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_report_is_readable_in_the_c_locale(tmp_path):
    """Marks and Chinese are not in ASCII, which is all that the C locale has."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "grader", "grade", handed_in(tmp_path, RIGHT), "--assignment", "softmax"]
    ran = subprocess.run(
        [*command, "--lang", "zh"], capture_output=True, env=environment, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "✓ 矩阵" in ran.stdout.decode()


def test_json_is_utf8_whatever_the_terminal_is(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "gbk"}
    command = [
        sys.executable,
        "-m",
        "grader",
        "grade",
        handed_in(tmp_path, UNSTABLE),
        "--assignment",
        "softmax",
    ]
    command += ["--lang", "zh", "--format", "gradescope"]
    ran = subprocess.run(command, capture_output=True, env=environment, timeout=300, check=False)
    assert 0 < json.loads(ran.stdout.decode("utf-8"))["score"] < 100


def test_pictures_that_cannot_be_written_are_said_clearly(tmp_path):
    path = handed_in(tmp_path, UNSTABLE)
    ran = grader("grade", path, "--assignment", "softmax", "--pictures", path / "inside")
    assert ran.returncode == 2 and ran.stdout == ""
    assert "cannot be used (Not a directory)" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("starter", "softmax", "/proc/x"),
        ("starter", "softmax", "/dev/null/x"),
        ("starter", "softmax", "x" * 300),
        ("grade", "x" * 300, "--assignment", "softmax"),
        ("grade", "/proc/self/mem", "--assignment", "softmax"),
        ("grade", ASSIGNMENTS / "softmax/solution.py", "--assignment", "softmax", "--pictures", "/proc/x"),
        ("assignments", "--catalogue", "folder"),
        ("check-assignments", "softmax", "--catalogue", "folder"),
        ("backup", "/proc/x"),
        ("backup", "x" * 300),
        ("course", "import", "nlp", "/proc/self/mem"),
        ("course", "export", "nlp", "--output", "/proc/x"),
    ],
)
def test_a_path_that_cannot_be_used_is_told_with_the_reason(tmp_path, arguments, monkeypatch):
    """Some said a bare `[Errno 2] …`, some showed a traceback."""
    monkeypatch.setenv("GRADER_DATA", str(tmp_path / "data"))
    shutil.copytree(ASSIGNMENTS / "softmax", tmp_path / "folder" / "softmax")
    (tmp_path / "folder" / "softmax" / "assignment.toml").unlink()
    (tmp_path / "folder" / "softmax" / "assignment.toml").mkdir()
    if arguments[0] in ("backup", "course"):
        pytest.importorskip("sqlalchemy")
        grader("course", "add", "nlp", "Course")
    ran = grader(*arguments, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.search(r"cannot be (used \(.+\); expected .+\. Choose another one|read: .+)\.\n$", ran.stderr)
    assert len(ran.stderr.splitlines()) == 1 and "Errno" not in ran.stderr


@pytest.mark.parametrize(
    "body",
    [
        "y = np.ones_like(x); y.view('u4' if y.itemsize == 4 else 'u8')[...] = 0x7f800001",
        "y = np.empty(x.shape); y.view('u8')[...] = 0x7ff0000000000001",
        "y = np.full(x.shape, 1.7e308)",
        "y = np.full(x.shape, -1.7e308); y[::2] *= -1",
        "y = np.full(x.shape, 5e-324)",
    ],
)
def test_no_number_of_a_student_makes_the_grader_warn(tmp_path, body):
    """Signalling NaNs and numbers near the largest put NumPy's warnings before the report."""
    path = handed_in(tmp_path, f"import numpy as np\ndef softmax(x, axis=-1):\n    {body}\n    return y\n")
    command = [sys.executable, "-W", "error", "-m", "grader", "grade", path, "--assignment", "softmax"]
    ran = subprocess.run(
        [*command, "--pictures", tmp_path / "pictures"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
