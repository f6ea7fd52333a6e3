"""Engine celery on PostgreSQL, with Redis and with RabbitMQ.

Messages may be lost, doubled or late, and servers may go and come back.
"""

import os
import signal
import time
from dataclasses import replace

import pytest
from service_process import assert_every_submission_has_one_result, fill, serving, states
from service_servers import Postgres, RabbitMq, Redis
from service_world import World

from grader.db.clock import seconds
from grader.db.tables import Job, JobState, Worker
from grader.jobs.engines import engine_of
from grader.services import health
from grader.worker.sweeper import Sweeper

pytest.importorskip("celery", reason="Celery is not installed: pip install '.[cluster]'")
pytest.importorskip("psycopg", reason="psycopg is not installed: pip install '.[cluster]'")


@pytest.fixture(params=[Redis, RabbitMq], ids=["redis", "rabbitmq"])
def servers(request):
    """Of this test's own: they are killed in it."""
    started = []
    try:
        for kind in (Postgres, request.param):
            started.append(kind())
        yield started
    finally:
        for server in started:
            server.close()


def knock_for_all(world, times: int) -> None:
    engine = engine_of(world.settings)
    with world.database.reading() as session:
        jobs = session.query(Job).filter_by(state=JobState.QUEUED).all()
    for job in jobs * times:
        engine.wake(job.id, job.timed)


@pytest.mark.slow
def test_whatever_happens_to_messages_and_servers_every_submission_has_one_result(servers, tmp_path):
    postgres, broker = servers
    world = World(tmp_path, database_url=postgres.fresh(), engine="celery", broker_url=broker.url)
    fill(world)
    knock_for_all(world, 3)
    with serving(world) as served:
        served.wait(lambda: JobState.DONE in states(world))
        broker.kill()
        fill(world, "-while the broker is away")
        knock_for_all(world, 1)
        broker.start()
        served.wait(lambda: states(world).count(JobState.DONE) > 3)
        postgres.kill()
        time.sleep(1.0)
        postgres.start()
        world.database.close()  # its connections are dead, too
        served.wait(lambda: set(states(world)) == {JobState.DONE}, 120)
    assert_every_submission_has_one_result(world, 2)
    world.close()


@pytest.mark.slow
def test_what_a_killed_process_had_is_taken_again_long_before_its_lease_ends(servers, tmp_path):
    postgres, broker = servers
    world = World(tmp_path, database_url=postgres.fresh(), engine="celery", broker_url=broker.url)
    fill(world)
    with serving(world, lease_seconds=600) as served:
        served.wait(lambda: JobState.LEASED in states(world), 180)
        with world.database.reading() as session:
            victim = session.query(Job).filter_by(state=JobState.LEASED).first()
        os.kill(int(victim.worker.rpartition(":")[2]), signal.SIGKILL)
        served.wait(lambda: set(states(world)) == {JobState.DONE}, 180)
        with world.database.reading() as session:
            assert session.get_one(Job, victim.id).tries == 2
    assert_every_submission_has_one_result(world)
    world.close()


@pytest.fixture
def celery(tmp_path, redis):
    world = World(tmp_path, engine="celery", broker_url=redis.url)
    world.course(li="student", han="student")
    yield world
    world.close()


def test_who_hands_in_does_not_wait_for_a_broker_that_is_away(celery):
    engine = engine_of(replace(celery.settings, broker_url="redis://127.0.0.1:1/0"))
    began = time.monotonic()
    for job in range(100):
        engine.wake(job, False)
    assert time.monotonic() - began < 3


def test_the_health_says_that_the_broker_is_away(servers, tmp_path):
    _postgres, broker = servers
    world = World(tmp_path, engine="celery", broker_url=broker.url)
    engine = engine_of(world.settings)
    assert engine.fault() == ""
    broker.kill()
    began = time.monotonic()
    assert "broker: Connection" in " ".join(health.look(world.database, engine, world.settings).faults)
    assert time.monotonic() - began < 5
    broker.start()
    assert engine.fault() == ""
    world.close()


class Heard(list):
    """An engine that remembers whom it was told to wake."""

    def wake(self, job, timed):
        self.append((job, timed))


def swept(world) -> list:
    heard = Heard()
    Sweeper(world.database, heard, world.settings).sweep()
    return heard


def idle(world, count: int, level: str = "full") -> None:
    with world.database.writing() as session:
        now = session.scalar(seconds().select())
        session.add_all(Worker(name=f"w{i}", level=level, timed=True, seen=now) for i in range(count))


def make_old(world) -> None:
    with world.database.writing() as session:
        session.query(Job).update({"not_before": 0.0})


def test_the_sweeper_knocks_for_as_many_jobs_as_workers_idle(celery):
    first, second = celery.submit("li"), celery.submit("han")
    third = celery.submit("li", "import numpy\n")
    idle(celery, 2)
    assert swept(celery) == [], "their messages may still be on their way"
    make_old(celery)
    assert swept(celery) == [(first, False), (second, False)]
    assert celery.claim("w0") is not None
    assert swept(celery) == [(second, False)]
    assert celery.claim("w1") is not None
    assert swept(celery) == [] and third, "while all are busy nothing is missing"


def test_nobody_is_knocked_for_without_a_safe_sandbox(celery):
    celery.submit("li")
    make_old(celery)
    idle(celery, 2, level="")
    assert swept(celery) == []


def test_what_a_dead_worker_had_is_queued_again_and_knocked_for(celery):
    celery.submit("li")
    claim = celery.claim("dead")
    with celery.database.writing() as session:
        session.get_one(Job, claim.job).lease_until = 0.0
    heard = Heard()
    celery.database.woken = heard.wake
    swept(celery)
    assert heard == [(claim.job, False)]
