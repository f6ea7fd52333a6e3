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

from grader.apart import told_apart
from grader.models import Message, Mistake, Named
from grader.printed import clean

TRANSLATIONS = Path(__file__).parent / "translations"

ENGLISH = {
    "wrong-shape": "{result} has the shape {got}; expected {expected}.",
    "wrong-dtype": (
        "{result} has the dtype {got}; expected {expected}. Leave the arrays in the dtype they come in."
    ),
    "wrong-values": (
        "{result} is wrong in {count} of {total} places, first at {index}: got {got:.9g}, "
        "expected {expected:.9g}. The error is {error:.3g}, {times:.3g} times the {bound:.3g} "
        "that rounding explains."
    ),
    "axis-batch": "batch {index}",
    "axis-head": "head {index}",
    "axis-row": "row {index}",
    "axis-column": "column {index}",
    "axis-query": "query {index}",
    "axis-key": "key {index}",
    "nan-where-none-belongs": (
        "{result} has NaN in {count} of {total} places, first at {index}, where {expected:.9g} is"
        " expected. NaN comes from 0/0, inf − inf or 0·inf."
    ),
    "inf-where-none-belongs": (
        "{result} has infinities in {count} of {total} places, first at {index}, where "
        "{expected:.9g} is expected. Most often exp of a large number overflowed."
    ),
    "input-changed": (
        "The argument {name} has other contents after the call. Work on a copy: {name} = {name}.copy()."
    ),
    "input-changed-cython": (
        "The argument {name} has other contents after the call. Work on a copy: {name} = {name}.copy(), "
        "of an array as of a memoryview."
    ),
    "input-changed-cpp": (
        "The argument {name} has other contents after the call. Take it as const, and compute in memory of "
        "your own: std::vector."
    ),
    "too-much-memory": (
        "The call used {got:.0f} MiB; allowed are {limit:.0f} MiB. Do not keep a (queries × keys)"
        " array: work through the keys in blocks."
    ),
    "out-of-memory": ("The call was ended because it wanted more than the {bytes} bytes of memory allowed."),
    "too-slow": (
        "{ratio:.3g} times as long as pyattn on the same core; {target:.3g} times would earn all points."
    ),
    "works-after-return": (
        "The submission computed outside of the timed call, before it or after its return: {seconds:.3g} s of "
        "processor time."
    ),
    "exited": "The process ended with exit status {code} before there was an answer.",
    "killed": "The process was ended by the signal {signal} before there was an answer.",
    "raised": "{type} was raised: {text}",
    "import-failed": "The file cannot be imported, {type}: {text}",
    "module-missing": (
        "There is no module {module} here. A submission has NumPy, the standard library and the .py files that "
        "stand beside it, and nothing else: no folders."
    ),
    "not-run": "not run",
    "skipped-after-timeouts": "Not run: {count} tests before it gave no answer in time.",
    "compile-failed": "{command} cannot compile the submission (status {code}): {text}",
    "no-answer": "The run ended without an answer for this test.",
    "grader-error": ("The grader itself failed ({text}). No points are lost by it, and the teacher is told."),
    "read-as-gb18030": "{file} is not UTF-8; it was read as GB18030. Save it as UTF-8 to be safe.",
    "not-text": "{file} is not text in UTF-8 or GB18030. Save the source as UTF-8.",
    "nul-byte": "{file} has a NUL byte in line {line}, which no source has. Remove it.",
    "ignored-files": "Ignored: {names}. Only {suffix} files beside the submission are used, not what is in folders.",
    "two-mistakes": "Two mistakes together: “{first}” and “{second}”",
    "fitted-number": "{title} ({name} ≈ {number:.3g})",
    "no-such-assignment": "There is no assignment {slug}; there are: {known}.",
    "no-such-track": "This assignment has no track {track}; it has: {known}.",
    "no-such-file": "There is no {path}. Give a file, a folder or a zip.",
    "no-source-in-folder": "There is no source file ({suffixes}) in the folder {path}. Give the file itself.",
    "not-a-file": "{path} is neither a file nor a folder.",
    "file-too-big": "{file} is larger than {limit} KiB; a submission is source code only.",
    "too-many-files": (
        "{count} files were handed in; at most {limit} are taken. Hand in the source files only."
    ),
    "unreadable": "{path} cannot be read: {text}.",
    "archive-method": "{name} in the zip is packed in an unusual way. Pack it again as a plain zip (deflate).",
    "empty-file": "{file} is empty. Was it saved?",
    "no-candidate": (
        "There is no {expected} (found: {found}). Name your file so, or hand in that file alone."
    ),
    "unknown-ending": (
        "The ending of {found} does not tell its language. Name your file {expected}, or say the language: --track."
    ),
    "two-candidates": (
        "Which file is the submission: {found}? Hand in one of them only, or name only that one {expected}."
    ),
    "two-tracks": (
        "Which file is the submission: {found}? They are of different tracks. Leave out all but one, or, on the "
        "command line, say which track counts: {options}."
    ),
    "not-taken": (
        "No source file is taken of this: {found} are links, or in folders of their own. Hand in the file "
        "itself, or the one folder that it is in."
    ),
    "archive-too-big": "The archive is larger than {limit} MiB; a submission is source code only.",
    "bad-archive": "The zip cannot be read: {text}. Make it again.",
    "archive-path": (
        "The zip names a file outside of itself: {name}. Pack the files without .., drives and "
        "absolute paths."
    ),
    "archive-name": (
        "The name {name} in the zip is too long, or has letters that cannot be seen. Give the file a plain name."
    ),
    "archive-link": (
        "{name} in the zip is a link or a device, and only files are taken. Pack the file itself."
    ),
    "archive-encrypted": "{name} in the zip is encrypted. Pack it without a password.",
    "archive-twice": "The zip has {name} twice (names that differ in case only count as the same).",
    "archive-bomb": "The zip unpacks to more than {limit} MiB, or to far more than it says.",
    "function-missing": (
        "There is no function {function} in the submission (found: {found}). It must be called "
        "exactly that, and stand at the top level."
    ),
    "function-not-in-library": (
        'There is no function {function} in the compiled submission. Write it with extern "C", under exactly '
        "this name, and not static."
    ),
    "function-not-callable": "{function} is a {type} and cannot be called; expected a function.",
    "function-wrong-parameters": "{function}{signature} cannot be called as the statement says: {text}",
    "function-not-extern-c": '{function} is there under its C++ name only; put extern "C" before it.',
    "result-is-none": "{result} is None. Is there a return at the end of the function?",
    "result-is-list": "{result} is a list. Return a NumPy array: np.array(…).",
    "result-is-tuple": "{result} is a tuple. Return a NumPy array.",
    "result-is-scalar": "{result} is a {type}, a single number. Return a NumPy array.",
    "result-is-matrix": (
        "{result} is a numpy.matrix, for which * means another product. Return a plain array: np.asarray(…)."
    ),
    "result-is-masked": "{result} is a masked array. Return a plain one: .filled(…).",
    "result-is-subclass": ("{result} is a {type}, a subclass of ndarray. Return a plain one: np.asarray(…)."),
    "result-wrong-type": "{result} is a {type}. Return a NumPy array.",
    "result-wrong-dtype": "{result} has the dtype {dtype}; float32 and float64 are accepted.",
    "result-count": "{expected} result(s) were expected, {got} came back ({type}).",
    "result-too-large": "The results take {bytes} bytes; allowed are {limit}.",
    "result-is-input": (
        "{result} is the memory of the argument {argument}, which the call has changed. Work on a copy."
    ),
    "wrote-outside-output": (
        "The function wrote outside the arrays it was given. Check the last index of every loop."
    ),
    "exit-called": (
        "The program ended itself with exit({text}) before it had an answer. Leave out exit(), "
        "quit() and sys.exit()."
    ),
    "wall-time-out": (
        "No answer within {seconds:.3g} s. Is there a loop that does not end, or one in Python "
        "where NumPy could work on whole arrays?"
    ),
    "wall-time-out-cpp": "No answer within {seconds:.3g} s. Is there a loop that does not end?",
    "cpu-time-out": "More than {seconds:.3g} s of processor time were used.",
    "file-too-large": "A file grew beyond the {bytes} bytes allowed.",
    "run-over": "Not run: the {seconds:.3g} s for the whole submission were over.",
    "compile-timed-out": "Compiling took longer than {seconds:.3g} s.",
    "compile-out-of-memory": (
        "The compiler wanted more than the {limit} MiB of memory allowed. Are there macros or templates that "
        "grow without end, or very large tables?"
    ),
    "compile-file-too-large": (
        "The compiler wrote a file of more than the {limit} MiB allowed. Is there a very large table?"
    ),
    "compile-ended": "The compiler was ended: {why}",
    "library-too-large": "The compiled library has {bytes} bytes, more than the {limit} allowed.",
    "sandbox-lost": (
        "The whole sandbox ended in the middle of this call: the program had used up or ended something."
    ),
    "wrong-when-timed": "One of the timed calls, each with new data, gave a wrong answer.",
    "core-was-busy": (
        "Something else ran on the same core, or the program waits: only in {calm} of {rounds} rounds the core was its "
        "own. The ratio may be too high; on a calmer machine it will be right."
    ),
    "called-as": "called: {call}",
    "picture": (
        "{path}: left what came, middle what was expected, right how many times the bound they are apart (log10)"
    ),
    "your-mistake": "This is exactly what one gets with this mistake: {title}",
    "speed": (
        "{ratio:.3g} times pyattn's time (quartiles {low:.3g}–{high:.3g}, {rounds} rounds): "
        "{ms:.3g} ms, {gflops:.3g} GFLOP/s"
    ),
    "held-for-review": (
        "That is more than this processor can do: a person will look at it before it counts."
    ),
    "group-public": "public",
    "group-hidden": "hidden",
    "group-stability": "stability",
    "group-memory": "memory",
    "group-speed": "speed",
    "printed": "It printed:",
    "headline": "{title}: {score:g} of {most:g} points, {passed} of {count} tests passed",
    "run-again": (
        "sandbox: {level} · {seconds:.1f} s · again: grader grade PATH --assignment {slug} "
        "--track {track} --seed {seed}"
    ),
}


def render(message: Message, lang: str) -> str:
    """The text of a message in a language ("en" or "zh"), its fields filled in, for any page or terminal.

    What is filled in may be a student's: no control or direction character of it is kept.
    """
    text = ENGLISH[message.code]
    if lang != "en":
        text = translated(message.code, lang) or text
    params = told_apart(message.params)
    return clean(text.format(**{name: _filled(value, lang) for name, value in params.items()}))


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
