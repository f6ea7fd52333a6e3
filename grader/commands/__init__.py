"""Commands of the service and its clients, loaded when they are used: grading needs neither database nor network."""

from __future__ import annotations

import importlib

import click

# command → where it is, what it does
LAZY = {
    "check-assignments": (
        "grader.commands.check:check_assignments",
        "Prove of assignments that they judge well: solution, mistakes, cheats, blind spots.",
    ),
    "serve": ("grader.commands.serve:serve", "Run the service: web server, workers, everything."),
    "worker": ("grader.commands.serve:worker", "Run one worker."),
    "sweep": ("grader.commands.serve:sweep", "Look for lost messages of engine celery."),
    "demo": ("grader.commands.demo:demo", "Serve a course to look at."),
    "migrate": ("grader.commands.serve:migrate", "Bring the database to the newest tables."),
    "users": ("grader.commands.users:users", "Accounts: list, add, link, close."),
    "course": ("grader.commands.course:course", "Courses: list, add, import students, export scores."),
    "login": ("grader.commands.remote:login", "Keep the token for a service."),
    "submit": ("grader.commands.remote:submit", "Hand a file in at a service."),
    "backup": ("grader.commands.backup:backup", "Copy the database while it is in use."),
    "restore": ("grader.commands.backup:restore", "Put a backup in the place of the database."),
}


class WithService(click.Group):
    """A group that knows the service's commands by name, and loads one when it is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Ours and those of the service."""
        return sorted([*super().list_commands(context), *LAZY])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command; where the service is not installed, one that says what is missing."""
        if name not in LAZY:
            return super().get_command(context, name)
        target, help = LAZY[name]
        module, attribute = target.split(":")
        try:
            found: click.Command = getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            return _missing(name, help, error)
        return found


def _missing(name: str, help: str, error: ModuleNotFoundError) -> click.Command:
    def say() -> None:
        raise click.ClickException(f"{name} needs {error.name}; run: pip install 'pyattn[grader,service]'")

    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(name, context_settings=settings, callback=say, help=help)
