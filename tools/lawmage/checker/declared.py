"""A declaration in the form that both checks of declarations read, and whether what it costs is paid (508.1h-j, 509.1d-f)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lawmage.play.mana import mana_amounts

__all__ = ["Broken", "Declared", "Obeyed", "overdrawn", "underpaid"]

#: A rule that a declaration disobeys, and the objects that this is about.
Broken = tuple[str, frozenset[str]]
#: A requirement that a declaration obeys: the number of its statement, and the objects that it is about.
Obeyed = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Declared:
    """What each creature attacks (one thing) or blocks, what is paid for it, and the bands of attackers.

    `by`: for everything that is attacked or blocked, the creatures that do so.
    """

    pairs: Mapping[str, tuple[str, ...]]
    paid: Mapping[str, str] = field(default_factory=dict)
    bands: tuple[tuple[str, ...], ...] = ()
    by: Mapping[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        by: defaultdict[str, set[str]] = defaultdict(set)
        for creature, others in self.pairs.items():
            for other in others:
                by[other].add(creature)
        object.__setattr__(self, "by", {other: frozenset(creatures) for other, creatures in by.items()})


def underpaid(prices: Sequence[str], paid: str) -> bool:
    """Tell whether `paid` is not what `prices` ask for together: all of the mana, in kinds that can pay it, and no more.

    A price in other symbols than numbers and single kinds of mana is only known not to be paid by nothing.
    """
    due: Counter[str] = Counter()
    for price in prices:
        amounts = mana_amounts(price)
        if not amounts:
            return not paid
        due.update(amounts)
    given = Counter(mana_amounts(paid))
    return given.total() != due.total() or any(given[kind] < amount for kind, amount in due.items() if kind != "generic")


def overdrawn(pool: str | None, paid: Iterable[str]) -> bool:
    """Tell whether more is paid than a mana pool holds (118.3), each kind for itself and all together; None: it is not stated."""
    if pool is None:
        return False
    held, given = Counter(mana_amounts(pool)), Counter[str]()
    for payment in paid:
        given.update(mana_amounts(payment))
    return given.total() > held.total() or any(amount > held[kind] for kind, amount in given.items() if kind != "generic")
