"""What layers and additive attention are promised to reach, beside torch and OpenVINO, in turns.

python benchmarks/layers.py

additive    8 heads × 1024 × 1024, hidden 64: torch's broadcast formula
encoder     a layer of d 512, 8 heads, 256 tokens, batch 8: torch in eval mode, OpenVINO if it is installed
decoding    64 tokens beside 64, d 512, 2 + 2 layers, with a cache: torch.nn.Transformer running the prefix again
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import environment

environment.settle(len(environment.cores()))

import numpy as np  # noqa: E402
import torch  # noqa: E402

import pyattn  # noqa: E402
from pyattn.layers import EncoderLayer, Transformer  # noqa: E402

Calls = dict[str, Callable[[], np.ndarray]]
D, HEADS, TOKENS = 512, 8, 64


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def additive() -> Calls:
    q, k, v = (normal(8, 1024, 64, seed=seed) for seed in range(3))
    w_q, w_k, w = normal(64, 64, seed=3) / 8, normal(64, 64, seed=4) / 8, normal(64, seed=5)
    tensors = [torch.from_numpy(x) for x in (q, k, v, w_q, w_k, w)]

    def formula() -> np.ndarray:
        tq, tk, tv, tw_q, tw_k, tw = tensors
        scores = torch.tanh((tq @ tw_q.T)[:, :, None] + (tk @ tw_k.T)[:, None]) @ tw
        return (scores.softmax(dim=-1) @ tv).numpy()

    return {"pyattn": lambda: pyattn.additive_attention(q, k, v, w_q, w_k, w), "torch": formula}


def encoder() -> Calls:
    theirs = torch.nn.TransformerEncoderLayer(D, HEADS, batch_first=True).eval()
    ours, x = EncoderLayer.from_state_dict(theirs.state_dict(), D, HEADS), normal(8, 256, D)
    calls: Calls = {"pyattn": lambda: ours(x), "torch": lambda: theirs(torch.from_numpy(x)).numpy()}
    try:
        import openvino
    except ModuleNotFoundError:
        return calls
    model = openvino.convert_model(theirs, example_input=torch.from_numpy(x))
    exact = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": len(environment.cores())}
    compiled = openvino.compile_model(model, "CPU", exact)
    return calls | {"OpenVINO": lambda: compiled(x)[0].copy()}


def decoding() -> Calls:
    theirs = torch.nn.Transformer(D, HEADS, 2, 2, batch_first=True).eval()
    ours = Transformer.from_state_dict(theirs.state_dict(), D, HEADS, 2, 2)
    source, target = normal(1, TOKENS, D), normal(1, TOKENS, D, seed=1)

    def cached() -> np.ndarray:
        state = ours.decoder.start(ours.encoder(source), TOKENS)
        steps = [ours.decoder.step(target[:, i : i + 1], state)[0] for i in range(TOKENS)]
        return np.concatenate(steps, axis=1)

    def again() -> np.ndarray:
        x, y = torch.from_numpy(source), torch.from_numpy(target)
        memory, steps = theirs.encoder(x), []
        for end in range(1, TOKENS + 1):
            late = torch.nn.Transformer.generate_square_subsequent_mask(end)
            steps.append(theirs.decoder(y[:, :end], memory, tgt_mask=late)[:, -1:])
        return torch.cat(steps, dim=1).numpy()

    return {"pyattn": cached, "torch": again}


def measure(calls: Calls, rounds: int) -> dict[str, float]:
    """Median seconds of each, after all have given the same answer."""
    expected = calls["pyattn"]()
    for name, call in calls.items():
        if np.abs(call() - expected).max() > 1e-3:
            raise SystemExit(f"{name} gives another answer than pyattn")
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            time.sleep(0.05)  # the others' threads go to sleep
            start = time.perf_counter()
            call()
            samples[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in samples.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", choices=WORK, help="one row")
    options = parser.parse_args()
    torch.set_num_threads(len(environment.cores()))
    with torch.no_grad():
        for name, make in WORK.items():
            if options.only in (None, name):
                found = measure(make(), options.rounds)
                ratios = [f"{other} {seconds / found['pyattn']:.2f}×" for other, seconds in found.items()]
                print(
                    f"{name:9}", f"pyattn {found['pyattn'] * 1e3:.1f} ms;", ", ".join(ratios[1:]), flush=True
                )


WORK = {"additive": additive, "encoder": encoder, "decoding": decoding}

if __name__ == "__main__":
    sys.exit(main())
