"""The parts of a clash: restrictions and requirements, and what they are about."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lawmage.play.stratified import in_order, order

__all__ = ["Found", "Pair", "Part", "alike_parts", "cover", "replaced", "sorted_parts"]

#: A restriction (T,H) or a word of kb/vocabulary.ttl; or a requirement (T,H,M,S).
Part: TypeAlias = Any
#: What acts and what it acts on: a blocker and an attacker, or an attacker and a target.
Pair: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """Requirements and restrictions that cannot hold together, and declarations that should each fail one of these alone.

    `alike` has a key for parts of which any could stand for any other with the same key (`alike_parts`); `obeyed` has one for requirements
    as though there were no restrictions among the parts: it tells them apart less, and holds for declarations that keep all restrictions.
    Those in `spare` are only looked at if no declaration that is judged anyway shows the same.
    """

    requirements: frozenset[Part]
    restrictions: frozenset[Part]
    witnesses: tuple[Collection[Pair], ...]
    alike: Mapping[Part, Any] = field(default_factory=dict)
    obeyed: Mapping[Part, Any] = field(default_factory=dict)
    spare: tuple[Collection[Pair], ...] = ()


def alike_parts(parts: Collection[Part], kind_of: Mapping[Any, Any]) -> dict[Part, Any]:
    """Return a key for each part: the same for those that change places, and leave `parts` the same, if objects that are alike do.

    Args:
        parts: those of a clash.
        kind_of: the kind of each object that has others like it, by its integer.
    """
    if not kind_of:
        return {part: part for part in parts}
    said_of: defaultdict[Any, set[Any]] = defaultdict(set)
    #: What is said by one object of itself, and by which; several say the same of themselves.
    own: dict[Part, tuple[Any, Any]] = {}
    for part in parts:
        if part.__class__ is tuple and part[-1] == part[1] and part[1] in kind_of:
            said = part[::2]
            own[part] = said, part[1]
            said_of[part[1]].add(said)
        else:
            for member in _objects_in(part).intersection(kind_of):
                said_of[member].add(replaced(part, {member: None}))
    # No integers, which objects have.
    named: dict[Any, str] = {}
    keys = {
        member: named.setdefault((kind_of[member], frozenset(said) if len(said) > 1 else next(iter(said))), f"alike {len(named)}")
        for member, said in said_of.items()
    }
    return {part: (own[part][0], keys[own[part][1]]) if part in own else replaced(part, keys) for part in parts}


def sorted_parts(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return parts sorted as clingo sorts them: words, restrictions, requirements."""
    by_size: defaultdict[int, list[Part]] = defaultdict(list)
    for part in parts:
        by_size[len(part) if part.__class__ is tuple else 0].append(part)
    words = sorted(by_size.pop(0, ()), key=order)
    return (*words, *(part for size in sorted(by_size) for part in in_order(by_size[size])))


def _objects_in(part: Part) -> set[Any]:
    """Return the integers of the objects that a restriction or requirement names: who states it, and about whom."""
    if isinstance(part, str):
        return set()
    about = part[3] if len(part) > 2 else ()
    return {part[1], *(about if isinstance(about, tuple) else (about,))}


def replaced(part: Part, by: Mapping[Any, Any]) -> Part:
    """Return a part with others in the place of the objects that it names."""
    if isinstance(part, str):
        return part
    number, holder, *rest = part
    about = [tuple([by.get(one, one) for one in each]) if isinstance(each, tuple) else by.get(each, each) for each in rest[1:]]
    return (number, by.get(holder, holder), *rest[:1], *about)


def cover(missing: Iterable[tuple[Part, ...]], found: dict[Part, None]) -> Iterator[Part]:
    """Yield the parts in `found`, and others so that each of `missing` has one of its parts among them."""
    left = [parts for parts in missing if found.keys().isdisjoint(parts)]
    while left:
        often = Counter(part for parts in left for part in parts)
        best = max(often, key=often.__getitem__)
        found[best] = None
        left = [parts for parts in left if best not in parts]
    yield from found
