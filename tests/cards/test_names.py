"""Cards found by name, as people type names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawmage.cards.card import Card
from lawmage.cards.names import find, look_up, suggestions
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore, shipped_file
from lawmage.errors import InputError, UnknownNameError

from .made import card, face, store_of

MADE = (
    card(face("Gray Ogre")),
    card(face("Sévérine d'Ys, Old-Timer")),
    card(face("Flame"), face("Frost"), layout="split"),
    card(face("Spark"), face("Flame"), layout="split"),
    card(face("Timid Youth"), face("Grown Wolf"), layout="transform"),
    card(face("Frost")),
    card(face("A-Gray Ogre")),
    card(face("Wet Land")),
    card(face("Wetland")),
    card(face("Mib and Mob, the Pair")),
    card(face("Salt & Pepper")),
    card(face("Erase (Not That One)")),
    card(face("+2 Club")),
    card(face("_____")),
    card(face("Twice, Told"), legal=False),
    card(face("Twice Told")),
)
PIECES = (
    "Gray Ogre",
    "Flame",
    "Frost",
    " // ",
    "/",
    " & ",
    " and ",
    "A-",
    " (",
    "M10",
    ")",
    " 146",
    " *F*",
    "[",
    "]",
    "^",
    "#",
    "|",
    "<",
    "`",
    " ",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardStore]:
    with store_of(tmp_path_factory.mktemp("cards"), MADE) as store:
        yield store


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("gray ogre", "Gray Ogre"),
        ("  Gray   OGRE ", "Gray Ogre"),
        ("GrayOgre", "Gray Ogre"),
        ("Gray-Ogre!", "Gray Ogre"),
        ("Severine d`Ys Old Timer", "Sévérine d'Ys, Old-Timer"),
        ("SÉVÉRINE D’YS, OLD\N{EN DASH}TIMER", "Sévérine d'Ys, Old-Timer"),
        ("Flame // Frost", "Flame // Frost"),
        ("flame/frost", "Flame // Frost"),
        ("Flame /// Frost", "Flame // Frost"),
        ("Flame & Frost", "Flame // Frost"),
        ("Flame and Frost", "Flame // Frost"),
        ("Flame Frost", "Flame // Frost"),
        ("FlameFrost", "Flame // Frost"),
        ("spark", "Spark // Flame"),
        ("Grown Wolf", "Timid Youth // Grown Wolf"),
        ("Timid Youth", "Timid Youth // Grown Wolf"),
        ("Frost", "Frost"),
        ("A-Gray Ogre", "A-Gray Ogre"),
        ("Gray Ogre (Alchemy)", "A-Gray Ogre"),
        ("A-Wetland", "Wetland"),
        ("Wet Land", "Wet Land"),
        ("wetland", "Wetland"),
        ("Mib & Mob, the Pair", "Mib and Mob, the Pair"),
        ("Salt and Pepper", "Salt & Pepper"),
        ("Erase (Not That One)", "Erase (Not That One)"),
        ("+2 club", "+2 Club"),
        ("_____", "_____"),
        ("TwiceTold", "Twice Told"),
    ],
)
def test_spellings(made: CardStore, typed: str, name: str) -> None:
    assert find(made, typed).name == name


@pytest.mark.parametrize(
    "beside",
    [
        "(M10)",
        "(M10) 146",
        "(2X2) 117 *F*",
        "[M10]",
        "[MH2:12a]",
        "(PLST) A25-123",
        "M10 146",
        "|M10|2",
        "#146",
        "*E*",
        "(F)",
        "[foil]",
        "<borderless> [M10] (F)",
        "(M10) 146 ^Ramp,#111111^",
        "(M10) 146 #Ramp #Draw",
        "`Creatures`",
        "(M10) 33★",
    ],
)
def test_what_stands_beside_a_name(made: CardStore, beside: str) -> None:
    assert find(made, f"Gray Ogre {beside}").name == "Gray Ogre"
    assert find(made, f"flame/frost {beside}").name == "Flame // Frost"


def test_the_face_that_was_named(made: CardStore) -> None:
    named = {typed: look_up(made, typed).face for typed in ("Grown Wolf", "timid youth", "Timid Youth // Grown Wolf", "Frost")}
    assert named == {"Grown Wolf": 1, "timid youth": 0, "Timid Youth // Grown Wolf": None, "Frost": None}


def test_an_oracle_id_names_its_card(made: CardStore) -> None:
    assert find(made, MADE[0].oracle_id.upper()) == MADE[0]


def test_several_cards_are_listed(made: CardStore) -> None:
    with pytest.raises(InputError) as caught:
        find(made, "Flame")
    assert str(caught.value) == 'several cards are called "Flame"; write "Flame // Frost" or "Spark // Flame"'


def test_two_names_that_differ_in_spacing_alone(made: CardStore) -> None:
    with pytest.raises(InputError, match='several cards are called "wet-land"; write "Wet Land" or "Wetland"'):
        find(made, "wet-land")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("Grey Ogre", 'no card is called "Grey Ogre"; did you mean "Gray Ogre" or "A-Gray Ogre"?'),
        ("Gray Orge (M10) 146", 'did you mean "Gray Ogre" or "A-Gray Ogre"?'),
        ("Timid Yuoth", 'did you mean "Timid Youth // Grown Wolf"?'),
        ("Severine", """did you mean "Sévérine d'Ys, Old-Timer"?"""),
        ("Xyzzy", 'no card is called "Xyzzy"'),
        ("", 'no card is called ""'),
        ("//", 'no card is called "//"'),
        ("______", 'no card is called "______"'),
        ("€", 'no card is called "€"'),
    ],
)
def test_names_that_nothing_has(made: CardStore, typed: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        find(made, typed)
    assert str(caught.value).endswith(hint)


def test_a_name_that_is_too_long(made: CardStore) -> None:
    with pytest.raises(InputError, match="has 100000 characters"):
        find(made, "x" * 100_000)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=8).map("".join)))
def test_any_text_is_a_name_or_is_not(made: CardStore, typed: str) -> None:
    try:
        found, told = find(made, typed), ""
    except (InputError, UnknownNameError) as error:
        found, told = None, str(error)
    assert found in MADE or told.startswith(("no card is called", "several cards are called"))
    assert told.isprintable()


def test_the_part_before_the_comma_comes_first(tmp_path: Path) -> None:
    cards = (card(face("Jora's Lantern")), card(face("Joraga")), card(face("Jora, Who Walks Far")))
    with store_of(tmp_path, cards) as store:
        assert suggestions(store, "jora") == ["Jora, Who Walks Far", "Joraga", "Jora's Lantern"]


# ---------------------------------------------------------------- all cards


@pytest.fixture(scope="module")
def everything() -> Iterator[CardStore]:
    with CardStore.open(shipped_file()) as store:
        yield store


@pytest.fixture(scope="module")
def cards(everything: CardStore) -> list[Card]:
    return list(everything.cards())


def test_every_name_is_found(everything: CardStore, cards: list[Card]) -> None:
    assert len(cards) > 30_000
    assert [one.name for one in cards if find(everything, one.name) != one] == []


def test_every_face_is_found_or_its_cards_are_listed(everything: CardStore, cards: list[Card]) -> None:
    full = {key(one.name): one.name for one in cards}
    wrong, several = [], []
    for one in (one for one in cards if len(one.faces) > 1):
        for number, part in enumerate(one.faces):
            try:
                found = look_up(everything, part.name)
            except InputError as error:
                several.append((part.name, one.name in str(error)))
                continue
            if key(found.card.name) != key(full.get(key(part.name), one.name)) or (found.card == one and found.face not in (number, None)):
                wrong.append((part.name, found.card.name))
    assert wrong == []
    # a few short words are halves of several cards
    assert len(several) < 10
    assert [name for name, listed in several if not listed] == []


SPELLINGS: dict[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "upper case": str.upper,
    "no punctuation": lambda name: "".join(letter for letter in name if letter.isalnum() or letter in " /+"),
    "curly apostrophes": lambda name: name.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"),
    "other dashes": lambda name: name.replace("-", "\N{NON-BREAKING HYPHEN}"),
    "one slash": lambda name: name.replace(" // ", "/"),
    "a set beside it": lambda name: f"{name} (CMM) 123 *F*",
    "spaces": lambda name: f"  {name.replace(' ', '   ')}\t",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_other_spellings_find_the_same_card(everything: CardStore, cards: list[Card], spelling: str) -> None:
    wrong = []
    for one in random.Random(17).sample(cards, 150):
        typed = SPELLINGS[spelling](one.name)
        try:
            found = find(everything, typed).name
        except InputError as error:
            found = one.name if f'"{one.name}"' in str(error) else str(error)
        if found != one.name:
            wrong.append((typed, found))
    assert wrong == []


def test_a_misspelt_name_is_suggested(everything: CardStore, cards: list[Card]) -> None:
    chosen = random.Random(5)
    missed = []
    for one in chosen.sample([one for one in cards if len(one.name) > 9 and one.legalities], 25):
        at = chosen.randrange(1, len(one.faces[0].name) - 2)
        name = one.faces[0].name
        typed = name[:at] + chosen.choice("xqz") + name[at + 1 :]
        try:
            if find(everything, typed) != one:
                missed.append(typed)
        except UnknownNameError as error:
            if f'"{one.name}"' not in str(error):
                missed.append(str(error))
    assert missed == []
