"""Checking the graph of a release against the shapes of kb/rules/shapes.ttl (SHACL).

`python -m lawmage.rulebook.validate [RELEASE...]` checks what is shipped: the releases named, or all.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence

from lawmage.errors import DataError
from lawmage.resources import data_folder
from lawmage.rulebook.graph import RulesGraph
from lawmage.rulebook.rdf import quads
from lawmage.rulebook.store import load_graph, shipped_releases

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


def _faults(release: str) -> tuple[str, list[str]]:
    return release, validate(load_graph(release))


def main(arguments: Sequence[str]) -> int:
    """Check releases, several at a time; return 1 if any of them breaks a shape."""
    releases = list(arguments) or sorted(shipped_releases())
    failed = 0
    with multiprocessing.Pool() as pool:
        for release, faults in pool.imap(_faults, releases):
            failed += bool(faults)
            print(release, "conforms" if not faults else "\n  ".join(["does not conform:", *faults]), flush=True)
    print(f"{len(releases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
