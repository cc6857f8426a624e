"""Whether players and objects have, are or did what a condition asks for, as the file gives it (119.1, 122.1, 402.1, 404.1, 725.1)."""

from __future__ import annotations

from lawmage.board import Board, Object
from lawmage.constraints import Condition, Test

__all__ = ["HAVING", "OF_OBJECTS", "cards_in_hand", "has"]

#: The conditions that ask so, and whom of objects they ask of.
HAVING = frozenset({"has_amount", "has_at_most", "has_cards", "designated", "happened"})
OF_OBJECTS = frozenset({"self", "attached"})


def has(board: Board, name: str, condition: Condition) -> bool:
    """Tell whether the player or object called `name` has, is or did what the condition asks for."""
    if condition.filter is not None:
        there = [thing for thing in board.objects.values() if thing.owner == name and thing.zone == condition.value]
        return sum(any(_is(thing, test) for (test,) in condition.filter.any_of) for thing in there) >= condition.number
    number = _happened(board, name, condition.value) if condition.kind == "happened" else _number(board, name, condition.value)
    return number <= condition.number if condition.kind == "has_at_most" else number >= condition.number


def cards_in_hand(board: Board, player: str) -> int:
    """Return how many cards a player has in hand (402.1)."""
    return _number(board, player, "hand")


def _is(thing: Object, test: Test) -> bool:
    words = {"type": thing.types, "subtype": thing.subtypes}[test.kind]
    return str(test.value).casefold() in map(str.casefold, words)


def _number(board: Board, name: str, what: str) -> int:
    if name not in board.players:
        thing = board.objects[name]
        if what in thing.designations:
            return 1
        of_kind = {f"{kind.lower()} counters": number for kind, number in thing.counters.items()}
        return sum(of_kind.values()) if what == "counters" else of_kind.get(what, 0)
    player = board.players[name]
    if what == "life":
        return player.life
    if what == "life_above_start":
        return player.life - int(player.extra["starting_total"])
    if what == "twice_life_above_start":
        return 2 * player.life - int(player.extra["starting_total"])
    if what in player.extra:
        return int(player.extra[what])
    of_zone = what.removeprefix("card_types_in_")
    there = [thing for thing in board.objects.values() if thing.owner == name and thing.zone == of_zone]
    return len(there) if of_zone == what else len({kind for thing in there for kind in thing.types})


def _happened(board: Board, name: str, what: str) -> int:
    told = board.history.get(what, ())
    return int(told.get(name, 0)) if isinstance(told, dict) else int(name in told)
