"""An upper bound on the number of requirements that a declaration of blockers can obey.

Pigeonhole boards (eleven attackers that must be blocked, ten blockers) keep any search for a better declaration busy for ever,
while counting settles them at once. The numbers come from asp/509-bound.lp; here they become a flow of greatest gain: blockers send
units to attackers, a unit gains what requirements ask of it, and a requirement that needs k units gains a k-th for each of the first
k. Every declaration is such a flow and gains at least as much as the requirements that it obeys, so the greatest gain is a bound.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from lawmage.play.flow import SINK, SOURCE, USING, Flow, Node

__all__ = ["Bound", "Limits", "all_at_once", "limits_from", "upper_bound"]


#: A blocker or an attacker (or an attacker and a target, 508-bound.lp).
Key: TypeAlias = Any
#: The attackers that nothing is asked about and that any number can block, taken together.
_ELSEWHERE = "elsewhere"


#: What nothing is said of.
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Limits(NamedTuple):
    """The numbers of asp/509-bound.lp and 508-bound.lp, the strictest of each: see there. No `slots` or `seats` are any number.

    `alike` has, for a blocker or attacker that speaks for several like it, all of them.
    """

    edges: Sequence[tuple[Key, Key]]
    slots: Mapping[Key, int] = _NOTHING
    seats: Mapping[Key, int] = _NOTHING
    threshold: Mapping[Key, int] = _NOTHING
    total: int | None = None
    gain_pair: Mapping[tuple[Key, Key], int] = _NOTHING
    gain_blocker: Mapping[Key, int] = _NOTHING
    gain_attacker: Mapping[Key, Mapping[int, int]] = _NOTHING
    alike: Mapping[Key, Sequence[Key]] = _NOTHING

    def members(self, key: Key) -> Sequence[Key]:
        """Return those that `key` speaks for."""
        return self.alike.get(key) or (key,)


def limits_from(rows: Mapping[str, Iterable[Any]], alike: Mapping[Key, Sequence[Key]] | None = None) -> Limits:
    """Return the numbers that a bounding program states.

    Args:
        rows: the arguments of its atoms, by predicate.
        alike: as in `Limits`; of those whom others speak for, no row is read.
    """
    alike = alike or {}
    spoken_for = {key for those in alike.values() for key in those} - set(alike)

    def numbers(name: str, choose: Callable[[int, int], int] = min) -> dict[Key, int]:
        there = rows.get(name, ())
        if not there:
            return {}
        found: dict[Key, int] = {}
        for key, number in there:
            if key not in spoken_for:
                found[key] = choose(number, found[key]) if key in found else number
        return found

    attacker: defaultdict[Key, dict[int, int]] = defaultdict(dict)
    for key, needed, number in rows.get("gain_attacker", ()):
        attacker[key][needed] = number
    edges = list(rows.get("edge", ()))
    return Limits(
        edges=[(b, a) for b, a in edges if b not in spoken_for and a not in spoken_for] if spoken_for else edges,
        slots=numbers("slots"),
        seats=numbers("seats"),
        threshold=numbers("threshold", max),
        total=min(rows.get("total", ()), default=None),
        gain_pair={(b, a): number for b, a, number in rows.get("gain_pair", ())},
        gain_blocker=numbers("gain_blocker"),
        gain_attacker=attacker,
        alike=alike,
    )


class Bound(NamedTuple):
    """A number of requirements that no declaration exceeds, and a declaration (pairs of blocker and attacker) that may reach it."""

    most: int
    attempt: tuple[tuple[Key, Key], ...]


def upper_bound(limits: Limits) -> Bound:
    """Return a bound, and an attempt at a declaration that reaches it (which nobody has checked)."""
    return all_at_once(limits) or _Bounding(limits).bound()


def all_at_once(limits: Limits) -> Bound | None:
    """Return the bound where one creature after another can do all that is asked: then it is just that, and needs no flow.

    A creature that is to block more than it can blocks those for which most is gained: nobody gains more by it.
    """
    gains = limits.gain_pair
    asked = [*gains.values(), *limits.gain_blocker.values()]
    for of_attacker in limits.gain_attacker.values():
        asked += of_attacker.values()
    if not asked:
        return Bound(0, ())
    if limits.alike or limits.total is not None or 0 in asked:
        return None
    able: defaultdict[Key, list[Key]] = defaultdict(list)
    reached: defaultdict[Key, list[Key]] = defaultdict(list)
    for b, a in limits.edges:
        able[b].append(a)
        reached[a].append(b)
    wanted = {a: None for a, of_attacker in limits.gain_attacker.items() if of_attacker}
    if not (limits.gain_blocker.keys() <= able.keys() and wanted.keys() <= reached.keys()):
        return None
    idle = {b: limits.slots.get(b, len(reached)) for b in able}
    blocked: defaultdict[Key, list[Key]] = defaultdict(list)
    most = sum(asked)

    def least(a: Key) -> int:
        needed: int = max([limits.threshold.get(a, 1), *limits.gain_attacker.get(a, ())])
        return needed

    def block(b: Key, a: Key) -> None:
        blocked[a].append(b)
        idle[b] -= 1

    for b, a in sorted(gains, key=gains.__getitem__, reverse=True):
        if idle[b] > 0:
            block(b, a)
        else:
            most -= gains[b, a]
    waiting = set(limits.gain_blocker).difference(*blocked.values())
    for a in [*wanted, *(blocked.keys() - wanted.keys())]:
        # Those that have to block something do it where they are needed.
        needed, blockers = least(a), blocked[a]
        for b in sorted(reached[a], key=lambda each: each not in waiting) if waiting else reached[a]:
            if len(blockers) >= needed:
                break
            if idle[b] > 0 and b not in blockers:
                block(b, a)
                waiting.discard(b)
    for b in waiting:
        block(b, min(reversed(able[b]), key=lambda a: max(0, least(a) - 1 - len(blocked.get(a, ())))))
    for a, blockers in blocked.items():
        if not least(a) <= len(blockers) <= limits.seats.get(a, len(blockers)):
            return None
    if min(idle.values(), default=0) < 0:
        return None
    return Bound(most, tuple([(b, a) for a, blockers in blocked.items() for b in blockers]))


class _Bounding:
    """The groups of blockers and attackers that nothing tells apart, and the flow between them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        gaining = {a for a, gains in limits.gain_attacker.items() if gains} | {a for _, a in limits.gain_pair}
        reach: defaultdict[Key, dict[Key, int]] = defaultdict(dict)
        self.elsewhere: dict[Key, Key] = {}
        for pair in limits.edges:
            b, a = pair
            if a in gaining:
                reach[b][a] = limits.gain_pair.get(pair, 0)
            elif b not in limits.gain_blocker:
                continue
            elif a in limits.seats:
                reach[b][a] = 0
            else:
                reach[b][_ELSEWHERE] = 0
                if limits.threshold.get(a, 1) <= limits.threshold.get(self.elsewhere.setdefault(b, a), 1):
                    self.elsewhere[b] = a
        slots, gain_blocker = limits.slots, limits.gain_blocker
        self.blockers = _groups([(b, (slots.get(b), gain_blocker.get(b, 0), frozenset(there.items()))) for b, there in reach.items()])
        reached: defaultdict[Key, dict[Key, int]] = defaultdict(dict)
        for b, there in reach.items():
            for a, gain in there.items():
                reached[a][b] = gain
        self.attackers = _groups([(a, self._kind(a, by)) for a, by in reached.items()])
        self.reach, self.reached = reach, reached
        self.there, self.places = self._size(reach.keys()), self._size(reached.keys())

    def _kind(self, attacker: Key, by: Mapping[Key, int]) -> Hashable:
        limits = self.limits
        gains = frozenset(limits.gain_attacker.get(attacker, {}).items())
        return limits.seats.get(attacker), limits.threshold.get(attacker), gains, frozenset(by.items())

    def _size(self, keys: Collection[Key]) -> int:
        return sum(len(self.limits.members(key)) for key in keys) if self.limits.alike else len(keys)

    def _slots(self, blocker: Key) -> int:
        """Return how many attackers a blocker can block: no more than there are."""
        return self.limits.slots.get(blocker, self.places)

    def bound(self) -> Bound:
        """Return the greatest gain, and how it may be reached."""
        limits = self.limits
        steps = [self._steps(members[0]) for members in self.attackers]
        # Gains are counted in parts that make every k-th of one a whole number.
        parts = math.lcm(*(size for of_group in steps for size in of_group))
        above = len(self.blockers)
        flow = Flow(above + len(self.attackers))
        first: Node = SOURCE
        if limits.total is not None:
            first = USING
            flow.edge(SOURCE, first, limits.total, 0)
        for blockers, members in enumerate(self.blockers):
            size = self._size(members)
            flow.edge(first, blockers, size, parts * limits.gain_blocker.get(members[0], 0))
            flow.edge(SOURCE, blockers, size * (self._slots(members[0]) - 1), 0)
        for attackers, members in enumerate(self.attackers):
            for amount, gain in self._concave(members[0], steps[attackers], parts):
                flow.edge(above + attackers, SINK, self._size(members) * amount, gain)
        between: list[tuple[Node, Node, int]] = []
        of_attacker = {member: group for group, members in enumerate(self.attackers) for member in members}
        for blockers, members in enumerate(self.blockers):
            gains: dict[Node, list[int]] = {}
            here = self._size(members)
            for a, gain in self.reach[members[0]].items():
                room = gains.setdefault(of_attacker[a], [0, 0])
                room[0] += here if a == _ELSEWHERE or not limits.alike else here * len(limits.members(a))
                room[1] = max(room[1], gain)
            for attackers, (room_, gain) in gains.items():
                between.append((blockers, attackers, flow.edge(blockers, above + attackers, room_, parts * gain)))
        most = flow.greatest_gain() // parts
        units = {(blockers, attackers): used for blockers, attackers, edge in between if (used := flow.used(edge))}
        return Bound(most, tuple(self._attempt(units)))

    def _steps(self, attacker: Key) -> dict[int, int]:
        """Return how many requirements ask that so many block an attacker of those that ask for what can be."""
        limits = self.limits
        seats = limits.seats.get(attacker, self.there)
        least = limits.threshold.get(attacker, 1)
        steps: dict[int, int] = {}
        for needed, gain in limits.gain_attacker.get(attacker, {}).items():
            if max(needed, least) <= seats:
                steps[max(needed, least, 1)] = steps.get(max(needed, least, 1), 0) + gain
        return steps

    def _concave(self, attacker: Key, steps: Mapping[int, int], parts: int) -> Iterator[tuple[int, int]]:
        """Yield how much each unit into `attacker` gains, as (number of units, gain of each), greatest gain first."""
        seats = self.limits.seats.get(attacker, self.there)
        done = 0
        for needed in sorted(steps):
            yield needed - done, sum(gain * parts // size for size, gain in steps.items() if size >= needed)
            done = needed
        yield seats - done, 0

    def _attempt(self, units: dict[tuple[Node, Node], int]) -> Iterator[tuple[Key, Key]]:
        """Share the units between groups out to their members: to each attacker what its requirements ask, then what else is gained.

        Attackers that have too few blockers then share theirs and those that do nothing, one attacker after another.
        """
        limits = self.limits
        waiting = [deque([(one, key) for key in keys for one in limits.members(key)]) for keys in self.blockers]
        left = {one: self._slots(key) for those in waiting for one, key in those}
        by_attackers: defaultdict[Node, list[Node]] = defaultdict(list)
        for blockers, attackers in units:
            by_attackers[attackers].append(blockers)
        blocked: dict[Key, list[Key]] = {}
        short: list[tuple[Key, Key, dict[Key, Key]]] = []
        for attackers, groups in by_attackers.items():
            key = self.attackers[attackers][0]
            least = limits.threshold.get(key, 1)
            wanted = max([least, *limits.gain_attacker.get(key, ())])
            most = limits.seats.get(key, self.there)
            chosen: dict[Key, dict[Key, Key]] = {one: {} for key in self.attackers[attackers] for one in limits.members(key)}
            for paying in (False, True):
                for those in chosen.values():
                    for blockers in groups:
                        first = self.blockers[blockers][0]
                        pays = key == _ELSEWHERE or (first, key) in limits.gain_pair or first in limits.gain_blocker
                        enough = min(most, wanted) if not paying else most if pays else 0
                        free = waiting[blockers]
                        for _ in range(len(free)):
                            if len(those) >= enough or not units[blockers, attackers]:
                                break
                            one, like = free.popleft()
                            if one not in those:
                                those[one] = like
                                units[blockers, attackers] -= 1
                                left[one] -= 1
                            if left[one]:
                                free.append((one, like))
            for attacker, those in chosen.items():
                if attacker == _ELSEWHERE:
                    yield from ((one, self.elsewhere[like]) for one, like in those.items())
                elif len(those) >= least:
                    blocked[attacker] = list(those)
                elif those:
                    short.append((attacker, key, those))
                    for one in those:
                        left[one] += 1
        for attacker, key, those in short:
            able = dict(those) | {one: b for b in self.reached[key] for one in limits.members(b)}
            idle = [one for one, b in able.items() if left[one] == self._slots(b)]
            if len(idle) >= limits.threshold[key]:
                blocked[attacker] = idle[: limits.threshold[key]]
                for one in blocked[attacker]:
                    left[one] -= 1
        yield from ((one, attacker) for attacker, those in blocked.items() for one in those)
        if short:
            yield from self._others(blocked, left)

    def _others(self, blocked: Mapping[Key, Sequence[Key]], left: Mapping[Key, int]) -> Iterator[tuple[Key, Key]]:
        """Let those that gain by it and have nothing to do join the blockers of some attacker."""
        limits = self.limits
        for b, there in self.reach.items():
            idle = [one for one in limits.members(b) if left[one] == self._slots(b)]
            places = {(gain, limits.seats.get(a, self.there) - len(blocked[one])): one for a, gain in there.items() if idle
                      for one in limits.members(a) if one in blocked}  # fmt: skip
            gain, room = max(places, default=(0, 0))
            if idle and _ELSEWHERE in there and not gain:
                yield from ((one, self.elsewhere[b]) for one in idle)
            elif idle and room > 0 and (gain or b in limits.gain_blocker):
                yield from ((one, places[gain, room]) for one in idle[:room])


def _groups(kinds: Iterable[tuple[Key, Hashable]]) -> list[list[Key]]:
    """Put those of the same kind together: a bound does not tell them apart."""
    found: dict[Hashable, list[Key]] = {}
    for member, kind in kinds:
        found.setdefault(kind, []).append(member)
    return list(found.values())
