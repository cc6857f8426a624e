"""What every request has to pass before anything else looks at it, and the headers of every response.

A body is read here, whole, within a size and a time; so a slow client holds up nobody, and what comes after gets all or nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lawmage.web.problems import PROBLEM, document_of
from lawmage.web.settings import Settings

__all__ = ["Limits"]

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_ENCODED = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
_PORT = re.compile(r":\d+\Z")
_METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})
#: A file of the pages whose address has the fingerprint of its content never changes; all else is asked for again.
_FOR_EVER, _NOT_KEPT = b"public, max-age=31536000, immutable", b"no-cache"


class _RefusedError(Exception):
    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        self.sentence = sentence
        super().__init__(sentence)


class Limits:
    """An ASGI application that guards another one."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._hosts = {"localhost", "127.0.0.1", "[::1]", settings.host, *settings.allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = [*_ENCODED, (b"cache-control", _FOR_EVER if _never_changes(scope) else _NOT_KEPT)]
        is_head, begun = scope["method"] == "HEAD", False
        if is_head:  # what answers GET answers this, too; only the body is left out
            scope = {**scope, "method": "GET"}

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            if message["type"] == "http.response.start":
                begun = True
                present = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((name, value) for name, value in added if name not in present)]
            await send(message)

        try:
            self._check_host(scope)
            _check_site(scope)
            receive = await self._body(scope, receive)
        except _RefusedError as refused:
            await _refuse(refused, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except asyncio.CancelledError:  # the server ends, and this takes longer than it waits
            if begun:
                raise
            await _refuse(_RefusedError(503, "the server is being ended, so this is not answered"), send_guarded)

    def _check_host(self, scope: Scope) -> None:
        """Refuse other names for this machine: a page of another site may have made its own name point here (DNS rebinding)."""
        if not self._settings.is_loopback:
            return
        host = _header(scope["headers"], b"host").lower()
        if _PORT.sub("", host) not in self._hosts:
            raise _RefusedError(421, f'this server does not answer for the host "{host[:100]}"; allow it with --allow-host')

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """Return what gives the body that has been read.

        Raises:
            _RefusedError: if it is too large or takes too long.
        """
        if scope["method"] not in _METHODS_WITH_BODY:
            return receive
        most = self._settings.body_bytes
        length = _header(scope["headers"], b"content-length")
        if length.isdecimal() and int(length) > most:
            raise _RefusedError(413, f"the request has {int(length):,} bytes; expected at most {most:,}")
        parts: list[bytes] = []
        size, more = 0, True
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    parts.append(message.get("body", b""))
                    size, more = size + len(parts[-1]), message.get("more_body", False)
                    if size > most:
                        raise _RefusedError(413, f"the request has more than {most:,} bytes")
        except TimeoutError:
            raise _RefusedError(408, f"the request was not there after {self._settings.body_seconds:g} seconds") from None
        return _giving(b"".join(parts), receive)


def _check_site(scope: Scope) -> None:
    """Refuse what a page of another site makes a browser ask, but for links that lead here: it could have this machine work for it."""
    follows_link = scope["method"] == "GET" and _header(scope["headers"], b"sec-fetch-mode") == "navigate"
    if _header(scope["headers"], b"sec-fetch-site") == "cross-site" and not follows_link:
        raise _RefusedError(403, "a page of another site asks this; only links may lead here from there")


def _giving(body: bytes, after: Receive) -> Receive:
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return await after()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _refuse(refused: _RefusedError, send: Send) -> None:
    body = json.dumps(document_of(refused.status, refused.sentence), ensure_ascii=False).encode(errors="replace")
    headers = [(b"content-type", PROBLEM.encode()), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return next((value.decode("latin-1") for name, value in headers if name == wanted), "")


def _never_changes(scope: Scope) -> bool:
    return scope["path"].startswith("/static/") and "v" in parse_qs(scope["query_string"].decode("latin-1"))
