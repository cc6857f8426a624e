"""Casts with targets, modes, X, sacrifices and payments, and how near a legal one is, in plain Python: by trying all of them.

What is legal is written from the rulebook (115.3, 118.3, 601.2b to 601.2h, 700.2) on top of `plays`; shares nothing with asp/.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from .plays import Spell, State, allowed, payable, total

__all__ = ["LIFE", "Cast", "Creature", "Table", "distance", "every_cast", "lawful", "nearest"]


#: 2 life, as it is paid for a Phyrexian symbol.
LIFE = "P"


@dataclass(frozen=True)
class Creature:
    """A creature: who controls it, and `hexproof`, `shroud` or nothing."""

    name: str
    controller: str
    keyword: str = ""


@dataclass(frozen=True)
class Table:
    """What a spell is cast among.

    Attributes:
        spell: the card; `way` and `kicked` of it are not looked at.
        creatures: on the battlefield.
        targets: least and most target creatures of each mode; one mode for a spell without modes.
        modal: whether one of the modes is chosen.
        sacrifices: how many creatures have to be sacrificed.
    """

    state: State
    spell: Spell
    player: str
    creatures: tuple[Creature, ...]
    targets: tuple[tuple[int, int], ...] = ((0, 0),)
    modal: bool = False
    sacrifices: int = 0


@dataclass(frozen=True)
class Cast:
    """A cast; what is None is not said."""

    way: str = ""
    kicked: int = 0
    modes: tuple[int, ...] | None = None
    targets: tuple[str, ...] | None = None
    sacrificed: tuple[str, ...] | None = None
    pay: tuple[str, ...] | None = None
    x: int = 0


def lawful(table: Table, cast: Cast) -> bool:
    """Return whether the cast is legal."""
    ways = [cast.way]
    if table.spell.zone == "graveyard" and not cast.way:
        # Nothing lets it be cast from there but what is named; any such way is meant.
        ways = ["flashback", "spectacle"]
    return any(_lawful(table, cast, way) for way in ways)


def _lawful(table: Table, cast: Cast, way: str) -> bool:
    spell = replace(table.spell, way=way, kicked=cast.kicked > 0)
    if not allowed(table.state, spell, table.player) or cast.kicked > 1:
        return False
    return _chosen_well(table, cast) and _sacrificed_well(table, cast) and _paid(table, cast, spell)


def _chosen_well(table: Table, cast: Cast) -> bool:
    """115.3, 601.2c, 700.2 - modes, and targets that are legal and of the right number; of no modes named, of any."""
    modes = cast.modes
    if table.modal:
        if modes is None:
            return any(_chosen_well(table, replace(cast, modes=(number,))) for number in range(1, len(table.targets) + 1))
        if len(modes) != 1 or not 0 < modes[0] <= len(table.targets):
            return False
        least, most = table.targets[modes[0] - 1]
    else:
        if modes:
            return False
        least, most = table.targets[0]
    fine = {one.name for one in table.creatures if not one.keyword or (one.keyword == "hexproof" and one.controller == table.player)}
    if cast.targets is None:
        return len(fine) >= least
    return set(cast.targets) <= fine and len(set(cast.targets)) == len(cast.targets) and least <= len(cast.targets) <= most


def _sacrificed_well(table: Table, cast: Cast) -> bool:
    """118.3, 601.2h - as many as are asked for, all one's own."""
    own = {one.name for one in table.creatures if one.controller == table.player}
    if cast.sacrificed is None:
        return len(own) >= table.sacrifices
    return set(cast.sacrificed) <= own and len(cast.sacrificed) == table.sacrifices


def _owed(table: Table, spell: Spell, x: int) -> Counter[str]:
    def with_x(cost: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return cost and tuple(str(x) if symbol == "X" else symbol for symbol in cost)

    cost = with_x(spell.cost) or ()
    return total(table.state, replace(spell, cost=cost, flashback=with_x(spell.flashback), spectacle=with_x(spell.spectacle)))


def _paid(table: Table, cast: Cast, spell: Spell) -> bool:
    """118.3, 601.2h - what is named pays exactly and is there; what is not named can be paid."""
    owed = _owed(table, spell, cast.x)
    pool = table.state.pool or None
    if cast.pay is None:
        return pool is None or payable(owed, pool)
    named = Counter(symbol for symbol in cast.pay if not symbol.isdecimal() and symbol != LIFE)
    named["1"] = sum(int(symbol) for symbol in cast.pay if symbol.isdecimal())
    life = (LIFE,) * cast.pay.count(LIFE)
    return exactly(owed, (*named.elements(), *life)) and (pool is None or payable(named, pool))


def exactly(owed: Counter[str], mana: tuple[str, ...]) -> bool:
    """Return whether all of `mana`, in which `1` is mana of no kind that is said and `LIFE` 2 life, pays `owed`, by trying everything."""

    @cache
    def pay(symbols: tuple[str, ...], left: tuple[str, ...]) -> bool:
        if not symbols:
            return not left
        first, rest = symbols[0], symbols[1:]
        for half in first.split("/"):
            if half == "2" and "/" in first and pay((*rest, "1", "1"), left):
                return True
            for place, one in enumerate(left):
                if (half == one or (half == "1" and one != LIFE)) and pay(rest, left[:place] + left[place + 1 :]):
                    return True
        return False

    return pay(tuple(sorted(owed.elements())), tuple(sorted(mana)))


def distance(one: Cast, other: Cast) -> int:
    """Return in how many parts two casts differ, of which the same parts are said."""
    given, wanted = set(one.sacrificed or ()), set(other.sacrificed or ())
    return (
        (one.way != other.way)
        + abs(one.kicked - other.kicked)
        + edits(one.modes or (), other.modes or ())
        + edits(one.targets or (), other.targets or ())
        + max(len(given - wanted), len(wanted - given))
        + (Counter(one.pay or ()) != Counter(other.pay or ()))
        + (one.x != other.x)
    )


def edits(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """Return how many members have to be replaced, added or dropped to make one list the other."""
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return edits(one[1:], other[1:])
    return 1 + min(edits(one[1:], other[1:]), edits(one[1:], other), edits(one, other[1:]))


def nearest(table: Table, proposed: Cast) -> int | None:
    """Return in how few parts a legal cast differs from what was proposed; None if none is legal."""
    found = [changes for cast, changes in every_cast(table, proposed) if lawful(table, cast)]
    return min(found, default=None)


def every_cast(table: Table, proposed: Cast) -> Iterator[tuple[Cast, int]]:
    """Yield all casts that say what `proposed` says, each with the distance, but payments only as far as they are of use."""
    names = [one.name for one in table.creatures]
    numbers = range(len(table.targets) + 1)
    modes = [()] if not table.modal else [(number,) for number in numbers if number]
    choices = itertools.product(
        ("", "flashback", "spectacle"),
        (0, 1),
        [None, *modes] if proposed.modes is None else modes,
        [None] if proposed.targets is None else [some for size in (0, 1, 2) for some in itertools.permutations(names, size)],
        [None] if proposed.sacrificed is None else [some for size in (0, 1, 2) for some in itertools.combinations(names, size)],
        range(5),
    )
    for way, kicked, chosen, targets, sacrificed, x in choices:
        cast = Cast(way, kicked, chosen, targets, sacrificed, proposed.pay, x)
        yield cast, distance(proposed, cast)
        if proposed.pay is not None:
            for pay in _payments(table, cast):
                other = replace(cast, pay=pay)
                if Counter(pay) != Counter(proposed.pay):
                    yield other, distance(proposed, other)


def _payments(table: Table, cast: Cast) -> Iterator[tuple[str, ...]]:
    """Yield what the costs of all ways to do it could be paid with: each hybrid symbol by each of its halves."""
    for way in dict.fromkeys((cast.way, "flashback", "spectacle")):
        owed = _owed(table, replace(table.spell, way=way, kicked=cast.kicked > 0), cast.x)
        halves = [[("1", "1") if half == "2" else (half,) for half in symbol.split("/")] for symbol in owed.elements() if "/" in symbol]
        plain = [symbol for symbol in owed.elements() if "/" not in symbol]
        for paid in itertools.product(*halves):
            yield (*plain, *itertools.chain.from_iterable(paid))
