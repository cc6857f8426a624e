"""What depends on who blocks whom, paid with mana, by trying everything (509.1c-f)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

__all__ = ["Attacker", "Blocker", "Board", "blocks", "count", "owed", "to_scenario", "wrong"]

#: What each creature blocks, and how much mana is paid for it.
Paid = Mapping[int, int]
Block = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Attacker:
    """An attacking creature: how much each of its texts, or of its Auras, asks for each creature that blocks it."""

    strong: bool = False
    must: bool = False
    each: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocker:
    """A creature that could block: what blocking costs, for each of its counters too, and what blocking strong creatures costs besides."""

    flat: int = 0
    counters: int = 0
    against: tuple[int, ...] = ()
    must: bool = False
    two: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """What attacks, what could block, what mana there is (None: it isn't said).

    `wave` is asked for blocking any; `hand`, the cards in the attacking player's hand, for blocking (0: nothing is).
    """

    attackers: tuple[Attacker, ...]
    blockers: tuple[Blocker, ...]
    pool: int | None
    wave: int = 0
    hand: int = 0


def blocks(board: Board) -> Iterator[Block]:
    """Yield what each creature may block."""
    numbers = range(len(board.attackers))
    yield from product(*[[(), *combinations(numbers, 1), *(combinations(numbers, 2) if blocker.two else ())] for blocker in board.blockers])


def owed(board: Board, number: int, blocked: tuple[int, ...]) -> int:
    """Return what has to be paid so that a creature blocks these."""
    blocker = board.blockers[number]
    if not blocked:
        return 0
    strong = any(board.attackers[attacker].strong for attacker in blocked)
    each = sum(sum(board.attackers[attacker].each) for attacker in blocked)
    return blocker.flat + blocker.counters + board.hand + board.wave + each + (sum(blocker.against) if strong else 0)


def _obeyed(board: Board, block: Block) -> int:
    blocking = sum(blocker.must and bool(blocked) for blocker, blocked in zip(board.blockers, block, strict=True))
    return blocking + sum(attacker.must and any(number in blocked for blocked in block) for number, attacker in enumerate(board.attackers))


def _maximum(board: Board) -> int:
    free = (block for block in blocks(board) if not any(owed(board, number, blocked) for number, blocked in enumerate(block)))
    return max(_obeyed(board, block) for block in free)


def _total(board: Board, block: Block) -> int:
    return sum(owed(board, number, blocked) for number, blocked in enumerate(block))


def count(board: Board) -> int:
    """Return the number of legal blocks."""
    most = _maximum(board)
    payable = (block for block in blocks(board) if board.pool is None or _total(board, block) <= board.pool)
    return sum(_obeyed(board, block) >= most for block in payable)


def wrong(board: Board, block: Block, paid: Paid) -> bool:
    """Tell whether a block is illegal for which so much is paid."""
    needed = {number: owed(board, number, blocked) for number, blocked in enumerate(block) if blocked}
    # What is paid for nothing is no matter of the rules.
    short = any(amount and paid.get(number, 0) != amount for number, amount in needed.items())
    given = sum(paid.get(number, 0) for number in needed)
    return short or (board.pool is not None and given > board.pool) or _obeyed(board, block) < _maximum(board)


def to_scenario(board: Board, proposals: Mapping[str, tuple[Block, Paid]]) -> dict[str, Any]:
    """Return the board and the proposals in the form of a scenario file."""
    things: dict[str, Any] = {}
    for number, attacker in enumerate(board.attackers):
        lines = ["This creature must be blocked if able."] if attacker.must else []
        things[f"a{number}"] = {"controller": "A", "pt": "3/3" if attacker.strong else "2/2", "text": "\n".join(lines)}
        for index, price in enumerate(attacker.each):
            text = (
                f"Enchanted creature can't be blocked unless defending player pays {{{price}}} for each creature they control "
                "that's blocking it."
            )
            aura = {"controller": "A", "types": ["enchantment"], "subtypes": ["Aura"], "attached_to": f"a{number}", "text": text}
            things[f"e{number}{index}"] = aura
    for number, blocker in enumerate(board.blockers):
        lines = [f"This creature can't block creatures with power 3 or greater unless you pay {{{price}}}." for price in blocker.against]
        lines += [f"This creature can't block unless you pay {{{blocker.flat}}}."] if blocker.flat else []
        lines += ["This creature can't block unless you pay {1} for each charge counter on it."] if blocker.counters else []
        lines += ["This creature blocks each combat if able."] if blocker.must else []
        lines += ["This creature can block an additional creature each combat."] if blocker.two else []
        things[f"b{number}"] = {"controller": "D", "pt": "1/1", "text": "\n".join(lines), "counters": {"charge": blocker.counters}}
    if board.hand:
        where = "where X is the number of cards in your hand"
        text = f"Creatures can't block unless their controller pays {{X}} for each of those creatures, {where}."
        things["h"] = {"controller": "A", "types": ["enchantment"], "text": text}
    if board.wave:
        text = f"Creatures can't block creatures you control unless their controller pays {{{board.wave}}} for each of those creatures."
        things["w"] = {"controller": "A", "types": ["enchantment"], "text": text}
    return {
        "players": {"A": {}, "D": {} if board.pool is None else {"mana": f"{{{board.pool}}}"}},
        "battlefield": things,
        "hand": {f"c{number}": {"owner": "A"} for number in range(board.hand)},
        "attack": [f"a{number}" for number in range(len(board.attackers))],
        "propose": {
            name: {
                f"b{number}": {"attackers": [f"a{attacker}" for attacker in blocked]}
                | ({"pay": f"{{{paid[number]}}}"} if paid.get(number) else {})
                for number, blocked in enumerate(block)
                if blocked
            }
            for name, (block, paid) in proposals.items()
        },
    }
