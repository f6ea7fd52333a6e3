"""Tell whether an opinion is good: ``python examples/judge.py "the film was not bad"``."""

import sys

from opinions import LABELS
from uses import Opinion
from vocabulary import words_of


def main():
    """Judge the sentences of the command line."""
    use = Opinion()
    model = use.load()
    examples = ["the film was not bad", "the song is lovely but the story was really dull"]
    for sentence in sys.argv[1:] or examples:
        (label,) = use.judge(model, [words_of(sentence)])
        print(f"{sentence}: {LABELS[label]}")


if __name__ == "__main__":
    main()
