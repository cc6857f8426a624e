"""Whether mana pays a total cost: facts for asp/entry/pay-total.lp.

Where each symbol that is owed asks for one thing, there is nothing to choose but which mana goes where. Then it pays if for each set of
symbols there is as much that may pay for one of them as they ask for together (Hall's condition); clingo decides about all else.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from lawmage.errors import InputError
from lawmage.play.facts import Facts
from lawmage.play.program import specialise
from lawmage.play.solver import ground, only_model
from lawmage.resources import data_folder

__all__ = ["BASIC", "MOST", "Payment", "add_symbols", "add_units", "can_spend", "in_symbols", "pays"]

#: What mana can be paid for.
BASIC = ("generic", "white", "blue", "black", "red", "green", "colorless", "snow")
_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C", "snow": "S", "x": "X"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}
#: More of one symbol than this is not tried.
MOST = 200


@dataclass(frozen=True, slots=True)
class Payment:
    """A total cost and what is there to pay it.

    Attributes:
        owed: how much of each mana symbol is owed.
        mana: how much of each kind of mana there is; `generic` is mana of a kind that is not named.
        exact: whether all of it is spent.
        helpers: what is done in place of paying mana, each with the kinds of mana that it pays one of.
        helped: whether another player may pay any of the generic mana.
        life: the life that is paid, or None where it is not stated.
        life_owed: the life that is asked for beside the mana.
        life_left: the life of the player who pays.
    """

    owed: Mapping[str, int]
    mana: Mapping[str, int]
    exact: bool = True
    helpers: Mapping[str, Collection[str]] = field(default_factory=dict)
    helped: bool = False
    life: int | None = None
    life_owed: int = 0
    life_left: int | None = None


def in_symbols(owed: Mapping[str, int]) -> str:
    """Return a total in symbols: `{X}{2}{W/U}{R}`, `{0}` for nothing."""
    amounts = Counter(dict(owed))
    text = "{X}" * amounts.pop("x", 0)
    generic = amounts.pop("generic", 0)
    text += f"{{{generic}}}" if generic else ""
    for symbol in sorted((one for one in amounts if one not in _LETTERS), key=str):
        text += f"{{{symbol.upper()}}}" * amounts[symbol]
    for color, letter in _LETTERS.items():
        text += f"{{{letter}}}" * amounts[color]
    return text or "{0}"


def add_symbols(facts: Facts, symbols: Iterable[str]) -> None:
    """Add what mana can be paid for, and by which halves each of the other `symbols`, such as `w/u`, can be."""
    for basic in BASIC:
        facts.add("basic", basic)
    for symbol in symbols:
        for half in symbol.upper().split("/") if symbol not in BASIC else ():
            basic = "generic" if half in ("2", "X", "Y", "Z") else "life" if half == "P" else _COLORS[half]
            facts.add("half", f'"{symbol}"', f'"{half}"', basic, 2 if half == "2" else 1)


def add_units(facts: Facts, predicate: str, mana: Mapping[str, int], *, after: int = 0) -> None:
    """Add mana, by kinds: `predicate(U,N)` for N of the kind U, which are counted from `after` on, and what it may pay for."""
    for number, (kind, amount) in enumerate(mana.items(), start=after + 1):
        facts.add(predicate, number, amount)
        for basic in _may(kind):
            facts.add("may", number, basic)


def _may(kind: str) -> tuple[str, ...]:
    """Return what mana of a kind may pay for."""
    return ("generic",) if kind not in BASIC or kind == "generic" else ("generic", kind)


def pays(payment: Payment) -> bool:
    """Return whether the mana and the help pay what is owed.

    Raises:
        InputError: for amounts beyond 200 of a symbol.
    """
    if any(amount > MOST for amounts in (payment.owed, payment.mana) for amount in amounts.values()):
        raise InputError(f"a cost or payment of more than {MOST} of one mana symbol is not judged")
    if not payment.helped and all(symbol in BASIC for symbol in payment.owed):
        return _is_enough(payment)
    return _is_found(payment)


def _is_found(payment: Payment) -> bool:
    """Return whether clingo finds a way to pay."""
    facts = Facts()
    add_symbols(facts, payment.owed)
    for symbol, amount in payment.owed.items():
        facts.add("owed", symbol if symbol in BASIC else f'"{symbol}"', amount)
    add_units(facts, "unit", payment.mana)
    for number, kinds in enumerate(payment.helpers.values(), start=len(payment.mana) + 1):
        facts.add("unit", number, 1)
        for kind in kinds:
            facts.add("may", number, kind)
    if payment.exact:
        facts.add("exact")
    facts.add("life_owed", payment.life_owed)
    for name, life in (("life_paid", payment.life), ("life_left", payment.life_left)):
        if life is not None:
            facts.add(name, life)
    if payment.helped:
        facts.add("helped")
    program = specialise(data_folder("asp") / "entry" / "pay-total.lp", facts.signatures)
    return only_model(ground("", rules=program.rules, facts=program.taken(facts.relations()))) is not None


def _is_enough(payment: Payment) -> bool:
    """Return what `pays` does where nobody helps and no symbol that is owed has halves."""
    units = [(amount, _may(kind)) for kind, amount in payment.mana.items()] + [(1, kinds) for kinds in payment.helpers.values()]
    if payment.life is not None and payment.life != payment.life_owed:
        return False
    if payment.exact and sum(amount for amount, _ in units) != sum(payment.owed.values()):
        return False
    for size in range(1, 1 + len(payment.owed)):
        for symbols in itertools.combinations(payment.owed, size):
            there = sum(amount for amount, kinds in units if not set(symbols).isdisjoint(kinds))
            if there < sum(payment.owed[symbol] for symbol in symbols):
                return False
    return True


def can_spend(named: Iterable[tuple[str, int]], pool: Iterable[tuple[str, int]], sources: Mapping[str, Collection[str]]) -> bool:
    """Return whether mana that is named as a payment is there, in the pool or from `sources`; both by symbols, sources as `helpers`."""
    return pays(Payment(owed=dict(named), mana=dict(pool), exact=False, helpers=sources))
