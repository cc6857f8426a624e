"""Counting and listing the ways to divide combat damage, from what asp/ says each creature may assign. No rule is known here.

A source gives all of its amount to its recipients, to some only after others have reached what they need; what several sources give
to one is added up. Numbers are counted by formula, so amounts of any size cost the same.

Only recipients that several sources share, and that something waits for, tie sources together. For the sources tied so, and each set
of these recipients that has reached its need while the others have not, the ways are a coefficient of a product of power series: one
for each source, in the amounts that go to the others. "Has reached" is counted as all minus "has not".
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations, product
from math import comb, prod
from typing import TypeAlias

__all__ = ["Division", "Divisions", "Source", "TooManyError"]

#: What each source gives to whom, above 0.
Division: TypeAlias = dict[str, dict[str, int]]
#: A polynomial: coefficients by exponents.
_Sparse: TypeAlias = dict[int, int]

#: More shared recipients than this among tied sources, sets that a source waits for, terms or cells of a polynomial are not counted.
_MOST_SHARED, _MOST_SETS, _MOST_TERMS, _MOST_CELLS = 10, 200, 200_000, 200_000


class TooManyError(Exception):
    """Raised where counting would take too long."""


@dataclass(frozen=True, slots=True)
class Source:
    """A creature that assigns damage.

    Attributes:
        amount: how much, above 0.
        recipients: to whom it may assign it.
        after: for each recipient those that have to reach their need first; recipients of the source too.
        enough: the recipients that reach their need by any damage of this source.
        instead: recipients to whom all may go instead, whatever `after` says, each with those that have to reach their need even so.
    """

    amount: int
    recipients: tuple[str, ...]
    after: Mapping[str, frozenset[str]]
    enough: frozenset[str] = frozenset()
    instead: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Divisions:
    """What one player divides in one combat damage step. `need` says what has to be assigned to those who are waited for."""

    sources: Mapping[str, Source]
    need: Mapping[str, int]

    def count(self, seconds: float | None = None) -> int:
        """Return the number of ways.

        Raises:
            TooManyError: if there are too many shared recipients to count in the time allowed.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        waited = {name for name, need in self.need.items() if need > 0}
        rows = [_Row.of(source, self.need, waited) for source in self.sources.values()]
        return prod(_Component(rows_, shared, self.need, deadline).count() for rows_, shared in _components(rows))

    def listed(self) -> Iterator[Division]:
        """Yield every way."""
        names = list(self.sources)
        options = [list(self.sources[name].recipients) for name in names]

        def extend(index: int, chosen: Division) -> Iterator[Division]:
            if index == len(names):
                if self.allowed(chosen):
                    yield {name: dict(gifts) for name, gifts in chosen.items()}
                return
            name, source = names[index], self.sources[names[index]]
            ways: Iterable[dict[str, int]] = _compositions(source.amount, options[index]) if options[index] else [{}]
            if source.instead and not source.instead.keys() <= set(source.recipients):
                ways = chain(ways, _compositions(source.amount, list(source.instead)))
            for way in ways:
                chosen[name] = way
                yield from extend(index + 1, chosen)
            chosen.pop(name, None)

        yield from extend(0, {})

    def allowed(self, division: Division) -> bool:
        """Return whether whoever is waited for has reached its need."""
        given: defaultdict[str, int] = defaultdict(int)
        reached = {name for name, need in self.need.items() if need <= 0}
        for name, gifts in division.items():
            for recipient, amount in gifts.items():
                given[recipient] += amount
                if amount and recipient in self.sources[name].enough:
                    reached.add(recipient)
        reached |= {name for name, need in self.need.items() if given[name] >= need}
        return all(self._fits(self.sources[name], gifts, reached) for name, gifts in division.items())

    def _fits(self, source: Source, gifts: Mapping[str, int], reached: set[str]) -> bool:
        """Return whether a source may give this once those in `reached` have their need."""
        to = [recipient for recipient, amount in gifts.items() if amount]
        usual = all(reached.issuperset(source.after.get(recipient, frozenset()) & self.need.keys()) for recipient in to)
        return usual or all(
            recipient in source.instead and reached.issuperset(source.instead[recipient] & self.need.keys()) for recipient in to
        )


def _compositions(amount: int, recipients: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield every way to give `amount` to `recipients`, leaving out those who get nothing."""
    first, *rest = recipients
    if not rest:
        yield {first: amount} if amount else {}
        return
    for given in range(amount, -1, -1):
        for others in _compositions(amount - given, rest):
            yield {first: given, **others} if given else others


# ---------------------------------------------------------------- counting


@dataclass(frozen=True, slots=True)
class _Row:
    """A source as it is counted: its cells are its recipients; what already has its need is not waited for."""

    amount: int
    cells: frozenset[str]
    after: Mapping[str, frozenset[str]]
    least: Mapping[str, int]
    enough: frozenset[str]
    instead: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, source: Source, need: Mapping[str, int], waited: set[str]) -> _Row:
        after = {cell: source.after.get(cell, frozenset()) & waited for cell in source.recipients}
        instead = {cell: first & waited for cell, first in source.instead.items()}
        cells = frozenset(source.recipients) | instead.keys()
        least = {cell: 1 if cell in source.enough else need[cell] for cell in cells & waited}
        return cls(source.amount, cells, after, least, source.enough, instead)

    def waits_for(self) -> frozenset[str]:
        return frozenset(chain.from_iterable((*self.after.values(), *self.instead.values())))


def _components(rows: Sequence[_Row]) -> Iterator[tuple[list[_Row], list[str]]]:
    """Yield the rows that are tied together, and the recipients that tie them: shared ones that one of the rows waits for."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        for cell in row.cells:
            holders[cell].append(index)
    waited = frozenset(chain.from_iterable(row.waits_for() for row in rows))
    tied = {cell: found for cell, found in holders.items() if cell in waited and len(found) > 1}
    left = set(range(len(rows)))
    while left:
        group, more = set[int](), {left.pop()}
        while more:
            group |= more
            more = {other for found in tied.values() if group.intersection(found) for other in found} - group
        left -= group
        yield [rows[index] for index in sorted(group)], sorted(cell for cell, found in tied.items() if group.intersection(found))


@dataclass(frozen=True, slots=True)
class _Term:
    """So many ways (`sign` times) to give `amount` to `cells` as one likes."""

    sign: int
    amount: int
    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Component:
    rows: Sequence[_Row]
    shared: Sequence[str]
    need: Mapping[str, int]
    deadline: float | None

    def count(self) -> int:
        if len(self.shared) > _MOST_SHARED:
            raise TooManyError(f"{len(self.shared)} creatures are each dealt damage by several others")
        total = 0
        for reached in _subsets(self.shared):
            terms = [_terms(row, reached, frozenset(self.shared)) for row in self.rows]
            not_reached = [cell for cell in self.shared if cell not in reached]
            for short in _subsets(reached):
                total += (-1) ** len(short) * self._short_of(sorted([*not_reached, *short]), terms)
        return total

    def _short_of(self, columns: Sequence[str], terms: Sequence[Sequence[_Term]]) -> int:
        """Return the number of ways in which the recipients `columns` stay below their need."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TooManyError("counting was stopped at the time limit")
        given = [_without(row, row_terms, frozenset(columns)) for row, row_terms in zip(self.rows, terms, strict=True)]
        if not columns:
            return prod(sum(term.sign * _ways(term.amount, len(term.cells)) for term in row_terms) for row_terms in given)
        if len(columns) == 1:
            return _one_column(columns[0], self.need[columns[0]], given)
        return _several_columns(columns, [self.need[column] for column in columns], given)


def _without(row: _Row, terms: Sequence[_Term], columns: frozenset[str]) -> list[_Term]:
    """Return the terms without the cells by which anything would reach its need at once."""
    return [_Term(term.sign, term.amount, term.cells - (columns & row.enough)) for term in terms]


def _subsets(items: Iterable[str]) -> Iterator[frozenset[str]]:
    kept = list(items)
    return (frozenset(some) for size in range(len(kept) + 1) for some in combinations(kept, size))


def _ways(amount: int, cells: int) -> int:
    """Return the number of ways to give `amount` to so many cells."""
    if amount < 0 or cells == 0:
        return int(amount == 0)
    return comb(amount + cells - 1, cells - 1)


def _terms(row: _Row, reached: frozenset[str], shared: frozenset[str]) -> list[_Term]:
    """Return the ways to fill `row` where of the `shared` recipients exactly those in `reached` have their need.

    They are the usual ways and those that give all to others instead, less what is both.
    """
    usual = _usual(row, row.after, reached, shared) if row.after else [_Term(1, 0, frozenset())]
    if not row.instead:
        return usual
    both = {cell: after for cell, after in row.after.items() if cell in row.instead}
    less = [_Term(-term.sign, term.amount, term.cells) for term in _usual(row, both, reached, shared)] if both else []
    return [*usual, *_usual(row, row.instead, reached, shared), *less]


def _usual(row: _Row, after: Mapping[str, frozenset[str]], reached: frozenset[str], shared: frozenset[str]) -> list[_Term]:
    """Return the ways to give all to the cells of `after`.

    Whoever is waited for and not shared gets its need from this row alone: that much is set aside. For each set that the cells in use
    wait for, the ways are those with cells that wait for no more, less those of the smaller sets.
    """
    own = {cell: first - shared for cell, first in after.items() if (first & shared) <= reached}
    sets = {frozenset[str]()}
    for first in sorted(set(own.values()), key=sorted):
        sets |= {first | other for other in sets}
        if len(sets) > _MOST_SETS:
            raise TooManyError("a creature assigns damage after too many others")
    ordered = sorted(sets, key=lambda some: (len(some), sorted(some)))
    terms: list[_Term] = []
    for awaited in ordered:
        amount = row.amount - sum(row.least.get(cell, row.amount + 1) for cell in awaited)
        signs: dict[frozenset[str], int] = {awaited: 1}
        for smaller in reversed([some for some in ordered if some < awaited]):
            signs[smaller] = -sum(sign for some, sign in signs.items() if smaller < some)
        for some, sign in signs.items():
            cells = frozenset(cell for cell, first in own.items() if first <= some)
            if sign and amount >= 0 and cells >= awaited:
                terms.append(_Term(sign, amount, cells))
    return terms


# Power series. What a row gives to a column x beside so many cells is [t^amount] 1 / ((1-t)^cells (1-tx)): a polynomial over (1-x)^cells.


@lru_cache(maxsize=256)
def _numerator(amount: int, cells: int) -> Mapping[int, int]:
    """Return the numerator over (1-x)^cells of the series of what goes to the column, where there are so many other cells."""
    found = {amount: 1}
    for count in range(1, cells + 1):
        shifted = {exponent + 1: -coefficient for exponent, coefficient in found.items()}
        for exponent, coefficient in _one_minus(count - 1).items():
            shifted[exponent] = shifted.get(exponent, 0) + _ways(amount, count) * coefficient
        found = {exponent: coefficient for exponent, coefficient in shifted.items() if coefficient}
    return found


def _one_minus(power: int) -> _Sparse:
    """Return (1-x)^power."""
    return {exponent: (-1) ** exponent * comb(power, exponent) for exponent in range(power + 1)}


def _multiply(first: _Sparse, second: _Sparse, below: int | None = None) -> _Sparse:
    product_: defaultdict[int, int] = defaultdict(int)
    for exponent, coefficient in first.items():
        for other, factor in second.items():
            if below is None or exponent + other < below:
                product_[exponent + other] += coefficient * factor
    if len(product_) > _MOST_TERMS:
        raise TooManyError("too many creatures deal damage to one")
    return {exponent: coefficient for exponent, coefficient in product_.items() if coefficient}


def _one_column(column: str, need: int, rows: Sequence[Sequence[_Term]]) -> int:
    """Return the ways in which the rows together give less than `need` to the column."""
    total: _Sparse = {0: 1}
    power = 1
    for terms in rows:
        parts: list[tuple[int, _Sparse]] = []
        for term in terms:
            others = len(term.cells - {column})
            if column in term.cells:
                parts.append(
                    (
                        others,
                        {exponent: term.sign * factor for exponent, factor in _numerator(term.amount, others).items() if exponent < need},
                    )
                )
            else:
                parts.append((0, {0: term.sign * _ways(term.amount, others)}))
        most = max((part[0] for part in parts), default=0)
        row: defaultdict[int, int] = defaultdict(int)
        for below, numerator in parts:
            for exponent, coefficient in _multiply(numerator, _one_minus(most - below), need).items():
                row[exponent] += coefficient
        total = _multiply(total, row, need)
        power += most
    return sum(coefficient * comb(need - 1 - exponent + power - 1, power - 1) for exponent, coefficient in total.items())


def _several_columns(columns: Sequence[str], needs: Sequence[int], rows: Sequence[Sequence[_Term]]) -> int:
    """Return the ways in which the rows together give less than its need to each of several columns.

    The polynomials are written into integers, with room for the exponents and coefficients of a product (Kronecker).
    """
    if prod(2 * need - 1 for need in needs) > _MOST_CELLS:
        raise TooManyError("several creatures that each are dealt damage by several others have too much toughness")
    strides = [prod(2 * need - 1 for need in needs[:index]) for index in range(len(needs))]
    exponents = list(product(*(range(need) for need in needs)))
    places = [sum(exponent * stride for exponent, stride in zip(point, strides, strict=True)) for point in exponents]
    total = {point: int(not any(point)) for point in exponents}
    for terms in rows:
        row = {point: sum(_share(term, columns, point) for term in terms) for point in exponents}
        size = (len(exponents) * max(1, *total.values()) * max(1, *row.values())).bit_length() // 8 + 1
        packed = [_pack([poly[point] for point in exponents], places, size) for poly in (total, row)]
        image = (packed[0] * packed[1]).to_bytes((2 * places[-1] + 2) * size, "little")
        total = {
            point: int.from_bytes(image[place * size : (place + 1) * size], "little")
            for point, place in zip(exponents, places, strict=True)
        }
    return sum(total.values())


def _share(term: _Term, columns: Sequence[str], point: Sequence[int]) -> int:
    """Return in how many ways `term` gives the amounts `point` to the columns."""
    if any(amount and column not in term.cells for column, amount in zip(columns, point, strict=True)):
        return 0
    return term.sign * _ways(term.amount - sum(point), len(term.cells.difference(columns)))


def _pack(coefficients: Sequence[int], places: Sequence[int], size: int) -> int:
    image = bytearray((places[-1] + 1) * size)
    for coefficient, place in zip(coefficients, places, strict=True):
        image[place * size : (place + 1) * size] = coefficient.to_bytes(size, "little")
    return int.from_bytes(image, "little")
