"""What an operator may set: by environment (``GRADER_PORT=8080``), by a TOML file (``port = 8080``), or not at all."""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
import os
import re
import secrets
import sys
import tempfile
import zoneinfo
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class SettingsError(ValueError):
    """A setting is not as it must be; the text names it, what came, what was expected and the way out."""


_OTHERS = {"GRADER_CONFIG"}  # what else begins like a setting in the environment, and is read elsewhere


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
        return self.database_url or f"sqlite:///{self.folder.resolve() / 'grader.sqlite3'}"

    @property
    def folder(self) -> Path:
        """`data`, which is there and can be written to from here on.

        Raises
        ------
        SettingsError
            It cannot.
        """
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.data).close()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):  # a full disk passes, a wrong folder does not
                expected = "a folder that can be made and written to"
                raise unusable("data", str(self.data), error.strerror or str(error), expected) from None
        return self.data

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
        return _secret(self.folder / "secret-key")


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
    _must_be_known(environ, known)
    given |= {
        name: environ[f"GRADER_{name.upper()}"] for name in known if f"GRADER_{name.upper()}" in environ
    }
    return Settings(**{name: _converted(name, value) for name, value in given.items()})


def _must_be_known(environ: Mapping[str, str], known: Collection[str]) -> None:
    """Who misspells a setting would else wonder for long why it does nothing.

    Others may have variables of such names: Kubernetes sets GRADER_SERVICE_HOST for a service that is called grader.
    """
    names = {f"GRADER_{name.upper()}" for name in known} | _OTHERS
    for name in environ:
        if name.startswith("GRADER_") and name not in names:
            for near in difflib.get_close_matches(name, names, 1, cutoff=0.8):
                raise SettingsError(f"{name}: no such setting; expected {near}. Correct or remove it.")


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
    if name in _RULES:
        fits, expected = _RULES[name]
        if not fits(converted):
            raise _wrong(name, value, expected)
    return converted


def _is_zone(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # not found is a KeyError
        return False
    return True


def _has_scheme(url: str, *known: str) -> bool:
    scheme, found, _ = url.partition("://")
    return bool(found) and scheme in known


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


# What more must hold of a value than its type, and how one says so.
_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "port": (lambda port: 1 <= port <= 65535, "1 to 65535"),
    "threads": (lambda threads: threads >= 1, "1 or more"),
    "tries": (lambda tries: tries >= 1, "1 or more"),
    "language": (lambda name: re.split("[-_]", name)[0] in ("en", "zh"), "en or zh"),
    "zone": (_is_zone, "a time zone like Asia/Shanghai"),
    "public_url": (lambda url: not url or _is_address(url), "an address like https://grader.example.edu"),
    "log_level": (
        lambda level: level.upper() in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        "DEBUG, INFO, WARNING or ERROR",
    ),
    "database_url": (
        lambda url: not url or _has_scheme(url, "sqlite", "postgresql", "postgres", "postgresql+psycopg"),
        "sqlite:///FILE or postgresql://USER@HOST/NAME",
    ),
    "broker_url": (
        lambda url: _has_scheme(url, "redis", "rediss", "sentinel", "amqp", "amqps", "pyamqp", "memory"),
        "redis://HOST:6379/0 or amqp://USER@HOST//",
    ),
    "limiter_storage": (
        lambda url: _has_scheme(
            url, "memory", "redis", "rediss", "redis+unix", "redis+sentinel", "redis+cluster", "memcached"
        ),
        "memory:// or redis://HOST:6379/1",
    ),
}


def _wrong(name: str, value: object, expected: str) -> SettingsError:
    shown = repr(_without_password(str(value)) if isinstance(value, str) else value)
    return SettingsError(f"GRADER_{name.upper()}: {shown}; expected {expected}. Correct or remove it.")


def unusable(name: str, value: str, why: str, expected: str) -> SettingsError:
    """What to raise when a value is well-formed, and what it names is not as it must be."""
    shown = _without_password(value)
    return SettingsError(
        f"GRADER_{name.upper()}: {shown!r} ({why}); expected {expected}. Correct or remove it."
    )


def _without_password(url: str) -> str:
    return re.sub(r"(://[^:@/]*:)[^@]*@", r"\1***@", url)


def _secret(path: Path) -> str:
    """The secret in a file, made if it is not there. Of processes that start at once all have the first one's."""
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
