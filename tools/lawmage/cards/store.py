"""Cards in one SQLite file, found by identifier or by name: those that the user has imported, or the facts that come with lawmage.

Both have the same form, but for the texts. Cards stand in blocks, sorted by name, and each block is compressed; an index leads from
identifiers and from the keys of names (`lawmage.cards.spelling`) to the number of a card, which tells its block and its place there.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
import tempfile
import uuid
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from lawmage import __version__
from lawmage.cards.card import Card
from lawmage.cards.packing import unpack
from lawmage.errors import DataError, InputError, UnknownNameError
from lawmage.resources import data_folder, home

__all__ = ["BLOCK", "CardStore", "NameKind", "StoredCard", "installed_file", "shipped_file", "write_store"]

NameKind = Literal["full", "face", "other"]
_KINDS: tuple[NameKind, ...] = ("full", "face", "other")
#: How many cards stand in a block: more compress better, fewer are found faster.
BLOCK = 64
_FORMAT = "1"
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE block(number INTEGER PRIMARY KEY, cards BLOB NOT NULL);
CREATE TABLE card(oracle_id BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE name(key TEXT NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL, PRIMARY KEY(key, number, kind)) WITHOUT ROWID;
"""
_COVERAGE = "CREATE TABLE coverage(measured BLOB NOT NULL)"
_BLOCKS_KEPT, _CARDS_KEPT = 64, 1024


def installed_file() -> Path:
    """Return where imported cards are."""
    return home() / "cards.sqlite"


def shipped_file() -> Path:
    """Return where the facts are that come with lawmage."""
    return data_folder("kb") / "cards" / "cards.sqlite"


class CardStore:
    """Cards in a file, read only; a context manager.

    Attributes:
        path: the file.
        date: of the data (ISO).
        source: where it comes from, such as `Scryfall, oracle-cards.json`.
        version: that of lawmage which read the texts.
        with_text: whether the cards have their texts.
        count, faces: how many cards and faces there are.
        knows_game_changers: whether the source says which cards are game changers.
    """

    def __init__(self, path: Path) -> None:
        """Use `CardStore.open`."""
        self.path = path
        try:
            self._base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._damaged(str(error)) from None
        try:
            meta: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
            if meta.get("format") != _FORMAT:
                raise self._damaged("it was written by another version of lawmage")
            self.date, self.source, self.version = meta["date"], meta["source"], meta["version"]
            self.with_text, self.knows_game_changers = meta["texts"] == "yes", meta["game changers"] == "yes"
            self.count, self.faces = int(meta["cards"]), int(meta["faces"])
            datetime.date.fromisoformat(self.date)
        except (KeyError, ValueError) as error:
            self.close()
            raise self._damaged(f"it has no {error}") from None
        except DataError:
            self.close()
            raise
        self._block = lru_cache(maxsize=_BLOCKS_KEPT)(self._read_block)
        self._at = lru_cache(maxsize=_CARDS_KEPT)(self._read_card)

    @classmethod
    def open(cls, path: Path | None = None) -> CardStore:
        """Open a file; by default the cards that the user has imported, if any, else the facts that come with lawmage.

        Raises:
            DataError: if there is none, or it is damaged.
        """
        if path is None:
            path = next((file for file in (installed_file(), shipped_file()) if file.is_file()), None)
        if path is None:
            raise DataError("no cards are installed; get Scryfall's oracle-cards or MTGJSON's AtomicCards, then: lawmage data import FILE")
        return cls(path)

    @property
    def coverage(self) -> bytes | None:
        """What was measured of the texts when they were imported (`lawmage.cards.coverage_record`), where that was recorded."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'coverage'"):
            return None
        return next((bytes(measured) for (measured,) in self._rows("SELECT measured FROM coverage")), None)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> CardStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def card(self, oracle_id: str) -> Card:
        """Return a card.

        Raises:
            UnknownNameError: if there is no such card.
        """
        found = self.many([oracle_id]).get(oracle_id)
        if found is None:
            raise UnknownNameError(f'there is no card with the oracle id "{oracle_id}"')
        return found

    def many(self, oracle_ids: Iterable[str]) -> dict[str, Card]:
        """Return the cards with these identifiers, by them; those that don't exist are left out."""
        numbers: dict[str, int] = {}
        for oracle_id in oracle_ids:
            try:
                rows = self._rows("SELECT number FROM card WHERE oracle_id = ?", uuid.UUID(oracle_id).bytes)
            except ValueError:
                continue
            if rows:
                numbers[oracle_id] = rows[0][0]
        return {oracle_id: self._at(number) for oracle_id, number in numbers.items()}

    def by_key(self, key: str) -> list[tuple[str, NameKind]]:
        """Return the cards one of whose names has this key (`spelling.key`), and which: its full name, that of a face, or another."""
        rows = self._rows("SELECT number, kind FROM name WHERE key = ? ORDER BY kind, number", key)
        return [(self._at(number).oracle_id, _KINDS[kind]) for number, kind in rows]

    def begun_by(self, key: str, most: int) -> list[Card]:
        """Return up to `most` cards a name of which has a key that begins with `key`, those first whose full name does, then by name."""
        question = "SELECT number FROM name WHERE key >= ? AND key < ? GROUP BY number ORDER BY MIN(kind), MIN(key) LIMIT ?"
        return [self._at(number) for (number,) in self._rows(question, key, f"{key}\x7f", most)]

    def holding(self, key: str, most: int) -> list[Card]:
        """Return up to `most` cards a name of which has a key with `key` in it, those first that have it nearest to the beginning."""
        question = "SELECT number FROM name WHERE INSTR(key, ?) GROUP BY number ORDER BY MIN(INSTR(key, ?)), MIN(key) LIMIT ?"
        return [self._at(number) for (number,) in self._rows(question, key, key, most)]

    def keys(self) -> Iterator[str]:
        """Yield the keys of all names, in order."""
        for (key,) in self._rows("SELECT DISTINCT key FROM name ORDER BY key"):
            yield key

    def cards(self) -> Iterator[Card]:
        """Yield all cards, by name."""
        for number in range((self.count + BLOCK - 1) // BLOCK):
            yield from map(self._unpacked, self._read_block(number))

    def entries(self) -> Iterator[tuple[Card, tuple[tuple[str, NameKind], ...]]]:
        """Yield all cards, each with the keys of its names."""
        names: dict[int, list[tuple[str, NameKind]]] = {}
        for key, number, kind in self._rows("SELECT key, number, kind FROM name"):
            names.setdefault(number, []).append((key, _KINDS[kind]))
        for number, card in enumerate(self.cards()):
            yield card, tuple(names[number])

    def _read_card(self, number: int) -> Card:
        block = self._block(number // BLOCK)
        if number % BLOCK >= len(block):
            raise self._damaged("a card is missing")
        return self._unpacked(block[number % BLOCK])

    def _read_block(self, number: int) -> list[bytes]:
        rows = self._rows("SELECT cards FROM block WHERE number = ?", number)
        try:
            return zlib.decompress(rows[0][0]).split(b"\n")
        except (IndexError, zlib.error, TypeError) as error:
            raise self._damaged(str(error)) from None

    def _unpacked(self, packed: bytes) -> Card:
        try:
            card = unpack(packed)
        except ValueError as error:
            raise self._damaged(str(error)) from None
        if not isinstance(card, Card):
            raise self._damaged("it holds something else than cards")
        # a publisher that marks only those that are listed says of all others that they are not
        return replace(card, game_changer=False) if card.game_changer is None and self.knows_game_changers else card

    def _rows(self, question: str, *values: object) -> list[Any]:
        try:
            return self._base.execute(question, values).fetchall()
        except sqlite3.Error as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, why: str) -> DataError:
        return DataError(f"{self.path} can't be read ({why}); import the cards again with: lawmage data import FILE")


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card that is to be written: packed by `lawmage.cards.packing`, with the keys of its names, that of the full one among them."""

    oracle_id: str
    packed: bytes
    names: tuple[tuple[str, NameKind], ...]
    faces: int

    def order(self) -> tuple[str, str]:
        """Return by what cards are sorted: their names."""
        return next(key for key, kind in self.names if kind == "full"), self.oracle_id


def write_store(
    path: Path,
    cards: Iterable[StoredCard],
    *,
    date: str,
    source: str,
    with_text: bool,
    game_changers: bool,
    coverage: bytes | None = None,
) -> None:
    """Write a file of cards; what was there before stays until the new one is whole. The same cards give the same bytes.

    Args:
        date, source: of the data.
        with_text: whether the cards have their texts.
        game_changers: whether every card that isn't marked as a game changer is none.
        coverage: what was measured of the texts, if that is to be recorded.

    Raises:
        InputError: if it can't be written.
    """
    ordered = sorted(cards, key=StoredCard.order)
    meta = {
        "format": _FORMAT,
        "date": date,
        "source": source,
        "version": __version__,
        "texts": "yes" if with_text else "no",
        "cards": str(len(ordered)),
        "faces": str(sum(card.faces for card in ordered)),
        "game changers": "yes" if game_changers else "unknown",
    }
    aside: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(descriptor)
        aside = Path(name)
        _fill(aside, ordered, meta, coverage)
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.chmod(0o644)
        aside.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"can't be written ({getattr(error, 'strerror', None) or error})", file=path) from None
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)


def _fill(path: Path, cards: list[StoredCard], meta: dict[str, str], coverage: bytes | None) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA page_size = 4096")
        base.execute("PRAGMA journal_mode = OFF")
        base.executescript(_SCHEMA)
        base.execute("BEGIN")
        base.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        for first in range(0, len(cards), BLOCK):
            block = b"\n".join(card.packed for card in cards[first : first + BLOCK])
            base.execute("INSERT INTO block VALUES (?, ?)", (first // BLOCK, zlib.compress(block, 9)))
        numbered = list(enumerate(cards))
        base.executemany("INSERT INTO card VALUES (?, ?)", sorted((uuid.UUID(card.oracle_id).bytes, number) for number, card in numbered))
        names = {(key, number, _KINDS.index(kind)) for number, card in numbered for key, kind in card.names}
        base.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(names))
        if coverage is not None:
            base.execute(_COVERAGE)
            base.execute("INSERT INTO coverage VALUES (?)", (coverage,))
        base.execute("COMMIT")
        base.execute("VACUUM")
