"""Words as numbers, sentences as rows of them."""

import numpy as np

PAD, START, END = 0, 1, 2
_SPECIAL = ("<pad>", "<start>", "<end>")


class Vocabulary:
    """Some words, each with a number; the first three are padding, start and end.

    Parameters
    ----------
    sentences : iterable of lists of words
        Where the words are.
    """

    def __init__(self, sentences):
        self.words = [*_SPECIAL, *sorted({word for sentence in sentences for word in sentence})]
        self.numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, sentence):
        """Tell each word's number."""
        unknown = [word for word in sentence if word not in self.numbers]
        if unknown:
            known = ", ".join(self.words[len(_SPECIAL) :])
            raise ValueError(f"the words {unknown} are not in this small vocabulary; it knows {known}")
        return [self.numbers[word] for word in sentence]

    def decode(self, numbers):
        """Tell each number's word."""
        return [self.words[number] for number in numbers]

    def batch(self, sentences):
        """Tell a (sentences, longest) array with padding at the right, and the lengths."""
        rows = [self.encode(sentence) for sentence in sentences]
        lengths = np.array([len(row) for row in rows])
        return padded(rows, lengths.max(initial=0)), lengths


def padded(rows, width):
    """Rows of numbers as one array."""
    table = np.full((len(rows), width), PAD)
    for to, row in zip(table, rows, strict=True):
        to[: len(row)] = row
    return table


def words_of(text, vocabulary, complain):
    """Tell a sentence's words, in small letters and without its full stop.

    If there are none, or unknown ones, `complain` says so: ``parser.error`` of a program.
    """
    words = text.lower().rstrip(" .!").split()
    if not words:
        complain("a sentence has no words")
    try:
        vocabulary.encode(words)
    except ValueError as error:
        complain(str(error))
    return words
