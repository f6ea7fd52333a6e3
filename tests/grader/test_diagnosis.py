"""Names of mistakes: what students write is named, what is right never is, and nothing is named for lack of better."""

import re
import time

import honest
import numpy as np
import pytest
import wrong
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import bounds, catalogue, inputs
from grader.diagnosis import SKIPPED_GROUPS, diagnose, diagnose_all
from grader.evidence import Evidence

pytestmark = pytest.mark.usefixtures("one_thread_for_products")
ASSIGNMENTS = {assignment.slug: assignment for assignment in catalogue.load_all()}


def evidence_of(slug, program, seed):
    """What a program gives in every test in which it gives anything."""
    assignment, found = ASSIGNMENTS[slug], []
    for test in assignment.tests:
        if test.group in SKIPPED_GROUPS:
            continue
        arguments = inputs.make_arguments(test, seed)
        try:
            with np.errstate(all="ignore"):
                given = program(**{name: copied(value) for name, value in arguments.items()})
        except ValueError:  # shapes that do not fit
            continue
        if given is not None:
            wanted = len(assignment.functions[test.function].results)
            results = (given if isinstance(given, tuple) else (given,))[:wanted]
            found.append(Evidence(assignment, test, arguments, results))
    return found


def copied(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def codes(named):
    return tuple(mistake.code for mistake in named.mistakes)


@pytest.mark.parametrize("seed", [1, 20261130])
@pytest.mark.parametrize(
    ("slug", "program", "allowed"), wrong.WRONG, ids=[case[1].__name__ for case in wrong.WRONG]
)
def test_what_students_write_is_named(slug, program, allowed, seed):
    evidence = evidence_of(slug, program, seed)
    names = diagnose_all(evidence)
    assert {one.test.id for one in evidence if not one.right} == set(names)
    assert names and {codes(named) for named in names.values()} <= allowed


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize(
    "change",
    [lambda w: np.round(w, 6), lambda w: np.round(w, 4), lambda w: np.clip(w, 1e-7, 1 - 1e-7)],
    ids=["six decimals", "four decimals", "clipped"],
)
def test_answers_that_were_changed_afterwards_are_given_no_name(change, seed):
    evidence = evidence_of("softmax", lambda x, axis=-1: change(honest.softmax_by_logarithm(x, axis)), seed)
    assert not all(one.right for one in evidence) and diagnose_all(evidence) == {}


def test_numbers_near_the_largest_are_compared_without_a_warning():
    largest = np.finfo(np.float64).max
    for slug in ("softmax", "masking"):
        exact = {one.test.id: one.expected for one in evidence_of(slug, lambda **_: np.zeros(1), 1)}
        for one in evidence_of(slug, lambda **_: np.zeros(1), 1):
            full = tuple(np.full(result.shape, largest) for result in exact[one.test.id])
            assert diagnose(one.assignment, one.test, one.arguments, full) is None


@pytest.mark.parametrize("slug", ASSIGNMENTS)
def test_right_programs_are_given_no_name(slug):
    for program in honest.variants(slug):
        evidence = [one for one in evidence_of(slug, program, 3) if len(one.results) == len(one.expected)]
        assert all(one.right for one in evidence)
        assert diagnose_all(evidence) == {}


@pytest.mark.parametrize("slug", ASSIGNMENTS)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), size=st.sampled_from([1e-3, 0.1, 10.0]))
def test_a_wrong_answer_of_no_known_kind_is_not_named(slug, seed, size):
    assignment = ASSIGNMENTS[slug]
    test = assignment.tests[seed % 3]
    arguments = inputs.make_arguments(test, seed)
    right = Evidence(assignment, test, arguments, ()).expected
    noise = np.random.default_rng(seed)
    noisy = tuple(result + size * noise.normal(size=result.shape) for result in right)
    named = diagnose(assignment, test, arguments, noisy)
    assert named is None or (size == 1e-3 and codes(named) == ("half-precision",))


def test_one_answer_alone_is_named_by_its_only_explanation():
    evidence = evidence_of("scaled-dot-product", wrong.attention_unscaled, 5)[0]
    named = diagnose(evidence.assignment, evidence.test, evidence.arguments, evidence.results)
    assert codes(named) == ("no-scale",)


def test_two_explanations_are_none():
    """Without other tests, a causal mask that is inverted may be any of two mistakes."""
    evidence = [one for one in evidence_of("masking", inverted, 5) if one.test.id == "causal"]
    assert not evidence[0].right and diagnose_all(evidence) == {}


def inverted(q, k, v, *, causal=False, valid_lens=None):
    return wrong._masked(q, k, v, causal, valid_lens, flip=True)


def test_other_tests_decide_between_two_explanations():
    one_mask = [one for one in evidence_of("masking", inverted, 5) if one.test.id != "both"]
    assert {codes(named) for named in diagnose_all(one_mask).values()} == {("mask-inverted",)}


def test_right_answers_speak_against_a_mistake():
    strict = {one.test.id: one for one in evidence_of("masking", wrong.masked_strict, 5)}
    fine = {one.test.id: one for one in evidence_of("masking", right_masked, 5)}
    assert codes(diagnose_all([strict["causal"]])["causal"]) == ("causal-strict",)
    assert diagnose_all([strict["causal"], fine["cached"]]) == {}


def right_masked(q, k, v, *, causal=False, valid_lens=None):
    return wrong._masked(q, k, v, causal, valid_lens)


@pytest.mark.parametrize("eps", [1e-12, 1e-8, 1e-5, 1e-3])
def test_a_free_number_is_found(eps):
    def program(x, axis=-1):
        top = x.max(axis=axis, keepdims=True)
        powers = np.exp(x - np.where(top == -np.inf, 0, top).astype(x.dtype))
        return powers / (powers.sum(axis=axis, keepdims=True) + eps)

    names = diagnose_all(evidence_of("softmax", program, 2))
    assert names and {codes(named) for named in names.values()} == {("eps-added",)}
    assert all(named.fitted["EPS"] == pytest.approx(eps, rel=1e-2) for named in names.values())


def test_a_float64_answer_to_float32_input_is_named_as_well():
    def program(q, k, v):
        return wrong.attention_unscaled(q.astype(float), k.astype(float), v.astype(float))

    names = diagnose_all(evidence_of("scaled-dot-product", program, 4))
    assert {codes(named) for named in names.values()} == {("no-scale",)}


def test_an_overflow_in_float32_only_is_named():
    """exp(100) is infinite in float32 and a number in float64: the pattern of NaN is that of the inputs' dtype."""
    names = diagnose_all(
        [one for one in evidence_of("scaled-dot-product", first_try, 4) if one.test.id == "large"]
    )
    assert codes(names["large"]) == ("no-max",)


def first_try(q, k, v):
    powers = np.exp(q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(q.shape[-1])))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def test_wrong_shapes_and_nan_are_no_trouble():
    (one, *_) = evidence_of("softmax", wrong.softmax_nan_row, 1)
    shape = one.results[0].shape
    for results in [
        (),
        (np.zeros(()),),
        (np.zeros((0, 3)),),
        (np.full(shape, np.nan),),
        (np.zeros(shape),) * 2,
    ]:
        assert diagnose(one.assignment, one.test, one.arguments, results) is None


def test_a_whole_run_is_diagnosed_in_seconds():
    """The worst case: wrong everywhere, and nothing explains it."""
    evidence = evidence_of("masking", lambda q, k, v, **_: np.sin(q[..., :1]) + 0 * v[..., :1, :], 1)
    start = time.process_time()
    assert diagnose_all(evidence) == {}
    assert time.process_time() - start < 10


def test_mistakes_do_not_share_their_rounding_with_the_solution():
    """A mistake that magnifies rounding still matches: ×√d at width 128 has scores √128·√128 times as large."""
    assignment = ASSIGNMENTS["scaled-dot-product"]
    (wide,) = (test for test in assignment.tests if test.id == "wide")
    for seed in range(5):
        arguments = inputs.make_arguments(wide, seed)
        results = wrong.attention_times(**arguments)
        one = Evidence(assignment, wide, arguments, results)
        assert not one.right and codes(diagnose_all([one])["wide"]) == ("times-root-width",)
        assert bounds.roundoff(arguments) == 2**-24


@pytest.mark.parametrize("seed", [3226098505488622057, 11, 12])
def test_a_fill_is_fitted_where_the_answer_depends_on_it(seed):
    """Where all scores are far from the fill value it may be any number: fitting it there alone proves nothing."""
    names = diagnose_all(evidence_of("masking", wrong.masked_minus_ten, seed))
    assert {codes(named) for named in names.values()} == {("fill-too-small",)}


def test_nothing_but_zeros_is_no_mistake_of_its_own():
    """With a first length of 0 “the first item's length for all” gives zeros, as does any stub."""

    def stub(q, k, v, *, causal=False, valid_lens=None):
        return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)

    assert all(diagnose_all(evidence_of("masking", stub, seed)) == {} for seed in range(8))


def test_nothing_but_nan_is_no_mistake_of_its_own():
    """But for one that claims nothing else: that the first block gives it."""

    def broken(q, k, v, *_, **__):
        return np.full((*q.shape[:-1], v.shape[-1]), np.nan, q.dtype)

    assert all(diagnose_all(evidence_of("masking", broken, seed)) == {} for seed in range(4))
    for seed in range(4):
        names = diagnose_all(evidence_of("online-softmax", broken, seed))
        assert {codes(named) for named in names.values()} == {("nan-from-the-start",)}


WHOLE = re.compile(r"You (return|compute|multiply) (exp|softmax|x /|\(?e)", re.IGNORECASE)


@pytest.mark.parametrize("slug", ASSIGNMENTS)
def test_hints_of_a_pair_do_not_contradict_each_other(slug):
    """Each speaks of its own step: a whole formula in it is not what a student computes who makes two mistakes."""
    for mistake in ASSIGNMENTS[slug].mistakes:
        assert not WHOLE.search(mistake.hint["en"]), mistake.source
