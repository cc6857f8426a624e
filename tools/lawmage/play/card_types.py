"""What kb/ says that is true of card types, and of a few subtypes, wherever rules name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lawmage.play.knowledge import open_store, rows_of
from lawmage.resources import data_folder

__all__ = ["CardType", "basic_land_types", "card_types", "types_among"]


@dataclass(frozen=True, slots=True)
class CardType:
    """A card type, or subtype, as kb/vocabulary.ttl describes it.

    Attributes:
        fights: whether its permanents attack and block (506.3).
        attacked: whether they can be attacked (506.2).
        takes: what damage takes away from them, by the key of scenarios (120.3c, 120.3h), or nothing.
        in_command_zone: whether the abilities of its cards function in the command zone (113.6p).
        followed: whether the text is followed as the spell resolves (113.3a).
        retyped: whether they lose their abilities where an effect sets their subtype (305.7).
        targets_by: the keyword that says what a spell of it targets (303.4a), or nothing.
        played: whether its cards are played by a special action and not cast (116.2a).
    """

    fights: bool
    attacked: bool
    takes: str
    in_command_zone: bool
    followed: bool
    retyped: bool
    targets_by: str
    played: bool


def card_types() -> Mapping[str, CardType]:
    """Return the card types and subtypes that rules name, by their words in lower case."""
    return _load(data_folder("kb"), data_folder("queries"))


def types_among(*words: Iterable[str]) -> Iterator[CardType]:
    """Yield those that are among the types or subtypes `words`, written in any case."""
    known = card_types()
    return (known[word.lower()] for of_them in words for word in of_them if word.lower() in known)


def basic_land_types() -> frozenset[str]:
    """Return the basic land types, as they are written on cards (305.6)."""
    return _basic_land_types(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _load(kb: Path, queries: Path) -> Mapping[str, CardType]:
    return {
        row["term"]: CardType(
            fights=bool(row["fights"]),
            attacked=bool(row["attacked"]),
            takes=row["takes"] or "",
            in_command_zone=bool(row["inCommandZone"]),
            followed=bool(row["followed"]),
            retyped=bool(row["retyped"]),
            targets_by=row["targetsBy"] or "",
            played=row["played"],
        )
        for row in rows_of(open_store(kb), queries / "compile" / "card-types.rq")
    }


@lru_cache(maxsize=8)
def _basic_land_types(kb: Path, queries: Path) -> frozenset[str]:
    return frozenset(row["type"] for row in rows_of(open_store(kb), queries / "compile" / "basic-land-types.rq"))
