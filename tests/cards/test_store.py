"""The file of cards."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest

from lawmage.cards.card import Card
from lawmage.cards.packing import pack
from lawmage.cards.spelling import key
from lawmage.cards.store import BLOCK, CardStore, StoredCard, installed_file, shipped_file, write_store
from lawmage.errors import DataError, InputError, UnknownNameError

from .made import card, face, store_of

MADE = [card(face(f"Card {number}")) for number in range(BLOCK + 3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store_of(tmp_path, MADE).close()
    return tmp_path / "cards.sqlite"


def test_all_of_it(path: Path) -> None:
    with CardStore.open(path) as store:
        assert (store.count, store.faces, store.date, store.source, store.with_text) == (67, 67, "2026-08-07", "made for tests", True)
        assert sorted(store.cards(), key=lambda one: one.name) == sorted(MADE, key=lambda one: one.name)
        assert list(store.keys()) == sorted({key(one.name) for one in MADE})
        assert [store.card(one.oracle_id) for one in MADE] == MADE
        assert store.many([MADE[0].oracle_id, MADE[-1].oracle_id]) == {one.oracle_id: one for one in (MADE[0], MADE[-1])}
        assert store.by_key(key("Card 12")) == [(MADE[12].oracle_id, "full")]
        assert store.by_key("unknown") == []
        assert {one.name: names for one, names in store.entries()}["Card 3"] == ((key("Card 3"), "full"),)


@pytest.mark.parametrize("unknown", ["", "x", "00000000-0000-0000-0000-000000000000", "\0", "'; DROP TABLE card"])
def test_unknown_identifiers(path: Path, unknown: str) -> None:
    with CardStore.open(path) as store:
        with pytest.raises(UnknownNameError, match="there is no card with the oracle id"):
            store.card(unknown)
        assert store.many([unknown]) == {}


def test_it_cannot_be_changed(path: Path) -> None:
    with CardStore.open(path) as store, pytest.raises(sqlite3.OperationalError, match="readonly"):
        store._base.execute("DELETE FROM card")


def test_the_same_cards_give_the_same_bytes(tmp_path: Path) -> None:
    for folder, order in (("a", MADE), ("b", MADE[::-1])):
        (tmp_path / folder).mkdir()
        store_of(tmp_path / folder, order).close()
    assert (tmp_path / "a" / "cards.sqlite").read_bytes() == (tmp_path / "b" / "cards.sqlite").read_bytes()


def test_installed_cards_come_before_shipped_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    with CardStore.open() as store:
        assert store.path == shipped_file()
    store_of(tmp_path, MADE).close()
    with CardStore.open() as store:
        assert store.path == installed_file() == tmp_path / "cards.sqlite"


def test_there_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    (tmp_path / "kb").mkdir()
    with pytest.raises(DataError, match="no cards are installed"):
        CardStore.open()


def test_a_store_stays_when_another_cannot_be_written(path: Path) -> None:
    before = path.read_bytes()
    bad = StoredCard("no identifier", b"", (("x", "full"),), 1)
    with pytest.raises(ValueError, match="UUID"):
        write_store(path, [bad], date="", source="", with_text=True, game_changers=False)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_folder_that_is_a_file(path: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_store(path / "below" / "cards.sqlite", [], date="", source="", with_text=True, game_changers=False)


# ---------------------------------------------------------------- damage


def changed(path: Path, statement: str, *values: object) -> Path:
    with sqlite3.connect(path) as base:
        base.execute(statement, values)
    base.close()
    return path


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + bytes(200)])
def test_another_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cards.sqlite"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"cards.sqlite can't be read \(.+\); import the cards again"):
        CardStore.open(file)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE meta SET value = '0' WHERE key = 'format'", "another version"),
        ("UPDATE meta SET value = 'many' WHERE key = 'cards'", "many"),
        ("DELETE FROM meta WHERE key = 'date'", "date"),
        ("UPDATE meta SET value = 'soon' WHERE key = 'date'", "soon"),
        ("DROP TABLE meta", "no such table"),
    ],
)
def test_what_it_says_of_itself_is_wrong(path: Path, statement: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        CardStore.open(changed(path, statement))


def pieces(*packed: bytes) -> bytes:
    return zlib.compress(b"\n".join(packed))


@pytest.mark.parametrize(
    "block",
    [b"", b"x", pieces(b""), pieces(b"{"), pieces(b"[]"), pieces(b'{"": "Card", "older": 1}'), pieces(pack(Card("", "", "", ()))), 5],
)
def test_damaged_blocks(path: Path, block: object) -> None:
    changed(path, "UPDATE block SET cards = ? WHERE number = 0", block)
    with CardStore.open(path) as store, pytest.raises(DataError, match="can't be read"):
        store.many(one.oracle_id for one in MADE)


@pytest.mark.parametrize("table", ["card", "block", "name"])
def test_missing_tables(path: Path, table: str) -> None:
    changed(path, f"DROP TABLE {table}")
    with CardStore.open(path) as store, pytest.raises(DataError, match="no such table"):
        assert store.by_key(key("Card 1")) == [(store.card(MADE[1].oracle_id).oracle_id, "full")]
