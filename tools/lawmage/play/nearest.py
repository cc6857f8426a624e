"""The legal declaration that is nearest to one that was proposed, by counting.

The numbers of asp/509-bound.lp and 508-bound.lp, which bound how many requirements can be obeyed (`lawmage.play.bound`), also bound how
near a declaration can be that obeys so many: in the same flow a unit that does what was not proposed costs something. What the flow
declares is judged by asp/. Where it lets some block that are too few to do so, or counts a part of a requirement, both ways out are looked
at: that enough block, and that fewer do. The most promising way comes first, so that the first legal declaration is a nearest one.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from lawmage.play.bound import Key, Limits, limits_from
from lawmage.play.nearest_flow import Network, Range, Way, Weights
from lawmage.play.nearest_paid import PaidSearch, Supplies
from lawmage.play.plain_nearest import apart
from lawmage.play.quick import Judged, Pair, Position

__all__ = ["Paying", "find_nearest", "if_legal"]

#: So many ways out are looked at.
_MOST_WAYS = 200
#: Where no more pairs than this are free and allowed, all declarations may be listed.
_FEW_PAIRS = 6
#: How much of the time flows with prices may take; what they do not settle is left to a search.
_SHARE = 0.6
#: So many pairs that are wrong are left out one by one.
_MOST_LEFT_OUT = 20


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
        return None if paying is None else _Search(position, numbers, wanted, most, deadline, paying()).by_prices()
    # Where something is required, what shows at once was judged along with the proposal.
    for lacking_one in (False, True) if most else (True, False):
        found = _without_one(position, wanted, most) if lacking_one else if_legal(position, at_once(), most)
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
        supplies: what there is to pay with, and what is taken of it.
    """

    position: Position
    told: Callable[[Collection[Pair]], Judged | None]
    supplies: Supplies


def if_legal(position: Position, pairs: tuple[Pair, ...] | None, most: int) -> tuple[Pair, ...] | None:
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
        return limits._replace(edges=self.position.not_dearer(limits.edges, self.wanted))

    @property
    def limits(self) -> Limits:
        """The numbers, with all pairs by which anything is gained."""
        return self.position.limits if self.position.helped and self.paying is None else self.all_limits

    def told(self, pairs: Collection[Pair]) -> Judged | None:
        """Return what is said of a declaration."""
        return self.position.told([pairs])[0] if self.paying is None else self.paying.told(pairs)

    def network(self, weights: Weights | None = None) -> Network:
        """Return the flow in which things count so."""
        return Network(self.limits, self.wanted, lambda: self.all_limits.edges, self.deadline, weights)

    def by_flow(self) -> tuple[Pair, ...] | None:
        """Return the nearest declaration, if counting finds and proves it."""
        network = self.network()
        order = count(0, -1)
        ways: list[tuple[int, int, Way]] = []

        def look_at(ranges: Mapping[Key, Range]) -> None:
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
                legal = self.is_legal(way.pairs)
                return way.pairs if legal and way.worth == network.worth_of(self.most, apart(way.pairs, self.wanted)) else None
            other, number = split
            low, high = way.ranges.get(other, (0, network.many))
            look_at({**way.ranges, other: (number, high)})
            look_at({**way.ranges, other: (low, 0 if number <= network.limits.threshold.get(other, 1) else number - 1)})
        return None

    def by_prices(self) -> tuple[Pair, ...] | None:
        """Return the nearest declaration, if flows with prices find and prove it."""
        assert self.paying is not None
        now = time.monotonic()
        deadline = now + (self.deadline - now) * _SHARE
        return PaidSearch(self.network, self.paying.supplies, self.wanted, self.most, self.is_legal, deadline).nearest()

    def is_legal(self, pairs: Collection[Pair]) -> bool:
        """Tell whether a declaration is legal if what it costs is paid."""
        judged = self.told(pairs)
        return judged is not None and not judged.violated and len(judged.obeyed) >= self.most

    def by_listing(self) -> tuple[Pair, ...] | None:
        """Return the nearest of all legal declarations, where they are few."""
        if len(self.all_limits.edges) > _FEW_PAIRS:
            return None
        slots = self.all_limits.slots
        told = self.position.all_told(self.all_limits.edges)
        legal = [each.pairs for each in told if not each.violated and len(each.obeyed) >= self.most]
        able = [pairs for pairs in legal if all(slots.get(b, number) >= number for b, number in Counter(b for b, _ in pairs).items())]
        return min(able, key=lambda pairs: apart(pairs, self.wanted), default=None)
