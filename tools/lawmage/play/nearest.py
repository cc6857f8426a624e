"""The legal declaration that is nearest to one that was proposed, by counting.

The numbers of asp/509-bound.lp and 508-bound.lp, which bound how many requirements can be obeyed (`lawmage.play.bound`), also bound how
near a declaration can be that obeys so many: in the same flow a unit that does what was not proposed costs something. What the flow
declares is judged by asp/. Where it lets some block that are too few to do so, or counts a part of a requirement, both ways out are looked
at: that enough block, and that fewer do. The most promising way comes first, so that the first legal declaration is a nearest one.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TypeAlias

from lawmage.play.bound import Key, Limits, limits_from
from lawmage.play.flow import SINK, SOURCE, USING, Flow
from lawmage.play.quick import Pair, Position

__all__ = ["find_nearest"]

#: What an actor that does something else costs; one pair costs 1.
_ACTOR = 1 << 20
#: So many ways out are looked at.
_MOST_WAYS = 200
#: Where no more pairs than this are free and allowed, all declarations may be listed.
_FEW_PAIRS = 6
#: At least and at most so many act on something.
_Range: TypeAlias = tuple[int, int]


def _apart(one: Iterable[Pair], other: Iterable[Pair]) -> int:
    """Return how far apart two declarations are: by how many creatures, then by how many pairs."""
    differing = set(one) ^ set(other)
    return len({actor for actor, _ in differing}) * _ACTOR + len(differing)


def find_nearest(position: Position, numbers: Path, wanted: Collection[Pair], most: int, *, seconds: float) -> tuple[Pair, ...] | None:
    """Return a legal declaration that costs nothing and from which `wanted` differs in as few creatures, and then pairs, as possible.

    Args:
        position: what the player may declare.
        numbers: the entry program that states what limits declarations that cost nothing.
        wanted: the declaration that was proposed.
        most: how many requirements a declaration can obey that costs nothing.
        seconds: the time allowed.

    Returns:
        The pairs; None where counting does not tell, or what is wanted costs something, or the time is over.

    Raises:
        NotEvaluatedError: if asp/ has to be run by clingo even to judge a declaration.
    """
    if not position.is_free(wanted):
        return None
    limits = limits_from(position.stated(numbers))
    found = _by_flow(position, limits, wanted, most, time.monotonic() + seconds)
    return _by_listing(position, limits, wanted, most) if found is None and len(limits.edges) <= _FEW_PAIRS else found


def _by_listing(position: Position, limits: Limits, wanted: Collection[Pair], most: int) -> tuple[Pair, ...] | None:
    """Return the nearest of all legal declarations, where they are few."""
    legal = [each.pairs for each in position.all_told(limits.edges) if not each.violated and len(each.obeyed) >= most]
    able = [pairs for pairs in legal if all(limits.slots.get(b, number) >= number for b, number in Counter(b for b, _ in pairs).items())]
    return min(able, key=lambda pairs: _apart(pairs, wanted), default=None)


def _by_flow(position: Position, limits: Limits, wanted: Collection[Pair], most: int, deadline: float) -> tuple[Pair, ...] | None:
    network = _Network(limits, wanted)
    order = count(0, -1)
    ways: list[tuple[int, int, _Way]] = []

    def look_at(ranges: Mapping[Key, _Range]) -> None:
        way = network.best(ranges, deadline)
        if way is not None:
            heapq.heappush(ways, (-way.worth, next(order), way))

    look_at({})
    for _ in range(_MOST_WAYS):
        if not ways or time.monotonic() > deadline:
            return None
        way = heapq.heappop(ways)[2]
        if way.gain < most * network.parts:
            return None
        split = network.splits(way)
        if split is None:
            (judged,) = position.told([way.pairs])
            legal = not judged.violated and len(judged.obeyed) >= most
            proved = way.gain == most * network.parts and way.cost == _apart(way.pairs, wanted)
            return way.pairs if legal and proved else None
        other, number = split
        low, high = way.ranges.get(other, (0, network.many))
        look_at({**way.ranges, other: (number, high)})
        look_at({**way.ranges, other: (low, 0 if number <= limits.threshold.get(other, 1) else number - 1)})
    return None


@dataclass(frozen=True, slots=True)
class _Way:
    """A flow: its worth, its gain in parts of a requirement, what it costs, what it declares, and between what it was looked for."""

    worth: int
    gain: int
    cost: int
    pairs: tuple[Pair, ...]
    ranges: Mapping[Key, _Range]


class _Network:
    """The flow of greatest worth: first the requirements obeyed, then what it does as was proposed."""

    def __init__(self, limits: Limits, wanted: Collection[Pair]) -> None:
        self.limits = limits
        self.wanted: defaultdict[Key, set[Key]] = defaultdict(set)
        for actor, other in wanted:
            self.wanted[actor].add(other)
        #: More than can act on anything, and on how many things anything can act.
        self.many = len({actor for actor, _ in limits.edges}) + 1
        self.places = len({other for _, other in limits.edges})
        self.parts = math.lcm(*(self._least(other, needed) for other, gains in limits.gain_attacker.items() for needed in gains))
        #: What a part of a requirement is worth: more than all that could be done otherwise.
        self.part = _ACTOR * 2 * (len({actor for actor, _ in limits.edges} | set(self.wanted)) + 1)
        #: Those of whom it is known what it costs that they do something else.
        self.single = {actor for actor, number in limits.slots.items() if number == 1} | self.wanted.keys() - {b for b, _ in limits.edges}
        #: What it is worth that something is acted on by as many as has been settled: more than all else.
        gains = [limits.gain_pair, limits.gain_blocker, *limits.gain_attacker.values()]
        self.forced = self.part * self.parts * 4 * (1 + sum(number for each in gains for number in each.values()))
        gaining = {a for a, asked in limits.gain_attacker.items() if asked} | {a for _, a in limits.gain_pair}
        proposed = set(wanted)
        #: The pairs by which something is gained, wherever else enough act.
        self.useful = [pair for pair in limits.edges if pair[1] in gaining or pair[0] in limits.gain_blocker or pair in proposed]

    @cached_property
    def nothing(self) -> int:
        """What it costs if nobody does anything."""
        return sum(len(others) + (_ACTOR if actor in self.single else 0) for actor, others in self.wanted.items())

    def _least(self, other: Key, needed: int) -> int:
        """Return how many have to act on something to obey what asks for `needed`."""
        return max(needed, self.limits.threshold.get(other, 1), 1)

    def _cost(self, actor: Key, other: Key) -> int:
        """Return what it costs, beside doing nothing, that an actor acts on something; too little where it may act on several."""
        wanted = self.wanted.get(actor, ())
        if actor not in self.single:
            return -1 if other in wanted else 1
        if other in wanted:
            return -1 - (_ACTOR if len(wanted) == 1 else 0)
        return 1 + (0 if wanted else _ACTOR)

    def _units(self, other: Key, between: _Range) -> Iterator[tuple[int, int]]:
        """Yield how many units something takes and what each gains, in parts; those that it has to take are in the first."""
        limits = self.limits
        low, high = between
        most = min(high, limits.seats.get(other, self.many))
        steps: Counter[int] = Counter()
        for needed, gain in limits.gain_attacker.get(other, {}).items():
            least = self._least(other, needed)
            if least <= most and least > low:
                steps[least] += gain
        done = 0
        for end in sorted({*(step for step in steps), low, most}):
            if done < end <= most:
                yield end - done, sum(gain * self.parts // size for size, gain in steps.items() if size >= end)
                done = end

    def _rooms(self, other: Key, between: _Range) -> Iterator[tuple[int, int]]:
        """Yield for how many units something has room, and what each gains."""
        low = between[0]
        for units, gain in self._units(other, between):
            must = min(units, low)
            if must:
                yield must, self.forced + self.part * gain
            if units > must:
                yield units - must, self.part * gain
            low -= must

    def _pairs(self, ranges: Mapping[Key, _Range]) -> Iterable[Pair]:
        """Return the pairs that may be declared: also those by which nothing is gained, where so many have to act."""
        forced = {other for other, (low, _) in ranges.items() if low}
        if not forced:
            return self.useful
        useful = set(self.useful)
        return [pair for pair in self.limits.edges if pair[1] in forced or pair in useful]

    def _flow(
        self, options: Mapping[Key, Sequence[tuple[int, Key]]], takes: Mapping[Key, Sequence[tuple[int, int]]]
    ) -> tuple[Flow, list[tuple[Pair, int]]]:
        """Return the flow between those in `options` and what they may act on, and the edge of each pair."""
        limits = self.limits
        nodes = {other: node for node, other in enumerate(dict.fromkeys(other for there in options.values() for _, other in there))}
        flow = Flow(len(options) + len(nodes))
        first = SOURCE
        if limits.total is not None:
            first = USING
            flow.edge(SOURCE, first, limits.total, 0)
        edges: list[tuple[Pair, int]] = []
        for node, (actor, there) in enumerate(options.items(), start=len(nodes)):
            flow.edge(first, node, 1, self.part * self.parts * limits.gain_blocker.get(actor, 0))
            flow.edge(SOURCE, node, limits.slots.get(actor, self.places) - 1, 0)
            edges += [((actor, other), flow.edge(node, nodes[other], 1, worth)) for worth, other in there]
        for other, node in nodes.items():
            for room, gain in takes[other]:
                flow.edge(node, SINK, room, gain)
        return flow, edges

    def best(self, ranges: Mapping[Key, _Range], deadline: float) -> _Way | None:
        """Return the flow of greatest worth, None if too few can act on something or the time is over."""
        limits = self.limits
        anyone = (0, self.many)
        whole = self.part * self.parts
        options: dict[Key, list[tuple[int, Key]]] = {}
        takes: dict[Key, list[tuple[int, int]]] = {}
        # The most that a unit into something gains, where it is not the same for any number of them.
        tops: dict[Key, int] = {}
        promised = 0
        for pair in self._pairs(ranges):
            actor, other = pair
            if other not in takes:
                between = ranges.get(other, anyone)
                takes[other] = rooms = list(self._rooms(other, between)) if between[1] else []
                promised += between[0]
                if len(rooms) != 1 or rooms[0] != (self.many, 0):
                    tops[other] = max([gain for _, gain in rooms], default=0)
            if takes[other]:
                options.setdefault(actor, []).append((whole * limits.gain_pair.get(pair, 0) - self._cost(actor, other), other))
        if any(low > 0 and other not in takes for other, (low, _) in ranges.items()):
            return None
        settled = 0
        chosen: list[Pair] = []
        for actor, there in list(options.items()) if limits.total is None else ():
            # Nobody else is kept from anything by one that does best where there is always room, or does nothing.
            if limits.slots.get(actor, self.places) == 1:
                gain = whole * limits.gain_blocker.get(actor, 0)
                best, place = max([(worth, -index) for index, (worth, other) in enumerate(there) if other not in tops], default=(-gain, 1))
                if max(best, -gain) >= max([worth + tops[other] for worth, other in there if other in tops], default=-gain):
                    del options[actor]
                    if best + gain > 0:
                        settled += best + gain
                        chosen.append((actor, there[-place][1]))
        flow, edges = self._flow(options, takes)
        worth = settled + flow.greatest_gain(deadline) - self.forced * promised
        if worth < -self.forced // 2:
            return None
        kept = sum(
            gain * self.parts
            for other, (low, _) in ranges.items()
            for needed, gain in limits.gain_attacker.get(other, {}).items()
            if self._least(other, needed) <= low
        )
        worth += self.part * kept
        pairs = (*chosen, *(pair for pair, edge in edges if flow.used(edge)))
        free = sum(self._cost(*pair) for pair in pairs)
        return _Way(worth, (worth + free) // self.part, self.nothing + free, pairs, ranges)

    def splits(self, way: _Way) -> tuple[Key, int] | None:
        """Return something that too few act on for it, and how many would have to; None if there is no such thing."""
        acting = Counter(other for _, other in way.pairs)
        for other, number in acting.items():
            low, high = way.ranges.get(other, (0, self.many))
            threshold = self.limits.threshold.get(other, 1)
            if number < threshold:
                return other, threshold
            for needed in sorted(self.limits.gain_attacker.get(other, {})):
                if number < needed <= min(high, self.limits.seats.get(other, self.many)) and low < needed:
                    return other, needed
        return None
