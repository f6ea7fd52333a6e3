"""What each example is: its corpus, its model, its weights, and its scores on what it was not trained on."""

from pathlib import Path

import english_spanish
import numpy as np
import opinions
import parts_of_speech
from models import Classifier, Tagger
from vocabulary import END, START, Vocabulary

from pyattn.layers import Translator
from pyattn.seq2seq import Seq2Seq

WEIGHTS = Path(__file__).parent / "weights"
MOST_WORDS = 14  # of a sentence that is translated
TAGGER = {"d_model": 48, "nhead": 4, "num_layers": 2, "dim_feedforward": 96}
CLASSIFIER = {"d_model": 32, "nhead": 4, "num_layers": 2, "dim_feedforward": 64}
TRANSFORMER = {"d_model": 64, "nhead": 4, "layers": 2, "dim_feedforward": 128}
SIZE = 64  # of words and states in the recurrent translators
# The last one is the improved older rule: what was said last asks, and the encoder's last state begins.
RECURRENT = {
    "none": {"attention": "none", "query": "state", "start": "symbol"},
    "dot": {"attention": "dot", "query": "state", "start": "symbol"},
    "additive": {"attention": "additive", "query": "state", "start": "symbol"},
    "concat": {"attention": "concat", "query": "output", "start": "state"},
}
TRANSLATORS = ["transformer", *RECURRENT]


class Translation:
    """English to Spanish, by one of `TRANSLATORS`."""

    def __init__(self, kind="transformer"):
        self.kind = kind
        self.train, self.held_out = english_spanish.split()
        self.english, self.spanish = (Vocabulary(side) for side in zip(*self.train, strict=True))

    @property
    def path(self):
        return WEIGHTS / f"translator_{self.kind}.safetensors"

    def load(self):
        """The trained model."""
        sizes = (len(self.english), len(self.spanish))
        if self.kind == "transformer":
            d, heads, layers, inner = TRANSFORMER.values()
            options = {"dim_feedforward": inner, "max_length": MOST_WORDS, "dtype": "float32"}
            return Translator.load(self.path, *sizes, d, heads, layers, layers, **options)
        options = {**RECURRENT[self.kind], "max_source_length": MOST_WORDS, "max_length": MOST_WORDS}
        return Seq2Seq.load(self.path, *sizes, SIZE, SIZE, dtype="float32", **options)

    def translate(self, model, sentences, width=1):
        """Tell the Spanish of each list of English words; by beam search if `width` is above 1."""
        source, lengths = self.english.batch(sentences)
        ends = {"start": START, "end": END, "source_lengths": lengths}
        if width == 1:
            found = model.greedy(source, **ends)
        else:
            found = [best[0].tokens for best in model.beam(source, width=width, **ends)]
        return [self.spanish.decode(tokens) for tokens in found]

    def looks(self, model, english, spanish):
        """Tell where each Spanish word looks in the English sentence as it is said, (Spanish, English); or None."""
        source, _ = self.english.batch([english])
        said, _ = self.spanish.batch([spanish])
        target = np.concatenate([[[START]], said[:, :-1]], axis=1)
        weights = model(source, target, return_weights=True)[1]
        if self.kind == "transformer":
            return weights[-1][0].mean(axis=0)  # the last layer's heads
        return None if weights is None else weights[0]

    def scores(self, model):
        """Tell which part of the sentences that it has not seen comes out right to the word."""
        english, spanish = zip(*self.held_out, strict=True)
        found = self.translate(model, english)
        return {"sentences": float(np.mean([a == list(b) for a, b in zip(found, spanish, strict=True)]))}


class PartsOfSpeech:
    """A part of speech for each word."""

    path = WEIGHTS / "tagger.safetensors"

    def __init__(self):
        self.train, self.held_out = parts_of_speech.split()
        self.words = Vocabulary(sentence for sentence, _ in self.train)

    def load(self):
        """The trained model."""
        return Tagger.load(self.path, len(self.words), len(parts_of_speech.PARTS), **TAGGER, dtype="float32")

    def tag(self, model, sentences):
        """Tell the parts of speech of each list of words."""
        tokens, lengths = self.words.batch(sentences)
        best = model(tokens, lengths).argmax(axis=-1)
        return [
            [parts_of_speech.PARTS[part] for part in row[:length]]
            for row, length in zip(best, lengths, strict=True)
        ]

    def scores(self, model):
        """Tell which part of the words is right, and of a table that knows each word by itself alone."""
        sentences, parts = zip(*self.held_out, strict=True)
        usual = self._usual_parts()
        alone = [[usual[word] for word in sentence] for sentence in sentences]
        return {
            "words": _share(self.tag(model, sentences), parts),
            "words, each by itself": _share(alone, parts),
        }

    def _usual_parts(self):
        counts = {}
        for sentence, parts in self.train:
            for word, part in zip(sentence, parts, strict=True):
                counts.setdefault(word, dict.fromkeys(parts_of_speech.PARTS, 0))[part] += 1
        return {word: max(count, key=count.get) for word, count in counts.items()}


class Opinion:
    """Good or bad, of a whole sentence."""

    path = WEIGHTS / "classifier.safetensors"

    def __init__(self):
        self.train, self.held_out = opinions.split()
        self.words = Vocabulary(words for words, _ in self.train)

    def load(self):
        """The trained model."""
        return Classifier.load(
            self.path, len(self.words), len(opinions.LABELS), **CLASSIFIER, dtype="float32"
        )

    def judge(self, model, sentences):
        """Tell 1 for each list of words that is a good opinion."""
        return model(*self.words.batch(sentences)).argmax(axis=-1).tolist()

    def scores(self, model):
        """Tell which part of the opinions is judged right, and of counting good and bad words."""
        sentences, labels = zip(*self.held_out, strict=True)
        counted = [
            int(sum(w in opinions.GOOD for w in s) > sum(w in opinions.BAD for w in s)) for s in sentences
        ]
        return {
            "opinions": float(np.mean(np.array(self.judge(model, sentences)) == labels)),
            "opinions, by counting words": float(np.mean(np.array(counted) == labels)),
        }


def _share(found, right):
    pairs = [(a, b) for one, other in zip(found, right, strict=True) for a, b in zip(one, other, strict=True)]
    return float(np.mean([a == b for a, b in pairs]))


def use_named(name):
    """The use that `name` says: "tagger", "classifier" or one of the translators."""
    return {"tagger": PartsOfSpeech, "classifier": Opinion}.get(name, lambda: Translation(name))()


NAMES = ["tagger", "classifier", *TRANSLATORS]
