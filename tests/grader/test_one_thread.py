"""On a busy machine a second thread of BLAS made a report take 40 s in place of 4."""

import numpy  # noqa: F401  # so that it is NumPy's BLAS which is looked at
import pytest
from click.testing import CliRunner
from threadpoolctl import threadpool_info

from grader import catalogue, cli, diagnosis, grading
from grader.submission import choose

SOFTMAX = catalogue.load("softmax")
SOLUTION = (SOFTMAX.folder / "solution.py").read_bytes()


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.fixture
def seen(monkeypatch):
    """The numbers of threads while answers are judged."""
    seen, judge = [], diagnosis.diagnose_all

    def looking(evidence):
        seen.extend(threads())
        return judge(evidence)

    monkeypatch.setattr(diagnosis, "diagnose_all", looking)
    return seen


def test_grading_computes_with_one_thread_of_blas_and_gives_the_others_back(seen):
    before = threads()
    grading.grade(choose({"submission.py": SOLUTION}, SOFTMAX, "numpy"), SOFTMAX)
    assert seen and set(seen) == {1}
    assert threads() == before


def test_proving_computes_with_one_thread_of_blas_and_gives_the_others_back(seen):
    before = threads()
    ran = CliRunner().invoke(cli.main, ["check-assignments", "softmax", "--no-cheats", "--seeds", "1"])
    assert ran.exit_code == 0, ran.output
    assert seen and set(seen) == {1}
    assert threads() == before
