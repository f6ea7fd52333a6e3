"""A service in a folder of its own: database, application, browsers for people, a worker that works when told to."""

from pathlib import Path

import pytest

pytest.importorskip("flask", reason="the service is not installed: pip install '.[service]'")
pytest.importorskip("sqlalchemy", reason="the service is not installed: pip install '.[service]'")

from service_world import World


@pytest.fixture
def world(tmp_path: Path):
    made = World(tmp_path)
    yield made
    made.close()
