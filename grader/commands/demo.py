"""`grader demo`: a course with people in it, served."""

from __future__ import annotations

import click

from grader.commands import opened
from grader.commands.serve import serve
from grader.services import samples


@click.command()
@click.option("--once", is_flag=True, help="Make the course, and do not serve it.")
@click.pass_context
def demo(context: click.Context, once: bool) -> None:
    """Make a course with a teacher, students and their submissions, and serve it. Accounts are printed once."""
    settings = opened.settings()
    with opened.database() as database, database.writing() as session:
        found = samples.make_course(session, settings)
    click.echo(f"A course to look at, at {settings.url}/c/{samples.SLUG}/")
    if not found:
        click.echo("It was made before; so were its accounts. GRADER_DATA names another folder.")
    for one in found:
        click.echo(f"  {one.login:<12} {one.password:<14} {one.name}")
    if not once:
        context.invoke(serve)
