"""The problem of declaring blockers or attackers in numbers and sets, as asp/509-count.lp and 508-count.lp state it.

An *actor* is a creature that may block or attack, a *place* is what it acts on: an attacker or a target.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import clingo

__all__ = ["Ask", "Form", "Key", "form_from"]

#: An actor, a place, a set or a budget.
Key: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Ask:
    """Requirements (`times` of them) that one and from `least` to `most` actors act on a place: any, or those of the set `of`."""

    times: int
    least: int
    most: int | None = None
    of: Key = None


@dataclass(frozen=True, slots=True)
class Form:
    """The numbers and sets of a counting program, by its own names; `priced` has actors and pairs, `asks` the requirements on places."""

    edges: Sequence[tuple[Key, Key]]
    slots: Mapping[Key, int] = field(default_factory=dict)
    threshold: Mapping[Key, int] = field(default_factory=dict)
    seats: Mapping[Key, int] = field(default_factory=dict)
    total: int | None = None
    only_with: Mapping[Key, Sequence[tuple[Key, int]]] = field(default_factory=dict)
    only_alone: frozenset[Key] = frozenset()
    members: Mapping[Key, frozenset[Key]] = field(default_factory=dict)
    budgets: Mapping[Key, int] = field(default_factory=dict)
    spends: Mapping[Key, Mapping[Key, int]] = field(default_factory=dict)
    spends_on: Mapping[tuple[Key, Key], Mapping[Key, int]] = field(default_factory=dict)
    priced: frozenset[Key] = frozenset()
    gain_pair: Mapping[tuple[Key, Key], int] = field(default_factory=dict)
    gain_blocker: Mapping[Key, int] = field(default_factory=dict)
    gain_one_of: Mapping[Key, Sequence[tuple[Key, int]]] = field(default_factory=dict)
    asks: Mapping[Key, Sequence[Ask]] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """The number of requirements on actors that can act and places that can be acted on."""
        actors, places = {actor for actor, _ in self.edges}, {place for _, place in self.edges}
        return (
            sum(self.gain_pair.get(pair, 0) for pair in self.edges)
            + sum(self.gain_blocker.get(actor, 0) for actor in actors)
            + sum(times for actor in actors for _, times in self.gain_one_of.get(actor, ()))
            + sum(ask.times for place in places for ask in self.asks.get(place, ()))
        )


def form_from(atoms: Iterable[clingo.Symbol]) -> Form | None:
    """Return what the atoms of a counting program state, or None if its numbers do not express everything on the board."""
    edges: list[tuple[Key, Key]] = []
    numbers: defaultdict[str, defaultdict[Key, list[int]]] = defaultdict(lambda: defaultdict(list))
    lists: defaultdict[str, defaultdict[Key, list[tuple[Key, int]]]] = defaultdict(lambda: defaultdict(list))
    sets: defaultdict[str, set[Key]] = defaultdict(set)
    members: defaultdict[Key, set[Key]] = defaultdict(set)
    asks: defaultdict[Key, list[Ask]] = defaultdict(list)
    gain_pair: Counter[tuple[Key, Key]] = Counter()
    spends_on: defaultdict[tuple[Key, Key], dict[Key, int]] = defaultdict(dict)
    for atom in atoms:
        match atom.name, atom.arguments:
            case (("inexpressible" | "threshold_unless"), _):
                return None
            case "edge", [actor, place]:
                edges.append((actor, place))
            case "member", [name, member]:
                members[name].add(member)
            case ("only_alone" | "priced") as name, [actor]:
                sets[name].add(actor)
            case "priced", [actor, place]:
                sets["priced"].add((actor, place))
            case "total", [number]:
                numbers["total"][None].append(number.number)
            case "gain_pair", [actor, place, number]:
                gain_pair[actor, place] += number.number
            case "spends", [actor, place, budget, number]:
                spends_on[actor, place][budget] = number.number
            case "gain_attacker", [place, least, times]:
                asks[place].append(Ask(times.number, least.number))
            case "gain_exactly", [place, least, times]:
                asks[place].append(Ask(times.number, least.number, least.number))
            case "gain_attacker_by", [place, of, least, times]:
                asks[place].append(Ask(times.number, least.number, of=of))
            case name, [key, number]:
                numbers[name][key].append(number.number)
            case name, [key, other, number]:
                lists[name][key].append((other, number.number))
    return Form(
        edges=edges,
        slots=_each(min, numbers["slots"]),
        threshold=_each(max, numbers["threshold"]),
        seats=_each(min, numbers["seats"]),
        total=min(numbers["total"][None], default=None),
        only_with=lists["only_with"],
        only_alone=frozenset(sets["only_alone"]),
        members={name: frozenset(those) for name, those in members.items()},
        budgets=_each(min, numbers["budget"]),
        spends={actor: dict(amounts) for actor, amounts in lists["spends"].items()},
        spends_on=spends_on,
        priced=frozenset(sets["priced"]),
        gain_pair=gain_pair,
        gain_blocker=_each(sum, numbers["gain_blocker"]),
        gain_one_of=lists["gain_one_of"],
        asks=asks,
    )


def _each(choose: Callable[[list[int]], int], numbers: Mapping[Key, list[int]]) -> dict[Key, int]:
    return {key: choose(values) for key, values in numbers.items()}
