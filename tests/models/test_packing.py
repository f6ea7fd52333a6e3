"""Texts are divided into batches of about equal work."""

from hypothesis import given
from hypothesis import strategies as st

from pyattn.models.packing import pack


@given(lengths=st.lists(st.integers(0, 300), max_size=60), batch_size=st.integers(1, 9))
def test_every_text_is_in_one_batch(lengths, batch_size):
    batches = pack(lengths, batch_size)
    assert sorted(text for batch in batches for text in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)


@given(lengths=st.lists(st.integers(1, 300), min_size=1, max_size=60))
def test_batches_differ_by_less_than_a_text(lengths):
    work = [sum(lengths[text] for text in batch) for batch in pack(lengths, len(lengths))]
    assert max(work) - min(work) <= max(lengths)
