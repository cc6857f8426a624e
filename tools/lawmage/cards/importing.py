"""Importing cards: read a publisher's file, work out what each card is and states, keep all of it in the user's folder."""

from __future__ import annotations

import datetime
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from lawmage.cards.characteristics import make_card
from lawmage.cards.coverage import Coverage, measured
from lawmage.cards.coverage_record import packed_coverage
from lawmage.cards.layouts import load_layouts
from lawmage.cards.packing import pack
from lawmage.cards.sources import CardFile, Record
from lawmage.cards.spelling import key
from lawmage.cards.store import NameKind, StoredCard, installed_file, write_store
from lawmage.cards.unpacking import Progress
from lawmage.errors import DataError, InputError

__all__ = ["Report", "import_cards", "make_cards"]

#: How many cards a process is given at a time; fewer than that in all are read in this process.
_BATCH = 256
_MOST_CARDS = 250_000
#: The cards of a batch, packed, and what is understood of their texts.
_Made: TypeAlias = tuple[list[bytes], Coverage]
_DATE_IN_NAME = re.compile(r"(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)")


@dataclass(frozen=True, slots=True)
class Report:
    """What was imported from a file: whose it is, of what day, how many cards and faces."""

    file: str
    source: str
    date: str
    cards: int
    faces: int

    def as_json(self) -> dict[str, Any]:
        """Return the report as `lawmage data import --json` prints it."""
        return {"file": self.file, "kind": "cards", "source": self.source, "date": self.date, "cards": self.cards, "faces": self.faces}


def import_cards(
    path: Path, *, date: str = "", target: Path | None = None, progress: Progress | None = None, processes: int | None = None
) -> Report:
    """Read a file of cards as published, and install it in the place of what was installed before.

    Args:
        path: Scryfall's oracle-cards or default-cards, or MTGJSON's AtomicCards, plain or compressed.
        date: of the data (ISO); by default what the file says, else the day in its name, else the day it was written.
        target: the store to write; by default the installed one.
        progress: see `Progress`.
        processes: how many read texts at once; by default as many as this machine has, but no more than four.

    Raises:
        InputError: if the file isn't whole, or isn't such a file. Nothing is written then.
        DataError: if a process that reads texts is killed.
    """
    file = CardFile(path, progress)
    gathered = _Gathered(path)
    coverage = Coverage()
    made = [(record, packed) for record, packed in make_cards(gathered.first(file.records()), processes=processes, coverage=coverage)]
    if not made:
        raise InputError("has no cards; expected Scryfall's oracle-cards or default-cards, or MTGJSON's AtomicCards", file=path)
    # only now are all names known
    cards = [gathered.stored(record, packed) for record, packed in made]
    faces = sum(card.faces for card in cards)
    day = date or file.date or _day(path)
    source = f"{file.source}, {path.name}"
    write_store(
        target or installed_file(),
        cards,
        date=day,
        source=source,
        with_text=True,
        game_changers=gathered.game_changers,
        coverage=packed_coverage(coverage),
    )
    return Report(str(path), file.source, day, len(cards), faces)


@dataclass(slots=True)
class _Gathered:
    """What is known of the cards so far; a file of printings has each card several times.

    Attributes:
        names: of each card, by its identifier.
        legal: the cards that a format allows, by name.
        others: what else printings of a card are called, by its identifier.
        game_changers: whether a card is marked as a game changer.
    """

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    legal: dict[str, str] = field(default_factory=dict)
    others: dict[str, set[str]] = field(default_factory=dict)
    game_changers: bool = False

    def first(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield each card when it comes for the first time."""
        for record in records:
            if record.other_names:
                self.others.setdefault(record.oracle_id, set()).update(record.other_names)
            if record.legalities and self.legal.setdefault(record.name, record.oracle_id) != record.oracle_id:
                raise InputError(f'has two legal cards called "{record.name}"; expected different names', file=self.path)
            if record.oracle_id not in self.names:
                if len(self.names) >= _MOST_CARDS:
                    raise InputError(f"has more than {_MOST_CARDS:,} cards; expected about 35,000", file=self.path)
                self.names[record.oracle_id] = record.name
                self.game_changers = self.game_changers or bool(record.game_changer)
                yield record
            elif self.names[record.oracle_id] != record.name:
                names = f'"{self.names[record.oracle_id]}" and "{record.name}"'
                raise InputError(f"gives {names} the same oracle id; expected one card", file=self.path)

    def stored(self, record: Record, packed: bytes) -> StoredCard:
        """Return a card as it is to be written."""
        full, others = key(record.name), self.others.get(record.oracle_id, ())
        names: dict[str, NameKind] = {other: "other" for name in others if (other := key(name))}
        parts = [] if record.layout in load_layouts().melding else record.name.split(" // ")
        names |= {key(name): "face" for name in (*(face.name for face in record.faces), *parts)}
        names[full] = "full"
        return StoredCard(record.oracle_id, packed, tuple(names.items()), len(record.faces))


def make_cards(
    records: Iterable[Record], *, processes: int | None = None, coverage: Coverage | None = None
) -> Iterator[tuple[Record, bytes]]:
    """Yield each record with the card made of it, packed; in their order, and never many ahead of what has been taken.

    Args:
        processes: how many read texts at once; by default as many as this machine has, but no more than four.
        coverage: what is understood of the texts is counted there.

    Raises:
        DataError: if one of them is killed.
    """
    coverage = Coverage() if coverage is None else coverage
    batches = _batches(records)
    ahead = list(islice(batches, 2))
    processes = processes or min(os.cpu_count() or 1, 4)
    if processes == 1 or len(ahead) < 2:
        for batch in chain(ahead, batches):
            yield from _counted(batch, _make(batch), coverage)
        return
    # not forked: this process may have threads, which show the progress; no Pool: it waits for ever for a process that was killed
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    waiting: deque[tuple[list[Record], Future[_Made]]] = deque()
    try:
        for batch in chain(ahead, batches):
            waiting.append((batch, pool.submit(_make, batch)))
            if len(waiting) > 2 * processes:
                given, made = waiting.popleft()
                yield from _counted(given, made.result(), coverage)
        for given, made in waiting:
            yield from _counted(given, made.result(), coverage)
    except BrokenProcessPool:
        raise DataError("a process that reads the texts of cards was ended from outside; import them again") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    source = iter(records)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _make(batch: list[Record]) -> _Made:
    coverage, made = Coverage(), []
    for record in batch:
        card = make_card(record)
        coverage.add(measured([card.faces]))  # at once, while what was read of its texts is kept
        made.append(pack(card))
    return made, coverage


def _counted(batch: list[Record], made: _Made, coverage: Coverage) -> Iterator[tuple[Record, bytes]]:
    packed, counted = made
    coverage.add(counted)
    return zip(batch, packed, strict=True)


def _day(path: Path) -> str:
    """Return the day in a file's name, as publishers write it, or that on which it was last written."""
    for match in _DATE_IN_NAME.finditer(path.name):
        with suppress(ValueError):
            return datetime.date(*map(int, match.groups())).isoformat()
    return datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC).date().isoformat()
