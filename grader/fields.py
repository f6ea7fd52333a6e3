"""The keys of an assignment's TOML: each is taken once with its type, and what is left over is a mistake."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

LANGUAGES = ("en", "zh")
_NEEDED: Any = object()


class CatalogueError(ValueError):
    """A folder of `grader/assignments` that is not an assignment: says which file and key, and the way out."""

    def __init__(self, file: object, key: str, got: object, expected: str, fix: str) -> None:
        place = f"{file}: {key}" if key else f"{file}"
        super().__init__(f"{place}: got {got}; expected {expected}. {fix}")


class Fields:
    """One table of a TOML file."""

    def __init__(self, file: str, values: object, where: str = "") -> None:
        self.file, self.where = file, where
        if not isinstance(values, dict):
            raise CatalogueError(
                file, where, repr(values), "a table", "Write it as [table] or { key = value }."
            )
        self._values = dict(values)

    def key(self, name: str) -> str:
        """The full name of a key of this table."""
        return f"{self.where}.{name}" if self.where else name

    def wrong(self, name: str, got: object, expected: str, fix: str) -> CatalogueError:
        """The error about one key."""
        return CatalogueError(self.file, self.key(name), got, expected, fix)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def names(self) -> tuple[str, ...]:
        """The keys not taken yet, in the order of the file."""
        return tuple(self._values)

    def take(self, name: str, default: Any = _NEEDED) -> Any:
        """Whatever stands under a key."""
        if name not in self._values and default is _NEEDED:
            raise self.wrong(name, "nothing", "this key", f"Add {name} = …")
        return self._values.pop(name, default)

    def _typed(self, name: str, default: Any, fits: Callable[[Any], bool], expected: str) -> Any:
        value = self.take(name, default)
        if value is not default and not fits(value):
            raise self.wrong(name, repr(value), expected, "Change its value.")
        return value

    def string(self, name: str, default: Any = _NEEDED) -> str:
        """A text that is not empty."""
        return self._typed(name, default, lambda v: isinstance(v, str) and bool(v.strip()), "a text")

    def strings(self, name: str, default: Any = _NEEDED) -> tuple[str, ...]:
        """A list of texts, each there once."""

        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(v, str) and v for v in value) and _once(value)

        return tuple(self._typed(name, default, fits, "a list of texts without repetition"))

    def choice(self, name: str, known: Iterable[str], default: Any = _NEEDED) -> str:
        """One of the known names."""
        value = self.string(name, default)
        if value not in known:
            raise self.wrong(name, repr(value), f"one of {', '.join(sorted(known))}", "Choose one of these.")
        return value

    def integer(self, name: str, default: Any = _NEEDED, least: int = 1) -> int:
        """A whole number, no boolean."""
        return self._typed(
            name, default, lambda v: type(v) is int and v >= least, f"a whole number ≥ {least}"
        )

    def number(self, name: str, default: Any = _NEEDED, most: float = math.inf) -> float:
        """A positive finite number up to `most`."""

        def fits(value: Any) -> bool:
            return type(value) in (int, float) and math.isfinite(value) and 0 < value <= most

        ceiling = f" ≤ {most:g}" if math.isfinite(most) else ""
        return self._typed(name, default, fits, f"a finite number > 0{ceiling}")

    def table(self, name: str, default: Any = _NEEDED) -> Fields:
        """A table under this one."""
        return Fields(self.file, self.take(name, default), self.key(name))

    def text(self, name: str) -> Mapping[str, str]:
        """The same words in every language."""
        table = self.table(name)
        words = {language: table.string(language) for language in LANGUAGES}
        table.close()
        return words

    def close(self) -> None:
        """Nothing may be left over: a misspelt key would otherwise change nothing, silently."""
        for name, value in self._values.items():
            raise self.wrong(
                name, repr(value), "no such key", "Remove it, or look for a slip of the pen in its name."
            )


def _once(values: list[str]) -> bool:
    return len(set(values)) == len(values)
