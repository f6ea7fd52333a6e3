"""The examples import each other as programs in one folder do."""

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session", autouse=True)
def beside_the_examples():
    sys.path.insert(0, str(EXAMPLES))
    yield EXAMPLES
    sys.path.remove(str(EXAMPLES))
