"""The API keeps what its OpenAPI document promises, whatever it is sent: schemathesis makes up requests, good and bad ones."""

from __future__ import annotations

import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from tests.web.conftest import Site

#: Requests of each kind for each operation.
EXAMPLES = max(2, int(os.environ.get("LAWMAGE_EXAMPLES", "100")) // 50)

_CONFIG = {
    # An address that is asked for may need data that are not installed here (503).
    "checks": {
        "not_a_server_error": {"expected-statuses": ["2xx", "4xx", "503"]},
        # What is well-formed may still name a card or a rule that there is not.
        "positive_data_acceptance": {"expected-statuses": ["2xx", "404", "413", "415", "422", "503"]},
        "negative_data_rejection": {"expected-statuses": ["4xx", "503"]},
    }
}


def test_the_api_is_what_it_says(site: Site) -> None:
    schema = schemathesis.openapi.from_url(f"{site.address}/api/openapi.json", config=SchemathesisConfig.from_dict(_CONFIG))
    seen = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if not operation.path.startswith("/api"):
            continue
        strategies = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

        @settings(
            max_examples=EXAMPLES * len(strategies),
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
            database=None,
        )
        @given(case=st.one_of(strategies))
        def keeps_its_promise(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(timeout=180)

        try:
            keeps_its_promise()
        except BaseException as error:
            error.add_note(operation.label)
            raise
        seen += 1
    assert seen >= 27


@pytest.mark.slow
def test_the_api_is_what_it_says_at_length(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.web.test_schemathesis.EXAMPLES", 100)
    test_the_api_is_what_it_says(site)
