"""service.py: a class goes through a real service, something of which is killed on the way."""

import json

import pytest

pytest.importorskip("flask", reason="the service is not installed: pip install '.[service]'")
pytest.importorskip("sqlalchemy", reason="the service is not installed: pip install '.[service]'")


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "kill"), [("local", "worker"), ("local", "serve"), ("celery", "worker")])
def test_every_submission_of_a_class_has_one_result_whatever_is_killed(program, engine, kill):
    if engine == "celery":
        pytest.importorskip("celery", reason="Celery is not installed: pip install '.[cluster]'")
    few = "--students", "6", "--submissions", "2", "--patience", "240"
    done = program("service", "--engine", engine, "--kill", kill, *few, "--json", "out.json")
    assert (program.folder / "out.json").exists(), done.stderr
    found = json.loads((program.folder / "out.json").read_text())
    assert found["wrong results"] == []  # how quick it is, a machine that does other things cannot tell
    assert found["books"]["accepted"] == 12 and "killed" in found["killed"]
    assert {"submit", "page", "progress", "result"} <= set(found["seconds"])
