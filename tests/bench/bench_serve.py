"""What `lawmage serve` bears: many requests at once, answered by a server that is started as a user would start it.

    python tests/bench/bench_serve.py check [REQUESTS]
    python tests/bench/bench_serve.py mixed [REQUESTS]

`check` sends random boards of 10 attackers and 10 blockers, no two alike, to /api/check over 50 connections: first each connection sends
its next request when it has its answer, then 300 requests are sent each second, come what may. `mixed` sends checks, decks, look-ups and
pages, and kills a worker in the middle; what it prints of memory is the proportional size (PSS) of all processes of the server.

The client is a process of its own. CPU time is that of all processes of the server, so it means something on a busy machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pickle
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

CONNECTIONS = 50
RATE = 300
ROOT = Path(__file__).resolve().parents[2]
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_TICKS = os.sysconf("SC_CLK_TCK")


# ------------------------------------------------------------ the client


@dataclass(frozen=True, slots=True)
class Plan:
    """Requests as they go over the wire, and how fast: `rate` a second, or as fast as answers come."""

    host: str
    port: int
    requests: Sequence[bytes]
    rate: float | None


class Connection(asyncio.Protocol):
    """Sends requests one after the other, and notes how long each took from when it should have been sent."""

    def __init__(self, waiting: deque[tuple[float, bytes]], done: list[tuple[int, float]]) -> None:
        self.waiting, self.done = waiting, done
        self.began: float | None = None
        self.received = b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def send(self) -> None:
        if self.began is None and self.waiting:
            self.began, request = self.waiting.popleft()
            self.began = self.began or time.perf_counter()
            self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.received += data
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self.received, 0, end)
        if length and len(self.received) >= end + 4 + int(length[1]):
            self.note(int(self.received[9:12]))
            self.send()

    def note(self, status: int) -> None:
        assert self.began is not None
        self.done.append((status, time.perf_counter() - self.began))
        self.began, self.received = None, b""

    def connection_lost(self, _error: Exception | None) -> None:
        if self.began is not None:
            self.note(0)


async def send_all(plan: Plan) -> dict[str, Any]:
    """Send the requests of a plan; return how long it took, and status and seconds of each."""
    waiting: deque[tuple[float, bytes]] = deque()
    done: list[tuple[int, float]] = []
    loop = asyncio.get_running_loop()
    connections = deque[Connection]()
    for _ in range(CONNECTIONS):
        connections.append((await loop.create_connection(lambda: Connection(waiting, done), plan.host, plan.port))[1])
    start = time.perf_counter()
    if plan.rate is None:
        waiting.extend((0.0, request) for request in plan.requests)
        for connection in connections:
            connection.send()
    else:
        for number, request in enumerate(plan.requests):
            due = start + number / plan.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            waiting.append((due, request))
            for _ in range(CONNECTIONS):
                connections.rotate(-1)  # in turns, as the server closes a connection on which nothing is asked for some seconds
                if connections[0].began is None:
                    connections[0].send()
                    break
    while len(done) < len(plan.requests):
        await asyncio.sleep(0.01)
    return {"seconds": time.perf_counter() - start, "done": done}


def client() -> None:
    plan: Plan = pickle.load(sys.stdin.buffer)
    print(json.dumps(asyncio.run(send_all(plan))))


# ------------------------------------------------------------ requests


def request(path: str, body: bytes | None = None, media: str = "application/json") -> bytes:
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is None:
        return f"{head}\r\n".encode()
    return f"{head}Content-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def boards(number: int, seed: int) -> list[bytes]:
    """Return so many checks of random 10 v 10 boards, with up to six requirements each."""
    sys.path.insert(0, str(ROOT))
    from tests.bench.bench_blocks import random_board, some_declaration
    from tests.oracle import blocks as oracle

    rng = random.Random(seed)
    found = []
    for _ in range(number):
        board = random_board(rng, 10, 10, rng.randrange(7))
        found.append(request("/api/check", json.dumps(oracle.to_scenario(board, {"p": some_declaration(rng, board)})).encode()))
    assert len(set(found)) == number
    return found


def mixture(number: int, seed: int) -> list[bytes]:
    """Return checks, decks, look-ups and pages in a random order."""
    rng = random.Random(seed)
    rules = [
        f"{chapter}.{rule}"
        for chapter, last in (("508", 1), ("509", 1), ("510", 1), ("702", 190), ("903", 11))
        for rule in range(1, last + 1)
    ]
    words = ("deathtouch", "lethal damage", "banding", '"must be blocked"', "menac*", "commander tax", "flyng")
    deck = b"Commander\n1 Isamaru, Hound of Konda\n\nDeck\n%d Plains\n%d Birds of Paradise\n"
    pages = ("/", "/board", "/deck", "/rules/702.2", "/keywords/menace", "/api/docs", "/search?words=trample")
    found = boards(number * 4 // 10, seed)
    while len(found) < number:
        found.append(
            rng.choice(
                [
                    request("/api/deck", deck % (rng.randrange(90, 99), rng.randrange(1, 9)), "text/plain"),
                    request(f"/api/rule/{rng.choice(rules)}"),
                    request(f"/api/search?words={quote(rng.choice(words))}"),
                    request(f"/api/complete?prefix={rng.choice('abcdefghilmnoprstuvw')}{rng.choice('aeiou')}"),
                    request(rng.choice(pages)),
                ]
            )
        )
    rng.shuffle(found)
    return found


# ------------------------------------------------------------ the server


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs: its address, its process, and the seconds after which it answered."""

    address: str
    process: int
    ready: float

    def processes(self) -> list[int]:
        """The server and all that came from it."""
        found = [self.process]
        for process in found:
            children = Path(f"/proc/{process}/task/{process}/children")
            found += [int(child) for child in children.read_text().split()] if children.is_file() else []
        return found

    def cpu(self) -> float:
        """CPU seconds so far, with those of processes that have ended."""
        total = 0
        for process in self.processes():
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
        return total / _TICKS

    def memory(self) -> float:
        """MiB that all processes have together, shared pages counted once."""
        found = 0
        for process in self.processes():
            with suppress(OSError):  # one that has ended meanwhile
                match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
                found += int(match[1]) if match else 0
        return found / 1024


@contextmanager
def serving(*options: str) -> Any:
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "lawmage", "serve", "--port", "0", "--json", *options],
            stdout=subprocess.PIPE,
            text=True,
            env={"LAWMAGE_HOME": home, **os.environ},
        )
        assert process.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server ended before it was ready"
            said += line
        address = json.loads(said)["address"]
        urllib.request.urlopen(f"{address}/api/rule/702.2").read()
        try:
            yield Served(address, process.pid, time.perf_counter() - start)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def send(served: Served, requests: Sequence[bytes], rate: float | None = None) -> subprocess.Popen[bytes]:
    """Start a client that sends these requests."""
    url = urlsplit(served.address)
    process = subprocess.Popen([sys.executable, __file__, "client"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(pickle.dumps(Plan(url.hostname or "", url.port or 0, requests, rate)))
    process.stdin.close()
    process.stdin = None
    return process


def report(name: str, served: Served, requests: Sequence[bytes], rate: float | None = None) -> None:
    """Send requests and print one line on them."""
    cpu = served.cpu()
    output, _ = send(served, requests, rate).communicate()
    show(name, json.loads(output), served.cpu() - cpu)


def show(name: str, found: dict[str, Any], cpu: float) -> None:
    times = sorted(seconds for _, seconds in found["done"])
    statuses = dict(sorted(Counter(status for status, _ in found["done"]).items()))
    p50, p95, worst = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.95, 1 - 1 / len(times)))
    print(
        f"{name:<34}{len(times) / found['seconds']:>7.0f}/s   p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   worst {worst:7.1f} ms"
        f"   CPU {cpu / len(times) * 1000:5.2f} ms each   {statuses}",
        flush=True,
    )


def check(number: int) -> None:
    with serving() as served:
        print(f"ready after {served.ready:.2f} s, {served.memory():.0f} MiB in {len(served.processes())} processes")
        report("warm-up", served, boards(500, 1))
        report(f"{CONNECTIONS} connections, one after the other", served, boards(number, 2))
        report(f"{CONNECTIONS} connections, {RATE} a second", served, boards(number, 3), RATE)
        print(f"{served.memory():.0f} MiB")


def mixed(number: int) -> None:
    with serving() as served:
        print(f"ready after {served.ready:.2f} s, {served.memory():.0f} MiB in {len(served.processes())} processes")
        report("warm-up", served, mixture(max(number // 5, 500), 1))
        cpu = served.cpu()
        sending = send(served, mixture(number, 2))
        sizes: list[float] = []
        with ThreadPoolExecutor(1) as thread:
            output = thread.submit(sending.communicate)
            while not output.done():
                sizes.append(served.memory())
                if len(sizes) == 4:
                    os.kill(max(served.processes()), signal.SIGKILL)
                time.sleep(1)
        show("mixed, one worker killed", json.loads(output.result()[0]), served.cpu() - cpu)
        third = len(sizes) // 3
        first, last = statistics.mean(sizes[:third]), statistics.mean(sizes[-third:])
        print(f"{first:.0f} MiB in the first third, {last:.0f} MiB in the last ({last / first - 1:+.1%}), at most {max(sizes):.0f} MiB")


def main() -> None:
    if sys.argv[1:] == ["client"]:
        client()
        return
    sys.path.insert(0, str(ROOT))
    from tests.bench.arguments import number

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("check", "mixed"), default="check")
    parser.add_argument("requests", metavar="REQUESTS", nargs="?", type=number, help="by default 3,000 checks, or 10,000 in all")
    given = parser.parse_args()
    if given.what == "check":
        check(given.requests or 3000)
    else:
        mixed(given.requests or 10_000)


if __name__ == "__main__":
    main()
