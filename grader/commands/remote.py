"""`grader login`, `grader submit`: from a student's machine to a service elsewhere.

Exit 0: handed in, and graded if that was waited for. 2: wrong usage, refused, or nothing that can be graded. 3: the
service does not answer, or it failed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import click
from rich.console import Console

from grader.client import login as logins
from grader.client import told
from grader.client.service import Service, clean_server
from grader.client.trouble import Trouble
from grader.messages import render
from grader.submission import read_files, require_source
from grader.unusable import UnusableSubmission

_UNUSABLE, _FAULT = 2, 3


@contextmanager
def _clearly(lang: str = "en") -> Iterator[None]:
    """End with a clear line and the right exit code."""
    try:
        yield
    except Trouble as trouble:
        _leave(str(trouble), _UNUSABLE if trouble.ours else _FAULT)
    except UnusableSubmission as error:
        _leave(render(error.message, lang), _UNUSABLE)
    except OSError as error:
        _leave(f"{error.filename}: {error.strerror}.", _UNUSABLE)


def _leave(words: str, code: int) -> NoReturn:
    click.echo(words, err=True)
    sys.exit(code)


@click.command()
@click.option("--server", metavar="URL", help="Where the service is; that of the last login by default.")
def login(server: str | None) -> None:
    """Keep a token for `grader submit`. Make one on your account's page; it is asked for, or read from a pipe."""
    with _clearly():
        server = clean_server(server or logins.kept().server)
        _warn_of_plain_text(server)
        given = logins.Login(server, _token())
        with Service(given) as service:
            account = service.account()
        file = logins.keep(given)
    click.echo(f"{account['name']} ({account['login']}) at {server}: kept in {file}")
    if "submit" not in account["scopes"]:
        click.echo("This token cannot hand in: make one with the scope “submit” for that.", err=True)


def _token() -> str:
    if sys.stdin.isatty():
        token: str = click.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise Trouble("No token was given. Make one on your account's page, and paste it here.")
    return token.strip()


def _warn_of_plain_text(server: str) -> None:
    parts = urlsplit(server)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        click.echo(f"{server} is not https: others on the way can read the token.", err=True)


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--assignment", "slug", required=True, help="Which assignment.")
@click.option("--course", help="Which course; not needed when you are in one only.")
@click.option(
    "--track", type=click.Choice(["numpy", "cython", "cpp"]), help="Told from the files by default."
)
@click.option("--draft", is_flag=True, help="Run the public tests only; uses no attempt.")
@click.option("--wait", is_flag=True, help="Wait for the report and print it.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
def submit(
    path: Path,
    slug: str,
    course: str | None,
    track: str | None,
    draft: bool,
    wait: bool,
    kind: str,
    lang: str,
) -> None:
    """Hand FILE in: a file, a zip or a folder."""
    with _clearly(lang):
        files = read_files(path)
        require_source(path, files)
        with Service(logins.kept(), lang) as service:
            found = service.hand_in(course or _only_course(service), slug, files, draft=draft, track=track)
            click.echo(_handed_in(found, service.server), err=wait)
            if wait:
                _wait(service, found["id"], kind, lang)


def _handed_in(found: dict[str, Any], server: str) -> str:
    what = "draft" if found["kind"] == "draft" else "attempt"
    late = f", {found['late_days']} days late" if found["late_days"] else ""
    return f"{found['assignment']}: {what} {found['attempt']}{late}: {server}{found['url']}"


def _only_course(service: Service) -> str:
    slugs = [course["slug"] for course in service.courses()]
    if len(slugs) != 1:
        which = (
            f"in several courses ({', '.join(slugs)}): say --course"
            if slugs
            else "in no course: join one first"
        )
        raise Trouble(f"You are {which}.")
    return str(slugs[0])


def _wait(service: Service, submission: int, kind: str, lang: str) -> None:
    """Show how far it is until it is over, then its report."""
    screen = Console(stderr=True)
    with screen.status("") as status:
        for found in service.follow(submission):
            status.update(told.progress(found))
            if not screen.is_terminal:
                click.echo(told.progress(found), err=True)
    if found["state"] == "error":
        raise Trouble("The grader itself failed. No attempt is used, and the teacher knows.", ours=False)
    if found["state"] == "cancelled":
        raise Trouble("It was cancelled before it was graded.")
    record = service.report(submission)
    if kind == "json":
        click.echo(json.dumps(record, ensure_ascii=False, indent=2).encode())
    else:
        told.show(record, found["assignment"], lang, Console(highlight=False))
