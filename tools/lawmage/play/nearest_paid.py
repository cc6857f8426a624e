"""The nearest declaration where what it may cost is limited: by flows in which requirements, mana and what is otherwise have prices.

Whatever the prices, no legal declaration is worth more than the flow of the greatest worth, if a requirement that is obeyed beyond those
that have to be, or mana that is left over, counts for it (Lagrange). So each flow says how near a declaration can be at most; the prices
are sought at which it says the least, and what flows declare on the way there is often just as near. If not, both ways out are looked at:
that a pair is declared, and that it is not. What numbers tell may be too generous: whether what is found is legal is for asp/ to say.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, count
from typing import Any, TypeAlias

from lawmage.play.nearest_flow import Network, Range, Way, Weights
from lawmage.play.plain_nearest import apart, gained_by
from lawmage.play.quick import Pair

__all__ = ["PaidSearch", "Supplies"]

#: A set of kinds of mana, or of permanents, of which something is taken.
_Set: TypeAlias = Any
#: So often a price is sought for what helps most.
_MOST_ROUNDS = 6
#: So many different amounts are told apart that creatures take.
_MOST_SIZES = 4
#: So many parts of all declarations are looked at.
_MOST_PARTS = 1000
#: So many verdicts are remembered.
_MOST_ASKED = 1024
#: So many flows are looked at for one price.
_MOST_STEPS = 12


@dataclass(frozen=True, slots=True)
class Supplies:
    """What there is to pay with, by sets of kinds of mana and of permanents, and what each pair takes of it at least."""

    supply: Mapping[_Set, int]
    taken: Mapping[_Set, Mapping[Pair, int]]

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> Supplies:
        """Return what asp/508-payment-bound.lp or 509-payment-bound.lp states."""
        taken: dict[_Set, dict[Pair, int]] = {}
        for actor, other, those, number in stated.get("takes_up", ()):
            taken.setdefault(those, {})[actor, other] = number
        supply = {those: number for those, number in stated.get("stock", ())}  # noqa: C416
        # What is never asked for limits nothing.
        for those in [those for those in taken if those in supply]:
            for at_least, number in _most_of(taken[those], supply[those]):
                key = those, at_least
                supply[key], taken[key] = number, {pair: 1 for pair, each in taken[those].items() if each >= at_least}
        return cls({those: supply[those] for those in taken if those in supply}, taken)

    def left(self, those: _Set, pairs: Collection[Pair]) -> int:
        """Return how much of a set is left, less than 0 where it does not suffice."""
        taken = self.taken[those]
        return self.supply[those] - sum([taken.get(pair, 0) for pair in pairs])

    def suffice(self, pairs: Collection[Pair]) -> bool:
        """Tell whether there is enough of everything."""
        return all(self.left(those, pairs) >= 0 for those in self.supply)


def _most_of(taken: Mapping[Pair, int], supply: int) -> Iterator[tuple[int, int]]:
    """Yield how many creatures of which each takes so much there can be at most."""
    for at_least in sorted(set(taken.values()))[:_MOST_SIZES]:
        least: dict[Any, int] = {}
        for (actor, _), number in taken.items():
            if number >= at_least:
                least[actor] = min(number, least.get(actor, number))
        yield at_least, sum(total <= supply for total in accumulate(sorted(least.values())))


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of all declarations: those in which so many act on certain things, some pairs are declared and others are not."""

    ranges: Mapping[Any, Range] = field(default_factory=dict)
    kept: frozenset[Pair] = frozenset()
    left_out: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class _Flow:
    """A flow: an upper bound on what any declaration of a part is worth, and by how much each price would change it."""

    bound: int
    way: Way
    slopes: tuple[int, ...]


class PaidSearch:
    """The search for the legal declaration that is nearest of those that obey enough requirements and that can be paid for.

    Args:
        network: returns the flow in which things count so.
        supplies: what there is to pay with.
        wanted: the declaration that was proposed.
        most: how many requirements have to be obeyed.
        is_legal: tells whether a declaration is legal.
        deadline: when to stop (`time.monotonic`).
    """

    def __init__(
        self,
        network: Callable[[Weights], Network],
        supplies: Supplies,
        wanted: Collection[Pair],
        most: int,
        is_legal: Callable[[Collection[Pair]], bool],
        deadline: float,
    ) -> None:
        self.network = network
        self.supplies = supplies
        self.sets: Sequence[_Set] = list(supplies.supply)
        self.wanted = frozenset(wanted)
        self.most = most
        self.is_legal = lru_cache(maxsize=_MOST_ASKED)(is_legal)
        self.deadline = deadline
        first = network(Weights())
        self.limits = first.limits
        actors = {actor: place for place, actor in enumerate(dict.fromkeys(actor for actor, _ in first.limits.edges), start=1)}
        #: Each actor costs a bit more than the one before, so that prices do not tip many at once.
        self.little = {pair: actors[pair[0]] * (1 + (pair in self.wanted)) for pair in first.limits.edges}
        several = len({other for _, other in first.limits.edges})
        self.slack = 2 * sum([place * first.limits.slots.get(actor, several) for actor, place in actors.items()])
        self.scale = 2 * self.slack + 1
        #: More than any difference counts.
        self.high = 2 * first.dearest * self.scale
        gains = [first.limits.gain_pair, first.limits.gain_blocker, *first.limits.gain_attacker.values()]
        self.most_gained = first.parts * (1 + sum([sum(each.values()) for each in gains]))
        self.nothing = first.nothing
        self.best: tuple[int, tuple[Pair, ...]] | None = None

    def nearest(self) -> tuple[Pair, ...] | None:
        """Return its pairs; None if none is proved to be nearest by the deadline, or there is none."""
        order = count()
        parts: list[tuple[int, int, _Part, Sequence[int], tuple[_Flow, ...]]] = []

        def look_at(part: _Part, prices: Sequence[int]) -> None:
            found = self.least(part, prices)
            if found is not None:
                bound, prices, flows = found
                heapq.heappush(parts, (-bound, next(order), part, prices, flows))

        look_at(_Part(), [self.high, *[0 for _ in self.sets]])
        for _ in range(_MOST_PARTS):
            # A flow that is not at its end by the deadline is no bound.
            if time.monotonic() > self.deadline:
                return None
            if not parts:
                return None if self.best is None else self.best[1]
            bound, _, part, prices, flows = heapq.heappop(parts)
            if self.best is not None and self.is_settled(-bound):
                return self.best[1]
            smaller_parts = self.parts_of(part, flows)
            if not smaller_parts:
                # What is illegal by what numbers don't tell may be legal together with pairs by which nothing is gained.
                return None
            for smaller in smaller_parts:
                look_at(smaller, prices)
        return None

    def is_settled(self, bound: int) -> bool:
        """Tell whether nothing with such a bound is nearer than the best that has been found."""
        return self.best is not None and (self.best[0] + 1) * self.scale > bound + self.slack

    def parts_of(self, part: _Part, flows: Sequence[_Flow]) -> Sequence[_Part]:
        """Return the parts in which what flows differ in, or what cannot be, is settled."""
        network = self.network(Weights())
        for flow in flows:
            split = network.splits(flow.way)
            if split is not None:
                other, number = split
                low, high = part.ranges.get(other, (0, network.many))
                fewer = 0 if number <= self.limits.threshold.get(other, 1) else number - 1
                return [
                    replace(part, ranges={**part.ranges, other: (number, high)}),
                    replace(part, ranges={**part.ranges, other: (low, fewer)}),
                ]
        settled = part.kept | part.left_out
        often = Counter(pair for flow in flows for pair in flow.way.pairs if pair not in settled)
        if not often:
            return []
        taken = [self.supplies.taken[those] for those in self.sets]
        pair = max(often, key=lambda each: (often[each] < len(flows), sum(each in those for those in taken), -self.little.get(each, 0)))
        return [replace(part, kept=part.kept | {pair}), replace(part, left_out=part.left_out | {pair})]

    # ------------------------------------------------------------ prices

    def least(self, part: _Part, prices: Sequence[int]) -> tuple[int, list[int], tuple[_Flow, ...]] | None:
        """Return the least bound, the prices at which a flow has it, and the last flows; None if nothing in the part is legal."""
        at = list(prices)
        flow = self.flow(part, at)
        if flow is None:
            return None
        low = flow.bound
        last: tuple[_Flow, ...] = (flow,)
        for _ in range(_MOST_ROUNDS):
            # The price that helps most is settled first: of sets of mana, one is in the other.
            best: tuple[int, int, int, tuple[_Flow, ...]] | None = None
            for place in range(len(at)):
                if not at[place] and last[0].slopes[place] >= 0:
                    continue
                found = self.along(part, at, place)
                if found is None:
                    return None
                price, flows = found
                if best is None or flows[0].bound < best[0]:
                    best = flows[0].bound, place, price, flows
            if best is None or best[0] >= low:
                downhill = self.downhill(part, at, last[0])
                if downhill is None:
                    break
                low, at, last = downhill
            else:
                low, place, at[place], last = best
            if self.is_settled(low) or time.monotonic() > self.deadline:
                return low, at, last
        # Nothing legal is farther than everything that can differ.
        return (low, at, last) if low > -self.high else None

    def downhill(self, part: _Part, prices: Sequence[int], flow: _Flow) -> tuple[int, list[int], tuple[_Flow, ...]] | None:
        """Return prices with a lesser bound where no price alone gets there: all are changed at once, as the flow tells (Polyak)."""
        if self.best is None:
            return None
        at, before = list(prices), flow.bound
        for _ in range(_MOST_STEPS):
            above = flow.bound - self.best[0] * self.scale
            length = sum([slope * slope for slope in flow.slopes])
            if above <= 0 or not length or time.monotonic() > self.deadline:
                break
            at = [max(0, price - above * slope // length) for price, slope in zip(at, flow.slopes, strict=True)]
            found = self.flow(part, at)
            if found is None:
                return None
            flow = found
            if flow.bound < before:
                return flow.bound, at, (flow,)
        return None

    def along(self, part: _Part, prices: Sequence[int], place: int) -> tuple[int, tuple[_Flow, ...]] | None:
        """Return the price of one thing at which the bound is least, all others as they are, and the flows on both sides."""

        def look(price: int) -> _Flow | None:
            return self.flow(part, [*prices[:place], price, *prices[place + 1 :]])

        start, end = 0, self.high
        left = look(start)
        if left is None or left.slopes[place] >= 0:
            return None if left is None else (start, (left,))
        right = look(end)
        if right is None or right.slopes[place] < 0:
            return None if right is None else (end, (right,))
        for _ in range(_MOST_STEPS):
            if time.monotonic() > self.deadline or end - start <= 1:
                break
            # Where the two lines meet.
            gap = left.slopes[place] - right.slopes[place]
            price = (right.bound - left.bound + left.slopes[place] * start - right.slopes[place] * end) // gap if gap else start
            price = min(max(price, start + 1), end - 1)
            line = max(left.bound + left.slopes[place] * (price - start), right.bound + right.slopes[place] * (price - end))
            flow = look(price)
            if flow is None:
                return None
            if flow.slopes[place] < 0:
                start, left = price, flow
            else:
                end, right = price, flow
            if flow.bound <= line or self.is_settled(flow.bound):
                break
        return (start, (left, right)) if left.bound <= right.bound else (end, (right, left))

    def flow(self, part: _Part, prices: Sequence[int]) -> _Flow | None:
        """Return the flow of the greatest worth at these prices, and note what it declares; None if there is none in the part."""
        part_of_one, *of_sets = prices
        costs = dict(self.little)
        for those, price in zip(self.sets, of_sets, strict=True):
            if price:
                for pair, number in self.supplies.taken[those].items():
                    costs[pair] = costs.get(pair, 0) + price * number
        dearest = max(costs.values(), default=0)
        # More than all else together.
        sure = 8 * (self.most_gained * max(self.high, part_of_one) * (1 + len(self.limits.edges)) + sum(costs.values()))
        costs |= {pair: costs.get(pair, 0) - sure for pair in part.kept}
        costs |= dict.fromkeys(part.left_out, sure)
        network = self.network(Weights(part_of_one, self.scale, costs, dearest))
        way = network.best(part.ranges)
        if way is None:
            return None
        worth = way.worth - sure * len(part.kept)
        declared = set(way.pairs)
        if not part.kept <= declared:
            return None
        self.note(network, way)
        units = network.parts * gained_by(self.limits, way.pairs)
        if part_of_one:
            spent = sum([network.cost_of(*pair) * self.scale + costs.get(pair, 0) for pair in way.pairs])
            units = (way.worth + spent) // part_of_one
        slopes = (units - network.parts * self.most, *[self.supplies.left(those, way.pairs) for those in self.sets])
        bound = worth - part_of_one * network.parts * self.most
        bound += sum(price * self.supplies.supply[those] for those, price in zip(self.sets, of_sets, strict=True))
        return _Flow(bound, way, slopes)

    def note(self, network: Network, way: Way) -> None:
        """Note what a flow declares, if it obeys enough, can be paid for, and is nearer than all before."""
        worth = self.nothing - apart(way.pairs, self.wanted)
        if self.best is not None and worth <= self.best[0]:
            return
        enough = gained_by(self.limits, way.pairs) >= self.most and self.supplies.suffice(way.pairs)
        if enough and network.splits(way) is None and self.is_legal(frozenset(way.pairs)):
            self.best = worth, way.pairs
