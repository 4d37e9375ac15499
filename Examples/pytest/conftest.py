"""One server for the test run, one scope for each test. SHOAL_ENDPOINT names a server that is running already."""
import os

import boto3
import pytest
from shoal import Shoal


@pytest.fixture(scope="session")
def shoal_server():
    endpoint = os.environ.get("SHOAL_ENDPOINT")
    server = Shoal(endpoint) if endpoint else Shoal.start(os.environ.get("SHOAL_BINARY", "shoal"))
    yield server
    server.stop()


@pytest.fixture
def shoal(shoal_server):
    """A world of its own for the test. A rule that never struck fails it: it did not test what it should."""
    scope = shoal_server.scope(buckets=["photos"])
    yield scope
    report = scope.end()
    assert not report["neverFired"], f"rules that never fired: {', '.join(report['neverFired'])}"


@pytest.fixture
def s3(shoal):
    return boto3.client("s3", **shoal.boto3)
