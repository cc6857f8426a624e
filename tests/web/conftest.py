"""A real server for the tests of the web page and the API."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: A server that is not there after so long never will be.
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Site:
    """A server that runs: its address, and its process."""

    address: str
    process: subprocess.Popen[str]


@contextmanager
def serving(home: Path, *options: str, **environment: str) -> Iterator[Site]:
    """Run `lawmage serve` at a free port, with an empty folder for installed data."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lawmage", "serve", "--port", "0", "--json", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LAWMAGE_HOME": str(home), "PYTHONPATH": str(ROOT), **environment},
    )
    assert process.stdout is not None
    try:
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, f"the server ended with {process.wait(_SECONDS)} before it was ready"
            said += line
        yield Site(json.loads(said)["address"], process)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server on a free port of this machine, as a user would start it, without installed texts."""
    with serving(tmp_path_factory.mktemp("home"), "--workers", "2") as running:
        yield running
