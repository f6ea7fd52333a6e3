"""Train the models of these examples: ``python examples/train.py NAME …``, all without a name.

Needs torch. A minute or a few for each on one core, and every run with the same torch writes the same weights.
Parameters are stored as float16, which the scores in ``weights/scores.json`` count in.
"""

import argparse
import json
import time

import numpy as np
import torch
import torch_models
from opinions import LABELS
from parts_of_speech import PARTS
from safetensors.numpy import save_file
from uses import CLASSIFIER, MOST_WORDS, NAMES, RECURRENT, SIZE, TAGGER, TRANSFORMER, WEIGHTS, use_named
from vocabulary import END, PAD, START, padded

SEED, BATCH = 11, 128
EPOCHS = {"tagger": 6, "classifier": 8, "transformer": 12} | dict.fromkeys(RECURRENT, 12)


def train(name):
    """Train one model, write its weights, and tell its scores on what was held out."""
    torch.manual_seed(SEED)
    use = use_named(name)
    model, arrays = _examples(name, use)
    _fit(model, arrays, EPOCHS[name])
    state = {key: x.detach().numpy().astype(np.float16) for key, x in model.state_dict().items()}
    save_file(state, use.path)
    return use.scores(use.load())


def _examples(name, use):
    """The model before it is trained, and what it is trained on: its inputs, then the right answer."""
    if name == "tagger":
        tokens, _ = use.words.batch([words for words, _ in use.train])
        parts = [[PARTS.index(part) for part in row] for _, row in use.train]
        right = np.where(tokens == PAD, -100, padded(parts, tokens.shape[1]))
        return torch_models.Tagger(len(use.words), len(PARTS), **TAGGER), (tokens, right)
    if name == "classifier":
        tokens, _ = use.words.batch([words for words, _ in use.train])
        right = np.array([good for _, good in use.train])
        return torch_models.Classifier(len(use.words), len(LABELS), **CLASSIFIER), (tokens, right)
    source, _ = use.english.batch([english for english, _ in use.train])
    said = [use.spanish.encode(spanish) for _, spanish in use.train]
    width = max(map(len, said)) + 1
    target = padded([[START, *row] for row in said], width)
    right = padded([[*row, END] for row in said], width)
    return _translator(name, use), (source, target, np.where(right == PAD, -100, right))


def _translator(name, use):
    sizes = len(use.english), len(use.spanish)
    if name == "transformer":
        return torch_models.Translator(*sizes, **TRANSFORMER)
    return torch_models.Seq2Seq(*sizes, SIZE, **RECURRENT[name], most_steps=MOST_WORDS)


def _fit(model, arrays, epochs):
    torch.set_num_threads(
        1
    )  # of small products a second one would mostly wait, and sums depend on their number
    arrays = [torch.from_numpy(x) for x in arrays]
    steps = epochs * -(-len(arrays[0]) // BATCH)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=3e-3, total_steps=steps, pct_start=0.1)
    for _ in range(epochs):
        for rows in torch.randperm(len(arrays[0])).split(BATCH):
            *inputs, right = (x[rows] for x in arrays)
            logits = model(*inputs)
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, -2), right.flatten())
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()


def main():
    """Train the named models."""
    path = WEIGHTS / "scores.json"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; by default all")
    names = parser.parse_args().name
    for name in names:
        if name not in NAMES:
            parser.error(f"there is no model {name!r}; expected {', '.join(NAMES)}")
    for name in names or NAMES:
        began = time.monotonic()
        found = train(name)
        known = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(known | {name: found}, indent=2, sort_keys=True) + "\n")
        print(f"{name}: {found} in {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
