"""What is read of lines that bear on building a deck."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.constraints import Condition, Constraint, Filter
from lawmage.constraints import Test as Ask
from lawmage.errors import InputError
from lawmage.text.deck import read_deck_text

NAMES = ("Anna, the Made Up", "Anna")
ANY = Filter()
LED = (Condition("is_commander"),)


def one(kind: str, value: str | int | None = None, *, negated: bool = False) -> Filter:
    return Filter(((Ask(kind, value, negated),),))


def read(text: str) -> tuple[Constraint, ...]:
    found = read_deck_text(text, NAMES)
    assert found.unread == ()
    return tuple(Constraint(c.kind, c.subject, c.object, c.number, c.value, conditions=c.conditions) for c in found.constraints)


LINES = {
    "A deck can have any number of cards named Anna.": [Constraint("copies_any")],
    "A deck can have up to seven cards named Anna.": [Constraint("copies_at_most", number=7)],
    "Anna can be your commander.": [Constraint("may_lead")],
    "Anna, the Made Up can be your Commander.": [Constraint("may_lead")],
    "Odd Word — If Anna is your commander, choose a color before the game begins. Anna is the chosen color.": [Constraint("chosen_color")],
    "As long as Anna isn't on the battlefield, it's a 1/1 Insect creature in addition to its other types.": [
        Constraint("is_elsewhere", value="Insect"),
        Constraint("is_elsewhere", value="creature"),
    ],
    "Companion — Each nonland card in your starting deck has a different name. (Words in brackets.)": [
        Constraint("starting_deck_different_names", one("type", "land", negated=True))
    ],
    "Companion — Each nonland card in your starting deck shares a card type.": [
        Constraint("starting_deck_shared_type", one("type", "land", negated=True))
    ],
    "Companion — Each permanent card in your starting deck has an activated ability.": [
        Constraint("starting_deck_each", one("permanent_card"), one("activated_ability"))
    ],
    "Companion — Each permanent card in your starting deck has mana value 2 or less.": [
        Constraint("starting_deck_each", one("permanent_card"), one("mana_value_at_most", 2))
    ],
    "Companion — Each creature card in your starting deck is a Cat or Beast card.": [
        Constraint("starting_deck_each", one("type", "creature"), Filter(((Ask("subtype", "Cat"),), (Ask("subtype", "Beast"),))))
    ],
    "Companion — No card in your starting deck has more than one of the same mana symbol in its mana cost.": [
        Constraint("starting_deck_each", ANY, one("repeated_mana_symbol", negated=True))
    ],
    "Companion — Your starting deck contains at least twenty cards more than the minimum deck size.": [
        Constraint("starting_deck_larger", number=20)
    ],
    "Companion — Your starting deck contains only cards with even mana values.": [
        Constraint("starting_deck_each", ANY, one("mana_value_even"))
    ],
    "Companion — Your starting deck contains only cards with odd mana values and land cards.": [
        Constraint("starting_deck_each", ANY, Filter(((Ask("mana_value_odd"),), (Ask("type", "land"),))))
    ],
    "Companion — Your starting deck contains only cards with mana value 3 or greater and land cards.": [
        Constraint("starting_deck_each", ANY, Filter(((Ask("mana_value_at_least", 3),), (Ask("type", "land"),))))
    ],
    "Companion — Your starting deck contains only shiny cards.": None,
    "If Anna is your commander, your deck can include cards of any color identity.": [Constraint("any_identity", ANY, conditions=LED)],
    "If Anna is your commander, you may include creature cards of power 4 or greater of any color in your deck regardless of color "
    "identity.": [Constraint("any_identity", Filter(((Ask("type", "creature"), Ask("power_at_least", 4)),)), conditions=LED)],
    "Anna is every creature type (outside the game too).": [Constraint("every_creature_type")],
    "Your minimum deck size is reduced by five.": [Constraint("minimum_reduced", number=5)],
    "Your deck must contain a pet.": None,
    "Whenever you cast a spell that isn't from your starting deck, draw a card.": [],
    "Flying": [],
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read(line: str) -> None:
    expected = LINES[line]
    if expected is None:
        assert read_deck_text(line, NAMES).constraints == ()
        assert read_deck_text(line, NAMES).unread == (line,)
    else:
        assert read(line) == tuple(expected)
        assert all(made.source[:20] in line for made in read_deck_text(line, NAMES).constraints)


def test_a_long_text_is_refused() -> None:
    with pytest.raises(InputError, match="20001 characters"):
        read_deck_text("x" * 20_001)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*" ".join(LINES).split(), "~", "—", "\n", "(", ")", '"', ""]), max_size=40))
def test_any_words_are_read_or_named(words: list[str]) -> None:
    found = read_deck_text(" ".join(words), NAMES)
    assert all(line in " ".join(" ".join(words).split()) or "(" in words or ")" in words or "\n" in words for line in found.unread)


#: Wider than the grammar, on purpose: what has one of these turns bears on building a deck.
WIDE = re.compile(
    r"a deck can have|can be your commander|^companion\b|your deck (?:can(?!.t use sleeves)|may)\b|minimum deck size"
    r"|regardless of color identity"
    r"|is your commander, choose a color|isn.t on the battlefield, it.s|(?:create|building) your deck|deck ?building|deck construction",
    re.IGNORECASE,
)


def test_all_such_lines_of_all_cards_are_read(shared: Path) -> None:
    cards = json.loads(lzma.decompress((shared / "data/cards/oracle-cards.json.xz").read_bytes()))
    read, missed = 0, []
    for card in cards:
        for face in card.get("card_faces") or [card]:
            name = face["name"]
            found = read_deck_text(face.get("oracle_text") or "", (name, name.partition(",")[0]))
            missed += [(name, line) for line in found.unread]
            sources = {made.source for made in found.constraints}
            for line in re.sub(r"\([^()]*\)", "", face.get("oracle_text") or "").split("\n"):
                if WIDE.search(line):
                    read += 1
                    if not any(source in line.replace("’", "'") for source in sources):
                        missed.append((name, line))
    assert missed == []
    assert read > 70
