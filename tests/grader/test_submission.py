"""What may be handed in, and what is said of the rest."""

import stat
import struct
import zipfile

import pytest

from grader import catalogue
from grader.messages import render
from grader.starter import write_starter
from grader.submission import MOST_BYTES, read_submission
from grader.unusable import UnusableSubmission

SOURCE = "def softmax(x, axis=-1):\n    return x\n"


@pytest.fixture
def softmax():
    return catalogue.load("softmax")


def zipped(path, entries, **how):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content, **how)
    return path


def refused(path, assignment, track=None):
    with pytest.raises(UnusableSubmission) as caught:
        read_submission(path, assignment, track)
    for lang in ("en", "zh"):
        assert render(caught.value.message, lang)
    return caught.value.message.code


@pytest.mark.parametrize("name", ["submission.py", "my own softmax (2).py", "作业.py"])
def test_a_single_file_may_have_any_name(tmp_path, softmax, name):
    (tmp_path / name).write_text(SOURCE)
    assert read_submission(tmp_path / name, softmax).files == {"submission.py": SOURCE.encode()}


def test_a_folder_brings_its_helpers_and_nothing_else(tmp_path, softmax):
    (tmp_path / "submission.py").write_text(SOURCE)
    (tmp_path / "steps.py").write_text("x = 1\n")
    (tmp_path / "data.npy").write_bytes(b"\0" * 100)
    (tmp_path / "sub").mkdir()
    found = read_submission(tmp_path, softmax)
    assert sorted(found.files) == ["steps.py", "submission.py"]
    assert [note.code for note in found.notes] == ["ignored-files"]


def test_links_in_a_folder_are_not_followed(tmp_path, softmax):
    secret = tmp_path / "secret"
    secret.write_text("x = 1\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "submission.py").symlink_to(secret)
    assert refused(folder, softmax) == "not-taken"


def test_the_one_file_of_a_folder_is_the_submission(tmp_path, softmax):
    (tmp_path / "homework2.py").write_text(SOURCE)
    assert list(read_submission(tmp_path, softmax).files) == ["submission.py"]


def test_two_candidates_are_a_question_not_a_guess(tmp_path, softmax):
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "b.py").write_text(SOURCE)
    assert refused(tmp_path, softmax) == "two-candidates"


def test_two_tracks_at_once_are_a_question_and_the_track_answers_it(tmp_path):
    fast = catalogue.load("fast-attention")
    (tmp_path / "submission.cpp").write_text("int x;\n")
    (tmp_path / "submission.pyx").write_text("x = 1\n")
    with pytest.raises(UnusableSubmission) as error:
        read_submission(tmp_path, fast)
    assert "--track cython / --track cpp" in render(error.value.message, "en")
    assert read_submission(tmp_path, fast, "cpp").track.name == "cpp"


def test_two_files_of_one_track_that_are_named_as_wanted_are_not_told_to_be_named_so_alone(tmp_path):
    fast = catalogue.load("fast-attention")
    for name in ("submission.cpp", "submission.cc"):
        (tmp_path / name).write_text("int x;\n")
    with pytest.raises(UnusableSubmission) as error:
        read_submission(tmp_path, fast)
    assert "Hand in one of them only" in render(error.value.message, "en")


@pytest.mark.parametrize("beside", [[], ["readme.txt"]])
def test_sources_in_folders_are_named_and_not_called_nothing(tmp_path, softmax, beside):
    """The message was "There is no submission.py (found: –)"."""
    names = ["a/submission.py", "b/submission.py"]
    path = zipped(tmp_path / "a.zip", [(name, SOURCE) for name in [*names, *beside]])
    folder = tmp_path / "folder"
    for name in names:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(SOURCE)
    for given in (path, folder):
        with pytest.raises(UnusableSubmission) as error:
            read_submission(given, softmax)
        assert error.value.message.code == "not-taken"
        assert ", ".join(names) in render(error.value.message, "en")


def test_a_nul_byte_is_named_with_its_file_and_line(tmp_path, softmax):
    (tmp_path / "submission.py").write_bytes(b"x = 1\ny=1\0")
    with pytest.raises(UnusableSubmission) as error:
        read_submission(tmp_path / "submission.py", softmax)
    assert error.value.message.params == {"file": "submission.py", "line": 2}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b" \n\t\n", "empty-file"),
        (b"\xef\xbb\xbf", "empty-file"),
        (b"\x7fELF\0\0\0", "not-text"),
        (b"x = 1\0\n", "nul-byte"),
        (b"# \xc4\xe3\0\n", "nul-byte"),
        ("x = 1\n".encode("utf-16-le"), "not-text"),
        ("x = 1\n".encode("utf-16"), "not-text"),
        (b"x = '\xff\xff\xff'\n", "not-text"),
        (b"#" * (MOST_BYTES + 1), "file-too-big"),
    ],
)
def test_what_is_no_source_is_refused(tmp_path, softmax, content, code):
    (tmp_path / "submission.py").write_bytes(content)
    assert refused(tmp_path / "submission.py", softmax) == code


def test_a_file_of_gigabytes_is_not_read(tmp_path, softmax):
    with (tmp_path / "submission.py").open("wb") as file:
        file.truncate(8 << 30)
    assert refused(tmp_path / "submission.py", softmax) == "file-too-big"


@pytest.mark.parametrize("cookie", ["", "# -*- coding: gbk -*-\n", "#!/usr/bin/python\n# coding=gb2312\n"])
def test_gbk_is_read_and_said(tmp_path, softmax, cookie):
    (tmp_path / "submission.py").write_bytes((cookie + "# 减去最大值\n" + SOURCE).encode("gbk"))
    found = read_submission(tmp_path / "submission.py", softmax)
    assert [note.code for note in found.notes] == ["read-as-gb18030"]
    text = found.files["submission.py"].decode("utf-8")
    assert "减去最大值" in text
    compile(found.files["submission.py"], "submission.py", "exec")


def test_utf8_that_declares_another_encoding_still_compiles(tmp_path, softmax):
    (tmp_path / "submission.py").write_text("# coding: gbk\ns = '最大值'\n", encoding="utf-8")
    names = {}
    exec(
        compile(read_submission(tmp_path / "submission.py", softmax).files["submission.py"], "s", "exec"),
        names,
    )
    assert names["s"] == "最大值"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_encoding_is_declared_on_the_first_two_lines_only(tmp_path, softmax, end):
    lines = ["# mine", "# coding: gbk", "s = '最大值'", "t = dict(encoding=s)", ""]
    (tmp_path / "submission.py").write_bytes(end.join(lines).encode())
    given = read_submission(tmp_path / "submission.py", softmax).files["submission.py"].decode()
    assert given.split(end) == ["# mine", "# coding: utf-8", *lines[2:]]


@pytest.mark.parametrize("folder", ["", "homework/"])
def test_a_zip_is_a_folder(tmp_path, softmax, folder):
    entries = [(f"{folder}submission.py", SOURCE), (f"{folder}steps.py", "x = 1\n"), ("__MACOSX/._x", b"\0")]
    found = read_submission(zipped(tmp_path / "a.zip", entries), softmax)
    assert sorted(found.files) == ["steps.py", "submission.py"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../submission.py", "archive-path"),
        ("a/../../submission.py", "archive-path"),
        ("/etc/submission.py", "archive-path"),
        ("..\\submission.py", "archive-path"),
        ("C:/submission.py", "archive-path"),
    ],
)
def test_a_zip_may_not_leave_itself(tmp_path, softmax, name, code):
    assert refused(zipped(tmp_path / "a.zip", [(name, SOURCE)]), softmax) == code


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_a_zip_has_files_only(tmp_path, softmax, kind):
    entry = zipfile.ZipInfo("submission.py")
    entry.external_attr = (kind | 0o777) << 16
    assert refused(zipped(tmp_path / "a.zip", [(entry, "/etc/passwd")]), softmax) == "archive-link"


def test_names_that_differ_in_case_only_are_the_same_name(tmp_path, softmax):
    entries = [("submission.py", SOURCE), ("Submission.py", SOURCE)]
    assert refused(zipped(tmp_path / "a.zip", entries), softmax) == "archive-twice"


def test_a_bomb_is_not_unpacked(tmp_path, softmax):
    assert (
        refused(zipped(tmp_path / "a.zip", [("submission.py", b"#" * (64 << 20))]), softmax) == "archive-bomb"
    )


def test_a_zip_that_lies_about_its_sizes_is_not_believed(tmp_path, softmax):
    """Both headers say 10 bytes; the data unpacks to a megabyte."""
    content = zipped(tmp_path / "a.zip", [("submission.py", b"#" * (1 << 20))]).read_bytes()
    lie = content.replace(struct.pack("<I", 1 << 20), struct.pack("<I", 10))
    (tmp_path / "a.zip").write_bytes(lie)
    assert refused(tmp_path / "a.zip", softmax) in ("archive-bomb", "bad-archive")


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + b"\xff" * 60, b"nonsense"])
def test_a_broken_zip_says_so(tmp_path, softmax, content):
    (tmp_path / "a.zip").write_bytes(content)
    assert refused(tmp_path / "a.zip", softmax) == "bad-archive"


def test_data_that_does_not_unpack_says_so(tmp_path, softmax):
    """Not every damage shows in a header: here the packed data itself is none."""
    path = zipped(tmp_path / "a.zip", [("submission.py", SOURCE * 50)])
    content = bytearray(path.read_bytes())
    data = 30 + len("submission.py")
    content[data : data + 8] = b"\xff" * 8
    path.write_bytes(bytes(content))
    assert refused(path, softmax) == "bad-archive"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_ways_of_packing_are_refused(tmp_path, softmax, method):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("submission.py", SOURCE)
    assert refused(tmp_path / "a.zip", softmax) == "archive-method"


@pytest.mark.parametrize(
    "names",
    [
        ("./", "./submission.py", "./steps.py"),
        ("hw/", "./hw/submission.py", "hw/steps.py", "hw/deeper/x.py"),
        (".", "submission.py", "steps.py", "empty/"),
    ],
)
def test_names_that_begin_with_the_folder_itself_are_plain_names(tmp_path, softmax, names):
    entries = [(name, "" if name.endswith(("/", ".")) else SOURCE) for name in names]
    assert sorted(read_submission(zipped(tmp_path / "a.zip", entries), softmax).files) == [
        "steps.py",
        "submission.py",
    ]


def test_what_cannot_be_read_says_so(tmp_path, softmax):
    """For root nothing is forbidden, but a name may be too long for any file system."""
    assert refused(tmp_path / ("x" * 5000), softmax) == "unreadable"


def test_more_files_than_anyone_needs_are_refused(tmp_path, softmax):
    entries = [(f"m{number}.py", "x = 1\n") for number in range(200)]
    assert refused(zipped(tmp_path / "a.zip", entries), softmax) == "too-many-files"


def test_an_encrypted_zip_says_so(tmp_path, softmax):
    path = zipped(tmp_path / "a.zip", [("submission.py", SOURCE)])
    content = bytearray(path.read_bytes())
    central = content.index(b"PK\x01\x02")
    content[6] |= 1
    content[central + 8] |= 1
    path.write_bytes(bytes(content))
    assert refused(path, softmax) == "archive-encrypted"


def test_what_is_not_there_says_so(tmp_path, softmax):
    assert refused(tmp_path / "nothing.py", softmax) == "no-such-file"
    assert refused(tmp_path, softmax) == "no-candidate"
    assert refused(tmp_path, softmax, "cpp") == "no-such-track"


def test_sources_in_folders_below_are_noted(tmp_path, softmax):
    """Regression: they were dropped without a word, and then "there is no module lib"."""
    deeper = [("lib/__init__.py", ""), ("lib/steps.py", "x = 1\n")]
    archive = zipped(tmp_path / "work.zip", [("submission.py", SOURCE), *deeper])
    folder = tmp_path / "work"
    (folder / "lib").mkdir(parents=True)
    for name, content in [("submission.py", SOURCE), *deeper]:
        (folder / name).write_text(content)
    for path in (archive, folder):
        found = read_submission(path, softmax)
        assert list(found.files) == ["submission.py"]
        assert [note.params["names"] for note in found.notes] == ["lib/__init__.py, lib/steps.py"]


def test_what_desktops_put_beside_a_source_is_no_source(tmp_path, softmax):
    noise = [("._submission.py", "\0\5\26\7"), (".DS_Store", "\0"), ("._data", "\0")]
    archive = zipped(tmp_path / "work.zip", [("submission.py", SOURCE), *noise])
    folder = tmp_path / "work"
    folder.mkdir()
    for name, content in [("submission.py", SOURCE), *noise]:
        (folder / name).write_text(content)
    for path in (archive, folder):
        found = read_submission(path, softmax)
        assert list(found.files) == ["submission.py"] and not found.notes


def test_endings_in_capitals_are_endings(tmp_path, softmax):
    (tmp_path / "SOFTMAX.PY").write_text(SOURCE)
    assert read_submission(tmp_path / "SOFTMAX.PY", softmax).files == {"submission.py": SOURCE.encode()}


@pytest.mark.parametrize("name", ["softmax", "softmax.py.txt"])
def test_one_file_of_no_known_ending_is_told_its_ending(tmp_path, softmax, name):
    """Regression: it was advised to be handed in alone, as it was."""
    (tmp_path / name).write_text(SOURCE)
    assert refused(tmp_path / name, softmax) == "unknown-ending"
    assert read_submission(tmp_path / name, softmax, "numpy").files == {"submission.py": SOURCE.encode()}


def test_of_what_the_starter_has_put_there_nothing_is_noted(tmp_path, softmax):
    write_starter(softmax, tmp_path / "work", "en")
    assert not read_submission(tmp_path / "work", softmax, "numpy").notes
