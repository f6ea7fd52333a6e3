"""`grader serve`, `grader worker`, `grader migrate`."""

from __future__ import annotations

import errno
import os
import socket
from dataclasses import replace
from typing import Any

import click

from grader.commands import opened
from grader.db import history
from grader.db.database import Database
from grader.jobs.engines import Engine, engine_of
from grader.services import accounts
from grader.settings import Settings, SettingsError
from grader.worker.loop import Loop
from grader.worker.supervisor import AlreadyServed, Supervisor
from grader.worker.sweeper import Sweeper


@click.command()
@click.option("--host", help="Where to listen; 127.0.0.1 by default.")
@click.option("--port", type=click.IntRange(1, 65535), help="8000 by default.")
@click.option("--workers", type=click.IntRange(0, 256), help="How many processes grade; 2 by default.")
def serve(host: str | None, port: int | None, workers: int | None) -> None:
    """Run the service: migrations, web server, supervised workers. Settings: GRADER_… or a TOML file (GRADER_CONFIG).

    The first start prints a link that makes the administrator. SIGTERM ends it, after the jobs at hand.
    """
    given: dict[str, Any] = {"host": host, "port": port, "workers": workers}
    settings = replace(
        opened.settings(), **{name: value for name, value in given.items() if value is not None}
    )
    database, engine = _engine(settings)
    commands = [_web(settings), *engine.commands()]
    supervisor = Supervisor(settings, database, commands, _environment(settings))
    try:
        with supervisor.alone():
            _require_free(settings)
            opened.upgrade(settings, database)
            _greet(settings, database)
            supervisor.run()
    except (AlreadyServed, SettingsError) as error:
        raise click.ClickException(str(error)) from None


def _require_free(settings: Settings) -> None:
    """End with clear words when we could not listen: the web server would try for long, and then fill the log."""
    where = f"{settings.host}:{settings.port}"
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _kind, _protocol, _name, address = found[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            words = (
                f"{where} is in use by another program. Stop that one, or choose another port with --port."
            )
        else:
            words = (
                f"cannot listen at {where}: {error.strerror or error}. Choose others with --host and --port."
            )
        raise click.ClickException(words) from None


def _greet(settings: Settings, database: Database) -> None:
    click.echo(f"grader: {settings.url}")
    with database.writing() as session:
        token = accounts.first_link(session, settings.link_hours)
    if token:
        link = f"{settings.url}/link/{token}"
        click.echo(f"grader: make the administrator (once, within {settings.link_hours:g} h): {link}")


def _web(settings: Settings) -> list[str]:
    return [
        "-m", "gunicorn", "grader.web:create_app()", "--bind", f"{settings.host}:{settings.port}",
        "--threads", str(settings.threads), "--worker-class", "gthread", "--config", "python:grader.web.server",
        "--graceful-timeout", "20", "--timeout", "60", "--no-control-socket",
    ]  # fmt: skip


def _environment(settings: Settings) -> dict[str, str]:
    """What the processes need to have the same settings as we do."""
    ours = {
        "host": settings.host,
        "port": settings.port,
        "workers": settings.workers,
        "data": settings.data.resolve(),
    }
    return {**os.environ, **{f"GRADER_{name.upper()}": str(value) for name, value in ours.items()}}


@click.command()
@click.option("--timed/--no-timed", default=True, help="Take jobs that need a quiet core.")
@click.option(
    "--processes", type=click.IntRange(1, 256), default=1, help="How many jobs at once; engine celery only."
)
def worker(timed: bool, processes: int) -> None:
    """Run a worker, until it is told to stop: on this machine, or with engine celery on any."""
    settings = opened.settings()
    if settings.engine == "celery":
        from grader.worker import woken

        woken.run(settings, timed=timed, processes=processes)
        return
    database = opened.connected(settings)
    Loop(database, settings, timed=timed).run()
    database.close()


@click.command()
def sweep() -> None:
    """Look for lost messages of engine celery, until told to stop. `grader serve` does it by itself."""
    settings = opened.settings()
    database, engine = _engine(settings)
    Sweeper(database, engine, settings).run()
    database.close()


def _engine(settings: Settings) -> tuple[Database, Engine]:
    try:
        engine = engine_of(settings)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    return opened.connected(settings, woken=engine.wake), engine


@click.command()
def migrate() -> None:
    """Bring the database to the newest tables. `grader serve` does it by itself."""
    with opened.database() as database:
        click.echo(f"revision {history.revision_of(database)}")
