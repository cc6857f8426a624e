"""A declaration in the form that both checks of declarations read, and whether what it costs is paid (508.1h-j, 509.1d-f)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lawmage.board import Player
from lawmage.checker.filters import Being
from lawmage.play.mana import is_twofold, kinds_for, mana_amounts, paid_amounts, source_of

__all__ = ["ActCost", "Broken", "Declared", "Having", "Obeyed", "having", "overdrawn", "paid_twice", "underpaid", "undone"]

#: A rule that a declaration disobeys, and the objects that this is about.
Broken = tuple[str, frozenset[str]]
#: A requirement that a declaration obeys: the number of its statement, and the objects that it is about.
Obeyed = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Declared:
    """What each creature attacks (one thing) or blocks, what is paid and what is done with what for it, and the bands of attackers.

    `by`: for everything that is attacked or blocked, the creatures that do so.
    """

    pairs: Mapping[str, tuple[str, ...]]
    paid: Mapping[str, str] = field(default_factory=dict)
    acts: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    bands: tuple[tuple[str, ...], ...] = ()
    by: Mapping[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        by: defaultdict[str, set[str]] = defaultdict(set)
        for creature, others in self.pairs.items():
            for other in others:
                by[other].add(creature)
        object.__setattr__(self, "by", {other: frozenset(creatures) for other, creatures in by.items()})

    @property
    def tapped(self) -> list[str]:
        """What is tapped to pay, in no order; twice where it is twice."""
        return [name for acts in self.acts.values() for act, name in acts if act == _TAP]

    @property
    def gone(self) -> list[str]:
        """What leaves the battlefield to pay, in no order; twice where it does so twice."""
        return [name for acts in self.acts.values() for act, name in acts if act != _TAP]


_TAP = "tap"


@dataclass(frozen=True, slots=True)
class ActCost:
    """A cost: what is to be done with how many permanents, and with which it can be done."""

    act: str
    number: int
    fitting: frozenset[str]


def undone(costs: Sequence[ActCost], acts: Sequence[tuple[str, str]]) -> bool:
    """Tell whether what is done is not what `costs` ask for together: with so many permanents for each, and nothing else."""
    for act in {cost.act for cost in costs} | {act for act, _ in acts}:
        have = [(frozenset({name}), 1) for done, name in acts if done == act]
        want = [(cost.fitting, cost.number) for cost in costs if cost.act == act]
        if len(have) != sum(number for _, number in want) or not _covers(have, want):
            return True
    return False


def paid_twice(declared: Declared, there: Collection[str]) -> bool:
    """Tell whether something of what is there is tapped, or leaves the battlefield, twice (118.3)."""
    often = (Counter(name for name in names if name in there) for names in (declared.tapped, declared.gone))
    return any(number > 1 for counted in often for number in counted.values())


@dataclass(frozen=True, slots=True)
class Having:
    """What a player can pay with: the pool (None: the board does not say), life, and the mana that each permanent can add."""

    pool: str | None
    life: int
    sources: tuple[tuple[frozenset[str], ...], ...]


#: 305.6
_OF_LAND = {"plains": "white", "island": "blue", "swamp": "black", "mountain": "red", "forest": "green"}


def having(
    player: Player, beings: Mapping[str, Being], hasty: Callable[[str], bool], tapped: Collection[str], giving: Collection[str]
) -> Having:
    """Return what a player can pay with.

    Args:
        player: who pays.
        beings: what is there.
        hasty: tells which creatures ignore 302.6.
        tapped: what is tapped for something else.
        giving: what something else is done with to pay, after mana is added, so that it can't be sacrificed for mana.
    """
    sources = []
    for name, being in beings.items():
        thing = being.thing
        read = source_of(thing)
        of_type = {_OF_LAND[subtype] for subtype in being.subtypes & _OF_LAND.keys()} if "land" in being.types else set()
        mana = list(read.mana) if read else [frozenset[str]()] if of_type else []
        if of_type:
            mana[0] |= of_type
        taps = bool(of_type) or (read is not None and read.taps)
        idle = thing.tapped or name in tapped or (thing.sick and "creature" in being.types and not hasty(name))
        consumed = read is not None and bool(read.sacrificed) and name in giving
        if mana and thing.controller == player.name and not (taps and idle) and not consumed:
            # 107.4h
            snow = {"snow"} & being.supertypes
            sources.append(tuple(kinds | snow for kinds in mana))
    return Having(player.mana, player.life, tuple(sources))


def underpaid(prices: Sequence[str], paid: str) -> bool:
    """Tell whether `paid` is not what `prices` ask for together: all of it, in kinds that can pay it, and no more.

    A price in other words than symbols and life is only known not to be paid by nothing.
    """
    due: Counter[str] = Counter()
    for price in prices:
        amounts = mana_amounts(price)
        if not amounts:
            return not paid
        due.update(amounts)
    given = Counter(paid_amounts(paid))
    life = given.pop(_LIFE, 0) - due.pop(_LIFE, 0)
    # 107.4f: what is not paid with mana is paid with 2 life for each Phyrexian symbol.
    if life < 0 or life % 2:
        return True
    have = [(kinds_for(kind) if kind != "generic" else _ANY, amount) for kind, amount in given.items()] + [(frozenset({_LIFE}), life // 2)]
    twofold = {symbol: due.pop(symbol) for symbol in list(due) if is_twofold(symbol)}
    # 107.4e: so many of these are paid with two mana that as much is asked for as is paid.
    twice = given.total() + life // 2 - due.total() - sum(twofold.values())
    return not any(_covers(have, _wanted(due, twofold, chosen)) for chosen in _choices(list(twofold.items()), twice))


def _choices(left: Sequence[tuple[str, int]], twice: int) -> Iterator[dict[str, int]]:
    """Yield each way to choose that `twice` of the symbols in all are paid with two mana: how many of each."""
    if not 0 <= twice <= sum(number for _, number in left):
        return
    if not left:
        yield {}
        return
    (symbol, number), *rest = left
    for some in range(min(number, twice) + 1):
        yield from ({symbol: some, **others} for others in _choices(rest, twice - some))


def _wanted(due: Mapping[str, int], twofold: Mapping[str, int], twice: Mapping[str, int]) -> list[tuple[frozenset[str], int]]:
    """Return the kinds of mana that are asked for, each with how much, where `twice` of the symbols are paid with two mana."""
    generic = due.get("generic", 0) + 2 * sum(twice.values())
    asked = [(kinds_for(symbol), amount) for symbol, amount in due.items() if symbol != "generic"]
    asked += [(kinds_for(symbol), number - twice[symbol]) for symbol, number in twofold.items()]
    return [*asked, (kinds_for("generic") | _ANY, generic)]


def overdrawn(having: Having, paid: Iterable[str]) -> bool:
    """Tell whether more is paid than a player has and can add (118.3); nothing is where the board does not say what the pool holds."""
    if having.pool is None:
        return False
    given = Counter[str]()
    for payment in paid:
        given.update(paid_amounts(payment))
    have = [(kinds_for(kind) if kind != "generic" else _ANY, amount) for kind, amount in paid_amounts(having.pool).items()]
    have += [(kinds, 1) for source in having.sources for kinds in source]
    # 107.4f: a Phyrexian symbol that is named as paid is paid with its color, or with 2 life of what is left.
    have.append((frozenset({_LIFE}), max(0, having.life - given[_LIFE]) // 2))
    want = [(kinds_for(kind) if kind != "generic" else kinds_for(kind) | _ANY, amount) for kind, amount in given.items() if kind != _LIFE]
    return given[_LIFE] > having.life or not _covers(have, want)


#: Mana of which a file does not say of what kind it is pays for what any mana pays.
_LIFE, _UNNAMED = "life", "unnamed"
_ANY = frozenset({_UNNAMED})
_Amounts = Sequence[tuple[frozenset[str], int]]


def _covers(have: _Amounts, want: _Amounts) -> bool:
    """Tell whether each of what is wanted gets one of what there is that has a kind in common: a flow, path by path."""
    left = [amount for _, amount in have]
    used = [[0] * len(have) for _ in want]

    def find(wish: int, seen: set[int]) -> list[tuple[int, int]] | None:
        for number, (kinds, _) in enumerate(have):
            if number in seen or not kinds & want[wish][0]:
                continue
            seen.add(number)
            if left[number]:
                return [(wish, number)]
            for other in range(len(want)):
                if other != wish and used[other][number] and (rest := find(other, seen)) is not None:
                    return [(wish, number), (other, -number - 1), *rest]
        return None

    for wish, (_, amount) in enumerate(want):
        missing = amount
        while missing:
            path = find(wish, set())
            if path is None:
                return False
            gives_back = [used[other][-number - 1] for other, number in path if number < 0]
            moved = min([missing, left[path[-1][1]], *gives_back])
            for other, number in path:
                if number < 0:
                    used[other][-number - 1] -= moved
                else:
                    used[other][number] += moved
            left[path[-1][1]] -= moved
            missing -= moved
    return True
