"""Logins: which texts are the same one, and which can be one."""

from __future__ import annotations

import re
import unicodedata

from grader.services.refusals import Refused

_LOGIN = re.compile(r"[\w.@+-]{2,60}")
_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}  # alphabets with letters that nobody can tell apart


def plain(login: str) -> str:
    """A login as it is kept: case does not matter, nor width, as Chinese input methods write letters wide as well."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", login).casefold()).strip()


def clean(login: str) -> str:
    """A new login as it is kept.

    Raises
    ------
    Refused
        It cannot be one, or has letters that look like others: with them one could pass for somebody else.
    """
    login = plain(login)
    if not _LOGIN.fullmatch(login):
        raise Refused("bad-login", login=login[:70])
    if len(_ALIKE & {unicodedata.name(letter, "").split(" ")[0] for letter in login}) > 1:
        raise Refused("mixed-login", login=login)
    return login
