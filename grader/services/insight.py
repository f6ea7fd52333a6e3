"""What a class has not understood: what to explain again tomorrow."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.db.tables import Result, Run, Submission, Task, User
from grader.services import access
from grader.services.standing import standings, students_of


@dataclass(frozen=True)
class Failures:
    """How many students' last submission fails each test and makes each named mistake."""

    students: int
    tests: dict[str, int]  # test → how many fail it
    mistakes: dict[str, list[int]]  # code → whose (ids of submissions)
    names: dict[int, str]  # submission → whose it is

    def ranked(self) -> list[tuple[str, list[int]]]:
        """The mistakes that most make come first: what to explain again tomorrow."""
        return sorted(self.mistakes.items(), key=lambda item: (-len(item[1]), item[0]))


def failures(session: Session, actor: User, task: Task) -> Failures:
    """What the class has not understood: over every student's last graded submission."""
    access.require(session, actor, "see-class", task.course)
    students = {one.user_id: one.user.name for one in students_of(session, task.course)}
    cells = standings(session, [task], list(students))
    last = {cell.graded[-1].run: cell.graded[-1].id for cell in cells.values() if cell.graded}
    names = {cell.graded[-1].id: students[user] for (user, _task), cell in cells.items() if cell.graded}
    tests: dict[str, int] = defaultdict(int)
    mistakes: dict[str, set[int]] = defaultdict(set)
    asked = (
        select(Result.run_id, Result.test, Result.mistakes).join(Run).join(Submission)
        .where(Submission.task_id == task.id, Run.counts, Result.passed.is_(False))
    )  # fmt: skip
    for run, test, codes in session.execute(asked):
        if run in last:
            tests[test] += 1
            for code in filter(None, codes.split("+")):
                mistakes[code].add(last[run])
    return Failures(len(last), dict(tests), {code: sorted(ids) for code, ids in mistakes.items()}, names)
