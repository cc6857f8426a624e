"""Sentences that only give lands land types (305.6): they leave nothing undecided where nothing on the board asks for such types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from lawmage.board import Board
from lawmage.constraints import Constraint, Filter
from lawmage.play.knowledge import Knowledge
from lawmage.text.forms import parse_keywords
from lawmage.text.words import turn, types_of

__all__ = ["asks_for_land_types", "gives_land_types"]

_LAND = "land"


@lru_cache(maxsize=1024)
def gives_land_types(sentence: str) -> bool:
    """Tell whether a sentence says of lands that they have more land types, and nothing else."""
    return turn("gives_land_types").search(sentence.lower()) is not None


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
