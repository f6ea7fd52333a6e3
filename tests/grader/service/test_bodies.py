"""Bodies that are broken or cut off on their way, at the real web server."""

import re
import socket
from contextlib import closing

import pytest
from api_program import ROOT, SUBMISSIONS, Program
from service_process import serving
from service_world import PASSWORD, World

from grader.db.tables import Submission

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
PAGE = "/c/nlp/a/softmax/submissions"
PART = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.py"\r\n\r\nx = 1\r\n'
BROKEN = ["ZZ\r\n", "5\r\nabcdefgh", "0\r\nbad trailer\r\n\r\n", "5;\x01\r\nhello\r\n", "5\r\nab"]


class Sender:
    """Someone who is logged in, and says what he likes on a socket."""

    def __init__(self, served, token: str) -> None:
        self.served, self.token = served, token
        login = self.ask("GET", "/login")
        fields = f"csrf_token={found(login)}&login=li&password={PASSWORD}".replace(" ", "+")
        self.send("/login", fields, f"Content-Length: {len(fields)}")
        self.csrf = found(self.ask("GET", "/account/"))

    def send(self, path: str, body: str, how: str, kind: str = FORM) -> str:
        return self.ask("POST", path, f"Content-Type: {kind}", how, body=body)

    def ask(self, method: str, path: str, *headers: str, body: str = "") -> str:
        """The whole answer; we hang up when the body is sent."""
        ours = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.served.port}", "Connection: close"]
        kept = {"Cookie": "cookie", "X-CSRFToken": "csrf"}
        known = [f"{name}: {getattr(self, what)}" for name, what in kept.items() if hasattr(self, what)]
        text = "\r\n".join([*ours, *known, f"Authorization: Bearer {self.token}", *headers, "", body])
        with closing(socket.create_connection(("127.0.0.1", self.served.port), 10)) as line:
            line.sendall(text.encode())
            line.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: line.recv(65536), b"")).decode()
        if cookie := re.search(r"Set-Cookie: (grader=[^;]+)", answer):
            self.cookie = cookie[1]
        return answer


def found(page: str) -> str:
    return re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)[1]


@pytest.fixture(scope="module")
def sender(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("bodies"))
    world.course(li="student")
    token = Program(world, "li", "read", "submit").headers["Authorization"].split()[1]
    with serving(world, log_level="INFO") as served:
        served.wait(lambda: "ok" in served.get("/login"))
        made = Sender(served, token)
        made.world = world
        yield made
    world.close()


def status(answer: str) -> int:
    return int(answer.split()[1])


def assert_refused(sender, answer: str) -> None:
    """In our words; nothing was done, and there is nothing in the log to worry about."""
    assert status(answer) == 400 and "cut off on its way" in answer, answer[:500]
    with sender.world.database.reading() as session:
        assert session.query(Submission).count() == 0
    assert "Traceback" not in sender.served.log.read_text()


@pytest.mark.parametrize("body", BROKEN)
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/login", FORM),
        ("/preferences", FORM),
        (PAGE, FORM),
        (PAGE, MULTIPART),
        (ROOT + SUBMISSIONS, MULTIPART),
    ],
)
def test_broken_chunks_are_refused_and_are_no_fault_of_ours(sender, path, kind, body):
    assert_refused(sender, sender.send(path, body, "Transfer-Encoding: chunked", kind))


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/login", FORM, "login=li"),
        ("/preferences", FORM, "lang=zh"),
        (PAGE, FORM, "kind=final&pasted=y%3D1"),
        (PAGE, MULTIPART, PART),
        (PAGE, MULTIPART, PART + "--x--\r\n"),
        (ROOT + SUBMISSIONS, MULTIPART, PART),
        (ROOT + SUBMISSIONS, MULTIPART, PART + "--x--\r\n"),
        (PAGE, FORM, ""),
    ],
)
def test_a_body_that_is_cut_off_is_no_submission(sender, path, kind, body):
    assert_refused(sender, sender.send(path, body, "Content-Length: 99999", kind))


def test_whole_chunks_are_taken(sender):
    body = "lang=zh&next=/account/"
    chunked = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    answer = sender.send("/preferences", chunked, "Transfer-Encoding: chunked")
    assert status(answer) == 302 and "Location: /account/" in answer
