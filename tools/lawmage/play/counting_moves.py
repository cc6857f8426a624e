"""What actors can do one after another, and what can still matter after each, for counting and listing declarations.

An actor is a creature that may block or attack, a place is what it acts on (see `lawmage.play.counting_form`). What can still matter of
a place is its *kind*: which actors may yet act on it, and what any further number of them is worth. What can matter beside the places
is `Common`. Requirements that are not obeyed are counted as *losses*.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lawmage.play.counting_form import Form, Key

__all__ = ["NEVER", "Actor", "Common", "Kind", "Label", "Moves", "Table", "TooMuchError", "least"]

#: The loss that stands for what is forbidden; sums of it are no less.
NEVER = 1 << 60
#: A place where more combinations of numbers of actors matter than this is not looked at.
_LARGEST_TABLE = 10_000

#: Losses by the numbers of further actors on each of some axes, as (sizes, values in the order of `itertools.product`). The last number
#: on an axis stands for all greater ones too.
Table: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class TooMuchError(Exception):
    """Counting would take too long."""


@dataclass(frozen=True, slots=True)
class Label:
    """What it is to an actor to act on a place.

    Attributes:
        gain: the number of requirements on the pair.
        hits: the sets of places that it is to act on one of and that have this place, as bits.
        spends: how much of each budget.
    """

    gain: int
    hits: int
    spends: tuple[int, ...]

    def joined(self, other: Label) -> Label:
        """Return what it is to act on two places."""
        return Label(self.gain + other.gain, self.hits | other.hits, tuple(map(sum, zip(self.spends, other.spends, strict=True))))


#: A group of actors that may act on a place, what that is to them, and the axes of the place's table that they count on, as bits.
Edge: TypeAlias = tuple[int, Label, int]
Kind: TypeAlias = tuple[tuple[Edge, ...], Table]


@dataclass(frozen=True, slots=True)
class Actor:
    """All that can matter of an actor.

    Attributes:
        slots: on how many places it can act.
        gain: the number of requirements that it act.
        one_of: the number of requirements that it act on one of a set, for each bit of `Label.hits`.
        asked: the number of requirements on it and its pairs.
        alone: whether it acts only if no other does.
        only_with: of which sets of actors how many have to act if it does.
        member_of: the sets of actors that it belongs to.
        spends: how much of each budget, wherever it acts.
        places: for each place that it can act on, the place's number, what acting on it is, and the axes of its table that this counts on.
    """

    slots: int
    gain: int
    one_of: tuple[int, ...]
    asked: int
    alone: bool
    only_with: tuple[tuple[int, int], ...]
    member_of: tuple[int, ...]
    spends: tuple[int, ...]
    places: tuple[tuple[int, Label, int], ...]

    def lost(self, gain: int, hits: int) -> int:
        """Return how many requirements it does not obey if it acts, with what it gains and hits in all (see `Label`)."""
        return self.asked - self.gain - gain - sum(times for bit, times in enumerate(self.one_of) if hits >> bit & 1)

    def cares(self, number: int) -> int:
        """Return up to how many it matters to it how many of a set of actors act; set 0 is everyone."""
        return max([int(self.alone and number == 0), *(needs for other, needs in self.only_with if other == number)])

    def most_spent(self, budget: int) -> int:
        """Return the most of a budget that it can spend."""
        dearest = sorted((label.spends[budget] for _, label, _ in self.places), reverse=True)
        return self.spends[budget] + sum(dearest[: self.slots])


@dataclass(frozen=True, slots=True)
class Common:
    """What can matter beside the places.

    Attributes:
        lost: the losses so far.
        room: how many more actors may act, None for any number.
        acting: how many of each set of actors act, as far as that can matter.
        needed: how many of each have to.
        left: what is left of each budget.
    """

    lost: int
    room: int | None
    acting: tuple[int, ...]
    needed: tuple[int, ...]
    left: tuple[int, ...]


class Moves:
    """The actors of a form, in groups.

    Args:
        form: the problem.
        together: whether actors of whom everything is the same are one group. If not, each is one for itself, in the order of their keys.
        most_lost: the losses that a declaration may have.

    Attributes:
        members: the actors of each group.
        actors: what they are.
        places: the places, in the order of their keys; a place's number is where it stands here.
        kinds: the kind of each place before anyone acts, None where nobody can.
        start: what is common before anyone acts.

    Raises:
        TooMuchError: if too many combinations of numbers matter at one place.
    """

    def __init__(self, form: Form, *, together: bool, most_lost: int = NEVER - 1) -> None:
        self.form = form
        self.most_lost = most_lost
        self._places_of: defaultdict[Key, list[Key]] = defaultdict(list)
        self._actors_on: defaultdict[Key, list[Key]] = defaultdict(list)
        for actor, place in form.edges:
            self._places_of[actor].append(place)
            self._actors_on[place].append(actor)
        self.places = sorted(self._actors_on)
        self._numbers = {place: number for number, place in enumerate(self.places)}
        self._axes = {place: self._sets_at(place) for place in self.places}
        named = [self._set(name) for actor in self._places_of for name, _ in form.only_with.get(actor, ())]
        self._sets = {those: number for number, those in enumerate(dict.fromkeys([frozenset(self._places_of), *named]))}
        groups: defaultdict[object, list[Key]] = defaultdict(list)
        for actor in sorted(self._places_of):
            groups[self._described(actor) if together else actor].append(actor)
        self.members = list(groups.values())
        self.actors = [self._described(those[0]) for those in self.members]
        self._matters = [max((actor.cares(number) for actor in self.actors), default=0) for number in range(len(self._sets))]
        self._settled: dict[tuple[tuple[Edge, ...], Table], tuple[int, Kind | None]] = {}
        edges: list[list[Edge]] = [[] for _ in self.places]
        for group, described in enumerate(self.actors):
            for number, label, axes in described.places:
                edges[number].append((group, label, axes))
        settled = [self.settled(tuple(edges[number]), self._table(place)) for number, place in enumerate(self.places)]
        self.kinds = [kind for _, kind in settled]
        none = (0,) * len(self._sets)
        self.start = Common(sum(loss for loss, _ in settled), form.total, none, none, tuple(form.budgets.values()))

    # ------------------------------------------------------------ actors and places as they are given

    def _set(self, name: Key) -> frozenset[Key]:
        return self.form.members.get(name, frozenset()).intersection(self._places_of)

    def _sets_at(self, place: Key) -> list[frozenset[Key]]:
        """Return the sets of actors whose numbers at `place` can matter, first that of all of them."""
        those = frozenset(self._actors_on[place])
        named = [self._set(ask.of) & those for ask in self.form.asks.get(place, ()) if ask.of is not None]
        return list(dict.fromkeys([those, *named]))

    def _described(self, actor: Key) -> Actor:
        form, places = self.form, self._places_of[actor]
        one_of = [(form.members.get(name, frozenset()), times) for name, times in form.gain_one_of.get(actor, ())]
        only_with: dict[int, int] = {}
        for name, number in form.only_with.get(actor, ()):
            index = self._sets[self._set(name)]
            only_with[index] = max(number, only_with.get(index, 0))
        described = []
        for place in places:
            hits = sum(1 << bit for bit, (those, _) in enumerate(one_of) if place in those)
            label = Label(form.gain_pair.get((actor, place), 0), hits, self._spent(form.spends_on.get((actor, place), {})))
            axes = sum(1 << axis for axis, those in enumerate(self._axes[place]) if actor in those)
            described.append((self._numbers[place], label, axes))
        described.sort(key=lambda one: one[0])
        gain = form.gain_blocker.get(actor, 0)
        return Actor(
            slots=min(form.slots.get(actor, len(places)), len(places)),
            gain=gain,
            one_of=tuple(times for _, times in one_of),
            asked=gain + sum(times for _, times in one_of) + sum(label.gain for _, label, _ in described),
            alone=actor in form.only_alone,
            only_with=tuple(sorted(only_with.items())),
            member_of=tuple(number for those, number in self._sets.items() if actor in those),
            spends=self._spent(form.spends.get(actor, {})),
            places=tuple(described),
        )

    def _spent(self, amounts: Mapping[Key, int]) -> tuple[int, ...]:
        return tuple(amounts.get(budget, 0) for budget in self.form.budgets)

    def _table(self, place: Key) -> Table:
        """Return the losses at `place` by the numbers of actors on each axis."""
        axes, asks = self._axes[place], self.form.asks.get(place, ())
        threshold, seats = self.form.threshold.get(place, 0), self.form.seats.get(place)
        on = [0 if ask.of is None else axes.index(self._set(ask.of) & axes[0]) for ask in asks]
        matters = [[0] for _ in axes]
        matters[0] += [threshold, 1 if asks else 0, 0 if seats is None else seats + 1]
        for ask, axis in zip(asks, on, strict=True):
            matters[axis] += [ask.least, 0 if ask.most is None else ask.most + 1]
        sizes = [min(max(numbers), len(those)) + 1 for numbers, those in zip(matters, axes, strict=True)]
        if math.prod(sizes) > _LARGEST_TABLE:
            raise TooMuchError

        def loss(numbers: Sequence[int]) -> int:
            if numbers[0] and (numbers[0] < threshold or (seats is not None and numbers[0] > seats)):
                return NEVER
            lost = sum(
                ask.times
                for ask, axis in zip(asks, on, strict=True)
                if not numbers[0] or numbers[axis] < ask.least or (ask.most is not None and numbers[axis] > ask.most)
            )
            return lost if lost <= self.most_lost else NEVER

        return _table(sizes, loss)

    # ------------------------------------------------------------ kinds of places

    def settled(self, edges: tuple[Edge, ...], table: Table) -> tuple[int, Kind | None]:
        """Return a place's kind in its plainest form and what is lost for certain, NEVER if all is forbidden; no kind if nobody can act."""
        known = self._settled.get((edges, table))
        if known is None:
            known = self._settled[edges, table] = self._settle(edges, table)
        return known

    def after_one(self, kind: Kind, axes: int) -> tuple[int, Kind | None]:
        """Return, as `settled`, what becomes of a place when an actor acts on it that counts on `axes`."""
        return self.settled(kind[0], _after_one(kind[1], axes))

    def _settle(self, edges: tuple[Edge, ...], table: Table) -> tuple[int, Kind | None]:
        while True:
            for axis in reversed(range(len(table[0]))):
                table = _shortened(table, axis, sum(len(self.members[group]) for group, _, axes in edges if axes >> axis & 1))
                if table[0][axis] == 1:
                    table = (table[0][:axis] + table[0][axis + 1 :], table[1])
                    edges = tuple((group, label, axes & (1 << axis) - 1 | axes >> axis + 1 << axis) for group, label, axes in edges)
            possible = tuple(edge for edge in edges if min(_after_one(table, edge[2])[1]) < NEVER)
            if possible == edges:
                break
            edges = possible
        loss = min(table[1])
        if loss >= NEVER or not edges:
            return loss, None
        return loss, (edges, (table[0], tuple(value if value >= NEVER else value - loss for value in table[1])))

    # ------------------------------------------------------------ what is common

    def after(self, common: Common, actor: Actor, lost: int, spends: Iterable[int]) -> Common | None:
        """Return what is common after `actor` has acted, lost so much and spent so much on places, or None if it may not."""
        if common.room == 0 or (actor.alone and common.acting[0]):
            return None
        left = tuple(have - always - here for have, always, here in zip(common.left, actor.spends, spends, strict=True))
        if min(left, default=0) < 0:
            return None
        acting, needed = list(common.acting), list(common.needed)
        for number in actor.member_of:
            acting[number] = min(acting[number] + 1, self._matters[number])
        for number, needs in actor.only_with:
            needed[number] = max(needed[number], needs)
        room = 0 if actor.alone else None if common.room is None else common.room - 1
        return Common(common.lost + lost, room, tuple(acting), tuple(needed), left)

    def still(self, common: Common, rest: Sequence[int]) -> Common | None:
        """Return what of `common` can still matter where only the groups `rest` are left, or None if nothing legal comes of it."""
        others = [(self.actors[group], len(self.members[group])) for group in rest]
        acting, needed = list(common.acting), list(common.needed)
        for number, there in enumerate(acting):
            if there >= needed[number]:
                needed[number] = 0
            elif there + sum(size for actor, size in others if number in actor.member_of) < needed[number]:
                return None
            if there:
                acting[number] = min(there, max([needed[number], *(actor.cares(number) for actor, _ in others)]))
        room = None if common.room is None or common.room >= sum(size for _, size in others) else common.room
        left = tuple(min(have, sum(size * actor.most_spent(budget) for actor, size in others)) for budget, have in enumerate(common.left))
        return Common(common.lost, room, tuple(acting), tuple(needed), left)


# ------------------------------------------------------------ tables


def least(table: Table) -> int:
    """Return how many more actors are needed at least."""
    fine = (numbers for numbers, loss in zip(itertools.product(*map(range, table[0])), table[1], strict=True) if loss < NEVER)
    return min(max(numbers, default=0) for numbers in fine)


def _table(sizes: Sequence[int], value: Callable[[Sequence[int]], int]) -> Table:
    return tuple(sizes), tuple(value(numbers) for numbers in itertools.product(*map(range, sizes)))


def _at(table: Table, numbers: Iterable[int]) -> int:
    index = 0
    for size, number in zip(table[0], numbers, strict=True):
        index = index * size + min(number, size - 1)
    return table[1][index]


def _after_one(table: Table, axes: int) -> Table:
    """Return what further actors are worth when one has acted that counts on `axes`."""
    return _table(table[0], lambda numbers: _at(table, [number + (axes >> axis & 1) for axis, number in enumerate(numbers)]))


def _resized(table: Table, axis: int, size: int) -> Table:
    return _table([*table[0][:axis], size, *table[0][axis + 1 :]], lambda numbers: _at(table, numbers))


def _shortened(table: Table, axis: int, reach: int) -> Table:
    """Return the table without the numbers on `axis` that are greater than `reach`, or that make no difference."""
    size = min(table[0][axis], reach + 1)
    table = _resized(table, axis, size)
    while size > 1 and _resized(shorter := _resized(table, axis, size - 1), axis, size) == table:
        table, size = shorter, size - 1
    return table
