"""Which texts are computed together."""

import heapq
import math
from collections.abc import Sequence

# Rows enough for a matrix product to run at full speed, and few enough for what is between two products to stay in
# the processor's caches.
_TOKENS = 1024


def pack(lengths: Sequence[int], batch_size: int) -> list[list[int]]:
    """Divide texts into batches of about equal work.

    Each text, the longest first, joins the batch that has the least to do (Graham, 1969): packed texts need not be of
    similar length.

    Parameters
    ----------
    lengths : sequence of int
        How many tokens each text has.
    batch_size : int
        The most texts of a batch.

    Returns
    -------
    list of list of int
        The texts of each batch, by their places in ``lengths``.

    Examples
    --------
    >>> pack([5, 90, 60, 7, 30], batch_size=3)
    [[1, 3], [2, 4, 0]]
    """
    count = math.ceil(max(sum(lengths) / _TOKENS, len(lengths) / batch_size))
    batches: list[list[int]] = [[] for _ in range(min(count, len(lengths)))]
    open_batches = [(0, number) for number in range(len(batches))]  # a heap: the least tokens come first
    for text in sorted(range(len(lengths)), key=lambda text: -lengths[text]):
        tokens, number = heapq.heappop(open_batches)
        batches[number].append(text)
        if len(batches[number]) < batch_size:
            heapq.heappush(open_batches, (tokens + lengths[text], number))
    return [batch for batch in batches if batch]
