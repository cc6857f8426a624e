"""The facts that come with lawmage: of cards of every layout, against values worked out by hand; and that no text is among them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from lawmage.cards.card import Card, Face
from lawmage.cards.importing import import_cards
from lawmage.cards.ship import ship
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore, shipped_file

LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}
ROWS = [
    line.split("\t") for line in (Path(__file__).parent / "facts.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


@pytest.fixture(scope="module")
def store() -> Iterator[CardStore]:
    with CardStore.open(shipped_file()) as opened:
        yield opened


@pytest.fixture(scope="module")
def cards(store: CardStore) -> list[Card]:
    return list(store.cards())


def letters(colors: tuple[str, ...]) -> str:
    return "".join(LETTERS[color] for color in colors) or "-"


def numbers(face: Face) -> str:
    if face.power is not None:
        return f"{face.power}/{face.toughness}"
    return face.loyalty or face.defense or "-"


@pytest.mark.parametrize("row", ROWS, ids=[row[3].split(" | ")[0] for row in ROWS])
def test_facts(store: CardStore, row: list[str]) -> None:
    layout, mana_value, identity, *faces = row
    name = faces[0].split(" | ")[0]
    full = " // ".join(face.split(" | ")[0] for face in faces)
    found = store.many(oracle_id for wanted in (full, name) for oracle_id, _ in store.by_key(key(wanted)))
    card = next(card for card in found.values() if card.layout == layout)
    assert (card.layout, card.mana_value, letters(card.color_identity)) == (layout, float(mana_value), identity)
    shown = [
        (
            face.name,
            face.mana_cost or "-",
            " ".join((*face.supertypes, *face.types)),
            letters(face.colors),
            "?" if "| ? |" in written else numbers(face),  # one publisher leaves out what most battles have
            "a" if face.activated else "-",
        )
        for face, written in zip(card.faces, faces, strict=True)
    ]
    assert [" | ".join(face) for face in shown] == faces


def test_how_many_and_how_large(store: CardStore, cards: list[Card]) -> None:
    assert store.count == len(cards) == 34745
    assert store.faces == sum(len(card.faces) for card in cards) == 35597
    assert store.date == "2026-08-22"
    assert store.path.stat().st_size < 6_000_000


def test_every_card_is_found(store: CardStore, cards: list[Card]) -> None:
    assert len({card.oracle_id for card in cards}) == len(cards)
    for card in cards[::500]:
        assert store.card(card.oracle_id) == card
        assert (card.oracle_id, "full") in store.by_key(key(card.name))


def test_legality_and_game_changers(store: CardStore) -> None:
    def card(name: str) -> Card:
        return store.card(store.by_key(key(name))[0][0])

    assert card("Gray Ogre").legalities["commander"] == "legal"
    assert card("Channel").legalities["commander"] == "banned"
    assert "commander" not in card("Gleemax").legalities
    assert (card("Rhystic Study").game_changer, card("Gray Ogre").game_changer) == (True, False)


def test_what_texts_state(store: CardStore) -> None:
    def states(name: str) -> set[str]:
        (oracle_id, _), *_ = store.by_key(key(name))
        return {constraint.kind for face in store.card(oracle_id).faces for constraint in face.constraints}

    assert "cannot_attack" in states("Pacifism")
    assert "copies_any" in states("Relentless Rats")
    assert "copies_at_most" in states("Seven Dwarves")
    assert "starting_deck_larger" in states("Yorion, Sky Nomad")
    assert "may_lead" in states("Teferi, Temporal Archmage")


# ---------------------------------------------------------------- no text


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        yield from strings((*value.keys(), *value.values()))
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


def test_no_text_is_kept(store: CardStore, cards: list[Card]) -> None:
    assert not store.with_text
    place = re.compile(r"sentence \d+")
    for card in cards:
        for face in card.faces:
            assert face.text is None
            assert all(place.fullmatch(said) for said in (*face.not_understood, *face.triggers)), card.name
            for constraint in face.constraints:
                assert not constraint.source
                # levels, what they cost, and numbers of stations are facts
                said = [condition.text for condition in constraint.conditions]
                assert all(re.fullmatch(r"|condition \d+ of .+|(LEVEL )?\d+(\+|-\d+)|(\{[^{}]+\})+: Level \d+", text) for text in said), (
                    card.name
                )
            assert not any(re.search(r"[.!?] \w", said) for said in strings((face.constraints, face.keywords)) if face.name not in said), (
                card.name
            )


def test_no_sentence_of_a_card_is_kept(cards: list[Card], shared: Path) -> None:
    import json
    import lzma

    published = json.loads(lzma.decompress((shared / "data" / "cards" / "oracle-cards.json.xz").read_bytes()))
    texts = {item["name"]: [part.get("oracle_text", "") for part in item.get("card_faces") or [item]] for item in published}
    for card in cards:
        kept = [said for face in card.faces for said in strings((face.keywords, face.constraints, face.not_understood, face.triggers))]
        for text in texts[card.name]:
            sentences = {sentence.strip() for sentence in re.split(r"[.\n]", re.sub(r"\([^()]*\)", "", text)) if sentence.count(" ") >= 4}
            spoken = {said for said in kept if said in sentences}
            # a keyword with its parameters is a fact, however long
            assert spoken <= {written for face in card.faces for written in face.keywords}, card.name


@pytest.mark.slow
def test_they_are_as_their_texts_are_read_today(tmp_path: Path, shared: Path) -> None:
    """If not: import MTGJSON's file again, then: python -m lawmage.cards.ship."""
    import_cards(shared / "data" / "cards" / "AtomicCards.json.xz", target=tmp_path / "imported")
    with CardStore.open(tmp_path / "imported") as opened:
        ship(opened, tmp_path / "facts")
    with CardStore.open(tmp_path / "facts") as today, CardStore.open(shipped_file()) as shipped:
        assert [card.name for card, known in zip(today.cards(), shipped.cards(), strict=True) if card != known] == []
    assert (tmp_path / "facts").read_bytes() == shipped_file().read_bytes()


def test_the_same_import_gives_the_same_bytes(tmp_path: Path, shared: Path) -> None:
    store = tmp_path / "imported.sqlite"
    import_cards(shared / "data" / "cards" / "mtgjson_AtomicCards_fixture_85cards_2026-03-01.json", target=store, processes=1)
    for name in ("one", "two"):
        with CardStore.open(store) as opened:
            ship(opened, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_facts_alone_cannot_be_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    before = shipped_file().read_bytes()
    done = subprocess.run([sys.executable, "-m", "lawmage.cards.ship"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "has facts only" in done.stderr
    assert shipped_file().read_bytes() == before
