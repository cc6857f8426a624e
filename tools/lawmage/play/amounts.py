"""What a board tells of players and objects that conditions ask for: how much they have of something, what they are, what has happened.

The words are those that the conditions of sentences.lark have for it (lm:value in kb/). What the board does not tell stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lawmage.board import Board, Object, Player
from lawmage.constraints import Condition

__all__ = ["amounts_of", "cards_in", "tells"]

#: Words for counters end so; alone it is the word for counters of any kind.
_COUNTERS = "counters"
#: So begins the word for the number of card types in a zone, which is told where all cards in it are.
_TYPES_IN = "card_types_in_"
#: What has happened this turn; and what of it combat may bring about later, so that nothing is known before it has happened.
_HISTORY = frozenset({"drawn_this_turn", "cast_this_turn", "lost_life", "gained_life", "entered"})
_IN_COMBAT = frozenset({"lost_life", "gained_life"})


def tells(board: Board, condition: Condition, you: str, thing: Object | None, *, zones: bool = True) -> bool:
    """Return whether the board tells all that a condition asks for.

    Args:
        you: the player whom "you" means.
        thing: the object that "this creature" means, if there is one.
        zones: whether cards stay where they are while this is asked, as they do not while a spell is cast.
    """
    value, who = condition.value, condition.who
    if value in _IN_ZONES and (not zones or _left_to_pay(board)):
        return False
    if who in ("self", "attached"):
        what = board.objects.get(thing.attached_to or "") if thing is not None and who == "attached" else thing
        return what is not None and _of_object(board, what, value) is not None
    if condition.filter is not None:
        value = _TYPES_IN + value
    players = {"you": {you}, "opponent": board.players.keys() - {you}, "attacking player": {board.active}}
    players["defending player"] = board.players.keys() - {board.active}
    return all(_of_player(board, board.players[name], value) is not None for name in players.get(who, board.players.keys()))


def _left_to_pay(board: Board) -> bool:
    """Tell whether something that stands under the battlefield has left it so that creatures attack or block."""
    return any(attack.acts for attack in board.attacks or ()) or any(block.acts for block in board.blocks or ())


def amounts_of(board: Board, value: str) -> Iterator[tuple[str, int]]:
    """Yield how much each player, and each object on the battlefield, has of what `value` names, where the board tells."""
    for player in board.players.values():
        number = _of_player(board, player, value)
        if number is not None:
            yield player.name, number
    for thing in board.objects.values() if value not in _PLAYERS else ():
        number = _of_object(board, thing, value) if thing.zone == "battlefield" else None
        if number is not None:
            yield thing.id, number


def cards_in(board: Board, zone: str) -> Iterator[Object]:
    """Yield the cards that the file lists in the zone of any player."""
    return (thing for thing in board.objects.values() if thing.zone == zone)


def _of_object(board: Board, thing: Object, value: str) -> int | None:
    kind, space, counters = value.rpartition(" ")
    if counters == _COUNTERS:
        return sum(number for name, number in thing.counters.items() if not space or name.casefold() == kind)
    if value in _HISTORY:
        return _happened(board, thing.id, value)
    return 1 if value in thing.designations else None


def _of_player(board: Board, player: Player, value: str) -> int | None:
    if value in _HISTORY:
        return _happened(board, player.name, value)
    found = _PLAYERS.get(value)
    return None if found is None else found(board, player)


def _happened(board: Board, name: str, event: str) -> int | None:
    told = board.history.get(event)
    if told is None:
        return None
    number = int(told.get(name, 0)) if isinstance(told, Mapping) else int(name in told)
    return None if event in _IN_COMBAT and not number else number


def _key(key: str) -> Callable[[Board, Player], int | None]:
    return lambda _, player: None if (found := player.extra.get(key)) is None else int(found)


def _above_start(times: int) -> Callable[[Board, Player], int | None]:
    """Return what says how much so many times a player's life is above the life at the start of the game (103.4)."""
    return lambda _, player: None if (start := player.extra.get("starting_total")) is None else times * player.life - int(start)


def _listed(board: Board, player: Player, zone: str) -> list[Object]:
    return [thing for thing in board.objects.values() if thing.zone == zone and thing.owner == player.name]


def _cards(zone: str) -> Callable[[Board, Player], int | None]:
    """Return what counts the cards in a zone of a player: so many as the file says, else those that it lists, where it lists any."""

    def count(board: Board, player: Player) -> int | None:
        said: int | None = player.extra.get(zone)
        return len(_listed(board, player, zone)) or None if said is None else said

    return count


def _card_types(zone: str) -> Callable[[Board, Player], int | None]:
    """Return what counts the types of the cards in a zone of a player, where the file lists all of these."""

    def count(board: Board, player: Player) -> int | None:
        listed = _listed(board, player, zone)
        complete = _cards(zone)(board, player) == len(listed)
        return len({one for thing in listed for one in thing.types}) if complete else None

    return count


_IN_ZONES: Mapping[str, Callable[[Board, Player], int | None]] = {
    "hand": _cards("hand"),
    "graveyard": _cards("graveyard"),
    f"{_TYPES_IN}graveyard": _card_types("graveyard"),
}
#: How much a player has of what the board tells by other keys than `history`.
_PLAYERS: Mapping[str, Callable[[Board, Player], int | None]] = {
    "life": lambda _, player: player.life,
    "poison": lambda _, player: player.extra.get("poison", 0),
    "life_above_start": _above_start(1),
    "twice_life_above_start": _above_start(2),
    **{key: _key(key) for key in ("speed", "monarch", "initiative", "citys_blessing")},
    **_IN_ZONES,
}
