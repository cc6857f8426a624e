"""Which keywords have a meaning that is worked out, and what is left out of those that have it in part.

Told from kb/: what a keyword imposes, costs and brings about is worked out if it is stated in words that asp/ and the readers know.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lawmage.play.keyword_uses import KeywordUses, keyword_uses
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.resources import data_folders
from lawmage.text.costs import read_cost

__all__ = ["WorkedOut", "worked_out"]

#: What stands for the slots of a cost when it is asked whether the cost can be read.
_EXAMPLE = {"{cost}": "{1}", "{number}": "2", "{quality} ": "", "{materials}": "an artifact", "{mana cost}": "{1}"}


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """Whether a keyword does anything here (`begun`), and what of it is left out, in words."""

    begun: bool
    left_out: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether all of it is worked out."""
        return self.begun and not self.left_out


def worked_out(name: str) -> WorkedOut:
    """Return how far the keyword `name` is worked out; one that kb/ does not have is not."""
    told = _told(*data_folders("kb", "queries"), knowledge())
    if name not in told:
        uses = keyword_uses().get(name)
        if uses is None:
            return WorkedOut(begun=False)
        told[name] = _status(uses, knowledge())
    return told[name]


@lru_cache(maxsize=8)
def _told(kb: Path, queries: Path, known: Knowledge) -> dict[str, WorkedOut]:  # noqa: ARG001
    """Return what was told of keywords before, by their names, for what is installed and known."""
    return {}


def _status(uses: KeywordUses, known: Knowledge) -> WorkedOut:
    facts = known.keywords.get(uses.name)
    imposes = facts.imposes if facts is not None else ()
    left_out = list(uses.left_out)
    # Costs paid while an ability resolves, or as creatures attack, are not judged.
    judged = [cost for cost in uses.costs if cost.used_to or cost.beside]
    for cost in judged:
        if not (cost.modes or cost.opponent or cost.on_card) and read_cost(_filled(cost.pays)) is None:
            left_out.append(f"its cost: {cost.pays}")
    followed = {happening.event for happening in uses.happenings}
    in_combat = any(known.kinds[constraint.kind].group == "triggered effect" for constraint in imposes)
    left_out += [f"its trigger: {event.replace('_', ' ')}" for event in uses.waits_for if event not in followed and not in_combat]
    methods = [cost for cost in uses.costs if cost.in_place_of_mana]
    begun = bool(imposes or judged or methods or uses.happenings or uses.conditions or uses.meant_in)
    return WorkedOut(begun, tuple(dict.fromkeys(left_out)))


def _filled(pays: str) -> str:
    for slot, example in _EXAMPLE.items():
        pays = pays.replace(slot, example)
    return pays
