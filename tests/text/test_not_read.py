"""Near misses: sentences that are not read, and sentences that cannot bear on a declaration."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lawmage.errors import InputError
from lawmage.text.read import LONGEST_TEXT, TextReading, read_text

from .notation import FORMS

UNREAD = """
This creature can't be blocked except by two or more creatures with flying.
This creature can't be blocked by two or more creatures.
This creature can't be blocked by more than one creature with flying.
This creature can't be blocked by creatures of the chosen color.
This creature can't be blocked by goaded creatures.
Otherwise, this creature can't block.
Enchanted creature gets +1/+1 for each other creature you control.
Target creature gets +X/+0 until end of turn, where X is the number of artifacts you control.
Enchanted creature is a Zombie.
This creature is a nonblack Zombie in addition to its other types.
Creatures you control can attack as though they had haste and flying.
This creature enters with a +1/+1 counter on it and gains menace.
This creature enters with a +1/+1 counter on it and with "This creature can't block."
This creature can't be blocked by creatures with power equal to its toughness.
This creature can't be blocked by creatures with two counters on them.
This creature can't be blocked by creatures with no counters on them.
This creature can't be blocked by nonblack attacking or blocking creatures.
This creature can't be blocked by white creatures and blue creatures with power 2 or less.
This creature can't be blocked by artifact or white legendary creatures.
This creature can't be blocked by black and red creatures.
This creature can't be blocked by creatures named Old Toad or Young Toad.
This creature can't be blocked by Zorps.
This creature can't be blocked unless defending player pays {3}.
This creature can block only one creature each combat.
This creature can block an additional creature each combat for each Equipment attached to it.
This creature can't block creatures with power 3 or greater unless you sacrifice a land.
This creature can't attack unless you discard a card.
This creature can't attack unless you sacrifice a land and an artifact.
This creature can't attack unless you sacrifice all lands.
Enchanted creature can't attack unless you sacrifice a land.
Enchanted creature can't attack unless you pay {2}.
Creatures can't attack unless their controller sacrifices a land you control for each of those creatures.
Green creatures can't attack unless their controller sacrifices a land for each red creature they control that's attacking.
This creature can't attack unless you pay {1} for each +1/+1 counter on creatures you control.
This creature can't attack a player it has already attacked this turn.
This creature can't attack if it has no legs and can't block if it has no arms.
Creatures can't attack you unless their controller pays {X}, where X is the number of enchantments you control.
Creatures can't attack you unless their controller pays {2}.
Target creature blocks target creature this turn if able.
This creature blocks each attacking creature if able.
This creature must be blocked by each Wall if able.
Each opponent must attack with at least one creature each combat if able.
Each creature that attacked this turn can't block.
If a creature you control attacks, this creature also attacks if able.
If this creature attacks, all creatures you control attack if able.
Other creatures that player controls can't block this turn.
Equipped creature has reach if you control a Bear, and flying if you control a Bird.
Creatures you control get +1/+1 if you won, and other creatures can't block if you lost.
Enchanted creature gets -X/-Y.
Change the text of target creature by replacing one word with another.
This creature has the text box of the exiled card.
This creature is hexproof.
No more than one creature can block this creature.
No more than two creatures with flying can block each combat.
Creatures with power less than its power can't block creatures you control.
Creatures you control with power 2 or less have menace.
Creatures you control get +1/+0 for each other creature you control.
Target creature gets +1/+0 until end of turn for each artifact you control.
Bosk gets +1/+1 for each card in your hand.
Target creature gets +X/+0 until end of turn.
This creature has bushido X, where X is its power.
Enchanted creature loses flying.
Enchanted creature becomes a 0/1 Plant creature.
Enchanted creature is a Spirit and can't attack or block.
Enchanted creature gets +2/+2 and can't be blocked unless it's attacking its owner.
Creatures can't block unless they have counters on them.
It can't be blocked.
It can't be blocked as long as you've cast a spell this turn.
Goblins you control and Walls can't block.
Bosk and enchanted creature can't block.
As long as you control exactly one creature, that creature can't be blocked.
Detain target creature an opponent controls.
Enchanted creature has protection from the chosen color.
Enchanted creature has "Creatures you control can't be blocked."
Enchanted creature has "This creature can't be blocked as long as you control an artifact."
This creature enters with "This creature can't block."
The same is true for fear and shadow.
Menace, flyng
Flyng
"""

SILENT = """
Destroy target attacking or blocking creature.
Bosk deals 2 damage to target attacking creature.
Whenever this creature attacks, target creature can't block this turn.
{2}, {T}: Target creature can't be blocked this turn.
When Bosk enters, target creature gains menace until end of turn. It must be blocked this turn if able.
+1: Target creature can't block this turn.
−3: Creatures can't block this turn.
I, II — Creatures can't block this turn.
Until end of turn, whenever a creature blocks, draw a card.
Raid — When this creature enters, if you attacked this turn, target creature can't block this turn.
Draw two cards.
Create a 1/1 black Rat creature token with "This token can't block."
You may exert this creature as it attacks.
Cast this spell only during combat before blockers are declared.
You have hexproof.
This spell costs {2} less to cast if it targets an attacking creature.
Enchanted creature has "{T}: Target creature can't block this turn."
"""


def _lines(table: str) -> list[str]:
    return table.strip().split("\n")


@pytest.mark.parametrize("text", _lines(UNREAD))
def test_near_miss_is_unread(text: str) -> None:
    reading = read_text(text, names=["Bosk"], keywords=FORMS)
    assert reading.unread == (text,)
    assert not reading.constraints


@pytest.mark.parametrize("text", _lines(SILENT))
def test_sentence_cannot_bear_on_a_declaration(text: str) -> None:
    reading = read_text(text, names=["Bosk"], keywords=FORMS)
    assert replace(reading, unread_damage=(), unread_outcome=(), triggered=(), idle=()) == TextReading(silent=reading.silent)
    assert reading.silent


def test_enough_near_misses() -> None:
    assert len(_lines(UNREAD) + _lines(SILENT)) >= 40


def test_a_keyword_with_a_label_is_not_only_a_keyword() -> None:
    reading = read_text("Max speed — Creatures of the chosen color can't block.", keywords=FORMS)
    assert reading.unread == ("Creatures of the chosen color can't block.",)


def test_without_keywords_none_is_known() -> None:
    assert read_text("Flying").unread == ("Flying",)


def test_what_is_no_sentence_may_be_a_keyword() -> None:
    """Nobody knows what a keyword that is misspelt, or is none, does to damage; what stands beside it in its line is not known either."""
    reading = read_text("Last strike\nFlying, double team\nDraw a card.", keywords=FORMS)
    assert reading.unread == reading.unread_damage == ("Last strike", "Flying, double team")


def test_a_text_beyond_all_bounds_is_refused() -> None:
    with pytest.raises(InputError, match=r"20001 characters"):
        read_text("x" * (LONGEST_TEXT + 1))


def test_a_sentence_beyond_all_bounds_is_unread() -> None:
    text = "This creature can't be blocked by " + "Walls or " * 200 + "Elves."
    assert read_text(text, keywords=FORMS).unread == (text,)
