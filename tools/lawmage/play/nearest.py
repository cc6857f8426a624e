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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from lawmage.play.bound import Key, Limits, limits_from
from lawmage.play.flow import SINK, SOURCE, USING, Flow, Node
from lawmage.play.plain_nearest import ACTOR, apart
from lawmage.play.quick import Judged, Pair, Position

__all__ = ["Paying", "find_nearest"]

#: So many ways out are looked at.
_MOST_WAYS = 200
#: Where no more pairs than this are free and allowed, all declarations may be listed.
_FEW_PAIRS = 6
#: So many pairs that are wrong are left out one by one.
_MOST_LEFT_OUT = 20
#: Where there are no more actors than this, each is looked at by itself.
_FEW_ACTORS = 24
#: At least and at most so many act on something.
_Range: TypeAlias = tuple[int, int]


def find_nearest(
    position: Position,
    numbers: Path,
    wanted: Collection[Pair],
    most: int,
    *,
    seconds: float,
    at_once: Callable[[], tuple[Pair, ...] | None] = lambda: None,
    paying: Callable[[], Paying] | None = None,
) -> tuple[Pair, ...] | None:
    """Return a legal declaration from which `wanted` differs in as few creatures, and then pairs, as possible.

    It costs nothing but what was proposed costs as well.

    Args:
        position: what the player may declare.
        numbers: the entry program that states what limits declarations that cost nothing, of all pairs.
        wanted: the declaration that was proposed.
        most: how many requirements a declaration can obey that costs nothing.
        seconds: the time allowed.
        at_once: returns what shows at once to be nearest if it is legal (`lawmage.play.plain_nearest`), None if nothing does.
        paying: returns what may be declared where costs are paid, if anything has to be paid on the board.

    Returns:
        The pairs; None where counting does not tell, or the time is over.

    Raises:
        NotEvaluatedError: if asp/ has to be run by clingo even to judge a declaration.
    """
    deadline = time.monotonic() + seconds
    if not position.is_free(wanted):
        return None if paying is None else _Search(position, numbers, wanted, most, deadline, paying()).by_flow()
    # Where something is required, what shows at once was judged along with the proposal.
    for lacking_one in (False, True) if most else (True, False):
        found = _without_one(position, wanted, most) if lacking_one else _if_legal(position, at_once(), most)
        if found is not None:
            return found
    search = _Search(position, numbers, wanted, most, deadline)
    found = search.by_flow()
    return search.by_listing() if found is None else found


@dataclass(frozen=True, slots=True)
class Paying:
    """What may be declared where costs are paid.

    Attributes:
        position: the same as where nothing is paid, but that its numbers are about what costs something as well.
        told: returns what is said of a declaration in which what it costs is paid; None where nothing is found that pays for it.
    """

    position: Position
    told: Callable[[Collection[Pair]], Judged | None]


def _if_legal(position: Position, pairs: tuple[Pair, ...] | None, most: int) -> tuple[Pair, ...] | None:
    """Return a declaration if it is legal."""
    if pairs is None:
        return None
    (judged,) = position.told([pairs])
    return pairs if not judged.violated and len(judged.obeyed) >= most else None


def _without_one(position: Position, wanted: Collection[Pair], most: int) -> tuple[Pair, ...] | None:
    """Return a legal declaration that lacks one of the pairs proposed: nothing can be nearer to what is illegal itself."""
    (proposed,) = position.told([wanted])
    about = {value for violated in proposed.violated for value in violated[2:]}
    wrong = [pair for pair in wanted if not about.isdisjoint(pair)][:_MOST_LEFT_OUT]
    told = position.told([[other for other in wanted if other != pair] for pair in wrong])
    return next((judged.pairs for judged in told if not judged.violated and len(judged.obeyed) >= most), None)


@dataclass(frozen=True, slots=True)
class _Way:
    """A flow: its worth, what it declares, and between what it was looked for."""

    worth: int
    pairs: tuple[Pair, ...]
    ranges: Mapping[Key, _Range]


class _Search:
    """The ways to declare something near to what was proposed, the most promising first."""

    def __init__(
        self, position: Position, numbers: Path, wanted: Collection[Pair], most: int, deadline: float, paying: Paying | None = None
    ) -> None:
        self.position = position
        self.paying = paying
        self.numbers = numbers
        self.wanted = wanted
        self.most = most
        self.deadline = deadline

    @cached_property
    def all_limits(self) -> Limits:
        """The numbers, with all pairs."""
        if self.paying is None:
            return limits_from(self.position.stated(self.numbers))
        limits = limits_from(self.paying.position.stated(self.numbers))
        return replace(limits, edges=self.position.not_dearer(limits.edges, self.wanted))

    @property
    def limits(self) -> Limits:
        """The numbers, with all pairs by which anything is gained."""
        return self.position.limits if self.position.helped and self.paying is None else self.all_limits

    def told(self, pairs: Collection[Pair]) -> Judged | None:
        """Return what is said of a declaration."""
        return self.position.told([pairs])[0] if self.paying is None else self.paying.told(pairs)

    def by_flow(self) -> tuple[Pair, ...] | None:
        """Return the nearest declaration, if counting finds and proves it."""
        network = _Network(self)
        order = count(0, -1)
        ways: list[tuple[int, int, _Way]] = []

        def look_at(ranges: Mapping[Key, _Range]) -> None:
            way = network.best(ranges)
            if way is not None:
                heapq.heappush(ways, (-way.worth, next(order), way))

        look_at({})
        for _ in range(_MOST_WAYS):
            if not ways or time.monotonic() > self.deadline:
                return None
            way = heapq.heappop(ways)[2]
            if way.worth < network.worth_of(self.most, network.dearest):
                return None
            split = network.splits(way)
            if split is None:
                judged = self.told(way.pairs)
                legal = judged is not None and not judged.violated and len(judged.obeyed) >= self.most
                return way.pairs if legal and way.worth == network.worth_of(self.most, apart(way.pairs, self.wanted)) else None
            other, number = split
            low, high = way.ranges.get(other, (0, network.many))
            look_at({**way.ranges, other: (number, high)})
            look_at({**way.ranges, other: (low, 0 if number <= network.limits.threshold.get(other, 1) else number - 1)})
        return None

    def by_listing(self) -> tuple[Pair, ...] | None:
        """Return the nearest of all legal declarations, where they are few."""
        if len(self.all_limits.edges) > _FEW_PAIRS:
            return None
        slots = self.all_limits.slots
        told = self.position.all_told(self.all_limits.edges)
        legal = [each.pairs for each in told if not each.violated and len(each.obeyed) >= self.most]
        able = [pairs for pairs in legal if all(slots.get(b, number) >= number for b, number in Counter(b for b, _ in pairs).items())]
        return min(able, key=lambda pairs: apart(pairs, self.wanted), default=None)


class _Network:
    """The flow of greatest worth: first the requirements obeyed, then what it does as was proposed."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.limits = limits = search.limits
        self.wanted: defaultdict[Key, set[Key]] = defaultdict(set)
        for actor, other in search.wanted:
            self.wanted[actor].add(other)
        actors = {actor for actor, _ in limits.edges}
        #: More than can act on anything.
        self.many = len(actors.union(limits.slots, self.wanted)) + 1
        self.parts = math.lcm(*[self._least(other, needed) for other, gains in limits.gain_attacker.items() for needed in gains])
        #: The most that it can cost to do otherwise, and what a part of a requirement is worth: more than that.
        self.dearest = ACTOR * 2 * self.many
        self.part = 2 * self.dearest
        #: What it is worth that something is acted on by as many as has been settled: more than all else.
        gains = [limits.gain_pair, limits.gain_blocker, *limits.gain_attacker.values()]
        self.forced = self.part * self.parts * 4 * (1 + sum([sum(each.values()) for each in gains]))
        #: Those of whom it is known what it costs that they do something else.
        self.single = {actor for actor, number in limits.slots.items() if number == 1} | self.wanted.keys() - actors
        #: What it costs if nobody does anything.
        self.nothing = sum([len(others) + (ACTOR if actor in self.single else 0) for actor, others in self.wanted.items()])
        #: The objects of which more act matters, or only so many can.
        self.limited = {other for other, asked in limits.gain_attacker.items() if asked} | limits.seats.keys()

    def worth_of(self, obeyed: int, apart: int) -> int:
        """Return the worth of a declaration that obeys so many requirements and is so far from what was proposed."""
        return self.part * self.parts * obeyed - apart + self.nothing

    # ------------------------------------------------------------ what is worth how much

    def _least(self, other: Key, needed: int) -> int:
        """Return how many have to act on something to obey what asks for `needed`."""
        return max(needed, self.limits.threshold.get(other, 1), 1)

    def _cost(self, actor: Key, other: Key) -> int:
        """Return what it costs, beside doing nothing, that an actor acts on something; too little where it may act on several."""
        wanted = self.wanted.get(actor, ())
        if actor not in self.single:
            return -1 if other in wanted else 1
        if other in wanted:
            return -1 - (ACTOR if len(wanted) == 1 else 0)
        return 1 + (0 if wanted else ACTOR)

    def _rooms(self, other: Key, between: _Range) -> Iterator[tuple[int, int]]:
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
        return self.part * self.parts * gain - self._cost(*pair)

    @cached_property
    def _all_into(self) -> Mapping[Key, Sequence[Key]]:
        """The actors that can act on each object."""
        found: defaultdict[Key, list[Key]] = defaultdict(list)
        for actor, other in self.search.all_limits.edges:
            found[other].append(actor)
        return found

    def _options(self, ranges: Mapping[Key, _Range]) -> tuple[dict[Key, dict[Key, int]], dict[Key, tuple[int, Key]]]:
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

    def best(self, ranges: Mapping[Key, _Range]) -> _Way | None:
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
        worth += flowing.flow.greatest_gain(self.search.deadline) + self._kept(ranges)
        if worth < 0:
            return None
        return _Way(worth, (*pairs, *flowing.pairs()), ranges)

    def _kept(self, ranges: Mapping[Key, _Range]) -> int:
        """Return what is gained by as many acting as have to, without what it was worth that they do."""
        gained = 0
        for other, (low, _) in ranges.items():
            gains = self.limits.gain_attacker.get(other, {})
            gained += self.part * self.parts * sum([gain for needed, gain in gains.items() if self._least(other, needed) <= low])
            gained -= self.forced * low
        return gained

    def splits(self, way: _Way) -> tuple[Key, int] | None:
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
        network: _Network,
        options: Mapping[Key, Mapping[Key, int]],
        elsewhere: Mapping[Key, tuple[int, Key]],
        rooms: Mapping[Key, Sequence[tuple[int, int]]],
        ranges: Mapping[Key, _Range],
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

    def _group(self, ranges: Mapping[Key, _Range]) -> None:
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
