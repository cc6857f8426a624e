"""Fetching the newest cards from a publisher: Scryfall's index is read to find its file; MTGJSON's file has its checksum beside it.

A file is downloaded into `resources.home()`/download, where it goes on after an interruption, and is imported when it is whole; until then
the installed cards stay as they are. Which file was imported last is kept in `resources.home()`/fetched-cards.json: what hasn't changed is
not fetched again.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import json
import os
import re
import shutil
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx

from lawmage.cards import unpacking
from lawmage.cards.importing import Report, import_cards
from lawmage.cards.store import CardStore, installed_file
from lawmage.errors import DataError, InputError
from lawmage.fetching import Addresses, Patience, Progress, address_of, client, get, printable, save
from lawmage.resources import home
from lawmage.rulebook.store import write_aside

__all__ = ["PATIENCE", "PUBLISHERS", "CardUpdate", "Publisher", "update_cards"]

Publisher = Literal["scryfall", "mtgjson"]
#: In the order in which they are asked.
PUBLISHERS: tuple[Publisher, ...] = ("scryfall", "mtgjson")
PATIENCE = Patience(total=3600.0)
_LARGEST_INDEX, _LARGEST_CHECKSUM, _LARGEST_FILE = 2**20, 2**12, 2**30
_ACCEPT = "application/json;q=0.9,*/*;q=0.8"
_JSON_TYPES = ("application/json", "text/json")
_FILE_TYPES = (
    "application/json",
    "application/gzip",
    "application/x-gzip",
    "application/x-ndjson",
    "application/jsonl",
    "application/x-xz",
    "application/zip",
    "application/octet-stream",
    "binary/octet-stream",
    "text/plain",
    "",
)
_CHECKSUM_TYPES = ("text/plain", "application/octet-stream", "binary/octet-stream", "application/x-sha256", "")
_SHA256 = re.compile(r"\s*([0-9a-fA-F]{64})\b")


@dataclass(frozen=True, slots=True)
class CardUpdate:
    """What came of an update.

    Attributes:
        status: `installed`, `up to date` (what the publisher offers is installed), or `newer installed` (than what it offers).
        source: `Scryfall` or `MTGJSON`.
        url: where its file is.
        date: of the cards that are installed now.
        report: what was imported, if it was.
        passed_over: why the publishers before this one were not taken.
    """

    status: str
    source: str
    url: str
    date: str
    report: Report | None = None
    passed_over: tuple[str, ...] = ()


def update_cards(
    publisher: Publisher | None = None,
    *,
    patience: Patience = PATIENCE,
    progress: Progress | None = None,
    importing: unpacking.Progress | None = None,
) -> CardUpdate:
    """Install the newest cards that a publisher offers, if they aren't installed.

    Args:
        publisher: whose; by default Scryfall's, and MTGJSON's if those can't be had. Other addresses than those of publishers.toml are
            taken from LAWMAGE_SCRYFALL_INDEX and LAWMAGE_ATOMIC_CARDS; they are asked over HTTPS, except on this machine.
        patience: how long to wait.
        progress: of the download; see `lawmage.fetching.Progress`.
        importing: of the import; see `lawmage.cards.unpacking.Progress`.

    Raises:
        InputError: if no publisher can be reached, or what they offer isn't a whole file of cards. What was installed before stays.
    """
    passed_over: list[str] = []
    for name in [publisher] if publisher else PUBLISHERS:
        try:
            return _update(name, patience, progress or (lambda _received, _size: None), importing, tuple(passed_over))
        except InputError as error:
            passed_over.append(str(error))
    raise InputError("; and ".join(passed_over))


def _update(
    name: Publisher, patience: Patience, progress: Progress, importing: unpacking.Progress | None, passed_over: tuple[str, ...]
) -> CardUpdate:
    known: dict[str, Any] = tomllib.loads(Path(__file__).with_name("publishers.toml").read_text(encoding="utf-8"))[name]
    addresses = Addresses(address_of(os.environ.get(known["variable"]) or known["address"]), tuple(known["hosts"]), "a file of cards")
    try:
        offer, file = asyncio.run(_fetch(known, addresses, patience, progress))
    except TimeoutError:
        said = f"took longer than {patience.total:g} seconds in all; what has come is kept, so try again"
        raise InputError(said, file=str(addresses.first)) from None
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=home()) from None
    source = "Scryfall" if name == "scryfall" else "MTGJSON"
    if file is None:
        return CardUpdate(offer.status, source, str(offer.url), offer.installed, None, passed_over)
    try:
        _check(file, offer)
        report = import_cards(file, date=offer.date, progress=importing)
    except InputError as error:
        raise InputError(error.message, file=str(offer.url)) from None
    finally:
        # bad or installed, it isn't needed any more
        shutil.rmtree(file.parent, ignore_errors=True)
    _remember(offer)
    return CardUpdate("installed", source, str(offer.url), report.date, report, passed_over)


# ---------------------------------------------------------------- what is offered


@dataclass(frozen=True, slots=True)
class _Offer:
    """A file that a publisher offers.

    Attributes:
        version: what changes when the file does.
        date: of the cards, where the publisher says it beside the file.
        size: of the file when it is not compressed, in bytes, where that is said.
        sha256: its checksum, where that is said.
        status, installed: `up to date` or `newer installed`, and the date of those cards, where the file is not needed.
    """

    url: httpx.URL
    version: str
    date: str = ""
    size: int | None = None
    sha256: str = ""
    status: str = ""
    installed: str = ""


async def _fetch(known: dict[str, Any], addresses: Addresses, patience: Patience, progress: Progress) -> tuple[_Offer, Path | None]:
    """Return what is offered, and the file with it; none if it isn't needed."""
    async with asyncio.timeout(patience.total), client(addresses, patience, accept=_ACCEPT) as asking:
        offer = await (_indexed(known, addresses, asking) if "type" in known else _with_checksum(known, addresses, asking))
        installed = _installed_date()
        if installed and _remembered() == (str(offer.url), offer.version):
            return _not_needed(offer, "up to date", installed), None
        if installed and offer.date and installed > offer.date:
            return _not_needed(offer, "newer installed", installed), None
        folder = home() / "download"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / (re.sub(r"[^\w.-]", "_", offer.url.path.rpartition("/")[2])[-100:] or "cards")
        await save(asking, addresses, offer.url, _FILE_TYPES, _LARGEST_FILE, file, progress=progress)
        return offer, file


def _not_needed(offer: _Offer, status: str, installed: str) -> _Offer:
    return _Offer(offer.url, offer.version, offer.date, status=status, installed=installed)


async def _indexed(known: dict[str, Any], addresses: Addresses, asking: httpx.AsyncClient) -> _Offer:
    """Read an index of files for the one of the type that is wanted."""
    answer = await get(asking, addresses, addresses.first, _JSON_TYPES, _LARGEST_INDEX)
    place = str(answer.url)
    try:
        items: Any = json.loads(answer.content or b"")["data"]
        item = next(item for item in items if item["type"] == known["type"])
        address, updated = item.get("download_uri") or item["jsonl_download_uri"], item["updated_at"]
        date = datetime.datetime.fromisoformat(updated).date().isoformat()
        size = item.get("size")
        if not isinstance(address, str) or not isinstance(size, (int, type(None))):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        raise InputError(
            f"isn't an index with a file of the type {known['type']}; expected Scryfall's list of bulk data", file=place
        ) from None
    url = addresses.allow(address_of(address, answer.url))
    return _Offer(url, printable(updated), date, size if item.get("download_uri") else None)


async def _with_checksum(known: dict[str, Any], addresses: Addresses, asking: httpx.AsyncClient) -> _Offer:
    """Read the checksum beside a file."""
    url = addresses.first
    beside = url.copy_with(path=url.path + known["checksum"])
    answer = await get(asking, addresses, beside, _CHECKSUM_TYPES, _LARGEST_CHECKSUM)
    match = _SHA256.match((answer.content or b"").decode("ascii", "replace"))
    if match is None:
        raise InputError("isn't a checksum; expected 64 hexadecimal digits", file=str(answer.url))
    return _Offer(url, match[1].lower(), sha256=match[1].lower())


def _check(file: Path, offer: _Offer) -> None:
    """Compare a file with what the publisher says of it.

    Raises:
        InputError: if it is another.
    """
    if offer.sha256:
        with file.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != offer.sha256:
            raise InputError(f"has the checksum {found[:12]}..., expected {offer.sha256[:12]}...; try again later", file=file)
    if offer.size is not None:
        size = file.stat().st_size
        if size != offer.size and (size := sum(map(len, unpacking.pieces(file)))) != offer.size:
            raise InputError(f"has {size:,} bytes, expected {offer.size:,}; try again later", file=file)


# ---------------------------------------------------------------- what is installed


def _installed_date() -> str:
    """Return the date of the installed cards; empty if there are none, or they are damaged, so that they are installed again."""
    try:
        with CardStore.open(installed_file()) as store:
            return store.date
    except DataError:
        return ""


def _memory() -> Path:
    return home() / "fetched-cards.json"


def _remembered() -> tuple[str, str] | None:
    """Return the address and the version of the file that was installed last, if the installed cards are still those."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        memory: Any = json.loads(_memory().read_bytes())
        if memory["store"] == _fingerprint():
            return str(memory["url"]), str(memory["version"])
    return None


def _remember(offer: _Offer) -> None:
    # without it, the file is only fetched once more
    with suppress(OSError):
        memory = {"url": str(offer.url), "version": offer.version, "store": _fingerprint()}
        write_aside(_memory(), json.dumps(memory).encode())


def _fingerprint() -> list[int]:
    told = installed_file().stat()
    return [told.st_size, told.st_mtime_ns]
