"""Tell whether an opinion is good: ``python examples/judge.py "the film was not bad"``."""

import argparse

from opinions import LABELS
from uses import Opinion
from vocabulary import words_of

EXAMPLES = ["the film was not bad", "the song is lovely but the story was really dull"]


def main():
    """Judge the sentences of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opinion", nargs="*", default=EXAMPLES)
    options = parser.parse_args()
    use = Opinion()
    model = use.load()
    for sentence in options.opinion:
        (label,) = use.judge(model, [words_of(sentence, use.words, parser.error)])
        print(f"{sentence}: {LABELS[label]}")


if __name__ == "__main__":
    main()
