"""Passwords, and tokens of which only a digest is kept."""

from __future__ import annotations

import hashlib
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from grader.services.refusals import Refused

LEAST_PASSWORD, MOST_PASSWORD = 10, 200
_JOIN_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another

# OWASP's second choice: 19 MiB and two passes, one thread.
_hasher = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
_NOBODY = _hasher.hash(secrets.token_hex(16))


def hashed(password: str) -> str:
    """A password as it is kept."""
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise Refused("bad-password", got=len(password), least=LEAST_PASSWORD, most=MOST_PASSWORD)
    return _hasher.hash(password)


def matches(password: str, kept: str | None) -> bool:
    """Whether it is that password. Takes as long when there is none: nobody learns which logins exist."""
    try:
        return _hasher.verify(kept or _NOBODY, password[: MOST_PASSWORD + 1]) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def new_token() -> tuple[str, str]:
    """A token that nobody guesses, and the digest under which it is found again."""
    token = secrets.token_urlsafe(32)
    return token, digest(token)


def digest(token: str) -> str:
    """SHA-256: enough for what is long and random."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_join_code() -> str:
    """Eight letters that can be written on a blackboard."""
    return "".join(secrets.choice(_JOIN_LETTERS) for _ in range(8))
