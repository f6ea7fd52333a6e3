"""What an operator may set: by environment (``GRADER_PORT=8080``), by a TOML file (``port = 8080``), or not at all."""

from __future__ import annotations

import contextlib
import importlib
import os
import secrets
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class SettingsError(ValueError):
    """A setting is not as it must be; the text names it, what came, what was expected and the way out."""


@dataclass(frozen=True)
class Settings:
    """Every setting with its default. The environment wins over the file, the file over what stands here."""

    data: Path = Path("grader-data")  # the SQLite file, the secrets
    database_url: str = ""  # sqlite in `data` when empty
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""  # what people type; with https, cookies are Secure
    trusted_proxies: int = 0  # in front of us, whose X-Forwarded-… headers count
    threads: int = 8  # of the web server
    workers: int = 2  # processes that grade
    engine: str = "local"  # who wakes the workers; or "celery"
    broker_url: str = "redis://127.0.0.1:6379/0"  # of engine celery: Redis or RabbitMQ
    sweep_seconds: float = 2.0  # how often lost messages of engine celery are looked for
    language: str = "en"  # where nobody says another
    zone: str = "UTC"  # of new courses
    site: str = "grader"  # its name on the pages
    session_hours: float = 12.0
    link_hours: float = 72.0  # how long a one-time link is good
    upload_bytes: int = 8 << 20
    upload_seconds: float = 300.0  # an upload that takes longer counts from its end, not from its beginning
    logins_per_minute: int = 10  # per account and address
    registrations_per_minute: int = 120  # per address, of a whole class maybe; and as many wrong passwords
    requests_per_minute: int = 600  # per person, or address of someone who is not logged in
    submissions_per_minute: int = 10  # per person
    drafts_queued: int = 2  # per person and assignment at once
    lease_seconds: float = 30.0
    run_seconds: float = 900.0  # after that a run is given up, whatever its worker says
    queue_hours: float = 72.0  # after that a job that nobody took is given up
    tries: int = 3  # before a job is dead
    poll_seconds: float = 0.15  # how often an idle worker looks
    metrics_token: str = ""  # who may read /metrics from elsewhere
    limiter_storage: str = "memory://"  # of Flask-Limiter
    log_level: str = "INFO"

    @property
    def database(self) -> str:
        """The database's URL."""
        return self.database_url or f"sqlite:///{self.data.resolve() / 'grader.sqlite3'}"

    @property
    def url(self) -> str:
        """Where people find the service, without a slash at the end."""
        return (self.public_url or f"http://{self.host}:{self.port}").rstrip("/")

    @property
    def secure(self) -> bool:
        """Whether people come by https."""
        return urlsplit(self.url).scheme == "https"

    @property
    def secret_key(self) -> str:
        """What signs cookies: made at the first start, in a file that only we can read."""
        return _secret(self.data / "secret-key")


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process.

    Parameters
    ----------
    environ : mapping, optional
        ``GRADER_…`` of it count, and ``GRADER_CONFIG`` names the TOML file; the process's own by default.

    Raises
    ------
    SettingsError
        An unknown name, or a value that cannot be what it should be.
    """
    environ = os.environ if environ is None else environ
    known = {field.name: field for field in fields(Settings)}
    file = environ.get("GRADER_CONFIG")
    given = _of_file(Path(file)) if file else {}
    for name in given:
        if name not in known:
            wanted = ", ".join(known)
            raise SettingsError(
                f"{file}: {name!r} is no setting; expected one of {wanted}. Check its spelling."
            )
    given |= {
        name: environ[f"GRADER_{name.upper()}"] for name in known if f"GRADER_{name.upper()}" in environ
    }
    return Settings(**{name: _converted(name, value) for name, value in given.items()})


def _of_file(path: Path) -> dict[str, Any]:
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return dict(toml.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(
            f"GRADER_CONFIG: {path} cannot be read ({error.strerror}). Give a TOML file."
        ) from None
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"GRADER_CONFIG: {path} is not TOML in UTF-8 ({error}). Mend that place."
        ) from None


def _converted(name: str, value: Any) -> Any:
    """A value in the type of its default, from the words that the environment has or would have."""
    kind = type(getattr(Settings, name))
    try:
        converted = Path(value) if issubclass(kind, Path) else kind(str(value))
    except (ValueError, TypeError):
        raise _wrong(name, value, kind.__name__) from None
    if isinstance(converted, int | float) and not 0 <= converted < float("inf"):
        raise _wrong(name, value, "0 or more")
    return converted


def _wrong(name: str, value: object, expected: str) -> SettingsError:
    return SettingsError(f"GRADER_{name.upper()}: {value!r}; expected {expected}. Correct or remove it.")


def _secret(path: Path) -> str:
    """The secret in a file, made if it is not there. Of processes that start at once all have the first one's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:  # of mode 0600
            file.write(secrets.token_hex(32))
            file.flush()
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)  # whole, or not there
    return _kept(path)


def _kept(path: Path) -> str:
    if path.stat().st_mode & 0o077:
        raise SettingsError(f"{path}: others may read it; expected mode 0600. Run: chmod 600 {path}")
    found = path.read_text().strip()
    if len(found) < 32:
        raise SettingsError(
            f"{path}: {len(found)} characters; expected 64. Remove it: a new one will be made."
        )
    return found
