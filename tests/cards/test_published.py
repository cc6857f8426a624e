"""Every published card: both publishers give the same facts, and ours agree with theirs but for what can be argued."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawmage.cards import characteristics
from lawmage.cards.card import Card, Face
from lawmage.cards.characteristics import make_card
from lawmage.cards.importing import import_cards
from lawmage.cards.layouts import load_layouts
from lawmage.cards.reading import FaceReading
from lawmage.cards.sources import CardFile, Record
from lawmage.cards.store import CardStore

SCRYFALL, MTGJSON = "oracle-cards.json.xz", "AtomicCards.json.xz"
BASIC_LAND_TYPES = {"Plains", "Island", "Swamp", "Mountain", "Forest"}

#: Cards whose colour identity we see in another way than their publishers, and why; none but those of the first kind is in any format.
ARGUED = {
    # 903.4: symbols in the rules text count, also in an ability that the card gives to a token, and whatever the card's border
    "symbols in the text": {
        "Banned Eldraine Card",
        "Char-Dog",
        "Eladamri, Lord of Leaves Avatar",
        "Elvish Champion Avatar",
        "Etched Oracle Avatar",
        "Item Crate",
        "Kibo's Bananamobile",
        "Master of the Wild Hunt Avatar",
        "Nekrataal Avatar",
        "Peel Out",
        "The Food Court",
    },
    # published without the mana cost or the colours that are printed on it
    "not published": {"B.F.M. (Big Furry Monster)", "Garruk the Slayer"},
    # words that no rule gives a meaning
    "rules of its own": {"Nearby Planet", "The Waffle Restaurant"},
}
#: 604.3: an ability says that it is colorless.
COLORLESS = {"Ghostfire"}


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "cards"


@pytest.fixture(scope="module")
def records(folder: Path) -> dict[str, list[Record]]:
    return {source: list(CardFile(folder / source).records()) for source in (SCRYFALL, MTGJSON)}


@pytest.fixture(scope="module")
def cards(records: dict[str, list[Record]]) -> Iterator[dict[str, list[Card]]]:
    """All cards of both, without what their texts state, which takes longer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(characteristics, "read_face", lambda _text, _name: FaceReading())
        yield {source: list(map(make_card, found)) for source, found in records.items()}


def has_basic_land_type(face: Face) -> bool:
    return "land" in face.types and bool(BASIC_LAND_TYPES & set(face.subtypes))


def known_game_changers(found: list[Card]) -> list[bool]:
    return [bool(card.game_changer) for card in found]


def test_both_publishers_give_the_same_facts(cards: dict[str, list[Card]]) -> None:
    one, two = cards[SCRYFALL], cards[MTGJSON]
    assert len(one) == len(two) == 34745
    assert known_game_changers(one) == known_game_changers(two)
    different = []
    for mine, other in zip(one, two, strict=True):
        for name in Card.__slots__:
            if name != "game_changer" and getattr(mine, name) != getattr(other, name):
                different.append((mine.name, name))
    assert different == []


def test_texts_are_read_alike(records: dict[str, list[Record]]) -> None:
    chosen = random.Random(20260807).sample(range(len(records[SCRYFALL])), 200)
    for number in chosen:
        one, two = (make_card(records[source][number]) for source in (SCRYFALL, MTGJSON))
        assert one.faces == two.faces


def test_mana_values(records: dict[str, list[Record]], cards: dict[str, list[Card]]) -> None:
    pairs = zip(records[SCRYFALL], cards[SCRYFALL], strict=True)
    assert [card.name for record, card in pairs if card.mana_value != record.mana_value] == []


def test_colors(records: dict[str, list[Record]], cards: dict[str, list[Card]]) -> None:
    words = load_layouts().colors
    different = {
        face.name
        for record, card in zip(records[SCRYFALL], cards[SCRYFALL], strict=True)
        for given, face in zip(record.faces, card.faces, strict=True)
        if given.colors is not None and tuple(words[letter] for letter in given.colors) != face.colors
    }
    assert different == COLORLESS


def test_color_identities(records: dict[str, list[Record]], cards: dict[str, list[Card]]) -> None:
    words = load_layouts().colors
    different: set[str] = set()
    by_land_type = 0
    for record, card in zip(records[SCRYFALL], cards[SCRYFALL], strict=True):
        theirs = {words[letter] for letter in record.identity}
        if theirs == set(card.color_identity):
            continue
        if theirs > set(card.color_identity) and any(map(has_basic_land_type, card.faces)):
            # no symbol stands in their text (903.4c); that a deck can't have them is what 903.5d says
            by_land_type += 1
            continue
        different.add(card.name)
    assert different == set().union(*ARGUED.values())
    assert by_land_type == 103


def facts(card: Card) -> tuple[object, ...]:
    faces = [(face.name, face.mana_cost, face.supertypes, face.types, face.subtypes, face.colors, face.power) for face in card.faces]
    return card.name, card.layout, card.mana_value, card.color_identity, faces


@pytest.mark.parametrize("name", ["scryfall_list_ATQ_100cards.json", "mtgjson_AtomicCards_fixture_85cards_2026-03-01.json"])
def test_the_samples_have_the_facts_that_are_shipped(folder: Path, cards: dict[str, list[Card]], name: str) -> None:
    """They are verbatim, with all the fields that the large files lack."""
    known = {card.name: facts(card) for card in cards[SCRYFALL]}
    found = {record.name: facts(make_card(record)) for record in CardFile(folder / name).records()}
    assert len(found) == 85
    assert {one: known[one] for one in found} == found


@pytest.mark.slow
def test_everything_of_both_publishers(folder: Path, tmp_path: Path) -> None:
    for source in (SCRYFALL, MTGJSON):
        report = import_cards(folder / source, target=tmp_path / source)
        assert (report.cards, report.faces) == (34745, 35597)
    with CardStore.open(tmp_path / SCRYFALL) as one, CardStore.open(tmp_path / MTGJSON) as two:
        assert all(mine == other for mine, other in zip(one.cards(), two.cards(), strict=True))
        assert list(one.keys()) == list(two.keys())
