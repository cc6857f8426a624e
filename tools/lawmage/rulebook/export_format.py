"""The formats that the rules graph is exported to; apart from `lawmage.rulebook.export` so that the command line starts without that."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Format"]


class Format(StrEnum):
    """A format to export to. The first four are RDF and take any number of releases."""

    TURTLE = "turtle"
    TRIG = "trig"
    JSON_LD = "json-ld"
    N_QUADS = "n-quads"
    GRAPHML = "graphml"
    DOT = "dot"
    MERMAID = "mermaid"
    HTML = "html"

    @property
    def is_rdf(self) -> bool:
        """Whether it is a format of RDF."""
        return self in (Format.TURTLE, Format.TRIG, Format.JSON_LD, Format.N_QUADS)
