"""Clashes of a shortage, found by counting: so many have to be acted on, or have to act, that those who can or may are too few.

That is Hall's condition: where n attackers have to be blocked and only n - 1 creatures can block them, no block obeys all of it, and each
of these requirements is needed for that. The numbers are those of asp/509-clash-bound.lp and 508-clash-bound.lp. Objects that are alike
are counted together, and what is shown of a requirement on one of them holds of those on the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from lawmage.play.clash_parts import Found, Pair, Part, alike_parts, cover, replaced

__all__ = ["Shortages"]

_MANY = 1 << 30


class _Wanted(NamedTuple):
    """Something that `needed` actors have to act on.

    Attributes:
        member, speaker: its integer, and that of the object which speaks for it.
        part: what asks for it.
        least: how many have to act on it without `threshold`, the restriction by which it takes more.
    """

    member: Any
    speaker: Any
    part: Part
    least: int
    needed: int
    threshold: Part | None


class Shortages:
    """What is short on a board.

    Args:
        speaking: returns what is stated of those that speak for all, by predicate and number of places.
        members: of the first that speaks for several, all of them.
        kinds: returns the kind of each of some objects that has others like it.
        attempt: a declaration that is judged in any case, if anything is: what it shows needs no other.
    """

    def __init__(
        self,
        speaking: Callable[[str, int], Any],
        members: Mapping[Any, Sequence[Any]],
        kinds: Callable[[Collection[Any]], Mapping[Any, Any]],
        attempt: Sequence[Pair],
    ) -> None:
        self._speaking = speaking
        self._members = members
        self._kinds = kinds
        self._attempt = attempt
        self._silent = {one for those in members.values() for one in those} - set(members)

    def found(self) -> Found | None:
        """Return a clash of a shortage, if there is one: that nothing could be left out is not settled."""
        return self._too_few() or self._too_many()

    def everyone(self, speaker: Any) -> Sequence[Any]:
        """Return those that an object speaks for."""
        return self._members.get(speaker) or (speaker,)

    def _speakers(self, objects: Iterable[Any]) -> list[Any]:
        return [each for each in objects if each not in self._silent] if self._silent else list(objects)

    @cached_property
    def _stops(self) -> Any:
        return self._speaking("stops", 2).index((1,))

    @cached_property
    def total(self) -> tuple[int, Part]:
        """How many may act in all, and what says so."""
        return min([(number, part) for part, number in self._speaking("total", 2).rows], key=_number, default=(_MANY, None))

    @cached_property
    def slots(self) -> Mapping[Any, tuple[int, Part]]:
        """On how many things each actor can act, and what says so."""
        found: dict[Any, tuple[int, Part]] = {}
        for part, actor, number in self._speaking("slots", 3).rows:
            if actor not in found or number < found[actor][0]:
                found[actor] = number, part
        return found

    @cached_property
    def _thresholds(self) -> Mapping[Any, tuple[int, Part]]:
        """How many have to act on something if any do, and what says so."""
        found: dict[Any, tuple[int, Part]] = {}
        for part, other, number in self._speaking("threshold", 3).rows:
            if other not in found or number > found[other][0]:
                found[other] = number, part
        return found

    @cached_property
    def barring(self) -> Mapping[Any, Mapping[Any, list[Part]]]:
        """The restrictions because of which an actor can't act on something, by the latter."""
        found: defaultdict[Any, defaultdict[Any, list[Part]]] = defaultdict(lambda: defaultdict(list))
        for part, actor, other in self._speaking("bars", 3).rows:
            if actor not in self._silent and other not in self._silent:
                found[other][actor].append(part)
        return found

    # ------------------------------------------------------------ too few can act on what has to be acted on

    def _too_few(self) -> Found | None:
        """Return requirements on things on which only so many can act, what keeps these from more, and others from it."""
        asked = self._asked_of_objects()
        if not asked:
            return None
        actors = self._speakers(self._speaking("actor", 1).rows)
        standing = frozenset([actor for actor in actors if actor not in self._stops])
        by_able: defaultdict[frozenset[Any], list[Any]] = defaultdict(list)
        barring = self.barring
        for other in asked:
            by_able[standing.difference(barring[other]) if other in barring else standing].append(other)
        for able in sorted(by_able, key=len):
            capacity, limits = self._capacity(able)
            pressing = [other for those, others in by_able.items() if those <= able for other in others]
            if not self._thresholds and not self._members:
                wanted = [_Wanted(other, other, part, least, least, None) for other in pressing for least, part in [asked[other]]]
            else:
                wanted = [each for other in pressing for each in self._wanted(other, *asked[other])]
            if sum([each.needed for each in wanted]) > capacity:
                return self._pressed(_fewest(wanted, capacity), limits, able, actors)
        return None

    def _asked_of_objects(self) -> dict[Any, tuple[int, Part]]:
        """Return on what so many have to act, whoever they are, and what asks for it."""
        rows = self._speaking("asks_attacker", 3).rows
        if not rows:
            return {}
        picky = {part for part, _ in self._speaking("counts_for", 2).rows}
        seats = {other for _, other, _ in self._speaking("seats", 3).rows}
        silent = self._silent
        asked: dict[Any, tuple[int, Part]] = {}
        for part, other, number in rows:
            least = asked[other][0] if other in asked else 0
            if part not in picky and other not in silent and other not in seats and number > least:
                asked[other] = number, part
        return asked

    def _capacity(self, able: Collection[Any]) -> tuple[int, list[Part]]:
        """Return on how many things some actors can act, all together, and what says so."""
        slots = self.slots
        if not slots.keys() >= set(able):
            return _MANY, []
        numbers = [slots[actor][0] for actor in able]
        capacity = sum(numbers)
        if self._members:
            capacity = sum([number * len(self.everyone(actor)) for number, actor in zip(numbers, able, strict=True)])
        limits = [slots[actor][1] for actor in able]
        number, part = self.total
        acting = number * max(numbers, default=0)
        return (acting, [*limits, part]) if acting < capacity else (capacity, limits)

    def _wanted(self, other: Any, least: int, part: Part) -> list[_Wanted]:
        needed, threshold = self._thresholds.get(other, (0, None))
        if needed <= least:
            needed, threshold = least, None
        if other not in self._members:
            return [_Wanted(other, other, part, least, needed, threshold)]
        return [
            _Wanted(one, other, _said_of(one, part, other), least, needed, _said_of(one, threshold, other)) for one in self._members[other]
        ]

    def _pressed(self, chosen: Sequence[_Wanted], limits: Sequence[Part], able: Collection[Any], actors: Sequence[Any]) -> Found:
        """Return the clash of requirements for which some actors are too few, with what keeps all others away."""
        reasons: dict[Pair, tuple[Part, ...]] = {}
        outside = [actor for actor in actors if actor not in able]
        for other in dict.fromkeys([each.speaker for each in chosen]) if outside else ():
            reasons |= {(actor, other): (*_first(self._stops.get(actor, ())), *self._barred(actor, other)) for actor in outside}
        keeping = set(cover(list(reasons.values()), {}))
        away: dict[Part, Pair] = {}
        for (actor, other), why in reasons.items():
            kept = [part for part in why if part in keeping]
            for each in [each for each in chosen if each.speaker == other]:
                for one in self.everyone(actor):
                    for part in kept:
                        said = replaced(part, {actor: one, other: each.member})
                        # What only one restriction forbids shows that it is needed.
                        if len(kept) == 1 or said not in away:
                            away[said] = one, each.member
        if len(chosen) == 1:
            # Nobody acts on the same thing twice: on how many things each can act makes no difference then.
            limits = [part for part in limits if part == self.total[1]]
        thresholds = [each.threshold for each in chosen if each.threshold is not None]
        requirements, restrictions = frozenset([each.part for each in chosen]), frozenset([*limits, *thresholds, *away])
        kinds = self._kinds([each.member for each in chosen])
        told = chosen
        at_once = _one_for_all(chosen, kinds) if not away and all(part.__class__ is str for part in limits) else None
        if at_once is not None:
            alike, obeyed = at_once
            alike |= {part: part for part in limits}
            told = list({each.threshold is None: each for each in chosen}.values())
        else:
            alike = alike_parts(requirements | restrictions, kinds)
            obeyed = alike_parts(requirements, kinds) if thresholds or away else alike
        shared = _Shared(self, able)
        witnesses: dict[Any, Sequence[Pair]] = {}
        unmet = _unmet(chosen, self._attempt)
        shown = obeyed[unmet[0].part] if len(unmet) == 1 else None
        for each in told:
            if alike[each.part] not in witnesses and obeyed[each.part] != shown:
                witnesses[alike[each.part]] = shared.pairs([other for other in chosen if other is not each])
            if each.threshold is not None and alike[each.threshold] not in witnesses:
                witnesses[alike[each.threshold]] = shared.pairs([other if other is not each else _without(each) for other in chosen])
        for part in dict.fromkeys(limits):
            witnesses[alike[part]] = shared.pairs(chosen, beyond=part)
        for part, pair in away.items():
            if alike[part] not in witnesses:
                witnesses[alike[part]] = shared.pairs(chosen, first=[pair])
        # As sets, in which declarations are remembered.
        return Found(requirements, restrictions, tuple(map(frozenset, witnesses.values())), alike, obeyed, spare=(self._attempt,))

    def _barred(self, actor: Any, other: Any) -> Sequence[Part]:
        return self.barring[other].get(actor, ()) if other in self.barring else ()

    # ------------------------------------------------------------ too many have to act

    def _too_many(self) -> Found | None:
        """Return requirements to act, on one thing perhaps, on more actors than may act, and what says so."""
        asked: defaultdict[Any, dict[Part, list[Any]]] = defaultdict(dict)
        for part, actor, other in self._speaking("asks_pair", 3).rows:
            asked[actor].setdefault(part, []).append(other)
        objects = self._speakers(self._speaking("acted_on", 1).rows)
        for part, actor in self._speaking("asks_blocker", 2).rows:
            asked[actor].setdefault(part, objects)
        limits = [(number, part, None) for number, part in [self.total] if part is not None]
        limits += [(number, part, other) for part, other, number in self._speaking("seats", 3).rows if len(part) == 2]
        for number, part, only in limits:
            chosen: list[tuple[Part, Pair]] = []
            for actor, parts in asked.items():
                if len(chosen) <= number and actor not in self._silent and actor not in self._stops:
                    chosen += self._acting(actor, parts, only, number + 1 - len(chosen))
            if len(chosen) > number:
                return self._crowding(chosen, part)
        return None

    def _acting(self, actor: Any, parts: Mapping[Part, Sequence[Any]], only: Any, number: int) -> list[tuple[Part, Pair]]:
        """Return requirements that `number` of those that an actor speaks for act (on one thing), each with what it would do."""
        for part, others in parts.items():
            allowed = [other for other in others if not self._barred(actor, other)]
            if allowed and (only is None or list(others) == [only]):
                return [(_said_of(one, part, actor), (one, allowed[0])) for one in self.everyone(actor)[:number]]
        return []

    def _crowding(self, chosen: Sequence[tuple[Part, Pair]], limit: Part) -> Found:
        parts, pairs = [part for part, _ in chosen], [pair for _, pair in chosen]
        alike = alike_parts([*parts, limit], self._kinds([actor for actor, _ in pairs]))
        witnesses: dict[Any, Sequence[Pair]] = {alike[limit]: pairs}
        acting = {actor for actor, _ in self._attempt}
        idle = [part for part, (actor, _) in chosen if actor not in acting]
        shown = alike[idle[0]] if len(idle) == 1 else None
        for place, part in enumerate(parts):
            if alike[part] not in witnesses and alike[part] != shown:
                witnesses[alike[part]] = [*pairs[:place], *pairs[place + 1 :]]
        return Found(frozenset(parts), frozenset([limit]), tuple(witnesses.values()), alike, spare=(self._attempt,))


class _Shared:
    """Shares some actors out to what has to be acted on."""

    def __init__(self, board: Shortages, able: Collection[Any]) -> None:
        self._board = board
        self._able = [(one, actor) for actor in able for one in board.everyone(actor)]

    def pairs(self, wanted: Sequence[_Wanted], *, first: Sequence[Pair] = (), beyond: Part = None) -> list[Pair]:
        """Return a declaration in which as many as are wanted act on each, those on what few can act on before others.

        Args:
            wanted: what is to be acted on.
            first: pairs that are declared in any case.
            beyond: a limit on how many act, or on how many things one does, that need not be kept.
        """
        board = self._board
        pairs = list(first)
        often = Counter([other for _, other in pairs])
        acting = {actor for actor, _ in pairs}
        most = _MANY if board.total[1] == beyond else board.total[0]
        waiting = deque([(one, actor, board.slots[actor][0]) for one, actor in self._able])
        for each in sorted(wanted, key=lambda each: -len(board.barring.get(each.speaker, ()))):
            lacking = each.needed - often[each.member]
            barred = board.barring.get(each.speaker, ())
            again: list[tuple[Any, Any, int]] = []
            while lacking > 0 and waiting:
                one, actor, room = waiting.popleft()
                if actor in barred or (len(acting) >= most and one not in acting):
                    again.append((one, actor, room))
                    continue
                lacking -= 1
                pairs.append((one, each.member))
                acting.add(one)
                if room > 1:
                    again.append((one, actor, room - 1))
            waiting.extendleft(reversed(again))
            if lacking > 0 and beyond is not None:
                more = (one for one, actor in self._able if actor not in barred and (one, each.member) not in pairs)
                pairs += [(one, each.member) for one, _ in zip(more, range(lacking), strict=False)]
        return pairs


def _one_for_all(wanted: Sequence[_Wanted], kinds: Mapping[Any, Any]) -> tuple[dict[Part, Any], dict[Part, Any]] | None:
    """Return what `alike_parts` does, with and without thresholds, where objects of one kind say the same of themselves; else None."""
    first = wanted[0]
    kind, (number, time) = kinds.get(first.member), first.part[::2]
    limit = next((each.threshold[0] for each in wanted if each.threshold is not None), None)
    if kind is None:
        return None
    alike: dict[Part, Any] = {}
    obeyed: dict[Part, Any] = {}
    for each in wanted:
        member, part, threshold = each.member, each.part, each.threshold
        if kinds.get(member) != kind or part != (number, member, time, member):
            return None
        obeyed[part] = "each"
        if threshold is None:
            alike[part] = "each"
        elif threshold == (limit, member):
            alike[part], alike[threshold] = "each with a threshold", "each threshold"
        else:
            return None
    return alike, obeyed


def _unmet(wanted: Iterable[_Wanted], pairs: Iterable[Pair]) -> list[_Wanted]:
    """Return what a declaration leaves without what is wanted."""
    often = Counter([other for _, other in pairs])
    return [each for each in wanted if often[each.member] < each.needed]


def _fewest(wanted: Sequence[_Wanted], capacity: int) -> list[_Wanted]:
    """Return few of what is wanted, together just more than `capacity`, without thresholds that are not needed for that."""
    chosen: list[_Wanted] = []
    excess = -capacity - 1
    for each in sorted(wanted, key=lambda each: each.needed, reverse=True):
        if excess >= 0:
            break
        chosen.append(each)
        excess += each.needed
    for place in reversed(range(len(chosen))):
        each = chosen[place]
        if each.threshold is not None and each.needed - each.least <= excess:
            excess -= each.needed - each.least
            chosen[place] = _without(each)
    return chosen


def _without(wanted: _Wanted) -> _Wanted:
    """Return what is wanted without its threshold."""
    return wanted._replace(needed=wanted.least, threshold=None)


def _said_of(member: Any, part: Part, speaker: Any) -> Part:
    """Return the part that states of `member` what `part` does of the object that speaks for it."""
    if part is None or member == speaker:
        return part
    if part[1] == speaker and part[-1] == speaker:
        return (part[0], member, part[2], member) if len(part) > 2 else (part[0], member)
    return replaced(part, {speaker: member})


def _first(rows: Iterable[Any]) -> list[Part]:
    return [row[0] for row in rows]


def _number(limit: tuple[int, Part]) -> int:
    return limit[0]
