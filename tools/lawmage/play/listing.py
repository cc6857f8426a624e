"""Every legal declaration, one after another, in the order of the actors.

As in `lawmage.play.counting`, actors are taken one after another (see `lawmage.play.counting_moves`), but each place is followed for
itself. What the last few actors can do is found once for each situation; of those before them it is remembered where nothing legal
comes of them, in all situations that nothing tells apart.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from lawmage.play.counting_form import Form, Key
from lawmage.play.counting_moves import Actor, Common, Edge, Kind, Label, Moves, Table

__all__ = ["list_declarations"]

#: The last actors are those who have no more than so many choices together.
_MOST_CHOICES = 2_000
#: No more of their declarations than this are kept, and of situations that nothing legal comes of.
_MOST_KEPT = 50_000

Value = TypeVar("Value")
#: The kind of each place, as an index into a list of kinds; -1 where nobody can act any more.
_Kinds: TypeAlias = tuple[int, ...]
#: The number of the actor that is next, and what there is.
_Situation: TypeAlias = tuple[int, Common, _Kinds]
#: What has become of everything after an actor: what a declaration says of it, what is common, and the kinds of the places.
_Step: TypeAlias = tuple[dict[str, Value], Common, _Kinds]


def list_declarations(form: Form, most_lost: int, part: Callable[[Key, Sequence[Key]], dict[str, Value]]) -> Iterator[dict[str, Value]]:
    """Yield each declaration that breaks no restriction and leaves no more than `most_lost` requirements unobeyed.

    Args:
        form: the problem.
        most_lost: see `lawmage.play.counting.Count`.
        part: returns what a declaration says of an actor who acts on some places; declarations are these put together.

    Raises:
        TooMuchError: if too many combinations of numbers of actors matter at one place.
    """
    return _Lister(form, most_lost, part).declarations()


@dataclass(slots=True)
class _Frame(Generic[Value]):
    """An actor whose choices are being gone through: what those before it do, where this is, and whether anything legal has come of it."""

    steps: Iterator[_Step[Value]]
    before: dict[str, Value]
    situation: _Situation
    fruitful: bool = False


class _Lister(Generic[Value]):
    def __init__(self, form: Form, most_lost: int, part: Callable[[Key, Sequence[Key]], dict[str, Value]]) -> None:
        self.moves = Moves(form, together=False, most_lost=most_lost)
        self.part = part
        self.parts: dict[tuple[int, tuple[int, ...]], dict[str, Value]] = {}
        self.kinds: list[Kind] = []
        self.indexes: dict[Kind, int] = {}
        self.commons: dict[tuple[int, Common, int, tuple[int, ...] | None], Common | None] = {}
        self.fates: dict[tuple[int, int], tuple[int, int, tuple[int, int, Label] | None]] = {}
        self.kept: dict[_Situation, list[dict[str, Value]]] = {}
        self.kept_in_all = 0
        self.stakes: dict[int, tuple[Fraction, int]] = {}
        self.slots = [*itertools.accumulate((actor.slots for actor in reversed(self.moves.actors)), initial=0)][::-1]
        self.promising: dict[_Situation, bool] = {}
        choices, self.last = 1, len(self.moves.actors)
        while self.last and (choices := choices * _number_of_choices(self.moves.actors[self.last - 1])) <= _MOST_CHOICES:
            self.last -= 1

    def declarations(self) -> Iterator[dict[str, Value]]:
        kinds = tuple(self._index(kind) for kind in self.moves.kinds)
        start = self.moves.still(self.moves.start, range(len(self.moves.actors)))
        if start is None or start.lost > self.moves.most_lost:
            return
        if self.last == 0:
            yield from self._by_the_last(0, start, kinds)
            return
        stack = [_Frame(self._steps(0, start, kinds), {}, (0, start, kinds))]
        while stack:
            frame = stack[-1]
            for part, common, kinds in frame.steps:
                before = frame.before | part
                if len(stack) == self.last:
                    those = self._by_the_last(self.last, common, kinds)
                    frame.fruitful |= bool(those)
                    for each in those:
                        yield before | each
                elif self._promising(situation := (len(stack), common, tuple(sorted(kinds)))):
                    stack.append(_Frame(self._steps(len(stack), common, kinds), before, situation))
                    break
            else:
                stack.pop()
                if frame.fruitful and stack:
                    stack[-1].fruitful = True
                self.promising[frame.situation] = frame.fruitful

    def _promising(self, situation: _Situation) -> bool:
        """Return whether anything legal can come of a situation, as far as is known."""
        if situation not in self.promising:
            if len(self.promising) > _MOST_KEPT:
                self.promising.clear()
            self.promising[situation] = self._can_be_saved(*situation)
        return self.promising[situation]

    def _can_be_saved(self, number: int, common: Common, kinds: _Kinds) -> bool:
        """Return whether there are enough actors from that number on to save what would be lost, if each could act where it is wanted."""
        lost, slots = Fraction(common.lost), Fraction(self.slots[number])
        at_stake = sorted((self._at_stake(kind) for kind in kinds if kind >= 0), reverse=True)
        for by_one, loss in at_stake:
            saved = min(Fraction(loss), slots * by_one)
            lost += loss - saved
            slots -= saved / by_one if saved else 0
        return lost <= self.moves.most_lost

    def _by_the_last(self, actor: int, common: Common, kinds: _Kinds) -> list[dict[str, Value]]:
        """Return what the actors from `actor` on can do."""
        if actor == len(self.moves.actors):
            return [{}]
        situation = actor, common, kinds
        found = self.kept.get(situation)
        if found is None:
            found = [
                part | rest
                for part, still, after in self._steps(actor, common, kinds)
                for rest in self._by_the_last(actor + 1, still, after)
            ]
            self.kept_in_all += len(found)
            if self.kept_in_all > _MOST_KEPT:
                self.kept.clear()
                self.kept_in_all = len(found)
            self.kept[situation] = found
        return found

    def _steps(self, number: int, common: Common, kinds: _Kinds) -> Iterator[_Step[Value]]:
        """Yield what can become of everything after the actor of that number."""
        actor = self.moves.actors[number]
        passed, lost = list(kinds), 0
        possible: dict[int, tuple[int, int, Label]] = {}
        for place, _, _ in actor.places:
            if kinds[place] >= 0:
                loss, passed[place], acting = self._fate(number, kinds[place])
                lost += loss
                if acting is not None:
                    possible[place] = acting[0] - loss, acting[1], acting[2]
        for some in range(min(actor.slots, len(possible)) + 1):
            for places in itertools.combinations(possible, some):
                after = passed.copy()
                for place in places:
                    after[place] = possible[place][1]
                loss = lost + sum(possible[place][0] for place in places)
                still = self._still(number, common, loss, tuple(possible[place][2] for place in places))
                if still is not None:
                    yield self._part(number, places), still, tuple(after)

    def _fate(self, number: int, kind: int) -> tuple[int, int, tuple[int, int, Label] | None]:
        """Return what a place loses and becomes where the actor does not act on it, and where it does, if it can."""
        fate = self.fates.get((number, kind))
        if fate is None:
            edges, table = self.kinds[kind]
            loss, becomes = self._without(number, edges, table)
            acting = None
            for group, label, axes in edges:
                if group == number:
                    at_once, after = self.moves.after_one((edges, table), axes)
                    later, settled = (0, -1) if after is None else self._without(number, *after)
                    acting = at_once + later, settled, label
            fate = self.fates[number, kind] = loss, becomes, acting
        return fate

    def _at_stake(self, kind: int) -> tuple[Fraction, int]:
        """Return the most that each actor can save on average of what is lost where nobody acts on the place any more, and that."""
        if kind not in self.stakes:
            table = self.kinds[kind][1]
            losses = [min(loss, self.moves.most_lost + 1) for loss in table[1]]
            numbers = [max(counts, default=0) for counts in itertools.product(*map(range, table[0]))]
            saved = (Fraction(losses[0] - loss, number) for loss, number in zip(losses, numbers, strict=True) if number)
            self.stakes[kind] = max(saved, default=Fraction(0)), losses[0]
        return self.stakes[kind]

    def _without(self, number: int, edges: Sequence[Edge], table: Table) -> tuple[int, int]:
        loss, kind = self.moves.settled(tuple(edge for edge in edges if edge[0] != number), table)
        return loss, self._index(kind)

    def _index(self, kind: Kind | None) -> int:
        if kind is None:
            return -1
        if kind not in self.indexes:
            self.indexes[kind] = len(self.kinds)
            self.kinds.append(kind)
        return self.indexes[kind]

    def _still(self, number: int, common: Common, lost: int, labels: tuple[Label, ...]) -> Common | None:
        """Return what is common after the actor has acted on places with `labels`, or None if that is not legal."""
        actor = self.moves.actors[number]
        label = functools.reduce(Label.joined, labels) if labels else None
        lost += actor.asked if label is None else actor.lost(label.gain, label.hits)
        if common.lost + lost > self.moves.most_lost:
            return None
        key = number, common, lost, None if label is None else label.spends
        if key not in self.commons:
            after = replace(common, lost=common.lost + lost) if label is None else self.moves.after(common, actor, lost, label.spends)
            rest = range(number + 1, len(self.moves.actors))
            self.commons[key] = None if after is None else self.moves.still(after, rest)
        return self.commons[key]

    def _part(self, number: int, places: tuple[int, ...]) -> dict[str, Value]:
        """Return what a declaration says of the actor where it acts on the places of those numbers."""
        if (number, places) not in self.parts:
            names = [self.moves.places[place] for place in places]
            self.parts[number, places] = self.part(self.moves.members[number][0], names) if names else {}
        return self.parts[number, places]


def _number_of_choices(actor: Actor) -> int:
    return sum(math.comb(len(actor.places), some) for some in range(actor.slots + 1))
