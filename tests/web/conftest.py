"""A real server for the tests of the web page and the API."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parents[2]
#: A server that is not there after so long never will be.
_SECONDS = 60
Answer = TypeVar("Answer")


def run_apart(main: Coroutine[Any, Any, Answer]) -> Answer:
    """Return what `main` does, run in a thread of its own: once a test has asked for a browser, this one has an event loop that runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main).result()


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
        env={**os.environ, "LAWMAGE_HOME": str(home), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tools'}", **environment},
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
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    assert process.returncode == 0


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server on a free port of this machine, as a user would start it, without installed texts."""
    # A machine that runs tests has other things to do, so that time is no limit.
    with serving(tmp_path_factory.mktemp("home"), "--workers", "2", "--time-limit", "120") as running:
        yield running


#: Where Debian has its browser; and how one is started that asks nothing of the network.
CHROMIUM = Path("/usr/bin/chromium")
SWITCHES = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
#: How the browser logs that the server refused something: what a test got wrong on purpose, or too much.
_REFUSALS = tuple(f"{said} {status}" for said in ("status of", "Error Code") for status in (413, 422, 429))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; tests that need one skip without it."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no browser at {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, site: Site, **options: Any) -> Iterator[Page]:
    """A new window, whose addresses are the site's. Errors that it logs fail the test, and so does what the pages' policy forbids."""
    context: BrowserContext = browser.new_context(base_url=site.address, **options)
    context.set_default_timeout(15_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert [error for error in errors if not any(refusal in error for refusal in _REFUSALS)] == []


@pytest.fixture
def browser_page(chromium: Browser, site: Site) -> Iterator[Page]:
    """A window of the size of a desk's screen; see `opened`."""
    with opened(chromium, site, viewport={"width": 1280, "height": 900}) as page:
        yield page
