"""What is said of many objects in the same words, said once: `each of a1 to a100 says "..."`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

__all__ = ["gathered", "named", "number_of_names", "one_on_each", "runs", "stretches"]

#: Fewer consecutive names than this are told one by one.
_RUN = 4
#: What fewer objects than this say is told of each.
_SEVERAL = 3
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d{0,8})")
#: Somebody who says or has something, for whom perhaps, and the rule that it rests on.
_SAID = re.compile(r'(.+?) ((?:says "|has ).*?)(?: for ([^ ()"]+))?( \([\w.:]+\))?', re.DOTALL)
_ON_EACH = {1: "one", 2: "two", 3: "three", 4: "four"}
#: What is acted on together, and those who do.
_Acting: TypeAlias = tuple[tuple[str, ...], Sequence[str]]


@lru_cache(maxsize=4096)
def _numbered(name: str) -> tuple[str, int] | None:
    """Return what a name that ends in a number is made of."""
    match = _NUMBERED.fullmatch(name)
    return None if match is None else (match[1], int(match[2]))


def _follows(name: str, before: str) -> bool:
    """Tell whether a name is that of the number after another's."""
    one, other = _numbered(before), _numbered(name)
    return one is not None and other is not None and other == (one[0], one[1] + 1)


def runs(names: Sequence[str]) -> list[str]:
    """Return names, with `a1 to a100` in the place of all that follow one another."""
    if len(names) < _RUN:
        return list(names)
    found: list[list[str]] = []
    for name in names:
        if found and _follows(name, found[-1][-1]):
            found[-1].append(name)
        else:
            found.append([name])
    return [part for run in found for part in ([f"{run[0]} to {run[-1]}"] if len(run) >= _RUN else run)]


def number_of_names(told: str) -> int:
    """Return for how many names one that `runs` returns stands."""
    first, joint, last = told.partition(" to ")
    one, other = (_numbered(first), _numbered(last)) if joint else (None, None)
    return other[1] - one[1] + 1 if one is not None and other is not None else 1


def named(names: Sequence[str]) -> str:
    """Return one or more names as a list in words."""
    *rest, last = runs(names)
    return f"{', '.join(rest)} and {last}" if rest else last


def stretches(pairs: Sequence[_Acting]) -> Iterator[Sequence[_Acting]]:
    """Yield parts of a declaration: as many as follow one another, in which as many act on one, and each other pair by itself.

    Args:
        pairs: those who act on the same, by what they act on.
    """
    start = 0
    while start < len(pairs):
        end = start + 1
        if _is_run(pairs[start]):
            while end < len(pairs) and _goes_on(pairs[end], pairs[end - 1]):
                end += 1
        if end - start >= _RUN:
            yield pairs[start:end]
        else:
            yield from ([pair] for pair in pairs[start:end])
        start = end


def one_on_each(stretch: Sequence[_Acting], verb: str) -> str:
    """Return what a stretch of a declaration says, as `b1 to b9 block a1 to a9 (one on each, in this order)`."""
    (first, those), (last, others) = stretch[0], stretch[-1]
    return f"{those[0]} to {others[-1]} {verb} {first[0]} to {last[0]} ({_ON_EACH[len(those)]} on each, in this order)"


def _is_run(pair: _Acting) -> bool:
    others, actors = pair
    return len(others) == 1 and len(actors) in _ON_EACH and all(map(_follows, actors[1:], actors))


def _goes_on(pair: _Acting, before: _Acting) -> bool:
    (others, actors), (others_before, actors_before) = pair, before
    if len(actors) != len(actors_before) or not _is_run(pair):
        return False
    return _follows(others[0], others_before[0]) and _follows(actors[0], actors_before[-1])


def gathered(texts: Iterable[str]) -> list[str]:
    """Return texts on who says or has what, with one in the place of several that only differ in who it is, or for whom."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for text in texts:
        match = _SAID.fullmatch(text)
        if match is None:
            found[text,] = {}
        elif match[3]:
            found.setdefault((match[1], match[2], match[4] or ""), {})[match[3]] = text
        else:
            found.setdefault((match[2], match[4] or ""), {})[match[1]] = text
    said: list[str] = []
    for key, names in found.items():
        if len(names) < _SEVERAL:
            said += names.values() or key
        elif len(key) == 3:
            said.append(f"{key[0]} {key[1]} for {named(list(names))}{key[2]}")
        else:
            said.append(f"each of {named(list(names))} {key[0]}{key[1]}")
    return said
