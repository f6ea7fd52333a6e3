"""Greedy and beam search over a table of probabilities that can be searched to its end."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyattn.search import beam, greedy

END = 0


class Table:
    """Next tokens' log-probabilities by the last token; one table per sentence."""

    def __init__(self, tables):
        self.tables, self.rows = tables, np.arange(len(tables))

    def step(self, tokens):
        return self.tables[self.rows, tokens]

    def select(self, rows):
        self.rows = self.rows[rows]


def tables(seed, sentences=2, vocabulary=4):
    drawn = np.random.default_rng(seed).gumbel(size=(sentences, vocabulary, vocabulary)) * 2
    return drawn - np.log(np.exp(drawn).sum(axis=-1, keepdims=True))


def every_sentence(table, start, max_length):
    """All sentences that end within max_length steps, with their log-probabilities."""
    for length in range(max_length):
        for tokens in itertools.product(range(1, len(table)), repeat=length):
            path = [start, *tokens, END]
            yield list(tokens), sum(table[a, b] for a, b in itertools.pairwise(path))


@given(seed=st.integers(0, 2**32 - 1))
def test_a_beam_as_wide_as_the_tree_finds_the_likeliest_sentence(seed):
    logs = tables(seed)
    found = beam(Table(logs), 2, start=1, end=END, max_length=4, width=64)
    for table, hypotheses in zip(logs, found, strict=True):
        tokens, log_probability = max(every_sentence(table, 1, 4), key=lambda pair: pair[1])
        assert hypotheses[0].tokens == tokens
        assert hypotheses[0].log_probability == pytest.approx(log_probability)
        assert [h.log_probability for h in hypotheses] == sorted(
            (h.log_probability for h in hypotheses), reverse=True
        )


@given(seed=st.integers(0, 2**32 - 1))
def test_a_beam_of_one_is_greedy(seed):
    logs = tables(seed, sentences=3, vocabulary=5)
    options = {"start": 1, "end": END, "max_length": 6}
    narrow = [one[0].tokens for one in beam(Table(logs), 3, width=1, **options)]
    assert narrow == greedy(Table(logs), 3, **options)


@given(seed=st.integers(0, 2**32 - 1), width=st.integers(1, 5))
def test_a_batch_is_a_loop(seed, width):
    logs = tables(seed, sentences=3)
    options = {"start": 1, "end": END, "max_length": 5, "width": width}
    alone = [beam(Table(logs[i : i + 1]), 1, **options)[0] for i in range(3)]
    assert beam(Table(logs), 3, **options) == alone


@given(seed=st.integers(0, 2**32 - 1))
def test_a_length_penalty_ranks_by_probability_per_token(seed):
    logs = tables(seed, sentences=1)
    found = beam(Table(logs), 1, start=1, end=END, max_length=4, width=64, length_penalty=1.0)[0]
    rank = max(total / max(1, len(tokens)) for tokens, total in every_sentence(logs[0], 1, 4))
    assert found[0].log_probability / max(1, len(found[0].tokens)) == pytest.approx(rank)


def test_a_sentence_that_does_not_end_is_cut():
    endless = np.log(np.array([[[0.1, 0.9], [0.1, 0.9]]]))
    assert greedy(Table(endless), 1, start=1, end=END, max_length=3) == [[1, 1, 1]]


def test_a_beam_has_a_width():
    with pytest.raises(ValueError, match="width is 0"):
        beam(Table(tables(0)), 2, start=1, end=END, max_length=3, width=0)


@pytest.mark.parametrize("vocabulary", [1, 2, 3])
@given(seed=st.integers(0, 2**32 - 1))
def test_in_a_tiny_vocabulary_no_sentence_is_found_twice_and_none_goes_on_after_its_end(vocabulary, seed):
    logs = tables(seed, vocabulary=vocabulary)
    for table, found in zip(logs, beam(Table(logs), 2, start=0, end=END, max_length=4, width=4), strict=True):
        sentences = [tuple(one.tokens) for one in found]
        assert len(set(sentences)) == len(sentences)
        for one in found:
            path = [0, *one.tokens, END]
            assert END not in one.tokens
            assert one.log_probability == pytest.approx(sum(table[a, b] for a, b in itertools.pairwise(path)))


@pytest.mark.parametrize("width", [1, 3, 9])
def test_no_step_finds_the_empty_sentence_and_one_step_at_most_one_token(width):
    logs, options = tables(0, sentences=2, vocabulary=3), {"start": 1, "end": END}
    assert greedy(Table(logs), 2, max_length=0, **options) == [[], []]
    assert beam(Table(logs), 2, max_length=0, width=width, **options) == [[([], 0.0)]] * 2
    for table, found in zip(logs, beam(Table(logs), 2, max_length=1, width=width, **options), strict=True):
        if np.argsort(-table[1]).tolist().index(END) < width:  # the end is among the best
            assert found == [([], table[1, END])]
        else:
            assert found[0] == ([int(table[1].argmax())], table[1].max())


def test_of_equally_likely_tokens_the_first_is_taken():
    logs = np.log(np.full((1, 4, 4), 0.25))
    assert greedy(Table(logs), 1, start=1, end=3, max_length=2) == [[0, 0]]
    found = beam(Table(logs), 1, start=1, end=3, max_length=1, width=2)
    assert [one.tokens for one in found[0]] == [[0], [1]]


def test_no_sentences_are_no_error():
    assert greedy(Table(tables(0, 0)), 0, start=1, end=END, max_length=3) == []
    assert beam(Table(tables(0, 0)), 0, start=1, end=END, max_length=3) == []


def test_a_beam_s_width_is_a_whole_number():
    with pytest.raises(TypeError, match="width is 2.5; expected a whole number"):
        beam(Table(tables(0)), 2, start=1, end=END, max_length=3, width=2.5)


@pytest.mark.parametrize("end", [-1, 4])
@pytest.mark.parametrize("search", [greedy, beam])
def test_an_end_that_is_no_token_is_told(search, end):
    with pytest.raises(ValueError, match=rf"{search.__name__}: end is {end}; expected a token .* 0 to 3"):
        search(Table(tables(0)), 2, start=1, end=end, max_length=4)


@pytest.mark.parametrize("wrong", [{"end": 1.0}, {"start": None}, {"max_length": True}, {"max_length": -1}])
@pytest.mark.parametrize("search", [greedy, beam])
def test_numbers_that_are_none_are_told(search, wrong):
    (name,) = wrong
    with pytest.raises((TypeError, ValueError), match=f"{search.__name__}: {name} is"):
        search(Table(tables(0)), 2, **{"start": 1, "end": END, "max_length": 4} | wrong)


@pytest.mark.parametrize("penalty", ["a", None, True])
def test_a_penalty_that_is_no_number_is_refused(penalty):
    with pytest.raises(TypeError, match="beam: length_penalty is .*; expected a number"):
        beam(None, 1, start=1, end=0, max_length=5, length_penalty=penalty)


@pytest.mark.parametrize("penalty", [1000, float("nan"), float("-inf")])
def test_a_penalty_beyond_sense_is_refused(penalty):
    with pytest.raises(ValueError, match="beam: length_penalty is .*; expected one around 1"):
        beam(None, 1, start=1, end=0, max_length=5, length_penalty=penalty)


@pytest.mark.parametrize("search", [greedy, beam])
def test_less_than_no_rows_are_refused(search):
    with pytest.raises(ValueError, match="rows is -1; expected at least 0"):
        search(None, -1, start=1, end=0, max_length=5)
