"""What a server may be told, and how much it lets a request have."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run. Every limit is there so that no request can harm the others.

    Attributes:
        host: the address to listen at; by default only programs of this machine reach it.
        port: the port; 0 takes one that is free.
        workers: how many processes judge; by default one for each processor.
        lookups: how many further processes only answer what takes little time, so that it never waits for what is judged.
        seconds: the time that a request may take once a worker has it. A search gets half of it; a worker that is not done then is stopped.
        body_bytes: the size of a request's body.
        at_once: how many requests may wait for a worker; one more is told to come again (429).
        objects: how many objects a board may have.
        files: how many files a request may bring.
        worker_requests: a worker is replaced after so many requests, as clingo never forgets a symbol.
        worker_memory: the address space of a worker, in bytes.
        answer_bytes: the size of an answer.
        kept_bytes: how much of what was looked up is kept for those who ask again.
        connections: how many clients may be connected; one more takes the place of who has asked nothing for longest, or is turned away
            (503) where there is none.
        body_seconds: the time that a client may take to send a request's head, and then its body.
        allowed_hosts: further names under which the server may be asked, where it listens on loopback only.
        answers: the functions that answer, as `module:attribute` of a mapping from names to functions.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, 32))
    lookups: int = 1
    seconds: float = 10.0
    body_bytes: int = 1 << 20
    at_once: int = 64
    objects: int = 250
    files: int = 20
    worker_requests: int = 20_000
    worker_memory: int = 2 << 30
    answer_bytes: int = 16 << 20
    kept_bytes: int = 32 << 20
    connections: int = 1000
    body_seconds: float = 10.0
    allowed_hosts: tuple[str, ...] = ()
    answers: str = "lawmage.answers:ANSWERS"

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this machine reach the server."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
