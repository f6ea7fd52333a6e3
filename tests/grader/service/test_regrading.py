"""New scores count when a teacher has seen them, and not before."""

import pytest
from service_world import SOFTMAX, UNSTABLE

from grader.db.tables import Job, JobState, Regrade, RegradeState, Run, RunState
from grader.services import regrading, standing
from grader.services.refusals import Refused


@pytest.fixture
def graded(world):
    """A class whose scores were set too low by a fault in the assignment, which is mended by now."""
    world.course(li="student", han="student", boss="teacher", tutor="assistant")
    for login, source in (("li", SOFTMAX), ("li", UNSTABLE), ("han", SOFTMAX)):
        world.submit(login, source)
    world.work()
    with world.database.writing() as session:
        session.query(Run).update({"score": Run.score / 2})
    return world


def start(world, which, actor="boss"):
    with world.database.writing() as session:
        return regrading.start(session, world.user(session, actor), world.task(session), which).id


def act(world, what, regrade, actor="boss"):
    with world.database.writing() as session:
        return what(session, world.user(session, actor), session.get_one(Regrade, regrade))


def scores(world):
    with world.database.reading() as session:
        users = [world.user(session, login).id for login in ("li", "han")]
        found = standing.standings(session, [world.task(session)], users)
        return [cell.score for cell in found.values()]


@pytest.mark.parametrize(("which", "count"), [("latest", 2), ("best", 2), ("all", 3)])
def test_which_are_graded_again(graded, which, count):
    start(graded, which)
    with graded.database.reading() as session:
        assert session.query(Job).filter_by(state=JobState.QUEUED).count() == count


def test_old_scores_count_until_the_new_ones_are_applied(graded):
    regrade = start(graded, "all")
    assert scores(graded) == [50, 50]
    with pytest.raises(Refused) as error:
        act(graded, regrading.apply, regrade)
    assert error.value.code == "still-running"
    graded.work()
    assert scores(graded) == [50, 50]
    with graded.database.reading() as session:
        changes = regrading.changes(session, session.get_one(Regrade, regrade))
    assert [(change.old, change.new) for change in changes if change.new == 100] == [(50, 100)] * 2
    assert act(graded, regrading.apply, regrade) == 3
    assert scores(graded) == [100, 100]
    with graded.database.reading() as session:
        kept = session.query(Run).filter_by(counts=False).all()
        assert len(kept) == 3 and all(run.score <= 50 for run in kept), "the old ones are still there"
        again = regrading.changes(session, session.get_one(Regrade, regrade))
    assert [(one.old, one.new) for one in again] == [(one.old, one.new) for one in changes]


def test_discarding_keeps_the_old_scores_and_empties_the_queue(graded):
    regrade = start(graded, "all")
    act(graded, regrading.discard, regrade)
    assert graded.claim() is None
    assert scores(graded) == [50, 50]
    with pytest.raises(Refused) as error:
        act(graded, regrading.apply, regrade)
    assert error.value.code == "regrade-over"


def test_a_discarded_regrade_is_not_what_counted_before_the_next_one(graded):
    discarded = start(graded, "best")
    graded.work()
    act(graded, regrading.discard, discarded)
    applied = start(graded, "best")
    graded.work()
    act(graded, regrading.apply, applied)
    with graded.database.reading() as session:
        changes = regrading.changes(session, session.get_one(Regrade, applied))
    assert [(one.old, one.new) for one in changes] == [(50, 100)] * 2


def test_of_regrades_that_overlap_the_one_applied_last_changed_what_the_other_had_made(graded):
    first, second = start(graded, "best"), start(graded, "best")
    graded.work()
    with graded.database.writing() as session:
        session.query(Run).filter_by(regrade_id=second).update({"score": 70.0})
    act(graded, regrading.apply, second)
    act(graded, regrading.apply, first)
    with graded.database.reading() as session:
        seen = {
            one: [
                (change.old, change.new)
                for change in regrading.changes(session, session.get_one(Regrade, one))
            ]
            for one in (first, second)
        }
    assert seen == {second: [(50, 70)] * 2, first: [(70, 100)] * 2}


def test_where_the_grader_fails_the_old_score_stays(graded):
    regrade = start(graded, "best")
    with graded.database.writing() as session:
        job = session.query(Job).filter_by(state=JobState.QUEUED).first()
        job.state, job.run.state = JobState.DEAD, RunState.ERROR
    graded.work()
    assert act(graded, regrading.apply, regrade) == 1
    assert sorted(scores(graded)) == [50, 100]
    with graded.database.reading() as session:
        assert session.get_one(Regrade, regrade).state is RegradeState.APPLIED


def test_who_waits_at_a_page_goes_before_a_regrade(graded):
    start(graded, "all")
    fresh = graded.submit("han", SOFTMAX + "# new")
    claim = graded.claim()
    assert graded.run_of(fresh).id == claim.run


def test_a_dead_job_can_be_queued_again_by_a_teacher(graded):
    submission = graded.submit("han", SOFTMAX + "# unlucky")
    with graded.database.writing() as session:
        job = session.query(Job).filter_by(state=JobState.QUEUED).one()
        job.state, job.run.state, job.tries = JobState.DEAD, RunState.ERROR, 3
        boss, task = graded.user(session, "boss"), graded.task(session)
        assert [one.id for one in regrading.dead_jobs(session, boss, task)] == [job.id]
        regrading.retry(session, boss, task, job.id)
    assert graded.work() == 1
    assert graded.run_of(submission).score == 100
