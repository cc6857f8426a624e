"""What is said of many objects in the same words, said once: `each of a1 to a100 says "..."`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TypeAlias

__all__ = ["gathered", "named", "number_of_names", "one_on_each", "runs", "stretches"]

#: Fewer consecutive names than this are told one by one.
_RUN = 4
#: What fewer objects than this say is told of each.
_SEVERAL = 3
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d{0,8})")
_ON_EACH = {1: "one", 2: "two", 3: "three", 4: "four"}
#: What is acted on together, and those who do.
_Acting: TypeAlias = tuple[tuple[str, ...], Sequence[str]]


@lru_cache(maxsize=4096)
def _numbered(name: str) -> tuple[str, int] | None:
    """Return what a name that ends in a number is made of."""
    match = _NUMBERED.fullmatch(name)
    return None if match is None else (match[1], int(match[2]))


@lru_cache(maxsize=4096)
def _next(name: str) -> str | None:
    """Return the name of the next number."""
    numbered = _numbered(name)
    return None if numbered is None else f"{numbered[0]}{numbered[1] + 1}"


def _follows(name: str, before: str) -> bool:
    """Tell whether a name is that of the number after another's."""
    return name == _next(before)


def runs(names: Sequence[str]) -> list[str]:
    """Return names, with `a1 to a100` in the place of all that follow one another."""
    if len(names) < _RUN:
        return list(names)
    found: list[list[str]] = []
    following = None
    for name in names:
        if name == following:
            found[-1].append(name)
        else:
            found.append([name])
        following = _next(name)
    return [part for run in found for part in ([f"{run[0]} to {run[-1]}"] if len(run) >= _RUN else run)]


def number_of_names(told: str) -> int:
    """Return for how many names one that `runs` returns stands."""
    first, joint, last = told.partition(" to ")
    one, other = (_numbered(first), _numbered(last)) if joint else (None, None)
    return other[1] - one[1] + 1 if one is not None and other is not None else 1


def named(names: Sequence[str]) -> str:
    """Return one or more names as a list in words."""
    if len(names) == 1:
        return names[0]
    *rest, last = runs(names)
    return f"{', '.join(rest)} and {last}" if rest else last


def stretches(pairs: Sequence[_Acting]) -> list[list[_Acting]]:
    """Return parts of a declaration: as many as follow one another, in which as many act on one, and each other pair by itself.

    Args:
        pairs: those who act on the same, by what they act on.
    """
    if len(pairs) < _RUN:
        return [[pair] for pair in pairs]
    found: list[list[_Acting]] = []
    for pair in pairs:
        if found and _goes_on(pair, found[-1][-1]):
            found[-1].append(pair)
        else:
            found.append([pair])
    if len(found) == len(pairs):
        return found
    return [part for stretch in found for part in ([stretch] if len(stretch) >= _RUN else [[pair] for pair in stretch])]


def one_on_each(stretch: Sequence[_Acting], verb: str) -> str:
    """Return what a stretch of a declaration says, as `b1 to b9 block a1 to a9 (one on each, in this order)`."""
    (first, those), (last, others) = stretch[0], stretch[-1]
    return f"{those[0]} to {others[-1]} {verb} {first[0]} to {last[0]} ({_ON_EACH[len(those)]} on each, in this order)"


def _goes_on(pair: _Acting, before: _Acting) -> bool:
    (others, actors), (others_before, actors_before) = pair, before
    if actors[0] != _next(actors_before[-1]) or len(actors) != len(actors_before):
        return False
    if len(others) > 1 or len(others_before) > 1 or others[0] != _next(others_before[0]):
        return False
    return len(actors) == 1 or (len(actors) in _ON_EACH and _in_turn(actors) and _in_turn(actors_before))


def _in_turn(names: Sequence[str]) -> bool:
    return all(map(_follows, names[1:], names))


def gathered(texts: Collection[str]) -> list[str]:
    """Return texts on who says or has what, with one in the place of several that only differ in who it is, or for whom."""
    if len(texts) < _SEVERAL:
        return list(texts)
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for text in texts:
        name, said, whom, rule = _said(text)
        if whom:
            found.setdefault((name, said, rule), {})[whom] = text
        elif name:
            found.setdefault((said, rule), {})[name] = text
        else:
            found[text,] = {}
    told: list[str] = []
    for key, names in found.items():
        if len(names) < _SEVERAL:
            told += names.values() or key
        elif len(key) == 3:
            told.append(f"{key[0]} {key[1]} for {named(list(names))}{key[2]}")
        else:
            told.append(f"each of {named(list(names))} {key[0]}{key[1]}")
    return told


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[str, str, str, str]:
    """Return who says or has something, what, for whom perhaps, and the rule that it rests on perhaps; nobody if nobody does."""
    place = max(text.find(' says "'), text.find(" has ")) if '"' not in text else text.find(' says "')
    if place < 1:
        return "", text, "", ""
    name, said, rule = text[:place], text[place + 1 :], ""
    if said[-1] == ")":
        said, joint, number = said.rpartition(" (")
        rule = joint + number
    if said[-1:] != '"':
        before, _, whom = said.rpartition(" for ")
        if before and " " not in whom:
            return name, before, whom, rule
    return name, said, "", rule
