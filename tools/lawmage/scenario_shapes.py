"""What the parts of a scenario look like: small readers, and readers put together from them.

A reader takes a place in the file and the names that exist, and returns a plain value or raises an InputError.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from lawmage.yaml_place import Place
from lawmage.yaml_tree import ScalarNode, SequenceNode

__all__ = [
    "MAX_NUMBER",
    "ZONES",
    "Names",
    "Reader",
    "by_kind",
    "by_object",
    "by_player",
    "by_thing",
    "choice",
    "cost",
    "flag",
    "key_name",
    "listed",
    "mana",
    "number",
    "object_name",
    "object_names",
    "optional",
    "player_name",
    "player_names",
    "record",
    "thing_name",
    "things",
    "word",
]

#: The largest life total, power, amount of damage...: the solver's numbers have 32 bits, and sums must fit.
MAX_NUMBER = 10_000_000

ZONES = ("battlefield", "hand", "graveyard", "exile", "library", "command", "stack", "outside")

_OBJECT, _PLAYER, _THING = "an object", "a player", "a player or an object"

_MANA = re.compile(r"\{(?:[0-9]{1,7}|[WUBRGCSXYZ]|(?:2|[WUBRGC])/[WUBRGCP](?:/P)?)\}")
_BRACES = re.compile(r"\{[^{}]*\}|[{}]")


class Names(Protocol):
    """The names that exist in a scenario; a Board is one."""

    @property
    def players(self) -> Collection[str]:
        """The names of the players."""

    @property
    def objects(self) -> Collection[str]:
        """The names of the objects."""


Reader: TypeAlias = Callable[[Place, Names], Any]


def things(names: Names) -> Collection[str]:
    """Return the names of players and objects."""
    return ChainMap[str, Any](names.objects, names.players)  # type: ignore[arg-type]


def key_name(place: Place, name: str, known: Collection[str], noun: str = _OBJECT) -> str:
    """Return the key of `place`, a name that must exist."""
    return place.known(name, known, noun, key=True)


# Single values.


def object_name(place: Place, names: Names) -> str:
    """Read the name of an object."""
    return place.name(names.objects, _OBJECT)


def player_name(place: Place, names: Names) -> str:
    """Read the name of a player."""
    return place.name(names.players, _PLAYER)


def thing_name(place: Place, names: Names) -> str:
    """Read the name of a player or an object."""
    node = place.node
    if isinstance(node, ScalarNode) and node.value is not None and (node.text in names.players or node.text in names.objects):
        return node.text
    return place.name(things(names), _THING)


def object_names(place: Place, names: Names) -> tuple[str, ...]:
    """Read a list of objects, each once."""
    return place.names(names.objects, _OBJECT)


def player_names(place: Place, names: Names) -> tuple[str, ...]:
    """Read a list of players, each once."""
    return place.names(names.players, _PLAYER)


def word(place: Place, _: Names) -> str:
    """Read a text."""
    return place.text()


def flag(place: Place, _: Names) -> bool:
    """Read true or false."""
    return place.flag()


def number(low: int = 0, high: int | None = MAX_NUMBER) -> Reader:
    """Return a reader of whole numbers from `low` to `high`, or any from `low` on."""
    return lambda place, _: place.integer(low, high)


def choice(*words: str) -> Reader:
    """Return a reader of one of these words."""
    return lambda place, _: place.word(words)


def mana(place: Place, _: Names) -> str:
    """Read symbols of mana such as `{2}{R}`, possibly none."""
    expected = 'symbols of mana in quotes, such as "{2}{R}"'
    text = "".join(place.text(expected).upper().split())
    if _MANA.sub("", text):
        raise place.wrong(expected)
    return text


def cost(place: Place, _: Names) -> str:
    """Read a cost: symbols of mana, other words or both, such as `{2}, sacrifice a land`."""
    expected = 'a cost in quotes, such as "{2}{R}"'
    text = place.text(expected).strip()
    if not text or not isinstance(_value(place), str) or not all(_MANA.fullmatch(part.upper()) for part in _BRACES.findall(text)):
        raise place.wrong(expected)
    return _BRACES.sub(lambda symbol: symbol[0].upper(), text)


# Readers put together.


def optional(reader: Reader) -> Reader:
    """Return a reader that also takes null, for None."""
    return lambda place, names: None if place.is_empty else reader(place, names)


def listed(reader: Reader, plain: Collection[str] = ()) -> Reader:
    """Return a reader of lists. `plain` are the commonest items: texts that `reader` returns as they are."""

    def read(place: Place, names: Names) -> tuple[Any, ...]:
        node = place.node
        if plain and isinstance(node, SequenceNode):
            values = tuple([item.value if isinstance(item, ScalarNode) else None for item in node.items])
            if all(map(plain.__contains__, values)):
                return values
        return tuple([reader(item, names) for item in place.items()])

    return read


def record(readers: Mapping[str, Reader], needed: Iterable[str] = (), *, instead: Mapping[str, str] | None = None) -> Reader:
    """Return a reader of maps with these keys, of which some are needed; for `instead` see `Place.fields`."""

    def read(place: Place, names: Names) -> dict[str, Any]:
        fields = place.fields(readers, instead=instead)
        for key in needed:
            if key not in fields:
                raise place.key_error(f"needs the key {key}")
        return {key: readers[key](value, names) for key, value in fields.items()}

    return read


def by_object(reader: Reader) -> Reader:
    """Return a reader of maps from objects."""
    return lambda place, names: {key_name(value, name, names.objects): reader(value, names) for name, value in place.entries().items()}


def by_player(reader: Reader) -> Reader:
    """Return a reader of maps from players."""
    return lambda place, names: {
        key_name(value, name, names.players, _PLAYER): reader(value, names) for name, value in place.entries().items()
    }


def by_thing(reader: Reader) -> Reader:
    """Return a reader of maps from players and objects."""
    return lambda place, names: {
        key_name(value, name, things(names), _THING): reader(value, names) for name, value in place.entries().items()
    }


def by_kind(reader: Reader) -> Reader:
    """Return a reader of maps from any words, such as kinds of counters."""
    return lambda place, names: {kind: reader(value, names) for kind, value in place.entries().items()}


def _value(place: Place) -> Any:
    return place.node.value if isinstance(place.node, ScalarNode) else None
