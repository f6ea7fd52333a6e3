"""People at the pages of a service: students who hand in and follow what becomes of it, a teacher who watches."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPMessage
from http.cookies import SimpleCookie
from itertools import cycle
from typing import NamedTuple
from urllib.parse import urlencode

COURSE, TASK = "load", "softmax"
PROGRAM = """import numpy as np

# {mark}
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = powers.sum(axis=axis, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total != 0)
"""


@dataclass
class Seen:
    """What people saw: seconds by kind of request, how often nobody answered, answers that nobody wants."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    unanswered: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    accepted: dict[int, str] = field(default_factory=dict)  # submission → whose
    over: threading.Event = field(default_factory=threading.Event)


class Answer(NamedTuple):
    """What came."""

    status: int
    headers: HTTPMessage
    text: str


class Browser:
    """One person's: keeps cookies and the forms' token. A connection for each request, as nginx makes them."""

    def __init__(self, port: int, seen: Seen) -> None:
        self._port, self.seen = port, seen
        self._cookies: dict[str, str] = {}
        self._token = ""

    def get(self, path: str, kind: str, **headers: str) -> Answer:
        return self._ask("GET", path, kind, headers)

    def send(self, path: str, kind: str, fields: Mapping[str, str], file: bytes = b"") -> Answer:
        """Send a form, with a file if there is one."""
        content, body = _encoded({"csrf_token": self._token, **fields}, file)
        return self._ask("POST", path, kind, {"Content-Type": content}, body)

    def _ask(
        self, method: str, path: str, kind: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Answer:
        """Ask until somebody answers: the service may be down for a moment. Only the answer is timed."""
        while True:
            began = time.perf_counter()
            try:
                answer = self._once(method, path, headers, body)
                break
            except (OSError, HTTPException):
                if self.seen.over.is_set():
                    raise
                self.seen.unanswered += 1
                time.sleep(0.2)
        self.seen.seconds[kind].append(time.perf_counter() - began)
        if answer.status not in (200, 302, 304):
            self.seen.wrong[f"{answer.status} {method} {re.sub('[0-9]+', 'N', path)}"] += 1
        return answer

    def _once(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, {"Cookie": cookies, "Connection": "close", **headers})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read().decode())
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        if found := re.search(r'name="csrf_token"[^>]*value="([^"]+)"', answer.text):
            self._token = found[1]
        return answer


def _encoded(fields: Mapping[str, str], file: bytes) -> tuple[str, bytes]:
    if not file:
        return "application/x-www-form-urlencoded", urlencode(fields).encode()
    edge = secrets.token_hex(16)
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
        for name, value in fields.items()
    ]
    parts.append(b'Content-Disposition: form-data; name="files"; filename="submission.py"\r\n\r\n' + file)
    body = b"".join(b"--%s\r\n%s\r\n" % (edge.encode(), part) for part in parts)
    return f"multipart/form-data; boundary={edge}", body + f"--{edge}--\r\n".encode()


class Person:
    """Somebody with an account."""

    def __init__(self, login: str, port: int, seen: Seen) -> None:
        self.login, self.seen, self.browser = login, seen, Browser(port, seen)

    def come_in(self, link: str) -> None:
        """By a one-time link, choosing a password."""
        self.browser.get(link, "entry")
        self.browser.get("/link", "entry")
        password = secrets.token_hex(8)
        answer = self.browser.send("/link", "entry", {"password": password, "again": password})
        assert answer.status == 302, answer.text

    def see(self, path: str) -> Answer:
        """A page, at which somebody waits."""
        return self.browser.get(path, "page")


class Student(Person):
    """Hands in, and follows what becomes of it as the script of the pages does."""

    def __init__(self, login: str, port: int, seen: Seen) -> None:
        super().__init__(login, port, seen)
        here = f"/c/{COURSE}/"
        self._others = cycle([f"{here}a/{TASK}/", here, "/", f"{here}a/{TASK}/leaderboard"])
        self.mine: list[tuple[int, float]] = []  # submissions, and when their upload began

    def hand_in(self) -> None:
        """One submission, like no other."""
        began = time.perf_counter()
        program = PROGRAM.format(mark=secrets.token_hex(8)).encode()
        answer = self.browser.send(f"/c/{COURSE}/a/{TASK}/submissions", "submit", {"kind": "final"}, program)
        if answer.status == 302:
            id = int(answer.headers["Location"].rpartition("/")[2])
            self.seen.accepted[id] = self.login
            self.mine.append((id, began))

    def follow(self) -> None:
        """Wait at the page of each submission, now and then looking at another one."""
        for id, began in self.mine:
            self.see(f"/s/{id}")
            self._wait(id)
            self.see(f"/s/{id}")
            self.seen.seconds["result"].append(time.perf_counter() - began)

    def _wait(self, id: int) -> None:
        wait, tag = 0.4, ""
        while not self.seen.over.is_set():
            time.sleep(wait)
            known = {"If-None-Match": tag} if tag else {}
            answer = self.browser.get(f"/s/{id}/progress", "progress", **known)
            if answer.status == 200:
                if answer.headers["X-Over"] == "yes":
                    return
                tag = answer.headers["ETag"]
            wait = float(answer.headers["X-Again"]) / 1000
            if wait > 2.0:
                self.see(next(self._others))


class Teacher(Person):
    """Watches the class."""

    def watch(self) -> None:
        """Look at one page after the other, a second between them, until all is over."""
        here = f"/c/{COURSE}/"
        pages = cycle(
            [f"{here}class", f"{here}a/{TASK}/class", f"{here}people/", f"{here}a/{TASK}/leaderboard"]
        )
        while not self.seen.over.wait(1.0):
            self.see(next(pages))
