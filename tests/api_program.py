"""A program that uses `/api/v1`, and the people whose tokens it may have."""

import io

from service_world import SOFTMAX

from grader.db.tables import Role
from grader.services import accounts

ROOT = "/api/v1"
SUBMISSIONS = "/courses/nlp/assignments/softmax/submissions"
PEOPLE = {"li": Role.STUDENT, "han": Role.STUDENT, "tutor": Role.ASSISTANT, "prof": Role.TEACHER}


class Program:
    """A client with one token, or none."""

    def __init__(self, world, login: str | None, *scopes: str, **more) -> None:
        self.client, self.headers = world.app.test_client(), {}
        if login:
            with world.database.writing() as session:
                token, text = accounts.make_token(session, world.user(session, login), "test", scopes, **more)
                self.id = token.id
            self.headers = {"Authorization": f"Bearer {text}"}

    def ask(self, method: str, path: str, headers=None, **more):
        return self.client.open(
            ROOT + path, method=method, headers={**self.headers, **(headers or {})}, **more
        )

    def get(self, path: str, **headers):
        return self.ask("GET", path, headers)

    def hand_in(self, source: str = SOFTMAX, query: str = "", name: str = "softmax.py"):
        files = {"files": (io.BytesIO(source.encode()), name)}
        return self.ask("POST", SUBMISSIONS + query, data=files)
