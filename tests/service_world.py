"""A small service for tests: real database, real application, real grading; nothing pretends."""

import io
import re
import tempfile
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

from grader import catalogue
from grader.db import history
from grader.db.clock import now
from grader.db.database import Database
from grader.db.tables import Course, Role, Run, Submission, Task, User
from grader.jobs import queue
from grader.services import accounts, courses, secrets, submitting
from grader.settings import Settings
from grader.web import create_app
from grader.worker.work import work

PASSWORD = "correct horse battery"
SOFTMAX = (catalogue.ROOT / "softmax" / "solution.py").read_text(encoding="utf-8")
UNSTABLE = """
import numpy as np

def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
"""


@lru_cache
def _hash() -> str:
    """The password's, made once: it takes its time, as it must."""
    return secrets.hashed(PASSWORD)


@lru_cache
def _migrated() -> bytes:
    """A database with all tables and nothing in them."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/empty.sqlite3")
        history.upgrade(database)
        with database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        return Path(folder, "empty.sqlite3").read_bytes()


class World:
    """A service in a folder."""

    def __init__(self, folder: Path, **settings) -> None:
        usual = {"logins_per_minute": 1000, "submissions_per_minute": 1000, "requests_per_minute": 100_000}
        self.settings = Settings(**{"data": folder / "data", **usual, **settings})
        self.settings.data.mkdir(exist_ok=True)
        file = self.settings.data / "grader.sqlite3"
        if not self.settings.database_url and not file.exists():
            file.write_bytes(_migrated())
        self.database = Database(self.settings.database)

    @cached_property
    def app(self):
        return create_app(self.settings)

    def close(self) -> None:
        if "app" in vars(self):
            self.app.extensions["grader-database"].close()
        self.database.close()

    # ---- People and courses ----

    def person(self, login: str, *, admin: bool = False) -> int:
        with self.database.writing() as session:
            return self._account(session, login, admin=admin).id

    def _account(self, session, login: str, **more) -> User:
        user = accounts.create(session, login, login.title(), **more)
        user.password = _hash()
        return user

    def course(self, slug: str = "nlp", **people: Role) -> int:
        """A course, and people in it; accounts are made for those who have none."""
        with self.database.writing() as session:
            course = courses.create(session, None, slug, f"Course {slug}", "Asia/Shanghai")
            for login, role in people.items():
                user = accounts.find(session, login) or self._account(session, login)
                courses.enrol(session, user, course, role)
            return course.id

    def set_task(self, slug: str = "softmax", course: str = "nlp", **values) -> None:
        with self.database.writing() as session:
            task = self.task(session, slug, course)
            for name, value in values.items():
                setattr(task, name, value)

    def task(self, session, slug: str = "softmax", course: str = "nlp") -> Task:
        return session.query(Task).join(Course).filter(Course.slug == course, Task.slug == slug).one()

    def user(self, session, login: str) -> User:
        return session.query(User).filter_by(login=login).one()

    # ---- Handing in and grading ----

    def submit(self, login: str, source: str = SOFTMAX, at=None, slug: str = "softmax", **more) -> int:
        upload = submitting.read_upload([("submission.py", source.encode())])
        with self.database.writing() as session:
            user, task = self.user(session, login), self.task(session, slug)
            return submitting.submit(session, user, task, upload, at or now(), self.settings, **more).id

    def claim(self, worker: str = "test", **changed) -> queue.Claim | None:
        with self.database.writing() as session:
            return queue.claim(session, worker, replace(self.settings, **changed))

    def work(self) -> int:
        """Grade all that is queued, really. Returns how many jobs."""
        done = 0
        while (claim := self.claim()) is not None:
            done += work(self.database, claim, self.settings)
        return done

    def run_of(self, submission: int) -> Run:
        with self.database.reading() as session:
            return submitting.counting_run(session, session.get_one(Submission, submission))

    # ---- Browsers ----

    def browser(self, login: str | None = None, lang: str = "en") -> "Browser":
        found = Browser(self.app, lang)
        if login:
            answer = found.post("/login", login=login, password=PASSWORD)
            assert answer.status_code == 302, answer.text
        return found


class Browser:
    """A person at the pages: keeps cookies, and sends the token that the last page had."""

    def __init__(self, app, lang: str) -> None:
        self.client = app.test_client()
        self.client.set_cookie("lang", lang)
        self.token = ""

    def get(self, path: str, **headers):
        answer = self.client.get(path, headers=headers, buffered=True)
        self._keep(answer)
        return answer

    def post(self, path: str, **fields):
        if not self.token:
            self.get("/login")
        answer = self.client.post(path, data={"csrf_token": self.token, **fields})
        answer.request.environ["wsgi.input"].close()  # a large upload is in a file of the client's
        self._keep(answer)
        if answer.status_code == 302:  # logging in or out makes another token
            self.token = ""
            self._keep(self.client.get("/account/"))
        return answer

    def upload(self, path: str, name: str, content: bytes, **fields):
        return self.post(path, files=(io.BytesIO(content), name), **fields)

    def upload_csv(self, path: str, text: str):
        return self.post(path, file=(io.BytesIO(text.encode()), "students.csv"))

    def _keep(self, answer) -> None:
        html = answer.text if answer.mimetype == "text/html" else ""
        if found := re.search(r'name="csrf_token"[^>]*value="([^"]+)"', html):
            self.token = found[1]
