"""Relations in which a few objects of each kind speak for all of it (`lawmage.play.alike`), read as though all were there.

Which objects of a kind an atom is about makes no difference to whether it holds: only which of them are the same. So an atom about
any objects holds if that about the first representatives does, taken in the order in which the objects occur in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from lawmage.play.alike import Member
from lawmage.play.stratified import Relation, Row

__all__ = ["Kinds", "Lifted"]


class Kinds:
    """Which members there are of each kind, by their integers; the first `spoken_for` of each are its representatives."""

    def __init__(self, kinds: Sequence[Sequence[int]], spoken_for: int) -> None:
        self.members = kinds
        self.kind_of = {member: index for index, members in enumerate(kinds) for member in members}
        self.place_of = {member: place for members in kinds for place, member in enumerate(members[:spoken_for])}
        #: The first of the kind of each.
        self.first_of = {member: members[0] for members in kinds for member in members}


class Lifted:
    """A relation as `lawmage.play.stratified` reads it: rows, and indexes on them, with the rows of all members."""

    #: None that could be taken without asking for it.
    indexes: ClassVar[Mapping[tuple[int, ...], Any]] = MappingProxyType({})

    def __init__(self, relation: Relation, kinds: Kinds) -> None:
        self._relation = relation
        self._kinds = kinds
        self._indexes: dict[tuple[int, ...], _Index] = {}
        self.rows = _Rows(relation, kinds)

    def index(self, places: tuple[int, ...]) -> _Index:
        """Return the rows by what stands at `places`, as `Relation.index` does."""
        if places not in self._indexes:
            self._indexes[places] = _Index(self._relation.index(places), self._kinds)
        return self._indexes[places]

    def values(self, places: tuple[int, ...]) -> _Index:
        """Return what stands at `places`, as `Relation.values` does; only asked whether something does."""
        return self.index(places)


class _Rows:
    def __init__(self, relation: Relation, kinds: Kinds) -> None:
        self._rows = relation.rows
        self._kinds = kinds

    def __bool__(self) -> bool:
        return bool(self._rows)

    def __contains__(self, row: Row) -> bool:
        return (self._kinds.first_of[row] if row.__class__ is Member else _spoken_for(row, {}, self._kinds)) in self._rows

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            yield from _meant(row, {}, self._kinds)


class _Index(Mapping[Any, Sequence[Row]]):
    def __init__(self, rows: Mapping[Any, Sequence[Row]], kinds: Kinds) -> None:
        self._rows = rows
        self._kinds = kinds
        self._found: dict[Any, tuple[Row, ...]] = {}

    def __getitem__(self, key: Any) -> Sequence[Row]:
        found = self._found.get(key)
        if found is None:
            stands_for: dict[int, int] = {}
            rows = self._rows.get(_spoken_for(key, stands_for, self._kinds), ())
            meant = {representative: member for member, representative in stands_for.items()}
            found = self._found[key] = tuple(each for row in rows for each in _meant(row, meant, self._kinds))
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] or default

    def __contains__(self, key: object) -> bool:
        return bool(self[key])

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


def _spoken_for(value: Any, stands_for: dict[int, int], kinds: Kinds) -> Any:
    """Return `value` with the representative in place of each member, which `stands_for` keeps."""
    if value.__class__ is tuple:
        if not stands_for and len(value) == 2:
            # Most are about a pair, of two kinds.
            one, other = value
            if one.__class__ is Member and other.__class__ is Member:
                first = stands_for[one] = kinds.first_of[one]
                second = kinds.first_of[other]
                if first != second:
                    stands_for[other] = second
                    return first, second
        return tuple([_spoken_for(part, stands_for, kinds) for part in value])
    if value.__class__ is not Member:
        return value
    found = stands_for.get(value)
    if found is None:
        kind = kinds.kind_of[value]
        before = [kinds.kind_of[other] for other in stands_for].count(kind)
        found = stands_for[value] = kinds.members[kind][before]
    return found


def _meant(row: Row, meant: Mapping[int, int], kinds: Kinds) -> Iterator[Row]:
    """Yield the rows that one of representatives stands for, if those in `meant` stand for these members."""
    free: list[int] = []
    if not _free(row, meant, kinds, free):
        return
    if not free:
        yield _with(row, meant)
        return
    taken = set(meant.values())
    for members in itertools.product(*([each for each in kinds.members[kinds.kind_of[one]] if each not in taken] for one in free)):
        if len(set(members)) == len(members):
            yield _with(row, {**meant, **dict(zip(free, members, strict=True))})


def _free(value: Any, meant: Mapping[int, int], kinds: Kinds, free: list[int]) -> bool:
    """Collect the representatives that stand for anyone; tell whether they are the first that can."""
    if value.__class__ is tuple:
        return False not in [_free(part, meant, kinds, free) for part in value]
    if value.__class__ is not Member or value in meant or value in free:
        return True
    kind = kinds.kind_of[value]
    before = sum(1 for other in (*meant, *free) if kinds.kind_of[other] == kind)
    free.append(value)
    return kinds.place_of[value] == before


def _with(value: Any, meant: Mapping[int, int]) -> Any:
    if value.__class__ is tuple:
        return tuple([_with(part, meant) for part in value])
    return meant[value] if value.__class__ is Member else value
