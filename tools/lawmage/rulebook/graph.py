"""A release as a graph: its sections, chapters, rules, subrules and glossary entries, and the references between them. No text.

A part of the rulebook stands for all that is in it: what 702.2 depends on is what 702.2a, 702.2b, ... refer to, and to depend on
chapter 704 is to depend on each rule of it. So both ends of a question, and every step between, take a part with its subrules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lawmage.errors import UnknownNameError, suggestion
from lawmage.rulebook.model import GLOSSARY, INTRODUCTION, Reference, Rulebook, fingerprint, number_above, sort_key

if TYPE_CHECKING:
    import networkx  # type: ignore[import-untyped]

__all__ = [
    "CONTAINS",
    "GLOSSARY_ENTRY",
    "PART_OF",
    "Dependency",
    "Edge",
    "Place",
    "RulesGraph",
    "Step",
    "build_graph",
    "dependencies",
    "find_path",
    "in_order",
    "to_networkx",
]

GLOSSARY_ENTRY = "glossary entry"
#: The kinds of steps that take no reference: down into a part, and up to the part that was asked for.
CONTAINS = "contains"
PART_OF = "part of"
_PREFIX = re.compile(r"(?:comprehensive )?(?:cr|rules?|subrules?|chapter|section)\s*:?\s*(?=\d)", re.IGNORECASE)
_LIKE_A_NUMBER = re.compile(r"\d(\d\d(\.\d+[a-z]*)?)?")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the rulebook without its text.

    Attributes:
        number: a rule number, or `glossary:` and a term.
        kind: `section`, `chapter`, `rule`, `subrule` or `glossary entry`.
        parent: the number it stands under; None for sections and glossary entries.
        heading: its title, or the term of a glossary entry; empty for a rule with a text.
        fingerprint: of its text, or of its heading where it has no text.
        examples: the fingerprints of its worked examples.
    """

    number: str
    kind: str
    parent: str | None
    heading: str
    fingerprint: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """At least one reference of one kind from a text (`part`: `text`, `example 1`, ...) of `source` to `target`."""

    source: str
    part: str
    target: str
    kind: str


@dataclass(frozen=True)
class RulesGraph:
    """The structure of a release: its parts in the order of the book, then glossary entries; and its references."""

    release: str
    places: tuple[Place, ...]
    edges: tuple[Edge, ...]

    @cached_property
    def by_number(self) -> Mapping[str, Place]:
        """Each part by its number."""
        return {place.number: place for place in self.places}

    @cached_property
    def children(self) -> Mapping[str, list[str]]:
        """The numbers that stand directly under a number, in order."""
        children: dict[str, list[str]] = {}
        for place in self.places:
            if place.parent is not None:
                children.setdefault(place.parent, []).append(place.number)
        return children

    @cached_property
    def edges_from(self) -> Mapping[str, list[Edge]]:
        """The references in the texts of a part itself."""
        return _group((edge.source, edge) for edge in self.edges)

    @cached_property
    def edges_to(self) -> Mapping[str, list[Edge]]:
        """The references to a part itself."""
        return _group((edge.target, edge) for edge in self.edges)

    def within(self, number: str) -> list[str]:
        """Return `number` and every number under it, in order."""
        numbers = [number]
        for child in self.children.get(number, ()):
            numbers.extend(self.within(child))
        return numbers

    def above(self, number: str) -> Iterator[str]:
        """Yield `number` and every number it stands under, upwards."""
        above: str | None = number
        while above is not None:
            yield above
            above = self.by_number[above].parent if above in self.by_number else None

    def find(self, name: str) -> Place:
        """Return the part that a person means by `name`: `702.2c`, `rule 702.2C`, `702.`, `glossary:Deathtouch`.

        Raises:
            UnknownNameError: if this release has no such part; the message suggests one.
        """
        wanted = name.strip()
        if wanted.lower().startswith(GLOSSARY):
            folded = wanted.casefold()
            place = next((place for place in self.places if place.number.casefold() == folded), None)
        else:
            place = self.by_number.get(_PREFIX.sub("", wanted, count=1).rstrip(".").lower())
        if place is None:
            raise UnknownNameError(f'the release {self.release} has no rule "{name}"{self._suggest(wanted)}')
        return place

    def _suggest(self, wanted: str) -> str:
        number = _PREFIX.sub("", wanted, count=1).rstrip(".").lower()
        if _LIKE_A_NUMBER.fullmatch(number):
            above = number_above(number)
            while above and above not in self.by_number:
                above = number_above(above)
            if above:
                before = [child for child in self.children.get(above, ()) if sort_key(child) < sort_key(number)]
                return f'; did you mean "{before[-1] if before else above}"?'
        names = {place.heading: place.number for place in reversed(self.places) if len(place.heading) > 2}
        heading = suggestion(wanted.removeprefix(GLOSSARY), names).partition('"')[2].rpartition('"')[0]
        return f'; did you mean {names[heading]} "{heading}"?' if heading else suggestion(number, self.by_number)


def _group(pairs: Iterable[tuple[str, Edge]]) -> dict[str, list[Edge]]:
    groups: dict[str, list[Edge]] = {}
    for number, edge in pairs:
        groups.setdefault(number, []).append(edge)
    return groups


def build_graph(rulebook: Rulebook, references: Iterable[Reference]) -> RulesGraph:
    """Return the graph of a release from its text and the references found in it."""
    parts = [
        Place(node.number, node.kind, node.parent, node.heading, node.fingerprint, tuple(map(fingerprint, node.examples)))
        for node in rulebook.nodes
    ]
    entries = [Place(GLOSSARY + entry.term, GLOSSARY_ENTRY, None, entry.term, fingerprint(entry.text)) for entry in rulebook.glossary]
    edges = dict.fromkeys(Edge(item.source, item.part, item.target, item.kind) for item in references)
    return RulesGraph(rulebook.release, (*parts, *entries), tuple(edges))


@dataclass(frozen=True, slots=True)
class Dependency:
    """One entry of an answer about dependencies.

    Attributes:
        number: what the part that was asked about depends on (or, in reverse, what depends on it).
        depth: how many references away it is, from 1.
        reached_from: the entry of the answer one step nearer, or the part that was asked about.
        edges: the references of that step; their source stands in `reached_from`, or in reverse their target does.
    """

    number: str
    depth: int
    reached_from: str
    edges: tuple[Edge, ...]


def dependencies(
    graph: RulesGraph, number: str, *, reverse: bool = False, transitive: bool = False, depth: int | None = None
) -> list[Dependency]:
    """Return what the texts of a part and of everything under it refer to; in reverse, what refers to any of these.

    Args:
        graph: the release.
        number: a number that exists in it.
        reverse: ask for what depends on `number`. A step back from a rule goes to what refers to it or to a part that it is in.
        transitive: follow references as far as they go.
        depth: follow them so many steps; more than 1 implies `transitive`.

    Returns:
        Nearest first, then in the order of the book. `number` itself is never among them.
    """
    limit = depth if depth is not None else None if transitive else 1
    reached: dict[str, Dependency] = {}
    seen: set[str] = set()
    followed: set[str] = set()
    frontier, steps = [number], 0
    while frontier and (limit is None or steps < limit):
        steps += 1
        found: dict[str, list[tuple[str, Edge]]] = {}
        for place in frontier:
            for edge in _step(graph, place, followed, reverse=reverse, first=steps == 1):
                other = edge.source if reverse else edge.target
                if other not in seen:
                    found.setdefault(other, []).append((place, edge))
        frontier = sorted(found, key=in_order)
        seen.update(frontier)
        for other in frontier:
            # Where a circle leads back to the start, it is followed from there, but it isn't an answer.
            if other != number:
                nearer = found[other][0][0]
                edges = tuple(edge for place, edge in found[other] if place == nearer)
                reached[other] = Dependency(other, steps, nearer, edges)
    return list(reached.values())


def _step(graph: RulesGraph, place: str, followed: set[str], *, reverse: bool, first: bool) -> Iterator[Edge]:
    """Yield the references that lead on from a part, those of each text once."""
    numbers = graph.above(place) if reverse and not first else graph.within(place)
    edges = graph.edges_to if reverse else graph.edges_from
    for number in numbers:
        if number not in followed:
            followed.add(number)
            yield from edges.get(number, ())


def in_order(number: str) -> tuple[int, tuple[int, int, int, str], str]:
    """Sort numbers as in the book, then the introduction and glossary terms."""
    if number[0].isdigit():
        return 0, sort_key(number), ""
    return 1, (0, 0, 0, ""), number


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: `via` is the part of `source` whose text has the reference, or empty for the kind `contains`."""

    source: str
    target: str
    kind: str
    via: str = ""


def find_path(graph: RulesGraph, start: str, end: str) -> list[Step] | None:
    """Return a shortest way from one part to another along references, or None if there is none.

    The way may begin in any subrule of `start` and end in any of `end`; the last step then goes from that subrule to `end`
    (kind `part of`). A part leads to its own subrules without a reference (kind `contains`). From a part to itself there are no
    steps.
    """
    if start == end:
        return []
    goal = set(graph.within(end))
    if start in goal:
        return [Step(start, end, PART_OF)]
    if end in graph.within(start):
        return [Step(start, end, CONTAINS)]
    reached = {item.number: item for item in dependencies(graph, start, transitive=True)}
    hits = [reached[number] for number in (end, *sorted(goal - {end}, key=in_order)) if number in reached]
    if not hits:
        return None
    item = min(hits, key=lambda hit: hit.depth)
    steps = [] if item.number == end else [Step(item.number, end, PART_OF)]
    while True:
        edge = item.edges[0]
        steps.append(Step(item.reached_from, item.number, edge.kind, edge.source))
        if item.reached_from == start:
            return steps[::-1]
        item = reached[item.reached_from]


def to_networkx(graph: RulesGraph) -> networkx.MultiDiGraph[Any]:
    """Return the release as a networkx graph, for its algorithms (cycles, centrality, condensation).

    Nodes are numbers with the attributes `kind`, `heading` and `fingerprint`; edges have `kind` (that of a reference, or `contains`
    from a part to what stands directly under it) and, for references, `part`.
    """
    import networkx as nx

    result: networkx.MultiDiGraph[Any] = nx.MultiDiGraph(release=graph.release)
    for place in graph.places:
        result.add_node(place.number, kind=place.kind, heading=place.heading, fingerprint=place.fingerprint)
        if place.parent is not None:
            result.add_edge(place.parent, place.number, kind=CONTAINS)
    result.add_node(INTRODUCTION, kind=INTRODUCTION, heading="Introduction", fingerprint="")
    for edge in graph.edges:
        result.add_edge(edge.source, edge.target, kind=edge.kind, part=edge.part)
    return result
