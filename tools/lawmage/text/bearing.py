"""What of a text that was read is not understood, and what that could bear on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawmage.text.read import TextReading
from lawmage.text.words import turn

if TYPE_CHECKING:
    from lawmage.text.plays import PlayText

__all__ = ["DAMAGE", "DECLARATIONS", "OUTCOME", "POWER", "SETTLED", "bearing", "plays_bearing", "triggers"]

#: The judgements that sentences can bear on.
DECLARATIONS, DAMAGE, OUTCOME = frozenset({"attack", "block"}), frozenset({"damage", "outcome"}), frozenset({"outcome"})

#: What stands beside the judgements for a sentence that is about the object's own power and toughness alone, or about whether it is a
#: creature: the key by which a scenario settles it, and how such sentences begin.
POWER, TYPES = frozenset({"pt"}), frozenset({"types"})
_OWN = ((POWER, "own_power"), (TYPES, "own_types"))
SETTLED = POWER | TYPES


def bearing(text: TextReading) -> dict[str, frozenset[str]]:
    """Return the sentences that are not understood, each with the judgements that it could bear on.

    Triggered abilities that trigger on damage or a death and change what combat does are among them: nothing follows what they do.
    """
    found: dict[str, frozenset[str]] = {}
    unread = ((text.unread, DECLARATIONS), (text.unread_damage, DAMAGE), (text.unread_outcome, OUTCOME))
    for sentences, judges in (*unread, (filter(_changes_combat, text.triggered), OUTCOME)):
        for sentence in sentences:
            found[sentence] = found.get(sentence, frozenset()) | judges
    return {sentence: judges.union(*(key for key, own in _OWN if turn(own).match(sentence.lower()))) for sentence, judges in found.items()}


def plays_bearing(text: PlayText) -> frozenset[str]:
    """Return on what a text bears that says this about plays: `play`, `own play` (of the object itself alone), `mana` (it makes some)."""
    found = {
        "play": text.constraints or text.offers or text.grants or text.unread,
        "own play": text.abilities or text.aims or text.modes.each,
        "mana": any(ability.mana for ability in text.abilities),
    }
    return frozenset(what for what, bears in found.items() if bears)


def triggers(text: TextReading) -> tuple[str, ...]:
    """Return the triggered abilities that trigger as attackers and blockers are declared."""
    return tuple(sentence for sentence in text.triggered if not turn("after_damage").search(_event(sentence)))


def _changes_combat(sentence: str) -> bool:
    effect = sentence.lower().partition(",")[2]
    return bool(turn("after_damage").search(_event(sentence)) and turn("changes_combat").search(effect))


def _event(sentence: str) -> str:
    """Return what a triggered ability triggers on."""
    return sentence.lower().partition(",")[0]
