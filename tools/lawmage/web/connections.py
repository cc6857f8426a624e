"""Connections that give up on clients who take for ever to say what they want, or say too much, and make room for those who ask.

uvicorn waits for the end of a request's head without limit, and refuses who comes when all places are taken. Here a head has a time and a
size, and who comes takes the place of whoever has had one for longest without having sent a whole request.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

__all__ = ["HEAD_BYTES", "Connection"]

#: The size of a request's head: its first line and its headers. One packet more than that may be taken.
HEAD_BYTES = 64 << 10


class Connection(HttpToolsProtocol):
    """One connection; `head_seconds` is how long a client may take for a request's head, and after connecting to begin one."""

    head_seconds: ClassVar[float] = 10.0
    #: Requests that were given up and have not noticed yet.
    _ending: ClassVar[set[asyncio.Task[None]]] = set()
    #: Those who have not sent a whole request, longest first.
    _waited_for: ClassVar[dict[Connection, None]] = {}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._head: int | None = 0
        self._answered: RequestResponseCycle | None = None
        self._begun: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, but not for ever."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency and self._waited_for:
            next(iter(self._waited_for))._give_up()
        self._waited_for[self] = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what has come, unless the head is too large."""
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > HEAD_BYTES:
            self._give_up()

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        self._head = 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Be at ease: the body has limits of its own."""
        self._head = None
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Keep the place until there is an answer."""
        self._waited_for.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Keep the place for another request only while nobody else wants it."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._waited_for[self] = None

    def connection_lost(self, error: Exception | None) -> None:
        """Wait no longer."""
        self._waited_for.pop(self, None)
        self._stop_waiting()
        if self._answered is not None and self._answered is not self.cycle:
            # uvicorn tells only the last of the requests that came at once.
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(error)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        others = frozenset(self.tasks)
        super()._start_asgi_task(cycle, app)
        self._begun = self.tasks - others

    def _wait(self) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _give_up(self) -> None:
        self._waited_for.pop(self, None)
        # At once, so that neither it nor its request is counted while it is being closed.
        self.connections.discard(self)
        for task in self._begun & self.tasks:
            self.tasks.discard(task)
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
