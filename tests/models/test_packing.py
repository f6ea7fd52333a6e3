"""Texts are divided so that no thread waits long for another."""

from hypothesis import given
from hypothesis import strategies as st

from pyattn.models.packing import pack

LENGTHS = st.lists(st.integers(0, 300), max_size=60)


@given(lengths=LENGTHS, batch_size=st.integers(1, 9), threads=st.integers(1, 5))
def test_every_text_is_in_one_batch(lengths, batch_size, threads):
    batches = pack(lengths, batch_size, threads)
    assert sorted(text for batch in batches for text in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)


@given(lengths=st.lists(st.integers(1, 300), min_size=1, max_size=60), threads=st.integers(1, 5))
def test_batches_differ_by_less_than_a_text(lengths, threads):
    work = [sum(lengths[text] for text in batch) for batch in pack(lengths, len(lengths), threads)]
    assert max(work) - min(work) <= max(lengths)


@given(count=st.integers(1, 60), threads=st.integers(1, 5))
def test_every_thread_has_something_to_do_while_there_are_texts(count, threads):
    batches = pack([7] * count, 4, threads)
    assert len(batches) == count or len(batches) % threads == 0
