"""Cutting answers to what a model should be shown; what is cut is counted, never silently lost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

__all__ = ["shortened"]

#: Under these, the keys of a map are names that somebody chose, so that they mean nothing here.
_BY_NAME = frozenset({"proposals", "compared", "players", "objects"})
#: What is under these stays as it is: names all the way down.
_WHOLE = frozenset(
    {"attack", "better", "block", "bounds", "commander_damage", "corrections", "counters", "counts", "declarations", "differences"}
    | {"divides", "legalities", "nearest", "nearest_pay", "nearest_with"}
)


def shortened(document: Mapping[str, Any], most: Mapping[str, int], *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a document with shorter lists, maps and texts.

    Args:
        document: JSON values.
        most: for a key, how many items of the list or map under it are kept, wherever it stands, or how many characters of the text.
        without: keys that are left out.

    Returns:
        The document; `cut` has for each list and map that was cut how much is shown and of how much. A text that was cut ends in `…`.
    """
    cut: dict[str, dict[str, int]] = {}
    short: dict[str, Any] = _map(document, "", most, without, cut)
    return short | ({"cut": cut} if cut else {})


def _map(
    value: Mapping[str, Any], place: str, most: Mapping[str, int], without: frozenset[str], cut: dict[str, dict[str, int]]
) -> dict[str, Any]:
    kept = {}
    for key, inner in value.items():
        if key in without:
            continue
        where = f"{place}.{key}" if place else key
        limit = most.get(key)
        if limit is not None and isinstance(inner, list | dict | str) and len(inner) > limit:
            if not isinstance(inner, str):
                cut[where] = {"shown": limit, "of": len(inner)}
            inner = _first(inner, limit)
        if key in _BY_NAME and isinstance(inner, dict):
            kept[key] = {name: _shortened(one, f"{where}.{name}", most, without, cut) for name, one in inner.items()}
        else:
            kept[key] = inner if key in _WHOLE else _shortened(inner, where, most, without, cut)
    return kept


def _first(value: Any, limit: int) -> Any:
    if isinstance(value, dict):
        return dict(islice(value.items(), limit))
    return value[:limit] + "…" if isinstance(value, str) else value[:limit]


def _shortened(value: Any, place: str, most: Mapping[str, int], without: frozenset[str], cut: dict[str, dict[str, int]]) -> Any:
    if isinstance(value, Mapping):
        return _map(value, place, most, without, cut)
    if isinstance(value, list):
        return [_shortened(item, f"{place}[{number}]", most, without, cut) for number, item in enumerate(value)]
    return value
