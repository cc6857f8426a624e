"""A server on this machine that also misbehaves, for the tests of fetching. Nothing there touches another machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

__all__ = ["Answer", "Handler", "Server", "drips", "endless", "hangs_up", "no_http", "not_found", "redirect", "running", "sends", "silent"]


class Handler(BaseHTTPRequestHandler):
    """Answers each path as the server's `answers` say, and notes what was asked."""

    server: Server

    def do_GET(self) -> None:
        path = unquote(self.path)
        self.server.asked.append((path, dict(self.headers)))
        with suppress(OSError):  # the client may go away in the middle
            self.server.answers.get(path, not_found)(self)

    def reply(self, body: bytes, kind: str = "text/plain", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Type": kind, "Content_Length": str(len(body)), **headers}.items():
            if value:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """Has an answer for each path, and what was asked in order: the path and the headers."""

    block_on_close = False  # what still waits to be cut off is not waited for

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


Answer = Callable[[Handler], None]


@contextmanager
def running() -> Iterator[Server]:
    """A server that runs."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def not_found(handler: Handler) -> None:
    handler.reply(b"<html>nothing here</html>", "text/html", 404)


def sends(body: bytes, kind: str = "text/plain", status: int = 200, **headers: str) -> Answer:
    return lambda handler: handler.reply(body, kind, status, **headers)


def redirect(target: str) -> Answer:
    return sends(b"", "text/html", 302, Location=target)


def endless(handler: Handler, piece: bytes = b"Magic: The Gathering Comprehensive Rules\n", kind: str = "text/plain") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.end_headers()
    while True:
        handler.wfile.write(piece * 5000)


def silent(_handler: Handler) -> None:
    time.sleep(2)


def drips(handler: Handler, kind: str = "text/plain") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.end_headers()
    for _ in range(15):
        handler.wfile.write(b"Magic: ")
        time.sleep(0.2)


def hangs_up(handler: Handler) -> None:
    handler.close_connection = True


def no_http(handler: Handler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
