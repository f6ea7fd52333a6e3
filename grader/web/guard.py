"""What stands between the pages and the world: headers, CSRF, rates, redirects that stay here."""

from __future__ import annotations

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_login import current_user
from flask_wtf import CSRFProtect

from grader.services import logins
from grader.web.transactions import settings

_POLICY = "; ".join(
    [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ]
)  # fmt: skip
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_FILES = ("static", "bootstrap.static", "looks.code_css")

csrf = CSRFProtect()


def per_person() -> str:
    """The key of rates: who is logged in, else the address. A whole class may come from one address."""
    return f"user {current_user.id}" if current_user.is_authenticated else get_remote_address()


def request_rate() -> str:
    """How often one may ask for anything."""
    return f"{settings().requests_per_minute} per minute"


limiter = Limiter(per_person, default_limits=[request_rate])


def guesses(response: Response) -> bool:
    """Whether a login was refused: who comes in is no guess, and a whole class may come from one address."""
    return response.status_code != 302


@limiter.request_filter
def _is_a_file() -> bool:
    """Styles and scripts are not counted."""
    return request.endpoint in _FILES


def init_app(app: Flask) -> None:
    """Set the guards up."""
    chosen = app.extensions["grader-settings"]
    app.config.update(
        RATELIMIT_STORAGE_URI=chosen.limiter_storage,
        RATELIMIT_HEADERS_ENABLED=True,
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session
    )
    csrf.init_app(app)
    limiter.init_app(app)
    app.after_request(_protect)


def _protect(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if settings().secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if request.endpoint not in _FILES:
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def per_login() -> str:
    """The key of login rates: an account and an address, so that nobody locks others out."""
    return f"{get_remote_address()} {logins.plain(request.form.get('login', ''))[:60]}"


def login_rate() -> str:
    """How often one may try a password."""
    return f"{settings().logins_per_minute} per minute"


def registration_rate() -> str:
    """How often one may try join codes, or passwords of any account that are wrong, from one address."""
    return f"{settings().registrations_per_minute} per minute"


def submission_rate() -> str:
    """How often one may hand in."""
    return f"{settings().submissions_per_minute} per minute"


def safe_next(target: str | None, fallback: str) -> str:
    """A path of our own to go on to; never another site."""
    target = target or ""
    ours = target.startswith("/") and not target.startswith("//") and "\\" not in target
    return target if ours and target.isprintable() else fallback
