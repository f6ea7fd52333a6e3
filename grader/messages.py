"""What the grader says: code → text, in English here and in Chinese in translations/zh/LC_MESSAGES/messages.po.

To add a message write one line here and one entry there, with the code as msgctxt, this text as msgid, and the same
fields in msgstr. Fields are plain names, with a format where they are numbers; a test holds the two files together.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from grader.models import Message, Mistake, Named

TRANSLATIONS = Path(__file__).parent / "translations"

ENGLISH = {
    "wrong-shape": "{result} has the shape {got}; expected {expected}.",
    "wrong-dtype": (
        "{result} has the dtype {got}; expected {expected}. Leave the arrays in the dtype they come in."
    ),
    "wrong-values": (
        "{result} is wrong in {count} of {total} places, first at {index}: got {got:.9g}, expected "
        "{expected:.9g}. The error is {error:.3g}, {times:.3g} times the {bound:.3g} that rounding "
        "explains."
    ),
    "axis-batch": "batch {index}",
    "axis-head": "head {index}",
    "axis-row": "row {index}",
    "axis-column": "column {index}",
    "axis-query": "query {index}",
    "axis-key": "key {index}",
    "nan-where-none-belongs": (
        "{result} has NaN in {count} of {total} places, first at {index}, where {expected:.9g} is "
        "expected. NaN comes from 0/0, inf − inf or 0·inf."
    ),
    "inf-where-none-belongs": (
        "{result} has infinities in {count} of {total} places, first at {index}, where {expected:.9g} is "
        "expected. Most often exp of a large number overflowed."
    ),
    "input-changed": (
        "The argument {name} has other contents after the call. Work on a copy: {name} = {name}.copy()."
    ),
    "too-few-results": "{got} result(s) came back; expected {expected}: {names}.",
    "nothing-returned": "The function returned None. Is there a return at its end?",
    "list-returned": "{result} is a list. Return a NumPy array: np.array(…).",
    "not-an-array": "{result} is a {got}; expected a plain numpy.ndarray.",
    "array-subclass": (
        "{result} is a {got}, a subclass of ndarray; expected a plain numpy.ndarray: np.asarray(…)."
    ),
    "object-array": (
        "{result} is an array of Python objects. Give it a number's dtype: np.array(…, dtype=np.float32)."
    ),
    "half-returned": "{result} is float16, which holds three digits only. Return float32 or float64.",
    "too-large": "The results take {got} bytes; allowed are {limit}.",
    "too-much-memory": (
        "The call used {got:.0f} MiB; allowed are {limit:.0f} MiB. Do not keep a (queries × keys) array: "
        "work through the keys in blocks."
    ),
    "out-of-memory": "The call was ended because it wanted more than {limit:.0f} MiB of memory.",
    "too-slow": (
        "{ratio:.3g} times as long as pyattn on the same core; {target:.3g} times would earn all points."
    ),
    "faster-than-possible": (
        "{gflops:.0f} GFLOP/s is more than this processor can do ({peak:.0f}). The result waits for a "
        "person to look at it."
    ),
    "works-after-return": (
        "The submission went on computing after the call had returned: {seconds:.3g} s of processor time "
        "for {wall:.3g} s."
    ),
    "timeout": (
        "No answer within {limit:.3g} s. Is there a loop that does not end, or one in Python where NumPy "
        "could work on whole arrays?"
    ),
    "exited": (
        "The process ended with exit code {code} before there was an answer. Leave out exit(), quit() "
        "and sys.exit()."
    ),
    "killed": "The process was ended by signal {signal} ({name}) before there was an answer.",
    "raised": "{type} was raised: {text}",
    "import-failed": "The file cannot be imported, {type}: {text}",
    "syntax-error": "Line {line} is not Python: {text}",
    "missing-function": (
        "There is no function {name} in {file}. It must be called exactly that, and stand at the top level."
    ),
    "not-callable": "{name} is a {got} and cannot be called; expected a function.",
    "wrong-arguments": "{name} cannot be called as {call}: {text}",
    "skipped-after-timeouts": "Not run: {count} tests before it gave no answer in time.",
    "skipped-out-of-time": "Not run: the {limit:.0f} s for the whole submission were over.",
    "not-compiled": "Not run: the submission did not compile.",
    "compile-failed": "The compiler ended with code {code}. What it said is in the report.",
    "compile-timeout": "Compiling took longer than {limit:.0f} s.",
    "no-answer": "The run ended without an answer for this test.",
    "grader-error": "The grader itself failed ({text}). No points are lost by it, and the teacher is told.",
    "read-as-gb18030": "{file} is not UTF-8; it was read as GB18030. Save it as UTF-8 to be safe.",
    "not-text": "{file} is not text: neither UTF-8 nor GB18030.",
    "ignored-files": "Ignored: {names}. Only {suffix} files are used.",
    "printed-cut": "More was printed than {limit} bytes; the middle is left out.",
    "two-mistakes": "Two mistakes together: “{first}” and “{second}”",
    "fitted-number": "{title} ({name} ≈ {number:.3g})",
}


def render(message: Message, lang: str) -> str:
    """The text of a message in a language ("en" or "zh"), its fields filled in."""
    text = ENGLISH[message.code]
    if lang != "en":
        text = translated(message.code, lang) or text
    return text.format(**{name: _filled(value, lang) for name, value in message.params.items()})


def _filled(value: object, lang: str) -> object:
    """A message, or several, as a field of another one; anything else as it is."""
    if isinstance(value, Message):
        return render(value, lang)
    if isinstance(value, tuple | list) and value and all(isinstance(part, Message) for part in value):
        return (", " if lang == "en" else "，").join(render(part, lang) for part in value)
    return value


def place(axes: Sequence[str], index: Sequence[int]) -> tuple[Message, ...]:
    """An index in words, as a field of other messages: the last axes' names count, as leading axes may be missing."""
    names = axes[len(axes) - len(index) :]
    return tuple(Message(f"axis-{name}", {"index": int(i)}) for name, i in zip(names, index, strict=True))


def translated(code: str, lang: str) -> str:
    """The text of a code in another language, its fields open; empty when there is none."""
    entry = _catalog(lang).get(ENGLISH[code], context=code)
    return str(entry.string) if entry and entry.string else ""


def fields(text: str) -> set[str]:
    """The names that a text wants to have filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def title_of(named: Named, lang: str) -> str:
    """What a named mistake, or pair of them, is called, with the numbers that were fitted."""
    titles = [_title(mistake, named, lang) for mistake in named.mistakes]
    if len(titles) == 1:
        return titles[0]
    return render(Message("two-mistakes", {"first": titles[0], "second": titles[1]}), lang)


def hints_of(named: Named, lang: str) -> tuple[str, ...]:
    """What to do about each of the mistakes."""
    return tuple(mistake.hint[lang] for mistake in named.mistakes)


def _title(mistake: Mistake, named: Named, lang: str) -> str:
    title = mistake.title[lang]
    for name in mistake.fit:
        params = {"title": title, "name": name, "number": named.fitted[name]}
        title = render(Message("fitted-number", params), lang)
    return title


@lru_cache
def _catalog(lang: str) -> Catalog:
    path = TRANSLATIONS / lang / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=lang)
