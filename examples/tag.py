"""Tell each word's part of speech: ``python examples/tag.py "I saw a saw"``."""

import argparse

from uses import PartsOfSpeech
from vocabulary import words_of

EXAMPLES = ["I saw a saw", "My old watch can fish", "We watch the fish"]


def main():
    """Tag the sentences of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentence", nargs="*", default=EXAMPLES)
    options = parser.parse_args()
    use = PartsOfSpeech()
    model = use.load()
    for sentence in options.sentence:
        words = words_of(sentence, use.words, parser.error)
        (parts,) = use.tag(model, [words])
        print(" ".join(f"{word}/{part}" for word, part in zip(words, parts, strict=True)))


if __name__ == "__main__":
    main()
