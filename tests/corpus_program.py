"""A program of the corpus: a submission whose first lines say what must come of it.

A file of `corpus/` (or a folder, for a submission with helpers) begins with comments:

    # assignment: softmax            whose entry points it has
    # expect: score=0 code=exited    what the report must say, see `Expected`
    # tests: rows double             only these tests; all of them by default for full marks, else `FEW`
    # limits: wall_seconds=0.5       other limits than the assignment's
    # level: full                    only this level can tell
    # tries: one line for people

In the source `@CANARY@` becomes the path of a file on the host that nobody inside may read, `@STARTER@` the
assignment's starter in this language, `@ATTEND@` the part of a C++ starter before its entry points, with `attend`, and
`@ENTRIES@` the entry points, which call `attend`. `@FORGE@` is `corpus_parts/forge.py`, and so for all that is there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path

from grader import catalogue
from grader.models import Assignment, Limits, Test
from grader.submission import Submission, choose

CORPUS = Path(__file__).parent / "grader" / "corpus"
PARTS = CORPUS.with_name("corpus_parts")
FEW = {
    "softmax": ("rows", "columns", "double"),
    "scaled-dot-product": ("plain", "double"),
    "masking": ("causal", "double"),
    "online-softmax": ("rest", "double"),
    "fast-attention": ("small", "double"),
}
_HEADER = re.compile(
    rb"^(?:\xef\xbb\xbf)?(?:#|//) (assignment|expect|tests|limits|level|tries): (.*?)\r?$", re.MULTILINE
)
_KEYS = {"score", "code", "named", "note", "refused"}


@dataclass(frozen=True)
class Expected:
    """What the report must say. Codes parted by "|" are alternatives."""

    score: float | None = None  # per cent of the points
    code: frozenset[str] = frozenset()  # the first finding of every test that was run
    named: str = ""  # the mistake, where one is named, and one is
    note: str = ""  # a remark about the whole
    refused: str = ""  # it cannot be graded at all, and this code says why


@dataclass(frozen=True)
class Program:
    """One submission of the corpus."""

    path: Path
    header: dict[str, str]

    @property
    def name(self) -> str:
        """Its name among the tests."""
        return self.path.name

    @property
    def expected(self) -> Expected:
        """The verdict."""
        given = dict(word.split("=", 1) for word in self.header["expect"].split())
        assert set(given) <= _KEYS and given, f"{self.name}: expect: {self.header['expect']}"
        score = given.pop("score", None)
        code = frozenset(given.pop("code", "").split("|")) - {""}
        return Expected(float(score) if score else None, code, **given)

    @cached_property
    def assignment(self) -> Assignment:
        """A copy of the assignment with the tests and limits of the header."""
        whole = _assignment(self.header["assignment"])
        few = None if self.expected.score == 100 else FEW.get(whole.slug)
        wanted = tuple(self.header["tests"].split()) if "tests" in self.header else few
        tests = [test for test in whole.tests if wanted is None or test.id in wanted]
        return replace(whole, tests=tuple(self._smaller(test) for test in tests))

    def _smaller(self, test: Test) -> Test:
        """With the limits of the header; a test of speed with half of its heads, to be over soon."""
        arguments = test.arguments
        if "speed" in test.checks:
            arguments = {
                name: replace(array, shape=(array.shape[0] // 2, *array.shape[1:]))
                for name, array in arguments.items()
            }
        return replace(test, limits=replace(test.limits, **self._limits()), arguments=arguments)

    def _limits(self) -> dict[str, float]:
        words = dict(word.split("=") for word in self.header.get("limits", "").split())
        kinds = {field.name: type(getattr(Limits(), field.name)) for field in fields(Limits)}
        return {name: kinds[name](value) for name, value in words.items()}

    def submission(self, canary: Path) -> Submission:
        """What would be handed in, as it is read."""
        return choose(self.files(canary), self.assignment, None, single=not self.path.is_dir())

    def files(self, canary: Path) -> dict[str, bytes]:
        """What would be handed in."""
        folder = self.path.is_dir()
        paths = sorted(path for path in self.path.iterdir() if path.is_file()) if folder else [self.path]
        return {path.name: self._filled(path, canary) for path in paths}

    def _filled(self, path: Path, canary: Path) -> bytes:
        source = path.read_bytes()
        # Parts may hold the other words.
        for word, text in [*_parts().items(), *self._starter(path.suffix).items(), ("CANARY", bytes(canary))]:
            source = source.replace(b"@%b@" % word.encode(), text)
        return source

    def _starter(self, suffix: str) -> dict[str, bytes]:
        path = self.assignment.folder / f"starter{suffix}"
        whole = path.read_bytes() if path.exists() else b""
        attend, word, entries = whole.partition(b'extern "C"')
        return {"STARTER": whole, "ATTEND": attend, "ENTRIES": word + entries}


@lru_cache
def _parts() -> dict[str, bytes]:
    return {path.stem.upper(): path.read_bytes() for path in PARTS.iterdir() if path.is_file()}


@lru_cache
def _assignment(slug: str) -> Assignment:
    return catalogue.load(slug)


def programs() -> list[Program]:
    """The whole corpus, by name."""
    paths = sorted(path for path in CORPUS.iterdir() if not path.name.startswith((".", "_")))
    return [Program(path, _header(path)) for path in paths]


def _header(path: Path) -> dict[str, str]:
    first = path / "submission.py" if path.is_dir() else path
    found = {key.decode(): value.decode() for key, value in _HEADER.findall(first.read_bytes())}
    missing = {"assignment", "expect", "tries"} - set(found)
    assert not missing, f"{path.name} does not say {missing}"
    return found
