"""What is nearest to a proposal that only obeys too little, where counting shows how many creatures have to change at least.

A creature that changes acts on one thing more at most, so that so many have to change as are lacking where the most is gained by the
fewest. A declaration in which just so many do one thing that they did not do is a nearest one if asp/ judges it to be legal. Objects that
are alike are counted together.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Mapping, Sequence

from lawmage.play.bound import Key, Limits
from lawmage.play.quick import Pair

__all__ = ["counted_nearest"]


def counted_nearest(limits: Limits, wanted: Collection[Pair], most: int, attempt: Sequence[Pair]) -> tuple[Pair, ...] | None:
    """Return a declaration to which none is nearer that is legal, where counting shows that.

    Args:
        limits: what limits declarations that cost nothing; of all pairs that gain something.
        wanted: the declaration that was proposed.
        most: how many requirements are obeyed by every legal declaration that costs nothing.
        attempt: one that may obey so many.

    Returns:
        The pairs; whether they are legal is for asp/ to say. None if it does not show.
    """
    slots = limits.slots
    if not most or not {*slots.values()} <= {1} or not slots.keys() >= {actor for actor, _ in limits.edges}:
        return None
    if not wanted and len(attempt) == most and _gain_of_one(limits) <= 1:
        return tuple(attempt)
    counted = _Counted(limits, wanted)
    fewest = counted.fewest(most)
    if fewest is None:
        return None
    if counted.lacking and (wanted or len(attempt) != fewest):
        joining = counted.joining(fewest)
    else:
        joining = [pair for pair in attempt if pair[0] not in counted.acting]
    return (*wanted, *joining) if len(joining) == fewest else None


def _gain_of_one(limits: Limits) -> float:
    """Return how much is gained by each that does one thing, at most."""
    gain = max(limits.gain_pair.values(), default=0) + max(limits.gain_blocker.values(), default=0)
    kinds = {tuple(gains.items()) for gains in limits.gain_attacker.values()}
    return gain + max([sum([each / max(needed, 1) for needed, each in gains]) for gains in kinds], default=0)


class _Counted:
    """How much is gained by what is proposed, and by each that does something else.

    Attributes:
        lacking: on what how many more have to act for how much to be gained.
    """

    def __init__(self, limits: Limits, wanted: Collection[Pair]) -> None:
        self.limits = limits
        self.speaker = {one: key for key, those in limits.alike.items() for one in those}
        self.acting = {actor for actor, _ in wanted}
        often = Counter([other for _, other in wanted])
        self.gained = sum([limits.gain_pair.get((self.key(actor), self.key(other)), 0) for actor, other in wanted])
        self.gained += sum([limits.gain_blocker.get(self.key(actor), 0) for actor in self.acting])
        self.lacking: list[tuple[Key, int, int]] = []
        self.clear = True
        for key, gains in limits.gain_attacker.items():
            if self.key(key) != key:
                continue
            needs: defaultdict[int, int] = defaultdict(int)
            for needed, gain in gains.items():
                needs[max(needed, limits.threshold.get(key, 1), 1)] += gain
            self.clear = self.clear and len(needs) < 2
            for needed, gain in needs.items():
                for one in limits.members(key):
                    if often[one] >= needed:
                        self.gained += gain
                    else:
                        self.lacking.append((one, needed - often[one], gain))
        # Most is gained by the fewest first.
        self.lacking.sort(key=lambda each: -each[2] / each[1])

    def key(self, one: Key) -> Key:
        """Return the object that speaks for one."""
        return self.speaker.get(one, one)

    def fewest(self, most: int) -> int | None:
        """Return how many have to act on what they did not act on, at least, for so much to be gained; None if that is not counted."""
        if not self.clear:
            return None
        missing = most - self.gained
        by_acting = self._by_acting()
        # A part of those that are lacking gains a part at most.
        parts = math.lcm(*[lacking for _, lacking, _ in self.lacking])
        joining = [gain * parts // lacking for _, lacking, gain in self.lacking for _ in range(lacking)]
        gained = 0
        for number, (acting, joined) in enumerate(itertools.zip_longest(by_acting, joining, fillvalue=0), start=1):
            gained += acting * parts + joined
            if gained >= missing * parts > 0:
                return max(number, self._have_to_join(most), self._one_by_one(missing, parts))
        return None

    def _one_by_one(self, missing: int, parts: int) -> int:
        """Return how many have to act at least for so much to be gained, if each gains the most that one can by acting on one thing."""
        limits = self.limits
        by_object: Counter[Key] = Counter()
        for one, lacking, gain in self.lacking:
            by_object[self.key(one)] = max(by_object[self.key(one)], gain * parts // lacking)
        best: dict[Key, int] = {}
        for pair in limits.edges:
            actor, other = pair
            gain = limits.gain_pair.get(pair, 0) * parts + by_object.get(other, 0)
            if gain > best.get(actor, 0):
                best[actor] = gain
        gains: list[int] = []
        for key in dict.fromkeys([*best, *limits.gain_blocker]):
            members = limits.members(key)
            idle = sum([one not in self.acting for one in members])
            gains += [best.get(key, 0) + limits.gain_blocker.get(key, 0) * parts] * idle + [best.get(key, 0)] * (len(members) - idle)
        gains.sort(reverse=True)
        gained = 0
        for number, gain in enumerate(gains, start=1):
            gained += gain
            if gained >= missing * parts:
                return number
        return 0

    def _have_to_join(self, most: int) -> int:
        """Return how many of those that do nothing have to act, at least: who doesn't obeys nothing, who does acts on one thing only."""
        limits = self.limits
        best = self._best_pairs()
        losing: list[int] = []
        lost = -most
        for key in dict.fromkeys([*best, *limits.gain_blocker]):
            if self.key(key) == key:
                gain = best[key] + limits.gain_blocker.get(key, 0)
                lost += gain * len(limits.members(key))
                losing += [gain] * sum([one not in self.acting for one in limits.members(key)])
        for key, gains in limits.gain_attacker.items():
            if self.key(key) == key:
                lost += sum(gains.values()) * len(limits.members(key))
        losing.sort()
        for number, gain in enumerate(losing):
            lost -= gain
            if lost < 0:
                return len(losing) - number
        return 0

    def _best_pairs(self) -> Mapping[Key, int]:
        """Return what each gains by what it acts on, at most."""
        best: defaultdict[Key, int] = defaultdict(int)
        for (actor, _), gain in self.limits.gain_pair.items():
            best[actor] = max(best[actor], gain)
        return best

    def _by_acting(self) -> list[int]:
        """Return what each gains by acting on something else, at most, the greatest gain first."""
        limits = self.limits
        best = self._best_pairs()
        gains: list[int] = []
        for key in dict.fromkeys([*best, *limits.gain_blocker]):
            if self.key(key) == key:
                idle = sum([one not in self.acting for one in limits.members(key)])
                gains += [best[key] + limits.gain_blocker.get(key, 0)] * idle
                gains += [best[key]] * (len(limits.members(key)) - idle)
        return sorted(filter(None, gains), reverse=True)

    def joining(self, number: int) -> list[Pair]:
        """Return up to so many of those that do nothing, each with that by which it is missed."""
        limits = self.limits
        waiting = {
            key: deque([one for one in limits.members(key) if one not in self.acting]) for key in limits.slots if self.key(key) == key
        }
        able: defaultdict[Key, list[Key]] = defaultdict(list)
        for actor, other in limits.edges:
            if actor in waiting:
                able[other].append(actor)
        pairs: list[Pair] = []
        # Of what is as good, that on which few can act comes first.
        for one, lacking, _ in sorted(self.lacking, key=lambda each: (-each[2] / each[1], len(able[self.key(each[0])]))):
            those = able[self.key(one)]
            if len(pairs) + lacking <= number and sum([len(waiting[key]) for key in those]) >= lacking:
                for key in those:
                    while lacking and waiting[key]:
                        pairs.append((waiting[key].popleft(), one))
                        lacking -= 1
        return pairs
