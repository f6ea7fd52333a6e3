"""PostgreSQL, Redis and RabbitMQ for tests: real ones, on loopback, each in a folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import closing
from functools import cached_property
from pathlib import Path

import pytest
import sqlalchemy

from grader.db import history
from grader.db.database import Database
from grader.db.tables import Base


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _program(name: str) -> str | None:
    """Where a program is; Debian keeps PostgreSQL's out of the path, and puts a script for root before RabbitMQ's."""
    debian = sorted(
        [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), *Path("/usr/lib/rabbitmq/bin").glob(name)]
    )
    return str(debian[-1]) if debian else shutil.which(name)


class _Server:
    """A process that is started, killed and started again on the same folder and port."""

    needs: tuple[str, ...]

    def __init__(self) -> None:
        for program in self.needs:
            if not _program(program):
                pytest.skip(f"{program} is not installed")
        self.port, self.process = free_port(), None
        self.folder = Path(tempfile.mkdtemp(prefix="grader-server-"))
        # PostgreSQL refuses to be root's.
        self._as = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(self.folder, "nobody", "nogroup")

    def _run(self, program: str, *arguments: str, **environment: str) -> subprocess.Popen:
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        with log:
            return subprocess.Popen(
                [_program(program), *arguments], stdout=log, stderr=log, cwd=self.folder,
                env=os.environ | environment, start_new_session=True, **self._as,
            )  # fmt: skip

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """As a machine dies: all at once, with the processes that it has for itself."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def start(self) -> None:
        self.process = self._serve()
        deadline = time.monotonic() + 30
        while not self._answers():
            assert time.monotonic() < deadline and self.process.poll() is None, (
                f"{self.needs[0]} does not start"
            )
            time.sleep(0.05)

    def close(self) -> None:
        if self.process is not None:
            self.kill()
        shutil.rmtree(self.folder)
        (self.folder.parent / f"{self.folder.name}.log").unlink(missing_ok=True)


class Postgres(_Server):
    needs = ("postgres", "initdb")

    def __init__(self) -> None:
        super().__init__()
        made = self._run("initdb", "-D", "data", "-U", "grader", "-A", "trust", "-E", "UTF8", "--no-sync")
        assert made.wait() == 0
        self.start()
        self._databases = 0

    def _serve(self) -> subprocess.Popen:
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder,
            "fsync": "off", "max_connections": 300,
        }  # fmt: skip
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return self._run("postgres", "-D", "data", *given)

    def kill(self) -> None:
        """Quickly, but together with the processes that PostgreSQL has for its connections."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def _url(self, name: str) -> str:
        return f"postgresql://grader@127.0.0.1:{self.port}/{name}"

    def _answers(self) -> bool:
        try:
            self._do("SELECT 1")
        except sqlalchemy.exc.OperationalError:
            return False
        return True

    def _do(self, statement: str) -> None:
        with closing(Database(self._url("postgres"))) as database:
            engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.exec_driver_sql(statement)

    @cached_property
    def _kept(self) -> str:
        return self.empty()

    def empty(self) -> str:
        """The URL of a new database."""
        self._databases += 1
        self._do(f"CREATE DATABASE d{self._databases}")
        return self._url(f"d{self._databases}")

    def fresh(self) -> str:
        """The URL of a database with all tables and nothing in them: always the same one, emptied."""
        tables = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables)
        with closing(Database(self._kept)) as database:
            history.upgrade(database)  # a test may have taken the tables away
            with database.engine.begin() as connection:
                connection.exec_driver_sql(
                    "SET lock_timeout = '20s'"
                )  # somebody has not closed his connections
                connection.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY")
        return self._kept


class Redis(_Server):
    needs = ("redis-server",)

    def __init__(self) -> None:
        super().__init__()
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def _serve(self) -> subprocess.Popen:
        options = {"--bind": "127.0.0.1", "--port": str(self.port), "--save": "", "--appendonly": "no"}
        return self._run("redis-server", *(part for option in options.items() for part in option))


class RabbitMq(_Server):
    needs = ("rabbitmq-server", "epmd")

    def __init__(self) -> None:
        super().__init__()
        self._names, self._nodes = free_port(), free_port()  # of Erlang's
        self.start()

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def _serve(self) -> subprocess.Popen:
        return self._run("rabbitmq-server", **self._environment())

    def _environment(self) -> dict[str, str]:
        here = str(self.folder)
        return {
            "HOME": here, "RABBITMQ_CONF_ENV_FILE": "/dev/null", "RABBITMQ_NODENAME": f"grader{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1", "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self._nodes), "RABBITMQ_MNESIA_BASE": here, "RABBITMQ_LOG_BASE": here,
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{here}/plugins", "RABBITMQ_PID_FILE": f"{here}/pid",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(self._names),
        }  # fmt: skip

    def close(self) -> None:
        """Its names' server is a daemon of its own."""
        if self.process is not None:
            self.kill()
        self._run("epmd", "-kill", **self._environment()).wait()
        super().close()
