"""Costs as written on cards -> mana and what else is done: "{3}{B}, exile four other cards from your graveyard".

Also how kb/keywords/ writes what keywords cost, with the slots {cost} and {number} filled in.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from lawmage.constraints import Filter, Test
from lawmage.text.described import described, number_of
from lawmage.text.words import listed

__all__ = ["Act", "Price", "read_cost", "symbols"]

#: Words for the mana symbols in asp/; every other symbol stands for itself.
_SYMBOLS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless", "S": "snow", "X": "x"}
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_MANA = re.compile(r"[WUBRGCSXYZ]|(?:2|[WUBRGC])/[WUBRGCP](?:/P)?")
_LONGEST = 400
_VERBS = "sacrifice|discard|exile|tap|untap|return|reveal"
_ACT = re.compile(
    rf"(?P<verb>{_VERBS}) (?P<most>up to )?(?P<number>one or more|an?|another|\w+) (?P<what>.+?)"
    r"(?P<zone> from (?:among )?your (?:hand|graveyard|hand or graveyard)| from among permanents you control and cards in your graveyard)?"
    r"(?: to (?:its|their) owner's hands?| to (?:your )?hand)?"
)
_ITSELF = (
    r"(?:this (?:card|permanent|creature|artifact|enchantment|land|equipment|vehicle|class|case|saga|token|spell|attraction|aura)"
    r"|~|it)"
)
_SELF = re.compile(rf"(?P<verb>{_VERBS}) {_ITSELF}(?: from your (?:hand|graveyard))?(?: to its owner's hand)?")
_POWER = re.compile(r"tap (?:any number of|your) (?P<what>.+?),? (?:with|of) total power (?P<number>\d{1,4}) or (?:greater|more)")
_LIFE = re.compile(r"(?:pay )?(\d{1,6}) life")
#: Loyalty and defense are told by keys of their own.
_COUNTERS = re.compile(r"remove (?P<number>an?|\w+) (?P<kind>(?!loyalty|defense)[\w+/-]+(?: [\w-]+)?) counters? from (?P<itself>.+)")
#: Where what each verb is done to is, unless the words say otherwise.
_ZONES = {verb: zone for zone in ("battlefield", "hand") for verb in listed("acts", zone)}


@dataclass(frozen=True, slots=True)
class Act:
    """Something done to pay, to objects of the player who pays.

    Attributes:
        verb: `sacrifice`, `discard`, `exile`, `tap`, `untap`, `return` or `reveal`.
        itself: whether it is done to the object that the cost belongs to, and to nothing else.
        number: to how many objects, or None: any number of them with at least `power` in all.
        up_to: whether to none, or fewer, is enough.
        or_more: whether to more is fine, too.
        what: what each of them is.
        zones: where each is.
    """

    verb: str
    itself: bool = False
    number: int | None = 1
    up_to: bool = False
    or_more: bool = False
    power: int = 0
    what: Filter | None = None
    zones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Price:
    """A cost: how much of each mana symbol (`generic`, `white`, ..., `x`, or such as `2/W`), life, and what else is done.

    `unpayable` is that of what has no mana cost (118.6), whatever is added to it (118.6a); `counters` of such kinds are taken off the
    object itself.
    """

    mana: tuple[tuple[str, int], ...] = ()
    life: int = 0
    acts: tuple[Act, ...] = ()
    unpayable: bool = False
    counters: tuple[tuple[str, int], ...] = ()

    def plus(self, other: Price) -> Price:
        """Return both costs together."""
        mana = Counter(dict(self.mana))
        mana.update(dict(other.mana))
        return Price(
            tuple(mana.items()),
            self.life + other.life,
            self.acts + other.acts,
            self.unpayable or other.unpayable,
            self.counters + other.counters,
        )

    def narrowed(self, quality: Filter) -> Price:
        """Return the cost with what is done to objects done to such as fit `quality`, too."""
        return replace(self, acts=tuple(act if act.what is None else replace(act, what=_both(act.what, quality)) for act in self.acts))


def symbols(written: str) -> dict[str, int] | None:
    """Return how much of each symbol a sequence of mana symbols has, or None where it is not one."""
    if _SYMBOL.sub("", written).strip():
        return None
    amounts: Counter[str] = Counter()
    for symbol in _SYMBOL.findall(written.upper()):
        if symbol.isdecimal():
            amounts["generic"] += int(symbol)
        elif not _MANA.fullmatch(symbol):
            return None
        else:
            amounts[_SYMBOLS.get(symbol, symbol)] += 1
    return {symbol: amount for symbol, amount in amounts.items() if amount}


@lru_cache(maxsize=4096)
def read_cost(written: str) -> Price | None:
    """Return what a cost asks for, or None where a part of it is not understood.

    Args:
        written: parts between commas and "and", in any case; "nothing" and an empty text are no cost at all.
    """
    text = " ".join(written.lower().replace("’", "'").split()).removesuffix(".")
    if len(text) > _LONGEST:
        return None
    if text in ("", "nothing"):
        return Price()
    price = Price()
    for part in _parts(text):
        found = _part(part)
        if found is None:
            return None
        price = price.plus(found)
    return price


def _parts(text: str) -> list[str]:
    """Part a cost where a new verb or symbol begins."""
    verbs = rf"(?:{_VERBS}|pay|remove) "
    return [part for part in re.split(rf",? and (?={verbs})|, (?={verbs}|\{{|\d+ life)", text) if part]


def _part(text: str) -> Price | None:
    if text.startswith("{"):
        mana = symbols(text)
        if mana is not None:
            return Price(tuple(mana.items()))
        if text in ("{t}", "{q}"):
            return Price(acts=(Act("tap" if text == "{t}" else "untap", itself=True),))
        return None
    if text.startswith("pay {"):
        return _part(text.removeprefix("pay "))
    if match := _LIFE.fullmatch(text):
        return Price(life=int(match[1]))
    if (match := _COUNTERS.fullmatch(text)) and re.fullmatch(_ITSELF, match["itself"]):
        amount = number_of(match["number"])
        return None if amount is None else Price(counters=((match["kind"], amount),))
    if match := _SELF.fullmatch(text):
        return Price(acts=(Act(match["verb"], itself=True),))
    if match := _POWER.fullmatch(text):
        what = described(match["what"])
        power = int(match["number"])
        return None if what is None else Price(acts=(Act("tap", number=None, power=power, what=what, zones=("battlefield",)),))
    match = _ACT.fullmatch(text)
    if match is None:
        return None
    more = match["number"] == "one or more"
    number = 1 if more else number_of(match["number"])
    if number is None:
        return None
    what = described(match["what"])
    if what is None:
        return None
    if match["number"] == "another":
        what = Filter(tuple((Test("other"), *tests) for tests in what.any_of))
    zone = match["zone"] or ""
    among = ("battlefield",) if "permanents" in zone else ()
    zones = (*among, *(word for word in ("hand", "graveyard") if word in zone)) or (_ZONES[match["verb"]],)
    act = Act(match["verb"], number=number, up_to=bool(match["most"]), or_more=more, what=_without_control(what), zones=zones)
    return Price(acts=(act,))


def _both(what: Filter, quality: Filter) -> Filter:
    return Filter(tuple((*one, *other) for one in what.any_of for other in quality.any_of))


def _without_control(what: Filter) -> Filter:
    """Leave out that the player who pays controls it: nobody can pay with what is another's."""
    yours = Test("controlled_by", "you")
    return replace(what, any_of=tuple(tuple(test for test in tests if test != yours) for tests in what.any_of))
