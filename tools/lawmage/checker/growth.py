"""How attackers have grown before blocks are declared (506.5, 508.3a): what triggered on attacking has resolved by then (509.1)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawmage.checker.table import Table, imposed_by
from lawmage.constraints import Constraint

__all__ = ["growth_on"]


@dataclass(frozen=True, slots=True)
class _Ability:
    holder: str
    does: Constraint


def growth_on(table: Table) -> Mapping[str, tuple[int, int]]:
    """Return what the creatures that attack on `table` have got to their power and toughness, by name."""
    attacking = [name for name, being in table.beings.items() if being.attacking and "creature" in being.types]
    grown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for ability in _abilities(table):
        number = ability.does.number or 0
        match ability.does.kind:
            case "grows_lone_attacker" if len(attacking) == 1 and _together(table, ability.holder, attacking[0]):
                grown[attacking[0]].update(power=number, toughness=number)
            case "strengthens_other_attackers" if ability.holder in attacking:
                for name in attacking:
                    if name != ability.holder:
                        grown[name].update(power=number)
            case "grows_for_each_opponent" if ability.holder in attacking:
                opponents = {table.beings[name].attacks for name in attacking} & table.board.players.keys()
                grown[ability.holder].update(power=number * len(opponents), toughness=number * len(opponents))
    return {name: (each["power"], each["toughness"]) for name, each in grown.items()}


def _abilities(table: Table) -> Iterator[_Ability]:
    for name, being in table.beings.items():
        for use in being.keywords:
            yield from (_Ability(name, one) for one in imposed_by(table.known, use.keyword, use.quality, use.number))


def _together(table: Table, one: str, other: str) -> bool:
    return table.beings[one].thing.controller == table.beings[other].thing.controller
