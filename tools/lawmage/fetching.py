"""Fetching from publishers over HTTPS: whom to ask, how long to wait, and how much to take.

What a server sends is not trusted: only known hosts are asked, redirects are followed to no others, and nothing is read without a limit.
What is fetched is in memory (`get`) or in a file (`save`), where a download that was cut off goes on later.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from lawmage import __version__
from lawmage.errors import InputError

__all__ = [
    "CONDITIONS",
    "Addresses",
    "Answer",
    "Patience",
    "Progress",
    "address_of",
    "client",
    "get",
    "is_plain",
    "is_this_machine",
    "printable",
    "save",
]

_MOST_REDIRECTS = 5
_MOST_ATTEMPTS = 3
_OK, _PART, _NOT_MODIFIED, _NO_SUCH_PART = 200, 206, 304, 416
_REDIRECTS = (301, 302, 303, 307, 308)
#: How a server tells versions apart, and how it is asked for another than the one known.
CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
_LONGEST_HEADER = 200
_LONGEST_NAME = 200

#: Called with how many bytes have come, and how many there are if the server said so.
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds to wait for a connection, for the next piece of an answer, and for everything together."""

    connect: float = 10.0
    read: float = 20.0
    total: float = 300.0


@dataclass(frozen=True, slots=True)
class Addresses:
    """Which addresses may be asked: the host of `first`, and over HTTPS those of `hosts`; `what` is expected there."""

    first: httpx.URL
    hosts: tuple[str, ...]
    what: str

    def allow(self, url: httpx.URL) -> httpx.URL:
        """Return an address if it may be asked.

        Raises:
            InputError: if it isn't HTTPS, or is of another host.
        """
        if url.scheme != "https" and not (url.scheme == "http" and is_this_machine(url.host)):
            raise InputError("isn't asked, because it isn't HTTPS", file=str(url))
        same = (url.scheme, url.host, url.port) == (self.first.scheme, self.first.host, self.first.port)
        if url.userinfo or not (same or (url.scheme == "https" and url.port is None and url.host in self.hosts)):
            hosts = ", ".join(dict.fromkeys((self.first.host, *self.hosts)))
            raise InputError(f"isn't asked, because {self.what} is expected at one of {hosts}", file=str(url))
        return url


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent: the content (None if it hasn't changed), where it came from in the end, and how to tell its version."""

    url: httpx.URL
    content: bytes | None
    version: dict[str, str]


def client(addresses: Addresses, patience: Patience, *, accept: str = "*/*") -> httpx.AsyncClient:
    """Return what asks: it says who it is, and that it `accept`s."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(patience.read, connect=patience.connect),
        headers={"User-Agent": f"lawmage/{__version__}", "Accept": accept, "Accept-Encoding": "gzip"},
        # a proxy is not for this machine
        trust_env=not is_this_machine(addresses.first.host),
    )


async def get(
    asking: httpx.AsyncClient,
    addresses: Addresses,
    url: httpx.URL,
    types: tuple[str, ...],
    limit: int,
    *,
    conditions: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Ask for an address, following redirects to allowed ones; `types` and `limit` (bytes) say what content is expected.

    Raises:
        InputError: if it can't be had, or is something else; the sentence says which address is at fault.
    """
    async with _asked(asking, addresses, url, conditions or {}) as response:
        if response.status_code == _NOT_MODIFIED and conditions:
            return Answer(response.url, None, _version(response))
        _expect(response, types, (_OK,))
        return Answer(response.url, await _read(response, limit, progress), _version(response))


async def save(
    asking: httpx.AsyncClient,
    addresses: Addresses,
    url: httpx.URL,
    types: tuple[str, ...],
    limit: int,
    file: Path,
    *,
    progress: Progress | None = None,
) -> None:
    """Write what is at an address to a file, as it is sent (compressed, if the server compresses it).

    If the connection breaks, it is asked for the rest, at once and, while the file is there, the next time; a server that has another
    version by then, or sends no parts, is asked for the whole.

    Raises:
        InputError: as for `get`; what has come stays in the file.
        OSError: if the file can't be written.
    """
    for attempt in range(1, _MOST_ATTEMPTS + 1):
        before = _size(file)
        try:
            await _save_rest(asking, addresses, url, types, limit, file, progress)
        except InputError:
            if attempt == _MOST_ATTEMPTS or _size(file) <= before:
                raise
            await asyncio.sleep(0.2 * attempt)
        else:
            _beside(file).unlink(missing_ok=True)
            return


async def _save_rest(
    asking: httpx.AsyncClient,
    addresses: Addresses,
    url: httpx.URL,
    types: tuple[str, ...],
    limit: int,
    file: Path,
    progress: Progress | None,
) -> None:
    there, version = _begun(file, url)
    headers = {"Range": f"bytes={there}-", "If-Range": version} if there else {}
    async with _asked(asking, addresses, url, headers) as response:
        if response.status_code == _NO_SUCH_PART and there:
            file.unlink()
            raise InputError("has no such part any more; try again", file=str(response.url))
        _expect(response, types, (_OK, _PART) if there else (_OK,))
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("identity", "gzip"):
            raise InputError("is compressed in an unknown way; expected gzip or nothing", file=str(response.url))
        if response.status_code == _PART and not response.headers.get("content-range", "").startswith(f"bytes {there}-"):
            file.unlink()
            raise InputError("sent another part than it was asked for; try again", file=str(response.url))
        had = there if response.status_code == _PART else 0
        length = response.headers.get("content-length")
        size = had + int(length) if length else None
        _beside(file).write_text(json.dumps({"url": str(url), "version": _strong_version(response)}), encoding="utf-8")
        with file.open("ab" if had else "wb") as target:
            async for piece in response.aiter_raw():
                target.write(piece)
                had += len(piece)
                if had > limit:
                    target.truncate(0)
                    raise InputError(f"is larger than {limit >> 20} MB; expected much less", file=str(response.url))
                if progress is not None:
                    progress(had, size)


def _begun(file: Path, url: httpx.URL) -> tuple[int, str]:
    """Return how much of a file came the last time, and of which version; nothing if that can't be told."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        told: Any = json.loads(_beside(file).read_bytes())
        if told["url"] == str(url) and is_plain(told["version"]):
            return _size(file), str(told["version"])
    return 0, ""


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


@asynccontextmanager
async def _asked(
    asking: httpx.AsyncClient, addresses: Addresses, url: httpx.URL, headers: Mapping[str, str]
) -> AsyncIterator[httpx.Response]:
    """Ask, follow redirects, and say in one sentence what goes wrong."""
    addresses.allow(url)
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            async with asking.stream("GET", url, headers=dict(headers)) as response:
                if response.status_code not in _REDIRECTS or "location" not in response.headers:
                    yield response
                    return
                url = addresses.allow(address_of(response.headers["location"], url))
        raise InputError(f"was reached after more than {_MOST_REDIRECTS} redirects; expected fewer", file=str(url))
    except httpx.TimeoutException:
        raise InputError("didn't answer in time; try again later", file=str(url)) from None
    except httpx.ConnectError as error:
        raise InputError(f"can't be reached ({error or type(error).__name__})", file=str(url)) from None
    except httpx.HTTPError as error:
        raise InputError(f"sent no valid answer ({error or type(error).__name__}); try again later", file=str(url)) from None


def _expect(response: httpx.Response, types: tuple[str, ...], statuses: tuple[int, ...]) -> None:
    if response.status_code not in statuses:
        raise InputError(f"answered with the status {response.status_code}; expected {_OK}", file=str(response.url))
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in types:
        raise InputError(f"is of the type {printable(kind) or 'unknown'}; expected {types[0]}", file=str(response.url))


async def _read(response: httpx.Response, limit: int, progress: Progress | None) -> bytes:
    """Return what is sent, decompressed, without ever holding much more than `limit` bytes."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip"):
        raise InputError(f"is compressed as {printable(coding)}; expected gzip or nothing", file=str(response.url))
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16) if coding == "gzip" else None
    size = response.headers.get("content-length")
    content, received = bytearray(), 0
    async for piece in response.aiter_raw():
        received += len(piece)
        try:
            content += inflate.decompress(piece, limit + 1) if inflate else piece
        except zlib.error as error:
            raise InputError(f"is damaged ({error})", file=str(response.url)) from None
        if max(len(content), received) > limit:
            raise InputError(f"is larger than {limit >> 20} MB; expected much less", file=str(response.url))
        if progress is not None:
            progress(received, int(size) if size else None)
    if inflate is not None and not inflate.eof:
        raise InputError("was cut off; try again later", file=str(response.url))
    return bytes(content)


def _version(response: httpx.Response) -> dict[str, str]:
    return {name: value for name in CONDITIONS if is_plain(value := response.headers.get(name, ""))}


def _strong_version(response: httpx.Response) -> str:
    """Return what tells that a part belongs to the same bytes; empty if there is nothing."""
    version = _version(response)
    tag = version.get("etag", "")
    return tag if tag and not tag.startswith("W/") else version.get("last-modified", "")


def address_of(address: str, page: httpx.URL | None = None) -> httpx.URL:
    """Return an address as written, or as written on a page.

    Raises:
        InputError: if it isn't one.
    """
    try:
        url = page.join(address) if page else httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        raise InputError("isn't an address; expected https://...", file=printable(address)) from None
    if not url.host:
        raise InputError("isn't an address; expected https://...", file=printable(address))
    return url


def printable(sent: str) -> str:
    """Return what a server sent so that it can be shown on a terminal."""
    return "".join(character if character.isprintable() else "?" for character in sent[:_LONGEST_NAME])


def is_this_machine(host: str) -> bool:
    """Tell whether a host is the machine that asks."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_plain(value: object) -> bool:
    """Tell whether a header can be sent back as it came."""
    return isinstance(value, str) and value.isascii() and value.isprintable() and 0 < len(value) <= _LONGEST_HEADER
