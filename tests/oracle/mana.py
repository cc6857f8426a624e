"""Paying to attack and to block, by trying everything.

From 106.4, 107.4e-f, 107.4h, 118.3, 302.6, 305.6, 508.1f-j, 509.1d-f, 605.3a, 702.10c and 702.20b. Every way to pay each symbol, with each
mana there is, is tried one after another. A mana is written as the letters of what it can be; S stands for that a snow source adds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

__all__ = ["Board", "Creature", "Source", "count", "payable", "symbols_of", "to_scenario", "wrong"]

_COLORS = "WUBRG"
_LANDS = {"W": "Plains", "U": "Island", "B": "Swamp", "R": "Mountain", "G": "Forest"}


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature that could attack or block: what that costs ("" for nothing), and what it can add, each mana one of some letters.

    `snow`: whether it is a snow source.
    """

    cost: str = ""
    adds: tuple[str, ...] = ()
    vigilance: bool = False
    haste: bool = False
    sick: bool = False
    tapped: bool = False
    snow: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A land of some basic types (letters), or an artifact that adds some mana; snow or not."""

    types: str = ""
    adds: tuple[str, ...] = ()
    tapped: bool = False
    snow: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """Who acts, what else they have, the pool (letters), and their life. `attack` or not: they attack, or block one creature."""

    creatures: tuple[Creature, ...]
    sources: tuple[Source, ...]
    pool: str
    life: int
    attack: bool


def symbols_of(cost: str) -> list[str]:
    """Return the symbols of `{2}{W/U}` one by one, a generic one as `1`."""
    found: list[str] = []
    for symbol in cost.replace("{", "").split("}")[:-1]:
        found += ["1"] * int(symbol) if symbol.isdecimal() else [symbol]
    return found


def _able(creature: Creature, *, attack: bool) -> bool:
    return not creature.tapped and not (attack and creature.sick and not creature.haste)


def _mana(board: Board, acting: Sequence[int]) -> list[str]:
    """Return all mana that there is and can be, each as the letters of what it can be."""
    mana = list(board.pool)
    for source in board.sources:
        if not source.tapped:
            mana += [one + "S" * source.snow for one in ([source.types] if source.types else source.adds)]
    for number, creature in enumerate(board.creatures):
        tapped = creature.tapped or (board.attack and number in acting and not creature.vigilance)
        if not tapped and not (creature.sick and not creature.haste):
            mana += [one + "S" * creature.snow for one in creature.adds]
    return mana


def _can_pay(symbols: Sequence[str], mana: Sequence[str], life: int) -> bool:
    if not symbols:
        return True
    symbol, rest = symbols[0], symbols[1:]
    if symbol.startswith("2/"):
        return _can_pay([symbol[2:], *rest], mana, life) or _can_pay([*rest, "1", "1"], mana, life)
    halves = _COLORS + "CS" if symbol == "1" else symbol.replace("/", "")
    if "P" in halves and life >= 2 and _can_pay(rest, mana, life - 2):
        return True
    tried = set()
    for number, one in enumerate(mana):
        if one not in tried and set(one) & set(halves):
            tried.add(one)
            if _can_pay(rest, [*mana[:number], *mana[number + 1 :]], life):
                return True
    return False


def payable(board: Board, acting: Sequence[int]) -> bool:
    """Tell whether what it costs that the creatures `acting` attack or block can be paid."""
    symbols = [symbol for number in acting for symbol in symbols_of(board.creatures[number].cost)]
    # What can be paid in the fewest ways first.
    symbols.sort(key=lambda symbol: 6 if symbol == "1" else len(symbol))
    return _can_pay(symbols, _mana(board, acting), board.life)


def choices(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield every choice of creatures that may attack or block."""
    able = [number for number, creature in enumerate(board.creatures) if _able(creature, attack=board.attack)]
    return chain.from_iterable(combinations(able, size) for size in range(len(able) + 1))


def count(board: Board) -> int:
    """Return the number of declarations for which some way to pay exists."""
    return sum(payable(board, acting) for acting in choices(board))


def wrong(board: Board, paid: Mapping[int, str]) -> bool:
    """Tell whether a declaration is illegal in which the creatures that are keys attack or block, each for what is named, such as `WU2`.

    A payment has letters for mana and, behind them, a number of life in all.
    """
    if any(not _able(board.creatures[number], attack=board.attack) for number in paid):
        return True
    mana, life = "", 0
    for number, payment in paid.items():
        letters, points = payment.rstrip("0123456789"), int(payment[len(payment.rstrip("0123456789")) :] or 0)
        if not _pays_exactly(symbols_of(board.creatures[number].cost), letters, points):
            return True
        mana, life = mana + letters, life + points
    return life > board.life or not _can_pay(list(mana), _mana(board, list(paid)), 0)


def _pays_exactly(symbols: Sequence[str], letters: str, life: int) -> bool:
    if not symbols:
        return not letters and life == 0
    symbol, rest = symbols[0], symbols[1:]
    if symbol.startswith("2/"):
        return _pays_exactly([symbol[2:], *rest], letters, life) or _pays_exactly([*rest, "1", "1"], letters, life)
    halves = _COLORS + "CS" if symbol == "1" else symbol.replace("/", "")
    if "P" in halves and life >= 2 and _pays_exactly(rest, letters, life - 2):
        return True
    return any(letter in halves and _pays_exactly(rest, letters.replace(letter, "", 1), life) for letter in set(letters))


# ---------------------------------------------------------------- as a scenario


def _added(adds: Sequence[str]) -> str:
    if len(adds) == 1 and len(adds[0]) > 1:
        return "{T}: Add " + " or ".join(f"{{{letter}}}" for letter in adds[0]) + "."
    return "{T}: Add " + "".join(f"{{{letter}}}" for letter in adds) + "."


def _written(creature: Creature, *, attack: bool) -> dict[str, Any]:
    verb = "attack" if attack else "block"
    lines = [f"This creature can't {verb} unless you pay {creature.cost}."] if creature.cost else []
    lines += [_added(creature.adds)] if creature.adds else []
    keywords = [name for name in ("vigilance", "haste") if getattr(creature, name)]
    thing = {"controller": "A" if attack else "D", "pt": "1/1", "keywords": keywords, "text": "\n".join(lines)}
    return thing | {"sick": creature.sick, "tapped": creature.tapped, "supertypes": _supertypes(creature)}


def _supertypes(thing: Creature | Source) -> list[str]:
    return ["snow"] if thing.snow else []


def to_scenario(board: Board, proposals: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
    """Return the board and the proposals, each as for `wrong`, in the form of a scenario file."""
    mine = "A" if board.attack else "D"
    players: dict[str, Any] = {"A": {}, "D": {}}
    players[mine] = {"mana": "".join(f"{{{letter}}}" for letter in board.pool) or "{0}", "life": board.life}
    things = {f"c{number}": _written(creature, attack=board.attack) for number, creature in enumerate(board.creatures)}
    for number, source in enumerate(board.sources):
        thing: dict[str, Any] = {"controller": mine, "tapped": source.tapped, "supertypes": _supertypes(source)}
        if source.types:
            thing |= {"types": ["land"], "subtypes": [_LANDS[letter] for letter in source.types]}
        else:
            thing |= {"types": ["artifact"], "text": _added(source.adds)}
        things[f"s{number}"] = thing
    other = "target" if board.attack else "attacker"
    against = "D" if board.attack else "m"
    scenario: dict[str, Any] = {"players": players, "battlefield": things}
    if not board.attack:
        things["m"] = {"controller": "A", "pt": "1/1"}
        scenario["attack"] = ["m"]
    scenario["propose"] = {
        name: {f"c{number}": {other: against} | _payment(payment) for number, payment in paid.items()} for name, paid in proposals.items()
    }
    return scenario


def _payment(payment: str) -> dict[str, str]:
    letters = payment.rstrip("0123456789")
    parts = ["".join(f"{{{letter}}}" for letter in letters)] if letters else []
    if len(letters) < len(payment):
        parts.append(f"{payment[len(letters) :]} life")
    return {"pay": ", ".join(parts)} if parts else {}
