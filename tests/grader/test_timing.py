"""Ratios of time: what they are made of, and who gets none."""

import statistics
import time

import numpy as np
import pytest

from grader import calls, catalogue, grading, inputs, timing
from grader.models import Message, Outcome, Speed, Status
from grader.submission import choose

pytestmark = pytest.mark.alone
FAST = catalogue.load("fast-attention")
STARTER = (FAST.folder / FAST.tracks["cpp"].starter).read_text(encoding="utf-8")


def speeds(source):
    report = grading.grade(choose({"submission.cpp": source.encode()}, FAST, "cpp"), FAST, seed=5)
    return {result.test.id: result for result in report.results if "speed" in result.test.checks}


@pytest.fixture(scope="module")
def starter():
    return speeds(STARTER)


def test_a_right_program_gets_a_ratio_with_its_spread(starter):
    for result in starter.values():
        assert isinstance(result.speed, Speed)
        assert 0 < result.speed.low <= result.speed.ratio <= result.speed.high
        assert not result.speed.held
        assert 0 <= result.score <= result.test.points


def test_points_follow_the_ratio():
    test = next(test for test in FAST.tests if test.id == "speed-long")
    shares = [timing.share(test, ratio) for ratio in (0.5, timing.target(test), 3, 8, 30, 1000)]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0], shares[1], shares[-1]) == (1, 1, 0)


def test_what_is_faster_than_the_processor_is_held():
    rounds = [timing.Round(student=1e-6, before=1e-3, after=1e-3, cpu=1e-6)] * 5
    assert timing._speed(rounds, work=1e9, peak=1e11).held
    assert not timing._speed([timing.Round(1e-2, 1e-2, 1e-2, 1e-2)] * 5, work=1e9, peak=1e11).held


def test_one_who_answers_only_the_first_call_gets_no_points_for_speed():
    """Keeps the first answer: timed calls have new data."""
    source = (
        STARTER.replace("void attention(", "void honest(", 1)
        + """
#include <cstring>
#include <vector>
static std::vector<float> kept;
extern "C" void attention(const float* q, const float* k, const float* v, float* out, std::int64_t heads,
                          std::int64_t queries, std::int64_t keys, std::int64_t width, std::int64_t value_width) {
  const std::size_t n = std::size_t(heads * queries * value_width);
  if (kept.size() != n) {
    honest(q, k, v, out, heads, queries, keys, width, value_width);
    kept.assign(out, out + n);
  }
  std::memcpy(out, kept.data(), n * sizeof(float));
}
"""
    )
    for result in speeds(source).values():
        assert result.score == 0
        assert result.findings[0].code in ("wrong-when-timed", "wrong-values")


def test_work_before_the_clock_runs_shows_in_the_sum_where_ticks_are_counted():
    """Each of them lies within what a tick of 10 ms may hide."""
    honest = [timing.Round(4e-3, 1e-3, 1e-3, cpu) for cpu in (0, 0, 1e-2) * 5]
    ahead = [timing.Round(2e-4, 1e-3, 1e-3, cpu) for cpu in (0, 0, 1e-2) * 5]
    after_a_nap = [timing.Round(1.0, 1e-3, 1e-3, 0), *ahead]
    assert timing._overworked(honest) == ()
    for rounds in (ahead, after_a_nap):
        assert [message.code for message in timing._overworked(rounds)] == ["works-after-return"]


def test_work_outside_of_a_call_is_told_by_itself():
    """Also where the clock ran on while others had the core: all of the processor time is less than that."""
    outcome = Outcome(Status.OK, cpu_seconds=0.01)
    (message,) = timing._faults(outcome, {}, seconds=0.03, outside=0.005, slack=timing.OVERWORK_SECONDS)
    assert message == Message("works-after-return", {"seconds": 0.005})


def test_rounds_in_which_others_had_the_core_do_not_count():
    calm = timing._round(1.0, 1.0, 3.0, 2.99, exact=True)
    taken = timing._round(1.0, 1.0, 30.0, 3.0, exact=True)
    assert timing._undisturbed([calm, taken] * 3) == [calm] * 3
    assert timing._round(1.0, 1.0, 30.0, 3.0, exact=False).alone


def test_where_others_always_have_the_core_the_calmest_rounds_count_and_the_report_says_so():
    rounds = [timing._round(1.0, 1.0, 2.0 * (1 + others), 2.0, exact=True) for others in range(1, 9)]
    assert timing._undisturbed(rounds) == rounds[2::-1]
    assert timing._if_busy(rounds) == (Message("core-was-busy", {"calm": 0, "rounds": 8}),)
    assert timing._if_busy([timing._round(1.0, 1.0, 2.0, 2.0, exact=True)] * 3) == ()


def test_rounds_go_on_beyond_their_time_while_others_have_the_core():
    calm, taken = timing.Round(1.0, 1.0, 1.0, 1.0), timing.Round(9.0, 1.0, 1.0, 1.0, alone=False)
    late = timing.BUDGET_SECONDS + 1
    assert timing._wants_more([calm] * timing.ROUNDS, 0.0)
    assert not timing._wants_more([calm] * (timing.ROUNDS + 1), 0.0)
    assert not timing._wants_more([calm] * 4, late)
    assert timing._wants_more([calm, *[taken] * 9], late)
    assert not timing._wants_more([calm, *[taken] * 9], timing.PATIENCE_SECONDS)


def test_a_program_that_always_waits_is_timed_with_its_waiting():
    waits = timing._round(1.0, 1.0, 30.0, 3.0, exact=True)
    assert timing._speed(timing._undisturbed([waits] * 5), work=1e9, peak=1e12).ratio == 30


def test_the_reference_is_the_mean_of_before_and_after():
    """A processor that slows down from call to call gives the same ratio as a steady one."""
    assert timing._round(1.0, 3.0, 4.0, 4.0, exact=True).reference == 2.0


def test_who_leaves_interrupts_behind_does_not_make_the_reference_slower():
    """Hundreds of timers, each with hundreds who watch it, that fire while pyattn is timed after the call."""
    honest = [timing.Round(10e-3, 1e-3, after, 10e-3) for after in (0.9e-3, 1e-3, 1.02e-3, 1.05e-3, 3e-3)]
    hostile = [timing.Round(10e-3, 1e-3, after, 10e-3) for after in (1e-3, 1.5e-3, 1.9e-3, 2e-3, 2e-3)]
    assert timing._without_aftermath(honest) == honest
    assert timing._speed(hostile, work=1.0, peak=1e12).ratio == pytest.approx(10)


def test_who_takes_the_core_from_the_reference_does_not_make_it_slower(monkeypatch):
    """As a process beside it would: only what pyattn itself computes counts."""
    q = np.ones((4, 256, 64), np.float32)
    attend = timing.pyattn.attention

    def interrupted(*args, **options):
        time.sleep(0.5)
        return attend(*args, **options)

    monkeypatch.setattr(timing.pyattn, "attention", interrupted)
    assert timing._reference({"q": q, "k": q, "v": q}) < 0.25


def test_the_words_of_a_call_name_shapes():
    test = FAST.tests[0]
    words = calls.in_words(FAST.functions[test.function], inputs.make_arguments(test, 1))
    assert words.startswith("attention(q=float32 (2, 16, 16)")


@pytest.mark.slow
def test_the_same_program_gets_the_same_ratio(starter):
    """Within 5 % of the middle one for four in five runs: the machine may be busy with something else."""
    ratios = [starter["speed-odd"].speed.ratio, *(speeds(STARTER)["speed-odd"].speed.ratio for _ in range(4))]
    middle = statistics.median(ratios)
    assert sum(abs(ratio / middle - 1) <= 0.05 for ratio in ratios) >= 4, ratios
