"""The legal division of combat damage that is nearest to one that was proposed: as little damage as possible is assigned otherwise.

What each creature may assign is what asp/ says (`lawmage.play.divisions`). Which of those that others wait for get what they need, and in
which of its ways each creature assigns, is tried in all combinations; for each of them the best division is a flow of least cost, in which
a point of damage costs something if it was not proposed. So amounts of any size take the same time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import chain, islice, product
from typing import TypeAlias

from lawmage.play.divisions import Division, Divisions, TooManyError

__all__ = ["moved", "nearest_division"]

#: More combinations than this are not tried.
_MOST_COMBINATIONS = 256
#: What is to be reached: that these get what they need, or any damage from a creature of which any is enough.
_Reached: TypeAlias = Mapping[str, str | None]


def moved(one: Mapping[str, Mapping[str, int]], other: Mapping[str, Mapping[str, int]]) -> int:
    """Return how much damage two divisions assign differently: the differences of all amounts, added up."""
    pairs = {(source, target) for division in (one, other) for source, gifts in division.items() for target in gifts}
    return sum(abs(one.get(source, {}).get(target, 0) - other.get(source, {}).get(target, 0)) for source, target in pairs)


def nearest_division(divisions: Divisions, wanted: Mapping[str, Mapping[str, int]], *, seconds: float) -> Division | None:
    """Return a division that differs from `wanted` as little as possible, in how much damage is assigned otherwise.

    None if there is none.

    Raises:
        TooManyError: if there are too many combinations to try in so many seconds.
    """
    deadline = time.monotonic() + seconds
    found: tuple[int, Division] | None = None
    ways = list(islice(_ways(divisions), _MOST_COMBINATIONS + 1))
    if len(ways) > _MOST_COMBINATIONS:
        raise TooManyError(f"more than {_MOST_COMBINATIONS} combinations of who gets enough")
    for reached, may in ways:
        if time.monotonic() > deadline:
            raise TooManyError("the time is over")
        division = _best(divisions, wanted, reached, may)
        if division is not None:
            distance = moved(division, wanted)
            if found is None or distance < found[0]:
                found = distance, division
    return None if found is None else found[1]


def _ways(divisions: Divisions) -> Iterator[tuple[_Reached, Mapping[str, list[str]]]]:
    """Yield what is to be reached, and to whom each source may assign then."""
    waited = {name for name, need in divisions.need.items() if need > 0}
    sources = divisions.sources
    awaited = {first & waited for source in sources.values() for first in chain(source.after.values(), source.instead.values())}
    sets = {frozenset[str]()}
    for first in sorted(awaited, key=sorted):
        sets |= {first | other for other in sets}
        if len(sets) > _MOST_COMBINATIONS:
            break
    for those in sorted(sets, key=lambda some: (len(some), sorted(some))):
        options = []
        for source in sources.values():
            usual = [name for name in source.recipients if (source.after.get(name, frozenset()) & waited) <= those]
            instead = [name for name, first in source.instead.items() if first & waited <= those]
            options.append([usual, instead] if source.instead else [usual])
        by: list[list[tuple[str, str | None]]] = []
        for name in sorted(those):
            enough = [other for other, source in sources.items() if name in source.enough]
            by.append([(name, None), *((name, other) for other in enough)])
        for reached in product(*by):
            for may in product(*options):
                yield dict(reached), dict(zip(sources, may, strict=True))


def _best(
    divisions: Divisions, wanted: Mapping[str, Mapping[str, int]], reached: _Reached, may: Mapping[str, list[str]]
) -> Division | None:
    import networkx  # type: ignore[import-untyped]

    flow = networkx.MultiDiGraph()
    division: Division = {}
    total = 0
    for name, source in divisions.sources.items():
        given = {other: 1 for other, by in reached.items() if by == name}
        if not may[name]:
            # It assigns nothing where there is nobody to assign it to.
            if source.recipients or given:
                return None
            continue
        if not given.keys() <= set(may[name]) or source.amount < len(given):
            return None
        division[name] = dict(given)
        left = source.amount - len(given)
        total += left
        flow.add_node(("source", name), demand=-left)
        for other in may[name]:
            proposed = max(0, wanted.get(name, {}).get(other, 0) - given.get(other, 0))
            flow.add_edge(("source", name), ("to", other), "proposed", capacity=proposed, weight=-1)
            flow.add_edge(("source", name), ("to", other), "more", weight=1)
    taking = {end for _, end in flow.edges()}
    for other, by in reached.items():
        if by is None:
            if ("to", other) not in taking:
                return None
            flow.nodes["to", other]["demand"] = divisions.need[other]
            total -= divisions.need[other]
    if total < 0:
        return None
    flow.add_node("all", demand=total)
    flow.add_edges_from((end, "all") for end in taking)
    try:
        _, carried = networkx.network_simplex(flow)
    except networkx.NetworkXUnfeasible:
        return None
    for name, gifts in division.items():
        for other in may[name]:
            amount = sum(carried["source", name]["to", other].values()) + gifts.get(other, 0)
            if amount:
                gifts[other] = amount
    return division
