"""Flows between those that act and what they act on, of the greatest worth: requirements obeyed, and what is done as was proposed.

The numbers of asp/509-bound.lp and 508-bound.lp, which bound how many requirements can be obeyed (`lawmage.play.bound`), also bound how
near a declaration can be that obeys so many: in the same flow a unit that does what was not proposed costs something.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from lawmage.play.bound import Key, Limits
from lawmage.play.flow import SINK, SOURCE, USING, Flow, Node
from lawmage.play.plain_nearest import ACTOR
from lawmage.play.quick import Pair

__all__ = ["Network", "Range", "Way", "Weights"]

#: Where there are no more actors than this, each is looked at by itself.
_FEW_ACTORS = 24
#: At least and at most so many act on something.
Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much in a flow.

    Attributes:
        part: what a part of a requirement is worth; None: more than all that can be done otherwise.
        scale: what the least difference from what was proposed costs.
        prices: what pairs cost beside that.
        dearest: the greatest price of those that may be declared.
    """

    part: int | None = None
    scale: int = 1
    prices: Mapping[Pair, int] = field(default_factory=dict)
    dearest: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """A flow: its worth, what it declares, and between what it was looked for."""

    worth: int
    pairs: tuple[Pair, ...]
    ranges: Mapping[Key, Range]


class Network:
    """The flow of greatest worth: first the requirements obeyed, then what it does as was proposed."""

    def __init__(
        self,
        limits: Limits,
        wanted: Collection[Pair],
        edges: Callable[[], Collection[Pair]],
        deadline: float,
        weights: Weights | None = None,
    ) -> None:
        self.limits = limits
        self.edges = edges
        self.deadline = deadline
        self.weights = weights = weights or Weights()
        self.wanted: defaultdict[Key, set[Key]] = defaultdict(set)
        for actor, other in wanted:
            self.wanted[actor].add(other)
        actors = {actor for actor, _ in limits.edges}
        #: More than can act on anything.
        self.many = len(actors.union(limits.slots, self.wanted)) + 1
        self.parts = math.lcm(*[self._least(other, needed) for other, gains in limits.gain_attacker.items() for needed in gains])
        #: The most that it can cost to do otherwise, and what a part of a requirement is worth: more than that.
        self.dearest = ACTOR * 2 * self.many
        self.part = 2 * self.dearest * weights.scale if weights.part is None else weights.part
        #: What it is worth that something is acted on by as many as has been settled: more than all else.
        gains = [limits.gain_pair, limits.gain_blocker, *limits.gain_attacker.values()]
        self.forced = max(self.part, 2 * self.dearest * weights.scale) * self.parts * 4 * (1 + sum([sum(each.values()) for each in gains]))
        self.forced += 4 * weights.dearest
        #: Those of whom it is known what it costs that they do something else.
        self.single = {actor for actor, number in limits.slots.items() if number == 1} | self.wanted.keys() - actors
        #: What it costs if nobody does anything.
        self.nothing = sum([len(others) + (ACTOR if actor in self.single else 0) for actor, others in self.wanted.items()])
        #: The objects of which more act matters, or only so many can.
        self.limited = {other for other, asked in limits.gain_attacker.items() if asked} | limits.seats.keys()

    def worth_of(self, obeyed: int, apart: int) -> int:
        """Return the worth of a declaration that obeys so many requirements and is so far from what was proposed."""
        return self.part * self.parts * obeyed + (self.nothing - apart) * self.weights.scale

    # ------------------------------------------------------------ what is worth how much

    def _least(self, other: Key, needed: int) -> int:
        """Return how many have to act on something to obey what asks for `needed`."""
        return max(needed, self.limits.threshold.get(other, 1), 1)

    def cost_of(self, actor: Key, other: Key) -> int:
        """Return what it costs, beside doing nothing, that an actor acts on something; too little where it may act on several."""
        wanted = self.wanted.get(actor, ())
        if actor not in self.single:
            return -1 if other in wanted else 1
        if other in wanted:
            return -1 - (ACTOR if len(wanted) == 1 else 0)
        return 1 + (0 if wanted else ACTOR)

    def _rooms(self, other: Key, between: Range) -> Iterator[tuple[int, int]]:
        """Yield for how many units something has room, and what each gains; those that it has to take come first."""
        limits = self.limits
        low, high = between
        most = min(high, limits.seats.get(other, self.many))
        steps: Counter[int] = Counter()
        for needed, gain in limits.gain_attacker.get(other, {}).items():
            least = self._least(other, needed)
            if low < least <= most:
                steps[least] += gain
        done = 0
        for end in sorted({*steps, low, most}):
            if done < end <= most:
                worth = self.part * sum([gain * self.parts // size for size, gain in steps.items() if size >= end])
                yield end - done, worth + (self.forced if end <= low else 0)
                done = end

    @cached_property
    def _useful(self) -> list[tuple[Key, Key, int]]:
        """The pairs by which something is gained or that were proposed, with their worth."""
        limits, wanted = self.limits, self.wanted
        gain_pair, gain_blocker, gain_attacker = limits.gain_pair, limits.gain_blocker, limits.gain_attacker
        found = []
        for pair in limits.edges:
            actor, other = pair
            gain = gain_pair.get(pair, 0)
            if gain or actor in gain_blocker or (actor in wanted and other in wanted[actor]) or gain_attacker.get(other):
                found.append((actor, other, self._worth(pair, gain)))
        return found

    def _worth(self, pair: Pair, gain: int) -> int:
        return self.part * self.parts * gain - self.cost_of(*pair) * self.weights.scale - self.weights.prices.get(pair, 0)

    @cached_property
    def _all_into(self) -> Mapping[Key, Sequence[Key]]:
        """The actors that can act on each object."""
        found: defaultdict[Key, list[Key]] = defaultdict(list)
        for actor, other in self.edges():
            found[other].append(actor)
        return found

    def _options(self, ranges: Mapping[Key, Range]) -> tuple[dict[Key, dict[Key, int]], dict[Key, tuple[int, Key]]]:
        """Return what each actor may do, with its worth: on objects where it matters how many act, and the best elsewhere."""
        slots, threshold, limited = self.limits.slots, self.limits.threshold, self.limited
        options: defaultdict[Key, dict[Key, int]] = defaultdict(dict)
        elsewhere: dict[Key, tuple[int, Key]] = {}
        for actor, other, worth in self._useful:
            if other in ranges:
                if ranges[other][1]:
                    options[actor][other] = worth
            elif other in limited or slots.get(actor) != 1:
                options[actor][other] = worth
            else:
                known = elsewhere.get(actor)
                if known is None or (worth, -threshold.get(other, 1)) > (known[0], -threshold.get(known[1], 1)):
                    elsewhere[actor] = worth, other
        for other, (low, _) in ranges.items():
            for actor in self._all_into[other] if low else ():
                options[actor][other] = self._worth((actor, other), self.limits.gain_pair.get((actor, other), 0))
        return options, elsewhere

    # ------------------------------------------------------------ the flow

    def best(self, ranges: Mapping[Key, Range]) -> Way | None:
        """Return the flow of greatest worth, None if too few can act on something or the time is over."""
        limits = self.limits
        options, elsewhere = self._options(ranges)
        anyone = (0, self.many)
        objects = dict.fromkeys([other for there in options.values() for other in there])
        rooms = {other: list(self._rooms(other, ranges.get(other, anyone))) for other in objects}
        if any(low and other not in rooms for other, (low, _) in ranges.items()):
            return None
        worth = 0
        pairs: list[Pair] = []
        for actor in list(elsewhere) if limits.total is None else ():
            # Nobody else is kept from anything by one that does best where there is always room, or does nothing.
            value, other = elsewhere[actor]
            gain = self.part * self.parts * limits.gain_blocker.get(actor, 0)
            rivals = [each + rooms[at][0][1] for at, each in options.get(actor, {}).items() if rooms[at]]
            if max(value, -gain) >= max(rivals, default=-gain):
                options.pop(actor, None)
                del elsewhere[actor]
                if value + gain > 0:
                    worth += value + gain
                    pairs.append((actor, other))
        flowing = _Sharing(self, options, elsewhere, rooms, ranges)
        worth += flowing.flow.greatest_gain(self.deadline) + self._kept(ranges)
        if worth < 0:
            return None
        return Way(worth, (*pairs, *flowing.pairs()), ranges)

    def _kept(self, ranges: Mapping[Key, Range]) -> int:
        """Return what is gained by as many acting as have to, without what it was worth that they do."""
        gained = 0
        for other, (low, _) in ranges.items():
            gains = self.limits.gain_attacker.get(other, {})
            gained += self.part * self.parts * sum([gain for needed, gain in gains.items() if self._least(other, needed) <= low])
            gained -= self.forced * low
        return gained

    def splits(self, way: Way) -> tuple[Key, int] | None:
        """Return something that too few act on for it, and how many would have to; None if there is no such thing."""
        limits = self.limits
        for other, number in Counter([other for _, other in way.pairs]).items():
            low, high = way.ranges.get(other, (0, self.many))
            threshold = limits.threshold.get(other, 1)
            if number < threshold:
                return other, threshold
            for needed in sorted(limits.gain_attacker.get(other, ())):
                if number < needed <= min(high, limits.seats.get(other, self.many)) and low < needed:
                    return other, needed
        return None


class _Sharing:
    """The flow between actors and what they may act on. Those that nothing tells apart are a group, where there are many."""

    def __init__(
        self,
        network: Network,
        options: Mapping[Key, Mapping[Key, int]],
        elsewhere: Mapping[Key, tuple[int, Key]],
        rooms: Mapping[Key, Sequence[tuple[int, int]]],
        ranges: Mapping[Key, Range],
    ) -> None:
        self.limits = limits = network.limits
        self.options, self.elsewhere, self.rooms = options, elsewhere, rooms
        self.actors: list[list[Key]] = [[actor] for actor in dict.fromkeys([*options, *elsewhere])]
        self.objects: list[list[Key]] = [[other] for other in rooms]
        if len(self.actors) > _FEW_ACTORS:
            self._group(ranges)
        self.flow = flow = Flow(len(self.objects) + len(self.actors))
        first: Node = SOURCE
        if limits.total is not None:
            first = USING
            flow.edge(SOURCE, first, limits.total, 0)
        node_of = {other: node for node, objects in enumerate(self.objects) for other in objects}
        #: Which group may act on which, where any unit is worth so much, and the edge; None for elsewhere.
        self.arcs: list[tuple[int, int | None, int, int]] = []
        for group, actors in enumerate(self.actors):
            node, one, size = len(self.objects) + group, actors[0], len(actors)
            flow.edge(first, node, size, network.part * network.parts * limits.gain_blocker.get(one, 0))
            flow.edge(SOURCE, node, size * (limits.slots.get(one, len(rooms)) - 1), 0)
            if one in elsewhere:
                worth = elsewhere[one][0]
                self.arcs.append((group, None, worth, flow.edge(node, SINK, size, worth)))
            counts = Counter([(node_of[other], worth) for other, worth in options.get(one, {}).items()])
            for (there, worth), number in counts.items():
                self.arcs.append((group, there, worth, flow.edge(node, there, size * number, worth)))
        for node, objects in enumerate(self.objects):
            for room, gain in rooms[objects[0]]:
                flow.edge(node, SINK, len(objects) * room, gain)

    def _group(self, ranges: Mapping[Key, Range]) -> None:
        """Put those together that nothing tells apart, by telling apart what differs in anything until there is no more to tell."""
        limits = self.limits
        kinds: dict[Key, Any] = {}
        for (actor,) in self.actors:
            worth = self.elsewhere[actor][0] if actor in self.elsewhere else None
            kinds[actor] = limits.slots.get(actor), limits.gain_blocker.get(actor), worth
        of_object = {each: (tuple(self.rooms[each]), limits.threshold.get(each), ranges.get(each)) for (each,) in self.objects}
        reached: defaultdict[Key, dict[Key, int]] = defaultdict(dict)
        for actor, there in self.options.items():
            for other, worth in there.items():
                reached[other][actor] = worth
        actors, objects = _numbered(kinds), _numbered(of_object)
        while True:
            finer = _finer(objects, reached, actors)
            actors, before = _finer(actors, self.options, finer), actors
            if len(set(actors.values())) == len(set(before.values())) and len(set(finer.values())) == len(set(objects.values())):
                break
            objects = finer
        self.actors, self.objects = _gathered(actors), _gathered(objects)

    def pairs(self) -> Iterator[Pair]:
        """Yield what the flow declares."""
        units = {(group, objects, worth): used for group, objects, worth, edge in self.arcs if (used := self.flow.used(edge))}
        if len(self.actors) + len(self.objects) == len(self.options.keys() | self.elsewhere.keys()) + len(self.rooms):
            for group, objects, _ in units:
                actor = self.actors[group][0]
                yield actor, self.elsewhere[actor][1] if objects is None else self.objects[objects][0]
            return
        yield from self._shared_out(units)

    def _shared_out(self, units: dict[tuple[int, int | None, int], int]) -> Iterator[Pair]:
        """Share the units between groups out to their members: to one object after another as many as gain by it, then the rest."""
        left = {actor: self.limits.slots.get(actor, len(self.rooms)) for actors in self.actors for actor in actors}
        coming: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for group, objects, worth in units:
            if objects is not None:
                coming[objects].append((worth, group))
        for there, groups in coming.items():
            able: dict[Key, list[tuple[int, int, Key]]] = {other: [] for other in self.objects[there]}
            for worth, group in sorted(groups, reverse=True):
                for actor in self.actors[group]:
                    for other, those in able.items():
                        if self.options[actor].get(other) == worth:
                            those.append((worth, group, actor))
            gaining = sum([room for room, gain in self.rooms[self.objects[there][0]] if gain > 0])
            taken: dict[Pair, None] = {}
            for most in (gaining, len(left)) if gaining else (len(left),):
                for other in sorted(able, key=lambda each: -sum([worth for worth, _, _ in able[each]])):
                    acting = sum([at == other for _, at in taken])
                    for worth, group, actor in able[other]:
                        if acting < most and left[actor] and units[group, there, worth] and (actor, other) not in taken:
                            acting += 1
                            left[actor] -= 1
                            units[group, there, worth] -= 1
                            taken[actor, other] = None
            yield from taken
        for (group, objects, _), number in units.items():
            if objects is None:
                idle = [actor for actor in self.actors[group] if left[actor]]
                yield from ((actor, self.elsewhere[actor][1]) for actor in idle[:number])


def _numbered(kinds: Mapping[Key, Any]) -> dict[Key, int]:
    """Return a number for each kind."""
    numbers: dict[Any, int] = {}
    return {key: numbers.setdefault(kind, len(numbers)) for key, kind in kinds.items()}


def _finer(kinds: Mapping[Key, int], beside: Mapping[Key, Mapping[Key, int]], others: Mapping[Key, int]) -> dict[Key, int]:
    """Tell apart those of one kind that have not as many of each other kind beside them, for as much worth."""
    found = {}
    for key, kind in kinds.items():
        found[key] = kind, frozenset(Counter([(others[other], worth) for other, worth in beside.get(key, {}).items()]).items())
    return _numbered(found)


def _gathered(kinds: Mapping[Key, int]) -> list[list[Key]]:
    found: defaultdict[int, list[Key]] = defaultdict(list)
    for key, kind in kinds.items():
        found[kind].append(key)
    return list(found.values())
