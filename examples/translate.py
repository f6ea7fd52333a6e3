"""Translate short sentences into Spanish: ``python examples/translate.py "The ball is blue"``.

``--by`` chooses the model, ``--beam 4`` searches wider, ``--picture FILE`` draws where each word looked.
"""

import argparse

from uses import TRANSLATORS, Translation
from vocabulary import words_of

import pyattn


def main():
    """Translate what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sentence", nargs="*", default=["The ball is blue", "The black cat drank the milk"])
    parser.add_argument("--by", choices=TRANSLATORS, default="transformer")
    parser.add_argument("--beam", type=int, default=1, metavar="WIDTH")
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    use = Translation(options.by)
    model = use.load()
    for sentence in options.sentence:
        english = words_of(sentence)
        (spanish,) = use.translate(model, [english], width=options.beam)
        print(f"{sentence} → {' '.join(spanish).capitalize()}")
        weights = use.looks(model, english, spanish)
        if weights is not None:
            pyattn.show(weights, queries=spanish, keys=english, path=options.picture)


if __name__ == "__main__":
    main()
