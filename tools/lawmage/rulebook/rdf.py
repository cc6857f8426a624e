"""The graph of a release as RDF and back. What the terms mean stands in kb/rules/vocabulary.ttl.

The files that we ship are TriG, so that each says itself which named graph it is, and compressed, because 23 releases as plain text
would be 13 MB.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lawmage.errors import DataError
from lawmage.rulebook.graph import GLOSSARY_ENTRY, Edge, Place, RulesGraph
from lawmage.rulebook.model import GLOSSARY, INTRODUCTION, sort_key

if TYPE_CHECKING:
    from pyoxigraph import NamedNode, Quad

__all__ = ["RULES", "VOCABULARY", "from_trig", "number_iri", "pack", "quads", "to_trig", "unpack"]

VOCABULARY = "urn:lawmage:vocabulary:"
RULES = "urn:lawmage:rules:"

_CLASSES = {
    "section": "Section",
    "chapter": "Chapter",
    "rule": "Rule",
    "subrule": "Subrule",
    GLOSSARY_ENTRY: "GlossaryEntry",
}
_REFERENCES = {"cites": "cites", "exception to": "exceptionTo", "defined by": "definedBy", "see also": "seeAlso"}
_PROPERTIES = ("number", "sortKey", "order", "partOf", "heading", "fingerprint", "exampleOf")
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DATE = "http://www.w3.org/2001/XMLSchema#date"
_EXAMPLE = ":example:"
#: What an IRI may hold unescaped, beside letters and digits.
_PLAIN = ":~.-_,()'!"


def number_iri(release: str, number: str) -> NamedNode:
    """Return the IRI of a part, example or glossary entry of a release."""
    from pyoxigraph import NamedNode

    return NamedNode(f"{RULES}{release}:{quote(number, safe=_PLAIN)}")


def quads(graph: RulesGraph) -> Iterator[Quad]:
    """Yield the statements about a release, each in the named graph of the release."""
    from pyoxigraph import Literal, NamedNode, Quad

    name = NamedNode(RULES + graph.release)
    term = {key: NamedNode(VOCABULARY + key) for key in _PROPERTIES}
    reference = {kind: NamedNode(VOCABULARY + key) for kind, key in _REFERENCES.items()}
    a = NamedNode(_TYPE)

    def iri(number: str) -> NamedNode:
        return number_iri(graph.release, number)

    def references(subject: NamedNode, source: str, part: str) -> Iterator[Quad]:
        for edge in graph.edges_from.get(source, ()):
            if edge.part == part:
                yield Quad(subject, reference[edge.kind], iri(edge.target), name)

    yield Quad(name, a, NamedNode(VOCABULARY + "Release"), name)
    yield Quad(name, NamedNode(VOCABULARY + "released"), Literal(graph.release, datatype=NamedNode(_DATE)), name)
    yield from references(name, INTRODUCTION, "text")
    glossary_start = sum(place.kind != GLOSSARY_ENTRY for place in graph.places)
    for order, place in enumerate(graph.places):
        subject = iri(place.number)
        yield Quad(subject, a, NamedNode(VOCABULARY + _CLASSES[place.kind]), name)
        if place.kind == GLOSSARY_ENTRY:
            yield Quad(subject, term["order"], Literal(order - glossary_start), name)
        else:
            yield Quad(subject, term["number"], Literal(place.number.partition("~")[0]), name)
            yield Quad(subject, term["sortKey"], Literal(_sortable(place.number)), name)
            yield Quad(subject, term["order"], Literal(order), name)
        yield Quad(subject, term["partOf"], iri(place.parent) if place.parent else name, name)
        if place.heading:
            yield Quad(subject, term["heading"], Literal(place.heading), name)
        yield Quad(subject, term["fingerprint"], Literal(place.fingerprint), name)
        yield from references(subject, place.number, "text")
        for index, fingerprint in enumerate(place.examples, 1):
            example = iri(f"{place.number}{_EXAMPLE}{index}")
            yield Quad(example, a, NamedNode(VOCABULARY + "Example"), name)
            yield Quad(example, term["exampleOf"], subject, name)
            yield Quad(example, term["order"], Literal(index), name)
            yield Quad(example, term["fingerprint"], Literal(fingerprint), name)
            yield from references(example, place.number, f"example {index}")


def _sortable(number: str) -> str:
    section, chapter, rule, rest = sort_key(number)
    return f"{section} {max(chapter, 0):3} {max(rule, 0):3} {rest}"


def to_trig(graph: RulesGraph) -> bytes:
    """Return a release as a TriG document."""
    from pyoxigraph import RdfFormat, serialize

    prefixes = {"lm": VOCABULARY, "r": f"{RULES}{graph.release}:"}
    document = serialize(quads(graph), format=RdfFormat.TRIG, prefixes=prefixes)
    assert document is not None  # None is for output to a file
    return document


def from_trig(document: bytes) -> RulesGraph:
    """Return the release that `to_trig` wrote.

    Raises:
        DataError: if it isn't such a document.
    """
    from pyoxigraph import RdfFormat, parse

    # What the number says again is passed over, because turning terms into strings is most of the time that reading takes.
    spared = {VOCABULARY + name for name in ("number", "sortKey", "order")}
    try:
        return _assemble(
            (quad.subject.value, predicate, quad.object.value)
            for quad in parse(document, format=RdfFormat.TRIG)
            if (predicate := quad.predicate.value) not in spared
        )
    except (SyntaxError, KeyError, ValueError, AttributeError) as error:
        raise DataError(f"a file of kb/rules/ is damaged; install lawmage again ({error})") from None


def _assemble(statements: Iterable[tuple[str, str, str]]) -> RulesGraph:
    """Put a release together from statements in the order in which `quads` yields them."""
    kinds = {VOCABULARY + name: kind for kind, name in _CLASSES.items()}
    references = {VOCABULARY + name: kind for kind, name in _REFERENCES.items()}
    fields: dict[str, dict[str, str]] = {}
    edges: list[Edge] = []
    release = ""
    for subject, predicate, value in statements:
        kind = references.get(predicate)
        if kind is not None:
            source, _, example = _number(subject, release).partition(_EXAMPLE)
            edges.append(Edge(source, f"example {example}" if example else "text", _number(value, release), kind))
        elif predicate == VOCABULARY + "released":
            release = value
        else:
            fields.setdefault(subject, {})[predicate] = value
    places: list[Place] = []
    examples: dict[str, list[str]] = {}
    for values in fields.values():
        if VOCABULARY + "exampleOf" in values:
            examples.setdefault(values[VOCABULARY + "exampleOf"], []).append(values[VOCABULARY + "fingerprint"])
    for subject, values in fields.items():
        kind = kinds.get(values[_TYPE])
        if kind is not None:
            parent = _number(values[VOCABULARY + "partOf"], release)
            places.append(
                Place(
                    number=_number(subject, release),
                    kind=kind,
                    parent=None if parent == INTRODUCTION else parent,
                    heading=values.get(VOCABULARY + "heading", ""),
                    fingerprint=values[VOCABULARY + "fingerprint"],
                    examples=tuple(examples.get(subject, ())),
                )
            )
    return RulesGraph(release, tuple(places), tuple(edges))


def _number(iri: str, release: str) -> str:
    """Return the number that an IRI stands for; the release itself stands for its introduction."""
    number = iri[len(RULES) + len(release) + 1 :]
    return (unquote(number) if number.startswith(GLOSSARY) else number) or INTRODUCTION


def pack(document: bytes) -> bytes:
    """Compress a document for shipping."""
    return lzma.compress(document, preset=9)


def unpack(data: bytes) -> bytes:
    """Return a shipped document.

    Raises:
        DataError: if it is damaged.
    """
    try:
        return lzma.decompress(data)
    except lzma.LZMAError as error:
        raise DataError(f"a file of kb/rules/ is damaged; install lawmage again ({error})") from None
