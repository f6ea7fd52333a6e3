"""`grader users`: accounts, from the server's command line."""

from __future__ import annotations

import click

from grader.commands import opened
from grader.services import accounts, audit


@click.group()
def users() -> None:
    """Accounts: list, add, link, close."""


@users.command("list")
@click.argument("part", default="")
def list_users(part: str) -> None:
    """Show the accounts that have PART in login or name."""
    with opened.database() as database, database.reading() as session:
        for user in accounts.search(session, part, most=100_000):
            marks = ("admin " if user.admin else "") + ("" if user.active else "closed")
            click.echo(f"{user.login:<24} {user.name}  {marks}".rstrip())


@users.command()
@click.argument("login")
@click.argument("name")
@click.option("--admin", is_flag=True, help="Make it an administrator.")
def add(login: str, name: str, admin: bool) -> None:
    """Make an account, and print the one-time link that lets its owner in."""
    settings = opened.settings()
    with opened.database() as database, database.writing() as session:
        user = accounts.create(session, login, name, admin=admin)
        token = accounts.make_link(session, user, settings.link_hours)
        audit.note(session, None, "account made", user.login, admin=admin)
    click.echo(f"{settings.url}/link/{token}")


@users.command()
@click.argument("login")
def link(login: str) -> None:
    """Print a one-time link with which LOGIN chooses a new password."""
    settings = opened.settings()
    with opened.database() as database, database.writing() as session:
        user = opened.user_of(session, login)
        token = accounts.make_link(session, user, settings.link_hours)
        audit.note(session, None, "reset link", user.login)
    click.echo(f"{settings.url}/link/{token}")


@users.command()
@click.argument("login")
@click.option("--open", "active", is_flag=True, help="Open it again instead.")
def close(login: str, active: bool) -> None:
    """Close the account LOGIN. What it handed in stays."""
    with opened.database() as database, database.writing() as session:
        accounts.set_active(session, None, opened.user_of(session, login), active)


@users.command()
@click.argument("login")
@click.option("--no", "off", is_flag=True, help="… no longer.")
def admin(login: str, off: bool) -> None:
    """Make LOGIN an administrator."""
    with opened.database() as database, database.writing() as session:
        accounts.set_admin(session, None, opened.user_of(session, login), not off)


@users.command()
@click.argument("login")
@click.option("--scope", "scopes", multiple=True, default=("read", "submit"), show_default=True)
@click.option(
    "--days", type=click.IntRange(1, accounts.MOST_TOKEN_DAYS), help="Until it ends; never by default."
)
def token(login: str, scopes: tuple[str, ...], days: int | None) -> None:
    """Print a new API token of LOGIN."""
    with opened.database() as database, database.writing() as session:
        user = opened.user_of(session, login)
        _token, text = accounts.make_token(session, user, "command line", scopes, days)
        audit.note(session, None, "token made", user.login)
    click.echo(text)
