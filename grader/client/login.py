"""Where the token is kept: a file that only its owner can read."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.client.trouble import Trouble


@dataclass(frozen=True)
class Login:
    """A server, and the token for it."""

    server: str
    token: str


def path() -> Path:
    """The file, as the XDG base directories want it."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "grader" / "login.json"


def keep(login: Login) -> Path:
    """Write it, with mode 0600 from its first byte on. Returns where."""
    target = path()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, fresh = tempfile.mkstemp(dir=target.parent)  # 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(login), file)
    os.replace(fresh, target)
    return target


def kept() -> Login:
    """Read it.

    Raises
    ------
    Trouble
        There is none, others may read it, or it is damaged.
    """
    file = path()
    try:
        if file.stat().st_mode & 0o077:
            raise Trouble(f"{file}: others may read it; expected mode 0600. Run: chmod 600 {file}")
        return Login(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise Trouble("You are not logged in. Run: grader login --server URL") from None
    except (ValueError, TypeError):
        raise Trouble(f"{file}: damaged. Run: grader login --server URL") from None
