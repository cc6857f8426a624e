"""An answer about dependencies as a drawing: DOT (Graphviz), Mermaid, GraphML.

Arrows go from what refers to what it refers to, also in reverse answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawmage.rulebook.graph import Dependency, RulesGraph

__all__ = ["as_dot", "as_graphml", "as_mermaid", "title"]


def title(graph: RulesGraph, number: str) -> str:
    """Return how a part is called in one line: `702.2 Deathtouch`, `702.2c`, `Deathtouch (glossary)`."""
    place = graph.by_number.get(number)
    if place is None:
        return number
    if place.number.endswith(place.heading) and place.heading:
        return f"{place.heading} (glossary)"
    return f"{number} {place.heading}".rstrip()


def _arrows(answer: Iterable[Dependency], *, reverse: bool) -> list[tuple[str, str, str]]:
    """Return the arrows of a drawing: from, to, and the kinds of reference."""
    arrows = []
    for item in answer:
        kinds = ", ".join(dict.fromkeys(edge.kind for edge in item.edges))
        ends = (item.number, item.reached_from) if reverse else (item.reached_from, item.number)
        arrows.append((*ends, kinds))
    return arrows


def as_dot(graph: RulesGraph, start: str, answer: Sequence[Dependency], *, reverse: bool) -> str:
    """Return an answer in the language of Graphviz."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    lines = ["digraph rules {", "  rankdir=LR;", "  node [shape=box];", f"  {quoted(start)} [style=bold];"]
    lines += [f"  {quoted(number)} [label={quoted(title(graph, number))}];" for number in (start, *(item.number for item in answer))]
    lines += [f"  {quoted(a)} -> {quoted(b)} [label={quoted(kinds)}];" for a, b, kinds in _arrows(answer, reverse=reverse)]
    return "\n".join([*lines, "}", ""])


def as_mermaid(graph: RulesGraph, start: str, answer: Sequence[Dependency], *, reverse: bool) -> str:
    """Return an answer as a Mermaid flow chart."""
    names = {number: f"n{index}" for index, number in enumerate((start, *(item.number for item in answer)))}
    lines = ["flowchart LR"]
    for number, name in names.items():
        label = title(graph, number).replace('"', "#quot;")
        lines.append(f'  {name}["{label}"]')
    lines += [f'  {names[a]} -->|"{kinds}"| {names[b]}' for a, b, kinds in _arrows(answer, reverse=reverse)]
    return "\n".join([*lines, ""])


def as_graphml(graph: RulesGraph, start: str, answer: Sequence[Dependency], *, reverse: bool) -> str:
    """Return an answer as GraphML, for Gephi, yEd and the like."""
    import networkx  # type: ignore[import-untyped]

    drawing = networkx.DiGraph()
    for number, depth in ((start, 0), *((item.number, item.depth) for item in answer)):
        drawing.add_node(number, label=title(graph, number), depth=depth)
    for source, target, kinds in _arrows(answer, reverse=reverse):
        drawing.add_edge(source, target, kind=kinds)
    return "\n".join([*networkx.generate_graphml(drawing), ""])
