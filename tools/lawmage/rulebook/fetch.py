"""Fetching the newest rulebook from its publisher.

The publisher's page is read for a link to the text; the text is read by the parser before anything is written, so that a download that
was cut off, or that is something else, changes nothing. What the server says to tell versions apart (ETag, Last-Modified) is kept in
`resources.home()`/fetched.json: a text that hasn't changed is not sent again.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from lawmage import __version__
from lawmage.errors import DataError, InputError
from lawmage.resources import home
from lawmage.rulebook.encoding import MAXIMUM_SIZE
from lawmage.rulebook.importing import Report, import_release
from lawmage.rulebook.parse import parse
from lawmage.rulebook.publisher import Publisher, address_of, is_this_machine, load_publisher, printable
from lawmage.rulebook.search_index import open_index
from lawmage.rulebook.store import Installed, installed_releases, load_installed, write_aside

__all__ = ["PAGE_VARIABLE", "Patience", "Update", "update"]

#: The environment variable that names another page, of a mirror or a test.
PAGE_VARIABLE = "LAWMAGE_RULES_PAGE"
_MOST_REDIRECTS = 5
_LARGEST_PAGE = 4 * 2**20
_PAGE_TYPES = ("text/html", "application/xhtml+xml")
#: Some servers don't know what a text is.
_TEXT_TYPES = ("text/plain", "application/octet-stream", "binary/octet-stream", "")
_OK, _NOT_MODIFIED = 200, 304
_REDIRECTS = (301, 302, 303, 307, 308)
#: How a server tells versions apart, and how it is asked for another than the one known.
_CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
_LONGEST_HEADER = 200

#: Called with how many bytes of the text have come, and how many there are if the server said so.
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds to wait for a connection, for the next piece of an answer, and for everything together."""

    connect: float = 10.0
    read: float = 20.0
    total: float = 300.0


@dataclass(frozen=True, slots=True)
class Update:
    """What came of an update.

    Attributes:
        status: `installed`, `up to date` (what the publisher offers is installed), or `newer installed` (than what it offers).
        release: the one that the publisher offers.
        url: where its text is.
        newest: the newest release that is installed now.
        report: what was imported, if it was.
    """

    status: str
    release: str
    url: str
    newest: str
    report: Report | None = None


def update(page: str | None = None, *, patience: Patience | None = None, progress: Progress | None = None) -> Update:
    """Install the newest rulebook that the publisher offers, if it isn't installed.

    Args:
        page: the page with a link to the text; by default LAWMAGE_RULES_PAGE if set, else the publisher's. Its host may be any, the
            other hosts are those of publisher.toml. It is asked over HTTPS, except on this machine (127.0.0.1, ::1, localhost).
        patience: how long to wait.
        progress: see `Progress`.

    Raises:
        InputError: if the publisher can't be reached, or what it offers isn't a whole release; the sentence says which address is at
            fault. Nothing has changed then.
    """
    publisher = load_publisher(page or os.environ.get(PAGE_VARIABLE) or None)
    waiting = patience or Patience()
    try:
        return _install(asyncio.run(_fetch(publisher, waiting, progress or (lambda _received, _size: None))))
    except TimeoutError:
        raise InputError(f"took longer than {waiting.total:g} seconds in all; try again later", file=str(publisher.page)) from None


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a server sent: the content (None if it hasn't changed), where it came from in the end, and how to tell its version."""

    url: httpx.URL
    content: bytes | None
    version: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Offer:
    """The newest text on the publisher's page: where it is, what the server sent, and the release that it was the last time."""

    url: httpx.URL
    answer: _Answer
    remembered: str


async def _fetch(publisher: Publisher, patience: Patience, progress: Progress) -> _Offer:
    client = httpx.AsyncClient(
        timeout=httpx.Timeout(patience.read, connect=patience.connect),
        headers={"User-Agent": f"lawmage/{__version__}", "Accept-Encoding": "gzip"},
        # a proxy is not for this machine
        trust_env=not is_this_machine(publisher.page.host),
    )
    async with asyncio.timeout(patience.total), client:
        page = await _get(client, publisher, publisher.allow(publisher.page), _PAGE_TYPES, _LARGEST_PAGE)
        url = publisher.find_text((page.content or b"").decode("utf-8", "replace"), page.url)
        release, version = _remembered(url)
        conditions = {_CONDITIONS[name]: value for name, value in version.items()}
        answer = await _get(client, publisher, url, _TEXT_TYPES, MAXIMUM_SIZE, conditions=conditions, progress=progress)
        return _Offer(url, answer, release)


async def _get(
    client: httpx.AsyncClient,
    publisher: Publisher,
    url: httpx.URL,
    types: tuple[str, ...],
    limit: int,
    *,
    conditions: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> _Answer:
    """Ask for an address, following redirects to allowed ones; `types` and `limit` (bytes) say what content is expected."""
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            async with client.stream("GET", url, headers=conditions) as response:
                if response.status_code in _REDIRECTS and "location" in response.headers:
                    url = publisher.allow(address_of(response.headers["location"], url))
                    continue
                version = {name: value for name in _CONDITIONS if _is_plain(value := response.headers.get(name, ""))}
                if response.status_code == _NOT_MODIFIED and conditions:
                    return _Answer(url, None, version)
                if response.status_code != _OK:
                    raise InputError(f"answered with the status {response.status_code}; expected {_OK}", file=str(url))
                kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                if kind not in types:
                    raise InputError(f"is of the type {printable(kind) or 'unknown'}; expected {types[0]}", file=str(url))
                return _Answer(url, await _read(response, limit, progress), version)
        raise InputError(f"was reached after more than {_MOST_REDIRECTS} redirects; expected fewer", file=str(url))
    except httpx.TimeoutException:
        raise InputError("didn't answer in time; try again later", file=str(url)) from None
    except httpx.ConnectError as error:
        raise InputError(f"can't be reached ({error or type(error).__name__})", file=str(url)) from None
    except httpx.HTTPError as error:
        raise InputError(f"sent no valid answer ({error or type(error).__name__}); try again later", file=str(url)) from None


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


# ---------------------------------------------------------------- keeping


def _install(offer: _Offer) -> Update:
    installed = installed_releases()
    url, content = str(offer.url), offer.answer.content
    if content is None:
        return Update("up to date", offer.remembered, url, max(installed))
    rulebook = parse(content, file=url)
    release = rulebook.release
    if installed and release < max(installed):
        return Update("newer installed", release, url, max(installed))
    current = _intact(release)
    if current is not None and current.rulebook == rulebook:
        _remember(offer, release)
        return Update("up to date", release, url, release)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / _file_name(offer.url)
        file.write_bytes(content)
        report = replace(import_release(file), file=url)
    with suppress(DataError):  # searching will say what is wrong
        open_index(release).close()
    _remember(offer, release)
    return Update("installed", release, url, release, report)


def _intact(release: str) -> Installed | None:
    """Return an installed release; None if it isn't installed, or damaged, so that it is installed again."""
    try:
        return load_installed(release)
    except DataError:
        return None


def _file_name(url: httpx.URL) -> str:
    return re.sub(r"[^\w .-]", "_", url.path.rpartition("/")[2])[-100:]


def _memory() -> Path:
    return home() / "fetched.json"


def _remembered(url: httpx.URL) -> tuple[str, dict[str, str]]:
    """Return the release that was at an address and how its server tells versions apart; nothing if that release is gone."""
    try:
        memory: dict[str, Any] = json.loads(_memory().read_bytes())
        if memory["url"] != str(url) or _intact(memory["release"]) is None:
            return "", {}
        return memory["release"], {name: value for name in _CONDITIONS if _is_plain(value := memory["version"].get(name, ""))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "", {}


def _remember(offer: _Offer, release: str) -> None:
    # without it, the text is only fetched once more
    with suppress(OSError):
        memory = {"url": str(offer.url), "release": release, "version": offer.answer.version}
        write_aside(_memory(), json.dumps(memory).encode())


def _is_plain(value: object) -> bool:
    """Tell whether a header can be sent back as it came."""
    return isinstance(value, str) and value.isascii() and value.isprintable() and 0 < len(value) <= _LONGEST_HEADER
