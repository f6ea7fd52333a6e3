"""A service in a folder of its own: database, application, browsers for people, a worker that works when told to.

Whatever asks for `world` runs twice: on SQLite, and on a PostgreSQL that is started for it.
"""

from pathlib import Path

import pytest

pytest.importorskip("flask", reason="the service is not installed: pip install '.[service]'")
pytest.importorskip("sqlalchemy", reason="the service is not installed: pip install '.[service]'")

from service_servers import Postgres, Redis
from service_world import World


@pytest.fixture(scope="session")
def postgres():
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install '.[cluster]'")
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="session")
def redis():
    pytest.importorskip("celery", reason="Celery is not installed: pip install '.[cluster]'")
    server = Redis()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    """The URL of a database with all tables; empty for SQLite in the service's own folder."""
    return request.getfixturevalue("postgres").fresh() if request.param == "postgresql" else ""


@pytest.fixture
def world(tmp_path: Path, database_url: str):
    made = World(tmp_path, database_url=database_url)
    yield made
    made.close()
