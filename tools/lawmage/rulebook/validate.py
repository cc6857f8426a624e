"""Checking the graph of a release against the shapes of kb/rules/shapes.ttl (SHACL)."""

from __future__ import annotations

from lawmage.errors import DataError
from lawmage.resources import data_folder
from lawmage.rulebook.graph import RulesGraph
from lawmage.rulebook.rdf import quads

__all__ = ["validate"]


def validate(graph: RulesGraph) -> list[str]:
    """Return what breaks a shape, one sentence each; nothing if the graph is as it should be.

    Raises:
        DataError: if pyshacl isn't installed.
    """
    try:
        import pyshacl
    except ImportError:
        raise DataError("checking shapes needs pyshacl; install it with: pip install pyshacl") from None
    import pyoxigraph
    import rdflib

    triples = [quad.triple for quad in quads(graph)]
    document = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    data = rdflib.Graph().parse(data=document, format="nt")
    shapes = rdflib.Graph().parse(data_folder("kb") / "rules" / "shapes.ttl", format="turtle")
    _, results, _ = pyshacl.validate(data, shacl_graph=shapes)
    shacl = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    faults = [
        f"{results.value(result, shacl.focusNode)}: {results.value(result, shacl.resultMessage)}"
        for result in results.subjects(rdflib.RDF.type, shacl.ValidationResult)
    ]
    return sorted(faults)
