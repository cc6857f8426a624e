"""What a server refuses, and how it begins and ends."""

from __future__ import annotations

import importlib.util
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from tests.web.conftest import Site, run_apart, serving
from tests.web.test_pool import wait_until_gone
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.web.limits import Limits
from lawmage.web.settings import Settings

JSON = {"Content-Type": "application/json"}


def board(creatures: int, **more: Any) -> dict[str, Any]:
    """So many creatures on each side, all of one side attacking."""
    there = {f"a{number}": {"controller": "A", "pt": "2/2"} for number in range(creatures)}
    home = {f"b{number}": {"controller": "D", "pt": "2/2"} for number in range(creatures)}
    return {"battlefield": there | home, "attack": dict.fromkeys(there, "D"), "propose": {"p": {}}, **more}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that allows little."""
    options = ["--workers", "1", "--time-limit", "2", "--at-once", "1", "--body-bytes", "5000", "--body-seconds", "0.5", "--objects", "30"]
    with serving(tmp_path_factory.mktemp("home"), *options, "--allow-host", "rules.example") as running:
        yield running


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with ten places, which waits for a request for longer than a test does."""
    options = ["--workers", "1", "--connections", "10", "--body-seconds", "100", "--time-limit", "120"]
    with serving(tmp_path_factory.mktemp("home"), *options) as running:
        yield running


def raw(site: Site, *parts: bytes, pause: float = 0.0) -> bytes:
    """What is answered to these bytes, sent with pauses between them."""
    url = urlsplit(site.address)
    assert url.hostname
    assert url.port
    with socket.create_connection((url.hostname, url.port), timeout=20) as connection:
        found = b""
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
            while piece := connection.recv(10_000):
                found += piece
        except ConnectionError:
            pass
        return found


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    "path", ["/", "/board", "/api/rule/702.2", "/api/rule/999", "/api/docs", "/nothing", "/static/style.css", "/static/x"]
)
def test_headers(site: Site, path: str) -> None:
    headers = httpx.get(f"{site.address}{path}").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "server" not in headers
    assert headers["cache-control"] == "no-cache"


def test_a_file_that_never_changes_may_be_kept(site: Site) -> None:
    page = httpx.get(f"{site.address}/").text
    address = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    found = httpx.get(f"{site.address}{address}")
    assert found.status_code == 200
    assert "immutable" in found.headers["cache-control"]


def test_what_is_missing_is_told_to_people_on_a_page(site: Site) -> None:
    found = httpx.get(f"{site.address}/nothing")
    assert found.status_code == 404
    assert found.headers["content-type"].startswith("text/html")
    assert "there is nothing at /nothing" in found.text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:99", 200),
        ("[::1]:99", 200),
        ("rules.example", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:80", 421),
        ("", 421),
        ("[::1].evil.example", 421),
    ],
)
def test_other_names_for_this_machine(strict: Site, host: str, status: int) -> None:
    found = httpx.get(f"{strict.address}/api/rule/702.2", headers={"Host": host})
    assert found.status_code == status
    if status == 421:
        assert "does not answer for the host" in found.json()["detail"]


@pytest.mark.parametrize(
    ("method", "site", "mode", "status"),
    [
        ("GET", "cross-site", "navigate", 200),
        ("GET", "same-origin", "cors", 200),
        ("GET", "none", "navigate", 200),
        ("GET", "cross-site", "no-cors", 403),
        ("HEAD", "cross-site", "no-cors", 403),
        ("POST", "cross-site", "navigate", 403),
        ("POST", "same-origin", "cors", 422),
    ],
)
def test_what_pages_of_other_sites_ask(strict: Site, method: str, site: str, mode: str, status: int) -> None:
    path = "/api/check" if method == "POST" else "/api/rule/702.2"
    found = httpx.request(method, f"{strict.address}{path}", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode})
    assert found.status_code == status
    if status == 403 and method != "HEAD":
        assert "another site" in found.json()["detail"]


# ---------------------------------------------------------------- sizes


def test_a_body_that_is_too_large(strict: Site) -> None:
    found = httpx.post(f"{strict.address}/api/check", content=b" " * 5001, headers=JSON)
    assert (found.status_code, found.json()["detail"]) == (413, "the request has 5,001 bytes; expected at most 5,000")
    assert httpx.post(f"{strict.address}/api/check", content=b" " * 5000, headers=JSON).status_code == 422
    in_pieces = httpx.post(f"{strict.address}/api/check", content=iter([b" " * 1000] * 6), headers=JSON)
    assert (in_pieces.status_code, in_pieces.json()["detail"]) == (413, "the request has more than 5,000 bytes")


def test_a_body_that_is_said_to_be_endless(strict: Site) -> None:
    head = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999\r\n\r\n"
    assert raw(strict, head).startswith(b"HTTP/1.1 413 ")


def test_a_head_that_is_too_large(strict: Site) -> None:
    head = b"GET /api/rule/702.2 HTTP/1.1\r\nHost: localhost\r\n"
    assert raw(strict, head, *(b"X-%d: " % number + b"x" * 10_000 + b"\r\n" for number in range(10))) == b""


def test_a_board_that_is_too_large(strict: Site) -> None:
    found = httpx.post(f"{strict.address}/api/check", json=board(16))
    assert (found.status_code, found.json()["detail"]) == (422, "scenario: the board has 32 objects; expected at most 30")
    assert httpx.post(f"{strict.address}/api/check", json=board(15)).status_code == 200


# ---------------------------------------------------------------- time


def test_who_sends_slowly_is_cut_off(strict: Site) -> None:
    head = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    assert raw(strict, head, b" ").startswith(b"HTTP/1.1 408 ")
    begun = time.monotonic()
    assert raw(strict, b"GET / HTTP/1.1\r\nHost: localhost\r\n") == b""
    assert raw(strict) == b""
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        b"GET /api/releases HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=["nothing", "half a head", "half a body", "nothing more"],
)
def test_who_asks_nothing_takes_no_place_from_who_does(crowded: Site, sent: bytes) -> None:
    url = urlsplit(crowded.address)
    with ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection((url.hostname or "", url.port or 0), timeout=20)) for _ in range(50)]
        for connection in idle:
            with suppress(ConnectionError):
                connection.sendall(sent)
        for _ in range(3):
            assert httpx.get(f"{crowded.address}/api/releases").status_code == 200


def test_what_is_judged_too_long_is_undecided_and_one_too_many_is_turned_away(strict: Site) -> None:
    def ask(path: str) -> httpx.Response:
        return httpx.post(f"{strict.address}{path}", json=board(10), timeout=60)

    # More than 10^10 declarations: listing them fills all time and memory that there is.
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(ask, ["/api/enumerate"] * 8)]
    statuses = {response.status_code for response in found}
    assert 429 in statuses
    assert statuses <= {200, 429}
    for response in found:
        if response.status_code == 200:
            assert response.headers["lawmage-status"] == "3"
            (file,) = response.json()["files"]
            assert file["verdict"] == "undecided"
            assert "so it was stopped" in file["not_understood"][0]
        else:
            assert response.headers["retry-after"].isdecimal()
            assert "ask again later" in response.json()["detail"]
    assert httpx.post(f"{strict.address}/api/check", json=board(3), timeout=60).json()["files"][0]["proposals"]["p"]["verdict"] == "legal"


def menaces(rng: random.Random, size: int) -> dict[str, Any]:
    """A board with a requirement on every creature, where most attackers have menace: the hardest that we know."""
    there = {
        f"a{number}": {
            "controller": "A",
            "pt": "2/2",
            "keywords": [keyword for keyword, chance in (("menace", 0.6), ("flying", 0.25)) if rng.random() < chance],
            "text": rng.choice(["This creature must be blocked if able."] * 9 + ["All creatures able to block this creature do so."]),
        }
        for number in range(size)
    }
    home = {
        f"b{number}": {
            "controller": "D",
            "pt": "2/2",
            "keywords": rng.choice([["flying"], ["reach"], [], []]),
            "text": "This creature blocks each combat if able.",
        }
        for number in range(size)
    }
    return {"battlefield": there | home, "attack": dict.fromkeys(there, "D"), "propose": {"p": {}}}


def test_hard_boards_take_no_longer_than_they_may(site: Site) -> None:
    rng = random.Random(1)
    for _ in range(4):
        found = httpx.post(f"{site.address}/api/check?time_limit=0.01", json=menaces(rng, 40), timeout=60)
        assert found.status_code == 200
        # Nobody blocks although somebody could: a search that is cut short has found that much.
        verdict = found.json()["files"][0]["proposals"]["p"]
        assert verdict["verdict"] in ("illegal", "undecided")
        assert verdict["requirements"]["obeyed"] == 0


# ---------------------------------------------------------------- beginning and end


def children(process: int) -> frozenset[int]:
    found = [process]
    for one in found:
        found += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
    return frozenset(found[1:])


def test_the_end(tmp_path: Path) -> None:
    """That SIGTERM ends a server well is seen wherever a test ends its own."""
    with serving(tmp_path, "--workers", "2") as running:
        processes = children(running.process.pid)
        assert len(processes) == 4
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(30) == 0
        assert not wait_until_gone(processes)


def test_a_port_that_is_taken(site: Site) -> None:
    port = str(urlsplit(site.address).port)
    command = [sys.executable, "-m", "lawmage", "serve", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    told = f"cannot listen at 127.0.0.1 port {port} (address already in use); choose another with --host or --port"
    assert done.stderr == f"error: {told}\n"


def test_an_address_that_is_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = CliRunner().invoke(app, ["serve", "--host", "256.0.0.1", "--port", str(taken.getsockname()[1])])
    assert "cannot listen at 256.0.0.1" in str(done.exception)


def test_who_lets_other_machines_in_is_warned(site: Site) -> None:
    done = CliRunner().invoke(app, ["serve", "--host", "0.0.0.0", "--port", str(urlsplit(site.address).port)])
    assert "warning: other machines can reach this server, and nothing asks them who they are" in done.stderr
    assert "address already in use" in str(done.exception)


def test_other_machines_may_use_any_name() -> None:
    async def hello(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def status(settings: Settings) -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(Limits(hello, settings))) as client:
            return (await client.get("http://any.example/")).status_code

    assert run_apart(status(Settings(host="0.0.0.0"))) == 204
    assert run_apart(status(Settings())) == 421


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == "uvicorn" else found(name, package))
    done = CliRunner().invoke(app, ["serve"])
    assert "pip install 'lawmage[web]'" in str(done.exception)
