"""An upper bound on the number of requirements that a declaration of blockers can obey.

Pigeonhole boards (eleven attackers that must be blocked, ten blockers) keep any search for a better declaration busy for ever,
while counting settles them at once. The numbers come from asp/509-bound.lp; here they become a flow of greatest gain: blockers send
units to attackers, a unit gains what requirements ask of it, and a requirement that needs k units gains a k-th for each of the first
k. Every declaration is such a flow and gains at least as much as the requirements that it obeys, so the greatest gain is a bound.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import clingo

__all__ = ["Bound", "Limits", "limits_from", "upper_bound"]


#: `source`, `using`, `sink`, or a group of blockers or attackers (side, n).
Key: TypeAlias = Any
_Group: TypeAlias = tuple[str, int]
_Node: TypeAlias = str | _Group


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers of asp/509-bound.lp and 508-bound.lp: see there. Blockers and attackers are anything that sorts."""

    edges: frozenset[tuple[Key, Key]]
    slots: dict[Key, int]
    seats: dict[Key, int] = field(default_factory=dict)
    threshold: dict[Key, int] = field(default_factory=dict)
    total: int | None = None
    gain_pair: dict[tuple[Key, Key], int] = field(default_factory=dict)
    gain_blocker: dict[Key, int] = field(default_factory=dict)
    gain_attacker: dict[Key, dict[int, int]] = field(default_factory=dict)


def limits_from(atoms: Iterable[clingo.Symbol]) -> Limits:
    """Return the numbers that the atoms of a bounding program state."""
    edges: set[tuple[Key, Key]] = set()
    numbers: defaultdict[str, dict[Key, int]] = defaultdict(dict)
    totals: list[int] = []
    pair: dict[tuple[Key, Key], int] = {}
    attacker: defaultdict[Key, dict[int, int]] = defaultdict(dict)
    for atom in atoms:
        match atom.name, atom.arguments:
            case "edge", [b, a]:
                edges.add((b, a))
            case "total", [n]:
                totals.append(n.number)
            case "gain_pair", [b, a, n]:
                pair[b, a] = n.number
            case "gain_attacker", [a, k, n]:
                attacker[a][k.number] = n.number
            case name, [key, n]:
                numbers[name][key] = n.number
    return Limits(
        edges=frozenset(edges),
        slots=numbers["slots"],
        seats=numbers["seats"],
        threshold=numbers["threshold"],
        total=min(totals, default=None),
        gain_pair=pair,
        gain_blocker=numbers["gain_blocker"],
        gain_attacker=dict(attacker),
    )


@dataclass(frozen=True, slots=True)
class Bound:
    """A number of requirements that no declaration exceeds, and a declaration (pairs of blocker and attacker) that may reach it."""

    most: int
    attempt: tuple[tuple[Key, Key], ...]


def upper_bound(limits: Limits) -> Bound:
    """Return a bound, and an attempt at a declaration that reaches it (which nobody has checked)."""
    flow = _Flow()
    blockers = _groups(_blocker_kinds(limits), "blocker")
    attackers = _groups(_attacker_kinds(limits), "attacker")
    users = sum(len(members) for members in blockers.values())
    flow.edge("source", "using", users if limits.total is None else min(users, limits.total), Fraction(0))
    for blocker_group, members in blockers.items():
        size, first = len(members), members[0]
        flow.edge("using", blocker_group, size, Fraction(limits.gain_blocker.get(first, 0)))
        flow.edge("source", blocker_group, size * (limits.slots[first] - 1), Fraction(0))
    for attacker_group, members in attackers.items():
        for amount, gain in _concave(limits, members[0]):
            flow.edge(attacker_group, "sink", len(members) * amount, gain)
    of_blocker = {member: group for group, members in blockers.items() for member in members}
    of_attacker = {member: group for group, members in attackers.items() for member in members}
    pairs: defaultdict[tuple[_Group, _Group], list[int]] = defaultdict(list)
    for blocker, attacker in limits.edges:
        pairs[of_blocker[blocker], of_attacker[attacker]].append(limits.gain_pair.get((blocker, attacker), 0))
    between = {pair: flow.edge(*pair, len(gains), Fraction(max(gains))) for pair, gains in sorted(pairs.items())}
    most = math.floor(flow.greatest_gain())
    units = {pair: flow.used(edge) for pair, edge in between.items() if edge is not None}
    return Bound(most, tuple(_attempt(limits, blockers, attackers, units)))


def _attempt(
    limits: Limits, blockers: dict[_Group, list[Key]], attackers: dict[_Group, list[Key]], units: dict[tuple[_Group, _Group], int]
) -> Iterator[tuple[Key, Key]]:
    """Share the units between groups out to their members, filling one attacker after another as far as its requirements ask."""
    slots = dict(limits.slots)
    for attacker_group, members in attackers.items():
        for attacker in members:
            least = limits.threshold.get(attacker, 1)
            wanted = max([least, *limits.gain_attacker.get(attacker, {})])
            most = limits.seats.get(attacker, len(limits.slots))
            chosen: list[tuple[Key, _Group]] = []
            for group, candidates in blockers.items():
                free = sorted((blocker for blocker in candidates if slots[blocker]), key=lambda blocker: -slots[blocker])
                for blocker in free[: units.get((group, attacker_group), 0)]:
                    pays = limits.gain_pair.get((blocker, attacker), 0) or len(chosen) < wanted
                    if pays and len(chosen) < most:
                        chosen.append((blocker, group))
            if len(chosen) >= least:
                for blocker, group in chosen:
                    slots[blocker] -= 1
                    units[group, attacker_group] -= 1
                    yield blocker, attacker


def _groups(kinds: Iterable[tuple[Key, Hashable]], side: str) -> dict[_Group, list[Key]]:
    """Put those of the same kind together: a bound does not tell them apart."""
    found: defaultdict[Hashable, list[Key]] = defaultdict(list)
    for member, kind in kinds:
        found[kind].append(member)
    return {(side, index): members for index, members in enumerate(found.values())}


def _blocker_kinds(limits: Limits) -> Iterable[tuple[Key, Hashable]]:
    reach: defaultdict[Key, list[tuple[Key, int]]] = defaultdict(list)
    for blocker, attacker in sorted(limits.edges):
        reach[blocker].append((attacker, limits.gain_pair.get((blocker, attacker), 0)))
    return [(blocker, (limits.slots[blocker], limits.gain_blocker.get(blocker, 0), tuple(edges))) for blocker, edges in reach.items()]


def _attacker_kinds(limits: Limits) -> Iterable[tuple[Key, Hashable]]:
    reach: defaultdict[Key, list[tuple[Key, int]]] = defaultdict(list)
    for blocker, attacker in sorted(limits.edges):
        reach[attacker].append((blocker, limits.gain_pair.get((blocker, attacker), 0)))
    return [
        (
            attacker,
            (
                limits.seats.get(attacker),
                limits.threshold.get(attacker),
                tuple(sorted(limits.gain_attacker.get(attacker, {}).items())),
                tuple(edges),
            ),
        )
        for attacker, edges in reach.items()
    ]


def _concave(limits: Limits, attacker: Key) -> list[tuple[int, Fraction]]:
    """Return how much each unit into `attacker` gains, as (number of units, gain of each), greatest gain first."""
    seats = limits.seats.get(attacker, len(limits.slots))
    least = limits.threshold.get(attacker, 1)
    steps: Counter[int] = Counter()
    for needed, gain in limits.gain_attacker.get(attacker, {}).items():
        if max(needed, least) <= seats:
            steps[max(needed, least, 1)] += gain
    units: list[tuple[int, Fraction]] = []
    done = 0
    for needed in sorted(steps):
        units.append((needed - done, sum((Fraction(gain, size) for size, gain in steps.items() if size >= needed), Fraction(0))))
        done = needed
    if done < seats:
        units.append((seats - done, Fraction(0)))
    return units


class _Flow:
    """A flow of greatest gain from `source` to `sink`, by successive best paths."""

    def __init__(self) -> None:
        self.ends: list[_Node] = []
        self.left: list[int] = []
        self.gain: list[Fraction] = []
        self.out: defaultdict[_Node, list[int]] = defaultdict(list)

    def edge(self, start: _Node, end: _Node, room: int, gain: Fraction) -> int | None:
        """Add an edge and return its number, or None where nothing could flow."""
        if room <= 0:
            return None
        for node, other, amount, value in ((start, end, room, gain), (end, start, 0, -gain)):
            self.out[node].append(len(self.ends))
            self.ends.append(other)
            self.left.append(amount)
            self.gain.append(value)
        return len(self.ends) - 2

    def used(self, edge: int) -> int:
        """Return how much flows over an edge."""
        return self.left[edge + 1]

    def greatest_gain(self) -> Fraction:
        total = Fraction(0)
        while (path := self._best_path()) is not None:
            gain, edges = path
            if gain <= 0:
                break
            amount = min(self.left[edge] for edge in edges)
            for edge in edges:
                self.left[edge] -= amount
                self.left[edge ^ 1] += amount
            total += gain * amount
        return total

    def _best_path(self) -> tuple[Fraction, list[int]] | None:
        best: dict[_Node, Fraction] = {"source": Fraction(0)}
        came: dict[_Node, int] = {}
        queue: deque[_Node] = deque(["source"])
        waiting: set[_Node] = {"source"}
        while queue:
            node = queue.popleft()
            waiting.discard(node)
            for edge in self.out[node]:
                end = self.ends[edge]
                if self.left[edge] > 0 and (end not in best or best[node] + self.gain[edge] > best[end]):
                    best[end] = best[node] + self.gain[edge]
                    came[end] = edge
                    if end not in waiting:
                        waiting.add(end)
                        queue.append(end)
        if "sink" not in best:
            return None
        edges: list[int] = []
        end = "sink"
        while end != "source":
            edges.append(came[end])
            end = self.ends[came[end] ^ 1]
        return best["sink"], edges[::-1]
