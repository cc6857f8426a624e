"""The rules graph for other programs: RDF, GraphML, Graphviz and Mermaid; whole releases, or what is around one rule. No text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawmage.errors import InputError
from lawmage.rulebook.drawing import title
from lawmage.rulebook.export_format import Format
from lawmage.rulebook.graph import RulesGraph, dependencies, to_networkx
from lawmage.rulebook.model import INTRODUCTION
from lawmage.rulebook.rdf import RULES, VOCABULARY, quads

__all__ = ["around", "export"]


def around(graph: RulesGraph, number: str, depth: int = 1) -> RulesGraph:
    """Return the part of a release around a rule: what is under it, what it depends on and what depends on it in so many steps.

    The texts that these steps lead through are in it, what any of these stands under, and all references between them.
    """
    kept = set(graph.within(number))
    for reverse in (False, True):
        for item in dependencies(graph, number, reverse=reverse, depth=depth):
            kept.update([item.number, *(end for edge in item.edges for end in (edge.source, edge.target))])
    kept.update([above for part in kept for above in graph.above(part)])
    return RulesGraph(
        graph.release,
        tuple(place for place in graph.places if place.number in kept),
        tuple(edge for edge in graph.edges if edge.source in kept and edge.target in kept),
    )


def export(graphs: Sequence[RulesGraph], form: Format, *, number: str | None = None, depth: int = 1) -> bytes:
    """Return releases, or with `number` what is around that rule in each, as a document of the given format but HTML.

    Raises:
        InputError: if there are several releases and the format holds one.
        UnknownNameError: if a release has no such rule.
    """
    parts = [around(graph, graph.find(number).number, depth) if number else graph for graph in graphs]
    if form.is_rdf:
        return _rdf(graphs, parts, form)
    if len(parts) != 1:
        raise InputError(f"{form} holds one release at a time, not {len(parts)}")
    draw = {Format.GRAPHML: _graphml, Format.DOT: _dot, Format.MERMAID: _mermaid}[form]
    return "\n".join([*draw(parts[0]), ""]).encode()


# ---------------------------------------------------------------- RDF


def _rdf(graphs: Sequence[RulesGraph], parts: Sequence[RulesGraph], form: Format) -> bytes:
    from pyoxigraph import NamedNode, Quad, RdfFormat, serialize

    formats = {
        Format.TURTLE: RdfFormat.TURTLE,
        Format.TRIG: RdfFormat.TRIG,
        Format.JSON_LD: RdfFormat.JSON_LD,
        Format.N_QUADS: RdfFormat.N_QUADS,
    }
    order = NamedNode(f"{VOCABULARY}order")

    def statements() -> Iterator[Quad]:
        for graph, part in zip(graphs, parts, strict=True):
            if part is graph:
                yield from quads(graph)
                continue
            wanted = set(quads(part))
            subjects = {quad.subject for quad in wanted}
            # the place in the whole release, not in the part
            yield from (quad for quad in quads(graph) if (quad.subject in subjects if quad.predicate == order else quad in wanted))

    found = statements() if formats[form].supports_datasets else (quad.triple for quad in statements())
    only = f"{graphs[0].release}:" if len(graphs) == 1 else ""
    document = serialize(found, format=formats[form], prefixes={"lm": VOCABULARY, "r": f"{RULES}{only}"})
    assert document is not None  # None is for output to a file
    return document


# ---------------------------------------------------------------- drawings


def _graphml(graph: RulesGraph) -> Iterator[str]:
    import networkx  # type: ignore[import-untyped]

    network = to_networkx(graph)
    if not network[INTRODUCTION]:
        network.remove_node(INTRODUCTION)
    for number in network:
        network.nodes[number]["label"] = title(graph, number)
    yield from networkx.generate_graphml(network)


def _arrows(graph: RulesGraph) -> Iterator[tuple[str, str, str]]:
    """Yield what stands under what (without words), then the references: from, to, and their kinds."""
    for place in graph.places:
        if place.parent is not None:
            yield place.parent, place.number, ""
    kinds: dict[tuple[str, str], dict[str, None]] = {}
    for edge in graph.edges:
        kinds.setdefault((edge.source, edge.target), {})[edge.kind] = None
    for (source, target), words in kinds.items():
        yield source, target, ", ".join(words)


def _numbers(graph: RulesGraph) -> list[str]:
    introduction = [INTRODUCTION] if INTRODUCTION in graph.edges_from else []
    return [*introduction, *(place.number for place in graph.places)]


def _dot(graph: RulesGraph) -> Iterator[str]:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    yield from ("digraph rules {", "  rankdir=LR;", "  node [shape=box];")
    for number in _numbers(graph):
        yield f"  {quoted(number)} [label={quoted(title(graph, number))}];"
    for source, target, kinds in _arrows(graph):
        yield f"  {quoted(source)} -> {quoted(target)} [{f'label={quoted(kinds)}' if kinds else 'style=dotted, arrowhead=none'}];"
    yield "}"


def _mermaid(graph: RulesGraph) -> Iterator[str]:
    names = {number: f"n{index}" for index, number in enumerate(_numbers(graph))}
    yield "flowchart LR"
    for number, name in names.items():
        label = title(graph, number).replace('"', "#quot;")
        yield f'  {name}["{label}"]'
    for source, target, kinds in _arrows(graph):
        arrow = f'-->|"{kinds}"|' if kinds else "-.-"
        yield f"  {names[source]} {arrow} {names[target]}"
