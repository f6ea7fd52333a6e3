"""Attention at work on real text: ``python -m pyattn.demo``.

Reads what Python's own help knows (the topics of ``help()``), answers questions about it by meaning, draws which word
looks at which, takes the time of the same model in plain NumPy, grades two students' submissions, and serves a course
to look at.
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import pyattn
from pyattn.models import ModelNotAvailable, SentenceEncoder, fetch
from pyattn.models.plain import PlainEncoder
from pyattn.pictures import attention_picture

QUESTIONS = (
    "Why is my default list shared between calls?",
    "What happens when no exception handler matches?",
    "Which values count as false?",
    "How do I stop the program at a line and look at the variables?",
    "How do I run code when an attribute is looked up?",
)
SENTENCE = "The student fixed the program because she wanted it to run faster."
LAYER, HEAD = 3, 1  # a head of the model that has learned what a pronoun stands for
PASSAGE_WORDS = 100
COMPARED = 48  # passages; plain NumPy takes its time


class Passage(NamedTuple):
    """A few paragraphs of the manual."""

    topic: str
    text: str


def passages() -> list[Passage]:
    """Cut the topics of Python's own manual into passages of about a hundred words."""
    from pydoc_data.topics import topics

    found: dict[str, Passage] = {}  # some topics repeat a part of another
    for topic in sorted(topics):
        for text in _joined(topics[topic].split("\n\n")):
            found.setdefault(text, Passage(topic, text))
    return list(found.values())


def _joined(paragraphs: Sequence[str]) -> Iterator[str]:
    """Join neighbouring paragraphs while they stay below PASSAGE_WORDS words."""
    passage: list[str] = []
    for paragraph in paragraphs:
        words = re.sub(r"[*=~-]{4,}", " ", paragraph).split()  # without the lines under headings
        if passage and len(passage) + len(words) > PASSAGE_WORDS:
            yield " ".join(passage)
            passage = []
        passage += words
    if passage:
        yield " ".join(passage)


class Answer(NamedTuple):
    """A passage's topic, how near the passage is to the question, and its nearest sentence."""

    score: float
    topic: str
    sentence: str


def answers(
    encoder: SentenceEncoder, question: str, read: Sequence[Passage], vectors: np.ndarray, count: int = 2
) -> list[Answer]:
    """Return the passages nearest in meaning to a question, nearest first."""
    asked = encoder.encode(question)
    scores = vectors @ asked  # all of length one: the cosine of the angle between them
    nearest = np.argsort(-scores)[:count]
    return [
        Answer(float(scores[i]), read[i].topic, _nearest_sentence(encoder, asked, read[i].text))
        for i in nearest
    ]


def _nearest_sentence(encoder: SentenceEncoder, asked: np.ndarray, text: str) -> str:
    sentences = re.split(r"(?<=[.?!])(?<!i\.e\.)(?<!e\.g\.)\s+(?=[A-Z\"“])", text)
    return sentences[int(np.argmax(encoder.encode(sentences) @ asked))]


class Comparison(NamedTuple):
    """Seconds for the same texts with the same weights, and how far the results are apart."""

    pyattn: float
    numpy: float
    difference: float


def compare(encoder: SentenceEncoder, plain: PlainEncoder, texts: list[str]) -> Comparison:
    """Encode texts both ways."""
    begin = time.perf_counter()
    ours = encoder.encode(texts)
    middle = time.perf_counter()
    theirs = plain.encode(texts)
    return Comparison(middle - begin, time.perf_counter() - middle, float(np.abs(ours - theirs).max()))


def show(title: str) -> None:
    """Print a heading."""
    print(f"\n{title}\n{'─' * len(title)}", flush=True)


def show_answers(encoder: SentenceEncoder, read: Sequence[Passage]) -> None:
    """Encode the passages and print the answers to the questions."""
    show("Reading the topics of Python's help()")
    begin = time.perf_counter()
    vectors = encoder.encode([passage.text for passage in read], show_progress=True)
    seconds = time.perf_counter() - begin
    words = sum(len(passage.text.split()) for passage in read)
    print(
        f"{len(read)} passages, {words:,} words in {seconds:.1f} s: {len(read) / seconds:.0f} passages a second"
    )

    show("Questions, answered by meaning")
    for question in QUESTIONS:
        print(f"\n{question}")
        for score, topic, sentence in answers(encoder, question, read, vectors):
            text = textwrap.shorten(sentence, 220, placeholder=" …")
            print(
                textwrap.fill(
                    text, 100, initial_indent=f"  {score:.2f}  {topic}: ", subsequent_indent=" " * 8
                )
            )


def show_picture(encoder: SentenceEncoder, path: Path) -> None:
    """Write the picture and print where the sentence's pronouns look."""
    show("Which word looks at which")
    words, heads = encoder.word_attention(SENTENCE, LAYER)
    weights = heads[HEAD]
    attention_picture(words, weights, path, title=f"Layer {LAYER + 1}, head {HEAD + 1}: “{SENTENCE}”")
    print(f"“{SENTENCE}”")
    for looking in ("she", "it"):
        row = weights[words.index(looking)]
        print(f"  “{looking}” looks most at “{words[int(row.argmax())]}” ({row.max():.0%})")
    print(f"Layer {LAYER + 1}, head {HEAD + 1} is drawn in {path}")


def show_comparison(encoder: SentenceEncoder, plain: PlainEncoder, read: Sequence[Passage]) -> bool:
    """Print the time beside plain NumPy; return whether the results agree."""
    show("The same model in plain NumPy")
    texts = [passage.text for passage in read[:: max(1, len(read) // COMPARED)]][:COMPARED]
    ours, numpy, difference = compare(encoder, plain, texts)
    print(f"{len(texts)} passages   pyattn {ours:.2f} s   NumPy {numpy:.2f} s   {numpy / ours:.1f}× faster")
    agree = difference <= 1e-5
    print(f"The results {'agree' if agree else 'DISAGREE'}: the largest difference is {difference:.1e}")
    return agree


def show_grading() -> bool:
    """Grade a right and a wrong submission; return whether their marks are as they must be."""
    from grader import demo
    from grader.sandbox import SandboxUnavailable

    show("Two students hand in their attention")
    try:
        return demo.show()
    except SandboxUnavailable as error:
        print(f"Not graded, as nothing here can hold hostile code: {error}")
        return True


def serve() -> None:
    """Serve a course to look at, until it is stopped."""
    show("A course to look at (Ctrl-C ends it)")
    environment = {"GRADER_DATA": "grader-demo", "GRADER_LOG_LEVEL": "WARNING", **os.environ}
    with contextlib.suppress(KeyboardInterrupt):
        subprocess.run([sys.executable, "-m", "grader", "demo"], env=environment, check=False)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pyattn.demo", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--once", action="store_true", help="end after the work is done, and serve no course")
    parser.add_argument("--limit", type=int, metavar="N", help="read only N passages, spread over the manual")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("attention.png"),
        metavar="FILE",
        help="the picture (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    if options.limit is not None and options.limit < 1:
        parser.error(f"--limit is {options.limit}, expected at least 1")
    if not options.output.parent.is_dir():
        parser.error(f"--output is {options.output}, and there is no folder {options.output.parent}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; return the exit code."""
    options = parse(arguments)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may know no “ ” or …
    try:
        folder = fetch.model_folder()
        encoder, plain = SentenceEncoder.from_folder(folder), PlainEncoder(folder)
    except (ModelNotAvailable, ModuleNotFoundError) as error:
        print(f"pyattn.demo: {error}", file=sys.stderr)
        return 1
    read = passages()
    read = read[:: max(1, len(read) // options.limit)][: options.limit] if options.limit else read
    print(f"pyattn {pyattn.__version__}, instruction set {pyattn.isa()}, {pyattn.get_num_threads()} threads")
    show_answers(encoder, read)
    show_picture(encoder, options.output)
    agree = show_comparison(encoder, plain, read)
    right = show_grading() and agree
    if right and not options.once:
        serve()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
