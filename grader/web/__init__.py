"""The pages: Flask lives here only. `create_app` puts them together."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from grader import settings as settings_module
from grader.db.database import Database
from grader.jobs.engines import engine_of
from grader.settings import Settings
from grader.web import (
    account,
    admin,
    api,
    auth,
    bodies,
    errors,
    guard,
    identity,
    languages,
    looks,
    operate,
    people,
    regrades,
    requests_log,
    student,
    submissions,
    teacher,
)
from grader.web.addresses import Id

BLUEPRINTS = (
    auth.bp, account.bp, student.bp, submissions.bp, teacher.bp, people.bp, regrades.bp, admin.bp, operate.bp,
)  # fmt: skip


def create_app(settings: Settings | None = None) -> Flask:
    """The service as a WSGI application.

    Parameters
    ----------
    settings : Settings, optional
        Those of the environment by default. The database must have the newest tables: `grader.db.history.upgrade`.
    """
    settings = settings or settings_module.load()
    app = Flask("grader.web")
    app.url_map.converters["int"] = Id
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=settings.upload_bytes,
        MAX_FORM_MEMORY_SIZE=settings.upload_bytes,
        MAX_FORM_PARTS=200,
        SESSION_COOKIE_NAME="grader",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.secure,
        PERMANENT_SESSION_LIFETIME=settings.session_hours * 3600,
        SESSION_REFRESH_EACH_REQUEST=False,  # no cookie with files, which caches between here and there may keep
        BOOTSTRAP_SERVE_LOCAL=True,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    app.extensions["grader-settings"] = settings
    app.extensions["grader-engine"] = engine = engine_of(settings)
    app.extensions["grader-database"] = Database(settings.database, woken=engine.wake)
    for part in (requests_log, languages, guard, identity, looks, api, errors):
        part.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.wsgi_app = bodies.whole(app.wsgi_app)  # type: ignore[assignment, method-assign]
    if settings.trusted_proxies:
        n = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    return app
