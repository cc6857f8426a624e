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
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from lawmage.errors import DataError, InputError
from lawmage.fetching import CONDITIONS, Answer, Patience, Progress, client, get, is_plain
from lawmage.resources import home
from lawmage.rulebook.encoding import MAXIMUM_SIZE
from lawmage.rulebook.importing import Report, import_release
from lawmage.rulebook.parse import parse
from lawmage.rulebook.publisher import Publisher, load_publisher
from lawmage.rulebook.search_index import open_index
from lawmage.rulebook.store import Installed, installed_releases, load_installed, write_aside

__all__ = ["PAGE_VARIABLE", "Update", "update"]

#: The environment variable that names another page, of a mirror or a test.
PAGE_VARIABLE = "LAWMAGE_RULES_PAGE"
_LARGEST_PAGE = 4 * 2**20
_PAGE_TYPES = ("text/html", "application/xhtml+xml")
#: Some servers don't know what a text is.
_TEXT_TYPES = ("text/plain", "application/octet-stream", "binary/octet-stream", "")


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
        raise InputError(
            f"took longer than {waiting.total:g} seconds in all; try again later", file=str(publisher.addresses.first)
        ) from None


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class _Offer:
    """The newest text on the publisher's page: where it is, what the server sent, and the release that it was the last time."""

    url: httpx.URL
    answer: Answer
    remembered: str


async def _fetch(publisher: Publisher, patience: Patience, progress: Progress) -> _Offer:
    addresses = publisher.addresses
    async with asyncio.timeout(patience.total), client(addresses, patience) as asking:
        page = await get(asking, addresses, addresses.first, _PAGE_TYPES, _LARGEST_PAGE)
        url = publisher.find_text((page.content or b"").decode("utf-8", "replace"), page.url)
        release, version = _remembered(url)
        conditions = {CONDITIONS[name]: value for name, value in version.items()}
        answer = await get(asking, addresses, url, _TEXT_TYPES, MAXIMUM_SIZE, conditions=conditions, progress=progress)
        return _Offer(url, answer, release)


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
        return memory["release"], {name: value for name in CONDITIONS if is_plain(value := memory["version"].get(name, ""))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "", {}


def _remember(offer: _Offer, release: str) -> None:
    # without it, the text is only fetched once more
    with suppress(OSError):
        memory = {"url": str(offer.url), "release": release, "version": offer.answer.version}
        write_aside(_memory(), json.dumps(memory).encode())
