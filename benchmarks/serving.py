"""A service of real processes on loopback, to be measured; with engine celery the real servers as well."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from classroom import COURSE
from sqlalchemy import func, select

from grader.db.database import Database
from grader.db.tables import Job, JobState
from grader.worker.orphans import end_with_parent

_START_SECONDS = 60.0


class Service:
    """`grader serve` in a folder of its own.

    Parameters
    ----------
    folder : Path
        Of its data and its log.
    settings : mapping
        By their names; see `grader.settings`.
    """

    def __init__(self, folder: Path, **settings: object) -> None:
        self.port, self.log = _free_port(), folder / "serve.log"
        rates = {"requests_per_minute": 100_000, "submissions_per_minute": 1000}
        chosen = {"data": folder / "data", "port": self.port, **rates, **settings}
        self._environment = os.environ | {f"GRADER_{k.upper()}": str(v) for k, v in chosen.items()}
        url = str(settings.get("database_url") or f"sqlite:///{folder / 'data' / 'grader.sqlite3'}")
        self.database = Database(url)
        self.process: subprocess.Popen[bytes] | None = None

    def make_class(self, students: int, folder: Path) -> dict[str, str]:
        """A course with students, and "boss" to teach it. Returns login → the path of a one-time link."""
        logins = [f"s{i}" for i in range(students)]
        file = folder / "class.csv"
        file.write_text("login,name\n" + "".join(f"{one},Student {one}\n" for one in logins))
        self._command("course", "add", COURSE, "Under load")
        imported = self._command("course", "import", COURSE, str(file))
        links = {line.split("\t")[0]: line.split("\t")[2] for line in imported.splitlines()}
        links["boss"] = self._command("users", "add", "boss", "The Boss").split()[-1]
        self._command("course", "enrol", COURSE, "boss", "--role", "teacher")
        return {login: urlsplit(link).path for login, link in links.items()}

    def _command(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "grader", *arguments], env=self._environment, capture_output=True, text=True
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"grader {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def start(self) -> None:
        """Start it, and wait until it is well."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "grader", "serve"], env=self._environment, stdout=log, stderr=log,
                preexec_fn=end_with_parent,
            )  # fmt: skip
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_well():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"the service does not start:\n{self.log.read_text()[-4000:]}")
            time.sleep(0.1)

    def _is_well(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=10) as answer:
                return bool(json.load(answer)["ok"])
        except (OSError, urllib.error.HTTPError, ValueError):
            return False

    def kill(self, what: str) -> str:
        """Kill a worker at its work, or `grader serve` itself, which is then started again. Returns what was done."""
        if what == "serve":
            assert self.process is not None
            self.process.kill()
            self.process.wait()
            began = time.monotonic()
            self.start()
            return f"grader serve killed; well again {time.monotonic() - began:.1f} s later"
        while (victim := self._at_work()) is None:
            time.sleep(0.05)
        os.kill(victim, signal.SIGKILL)
        return f"worker {victim} killed at its work"

    def _at_work(self) -> int | None:
        with self.database.reading() as session:
            name = session.scalar(select(Job.worker).where(Job.state == JobState.LEASED).limit(1))
        return None if name is None else int(name.rpartition(":")[2])

    def done(self) -> int:
        """How many jobs have ended."""
        over = Job.state.not_in((JobState.QUEUED, JobState.LEASED))
        with self.database.reading() as session:
            return session.scalar(select(func.count(Job.id)).where(over)) or 0

    def close(self) -> None:
        """End it in order."""
        if self.process is not None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(120)
            self.process.kill()
        self.database.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def settings_for(engine: str):
    """What an engine needs: nothing, or PostgreSQL and Redis, started for it and ended afterwards."""
    if engine == "local":
        yield {"engine": engine}
        return
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from service_servers import Postgres, Redis

    with contextlib.ExitStack() as servers:
        postgres, redis = Postgres(), Redis()
        for server in (postgres, redis):
            servers.callback(server.close)
        yield {"engine": engine, "database_url": postgres.empty(), "broker_url": redis.url}
