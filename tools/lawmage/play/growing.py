"""Attackers that grow as attacks are declared (508.3a) are blocked as they are then: those abilities have resolved before blocks (509.1).

What they grow by is derived as for damage. It is asked only where something that bears on blocks asks about power or toughness.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from lawmage.board import Board, Effect, Scenario
from lawmage.play.combat import resolve_declared_triggers
from lawmage.play.damage import ways_to_take
from lawmage.play.damage_facts import Combat
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Reading, Says, Unread
from lawmage.play.turning import turns_on
from lawmage.text.forms import parse_keywords

__all__ = ["growth_of_attackers"]

#: With more open conditions than this it is not asked in how many ways attackers may have grown.
_MOST_OPEN = 6
_BLOCK = "block"


def growth_of_attackers(scenario: Scenario, board: Board, reading: Reading, known: Knowledge) -> tuple[tuple[Effect, ...], Unread | None]:
    """Return how attackers have grown before blocks are declared, as effects, and what of it the board does not tell.

    Args:
        scenario: of which this is a part, for its release and file.
        board: with the attackers as they were declared.
        reading: what its words say.
        known: what kb/ says.

    Raises:
        InputError: as `lawmage.play.damage_facts.Combat.problem`.
    """
    if not (board.attacks and _may_matter(reading, known)):
        return (), None
    combat = Combat(replace(board, blocks=None), known, "damage", scenario.release or known.release, scenario.file)
    conditions = list(dict.fromkeys(combat.problem.base.conditions.values()))
    if len(conditions) > _MOST_OPEN:
        return (), _unsaid(conditions)
    ways = [resolve_declared_triggers(replace(combat, taken=taken))[0].board.effects for taken in ways_to_take(conditions)]
    if any(way != ways[0] for way in ways):
        return (), _unsaid(conditions)
    return ways[0][len(board.effects) :], None


def _unsaid(conditions: list[str]) -> Unread:
    return Unread("attackers", f"how they grow, as the board does not say whether {', nor whether '.join(conditions)}", frozenset({_BLOCK}))


def _may_matter(reading: Reading, known: Knowledge) -> bool:
    """Tell whether something says that attackers grow, and something that bears on blocks asks how large creatures are."""
    found = [_looked_at(said, known) for said in reading.said]
    return any(grows for grows, _ in found) and any(asks for _, asks in found)


@lru_cache(maxsize=4096)
def _looked_at(said: Says, known: Knowledge) -> tuple[bool, bool]:
    """Return whether what is said makes attackers grow, and whether it asks how large creatures are where that bears on blocks."""
    granted = [state.value or "" for state in said.states if known.kinds[state.kind].gives_keyword]
    uses = [*said.keywords, *said.counters, *(use for written in granted for use in parse_keywords(written, known.forms))]
    stated = [*said.states, *(imposed for use in uses for imposed in known.keywords[use.keyword].imposes)]
    grows = any(known.kinds[one.kind].group == "triggered effect" for one in stated)
    return grows, any(turns_on(one, "growing") for one in stated if _BLOCK in known.kinds[one.kind].judges)
