"""English and 简体中文: which one a page is in, and the words, straight from the .po file."""

from __future__ import annotations

import io
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import Babel, Domain, get_locale, gettext
from flask_login import current_user

from grader.fields import LANGUAGES
from grader.messages import render
from grader.models import Message
from grader.services.imports import Note
from grader.services.refusals import Refused
from grader.web.times import show_time
from grader.web.transactions import settings

PO = Path(__file__).with_name("translations") / "zh" / "LC_MESSAGES" / "messages.po"
COOKIE = "lang"
NAMES = {"en": "English", "zh": "简体中文"}
TAGS = {"en": "en", "zh": "zh-CN"}


class _Words(Domain):
    """Translations out of the .po itself: nothing compiled to keep beside it."""

    def get_translations(self) -> NullTranslations:
        return _translations(language())


class _Babel(Babel):
    domain_instance = _Words()


@lru_cache
def _translations(lang: str) -> NullTranslations:
    if lang == "en":
        return NullTranslations()
    compiled = io.BytesIO()
    with PO.open("rb") as file:
        write_mo(compiled, read_po(file, locale=lang))
    compiled.seek(0)
    return Translations(compiled)


def init_app(app: Flask) -> None:
    """Set Flask-Babel up, and give templates what they need of it."""
    _Babel(app, locale_selector=_chosen)
    app.context_processor(lambda: {"lang": language(), "tag": TAGS[language()], "languages": NAMES})


def _chosen() -> str:
    """What one has chosen, here or before, else what the browser likes."""
    own = getattr(getattr(current_user, "user", None), "language", None)
    for wish in (
        request.cookies.get(COOKIE),
        own,
        request.accept_languages.best_match(["en", "zh", "zh-CN"]),
    ):
        if wish and wish[:2] in LANGUAGES:
            return wish[:2]
    return settings().language


def language() -> str:
    """The language of this page: "en" or "zh"."""
    locale = get_locale()
    return locale.language if locale and locale.language in LANGUAGES else "en"


def in_words(said: Refused | Note) -> str:
    """What a refusal or a note says, in the language of this page; instants in it are those of its `zone`."""
    zone = str(said.params.get("zone", "UTC"))
    return str(gettext(said.words, **{name: _plain(value, zone) for name, value in said.params.items()}))


def _plain(value: object, zone: str) -> object:
    if isinstance(value, Refused):
        return in_words(value)
    return show_time(value, zone) if isinstance(value, datetime) else value


def message_in_words(message: Message) -> str:
    """What the grading core says, in the language of this page."""
    return render(message, language())
