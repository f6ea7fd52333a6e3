"""The OpenAPI document tells the truth: whatever schemathesis makes of it, the answers are those that it promises."""

import hypothesis
import pytest
from api_program import PEOPLE, Program
from hypothesis import HealthCheck, given
from service_world import World

schemathesis = pytest.importorskip("schemathesis", reason="not installed: pip install '.[test]'")

_SOME = hypothesis.settings(
    max_examples=8, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A teacher's, with a token for everything, and something handed in."""
    world = World(tmp_path_factory.mktemp("document"), submissions_per_minute=100_000)
    world.course("nlp", **PEOPLE)
    world.submit("prof")
    yield Program(world, "prof", "read", "submit", "teach")
    world.close()


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
def test_every_answer_is_as_the_document_says(program, mode):
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", program.client.application)
    operations = [found.ok() for found in document.get_all_operations()]
    assert len(operations) == 12
    for operation in operations:

        @_SOME
        @given(case=operation.as_strategy(generation_mode=mode))
        def hold(case):
            case.call_and_validate(headers=program.headers)

        hold()
