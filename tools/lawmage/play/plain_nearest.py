"""What is nearest to a proposal where that shows at once: each creature does what is best for it, and few change for what else is required.

No flow is needed then. How near a legal declaration can be at most is counted as in `lawmage.play.nearest`, from the same numbers: a
declaration that is just as near, and that asp/ judges to be legal, is a nearest one. It is named beforehand, to be judged along with
what was proposed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from lawmage.play.bound import Key, Limits
from lawmage.play.quick import Pair

__all__ = ["ACTOR", "apart", "gained_by", "nearest_at_once"]

#: What an actor that does something else costs; one pair costs 1.
ACTOR = 1 << 20
#: What a requirement is worth: more than all that can differ.
_OBEYED = 1 << 60
#: More actors than this are left to a flow, which puts together those that are alike.
_MOST_ACTORS = 100


def apart(one: Iterable[Pair], other: Iterable[Pair]) -> int:
    """Return how far apart two declarations are: by how many creatures, then by how many pairs."""
    differing = set(one) ^ set(other)
    return len({actor for actor, _ in differing}) * ACTOR + len(differing)


def gained_by(limits: Limits, pairs: Collection[Pair]) -> int:
    """Return how many requirements a declaration obeys as far as the numbers tell."""
    gained = 0
    often: defaultdict[Key, int] = defaultdict(int)
    for actor, other in pairs:
        often[other] += 1
        gained += limits.gain_pair.get((actor, other), 0)
    if limits.gain_blocker:
        gained += sum([limits.gain_blocker.get(actor, 0) for actor in {actor for actor, _ in pairs}])
    for other, gains in limits.gain_attacker.items():
        if other in often:
            gained += sum([gain for needed, gain in gains.items() if needed <= often[other]])
    return gained


def nearest_at_once(limits: Limits, wanted: Collection[Pair], most: int) -> tuple[Pair, ...] | None:
    """Return a declaration to which none is nearer that is legal, where that shows at once.

    Args:
        limits: what limits declarations that cost nothing; of all pairs that gain something and of those proposed.
        wanted: the declaration that was proposed.
        most: how many requirements are obeyed by every legal declaration that costs nothing.

    Returns:
        The pairs; whether they are legal is for asp/ to say. None if it does not show.
    """
    slots, gain_pair, gain_blocker, gain_attacker = limits.slots, limits.gain_pair, limits.gain_blocker, limits.gain_attacker
    if limits.alike or len(slots) > _MOST_ACTORS:
        return None
    asked: defaultdict[Key, set[Key]] = defaultdict(set)
    for actor, other in wanted:
        asked[actor].add(other)
    proposed = frozenset(wanted)
    # What each actor may do, and what that is worth beside doing nothing.
    options: defaultdict[Key, dict[Key, int]] = defaultdict(dict)
    for pair in limits.edges:
        actor, other = pair
        gain = gain_pair.get(pair, 0)
        if actor in gain_blocker:
            gain += gain_blocker[actor]
        if pair in proposed:
            worth = 1 + ACTOR if len(asked[actor]) == 1 else 1
        elif gain or other in gain_attacker:
            worth = -1 if actor in asked else -1 - ACTOR
        else:
            continue
        options[actor][other] = worth + _OBEYED * gain if gain else worth
    if not slots.items() >= {(actor, 1) for actor in options}:
        return None
    return _Choosing(limits, options, asked).nearest(wanted, most)


class _Choosing:
    """What each actor does, each by itself at first; and by how much the best of all declarations can be worth more, at most."""

    def __init__(self, limits: Limits, options: Mapping[Key, Mapping[Key, int]], asked: Mapping[Key, Collection[Key]]) -> None:
        self.limits = limits
        self.options = options
        self.asked = asked
        threshold = limits.threshold
        self.chosen: dict[Key, Key] = {}
        self.best: dict[Key, int] = dict.fromkeys(options, 0)
        for actor, there in options.items():
            if len(there) == 1:
                (other,) = there
            elif threshold:
                other = max(there, key=lambda each: (there[each], -threshold.get(each, 1)))
            else:
                other = max(there, key=there.__getitem__)
            if there[other] > 0:
                self.chosen[actor], self.best[actor] = other, there[other]
        self.worth = sum(self.best.values())

    def nearest(self, wanted: Collection[Pair], most: int) -> tuple[Pair, ...] | None:
        """Return what they do, if none that obeys so many requirements can be nearer."""
        nothing = len(set(wanted)) + ACTOR * len(self.asked)
        into = self._into()
        lost = 0
        for other, gains in self.limits.gain_attacker.items():
            if len(gains) > 1:
                return None
            for needed, gain in gains.items():
                least = max(needed, self.limits.threshold.get(other, 1))
                if least <= self.limits.seats.get(other, least):
                    lost += self._gather(other, least - len(into.get(other, ())), gain)
        lost = max(lost, self._left_alone())
        pairs = tuple(self.chosen.items())
        return pairs if nothing - (self.worth - lost - _OBEYED * most) == apart(pairs, wanted) else None

    def _into(self) -> dict[Key, list[Key]]:
        found: defaultdict[Key, list[Key]] = defaultdict(list)
        for actor, other in self.chosen.items():
            found[other].append(actor)
        return found

    def _gather(self, other: Key, lacking: int, gain: int) -> int:
        """Let more act on something that gains by it; return what they lose, that is no less in any other way."""
        if lacking > 0:
            losses = [(self.best[actor] - there[other], self.chosen.get(actor) in self.limits.gain_attacker, actor)
                      for actor, there in self.options.items() if other in there and self.chosen.get(actor) != other]  # fmt: skip
            losses.sort(key=_loss)
            lost = sum([each[0] for each in losses[:lacking]])
            if len(losses) < lacking or lost >= _OBEYED * gain:
                return 0
            for _, _, actor in losses[:lacking]:
                self.chosen[actor] = other
            self.worth += _OBEYED * gain
            return lost
        self.worth += _OBEYED * gain
        return 0

    def _left_alone(self) -> int:
        """Let those do something else that are too few where they are; return what is lost at least as some are."""
        least = 0
        threshold = self.limits.threshold
        for other, actors in self._into().items() if threshold else ():
            lacking = threshold.get(other, 1) - len(actors)
            if lacking <= 0:
                continue
            leaving = 0
            for actor in actors:
                there = self.options[actor]
                worth = max([worth for at, worth in there.items() if at != other], default=0)
                if worth > 0:
                    self.chosen[actor] = next(at for at, each in there.items() if each == worth and at != other)
                else:
                    del self.chosen[actor]
                leaving += self.best[actor] - max(worth, 0)
            least = max(least, min(leaving, self._joining(other, lacking, actors)))
        return least

    def _joining(self, other: Key, lacking: int, actors: Collection[Key]) -> int:
        """Return what is lost at least if so many join `actors`, as though everybody could act on that."""
        losses = []
        for actor in self.limits.slots:
            if actor not in actors:
                elsewhere = -1 if actor in self.asked else -1 - ACTOR
                losses.append(self.best.get(actor, 0) - self.options.get(actor, {}).get(other, elsewhere))
        return sum(sorted(losses)[:lacking]) if len(losses) >= lacking else _OBEYED * _OBEYED


def _loss(each: tuple[int, bool, Key]) -> tuple[int, bool]:
    return each[0], each[1]
