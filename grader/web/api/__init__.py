"""`/api/v1`: what programs may ask, with a token and nothing else. The OpenAPI document is made from these very views.

A file for each thing that is asked for (`account`, `courses`, `submissions`, `classes`), one for who asks (`tokens`),
one for what answers look like (`shapes`), one for how they are filled (`answers`). Errors: `grader.web.problems`.
"""

from __future__ import annotations

from flask import Flask
from flask_smorest import Api

from grader.web.api import account, classes, courses, submissions
from grader.web.guard import csrf
from grader.web.problems import PREFIX, TYPE, Problem

_ABOUT = """Hand in, follow, and read what came of it.

Make a token on your account's page and send it as `Authorization: Bearer …`. A token may `read` what is its owner's,
`submit` for him, or `teach`: see what others handed in, where its owner may. Lists come in pages: `page` and
`page_size`; the header `X-Pagination` says what there is. Every answer to GET has an ETag; asked with `If-None-Match`
it is 304 as long as nothing has changed. Errors are `application/problem+json`, with a `code` that never changes and a
`detail` for people, in the language of `Accept-Language`.
"""


class _Api(Api):
    ERROR_SCHEMA = Problem


def init_app(app: Flask) -> None:
    """Register the API. Comes before `errors`, which answers for all of the application."""
    app.config.update(
        API_TITLE="grader",
        API_VERSION="v1",
        OPENAPI_VERSION="3.0.3",
        OPENAPI_URL_PREFIX=PREFIX,
        API_SPEC_OPTIONS={"info": {"description": _ABOUT}},
    )
    api = _Api(app)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for part in (account, courses, submissions, classes):
        csrf.exempt(part.bp)  # nothing of a browser counts here, so nothing of it can be abused
        api.register_blueprint(part.bp, url_prefix=PREFIX)
    _name_the_type_of_errors(api)


def _name_the_type_of_errors(api: Api) -> None:
    for response in api.spec.components.responses.values():
        if "content" in response:
            response["content"] = {TYPE: response["content"].pop("application/json")}
