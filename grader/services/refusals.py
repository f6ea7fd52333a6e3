"""The one exception of the services, and all that it may say."""

from __future__ import annotations

from typing import TypeVar

_Thing = TypeVar("_Thing")

# code → (HTTP status, English words; other languages translate these words)
REFUSALS: dict[str, tuple[int, str]] = {
    "not-found": (404, "There is no such thing here, or it is not for you to see."),
    "not-allowed": (403, "This is not for you to do. Ask a teacher of the course."),
    "wrong-login": (401, "No account has this name and password. Check both; a teacher can send you a new link."),
    "link-used-up": (410, "This link has been used, or is too old. Ask a teacher for a new one."),
    "login-taken": (409, "There is an account %(login)s already. Log in, or choose another name."),
    "bad-login": (
        400, "“%(login)s” cannot be a login; expected 2 to 60 letters, digits or . _ @ + - without spaces.",
    ),
    "mixed-login": (
        400, "“%(login)s” mixes Latin with Cyrillic or Greek letters, some of which look the same. Use one alphabet.",
    ),
    "bad-name": (400, "A name has 1 to 100 characters, and at least one that can be seen."),
    "bad-student-number": (400, "A student number has at most 60 characters, all of which can be seen."),
    "number-taken": (
        409, "Somebody in this course has the student number %(number)s already. Check yours; if it is right, "
        "tell your teacher.",
    ),
    "number-of": (409, "%(login)s has the student number %(number)s in this course already."),
    "bad-password": (400, "The password has %(got)s characters; expected %(least)s to %(most)s."),
    "bad-join-code": (404, "No open course has the join code “%(code)s”. Check it with your teacher."),
    "already-in-course": (409, "You are in this course already."),
    "course-taken": (409, "There is a course %(slug)s already. Choose another short name."),
    "bad-slug": (400, "“%(slug)s” cannot be a short name; expected 2 to 40 of a–z, 0–9 and -."),
    "bad-zone": (400, "“%(zone)s” is no time zone; expected a name like Asia/Shanghai or Europe/Berlin."),
    "bad-number": (400, "%(name)s: got %(got)s; expected %(least)s to %(most)s."),
    "bad-time": (400, "“%(text)s” is no time; expected one like 2027-03-31 23:59."),
    "bad-order": (400, "The assignment closes before it opens. Change one of the two times."),
    "bad-choice": (400, "“%(got)s”; expected one of %(known)s."),
    "no-such-assignment": (404, "The catalogue has no assignment “%(slug)s”."),
    "no-such-task": (404, "This course has no assignment “%(slug)s”; it has: %(known)s."),
    "not-open": (403, "This assignment opens at %(at)s."),
    "closed": (403, "This assignment took its last submissions at %(at)s. A teacher can give you an extension."),
    "no-attempts": (403, "All %(attempts)s attempts are used. Drafts are still possible; a teacher can give you more."),
    "drafts-waiting": (429, "%(count)s of your drafts are waiting already. Wait for one of them."),
    "broken-body": (400, "What was sent came broken, or was cut off on its way. Nothing was done; send it again."),
    "nothing-given": (400, "Nothing was handed in. Choose a file, or paste your program."),
    "said-differently": (409, "“%(name)s” is given more than once, and differently: %(got)s. Give it once."),
    "both-given": (400, "A file and a pasted program were handed in. Which is it? Leave one of them out."),
    "same-name": (409, "Two files are called “%(name)s”. Give one of them another name."),
    "too-late-to-cancel": (409, "It is running already, or over: it cannot be cancelled any more."),
    "not-dead": (409, "Only a job that was given up can be queued again."),
    "still-running": (409, "%(count)s runs are not over yet. Wait for them, or discard the regrade."),
    "regrade-over": (409, "This regrade was applied or discarded already."),
    "nothing-to-regrade": (409, "Nothing has been graded here yet."),
    "bad-csv": (400, "Line %(line)s of the CSV: %(why)s"),
    "csv-columns": (
        400, "The first line of the CSV must name the columns login and name (number is optional), with commas "
        "between them; found: %(found)s.",
    ),
    "csv-encoding": (
        400, "This is no CSV in UTF-8. In Excel: save as “CSV UTF-8 (comma delimited)”, not as a workbook or as "
        "Unicode text.",
    ),
    "csv-cells": (
        400, "there are %(got)s cells and only %(columns)s columns. A cell with a comma in it wants quotes around it."
    ),
    "csv-twice": (
        400, "Lines %(first)s and %(second)s of the CSV are both about %(login)s, and differ. Keep one of them.",
    ),
    "csv-number-twice": (
        400, "Lines %(first)s and %(second)s of the CSV have the same student number, %(number)s.",
    ),
    "in-no-course": (
        403, "%(login)s has an account that is in no course yet. Its owner comes in by the join code.",
    ),
    "csv-too-big": (400, "The CSV has more than %(most)s lines. Import it in parts."),
    "last-teacher": (409, "%(login)s is the only teacher of this course. Make another one first."),
    "extension-early": (400, "It is due at %(at)s for everybody. Choose a later time, or leave it empty."),
    "extension-no-due": (400, "This assignment has no due date that could be extended. Leave the time empty."),
    "extension-nothing": (
        400, "This extension gives nothing. Choose a time after everybody's, or more attempts where they are limited.",
    ),
    "last-admin": (409, "%(login)s is the only administrator. Make another one first."),
    "reset-not-yours": (
        403, "%(name)s is more than a student of your courses: only an administrator can make this link.",
    ),
    "no-token": (401, "This needs a token, as “Authorization: Bearer …”. Make one on your account's page."),
    "bad-token": (401, "This token is unknown, revoked or too old. Make another one on your account's page."),
    "no-scope": (403, "This token is not good for “%(scope)s”. Make one that is, on your account's page."),
    "no-report": (404, "There is no report yet, or none any more: see the state of the submission."),
    "bad-scope": (400, "“%(got)s” is no scope; expected some of %(known)s."),
    "too-many-tokens": (409, "You have %(most)s tokens already. Revoke one first."),
}  # fmt: skip


class Refused(Exception):
    """Something is not possible, and why: a code, its words in English, what they are about, the status of HTTP."""

    def __init__(self, code: str, /, **params: object) -> None:
        self.code, self.params = code, params
        self.status, self.words = REFUSALS[code]
        super().__init__(code, params)

    def __str__(self) -> str:
        return self.words % self.params if self.params else self.words


def existing(thing: _Thing | None) -> _Thing:
    """What was looked for; `Refused` when it is not there."""
    if thing is None:
        raise Refused("not-found")
    return thing


def require_within(name: str, got: float, least: float, most: float) -> None:
    """Raise `Refused` unless a number is between two others."""
    if not least <= got <= most:
        raise Refused("bad-number", name=name, got=got, least=least, most=most)
