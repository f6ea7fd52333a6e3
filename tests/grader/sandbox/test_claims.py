"""What a child may say: the texts can always be filled in, and nothing of it is the grader's to say."""

import pytest

from grader.messages import ENGLISH, fields, render
from grader.models import Limits, Status
from grader.sandbox.claims import CLAIMS, claim

VALUES = {str: "text", int: 3}


def words_of(code):
    return tuple((name, VALUES[kind]) for name, kind in CLAIMS[code][1].items())


@pytest.mark.parametrize("code", CLAIMS)
def test_a_proper_claim_fills_its_text_and_is_no_fault_of_the_graders(code):
    status, message = claim(code, words_of(code), Limits())
    assert status not in (Status.OK, Status.SKIPPED, Status.GRADER_ERROR, Status.TIMEOUT)
    assert fields(ENGLISH[code]) <= set(message.params)
    assert all(render(message, lang) for lang in ("en", "zh"))


@pytest.mark.parametrize("code", CLAIMS)
def test_other_words_are_no_claim(code):
    words = words_of(code)
    for other in (
        words[1:] or (("x", 1),),
        (*words, ("x", 1)),
        tuple((name, 0.5) for name, _ in words) or ((),),
    ):
        with pytest.raises(ValueError):
            claim(code, other, Limits())


@pytest.mark.parametrize("code", ["grader-error", "killed", "skipped-after-timeouts", ""])
def test_what_only_the_grader_says_is_no_claim(code):
    with pytest.raises(ValueError, match="no child may say"):
        claim(code, (), Limits())
