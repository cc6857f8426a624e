"""The command: over standard input and output, over HTTP, without the extra, and when a question takes too long."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.errors import InputError
from lawmage.mcp.server import create_server
from lawmage.web.settings import Settings

from .conftest import text_of
from .test_tools import BOARD

ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 60


def with_client(client: Client, work: Callable[[Client], Awaitable[None]]) -> None:
    """Do something with a client that is connected meanwhile."""

    async def run() -> None:
        with anyio.fail_after(_SECONDS):
            async with client:
                await work(client)

    anyio.run(run)


async def judge(client: Client) -> None:
    assert len((await client.list_tools()).tools) == 14
    found = await client.call_tool("check", {"scenario": BOARD})
    assert "702.111b: ogre can't be blocked by fewer than 2 creatures" in text_of(found)


def test_over_standard_input_and_output(tmp_path: Path) -> None:
    environment = {**os.environ, "LAWMAGE_HOME": str(tmp_path)}
    with_client(Client(StdioServerParameters(command=sys.executable, args=["-m", "lawmage", "mcp"], env=environment)), judge)


def test_over_http(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "LAWMAGE_HOME": str(tmp_path)}
    server = subprocess.Popen([sys.executable, "-m", "lawmage", "mcp", "--http", str(port)], env=environment)
    try:
        wait_for(port)
        with_client(Client(f"http://127.0.0.1:{port}/mcp"), judge)
        # A page of another site can make a name of its own point to this machine.
        assert httpx.post(f"http://127.0.0.1:{port}/mcp", json={}, headers={"Host": "elsewhere.example"}).status_code == 421
    finally:
        server.terminate()
        server.wait(_SECONDS)


def wait_for(port: int) -> None:
    for _ in range(10 * _SECONDS):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server is not there")


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = CliRunner().invoke(app, ["mcp", "--http", str(taken.getsockname()[1])])
    assert isinstance(done.exception, InputError)
    assert "(address already in use)" in str(done.exception)


def test_it_can_be_interrupted_while_nothing_is_asked(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lawmage", "mcp"]
    environment = {**os.environ, "LAWMAGE_HOME": str(tmp_path)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == -signal.SIGINT


def test_what_takes_too_long_is_stopped_and_a_death_loses_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    settings = Settings(workers=1, seconds=1, answers="tests.model_context.troubled:TROUBLED")

    board = f"title: trouble\n{BOARD}"

    async def ask(client: Client) -> None:
        for tool in ("enumerate", "outcome", "lethal"):
            stopped = await client.call_tool(tool, {"scenario": board})
            assert not stopped.is_error
            assert "undecided" in text_of(stopped)
        late = await client.call_tool("check", {"scenario": board})
        assert not late.is_error
        assert late.structured_content is not None
        assert {verdict["verdict"] for verdict in late.structured_content["proposals"].values()} == {"undecided"}
        assert "this takes longer than a request may take (1 seconds), so it was stopped" in text_of(late)
        for tool, arguments, sentence in (
            ("deck", {"deck": "1 trouble"}, "this takes longer than a request may take (1 seconds), so it was stopped"),
            ("search", {"words": "trouble"}, "the process that worked on this request died, so it was not answered"),
        ):
            lost = await client.call_tool(tool, arguments)
            assert (lost.is_error, text_of(lost)) == (True, sentence)
        assert "Menace" in text_of(await client.call_tool("rule", {"number": "702.111"}))

    with_client(Client(create_server(settings)), ask)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    result = CliRunner().invoke(app, ["mcp"])
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == "this needs the extra mcp, which isn't installed; install it with: pip install 'lawmage[mcp]'"
