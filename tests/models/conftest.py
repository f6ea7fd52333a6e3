"""The models that these tests run."""

import pytest
from tiny_bert import make_folder

from pyattn.models import ModelNotAvailable, SentenceEncoder, fetch


@pytest.fixture(scope="session")
def minilm_folder():
    """The real all-MiniLM-L6-v2."""
    try:
        return fetch.model_folder()
    except ModelNotAvailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def minilm(minilm_folder):
    return SentenceEncoder.from_folder(minilm_folder)


@pytest.fixture
def tiny_folder(tmp_path):
    """A small model of random weights, to be changed at will."""
    return make_folder(tmp_path / "tiny")
