"""The number of legal declarations, found without listing them.

What is legal has been put into numbers and sets by asp/509-count.lp and 508-count.lp (see `lawmage.play.counting_form`); here they are
only counted. Actors are taken one after another (see `lawmage.play.counting_moves`), and ways to have come so far are put together
where nothing can tell them apart any more. A *state* is the number of places of each kind: identical places are never told apart, and
soon many others are not either. Of the ways to one state only those that have lost least can become legal declarations.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawmage.play.counting_form import Form
from lawmage.play.counting_moves import NEVER, Actor, Common, Kind, Label, Moves, TooMuchError, least

__all__ = ["Count", "count"]

#: More states at a time than this are not followed.
_MOST_STATES = 200_000


@dataclass(frozen=True, slots=True)
class Count:
    """How many legal declarations there are, and how many of the requirements of the form (`asked`) one may leave unobeyed."""

    number: int
    most_lost: int


def count(form: Form, *, seconds: float | None = None) -> Count | None:
    """Count the legal declarations: those that obey at least as many requirements as the best one that costs nothing.

    None if that would take too many states, or longer than `seconds`.
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    free = replace(form, edges=[pair for pair in form.edges if pair[0] not in form.priced and pair not in form.priced])
    try:
        found = _best(free, deadline)
        most_lost = min(found) + form.asked - free.asked
        if len(free.edges) < len(form.edges):
            found = _best(form, deadline)
            if min(found) < most_lost:
                found = _Tally(form, deadline).ways(most_lost - min(found))
    except TooMuchError:
        return None
    return Count(sum(found.values()), most_lost)


def _best(form: Form, deadline: float) -> dict[int, int]:
    """Return the least losses, and how many declarations that break no restriction have no more."""
    # Where nothing has to be lost, requirements are like restrictions: fewer states.
    return _Tally(form, deadline, most_lost=0).ways() or _Tally(form, deadline).ways()


#: The number of ways to each state. A state is written as one integer, with some bits for the number of places of each kind.
_Ways: TypeAlias = dict[int, int]
_Layer: TypeAlias = dict[Common, _Ways]


@dataclass(frozen=True, slots=True)
class _Option:
    """How an actor can act on places of one kind: where in the state their number stands, what is added to it, what is lost."""

    shift: int
    change: int
    loss: int
    label: Label


class _Tally:
    """The counting of one form."""

    def __init__(self, form: Form, deadline: float, most_lost: int = NEVER - 1) -> None:
        self.deadline = deadline
        self.requirements = form.asked > 0
        self.moves = Moves(form, together=True, most_lost=most_lost)
        self.kinds = Counter(kind for kind in self.moves.kinds if kind is not None)
        self.width = len(self.moves.kinds).bit_length()
        self.digit = (1 << self.width) - 1

    def ways(self, window: int = 0) -> dict[int, int]:
        """Return the number of declarations that break no restriction by their losses: the least possible, up to `window` more."""
        order = self._order()
        positions = {group: position for position, group in enumerate(order)}
        begins = {kind: min(positions[group] for group, _, _ in kind[0]) for kind in self.kinds}
        index: dict[Kind, int] = {}
        layer: _Layer = {self.moves.start: {0: 1}}
        for position, group in enumerate(order):
            fresh = {kind: number for kind, number in self.kinds.items() if begins[kind] == position}
            index, layer = self._turned(layer, index, order[position:], fresh)
            options = self._options(index, group)
            for _ in self.moves.members[group]:
                layer = self._cut(self._acted(layer, self.moves.actors[group], options), window)
        _, layer = self._turned(layer, index, [], {})
        return {common.lost: ways[0] for common, ways in self._cut(layer, window).items()}

    def _order(self) -> list[int]:
        """Return the groups in an order in which few kinds of places are open at a time: begun, and not yet done."""
        weights = [math.log(1 + number * math.prod(kind[1][0])) if kind[1][0] else 0.0 for kind, number in self.kinds.items()]
        touched: list[list[int]] = [[] for _ in self.moves.actors]
        for number, (edges, _) in enumerate(self.kinds):
            for group, _, _ in edges if weights[number] else ():
                touched[group].append(number)
        missing = [len(edges) for edges, _ in self.kinds]
        begun: set[int] = set()

        def cost(group: int) -> tuple[float, int]:
            opened = sum(weights[number] for number in touched[group] if number not in begun)
            return opened - sum(weights[number] for number in touched[group] if missing[number] == 1), group

        order, waiting = [], set(range(len(touched)))
        while waiting:
            group = min(waiting, key=cost)
            waiting.remove(group)
            order.append(group)
            begun.update(touched[group])
            for number in touched[group]:
                missing[number] -= 1
        return order

    def _unit(self, index: dict[Kind, int], kind: Kind | None) -> int:
        """Return what one place of `kind` is in a state, where `index` says which kind stands where."""
        return 0 if kind is None else 1 << self.width * index.setdefault(kind, len(index))

    def _turned(
        self, layer: _Layer, index: Mapping[Kind, int], rest: Sequence[int], fresh: Mapping[Kind, int]
    ) -> tuple[dict[Kind, int], _Layer]:
        """Return the layer as it is where only the groups `rest` are left, and where the number of each kind now stands in its states.

        Places of the kinds `fresh`, which nobody could act on before, are added.
        """
        later, new_index = set(rest), dict[Kind, int]()
        fates = []
        for kind, number in index.items():
            loss, settled = self.moves.settled(tuple(edge for edge in kind[0] if edge[0] in later), kind[1])
            fates.append((self.width * number, self._unit(new_index, settled), loss, 0 if settled is None else least(settled[1])))
        added = sum(number * self._unit(new_index, kind) for kind, number in fresh.items())
        slots = sum(len(self.moves.members[group]) * self.moves.actors[group].slots for group in rest)
        slots -= sum(number * least(kind[1]) for kind, number in fresh.items())
        new: defaultdict[Common, _Ways] = defaultdict(lambda: defaultdict(int))
        for common, ways in layer.items():
            still = self.moves.still(common, rest)
            if still is None:
                continue
            by_loss: defaultdict[int, _Ways] = defaultdict(lambda: defaultdict(int))
            for state, number in ways.items():
                after, lost, needed = added, still.lost, 0
                for shift, unit, loss, more in fates:
                    there = state >> shift & self.digit
                    if there:
                        after += there * unit
                        lost += there * loss
                        needed += there * more
                if needed <= slots and lost <= self.moves.most_lost:
                    by_loss[lost][after] += number
            for lost, found in by_loss.items():
                target = new[replace(still, lost=lost)]
                for state, number in found.items():
                    target[state] += number
        return new_index, new

    def _options(self, index: dict[Kind, int], group: int) -> list[_Option]:
        """Return how an actor of `group` can act on places of each kind, or of a kind that these can become while the group acts."""
        options, kinds = [], list(index)
        for kind in kinds:
            for other, label, axes in kind[0]:
                if other == group:
                    loss, after = self.moves.after_one(kind, axes)
                    if after is not None and after not in index:
                        kinds.append(after)
                    change = self._unit(index, after) - self._unit(index, kind)
                    options.append(_Option(self.width * index[kind], change, loss, label))
        return options

    def _acted(self, layer: _Layer, actor: Actor, options: Sequence[_Option]) -> _Layer:
        """Return the layer after one more actor, like `actor`, has acted or not."""
        new: defaultdict[Common, _Ways] = defaultdict(lambda: defaultdict(int))
        alike: defaultdict[tuple[int, Label], list[tuple[int, int]]] = defaultdict(list)
        for option in options:
            alike[option.loss, option.label].append((option.shift, option.change))
        for common, ways in layer.items():
            target = new[replace(common, lost=common.lost + actor.asked)]
            for state, number in ways.items():
                target[state] += number
            if actor.slots > 1:
                self._act_on_several(new, common, ways, actor, options)
                continue
            for (loss, label), changes in alike.items():
                after = self.moves.after(common, actor, loss + actor.lost(label.gain, label.hits), label.spends)
                if after is not None:
                    self._act_on_one(new[after], ways, changes)
        return new

    def _act_on_one(self, target: _Ways, ways: _Ways, changes: Sequence[tuple[int, int]]) -> None:
        digit = self.digit
        for state, number in ways.items():
            unchanged = 0
            for shift, change in changes:
                there = state >> shift & digit
                if there:
                    if change:
                        target[state + change] += number * there
                    else:
                        unchanged += there
            if unchanged:
                target[state] += number * unchanged
            if len(target) > _MOST_STATES:
                raise TooMuchError

    def _act_on_several(self, new: Mapping[Common, _Ways], common: Common, ways: _Ways, actor: Actor, options: Sequence[_Option]) -> None:
        for state, number in ways.items():
            there = [(option, most) for option in options if (most := state >> option.shift & self.digit)]
            for (used, change, loss, label), times in self._choices(there, actor).items():
                after = self.moves.after(common, actor, loss + actor.lost(label.gain, label.hits), label.spends) if used else None
                if after is not None:
                    new[after][state + change] += number * times
                    if len(new[after]) > _MOST_STATES:
                        raise TooMuchError

    def _choices(self, there: Sequence[tuple[_Option, int]], actor: Actor) -> Mapping[tuple[int, int, int, Label], int]:
        """Return how many ways there are to choose places: how many (or 1 for any number), what they change, lose and are in all."""
        unlimited = actor.slots >= sum(most for _, most in there)
        found = Counter({(0, 0, 0, Label(0, 0, (0,) * len(actor.spends))): 1})
        for option, most in there:
            for (used, change, loss, label), times in list(found.items()):
                so_far = label
                for some in range(1, min(most, actor.slots - used) + 1):
                    so_far = so_far.joined(option.label)
                    chosen = 1 if unlimited else used + some, change + some * option.change, loss + some * option.loss, so_far
                    found[chosen] += times * math.comb(most, some)
            if len(found) > _MOST_STATES or time.monotonic() > self.deadline:
                raise TooMuchError
        return found

    def _cut(self, layer: _Layer, window: int) -> _Layer:
        """Return the layer without ways that have lost more than is allowed, or than others to the same state by more than `window`."""
        if sum(map(len, layer.values())) > _MOST_STATES or time.monotonic() > self.deadline:
            raise TooMuchError
        if not self.requirements:
            return layer
        first: defaultdict[Common, dict[int, int]] = defaultdict(dict)
        new: _Layer = {}
        for common in sorted(layer, key=lambda common: common.lost):
            if common.lost > self.moves.most_lost:
                break
            before, lost = first[replace(common, lost=0)], common.lost
            fine = {state: number for state, number in layer[common].items() if lost <= before.setdefault(state, lost) + window}
            if fine:
                new[common] = fine
        return new
