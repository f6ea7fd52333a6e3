"""`grader course`: courses, from the server's command line."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands import opened
from grader.commands.chosen import usable
from grader.db.tables import Role
from grader.services import courses, imports, sheets

_COURSE = click.argument("slug", metavar="COURSE")


@click.group()
def course() -> None:
    """Courses: list, add, import students, export scores."""


@course.command("list")
def list_courses() -> None:
    """Show the courses with their join codes."""
    with opened.database() as database, database.reading() as session:
        for one in courses.all_courses(session):
            code = one.join_code if one.join_open else "closed"
            click.echo(f"{one.slug:<20} {code:<10} {courses.count_members(session, one):>5}  {one.title}")


@course.command()
@_COURSE
@click.argument("title")
@click.option("--zone", help="Of its deadlines, like Asia/Shanghai.")
def add(slug: str, title: str, zone: str | None) -> None:
    """Make a course with every assignment of the catalogue, and print its join code."""
    settings = opened.settings()
    with opened.database() as database, database.writing() as session:
        click.echo(courses.create(session, None, slug, title, zone or settings.zone).join_code)


@course.command()
@_COURSE
@click.argument("login")
@click.option(
    "--role", type=click.Choice([role.value for role in Role]), default="student", show_default=True
)
def enrol(slug: str, login: str, role: str) -> None:
    """Put the account LOGIN into a course, or give it another role there."""
    with opened.database() as database, database.writing() as session:
        found, user = opened.course_of(session, slug), opened.user_of(session, login)
        courses.set_role(session, None, courses.enrol(session, user, found, Role(role)), Role(role))


@course.command("import")
@_COURSE
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tokens", is_flag=True, help="Make an API token for every new account, too.")
def import_csv(slug: str, file: Path, tokens: bool) -> None:
    """Enrol everyone of a CSV (login, name, number); print login, name, link and token of the new ones, by tabs."""
    settings = opened.settings()
    with usable(file, "a CSV that can be read"):
        content = file.read_bytes()
    with opened.database() as database, database.writing() as session:
        found = opened.course_of(session, slug)
        imported = imports.import_students(session, None, found, content, settings.link_hours, tokens=tokens)
    for one in imported:
        link = (
            f"{settings.url}/link/{one.link}"
            if one.link
            else "; ".join(["has an account", *map(str, one.notes)])
        )
        click.echo("\t".join([one.user.login, one.user.name, link, *([one.token or ""] if tokens else [])]))


@course.command()
@_COURSE
@click.option("--style", type=click.Choice(sheets.STYLES), default="plain", show_default=True)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Standard output by default.")
def export(slug: str, style: str, lang: str, output: Path | None) -> None:
    """Write the scores of a course as CSV."""
    with opened.database() as database, database.writing() as session:
        content = sheets.scores(session, None, opened.course_of(session, slug), style, lang)
    if output:
        with usable(output, "a file that can be written"):
            output.write_bytes(content)
    else:
        click.echo(content, nl=False)
