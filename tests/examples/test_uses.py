"""The trained examples: scores are what they are said to be, programs say what they should, torch agrees."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the weights are safetensors files")

EXAMPLES = Path(__file__).parents[2] / "examples"
TRANSLATORS = ["transformer", "none", "dot", "additive", "concat"]
PROGRAMS = ["translate.py", "tag.py", "judge.py"]
names = pytest.mark.parametrize("name", ["tagger", "classifier", *TRANSLATORS])


def use_named(name):
    from uses import use_named

    return use_named(name)


def said_scores():
    return json.loads((EXAMPLES / "weights" / "scores.json").read_text())


@names
def test_the_scores_are_measured_again(name):
    """Another instruction set may round another way: one sentence of some 500 is allowed for."""
    use = use_named(name)
    found = use.scores(use.load())
    assert found == {what: pytest.approx(score, abs=0.0021) for what, score in said_scores()[name].items()}


def test_the_readme_tells_these_scores():
    readme = (EXAMPLES / "README.md").read_text()
    rows = re.findall(r"^\| .* \| (\d+\.\d) % \| (?:(\d+\.\d) % )?\|$", readme, re.MULTILINE)
    told = [float(number) for row in rows for number in row if number]
    known = [round(100 * score, 1) for name in said_scores() for score in said_scores()[name].values()]
    assert sorted(told) == sorted(known)


@names
def test_what_is_held_out_was_not_trained_on(name):
    use = use_named(name)
    trained = {" ".join(words) for words, _ in use.train}
    assert len(use.held_out) >= 500
    assert not trained & {" ".join(words) for words, _ in use.held_out}


def test_all_weights_together_are_small():
    assert sum(path.stat().st_size for path in (EXAMPLES / "weights").iterdir()) <= 2_000_000


def test_attention_tells_what_words_by_themselves_do_not():
    scores = said_scores()
    assert scores["tagger"]["words"] > scores["tagger"]["words, each by itself"] + 0.1
    assert scores["classifier"]["opinions"] > scores["classifier"]["opinions, by counting words"] + 0.3


def run(program, *arguments):
    command = [sys.executable, str(EXAMPLES / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def said_by(program, *arguments):
    done = run(program, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", TRANSLATORS)
def test_the_translator_translates(kind, tmp_path):
    drawing = [] if kind == "none" else ["--picture", str(tmp_path / "where.png")]
    said = said_by("translate.py", "The ball is blue", "--by", kind, *drawing)
    assert said.startswith("The ball is blue → La bola es azul\n")
    assert (tmp_path / "where.png").exists() == (kind != "none")
    assert "→ El gato negro bebió la leche" in said_by(
        "translate.py", "The black cat drank the milk.", "--by", kind, "--beam", "3"
    )


def test_the_same_word_is_two_things():
    assert said_by("tag.py", "I saw a saw") == "i/PRON saw/VERB a/DET saw/NOUN\n"


def test_a_turned_opinion_is_understood():
    assert said_by("judge.py", "the film was not bad") == "the film was not bad: good\n"
    mixed = "the song is lovely but the story was really dull"
    assert said_by("judge.py", mixed) == f"{mixed}: bad\n"


@pytest.mark.parametrize(
    ("program", "arguments", "message"),
    [
        *(
            (program, ["The zebra"], "['zebra'] are not in this small vocabulary; it knows")
            for program in PROGRAMS
        ),
        *((program, [" . "], "a sentence has no words") for program in PROGRAMS),
        ("translate.py", ["the " * 15], "has 15 words; these small models know up to 14"),
        ("translate.py", ["--beam", "0"], "--beam is 0; expected at least 1"),
        ("translate.py", ["--by", "none", "--picture", "x.png"], "the model without attention looks nowhere"),
        ("translate.py", ["--by", "magic"], "invalid choice: 'magic'"),
        ("look.py", ["--layer", "9"], "layer is 9, but the model has 6 layers"),
    ],
)
def test_what_a_program_cannot_do_is_said_in_a_line(program, arguments, message):
    done = run(program, *arguments)
    if "could not download" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("program", [*PROGRAMS, "look.py"])
def test_every_program_tells_what_it_does(program):
    assert f"python examples/{program}" in " ".join(said_by(program, "--help").split())


def test_each_sentence_has_its_picture(tmp_path):
    said_by("translate.py", "The ball is blue", "The cat is red", "--picture", str(tmp_path / "where.png"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["where-2.png", "where.png"]


def test_no_other_model_than_these_is_trained():
    pytest.importorskip("torch", reason="torch is not installed")
    done = run("train.py", "tagger", "poet")
    assert done.returncode == 2 and "there is no model 'poet'; expected tagger, classifier" in done.stderr


def test_an_adjective_looks_back_across_its_noun():
    use = use_named("additive")
    model = use.load()
    english, spanish = (
        ["the", "black", "cat", "drank", "the", "milk"],
        ["el", "gato", "negro", "bebió", "la", "leche"],
    )
    looked = use.looks(model, english, spanish).argmax(axis=-1)
    assert english[looked[spanish.index("negro")]] == "black"
    assert english[looked[spanish.index("gato")]] == "cat"


def test_milk_looks_at_drank_more_than_at_the_cat_and_least_at_black():
    from pyattn.models import ModelNotAvailable, SentenceEncoder

    try:
        encoder = SentenceEncoder.load(show_progress=False)
    except (ModelNotAvailable, ModuleNotFoundError) as error:
        pytest.skip(f"{type(error).__name__}: {error}")
    words, weights = encoder.word_attention("The black cat drank the milk", layer=2)
    milk = dict(zip(words, weights.mean(axis=0)[words.index("milk")], strict=True))
    assert milk["drank"] > milk["cat"] > milk["black"]


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@names
def test_torch_computes_the_same_of_the_same_weights(name):
    """The twin that trains and the model that infers have one architecture."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    import train

    use = use_named(name)
    ours = use.load()
    theirs, arrays = train._examples(name, use)
    theirs.load_state_dict({key: torch.from_numpy(x) for key, x in ours.state_dict().items()})
    *inputs, _ = (x[:40] for x in arrays)
    with torch.no_grad():
        expected = theirs.eval()(*map(torch.from_numpy, inputs)).numpy()
    lengths = (inputs[0] != 0).sum(axis=1)
    found = ours(*inputs, lengths)
    real = np.ones(len(found), bool) if name == "classifier" else arrays[-1][:40] != -100
    np.testing.assert_allclose(found[real], expected[real], atol=2e-4)


@pytest.mark.slow
def test_training_learns():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    import train

    torch.manual_seed(0)
    use = use_named("tagger")
    model, arrays = train._examples("tagger", use)
    train._fit(model, [x[:4000] for x in arrays], 4)
    tokens, right = (torch.from_numpy(x[-500:]) for x in arrays)
    with torch.no_grad():
        found = model.eval()(tokens).argmax(dim=-1)
    assert (found == right)[right >= 0].float().mean() > 0.9
