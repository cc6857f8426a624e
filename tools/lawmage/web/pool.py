"""Asking worker processes, so that no question can harm another: each has its time, its memory, and its own process to crash.

    async with Pool(Settings()) as pool:
        answered = await pool.ask("rule", number="702.2")

Nothing here needs a web framework.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self, cast

from lawmage.errors import DataError, InputError, LawmageError, UnknownNameError
from lawmage.resources import installed_stamp
from lawmage.web.kept import Kept
from lawmage.web.settings import Settings
from lawmage.web.stopped import JUDGING
from lawmage.web.workers import FORK, HEADER, KILL, ORDER, REPLY, Kind, Task

if TYPE_CHECKING:
    from lawmage.answers.answered import Answered

__all__ = ["BusyError", "CrashedError", "FaultError", "Pool", "Reply", "StoppedError"]

#: How long a new worker may take to say that it is there: the first one waits until everything is loaded.
_SECONDS_TO_START = 60.0
#: How long processes have to end by themselves.
_SECONDS_TO_END = 5.0
#: What cannot be started is tried again after so long.
_SECONDS_BETWEEN_STARTS = 1.0
#: A question whose process dies is asked so often: once more, as most deaths are not the question's fault.
_ATTEMPTS = 2

#: What depends on nothing but lawmage's data and what is installed, so that its answers are kept until other data are installed. Workers
#: keep what they read by the time when its file was written, so that none of them has to be replaced then.
LOOKED_UP = frozenset(
    {
        *("card", "complete", "contents", "coverage", "coverage_cards", "deps", "diff", "drift", "history", "keyword", "keywords"),
        *("pairings", "path", "queries", "query", "reading", "releases", "rule", "search", "translate"),
    }
)

#: What takes little time, so that it doesn't wait behind what is judged.
QUICK = LOOKED_UP | {"board", "contents", "data_status", "formats", "reading", "scenario", "scenario_file"}

_log = logging.getLogger(__name__)


class StoppedError(LawmageError):
    """A question that took more time or memory than it may have."""


class BusyError(LawmageError):
    """A question for which there is no place now."""


class CrashedError(LawmageError):
    """A question that processes die of. Others are not touched by it."""


class FaultError(LawmageError):
    """A fault of lawmage's own that a question has met."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it comes from a worker: the exit status that the command line would have, and a JSON document, encoded."""

    status: int
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        """The JSON document."""
        document: dict[str, Any] = json.loads(self.body)
        return document


class Pool:
    """Worker processes, and a queue of those who wait for one. See `Settings` for what limits them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        limits = {"objects": settings.objects, "time_limit": settings.seconds / 2}
        self._task = Task(settings.answers, settings.worker_memory, settings.answer_bytes, limits)
        self._forker: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        self._workers: set[_Worker] = set()
        self._idle: deque[_Worker] = deque()
        #: Those who wait for a quick answer, and the others; and how many workers have the questions of the others.
        self._waiting: dict[bool, deque[asyncio.Future[_Worker]]] = {True: deque(), False: deque()}
        self._judging = 0
        self._hiring: set[asyncio.Task[None]] = set()
        self._kept: Kept[Reply] = Kept(settings.kept_bytes)
        self._closed = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def prepare(self) -> None:
        """Start the process that workers are forked from, without waiting for it: it loads while the caller does other things.

        Raises:
            DataError: on a system without fork.
        """
        if not hasattr(os, "fork"):
            raise DataError("this needs a system that can fork processes, such as Linux or macOS; on Windows it works in WSL")
        if self._orders is not None:
            self._orders.close()
        self._orders, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "lawmage.web.workers", json.dumps(asdict(self._task))]
        with theirs:
            # What is said on standard output may be another's protocol.
            self._forker = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)

    async def start(self) -> None:
        """Have the workers forked, and return when they can be asked.

        Raises:
            DataError: if no process can be started; what it printed says why.
        """
        if self._forker is None:
            self.prepare()
        try:
            for _ in range(self._settings.workers + self._settings.lookups):
                self._free(await self._fork())
        except (OSError, TimeoutError):
            await self.close()
            raise DataError("the process that answers could not be started") from None

    async def close(self) -> None:
        """End all processes; questions that are being answered are lost."""
        self._closed = True
        for task in self._hiring:
            task.cancel()
        for waiting in (*self._waiting[True], *self._waiting[False]):
            waiting.cancel()
        for worker in tuple(self._workers):
            worker.leave()
        if self._orders is not None:
            self._orders.close()
        if self._forker is not None:
            await asyncio.to_thread(_end, self._forker)

    @property
    def processes(self) -> frozenset[int]:
        """The processes of the workers that are there."""
        return frozenset(worker.process for worker in self._workers if worker.process)

    # ------------------------------------------------------------ asking

    async def ask(self, name: str, /, **arguments: Any) -> Answered:
        """Return what the function of this name answers. What judges a play answers undecided where it takes too long.

        Raises:
            LawmageError: what the function raises, in the same words.
            StoppedError: if it took too much time or memory.
            BusyError: if too many wait already, or it waited too long.
            CrashedError, FaultError: if it cannot be answered, which is not the asker's fault.
        """
        from lawmage.answers.answered import Answered

        reply = await self.reply(name, **arguments)
        return Answered(reply.document, reply.status)

    async def reply(self, name: str, /, **arguments: Any) -> Reply:
        """Return what the function of this name answers, encoded. Raises as `ask`."""
        try:
            return await self._reply(name, arguments)
        except StoppedError as error:
            if name not in JUDGING:
                raise
            return await self._reply("lawmage.web.stopped:undecided", {"command": name, "sentence": str(error), "arguments": arguments})

    async def _reply(self, name: str, arguments: dict[str, Any]) -> Reply:
        message = pickle.dumps((name, arguments, self._settings.seconds))
        keep = name in LOOKED_UP
        question = message + repr(installed_stamp()).encode() if keep else b""
        if keep and (kept := self._kept.get(question)) is not None:
            return kept
        for _ in range(_ATTEMPTS):
            with suppress(ConnectionError):
                kind, status, body = await self._asked(message, quick=name in QUICK or ":" in name)
                break
        else:
            raise CrashedError("the process that worked on this request died, so it was not answered")
        if kind == Kind.ANSWER:
            reply = Reply(status, body)
            if keep:
                self._kept.put(question, reply)
            return reply
        if kind == Kind.MEMORY:
            raise StoppedError(
                f"this needs more memory than a request may use ({self._settings.worker_memory >> 20:,} MiB), so it was stopped"
            )
        raise _error(json.loads(body))

    async def _asked(self, message: bytes, *, quick: bool) -> tuple[int, int, bytes]:
        worker = await self._take(quick=quick)
        try:
            async with asyncio.timeout(self._settings.seconds):
                kind, status, body = await worker.ask(message)
            if kind == Kind.MEMORY:
                self._kill(worker)
            return kind, status, body
        except TimeoutError:
            seconds = self._settings.seconds
            raise StoppedError(f"this takes longer than a request may take ({seconds:g} seconds), so it was stopped") from None
        finally:
            self._judging -= not quick
            self._give_back(worker)
            self._dispatch()

    # ------------------------------------------------------------ who is free

    async def _take(self, *, quick: bool) -> _Worker:
        """Return a worker for one question; those who wait get one in the order in which they came, those with quick questions first."""
        if self._may_take(quick=quick):
            return self._taken(quick=quick)
        queue = self._waiting[quick]
        if self._closed or len(queue) >= self._settings.at_once:
            raise BusyError(f"{self._settings.at_once:,} requests are waiting already; ask again later")
        waiting: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        queue.append(waiting)
        try:
            async with asyncio.timeout(self._settings.seconds):
                return await waiting
        except BaseException as error:
            if waiting.done() and not waiting.cancelled():
                self._judging -= not quick
                self._free(waiting.result())
            elif waiting in queue:
                queue.remove(waiting)
            if isinstance(error, TimeoutError):
                raise BusyError(f"no process was free for {self._settings.seconds:g} seconds; ask again later") from None
            raise

    def _may_take(self, *, quick: bool) -> bool:
        """Tell whether there is a worker; what takes long never has them all."""
        return bool(self._idle) and (quick or self._judging < self._settings.workers)

    def _taken(self, *, quick: bool) -> _Worker:
        self._judging += not quick
        return self._idle.popleft()

    def _dispatch(self) -> None:
        """Give workers to those who wait."""
        for quick, queue in self._waiting.items():
            while queue and self._may_take(quick=quick):
                waiting = queue.popleft()
                if not waiting.done():
                    waiting.set_result(self._taken(quick=quick))

    def _give_back(self, worker: _Worker) -> None:
        """Take back a worker, and stop it if nobody waits any longer for what it does."""
        if worker.is_asked:
            self._kill(worker)
        else:
            worker.answered += 1
            if worker.answered == self._settings.worker_requests:
                self._hire(instead_of=worker)
            self._free(worker)

    def _free(self, worker: _Worker) -> None:
        if worker.is_leaving:
            worker.leave()
        if worker.is_alive:
            self._idle.append(worker)
            self._dispatch()

    # ------------------------------------------------------------ processes

    def _kill(self, worker: _Worker) -> None:
        with suppress(OSError):
            assert self._orders is not None
            self._orders.sendall(ORDER.pack(KILL, worker.process))
        worker.leave()

    def _lost(self, worker: _Worker) -> None:
        """Note that the connection to a worker has ended, and replace it unless that has been done."""
        self._workers.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        if worker.process and not worker.is_leaving:
            self._hire()

    def _hire(self, *, instead_of: _Worker | None = None) -> None:
        if not self._closed:
            task = asyncio.get_running_loop().create_task(self._replace(instead_of))
            self._hiring.add(task)
            task.add_done_callback(self._hiring.discard)

    async def _replace(self, old: _Worker | None) -> None:
        """Have a new worker forked; only when it is there does the old one leave, so that nobody waits for the change."""
        while True:
            try:
                new = await self._fork()
                break
            except (OSError, TimeoutError):
                _log.warning("no worker could be started; this is tried again")
                await asyncio.sleep(_SECONDS_BETWEEN_STARTS)
        if old is not None and old.is_alive:
            old.is_leaving = True
            if old in self._idle:
                self._idle.remove(old)
                old.leave()
        elif old is not None:  # it died meanwhile, and is replaced for that
            new.is_leaving = True
            new.leave()
            return
        self._free(new)

    async def _fork(self) -> _Worker:
        """Return a new worker that can be asked.

        Raises:
            OSError, TimeoutError: if none can be made.
        """
        if self._forker is None or self._forker.poll() is not None:
            self.prepare()
        assert self._orders is not None
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._orders, [ORDER.pack(FORK, 0)], [theirs.fileno()])
        ours.setblocking(False)
        loop = asyncio.get_running_loop()
        _, worker = await loop.create_unix_connection(lambda: _Worker(self._lost), sock=ours)
        self._workers.add(worker)
        try:
            async with asyncio.timeout(_SECONDS_TO_START):
                await worker.started
        except BaseException:
            worker.leave()
            raise
        return worker


class _Worker(asyncio.Protocol):
    """The connection to a worker process.

    Attributes:
        process: its process, 0 until it has said that it is there.
        answered: how many questions it has answered.
        started: done when it can be asked.
        is_leaving: whether it is to end, so that its end is no loss.
        is_alive: whether it can be asked: the connection is open, and stays so.
    """

    def __init__(self, lost: Callable[[_Worker], None]) -> None:
        self.process = 0
        self.answered = 0
        self.is_leaving = False
        self.is_alive = True
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lost = lost
        self._transport: asyncio.WriteTransport | None = None
        self._received = bytearray()
        self._answer: asyncio.Future[tuple[int, int, bytes]] | None = None

    @property
    def is_asked(self) -> bool:
        """Whether it works on a question, as far as is known here."""
        return self._answer is not None and self.is_alive

    async def ask(self, message: bytes) -> tuple[int, int, bytes]:
        """Return the kind of the reply, the exit status and the document.

        Raises:
            ConnectionError: if the process has died.
        """
        if not self.is_alive or self._transport is None:
            raise ConnectionResetError
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.writelines((HEADER.pack(len(message)), message))
        return await self._answer

    def leave(self) -> None:
        """Let the process end, as it does when the connection is closed."""
        self.is_alive = False
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to the process."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        """Gather what the process says: first its number, then replies."""
        self._received += data
        if len(self._received) < HEADER.size:
            return
        (number,) = HEADER.unpack_from(self._received)
        if not self.process:
            self.process = number
            self._received.clear()
            if not self.started.done():
                self.started.set_result(None)
        elif len(self._received) >= HEADER.size + number:
            kind, status = REPLY.unpack_from(self._received, HEADER.size)
            body = bytes(self._received[HEADER.size + REPLY.size :])
            self._received.clear()
            answer, self._answer = self._answer, None
            if answer is not None and not answer.done():
                answer.set_result((kind, status, body))

    def connection_lost(self, _error: Exception | None) -> None:
        """Tell whoever waits, and the pool."""
        self.is_alive = False
        for future in (self.started, self._answer):
            if future is not None and not future.done():
                future.set_exception(ConnectionResetError())
        self._lost(self)


def _error(told: dict[str, Any]) -> LawmageError:
    """Return the error of which a worker tells."""
    name, sentence = told["error"], told["sentence"]
    if name == "InputError":
        return InputError(told["message"], file=told["file"], line=told["line"])
    return {"UnknownNameError": UnknownNameError, "DataError": DataError, "FaultError": FaultError}.get(name, LawmageError)(sentence)


def _end(forker: subprocess.Popen[bytes]) -> None:
    """Wait until the forking process has ended the workers and itself."""
    try:
        forker.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        forker.kill()
        forker.wait()
