"""What of a text that was read is not understood, and what that could bear on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawmage.text.read import TextReading
from lawmage.text.words import turn, turns

if TYPE_CHECKING:
    from lawmage.text.plays import PlayText

__all__ = ["DAMAGE", "DECLARATIONS", "OUTCOME", "POWER", "SETTLED", "Event", "bearing", "event_of", "plays_bearing", "triggers"]

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


def event_of(sentence: str, names: Iterable[str] = ()) -> Event | None:
    """Return what a triggered ability triggers on, where that is nothing but results of combat damage; else None.

    Args:
        sentence: of the ability, as written.
        names: those that mean the object itself.
    """
    words = sentence.lower()
    for name in sorted((name.lower() for name in names if name), key=len, reverse=True):
        words = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "~", words)
    match = _EVENT.match(words)
    if match is None or not turn("triggered").match(words):
        return None
    event = match[0]
    asked = frozenset(name for name, pattern in turns("happenings").items() if pattern.search(event))
    if not asked or "more" in asked:
        return None
    if turn("only_leaves").match(event):
        asked = frozenset({"left"})
    whom = turns("happens_to")
    whose = next((one for one in ("self", "attached") if whom[one].match(event)), None)
    done = [name for name, pattern in whom.items() if name not in ("self", "attached") and pattern.match(event)]
    return Event(frozenset(done[:1]), whose) if whose and done else Event(asked)


#: What stands before the first comma behind which no other event follows.
_EVENT = re.compile(r"[^,]*(?:,(?= (?:or|and|and/or) )[^,]*)*")


@dataclass(frozen=True, slots=True)
class Event:
    """What has to happen so that an ability triggers, by names in words.toml: one of `asked`.

    `whose` is who does or suffers it, the object itself (`self`) or what it is attached to (`attached`); None for anything.
    """

    asked: frozenset[str]
    whose: str | None = None


def _changes_combat(sentence: str) -> bool:
    effect = sentence.lower().partition(",")[2]
    return bool(turn("after_damage").search(_event(sentence)) and turn("changes_combat").search(effect))


def _event(sentence: str) -> str:
    """Return what a triggered ability triggers on."""
    return sentence.lower().partition(",")[0]
