"""What the SPARQL endpoint says of itself (SPARQL 1.1 Service Description), in Turtle."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

__all__ = ["describe"]

#: Names of result formats, by media type (https://www.w3.org/ns/formats/).
_FORMATS = {
    "application/sparql-results+json": "SPARQL_Results_JSON",
    "application/sparql-results+xml": "SPARQL_Results_XML",
    "text/csv": "SPARQL_Results_CSV",
    "text/tab-separated-values": "SPARQL_Results_TSV",
    "text/turtle": "Turtle",
    "application/n-triples": "N-Triples",
    "application/rdf+xml": "RDF_XML",
    "application/trig": "TriG",
    "application/n-quads": "N-Quads",
    "application/ld+json": "JSON-LD",
}

_OF_ADDRESSES = ":/?#[]@!$&'()*+,;=%~"


def describe(endpoint: str, releases: Iterable[str], formats: Iterable[str]) -> str:
    """Return the description.

    Args:
        endpoint: the address of the endpoint.
        releases: the dates of the releases that are named graphs.
        formats: the media types of answers.
    """
    graphs = ",\n".join(f"      [ sd:name <urn:lawmage:rules:{name}> ]" for name in (*releases, "lineage"))
    results = ",\n".join(f"    formats:{_FORMATS[media_type]}" for media_type in formats)
    return f"""@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .
@prefix formats: <http://www.w3.org/ns/formats/> .
@prefix dcterms: <http://purl.org/dc/terms/> .

[] a sd:Service ;
  sd:endpoint <{quote(endpoint, safe=_OF_ADDRESSES)}> ;
  dcterms:title "lawmage: the rulebook as a graph" ;
  dcterms:description "Read only. No federated queries. The default graph is the release that the parameter 'release' names." ;
  sd:supportedLanguage sd:SPARQL11Query ;
  sd:resultFormat
{results} ;
  sd:defaultDataset [
    a sd:Dataset ;
    sd:defaultGraph [ a sd:Graph ] ;
    sd:namedGraph
{graphs}
  ] .
"""
