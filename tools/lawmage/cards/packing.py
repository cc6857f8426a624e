"""Cards as bytes and back: every value as JSON, without the attributes that have their default."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import lru_cache
from typing import Any

from lawmage.cards.card import Card, Face
from lawmage.constraints import Condition, Constraint, Filter, Test

__all__ = ["pack", "unpack"]

_CLASSES: Mapping[str, Any] = {kind.__name__: kind for kind in (Card, Face, Constraint, Condition, Filter, Test)}
#: The key under which an object says what it is: an instance of a class above, or a set.
_IS, _SET = "", "set"


def pack(value: Any) -> bytes:
    """Return a card, or any value made of the classes above, tuples, sets, numbers and texts, as bytes without line breaks.

    Equal values give equal bytes.
    """
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")).encode()


def unpack(data: bytes | str) -> Any:
    """Return the value that `pack` was given.

    Raises:
        ValueError: if it was written by another version of lawmage, or is damaged.
    """
    try:
        return _value(json.loads(data))
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"written by another version of lawmage: {error}") from None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return {_IS: _SET, "of": sorted(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in sorted(value.items())}
    if not is_dataclass(value) or type(value).__name__ not in _CLASSES:
        raise TypeError(f"{type(value).__name__} can't be stored")
    found: dict[str, Any] = {_IS: type(value).__name__}
    for name, default in _defaults(type(value).__name__):
        item = getattr(value, name)
        if default is MISSING or item != default or type(item) is not type(default):
            found[name] = _plain(item)
    return found


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(map(_value, plain))
    if not isinstance(plain, dict):
        return plain
    what = plain.pop(_IS, None)
    if what is None:
        return {key: _value(item) for key, item in plain.items()}
    if what == _SET:
        return frozenset(plain["of"])
    return _CLASSES[what](**{key: _value(item) for key, item in plain.items()})


@lru_cache(maxsize=16)
def _defaults(name: str) -> tuple[tuple[str, Any], ...]:
    """Return the attributes of a class, each with its default."""
    attributes: tuple[Field[Any], ...] = fields(_CLASSES[name])
    return tuple((one.name, one.default if one.default_factory is MISSING else one.default_factory()) for one in attributes)
