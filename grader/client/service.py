"""The service as a client sees it: `/api/v1`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import httpx

from grader.client.login import Login
from grader.client.trouble import Trouble

Answer = dict[str, Any]
_TRIES, _PATIENCE = (
    5,
    60.0,
)  # for looking things up: how often, and how long before a server that is busy is given up
_ASK_SECONDS = 1.0


def clean_server(url: str) -> str:
    """A server's address without a slash at its end.

    Raises
    ------
    Trouble
        It is none.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Trouble(f"--server: {url!r}; expected an address like https://grader.example.edu")
    return url.strip().rstrip("/")


class Service:
    """A connection. What goes wrong is `Trouble`.

    Parameters
    ----------
    login : Login
    lang : str
        The language of what the server says: "en" or "zh".
    """

    def __init__(self, login: Login, lang: str = "en") -> None:
        self.server = login.server
        headers = {"Authorization": f"Bearer {login.token}", "Accept-Language": lang}
        self._lang = lang
        try:
            self._client = httpx.Client(base_url=f"{login.server}/api/v1", headers=headers, timeout=30.0)
        except (httpx.InvalidURL, UnicodeEncodeError, ValueError) as error:
            raise Trouble(
                f"{login.server}: neither address nor token may have such letters ({error})."
            ) from None

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def account(self) -> Answer:
        """Whose token this is."""
        return self._object(self._get("/account"))

    def courses(self) -> list[Answer]:
        """The courses that one is in."""
        found: list[Answer] = self._get("/courses", {"page_size": 100}).json()
        return found

    def hand_in(
        self, course: str, assignment: str, files: Mapping[str, bytes], *, draft: bool, track: str | None
    ) -> Answer:
        """Hand files in. Trying again does no harm: equal files give the submission that waits."""
        query = {"kind": "draft" if draft else "final"} | ({"track": track} if track else {})
        parts = [("files", (name, content)) for name, content in files.items()]
        where = f"/courses/{course}/assignments/{assignment}/submissions"
        return self._object(self._ask("POST", where, params=query, files=parts))

    def follow(self, submission: int) -> Iterator[Answer]:
        """A submission again and again: whenever something has changed, until it is over."""
        tag = ""
        while True:
            answer = self._get(f"/submissions/{submission}", headers={"If-None-Match": tag} if tag else {})
            if answer.status_code != 304:
                tag = answer.headers.get("ETag", "")
                found = self._object(answer)
                yield found
                if found["state"] not in ("queued", "running"):
                    return
            time.sleep(_ASK_SECONDS)

    def report(self, submission: int) -> Answer:
        """The whole report."""
        return self._object(self._get(f"/submissions/{submission}/report", {"lang": self._lang}))

    def _get(
        self, path: str, params: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Look something up; a server that is busy or starts anew is asked again."""
        for left in reversed(range(_TRIES)):
            try:
                return self._ask("GET", path, params=params, headers=headers)
            except _Busy as busy:
                if not left:
                    raise Trouble(str(busy), ours=False) from None
                time.sleep(busy.wait)
        raise AssertionError

    def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            answer = self._client.request(method, path, **more)
        except httpx.TransportError as error:
            raise Trouble(
                f"{self.server} does not answer ({error or type(error).__name__}). Check the address and your network, "
                "then try again: equal files are not graded twice.", ours=False,
            ) from None  # fmt: skip
        if answer.status_code not in (200, 202, 304):
            raise self._trouble(answer, method)
        return answer

    def _trouble(self, answer: httpx.Response, method: str) -> Exception:
        status, detail = answer.status_code, _detail(answer)
        if detail is None:
            return Trouble(
                f"{self.server} answers {status}, and not as a grader does. Check the address.",
                ours=status < 500,
            )
        if method == "GET" and status in (429, 503):
            return _Busy(detail, answer.headers.get("Retry-After", ""))
        if status == 401:
            detail = f"{detail} Then run: grader login --server {self.server}"
        return Trouble(detail, ours=status < 500)

    def _object(self, answer: httpx.Response) -> Answer:
        try:
            found = answer.json()
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Trouble(f"{self.server} does not answer as a grader does. Check the address.")
        return found


class _Busy(Exception):
    """Ask again later."""

    def __init__(self, words: str, wait: str) -> None:
        super().__init__(words)
        self.wait = min(float(wait), _PATIENCE) if wait.isdigit() else 2.0


def _detail(answer: httpx.Response) -> str | None:
    """What a problem says; None when it is none."""
    if not answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        return None
    told = answer.json()
    wrong = "; ".join(f"{where}: {what}" for where, what in told.get("errors", {}).items())
    return f"{told['detail']} {wrong}".strip()
