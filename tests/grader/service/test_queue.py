"""Leases and tokens: whoever dies when, each run gets one result."""

import tempfile
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from service_world import SOFTMAX, World

from grader.db.clock import seconds
from grader.db.tables import Job, JobState, Run, RunState
from grader.jobs import queue
from grader.services import standing
from grader.worker import work as work_module
from grader.worker.work import work


@pytest.fixture
def class_of(world):
    world.course(**{f"s{i}": "student" for i in range(4)})
    return world


def job_of(world, claim):
    with world.database.reading() as session:
        return session.get_one(Job, claim.job)


def expire(world, claim):
    with world.database.writing() as session:
        session.get_one(Job, claim.job).lease_until = 0.0


def write(world, act, *arguments):
    with world.database.writing() as session:
        return act(session, *arguments)


def test_round_robin_by_student(class_of):
    for i in range(3):
        class_of.submit("s0", f"{SOFTMAX}#{i}")
    class_of.submit("s1", SOFTMAX)
    class_of.submit("s2", SOFTMAX)
    order = []
    while (claim := class_of.claim()) is not None:
        order.append(job_of(class_of, claim).user_id)
    with class_of.database.reading() as session:
        names = [class_of.user(session, f"s{i}").id for i in range(3)]
    assert order == [*names, names[0], names[0]], "who came with many waits behind who came with one"


def test_two_claims_are_never_of_the_same_job(class_of):
    for i in range(24):
        class_of.submit("s0", f"{SOFTMAX}#{i}")
    found = []

    def take():
        while (claim := class_of.claim()) is not None:
            found.append(claim.job)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 24 and max(Counter(found).values()) == 1


def test_a_lost_lease_is_worth_nothing(class_of):
    class_of.submit("s0")
    late = class_of.claim("slow")
    expire(class_of, late)
    assert write(class_of, queue.reap, class_of.settings) == 1
    fresh = class_of.claim("quick")
    assert fresh.job == late.job and fresh.token > late.token
    assert not write(class_of, queue.renew, late, class_of.settings)
    assert not write(class_of, queue.report_progress, late, "testing")
    assert not write(class_of, queue.finish, late)
    assert not write(class_of, queue.fail, late, "too late", class_of.settings)
    assert write(class_of, queue.finish, fresh)


def test_a_result_that_comes_too_late_is_thrown_away(class_of):
    submission = class_of.submit("s0")
    late = class_of.claim("slow")
    expire(class_of, late)
    write(class_of, queue.reap, class_of.settings)
    fresh = class_of.claim("quick")
    assert work(class_of.database, fresh, class_of.settings)
    before = class_of.run_of(submission).finished_at
    assert not work(class_of.database, late, class_of.settings)
    assert class_of.run_of(submission).finished_at == before


def test_three_tries_and_it_is_dead_and_the_attempt_is_given_back(class_of):
    class_of.set_task(attempts=1)
    submission = class_of.submit("s0")
    for _ in range(class_of.settings.tries):
        expire(class_of, class_of.claim())
        write(class_of, queue.reap, class_of.settings)
    assert class_of.claim() is None
    run = class_of.run_of(submission)
    assert run.state is RunState.ERROR and "lease" in run.fault
    assert class_of.submit("s0") != submission, "the attempt is free again"


def test_a_fault_of_the_grader_is_tried_again_and_costs_nothing(class_of, monkeypatch):
    class_of.set_task(attempts=1)
    submission = class_of.submit("s0")

    def broken(*arguments, **more):
        raise MemoryError("the grader's own")

    monkeypatch.setattr(work_module.grading, "grade", broken)
    monkeypatch.setattr(queue, "_LATER", 0.0)
    claims = 0
    while (claim := class_of.claim()) is not None:
        assert not work(class_of.database, claim, class_of.settings)
        claims += 1
    assert claims == class_of.settings.tries
    assert class_of.run_of(submission).state is RunState.ERROR
    with class_of.database.reading() as session:
        user, task = class_of.user(session, "s0"), class_of.task(session)
        assert standing.standing(session, user, task).used == 0


def test_without_a_sandbox_no_try_is_counted(class_of, monkeypatch):
    class_of.submit("s0")

    def refuse(*arguments, **more):
        raise work_module.SandboxUnavailable("no bwrap here")

    monkeypatch.setattr(work_module.grading, "grade", refuse)
    claim = class_of.claim()
    with pytest.raises(work_module.SandboxUnavailable):
        work(class_of.database, claim, class_of.settings)
    job = job_of(class_of, claim)
    assert (job.state, job.tries) == (JobState.QUEUED, 0)


def test_no_run_lasts_for_ever_however_often_its_lease_is_renewed(class_of):
    class_of.submit("s0")
    claim = class_of.claim()
    with class_of.database.writing() as session:
        session.get_one(Job, claim.job).leased_at -= class_of.settings.run_seconds + 1
    assert not write(class_of, queue.renew, claim, class_of.settings)
    assert write(class_of, queue.reap, class_of.settings) == 1


def test_no_job_waits_for_ever(class_of):
    submission = class_of.submit("s0")
    with class_of.database.writing() as session:
        session.query(Job).update({"queued_at": seconds() - class_of.settings.queue_hours * 3600 - 1})
    write(class_of, queue.reap, class_of.settings)
    assert class_of.run_of(submission).state is RunState.ERROR


def test_what_a_dead_worker_had_is_queued_at_once(class_of):
    class_of.submit("s0")
    class_of.submit("s1")
    one, other = class_of.claim("dead"), class_of.claim("alive")
    assert write(class_of, queue.release, "dead", class_of.settings) == 1
    assert job_of(class_of, one).state is JobState.QUEUED
    assert job_of(class_of, other).state is JobState.LEASED


def test_timed_jobs_wait_for_a_worker_that_takes_them(class_of):
    class_of.submit("s0")
    with class_of.database.writing() as session:
        session.query(Job).update({"timed": True})
    with class_of.database.writing() as session:
        assert queue.claim(session, "loud", class_of.settings, timed=False) is None
        assert queue.claim(session, "quiet", class_of.settings, timed=True) is not None


def test_a_message_that_comes_twice_claims_once(class_of):
    class_of.submit("s0")
    first, second = class_of.claim("celery"), class_of.claim("celery")
    assert first is not None and second is None


def test_the_engine_is_woken_after_the_commit_and_only_then(class_of):
    woken = []
    class_of.database.woken = lambda job, timed: woken.append(job)
    with pytest.raises(RuntimeError), class_of.database.writing() as session:
        run = Run(submission_id=class_of.submit("s1"), counts=False)
        woken.clear()
        session.add(run)
        session.flush()
        queue.enqueue(session, run, class_of.user(session, "s1").id, priority=0, timed=False)
        raise RuntimeError("rolled back")
    assert woken == []
    class_of.submit("s0")
    assert len(woken) == 1


class Queue(RuleBasedStateMachine):
    """Anything may happen in any order: claims, deaths, results, late results. A run still has at most one result."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(Path(self.folder.name), tries=3)
        self.world.course(s0="student", s1="student")
        self.claims, self.results, self.count = [], Counter(), 0

    def teardown(self):
        self.world.close()
        self.folder.cleanup()

    @rule()
    def submit(self):
        self.count += 1
        self.world.submit(f"s{self.count % 2}", f"{SOFTMAX}#{self.count}")

    @rule()
    def claim(self):
        if (claim := self.world.claim()) is not None:
            self.claims.append(claim)

    @precondition(lambda self: self.claims)
    @rule()
    def the_oldest_worker_finishes(self):
        claim = self.claims.pop(0)
        with self.world.database.writing() as session:
            if queue.finish(session, claim):
                session.get_one(Run, claim.run).state = RunState.GRADED
                self.results[claim.run] += 1

    @precondition(lambda self: self.claims)
    @rule()
    def the_newest_worker_fails(self):
        with self.world.database.writing() as session:
            queue.fail(session, self.claims[-1], "fault", self.world.settings)
            session.query(Job).update({"not_before": 0.0})

    @rule()
    def every_lease_runs_out(self):
        with self.world.database.writing() as session:
            session.query(Job).filter_by(state=JobState.LEASED).update({"lease_until": 0.0})
            queue.reap(session, self.world.settings)

    @invariant()
    def one_result_at_most_and_states_agree(self):
        assert all(count == 1 for count in self.results.values())
        states = {
            JobState.QUEUED: RunState.QUEUED,
            JobState.LEASED: RunState.RUNNING,
            JobState.DONE: RunState.GRADED,
            JobState.DEAD: RunState.ERROR,
        }
        with self.world.database.reading() as session:
            for job in session.query(Job):
                assert job.run.state is states[job.state]
                assert (job.state is JobState.DONE) == (self.results[job.run_id] == 1)
                assert job.tries <= 3


Queue.TestCase.settings = hypothesis_settings(max_examples=8, stateful_step_count=25, deadline=None)
test_whatever_happens_in_whatever_order = Queue.TestCase


def test_lease_seconds_are_those_of_the_settings(class_of):
    class_of.submit("s0")
    claim = class_of.claim(lease_seconds=1000.0)
    job = job_of(class_of, claim)
    assert job.lease_until - job.leased_at == pytest.approx(1000, abs=1)
    assert replace(class_of.settings).lease_seconds == 30
