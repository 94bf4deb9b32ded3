"""A short run of bin/fuzz-api, which tests the API with schemathesis. Skipped if schemathesis is not installed."""

import pytest

from fuzz_api import SCHEMATHESIS, demo_key, fuzz
from replica import Api


@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="schemathesis is not installed; bin/fuzz-api installs it")
def test_every_operation_answers_as_the_openapi_document_says(server, tmp_path):
    key = demo_key(server)
    status, output = fuzz(server, key, "--max-time", 45, "--seed", 1, reports=tmp_path / "reports")
    assert status == 0, output
    assert Api(server.port, key).send("GET", "/api/v1/members/me")["role"] == "owner"
