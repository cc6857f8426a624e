"""The shape of a release as a network: circles of dependency, and the parts that most of it hangs on.

Small functions around networkx, and the same as named queries for `lawmage query`. All of them are about the graph of what depends on
what in the sense of `lawmage deps`: a part depends on what it or anything under it refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from lawmage.errors import InputError, suggestion
from lawmage.queries import ROW_LIMIT, Answer, Query, Value, read_query, rows_wanted, values
from lawmage.rulebook.graph import RulesGraph, in_order

if TYPE_CHECKING:
    import networkx  # type: ignore[import-untyped]

__all__ = ["analyse", "analyses", "betweenness", "components", "condensation_sizes", "dependency_graph", "pagerank"]

_DAMPING = 0.85
_TOLERANCE = 1e-10
_MOST_STEPS = 1000
#: From how many parts shortest ways are followed; from all of them it would take ten times as long for nearly the same order.
_SAMPLES = 400


def dependency_graph(graph: RulesGraph) -> networkx.DiGraph[Any]:
    """Return what depends on what: an edge from a part to each thing that it or anything under it refers to.

    Nodes are numbers; parts that neither refer to anything nor are referred to are left out.
    """
    import networkx

    result: networkx.DiGraph[Any] = networkx.DiGraph()
    for edge in graph.edges:
        result.add_edges_from((part, edge.target) for part in graph.above(edge.source))
    return result


def components(graph: RulesGraph) -> list[tuple[str, ...]]:
    """Return the strongly connected components with more than one member: parts that all depend on each other.

    Largest first; numbers in the order of the book.
    """
    found = [tuple(sorted(members, key=in_order)) for members in _groups(graph) if len(members) > 1]
    return sorted(found, key=lambda members: (-len(members), in_order(members[0])))


def _groups(graph: RulesGraph) -> Iterator[set[str]]:
    import networkx

    yield from networkx.strongly_connected_components(dependency_graph(graph))


def condensation_sizes(graph: RulesGraph) -> dict[int, int]:
    """Return how many strongly connected components there are of each size, largest first. Taken as one node each, they form no circle."""
    sizes = Counter(map(len, _groups(graph)))
    return dict(sorted(sizes.items(), reverse=True))


def pagerank(graph: RulesGraph) -> dict[str, float]:
    """Return the share of time that a reader would spend at each part who follows references at random and sometimes starts anew.

    Power iteration; networkx's own needs SciPy.
    """
    network = dependency_graph(graph)
    start = {node: 1 / len(network) for node in network}
    rank = start
    for _ in range(_MOST_STEPS):
        stuck = sum(rank[node] for node in network if not network[node])
        after = {node: (1 - _DAMPING + _DAMPING * stuck) * share for node, share in start.items()}
        for node, targets in network.adj.items():
            for target in targets:
                after[target] += _DAMPING * rank[node] / len(targets)
        if sum(abs(after[node] - rank[node]) for node in network) < _TOLERANCE:
            return after
        rank = after
    return rank


def betweenness(graph: RulesGraph, samples: int = _SAMPLES) -> dict[str, float]:
    """Return on which share of the shortest ways between others each part lies, estimated from so many starting points."""
    import networkx

    network = dependency_graph(graph)
    result: dict[str, float] = networkx.betweenness_centrality(network, k=min(samples, len(network)), seed=0)
    return result


# ---------------------------------------------------------------- as queries

_COMPONENTS = """\
# Circles of references: groups of rules that all depend on each other, largest first.
#
# Columns: name, meaning
#   group    a number for the group
#   size     how many are in it
#   number   one of them
#   heading  its title, if it has one
"""
_CONDENSATION = """\
# How many groups of rules that all depend on each other there are of each size.
#
# Columns: name, meaning
#   size     how many are in a group; 1 is a rule on no circle
#   groups   how many such groups there are
"""
_CENTRAL = """\
# What the rest of the rulebook hangs on most.
# By pagerank: where a reader ends up who follows references at random. By betweenness: what most shortest ways lead through.
#
# Parameters: name, kind, example (=default), meaning
#   n        rows     =20        how many
#   by       text     =pagerank  pagerank or betweenness
# Columns: name, meaning
#   number   a part of the rulebook
#   share    of that reader's time, or of those ways (estimated)
#   heading  its title, if it has one
"""
_MEASURES = {"pagerank": pagerank, "betweenness": betweenness}


def _component_rows(graph: RulesGraph, _: Mapping[str, str]) -> Iterator[tuple[Value, ...]]:
    for group, members in enumerate(components(graph), 1):
        yield from ((group, len(members), number, _heading(graph, number)) for number in members)


def _condensation_rows(graph: RulesGraph, _: Mapping[str, str]) -> Iterator[tuple[Value, ...]]:
    yield from condensation_sizes(graph).items()


def _central_rows(graph: RulesGraph, given: Mapping[str, str]) -> Iterator[tuple[Value, ...]]:
    by = given["by"]
    if by not in _MEASURES:
        raise InputError(f'the parameter by has to be {" or ".join(_MEASURES)}, not "{by}"{suggestion(by, _MEASURES)}')
    shares = _MEASURES[by](graph)
    for number in sorted(shares, key=lambda number: (-round(shares[number], 9), in_order(number))):
        yield number, round(shares[number], 6), _heading(graph, number)


def _heading(graph: RulesGraph, number: str) -> str | None:
    place = graph.by_number.get(number)
    return place.heading or None if place else None


_ROWS: Mapping[str, tuple[str, Callable[[RulesGraph, Mapping[str, str]], Iterator[tuple[Value, ...]]]]] = {
    "central": (_CENTRAL, _central_rows),
    "components": (_COMPONENTS, _component_rows),
    "condensation": (_CONDENSATION, _condensation_rows),
}


def analyses() -> dict[str, Query]:
    """Return what can be asked about the network by its name; the text of these queries is only what describes them."""
    return {name: read_query(text, name) for name, (text, _) in _ROWS.items()}


def analyse(graph: RulesGraph, query: Query, given: Mapping[str, str], *, limit: int = ROW_LIMIT) -> Answer:
    """Answer one of `analyses` about a release.

    Raises:
        InputError: if a parameter is not as it has to be.
    """
    rows = islice(_ROWS[query.name][1](graph, values(query, given)), rows_wanted(query, given))
    kept = tuple(islice(rows, limit))
    return Answer(graph.release, tuple(name for name, _ in query.columns), kept, more=next(rows, None) is not None)
