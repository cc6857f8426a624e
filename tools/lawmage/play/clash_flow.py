"""Whether certain restrictions and requirements can hold together, as far as counting tells: a flow with lower bounds.

The numbers come from asp/509-clash-bound.lp and 508-clash-bound.lp, each with the restriction or requirement that states it. A declaration
that keeps and obeys some of them is a flow: each creature that has to act sends a unit, to what it may act on; what has to be acted on
by so many takes as many. If there is no such flow, a cut shows why: what limits the flow across it cannot hold together. If there is
one, it is a declaration that may do, which nobody has checked: what the numbers leave out may forbid it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle, islice, pairwise
from typing import Any, TypeAlias

from lawmage.play.clash_parts import Pair, Part, cover

__all__ = ["Numbers", "can_hold"]

_Node: TypeAlias = tuple[str, Any]

#: Where all flow comes from and ends.
_HUB: _Node = ("hub", None)
#: What may act only so often in all passes through here first.
_USING: _Node = ("using", None)
#: What nobody asks anything about and that any number may act on, taken together.
_ELSEWHERE: _Node = ("elsewhere", None)
_MANY = 1 << 30
#: So many ways to show that parts cannot hold together are compared, until one has so few parts.
_CUTS, _FEW = 12, 3


@dataclass(frozen=True)
class Numbers:
    """The rows of asp/509-clash-bound.lp by predicate, as dictionaries; see there. An actor acts on an object."""

    bars: Mapping[Any, Mapping[Any, Sequence[Part]]]
    stops: Mapping[Any, Sequence[Part]]
    slots: Mapping[Any, Sequence[tuple[Part, int]]]
    seats: Mapping[Any, Sequence[tuple[Part, int]]]
    threshold: Mapping[Any, Sequence[tuple[Part, int]]]
    total: Sequence[tuple[Part, int]]
    company: Mapping[Any, Sequence[tuple[Part, int]]]
    asks_actor: Mapping[Any, Sequence[Part]]
    asks_pair: Mapping[Any, Mapping[Part, frozenset[Any]]]
    asks_object: Mapping[Any, Sequence[tuple[Part, int]]]
    counts_for: Mapping[Part, frozenset[Any]]
    alone: Mapping[Any, Sequence[Part]] = field(default_factory=dict)
    never: frozenset[Part] = frozenset()
    actors: Sequence[Any] = field(default=())
    objects: Sequence[Any] = field(default=())

    @classmethod
    def of(cls, rows: Mapping[str, Iterable[Any]]) -> Numbers:
        """Return the numbers that the arguments of the program's atoms state, by predicate."""

        def by_key(name: str) -> dict[Any, list[tuple[Part, int]]]:
            found: defaultdict[Any, list[tuple[Part, int]]] = defaultdict(list)
            for part, key, number in rows.get(name, ()):
                found[key].append((part, number))
            return found

        bars: defaultdict[Any, defaultdict[Any, list[Part]]] = defaultdict(lambda: defaultdict(list))
        for part, actor, other in rows.get("bars", ()):
            bars[actor][other].append(part)
        stops: defaultdict[Any, list[Part]] = defaultdict(list)
        for part, actor in rows.get("stops", ()):
            stops[actor].append(part)
        actors = tuple(rows.get("actor", ()))
        company = by_key("company")
        for actor, limits in company.items():
            # There may not be that many.
            stops[actor] += [part for part, number in limits if number > len(actors)]
        threshold = by_key("threshold")
        crew = len(tuple(rows.get("crew", ())))
        for part, other in rows.get("all_of", ()):
            threshold.setdefault(other, []).append((part, crew))
        alone: defaultdict[Any, list[Part]] = defaultdict(list)
        for part, actor in rows.get("alone", ()):
            alone[actor].append(part)
        asks_actor: defaultdict[Any, list[Part]] = defaultdict(list)
        for part, actor in rows.get("asks_blocker", ()):
            asks_actor[actor].append(part)
        asks_pair: defaultdict[Any, defaultdict[Part, set[Any]]] = defaultdict(lambda: defaultdict(set))
        for part, actor, other in rows.get("asks_pair", ()):
            asks_pair[actor][part].add(other)
        counts_for: defaultdict[Part, set[Any]] = defaultdict(set)
        for part, actor in rows.get("counts_for", ()):
            counts_for[part].add(actor)
        return cls(
            bars,
            stops,
            by_key("slots"),
            by_key("seats"),
            threshold,
            list(rows.get("total", ())),
            company,
            asks_actor,
            {actor: {part: frozenset(others) for part, others in asked.items()} for actor, asked in asks_pair.items()},
            by_key("asks_attacker"),
            {part: frozenset(those) for part, those in counts_for.items()},
            alone,
            frozenset(rows.get("never", ())),
            actors,
            tuple(rows.get("acted_on", ())),
        )

    def only(self, parts: Collection[Part]) -> Numbers:
        """Return what `parts` say."""

        def limits(of: Mapping[Any, Sequence[tuple[Part, int]]]) -> dict[Any, list[tuple[Part, int]]]:
            kept = {key: [each for each in those if each[0] in parts] for key, those in of.items()}
            return {key: those for key, those in kept.items() if those}

        asks_pair = {actor: {part: others for part, others in asked.items() if part in parts} for actor, asked in self.asks_pair.items()}
        return replace(
            self,
            slots=limits(self.slots),
            seats=limits(self.seats),
            threshold=limits(self.threshold),
            company=limits(self.company),
            asks_actor={actor: asked for actor, those in self.asks_actor.items() if (asked := [part for part in those if part in parts])},
            asks_pair={actor: asked for actor, asked in asks_pair.items() if asked},
            asks_object=limits(self.asks_object),
        )

    @cached_property
    def requirements(self) -> frozenset[Part]:
        """All that is required."""
        asked = (part for those in self.asks_actor.values() for part in those)
        of_pairs = (part for those in self.asks_pair.values() for part in those)
        of_objects = (part for those in self.asks_object.values() for part, _ in those)
        return frozenset([*asked, *of_pairs, *of_objects])

    @cached_property
    def parts(self) -> frozenset[Part]:
        """All requirements, and the restrictions that are in the numbers."""
        barring = [part for barred in self.bars.values() for those in barred.values() for part in those]
        barring += [part for those in self.stops.values() for part in those]
        limits = (self.slots, self.seats, self.threshold, self.company)
        barring += [part for those in self.alone.values() for part in those]
        counting = (part for limit in limits for those in limit.values() for part, _ in those)
        return self.requirements.union(barring, counting, (part for part, _ in self.total))

    @cached_property
    def places(self) -> Mapping[Part, tuple[tuple[str, int], Any, Any]]:
        """What each part is about where that is one actor, one object or both: in which way, and these."""
        found: defaultdict[Part, set[tuple[tuple[str, int], Any, Any]]] = defaultdict(set)
        for actor, asked in self.asks_actor.items():
            for part in asked:
                found[part].add((("asks actor", 1), actor, None))
        for actor, of_pairs in self.asks_pair.items():
            for part, others in of_pairs.items():
                found[part] |= {(("asks pair", 1), actor, other) for other in others}
        for name, limits in (("asks object", self.asks_object), ("seats", self.seats), ("threshold", self.threshold)):
            for other, those in limits.items():
                for part, number in those:
                    found[part].add(((name, number), None, other))
        return {part: next(iter(those)) for part, those in found.items() if len(those) == 1}

    def allowed(self, kept: frozenset[Part], actor: Any, other: Any) -> bool:
        """Tell whether none of the restrictions `kept` keeps an actor from acting at all, or on an object."""
        barring = self.bars[actor].get(other) if actor in self.bars else None
        return (barring is None or kept.isdisjoint(barring)) and kept.isdisjoint(self.stops.get(actor, ()))

    def broken(self, pairs: Collection[Pair]) -> Iterator[Part]:
        """Yield the restrictions that a declaration breaks of those that can be seen actor by actor."""
        for actor, number in Counter(actor for actor, _ in pairs).items():
            yield from (part for part, most in self.slots.get(actor, ()) if number > most)
            yield from self.stops.get(actor, ())
        for pair in pairs:
            yield from self.bars.get(pair[0], {}).get(pair[1], ())


def can_hold(numbers: Numbers, kept: Collection[Part]) -> tuple[frozenset[Part], tuple[Pair, ...]]:
    """Return parts of `kept` that cannot hold together, or none of them and a declaration in which all that is kept may hold."""
    network = _Network(numbers, kept)
    cut = network.contradiction or network.balance()
    return (frozenset(cut), ()) if cut else (frozenset(), tuple(network.pairs()))


class _Network:
    """The flow for some of the restrictions and requirements.

    Actors that nothing tells apart, and of which nothing is asked, are one node; the first speaks for all.
    """

    def __init__(self, numbers: Numbers, kept: Collection[Part]) -> None:
        self.numbers = numbers
        self.kept = kept if isinstance(kept, (set, frozenset)) else set(kept)
        #: How much more can flow from one node to another.
        self.room: defaultdict[_Node, dict[_Node, int]] = defaultdict(dict)
        self.excess: defaultdict[_Node, int] = defaultdict(int)
        #: What flows at least, and the parts that ask for it; the parts that allow no more.
        self.least: dict[tuple[_Node, _Node], tuple[int, tuple[Part, ...]]] = {}
        self.most: dict[tuple[_Node, _Node], tuple[Part, ...]] = {}
        self.contradiction: list[Part] = [part for part in numbers.never if part in self.kept][:1]
        #: For the first of each group of actors: all of them; the objects of which each is acted on, where one is all it may act on;
        #: the requirements that say so.
        self.members: dict[Any, list[Any]] = {}
        self.may: dict[Any, frozenset[Any]] = {}
        #: Those of them that may act on something so.
        self.able: set[Any] = set()
        self.because: dict[Any, list[tuple[Part, frozenset[Any]]]] = {}
        #: For an actor, something that nobody asks about; for an object, the actors of which some are asked for.
        self.elsewhere: dict[Any, Any] = {}
        self.chosen: dict[Any, frozenset[Any]] = {}
        self._objects()
        self._actors()

    # ------------------------------------------------------------ arcs

    def _arc(self, start: _Node, end: _Node, least: int, most: int, asking: Sequence[Part] = (), limiting: Sequence[Part] = ()) -> None:
        """Add an arc that carries `least` from the start; the bounds rest on the parts named."""
        if least > most:
            self.contradiction = self.contradiction or [*asking, *limiting]
            return
        self.room[start][end] = most - least
        self.room[end].setdefault(start, 0)
        if least:
            self.least[start, end] = least, tuple(asking)
            self.excess[start] -= least
            self.excess[end] += least
        if limiting:
            self.most[start, end] = tuple(limiting)

    def _kept(self, limits: Iterable[tuple[Part, int]]) -> list[tuple[int, Part]]:
        return [(number, part) for part, number in limits if part in self.kept]

    def _threshold(self, other: Any) -> tuple[int, Part]:
        limits = self.numbers.threshold.get(other)
        return max(self._kept(limits), key=_number, default=(1, None)) if limits else (1, None)

    def _objects(self) -> None:
        """Add what each object takes: at least what is asked for, at most what its restrictions allow."""
        numbers = self.numbers
        asked_of = [(part, others) for asked in numbers.asks_pair.values() for part, others in asked.items() if part in self.kept]
        only = {other: part for part, others in asked_of if len(others) == 1 for other in others}
        #: The objects of which something is asked.
        self.wanted: dict[Any, None] = dict.fromkeys(other for _, others in asked_of for other in others)
        self.limited: set[Any] = set()
        #: Whether something has to be acted on, by whomever; whether more have to act than are asked to.
        self.lacking = self.crowd = False
        for other in numbers.objects:
            asked = self._kept(numbers.asks_object.get(other, ()))
            seats = self._kept(numbers.seats.get(other, ()))
            if asked:
                self.wanted[other] = None
            elif not seats and other not in self.wanted:
                continue
            room, limiting = min(seats, key=_number, default=(_MANY, None))
            node = ("object", other)
            least: int = 0
            asking: tuple[Part, ...] = ()
            if asked or other in only:
                part = only.get(other)
                if asked:
                    least, part = max(asked, key=lambda each: (each[0], each[1] not in numbers.counts_for))
                    asking = (part,)
                number, threshold = self._threshold(other)
                if number > max(least, 1):
                    least, asking = number, (part, threshold)
                picky = [(number, part) for number, part in asked if part in numbers.counts_for]
                if picky:
                    number, part = max(picky, key=_number)
                    self.chosen[other] = numbers.counts_for[part]
                    self._arc(("chosen", other), node, number, _MANY, (part,))
            if seats:
                self.limited.add(other)
            self.lacking = self.lacking or least > 0
            self._arc(node, _HUB, least, room, asking, () if limiting is None else (limiting,))

    def _actors(self) -> None:
        numbers, kept = self.numbers, self.kept
        asked: dict[Any, tuple[list[Part], list[tuple[Part, frozenset[Any]]]]] = {}
        for actor in numbers.actors:
            sets = [(part, others) for part, others in numbers.asks_pair.get(actor, {}).items() if part in kept]
            asking = [part for part in numbers.asks_actor.get(actor, ()) if part in kept] + [part for part, _ in sets]
            if asking:
                asked[actor] = asking, sets
        first = self._together({actor: asking for actor, (asking, _) in asked.items()})
        groups: dict[Any, Any] = {}
        for actor in numbers.actors:
            if actor not in asked and not self.lacking:
                continue
            number, limiting = min(self._kept(numbers.slots.get(actor, ())), key=_number, default=(_MANY, None))
            if actor in asked:
                asking, sets = asked[actor]
                self.members[actor] = [actor]
                self._asked(actor, asking, sets, number, limiting, first)
            else:
                barred = frozenset(other for other, those in numbers.bars.get(actor, {}).items() if not kept.isdisjoint(those))
                chosen = frozenset(other for other, those in self.chosen.items() if actor in those)
                unlike = bool(self._kept(numbers.company.get(actor, ()))) or not kept.isdisjoint(numbers.alone.get(actor, ()))
                found = groups.setdefault((number, self._stopped(actor), barred, chosen, unlike), actor)
                self.members.setdefault(found, []).append(actor)
        for actor in groups.values():
            number, limiting = min(self._kept(numbers.slots.get(actor, ())), key=_number, default=(_MANY, None))
            self._uses(actor, first, number, limiting)
            if self._stopped(actor):
                continue
            for other in self.wanted:
                if self._allowed(actor, other):
                    self._arc(("actor", actor), self._end(actor, other), 0, len(self.members[actor]))
            if self.crowd:
                self._may_act_elsewhere(actor)

    def _together(self, asked: Mapping[Any, Sequence[Part]]) -> _Node:
        """Add how many may and have to act in all, where anything says so; return the node that they come from."""
        numbers = self.numbers
        limits: list[tuple[int, tuple[Part, ...]]] = [(number, (part,)) for number, part in self._kept(numbers.total)]
        needs: list[tuple[int, tuple[Part, ...]]] = []
        for actor, asking in asked.items():
            limits += [(1, (part, asking[0])) for part in numbers.alone.get(actor, ()) if part in self.kept]
            needs += [(number, (asking[0], part)) for number, part in self._kept(numbers.company.get(actor, ()))]
        if not limits and not needs:
            return _HUB
        most, limiting = min(limits, key=_number, default=(_MANY, ()))
        least, needing = max(needs, key=_number, default=(0, ()))
        if len(asked) > most:
            # So many cannot act; among them those because of whom it is so few.
            acting = sorted(asked.values(), key=lambda asking: asking[0] not in limiting)[: most + 1]
            self.contradiction = self.contradiction or [*limiting, *(asking[0] for asking in acting)]
        self.crowd = least > len(asked)
        self.lacking = self.lacking or self.crowd
        self._arc(_HUB, _USING, least, most, needing, limiting)
        return _USING

    def _asked(self, actor: Any, asking: Sequence[Part], sets: Sequence[tuple[Part, frozenset[Any]]], number: int, limiting: Part,
               first: _Node) -> None:  # fmt: skip
        """Add an actor of which something is asked."""
        node = ("actor", actor)
        self._uses(actor, first, number, limiting, asking[:1])
        # Of several units each goes somewhere; which one meets what is asked is not told apart, but where only one object would do.
        self.because[actor] = list(sets) if number == 1 else [each for each in sets if len(each[1]) == 1]
        forced = {} if number == 1 else {other: part for part, others in self.because[actor] for other in others}
        if number == 1 and sets:
            self.may[actor] = frozenset.intersection(*(others for _, others in sets))
        if self._stopped(actor):
            return
        for other in self.may.get(actor, self.wanted):
            if self._allowed(actor, other):
                if ("object", other) not in self.room:
                    self._arc(("object", other), _HUB, 0, _MANY)
                self.able.add(actor)
                part = forced.pop(other, None)
                self._arc(node, self._end(actor, other), part is not None, 1, () if part is None else (part,))
        for other, part in forced.items():
            self.contradiction = self.contradiction or [part, next(self._barring(actor, other))]
        if actor in self.may:
            return
        self._may_act_elsewhere(actor)

    def _may_act_elsewhere(self, actor: Any) -> None:
        """Add that a group of actors may act on what nobody asks about."""
        node = ("actor", actor)
        rest = [other for other in self.numbers.objects if other not in self.wanted and self._allowed(actor, other)]
        free = [other for other in rest if other not in self.limited]
        if free:
            self.elsewhere[actor] = min(free, key=lambda other: self._threshold(other)[0])
            self._arc(node, _ELSEWHERE, 0, _MANY)
            self._arc(_ELSEWHERE, _HUB, 0, _MANY)
        for other in rest:
            if other in self.limited:
                self._arc(node, ("object", other), 0, len(self.members[actor]))

    def _uses(self, actor: Any, first: _Node, number: int, limiting: Part, asking: Sequence[Part] = ()) -> None:
        """Add how often the actors of a group act: each at least once if it is asked, and at most `number` times."""
        node, size = ("actor", actor), len(self.members[actor])
        limits = () if limiting is None else (limiting,)
        if first == _HUB:
            self._arc(_HUB, node, len(asking), size * number, asking, limits)
        else:
            self._arc(first, node, len(asking), size, asking)
            self._arc(_HUB, node, 0, size * (number - 1), (), limits)

    def _end(self, actor: Any, other: Any) -> _Node:
        return ("chosen" if other in self.chosen and actor in self.chosen[other] else "object", other)

    def _stopped(self, actor: Any) -> bool:
        return not self.kept.isdisjoint(self.numbers.stops.get(actor, ()))

    def _allowed(self, actor: Any, other: Any) -> bool:
        barring = self.numbers.bars.get(actor, {}).get(other)
        return barring is None or self.kept.isdisjoint(barring)

    # ------------------------------------------------------------ balancing

    def balance(self) -> list[Part]:
        """Send what is too much to where it is missing; return the parts of a cut where that is impossible, of few if there are several."""
        cuts: list[list[Part]] = []
        # What a creature cannot do at all shows the smallest clashes, so that is looked at first.
        stuck = [("actor", actor) for actor in self.may if actor not in self.able]
        for backwards, nodes in ((False, stuck), (True, None), (False, None)):
            several = self.excess if nodes is None else nodes
            for node in [node for node in several if (self.excess[node] < 0 if backwards else self.excess[node] > 0) and node != _HUB]:
                while self.excess[node]:
                    path, reached = self._search(node, backwards=backwards)
                    if path is None:
                        cuts.append(list(self._cut(reached, inside=not backwards)))
                        if len(cuts) == _CUTS or len(cuts[-1]) <= _FEW:
                            return min(cuts, key=len)
                        # Without what is missing here the rest may be impossible, too.
                        self.excess[node] = 0
                        break
                    self._send(path[::-1] if backwards else path)
        return min(cuts, key=len, default=[])

    def _search(self, start: _Node, *, backwards: bool) -> tuple[list[_Node] | None, Collection[_Node]]:
        """Return a way from `start` to what can take its excess (or, backwards, has what it lacks), or none and all that was reached."""
        came: dict[_Node, _Node] = {start: start}
        waiting = [start]
        room, excess = self.room, self.excess
        while waiting:
            node = waiting.pop()
            for other, left in room[node].items():
                if other in came or (room[other][node] if backwards else left) <= 0:
                    continue
                came[other] = node
                if other == _HUB or (excess[other] > 0 if backwards else excess[other] < 0):
                    path = [other]
                    while path[-1] != start:
                        path.append(came[path[-1]])
                    return path[::-1], came
                waiting.append(other)
        return None, came

    def _send(self, path: Sequence[_Node]) -> None:
        for start, end in pairwise(path):
            self.room[start][end] -= 1
            self.room[end][start] += 1
        self.excess[path[0]] -= 1
        self.excess[path[-1]] += 1

    def _cut(self, reached: Collection[_Node], *, inside: bool) -> Iterator[Part]:
        """Yield the parts because of which nothing more can flow out of `reached`, or into it if the excess is not `inside`."""
        found: dict[Part, None] = {}
        for node in reached:
            for other in self.room[node]:
                if other not in reached:
                    out, back = ((node, other), (other, node)) if inside else ((other, node), (node, other))
                    found.update(dict.fromkeys(self.most.get(out, ())))
                    found.update(dict.fromkeys(self.least.get(back, (0, ()))[1]))
        missing: list[tuple[Part, ...]] = []
        ends = self.numbers.objects if inside else [key for side, key in reached if side in ("object", "chosen")]
        for first, members in self.members.items():
            if (("actor", first) in reached) == inside:
                alone = inside and len(reached) == 1 and len(self.because[first]) == 1
                if first in self.may and not alone:
                    # That all it does has to fit what each asks rests on its doing one thing, unless one asks what it can't do at all.
                    found.update(dict.fromkeys(part for start in (_HUB, _USING) for part in self.most.get((start, ("actor", first)), ())))
                beyond = [other for other in ends if (self._end(first, other) in reached) != inside]
                missing += [barring for actor in members for other in beyond if (barring := tuple(self._barring(actor, other)))]
        yield from cover(missing, found)

    def _barring(self, actor: Any, other: Any) -> Iterator[Part]:
        """Yield the parts, any of which is a reason for an actor not to act on `other`."""
        there = (*self.numbers.stops.get(actor, ()), *self.numbers.bars.get(actor, {}).get(other, ()))
        yield from (part for part in there if part in self.kept)
        if actor in self.may:
            yield from (part for part, others in self.because[actor] if other not in others)

    # ------------------------------------------------------------ the declaration

    def pairs(self) -> Iterator[Pair]:
        """Yield what the flow declares, with others that join where more are needed for any to act."""
        acting: defaultdict[Any, list[Any]] = defaultdict(list)
        used: set[Any] = set()
        for first, members in self.members.items():
            node = ("actor", first)
            turns = cycle(members)
            for end in self.room[node]:
                if end[0] in ("object", "chosen", "elsewhere"):
                    carried = self.room[end][node] + self.least.get((node, end), (0, ()))[0]
                    those = list(islice(turns, min(carried, len(members))))
                    acting[self.elsewhere[first] if end == _ELSEWHERE else end[1]] += those
                    used.update(those)
        for other, those in acting.items():
            lacking = self._threshold(other)[0] - len(those) if those else 0
            if lacking > 0:
                idle = [one for one in self.numbers.actors if one not in used and not self._stopped(one) and self._allowed(one, other)]
                those += idle[:lacking]
                used.update(idle[:lacking])
        yield from ((actor, other) for other, those in acting.items() for actor in those)


def _number(limit: tuple[int, Part]) -> int:
    return limit[0]
