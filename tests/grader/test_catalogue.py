"""The catalogue: what it reads, and that everything wrong is refused by file, key and way out."""

import shutil

import pytest

from grader import bounds, catalogue, inputs, specs
from grader.fields import CatalogueError
from grader.limits import HARD_CAPS, LEAST_MEMORY
from grader.models import ArraySpec

ASSIGNMENTS = catalogue.load_all()
each = pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda assignment: assignment.slug)


def test_the_course_is_in_order():
    assert catalogue.slugs() == (
        "softmax",
        "scaled-dot-product",
        "masking",
        "online-softmax",
        "fast-attention",
    )
    assert [assignment.number for assignment in ASSIGNMENTS] == [2, 3, 4, 11, 14]


@each
def test_points_sum_to_100(assignment):
    assert sum(test.points for test in assignment.tests) == pytest.approx(100)


@each
def test_some_input_is_float64_and_some_has_as_many_queries_as_keys(assignment):
    specs_of = [[s for s in test.arguments.values() if isinstance(s, ArraySpec)] for test in assignment.tests]
    assert any(spec.dtype == "float64" for found in specs_of for spec in found)
    assert any(all(spec.shape[-2:-1] == found[0].shape[-2:-1] for spec in found[:2]) for found in specs_of)


@each
def test_public_and_hidden_tests_and_stability_are_there(assignment):
    assert {"public", "hidden", "stability"} <= {test.group for test in assignment.tests}


@each
def test_every_text_is_there_in_chinese(assignment):
    texts = [assignment.title, *(test.title for test in assignment.tests)]
    texts += [text for mistake in assignment.mistakes for text in (mistake.title, mistake.hint)]
    for text in texts:
        assert set(text) == {"en", "zh"}
        assert any("一" <= letter <= "鿿" for letter in text["zh"])


def test_a_signature_tells_what_is_passed_by_keyword_only():
    function = catalogue.load("masking").functions["masked_attention"]
    assert function.parameters[function.positional :] == ("causal", "valid_lens")


def test_the_scores_of_the_memory_test_do_not_fit_beside_numpy():
    (test,) = (test for test in catalogue.load("online-softmax").tests if test.group == "memory")
    queries, keys = test.arguments["q"].shape[0], test.arguments["k"].shape[0]
    assert 4 * queries * keys > test.limits.memory_bytes > (40 << 20) + 8 * (queries + keys) * 100


@pytest.fixture
def copy(tmp_path):
    """An assignment to spoil: a function that replaces text in one of its files and loads it."""
    shutil.copytree(catalogue.ROOT / "softmax", tmp_path / "softmax")

    def spoil(old, new, file="assignment.toml"):
        path = tmp_path / "softmax" / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return catalogue.load("softmax", tmp_path)

    spoil.root = tmp_path
    return spoil


def test_a_copy_loads_like_the_original(copy):
    assert copy("version = 1", "version = 7").version == 7


SPOILT = [
    ("version = 1", "version = 0", "version", "≥ 1"),
    ("version = 1", "version = true", "version", "whole number"),
    ("version = 1", "", "version", "Add version"),
    ("version = 1", "version = 1\ncolour = 3", "colour", "no such key"),
    ('zh = "Softmax 函数"', 'de = "Softmax"', "title.zh", "Add zh"),
    ('parameters = ["x", "axis"]', 'parameters = ["x", "x"]', "functions.softmax.parameters", "repetition"),
    ("[tracks.numpy]", "[tracks.fortran]", "tracks.fortran", "numpy"),
    ('file = "submission.py"', 'file = "submission.txt"', "tracks.numpy.file", ".py"),
    ('starter = "starter.py"', 'starter = "missing.py"', "missing.py", "Write it"),
    ("wall_seconds = 5", "wall_seconds = 0", "limits.wall_seconds", "> 0"),
    ("wall_seconds = 5", "wall_seconds = -1", "limits.wall_seconds", "> 0"),
    ("wall_seconds = 5", "wall_seconds = nan", "limits.wall_seconds", "finite"),
    ("wall_seconds = 5", "wall_seconds = inf", "limits.wall_seconds", "finite"),
    ("wall_seconds = 5", 'wall_seconds = "5"', "limits.wall_seconds", "number"),
    ("wall_seconds = 5", "wall_seconds = true", "limits.wall_seconds", "number"),
    ("wall_seconds = 5", "wall_seconds = 61", "limits.wall_seconds", "≤ 60"),
    ("wall_seconds = 5", "wall_seconds = 5\nrun_seconds = 4", "limits.wall_seconds", "run_seconds"),
    ("memory_bytes = 268_435_456", "memory_bytes = 1_000", "limits.memory_bytes", "NumPy need"),
    ("memory_bytes = 268_435_456", "memory_bytes = 268_435_456.5", "limits.memory_bytes", "whole"),
    ("memory_bytes = 268_435_456", "memory_bits = 8", "limits.memory_bits", "no such key"),
    ('id = "columns"', 'id = "rows"', "tests", "2 tests with id 'rows'"),
    ('id = "columns"', 'id = "Rows and more"', "id", "lower-case"),
    ('group = "hidden"', 'group = "secret"', "tests.middle-axis.group", "public"),
    ("points = 12", "points = 13", "tests", "101 points"),
    ("points = 12", "points = nan", "tests.rows.points", "finite"),
    ('bound = "softmax"', 'bound = "roughly"', "tests.rows.bound", "softmax"),
    ('bound = "softmax"', 'bound = "softmax"\nchecks = ["vibes"]', "tests.rows.checks", "values"),
    ('bound = "softmax"', 'bound = "softmax"\nchecks = ["speed"]', "tests.rows.options.ratios", "Add ratios"),
    (
        'bound = "softmax"',
        'bound = "softmax"\noptions.ratios = [[2, 1]]',
        "tests.rows.options.ratios",
        "no such key",
    ),
    ("arguments.axis = 0", "arguments.axes = 0", "tests.columns.arguments.axes", "parameter of softmax"),
    ("shape = [5, 7]", "shape = [5, -7]", "tests.rows.arguments.x.shape", "≥ 1"),
    ("shape = [5, 7]", "shape = [0, 7]", "tests.rows.arguments.x.shape", "≥ 1"),
    ("shape = [5, 7]", 'shape = [5, 7], dtype = "float8"', "tests.rows.arguments.x.dtype", "float32"),
    ("shape = [5, 7]", 'shape = [5, 7], fill = "noise"', "tests.rows.arguments.x.fill", "normal"),
    ("shape = [5, 7]", "shape = [5, 7], mode = 1", "tests.rows.arguments.x.mode", "no such key"),
    ("shape = [5, 7]", "shape = [5, 7], std = nan", "tests.rows.arguments.x.std", "finite"),
    ("shape = [5, 7]", 'shape = [5], fill = "stairs"', "tests.rows.arguments.x.fill", "for this shape"),
    ("shape = [5, 7]", "shape = [500_000, 70_000]", "tests.rows.arguments.x.shape", "at most"),
    ('bound = "softmax"', 'bound = "softmax"\nchecks = []', "tests.rows.checks", "values or speed"),
    ('bound = "softmax"', 'bound = "softmax"\nchecks = ["shape"]', "tests.rows.checks", "values or speed"),
    ('file = "submission.py"', 'file = "../submission.py"', "tracks.numpy.file", "without folders"),
    ("[functions.softmax]", "[functions.soft_max]", "soft_max", "entry point"),
    ("[[tests]]", "[[tests", "assignment.toml", "TOML"),
]


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"), SPOILT, ids=[f"{new or old}-gone" for old, new, *_ in SPOILT]
)
def test_what_is_wrong_is_named(copy, old, new, key, expected):
    with pytest.raises(CatalogueError) as caught:
        copy(old, new)
    message = str(caught.value)
    assert message.startswith("softmax/") and key in message and expected in message
    assert "got " in message and "expected " in message


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('CODE = "no-max"', 'CODE = "other"', "CODE"),
        ("TITLE", "HEADING", "TITLE"),
        ("def largest", "def biggest", "no step of the solution"),
        ('CODE = "no-max"', 'CODE = "no-max"\nFIT = {"EPS": (0, 1)}', "FIT.EPS"),
        ('CODE = "no-max"', 'CODE = "no-max"\nFIT = {"EPS": (2, 1)}', "FIT.EPS"),
        ('CODE = "no-max"', 'CODE = "no-max"\nPRECISION = "int8"', "PRECISION"),
        ('CODE = "no-max"', 'CODE = "no-" + "max"', "CODE"),
        ("def largest", "def largest(", "Python"),
    ],
)
def test_what_is_wrong_with_a_mistake_is_named(copy, old, new, key):
    with pytest.raises(CatalogueError, match="softmax/mistakes/no-max.py") as caught:
        copy(old, new, "mistakes/no-max.py")
    assert key in str(caught.value)


@pytest.mark.parametrize("name", ["solution.py", "statement.zh.md", "starter.py"])
def test_a_missing_file_is_named(tmp_path, name):
    shutil.copytree(catalogue.ROOT / "softmax", tmp_path / "softmax")
    (tmp_path / "softmax" / name).unlink()
    with pytest.raises(
        CatalogueError, match=name.replace(".", r"\.") if name != "solution.py" else "solution|mistakes"
    ):
        catalogue.load("softmax", tmp_path)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"], ids=["empty", "blank", "binary"])
@pytest.mark.parametrize("name", ["statement.zh.md", "starter.py"])
def test_a_file_without_text_is_named(copy, name, content):
    (catalogue.load("softmax", copy.root).folder / name).write_bytes(content)
    with pytest.raises(CatalogueError, match=f"softmax/{name}.*text in UTF-8"):
        catalogue.load("softmax", copy.root)


def test_a_folder_without_a_description_is_no_slip_of_the_pen(tmp_path, copy):
    (tmp_path / "mine").mkdir()
    with pytest.raises(CatalogueError, match=r"mine/assignment.toml: got no such file"):
        catalogue.load("mine", tmp_path)
    assert [assignment.slug for assignment in catalogue.load_all(tmp_path)] == ["softmax"]


def test_a_catalogue_without_assignments_is_refused(tmp_path):
    with pytest.raises(CatalogueError, match="got no assignment"):
        catalogue.load_all(tmp_path)
    with pytest.raises(CatalogueError, match="the folder above it"):
        catalogue.load_all(catalogue.ROOT / "softmax")


def test_an_unknown_assignment_is_told_the_known_ones():
    with pytest.raises(CatalogueError, match="'sotfmax'.*softmax"):
        catalogue.load("sotfmax")
    with pytest.raises(CatalogueError):
        catalogue.load("../assignments/softmax")


def test_two_assignments_with_one_number_are_refused(tmp_path):
    for slug in ("softmax", "again"):
        shutil.copytree(catalogue.ROOT / "softmax", tmp_path / slug)
    with pytest.raises(CatalogueError, match="number"):
        catalogue.load_all(tmp_path)


@pytest.mark.parametrize(
    "ratios",
    [[], [[2, 0.5]], [[1, 1], [2, 1]], [[2, 1], [1, 0.5]], [[2]], 3, [["2", 1]], [[float("nan"), 1]]],
)
def test_ratios_that_do_not_end_in_all_points_are_refused(ratios):
    assert not specs._are_ratios(ratios)


def test_limits_of_every_test_are_below_the_caps():
    for assignment in ASSIGNMENTS:
        for test in assignment.tests:
            for name, cap in vars(HARD_CAPS).items():
                assert 0 < getattr(test.limits, name) <= cap
            assert test.limits.memory_bytes >= LEAST_MEMORY
            assert test.bound in bounds.BOUNDS
            assert all(s.fill in inputs.FILLS for s in test.arguments.values() if isinstance(s, ArraySpec))
