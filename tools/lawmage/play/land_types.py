"""Sentences on land types alone (305.7): they leave nothing undecided where nothing on the board asks for such types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from lawmage.board import Board
from lawmage.constraints import Constraint, Filter
from lawmage.play.knowledge import Knowledge
from lawmage.text.forms import parse_keywords
from lawmage.text.words import turn, types_of

__all__ = ["about_land_types", "asks_for_land_types", "lands_on"]

_LAND = "land"


def about_land_types(sentence: str, *, lands_are_silent: bool = True) -> bool:
    """Tell whether a sentence says of which land types lands are, and nothing else.

    Args:
        sentence: as written.
        lands_are_silent: whether no land has an ability that matters: lands whose types are set lose what their texts give them.
    """
    gives, sets = _about(sentence)
    return gives or (sets and lands_are_silent)


@lru_cache(maxsize=1024)
def _about(sentence: str) -> tuple[bool, bool]:
    written = sentence.lower()
    return turn("gives_land_types").search(written) is not None, turn("sets_land_types").search(written) is not None


def lands_on(board: Board) -> frozenset[str]:
    """Return the names of the lands on the battlefield."""
    return frozenset(thing.id for thing in board.objects.values() if thing.zone == "battlefield" and _LAND in thing.types)


def asks_for_land_types(board: Board, stated: Iterable[Constraint], known: Knowledge) -> bool:
    """Tell whether anything that is stated, keywords included, asks of which land types something is.

    Costs are taken to: what they are paid with depends on the land types that add mana (305.6), and so is what players have of it.
    """
    if any(player.mana is not None for player in board.players.values()):
        return True
    for one in stated:
        granted = parse_keywords(one.value or "", known.forms) if known.kinds[one.kind].gives_keyword else ()
        qualities = [use.quality for use in granted if use.quality is not None]
        if known.kinds[one.kind].group == "cost" or any(_LAND in types_of(value) for value in _values((*_filters(one), *qualities))):
            return True
    return False


def _filters(constraint: Constraint) -> Iterator[Filter]:
    for described in (constraint.subject, constraint.object, *(condition.filter for condition in constraint.conditions)):
        if isinstance(described, Filter):
            yield described


def _values(filters: Iterable[Filter]) -> Iterator[str]:
    for filter_ in filters:
        yield from (str(test.value).lower() for tests in filter_.any_of for test in tests)
