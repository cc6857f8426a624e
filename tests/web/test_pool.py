"""The pool: no question harms another, whatever becomes of its process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import ROOT, run_apart

from lawmage.answers import Source
from lawmage.errors import DataError, InputError, UnknownNameError
from lawmage.web.kept import Kept
from lawmage.web.pool import BusyError, CrashedError, FaultError, Pool, Reply, StoppedError
from lawmage.web.settings import Settings

SETTINGS = Settings(workers=2, lookups=0, seconds=20.0, worker_memory=1 << 30, answers="tests.web.misbehaving:ANSWERS")
BOARD = "battlefield: {m: {controller: A, pt: 1/1}}\nattack: {m: D}\npropose: {p: {}, q: {}}"

Asking = Callable[[Pool], Awaitable[Any]]


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{ROOT / 'tools'}")


def ask(asking: Asking, settings: Settings = SETTINGS) -> Any:
    """Run `asking` with a pool."""

    async def run() -> Any:
        async with Pool(settings) as pool:
            return await asking(pool)

    return run_apart(run())


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(processes: frozenset[int]) -> set[int]:
    """Return those of the processes that are still there after a while."""
    for _ in range(100):
        left = {process for process in processes if is_running(process)}
        if not left:
            break
        time.sleep(0.1)
    return left


def test_answers_as_they_are_asked_for() -> None:
    async def asking(pool: Pool) -> None:
        found = await asyncio.gather(*(pool.ask("echo", number=number) for number in range(50)))
        assert [one.document["said"] for one in found] == [{"number": number} for number in range(50)]
        assert {one.status for one in found} == {1}
        assert {one.document["process"] for one in found} == pool.processes
        assert os.getpid() not in pool.processes

    ask(asking)


def test_errors_come_in_the_same_words() -> None:
    async def asking(pool: Pool) -> None:
        with pytest.raises(InputError) as refused:
            await pool.ask("refuses")
        assert (str(refused.value), refused.value.file, refused.value.line) == ("x.yaml:3: this is not it", "x.yaml", 3)
        with pytest.raises(UnknownNameError, match=r'^there is no "x"; did you mean "y"\?$'):
            await pool.ask("knows_nothing")

    ask(asking)


def test_a_fault_is_told_without_its_insides(capfd: pytest.CaptureFixture[str]) -> None:
    async def asking(pool: Pool) -> None:
        with pytest.raises(FaultError, match="please report") as fault:
            await pool.ask("recurses")
        assert "recurs" not in str(fault.value)
        assert (await pool.ask("echo")).status == 1

    ask(asking)
    assert "RecursionError" in capfd.readouterr().err


def test_who_dies_takes_nobody_along() -> None:
    async def asking(pool: Pool) -> None:
        before = pool.processes
        others = [asyncio.create_task(pool.ask("echo", number=number)) for number in range(20)]
        with pytest.raises(CrashedError, match="died"):
            await pool.ask("dies")
        assert [one.document["said"]["number"] for one in await asyncio.gather(*others)] == list(range(20))
        await pool.ask("sleeps", seconds=0.5)
        assert len(pool.processes) == 2
        assert pool.processes != before
        # Nor does it stay as a zombie.
        assert not any(Path(f"/proc/{process}").exists() for process in before - pool.processes)

    ask(asking)


def test_a_worker_that_is_killed_costs_no_answer(tmp_path: Path) -> None:
    async def asking(pool: Pool) -> None:
        assert (await pool.ask("dies_once", mark=str(tmp_path / "mark"))).document["process"] in pool.processes
        sleeping = [asyncio.create_task(pool.ask("sleeps", seconds=0.3)) for _ in range(2)]
        await asyncio.sleep(0.1)
        os.kill(min(pool.processes), signal.SIGKILL)
        assert [one.document for one in await asyncio.gather(*sleeping)] == [{"slept": 0.3}] * 2

    ask(asking)


def test_an_idle_worker_that_is_killed_is_replaced() -> None:
    async def asking(pool: Pool) -> None:
        for process in pool.processes:
            os.kill(process, signal.SIGKILL)
        assert [one.status for one in await asyncio.gather(*(pool.ask("echo") for _ in range(4)))] == [1] * 4

    ask(asking)


def test_who_takes_too_long_is_stopped_and_replaced() -> None:
    async def asking(pool: Pool) -> None:
        before = pool.processes
        with pytest.raises(StoppedError, match=r"takes longer than a request may take \(1 seconds\)"):
            await pool.ask("sleeps", seconds=60)
        assert [one.status for one in await asyncio.gather(*(pool.ask("echo") for _ in range(4)))] == [1] * 4
        stopped = before - pool.processes
        assert len(stopped) == 1
        assert not wait_until_gone(stopped)

    ask(asking, replace(SETTINGS, seconds=1.0))


def test_what_is_judged_too_long_is_undecided() -> None:
    async def asking(pool: Pool) -> None:
        sources = [Source("a.yaml", BOARD), Source("b.yaml", "nothing")]
        found = await pool.ask("check", sources=sources, seconds=60, release="2026-04-17")
        first, second = found.document["files"]
        assert found.status == 3
        assert (first["file"], first["release"], first["judge"]) == ("a.yaml", "2026-04-17", "block")
        assert {name: one["verdict"] for name, one in first["proposals"].items()} == {"p": "undecided", "q": "undecided"}
        (sentence,) = first["proposals"]["p"]["not_understood"]
        assert "so it was stopped" in sentence
        assert "b.yaml" in second["error"]
        counted = await pool.ask("enumerate", source=sources[0], seconds=60)
        assert (counted.status, counted.document["files"][0]["verdict"]) == (3, "undecided")

    ask(asking, replace(SETTINGS, seconds=1.5))


def test_who_takes_too_much_memory_is_stopped() -> None:
    async def asking(pool: Pool) -> None:
        with pytest.raises(StoppedError, match=r"more memory than a request may use \(1,024 MiB\)"):
            await pool.ask("hogs")
        assert (await pool.ask("echo")).status == 1

    ask(asking)


def test_who_cannot_wait_is_told_so() -> None:
    async def asking(pool: Pool) -> None:
        asked = [asyncio.create_task(pool.ask("sleeps", seconds=0.5)) for _ in range(2)]
        await asyncio.sleep(0.1)
        with pytest.raises(BusyError, match="1 requests are waiting already"):
            await pool.ask("echo")
        assert [one.document for one in await asyncio.gather(*asked)] == [{"slept": 0.5}] * 2

    ask(asking, replace(SETTINGS, workers=1, at_once=1))


def test_nobody_waits_for_ever() -> None:
    async def asking(pool: Pool) -> None:
        asked = [asyncio.create_task(pool.ask("sleeps", seconds=60)) for _ in range(4)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(one) for one in found} <= {StoppedError, BusyError}
        assert (await pool.ask("echo")).status == 1

    ask(asking, replace(SETTINGS, workers=1, seconds=1.0))


def test_what_is_looked_up_does_not_wait_for_what_is_judged() -> None:
    async def asking(pool: Pool) -> None:
        judging = [asyncio.create_task(pool.ask("sleeps", seconds=60)) for _ in range(3)]
        await asyncio.sleep(0.1)
        for number in range(3):
            assert (await pool.ask("card", name=str(number))).document["said"] == {"name": str(number)}
        assert not any(task.done() for task in judging)
        assert len(pool.processes) == 3
        for task in judging:
            task.cancel()

    ask(asking, replace(SETTINGS, seconds=90.0, lookups=1))


def test_the_last_worker_is_not_given_to_what_is_judged() -> None:
    async def asking(pool: Pool) -> None:
        first, second = (asyncio.create_task(pool.ask("sleeps", seconds=0.3)) for _ in range(2))
        await asyncio.sleep(0.1)
        with pytest.raises(BusyError, match="1 requests are waiting already"):
            await pool.ask("sleeps", seconds=0)
        assert [one.document for one in await asyncio.gather(first, second)] == [{"slept": 0.3}] * 2

    ask(asking, replace(SETTINGS, workers=1, lookups=1, at_once=1))


def test_workers_are_replaced_before_they_grow() -> None:
    async def asking(pool: Pool) -> None:
        found = []
        for _ in range(20):
            found += await asyncio.gather(*(pool.ask("echo") for _ in range(4)))
            await asyncio.sleep(0.02)
        assert len(found) == 80
        assert len({one.document["process"] for one in found}) > 4
        assert len(pool.processes) in (2, 3)

    ask(asking, replace(SETTINGS, worker_requests=10))


def test_who_goes_away_leaves_a_worker_behind() -> None:
    async def asking(pool: Pool) -> None:
        asked = asyncio.create_task(pool.ask("sleeps", seconds=60))
        waiting = asyncio.create_task(pool.ask("sleeps", seconds=60))
        await asyncio.sleep(0.2)
        for task in (waiting, asked):
            task.cancel()
        assert all(isinstance(one, asyncio.CancelledError) for one in await asyncio.gather(asked, waiting, return_exceptions=True))
        assert (await pool.ask("echo")).status == 1

    ask(asking, replace(SETTINGS, workers=1))


def test_limits_reach_the_functions_that_know_them() -> None:
    async def asking(pool: Pool) -> None:
        assert (await pool.ask("limited")).document == {"objects": 7, "time_limit": 10.0}
        assert (await pool.ask("limited", time_limit=2, objects=3)).document == {"objects": 3, "time_limit": 2}

    ask(asking, replace(SETTINGS, objects=7))


def test_what_is_looked_up_is_kept() -> None:
    async def asking(pool: Pool) -> None:
        found = [(await pool.ask("card", name="x")).document for _ in range(4)]
        assert len({one["process"] for one in found}) == 1
        assert (await pool.ask("card", name="y")).document["said"] == {"name": "y"}
        judged = [(await pool.ask("echo", name="x")).document for _ in range(4)]
        assert len({one["process"] for one in judged}) == 2

    ask(asking)


def test_what_is_kept_is_asked_again_once_other_data_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))

    async def asking(pool: Pool) -> None:
        found = []
        for change in ((tmp_path / "cards.sqlite").touch, (tmp_path / "rules").mkdir, (tmp_path / "rules" / "2030-03-04.json").touch):
            found.append([(await pool.ask("card", name="x")).document["process"] for _ in range(2)])
            change()
        found.append([(await pool.ask("card", name="x")).document["process"] for _ in range(2)])
        assert [len(set(those)) for those in found] == [1, 1, 1, 1]
        assert all(before != after for before, after in pairwise(found))

    ask(asking)


def test_what_is_kept_has_a_size() -> None:
    kept: Kept[Reply] = Kept(10)
    for name in (b"a", b"b", b"a"):
        kept.put(name, Reply(0, b"12345"))
    assert kept.get(b"b") == Reply(0, b"12345")
    kept.put(b"c", Reply(1, b"1"))
    assert kept.get(b"a") is None
    assert kept.get(b"c") == Reply(1, b"1")
    kept.put(b"d", Reply(0, b"12345678901"))
    assert all(kept.get(name) is None for name in (b"a", b"b", b"c", b"d"))


def test_nothing_stays_behind() -> None:
    async def asking(pool: Pool) -> frozenset[int]:
        sleeping = asyncio.create_task(pool.ask("sleeps", seconds=15))
        await asyncio.sleep(0.1)
        sleeping.cancel()
        return pool.processes

    assert not wait_until_gone(ask(asking))


_LONELY = """
import asyncio, sys
from lawmage.web.pool import Pool
from lawmage.web.settings import Settings

async def main():
    async with Pool(Settings(workers=2, lookups=0, answers="tests.web.misbehaving:ANSWERS")) as pool:
        sleeping = asyncio.create_task(pool.ask("sleeps", seconds=600))
        await asyncio.sleep(0.2)
        print(pool._forker.pid, *pool.processes, flush=True)
        await sleeping

asyncio.run(main())
"""


def test_nothing_stays_behind_a_server_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _LONELY], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        processes = frozenset(map(int, server.stdout.readline().split()))
        assert len(processes) == 3
        server.kill()
    assert not wait_until_gone(processes)


def test_functions_that_are_not_there() -> None:
    with pytest.raises(DataError, match="could not be started"):
        ask(lambda pool: pool.ask("echo"), replace(SETTINGS, answers="tests.web.misbehaving:NOTHING"))


def test_asking_needs_no_framework() -> None:
    told = "import lawmage.web.pool, sys; print({'fastapi', 'starlette', 'uvicorn', 'clingo'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_the_server_and_its_pages_need_no_solver() -> None:
    told = "import lawmage.web.app, lawmage.mcp.server, sys; print('clingo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "False\n"
