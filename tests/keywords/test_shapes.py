"""The keyword files have the shapes of kb/keywords/shapes.ttl, and the shapes can tell."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from pyshacl import validate
from rdflib import Graph

KB = Path(__file__).resolve().parent.parent.parent / "kb"
KEYWORDS = KB / "keywords"

PREFIXES = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix kw: <urn:lawmage:keyword:> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

#: A keyword that has the shape; the cases below each spoil one thing in it.
GOOD = """
kw:example a lm:KeywordAbility ;
    lm:name "example" ; lm:rule "702.2" ; lm:since "2015-01-23"^^xsd:date ;
    lm:kind lm:Static ; lm:kindRule "702.2a" ;
    lm:functionsIn lm:Battlefield ; lm:functionsRule "113.6" ;
    lm:writtenForm "example {number}" ;
    lm:cost [ a lm:ActivationCost ; lm:rule "702.2a" ; lm:pays "{cost}" ] ;
    lm:stacking lm:Redundant ; lm:stackingRule "702.2f" ;
    lm:states [ lm:rule "702.2a" ; a lm:Definition ; lm:gist "does nothing" ] .
"""

FAULTS = {
    "a misspelt property": ("lm:kindRule", "lm:kindrule"),
    "no kind": ("lm:kind lm:Static ; ", ""),
    "a kind that is none": ("lm:Static", "lm:Battlefield"),
    "a place that is none": ("lm:functionsIn lm:Battlefield", "lm:functionsIn lm:Redundant"),
    "no place": ("lm:functionsIn lm:Battlefield ; ", ""),
    "a rule of another chapter": ('lm:rule "702.2" ;', 'lm:rule "701.2" ;'),
    "a rule number as a number": ('lm:kindRule "702.2a"', "lm:kindRule 702.2"),
    "a form in capitals": ('"example {number}"', '"Example {number}"'),
    "a slot without its brace": ('"example {number}"', '"example {number"'),
    "stacking without a rule": (' ; lm:stackingRule "702.2f"', ""),
    "a stacking rule without stacking": ("lm:stacking lm:Redundant ; ", ""),
    "a date as a text": ('"2015-01-23"^^xsd:date', '"2015-01-23"'),
    "a cost of no kind": ("a lm:ActivationCost ; ", ""),
    "a statement of no sort": (" ; a lm:Definition", ""),
    "a sentence for a gist": ('"does nothing"', '"does nothing."'),
    "an event of no trigger": ("lm:kind lm:Static ;", "lm:kind lm:Static ; lm:triggersOn lm:Attacks ;"),
    "a redundant trigger": ("lm:kind lm:Static ;", "lm:kind lm:Triggered ; lm:triggersOn lm:Attacks ;"),
    "two names": ('lm:name "example" ;', 'lm:name "example" , "sample" ;'),
}


@lru_cache(maxsize=1)
def vocabulary() -> Graph:
    graph = Graph()
    for file in (KB / "vocabulary.ttl", KEYWORDS / "vocabulary.ttl"):
        graph.parse(file)
    return graph


@lru_cache(maxsize=1)
def shapes() -> Graph:
    return Graph().parse(KEYWORDS / "shapes.ttl")


def report(data: Graph) -> str:
    """Return the validation report on `data`, or an empty string if it has the shapes."""
    conforms, _, text = validate(data, shacl_graph=shapes(), inference="none")
    return "" if conforms else str(text)


def test_every_keyword_file_has_the_shapes() -> None:
    data = vocabulary() + Graph()
    for file in sorted(KEYWORDS.glob("70[12].*.ttl")):
        data.parse(file)
    assert report(data) == ""


def test_the_example_has_the_shape() -> None:
    assert report(vocabulary() + Graph().parse(data=PREFIXES + GOOD, format="turtle")) == ""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    right, wrong = FAULTS[fault]
    assert right in GOOD
    assert report(vocabulary() + Graph().parse(data=PREFIXES + GOOD.replace(right, wrong), format="turtle")) != ""
