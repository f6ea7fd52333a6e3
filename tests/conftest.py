"""What every test may ask for, and how long hypothesis may look."""

import cython_door
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import pyattn

# A noisy machine makes single examples slow; that is no failure.
settings.register_profile("pyattn", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pyattn")


@pytest.fixture(params=pyattn.available_isas())
def isa(request):
    """Each instruction set of this machine in turn, in use while the test runs."""
    with pyattn.use_isa(request.param):
        yield request.param


@pytest.fixture
def rng():
    return np.random.default_rng(20261130)


@pytest.fixture(scope="session")
def probe(tmp_path_factory):
    """The C functions of pyattn.cython_api for Python to call."""
    return cython_door.build(cython_door.PROBE, tmp_path_factory.mktemp("probe"), "cython_api_probe")
