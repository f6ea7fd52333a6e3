"""Tell each word's part of speech: ``python examples/tag.py "I saw a saw"``."""

import sys

from uses import PartsOfSpeech
from vocabulary import words_of


def main():
    """Tag the sentences of the command line."""
    use = PartsOfSpeech()
    model = use.load()
    for sentence in sys.argv[1:] or ["I saw a saw", "My old watch can fish", "We watch the fish"]:
        words = words_of(sentence)
        (parts,) = use.tag(model, [words])
        print(" ".join(f"{word}/{part}" for word, part in zip(words, parts, strict=True)))


if __name__ == "__main__":
    main()
