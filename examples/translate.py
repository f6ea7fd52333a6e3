"""Translate short sentences into Spanish: ``python examples/translate.py "The ball is blue"``.

``--by`` chooses the model, ``--beam 4`` searches wider, ``--picture FILE`` draws where each word looked; of several
sentences the second goes to FILE-2 and so on.
"""

import argparse
from pathlib import Path

from uses import MOST_WORDS, TRANSLATORS, Translation
from vocabulary import words_of

import pyattn


def main():
    """Translate what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sentence", nargs="*", default=["The ball is blue", "The black cat drank the milk"])
    parser.add_argument("--by", choices=TRANSLATORS, default="transformer")
    parser.add_argument("--beam", type=int, default=1, metavar="WIDTH")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.beam < 1:
        parser.error(f"--beam is {options.beam}; expected at least 1")
    if options.picture and options.by == "none":
        parser.error("--picture has nothing to draw: the model without attention looks nowhere")
    use = Translation(options.by)
    model = use.load()
    for number, sentence in enumerate(options.sentence, start=1):
        english = words_of(sentence, use.english, parser.error)
        if len(english) > MOST_WORDS:
            parser.error(f"a sentence has {len(english)} words; these small models know up to {MOST_WORDS}")
        (spanish,) = use.translate(model, [english], width=options.beam)
        print(f"{sentence} → {' '.join(spanish).capitalize()}")
        weights = use.looks(model, english, spanish)
        if weights is not None:
            path = options.picture
            if path and number > 1:
                path = path.with_stem(f"{path.stem}-{number}")
            pyattn.show(weights, queries=spanish, keys=english, path=path)


if __name__ == "__main__":
    main()
