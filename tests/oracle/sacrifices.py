"""Sacrificing permanents to attack and to block, by trying everything (118.3, 508.1d, 508.1h-j, 509.1c-f)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

__all__ = ["Board", "Creature", "choices", "count", "to_scenario", "wrong"]


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature that could attack or block: how many permanents each of its texts asks for, and whether it has to act if able."""

    asks: tuple[int, ...] = ()
    must: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """Who acts, and what is there: `lands` of theirs and `others` of the other player's; creatures are sacrificed where `creatures_pay`."""

    creatures: tuple[Creature, ...]
    lands: int
    others: int
    creatures_pay: bool
    attack: bool

    def offered(self) -> list[str]:
        """Return what can be sacrificed."""
        return [f"c{n}" for n in range(len(self.creatures))] if self.creatures_pay else [f"l{n}" for n in range(self.lands)]


def choices(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield every choice of creatures that may attack or block."""
    numbers = range(len(board.creatures))
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def _obeyed(board: Board, acting: Sequence[int]) -> int:
    return sum(board.creatures[number].must for number in acting)


def _maximum(board: Board) -> int:
    """Return the most requirements that can be obeyed where nobody sacrifices anything."""
    return max(_obeyed(board, acting) for acting in choices(board) if not any(board.creatures[number].asks for number in acting))


def _assigned(needs: Sequence[int], offered: Sequence[str]) -> bool:
    """Tell whether each creature can have as many permanents as it needs, by trying all."""
    if not needs:
        return True
    return any(_assigned(needs[1:], [one for one in offered if one not in given]) for given in combinations(offered, needs[0]))


def count(board: Board) -> int:
    """Return the number of legal declarations for which some way to pay exists."""
    needs = {number: sum(creature.asks) for number, creature in enumerate(board.creatures)}
    return sum(
        _assigned([needs[number] for number in acting], board.offered()) and _obeyed(board, acting) >= _maximum(board)
        for acting in choices(board)
    )


def wrong(board: Board, given: Mapping[int, Sequence[str]]) -> bool:
    """Tell whether a declaration is illegal in which the creatures that are keys act, and what is named is sacrificed for each."""
    everything = [name for names in given.values() for name in names]
    return (
        any(len(names) != sum(board.creatures[number].asks) for number, names in given.items())
        or len(everything) != len(set(everything))
        or not set(everything) <= set(board.offered())
        or _obeyed(board, list(given)) < _maximum(board)
    )


def _written(creature: Creature, what: str, verb: str) -> str:
    lines = [f"This creature {verb}s each combat if able."] if creature.must else []
    for number in creature.asks:
        asked = f"a {what}" if number == 1 else f"{['', '', 'two', 'three'][number]} {what}s"
        lines.append(f"This creature can't {verb} unless you sacrifice {asked}.")
    return "\n".join(lines)


def to_scenario(board: Board, proposals: Mapping[str, Mapping[int, Sequence[str]]]) -> dict[str, Any]:
    """Return the board and the proposals, each as for `wrong`, in the form of a scenario file."""
    mine, theirs, verb = ("A", "D", "attack") if board.attack else ("D", "A", "block")
    what = "creature" if board.creatures_pay else "land"
    things: dict[str, Any] = {
        f"c{number}": {"controller": mine, "pt": "1/1", "text": _written(creature, what, verb)}
        for number, creature in enumerate(board.creatures)
    }
    things |= {f"l{number}": {"controller": mine, "types": ["land"], "tapped": number % 2 == 1} for number in range(board.lands)}
    things |= {f"o{number}": {"controller": theirs, "types": ["land", "creature"], "pt": "1/1"} for number in range(board.others)}
    scenario: dict[str, Any] = {
        "battlefield": things | {"m": {"controller": "A", "types": ["artifact", "creature"], "pt": "1/1", "sick": True}}
    }
    if board.attack:
        del scenario["battlefield"]["m"]
    else:
        scenario["attack"] = ["m"]
    other = {"target": "D"} if board.attack else {"attacker": "m"}
    scenario["propose"] = {
        name: {f"c{number}": other | ({"with": {"sacrifice": list(names)}} if names else {}) for number, names in given.items()}
        for name, given in proposals.items()
    }
    return scenario
