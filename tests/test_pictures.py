"""Attention weights that a person can look at: in letters, and as a heat map."""

import io

import numpy as np
import pytest

import pyattn
from pyattn.terminal import table_of, width_of

WEIGHTS = [[0.9, 0.1, 0.0], [0.25, 0.5, 0.25]]


def letters(*arguments, **options):
    out = io.StringIO()
    pyattn.show(*arguments, file=out, **options)
    return out.getvalue().splitlines()


def test_each_cell_stands_below_its_key_and_beside_its_query():
    lines = letters(WEIGHTS, ["la", "bola"], ["the", "ball", "rolls"])
    assert lines == [
        "       the  ball  rolls",
        "  la  █ 90    10      0",
        "bola  ░ 25  ▒ 50   ░ 25",
    ]


def test_chinese_words_take_two_columns():
    assert width_of("黑猫") == 4
    assert width_of("e\u0301l") == 2
    lines = letters(WEIGHTS, ["猫", "喝牛奶"], ["黑", "猫咪", "milk"])
    assert len({width_of(line) for line in lines}) == 1


def test_words_are_numbered_where_there_are_none():
    assert letters(WEIGHTS)[0].split() == ["0", "1", "2"]


def test_heads_are_small_multiples(tmp_path):
    pytest.importorskip("matplotlib")
    weights = np.random.default_rng(0).random((3, 2, 4))
    figure = pyattn.show(
        weights, ["a", "b"], list("cdef"), title="who", file=io.StringIO(), path=tmp_path / "x.png"
    )
    assert [axes.get_title() for axes in figure.axes] == ["head 0", "head 1", "head 2"]
    for axes, head in zip(figure.axes, weights, strict=True):
        np.testing.assert_array_equal(axes.images[0].get_array(), head)
        assert [label.get_text() for label in axes.get_xticklabels()] == list("cdef")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert sum(line.startswith("who · head") for line in letters(weights, title="who")) == 3


def test_chinese_labels_are_drawn_and_are_no_boxes(tmp_path):
    """matplotlib warns of a character that its fonts lack, and a warning fails here."""
    pytest.importorskip("matplotlib")
    from matplotlib import font_manager

    from pyattn.pictures import _CHINESE_FONTS

    if not set(_CHINESE_FONTS) & set(font_manager.get_font_names()):
        pytest.skip("no font with Chinese characters is installed")
    pyattn.show(
        WEIGHTS,
        ["猫", "喝"],
        ["黑", "猫", "milk"],
        title="注意力",
        file=io.StringIO(),
        path=tmp_path / "x.png",
    )


def test_without_such_a_font_it_says_what_is_missing(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("pyattn.pictures._CHINESE_FONTS", ())
    with pytest.warns(UserWarning, match="no font with Chinese characters is installed"):
        pyattn.show(WEIGHTS, ["猫", "喝"], file=io.StringIO())


def test_without_matplotlib_there_are_letters_alone(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    assert pyattn.show(WEIGHTS, file=io.StringIO()) is None
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pyattn\[pictures\]'"):
        pyattn.show(WEIGHTS, file=io.StringIO(), path=tmp_path / "x.png")


@pytest.mark.parametrize(
    ("weights", "words", "message"),
    [
        (np.ones(3), {}, r"weights has shape \(3,\); expected \(queries, keys\) or \(heads, queries, keys\)"),
        (np.ones((2, 3)), {"queries": ["a"]}, "queries has 1 words and the weights 2"),
        (np.ones((2, 3)), {"keys": ["a"]}, "keys has 1 words and the weights 3"),
    ],
)
def test_what_does_not_fit_is_named(weights, words, message):
    with pytest.raises(ValueError, match=message):
        pyattn.show(weights, **words)


def test_weights_that_are_no_numbers_are_written_as_such():
    assert "nan" in table_of(np.array([[np.nan]]), ["a"], ["b"])


def test_dollars_are_drawn_as_they_are(tmp_path):
    """Regression: what stood between two of them was read as a formula, and two alone were an error."""
    pytest.importorskip("matplotlib")
    from pyattn.pictures import attention_picture

    words = ["$$", "$5 and $x^"]
    figure = pyattn.show(np.eye(2), words, words, title="$a$", file=io.StringIO(), path=tmp_path / "x.png")
    labels = [*figure.axes[0].get_xticklabels(), *figure.axes[0].get_yticklabels(), figure._suptitle]
    assert [label.get_text() for label in labels] == [*words, *words, "$a$"]
    assert not any(label.get_parse_math() for label in labels)
    attention_picture(words, np.eye(2), tmp_path / "y.png", title="$a$")


def test_the_picture_of_a_sentence_takes_chinese_words_too(tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib import font_manager

    from pyattn.pictures import _CHINESE_FONTS, attention_picture

    if not set(_CHINESE_FONTS) & set(font_manager.get_font_names()):
        pytest.skip("no font with Chinese characters is installed")
    attention_picture(["黑", "猫"], np.eye(2), tmp_path / "x.png", title="注意力")


@pytest.mark.parametrize("heads", [1, 2, 12, 17])
def test_any_number_of_heads_is_drawn(heads):
    pytest.importorskip("matplotlib")
    figure = pyattn.show(np.ones((heads, 1, 3)), ["a"], file=io.StringIO())
    assert len(figure.axes) == heads
    assert len(letters(np.ones((heads, 1, 3)))) == (2 if heads == 1 else 3 * heads)


@pytest.mark.parametrize("shape", [(0, 2, 3), (0, 3), (2, 0), (1, 2, 3, 4)])
def test_nothing_to_show_is_named(shape):
    with pytest.raises(ValueError, match="expected .* at least one of each"):
        pyattn.show(np.ones(shape))


def test_torch_weights_are_shown():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert letters(torch.eye(2, dtype=torch.bfloat16)) == letters(np.eye(2))


def test_what_is_shown_stays_in_its_line_and_in_the_encoding_of_the_file():
    """Regression: a label moved the cursor, and a file in ASCII got half a table and then an error."""
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    pyattn.show([[1.0]], queries=["a\nb"], keys=["\x1b[31m\ud800红"], title="t\ns", file=file)
    file.seek(0)
    text = file.read()
    assert len(text.splitlines()) == len(letters([[1.0]], queries=["a b"], keys=["c"], title="t"))
    assert "\x1b" not in text


@pytest.mark.parametrize("title", [None, 5])
def test_a_title_that_is_no_text_is_refused_before_anything_is_printed(title, capsys):
    with pytest.raises(TypeError, match=f"show: title is {title}; expected a str"):
        pyattn.show([[1.0]], title=title)
    assert not capsys.readouterr().out
