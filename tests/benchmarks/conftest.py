"""The benchmark programs as a user starts them, and their modules as the programs see them."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


class Program:
    """Starts a benchmark in a process of its own, with ``folder`` on its path for engines of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.start(BENCHMARKS / f"{name}.py", *arguments)

    def start(self, file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = filter(None, (str(self.folder), str(BENCHMARKS), os.environ.get("PYTHONPATH")))
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
        command = [sys.executable, str(file), *arguments]
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.folder,
            timeout=570,
        )

    def measure(self, name: str, *arguments: str) -> dict:
        """Run to success and return the JSON that was written."""
        done = self(name, *arguments, "--json", "out.json")
        assert done.returncode == 0, done.stderr
        return json.loads((self.folder / "out.json").read_text())


@pytest.fixture(scope="session")
def program_in():
    """Makes a ``Program`` of a folder."""
    pytest.importorskip("rich", reason="the benchmarks need pyattn[bench]")
    return Program


@pytest.fixture
def program(program_in, tmp_path):
    return program_in(tmp_path)


@pytest.fixture
def module(monkeypatch):
    """Import a module of the benchmarks by its name there."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module
