"""The service under a class: everybody hands in at once, a process is killed midway, and each gets one result.

    python benchmarks/service.py                                       # 50 students × 4, a worker killed
    python benchmarks/service.py --engine celery --kill serve          # PostgreSQL and Redis; the service itself killed
    python benchmarks/service.py --students 1 --submissions 1 --kill none   # how long one waits on an idle machine

Real processes and the real sandbox, all on this machine, people included: what they take is missing to the service.
Exits with 1 when a submission has no result, or two, or a time is longer than it must be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Barrier

from classroom import COURSE, TASK, Seen, Student, Teacher
from environment import cores, machine
from serving import Service, settings_for
from sqlalchemy import func, select

from grader.db.database import Database
from grader.db.tables import Course, Job, Result, Run, RunState, Submission, Task, User
from grader.services import shelf, standing

# Kind of request → what 95 of 100 must take at most, in seconds, while the class is graded.
LIMITS = {"submit": 1.0, "page": 0.3, "progress": 0.3}
ALONE = 2.0  # until the result is on the page, for who hands in alone


def main() -> None:
    """Run a class through a service, print a row for each kind of request, judge."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(prefix="grader-load-") as name, settings_for(asked.engine) as settings:
        service = Service(Path(name), workers=asked.workers, **settings)
        try:
            found = _run(service, asked, Path(name))
        finally:
            service.close()
    _print(found)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=2))
    sys.exit(bool(found["wrong results"] or found["too slow"]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", choices=("local", "celery"), default="local")
    parser.add_argument("--students", type=int, default=50)
    parser.add_argument("--submissions", type=int, default=4, help="of each")
    parser.add_argument("--tabs", type=int, default=1, help="of these a student sends so many side by side")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", choices=("worker", "serve", "none"), default="worker")
    parser.add_argument(
        "--patience", type=float, default=600.0, help="seconds until who has no result is lost"
    )
    parser.add_argument("--json", type=Path, help="keep what was measured")
    return parser.parse_args()


def _run(service: Service, asked: argparse.Namespace, folder: Path) -> dict:
    load, seen = os.getloadavg(), Seen()
    links = service.make_class(asked.students, folder)
    service.start()
    students = [Student(login, service.port, seen) for login in links if login != "boss"]
    teacher = Teacher("boss", service.port, seen)
    for one in (*students, teacher):
        one.come_in(links[one.login])
    for one in students:  # everybody has the page with the form open
        one.see(f"/c/{COURSE}/a/{TASK}/")
    seen.seconds.clear()
    began = time.monotonic()
    killed = _go(service, asked, students, teacher)
    return {
        "asked": {name: str(value) for name, value in vars(asked).items()},
        "machine": machine(len(cores())) | {"load before": load, "load after": os.getloadavg()},
        "killed": killed,
        "total_seconds": time.monotonic() - began,
        "unanswered": seen.unanswered,
        "wrong": dict(seen.wrong),
        "books": (books := _books(service.database, seen, asked.submissions)),
        "seconds": {kind: _figures(values) for kind, values in seen.seconds.items()},
        "wrong results": _wrong(seen, books, asked.students * asked.submissions),
        "too slow": _too_slow(seen, alone=asked.students * asked.submissions == 1),
    }


def _go(service: Service, asked: argparse.Namespace, students: Sequence[Student], teacher: Teacher) -> str:
    """Everybody at once; returns what was killed."""
    seen, total = teacher.seen, len(students) * asked.submissions
    together, killed = Barrier(len(students) * asked.tabs), "nothing"

    def send(one: Student, tab: int) -> None:
        together.wait()
        for _ in range(tab, asked.submissions, asked.tabs):
            one.hand_in()

    with ThreadPoolExecutor(len(students) * asked.tabs + 1) as threads:
        watching = threads.submit(teacher.watch)
        try:
            sent = [threads.submit(send, one, tab) for one in students for tab in range(asked.tabs)]
            wait(sent)
            followed = [threads.submit(one.follow) for one in students]
            if asked.kill != "none":
                _wait_for(service, total // 2, asked.patience)
                killed = service.kill(asked.kill)
            wait(followed, asked.patience)
        finally:
            seen.over.set()
        for one in (*sent, *followed, watching):
            one.result()
    return killed


def _wait_for(service: Service, count: int, patience: float) -> None:
    deadline = time.monotonic() + patience
    while service.done() < count and time.monotonic() < deadline:
        time.sleep(0.1)


# ---- What came of it ----


def _books(database: Database, seen: Seen, each: int) -> dict[str, int]:
    """What the database says of the submissions that were taken."""
    tests = len(shelf.assignment(TASK).tests)
    with database.reading() as session:
        task = session.scalars(
            select(Task).join(Course).where(Course.slug == COURSE, Task.slug == TASK)
        ).one()
        runs = session.execute(select(Run, func.count(Result.position)).outerjoin(Result).group_by(Run)).all()
        whole = [run.submission_id for run, count in runs if run.state is RunState.GRADED and count == tests]
        attempts = [
            standing.standing(session, user, task).used
            for user in session.scalars(select(User).where(User.login != "boss"))
        ]
        return {
            "accepted": len(seen.accepted),
            "lost": len(set(seen.accepted) - set(whole)),
            "doubled": len(whole) - len(set(whole)),
            "not asked for": len(set(session.scalars(select(Submission.id))) - set(seen.accepted)),
            "without full marks": sum(run.score != run.max_score for run, _ in runs),
            "wrong attempts": sum(count != each for count in attempts),
            "graded again": session.scalar(select(func.count(Job.id)).where(Job.tries > 1)) or 0,
        }


def _figures(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    at = {name: ordered[min(len(ordered) - 1, int(len(ordered) * part))] for name, part in
          (("median", 0.5), ("p95", 0.95), ("p99", 0.99))}  # fmt: skip
    return {"count": len(ordered), **at, "most": ordered[-1]}


def _wrong(seen: Seen, books: dict[str, int], total: int) -> list[str]:
    found = [f"{books['accepted']} of {total} accepted"] if books["accepted"] != total else []
    bad = ("lost", "doubled", "not asked for", "without full marks", "wrong attempts")
    found += [f"{books[name]} {name}" for name in bad if books[name]]
    return found + [f"{count} × {what}" for what, count in seen.wrong.items()]


def _too_slow(seen: Seen, *, alone: bool) -> list[str]:
    limits = LIMITS | ({"result": ALONE} if alone else {})
    took = {kind: _figures(seen.seconds[kind])["p95"] for kind in limits}
    return [
        f"{kind}: p95 {took[kind]:.3f} s, at most {most} s"
        for kind, most in limits.items()
        if took[kind] > most
    ]


def _print(found: dict) -> None:
    load = found["machine"]["load before"], found["machine"]["load after"]
    print(f"{found['machine']['processor']}, {found['machine']['threads']} cores; load {load[0][0]:.1f} before, "
          f"{load[1][0]:.1f} after")  # fmt: skip
    print(
        f"{found['killed']}; {found['total_seconds']:.1f} s in all; {found['unanswered']} requests unanswered"
    )
    print(", ".join(f"{name}: {count}" for name, count in found["books"].items()))
    print(f"{'seconds':<10}{'count':>7}{'median':>9}{'p95':>9}{'p99':>9}{'most':>9}")
    for kind, row in found["seconds"].items():
        times = "".join(f"{row[name]:9.3f}" for name in ("median", "p95", "p99", "most"))
        print(f"{kind:<10}{row['count']:>7}{times}")
    for line in (*found["wrong results"], *found["too slow"]):
        print(f"MISSED {line}")


if __name__ == "__main__":
    main()
