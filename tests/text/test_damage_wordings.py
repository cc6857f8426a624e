"""Wordings on combat damage: what they are read as, and which sentences that are not read could bear on it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from lawmage.play.knowledge import knowledge
from lawmage.text.bearing import OUTCOME, bearing
from lawmage.text.read import read_text

from .notation import FORMS, stated

READ = """
This creature assigns combat damage equal to its toughness rather than its power.
    assigns_by_toughness self
Each creature you control with toughness greater than its power assigns combat damage equal to its toughness rather than its power.
    assigns_by_toughness {controlled_by you & toughness_greater_than_power}
Enchanted creature gets +0/+2 and assigns combat damage equal to its toughness rather than its power.
    gets attached +0/+2
    assigns_by_toughness attached
Bosk assigns no combat damage this turn.
    assigns_no_damage self
You may have this creature assign its combat damage as though it weren't blocked.
    assigns_as_though_unblocked self
Prevent all combat damage that would be dealt this turn.
    its_damage_is_prevented {any}
Prevent all damage that would be dealt this turn by creatures with power 4 or less.
    its_damage_is_prevented {power_at_most 4}
Prevent all combat damage that would be dealt by enchanted creature.
    its_damage_is_prevented attached
Prevent all combat damage that would be dealt to and dealt by that creature this turn.
    is_spared_damage affected
    its_damage_is_prevented affected
Prevent all damage that would be dealt to this creature by artifact creatures.
    is_spared_damage self object {type artifact & type creature}
Prevent all damage that would be dealt to creatures you control.
    is_spared_damage {controlled_by you}
If damage would be dealt to this creature, prevent that damage.
    is_spared_damage self
Prevent all combat damage that would be dealt to you this turn.
    player_is_spared_damage self
Prevent all damage that would be dealt to you this turn by attacking creatures.
    player_is_spared_damage self object {attacking}
Prevent all combat damage that would be dealt to players this turn.
    player_is_spared_damage self target players
Prevent the next 3 damage that would be dealt to target creature this turn.
    is_shielded affected number 3
Prevent the next 1 damage that would be dealt to any target this turn.
    is_shielded affected number 1 target affected
    player_is_shielded affected number 1 target affected
Prevent the next 2 damage that would be dealt to you this turn.
    player_is_shielded self number 2
Prevent all damage that would be dealt to this creature by creatures it's blocking.
    is_spared_damage self object {blocked_by_own}
Prevent all combat damage that would be dealt to this creature by creatures blocking it.
    is_spared_damage self object {blocking_own}
Prevent all combat damage target creature would deal this turn.
    its_damage_is_prevented affected
Enchanted creature's controller may have it assign its combat damage as though it weren't blocked.
    assigns_as_though_unblocked attached
For each non-Human creature you control, you may have that creature assign its combat damage as though it weren't blocked.
    assigns_as_though_unblocked {not subtype Human & controlled_by you}
You may have Bosk assign his combat damage as though he weren't blocked.
    assigns_as_though_unblocked self
Damage can't be prevented this turn.
    damage_is_not_prevented {any}
Combat damage that would be dealt by creatures you control can't be prevented.
    damage_is_not_prevented {controlled_by you}
If this creature would deal damage, it deals twice that much damage instead.
    damage_is_multiplied self number 2
If a source would deal damage to a permanent or player, it deals double that damage to that permanent or player instead.
    damage_is_multiplied {any} number 2
If equipped creature would deal combat damage, it deals triple that damage instead.
    damage_is_multiplied attached number 3
If a source you control would deal damage to an opponent or a permanent an opponent controls, it deals double that damage instead.
    damage_is_multiplied {controlled_by you} number 2 target opponent
Regenerate target creature.
    regenerates affected
Regenerate Bosk.
    regenerates self
This creature can't be regenerated.
    does_not_regenerate self
Your opponents can't gain life.
    gains_no_life self target opponent
Players can't gain life this turn.
    gains_no_life self target players
You can't gain life.
    gains_no_life self target you
"""

#: Not read: what could bear on how damage is assigned (D), or on what results from it (R); or neither.
UNREAD = """
R This creature's power is equal to the number of cards in your hand.
D Enchanted creature's power is equal to your life total.
D Creatures you control lose all abilities.
D Target creature becomes blocked.
D Bosk becomes a copy of target creature.
D Creatures of the chosen color get +1/+1.
D Creatures you control but don't own get +2/+2 and can't be sacrificed.
D During your turn, creatures you control have menace and equip abilities you activate cost {1} less to activate.
D As long as this creature is tapped, it's a Bear with base power and toughness 1/1 and can't be blocked.
D Draw a card, then creatures of the chosen color get +1/+1.
R All damage that would be dealt to you is dealt to this creature instead.
R If a source would deal damage to you, prevent 1 of that damage.
R If this creature would die, exile it instead.
R If this creature would leave the battlefield, exile it instead of putting it anywhere else.
R If you would gain life, you gain twice that much life instead.
R If a red source you control would deal damage to a permanent, it deals that much damage plus 2 to that permanent instead.
R Enchanted creature has "If this creature would die, exile it instead."
R You can't lose the game and your opponents can't win the game.
R Counters can't be put on creatures.
R This creature can't have counters put on it.
R Players can't get counters.
R If you would put one or more counters on a permanent, put twice that many of those counters on it instead.
R If one or more counters would be put on a creature you control, that many plus one are put on it instead.
R If a creature dying causes an ability of a permanent you control to trigger, that ability triggers an additional time.
R Creatures dying don't cause abilities to trigger.
D If a creature attacking causes an ability of a permanent you control to trigger, that ability triggers an additional time.
D If a triggered ability of a Bear you control triggers, that ability triggers an additional time.
- If a land entering causes an ability of a permanent you control to trigger, that ability triggers an additional time.
- This creature can't be blocked except by two or more creatures with flying.
- Creatures of the chosen color attack each combat if able.
- Destroy target creature.
- Target player loses 3 life.
- Bosk deals 3 damage to any target.
- Draw a card.
- You gain 1 life for each creature you control with flying.
- You have hexproof.
- {2}: Regenerate this creature.
- Whenever this creature deals combat damage to a player, draw a card.
"""


def _cases() -> list[tuple[str, list[str]]]:
    parts = re.split(r"\n(?=\S)", READ.strip())
    return [(text, [line.strip() for line in lines]) for text, *lines in (part.split("\n") for part in parts)]


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*case, id=case[0][:60]) for case in _cases()])
def test_wording_is_read(text: str, expected: list[str]) -> None:
    reading = read_text(text, names=["Bosk"], keywords=FORMS)
    assert [stated(constraint) for constraint in reading.constraints] == expected
    assert not reading.unread
    assert not reading.unread_damage
    assert not reading.unread_outcome


@pytest.mark.parametrize("line", UNREAD.strip().split("\n"))
def test_what_is_not_read_and_could_matter(line: str) -> None:
    kind, _, text = line.partition(" ")
    reading = read_text(text, names=["Bosk"], keywords=FORMS)
    assert not reading.constraints
    assert (reading.unread_damage, reading.unread_outcome) == ((text,) if kind == "D" else (), (text,) if kind == "R" else ())


def test_every_kind_of_damage_in_the_grammar_is_judged() -> None:
    kinds = knowledge().kinds
    named = {line.split()[0] for _, lines in _cases() for line in lines}
    assert all(kinds[kind].judges & {"damage", "outcome"} for kind in named)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Whenever this creature deals combat damage to a player, you gain 2 life.", True),
        ("Whenever this creature attacks, it gets +1/+0 until end of turn.", True),
        ("When this creature dies, draw a card.", True),
        ("Whenever this creature becomes tapped, it deals 1 damage to each opponent.", True),
        ("Whenever a creature an opponent controls becomes tapped, you gain 1 life.", True),
        ("Whenever enchanted land becomes tapped, you gain 1 life.", False),
        ("When this creature enters, draw a card.", False),
        ("{T}: Destroy target attacking creature.", False),
    ],
)
def test_triggered_abilities_that_can_trigger_in_combat(text: str, found: bool) -> None:
    assert read_text(text, keywords=FORMS).triggered == ((text,) if found else ())


@pytest.mark.parametrize(
    ("effect", "changes"),
    [
        ("you gain 2 life", True),
        ("it fights up to one target creature", True),
        ("proliferate", True),
        ("transform it", True),
        ("double its power until end of turn", True),
        ("transform it at the beginning of the next upkeep", False),
        ("you become the monarch", False),
        ("draw a card", False),
    ],
)
def test_what_happens_on_damage_can_change_combat(effect: str, changes: bool) -> None:
    sentence = f"Whenever this creature deals combat damage to a player, {effect}."
    assert bearing(read_text(sentence, keywords=FORMS)) == ({sentence: OUTCOME} if changes else {})


def test_wordings_on_cards(shared: Path) -> None:
    """Of the sentences on cards that assign or prevent combat damage, most are read."""
    forms = knowledge().forms
    with (shared / "data" / "cards" / "combat-sentences.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["kind"] == "static or effect"]
    about = [row["sentence"] for row in rows if re.search(r"^Prevent all combat damage|assigns? (?:no )?combat damage", row["sentence"])]
    unread = [text for text in about if not read_text(re.sub(r"\bN\b", "2", text), keywords=forms).constraints]
    assert len(about) > 10
    assert len(unread) / len(about) < 0.5, unread
