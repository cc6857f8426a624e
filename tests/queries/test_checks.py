"""The checks of queries/check/ find nothing in what ships with lawmage, and can find something, on both engines."""

from __future__ import annotations

import re

import pytest
from pyoxigraph import NamedNode, Quad, QueryTriples, RdfFormat, Store, parse

from lawmage.queries import evaluate, stored_queries
from lawmage.resources import data_folder
from lawmage.rulebook.dataset import LINEAGE, load_dataset
from lawmage.rulebook.store import shipped_releases

from .engines import both, to_rdflib

CHECKS = {name: query for name, query in stored_queries().items() if query.check}
PLAIN = [name for name, query in CHECKS.items() if not query.graphs]

#: rdflib itself uses what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")


@pytest.mark.parametrize("release", shipped_releases())
def test_a_shipped_release_has_no_faults(release: str) -> None:
    store = load_dataset(release)
    found = {name: evaluate(store, CHECKS[name], {}, release=release).rows for name in PLAIN}
    assert found == dict.fromkeys(PLAIN, ())


def test_what_is_between_releases_has_no_faults() -> None:
    newest = max(shipped_releases())
    store = load_dataset(newest, graphs=[*shipped_releases(), LINEAGE])
    names = set(CHECKS) - set(PLAIN)
    found = {name: evaluate(store, CHECKS[name], {}, release=newest).rows for name in names}
    assert found == dict.fromkeys(names, ())


RELEASE = "2030-01-01"
PREFIXES = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix r: <urn:lawmage:rules:2030-01-01:> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
#: A release with three rules and a glossary entry, as in kb/rules/.
BOOK = """
<urn:lawmage:rules:2030-01-01> a lm:Release ; lm:released "2030-01-01"^^xsd:date .
r:7 a lm:Section ; lm:number "7" ; lm:sortKey "7" ; lm:order 0 ; lm:partOf <urn:lawmage:rules:2030-01-01> ; lm:heading "Additional Rules" .
r:702 a lm:Chapter ; lm:number "702" ; lm:sortKey "7 702" ; lm:order 1 ; lm:partOf r:7 ; lm:heading "Keyword Abilities" .
r:702.2 a lm:Rule ; lm:number "702.2" ; lm:sortKey "7 702 2" ; lm:order 2 ; lm:partOf r:702 ; lm:heading "Humming" .
r:702.2a a lm:Subrule ; lm:number "702.2a" ; lm:sortKey "7 702 2 a" ; lm:order 3 ; lm:partOf r:702.2 ; lm:cites r:702.2b .
r:702.2b a lm:Subrule ; lm:number "702.2b" ; lm:sortKey "7 702 2 b" ; lm:order 4 ; lm:partOf r:702.2 ; lm:fingerprint "0123456789ab" .
r:702.2b:example:1 a lm:Example ; lm:exampleOf r:702.2b ; lm:cites r:702.2a .
r:glossary:Humming a lm:GlossaryEntry ; lm:partOf <urn:lawmage:rules:2030-01-01> ; lm:definedBy r:702.2 .
"""
#: A keyword and the words it is written in, as in the rest of kb/.
KNOWLEDGE = """
<urn:lawmage:vocabulary> lm:encodes "2030-01-01" .
<urn:lawmage:keyword:humming> a lm:KeywordAbility ; lm:name "humming" ; lm:rule "702.2" ; lm:since "2030-01-01"^^xsd:date ;
    lm:imposes [ a lm:CannotBlock ; lm:rule "702.2b" ] ; lm:variant <urn:lawmage:keyword:loud-humming> .
<urn:lawmage:keyword:loud-humming> a lm:KeywordVariant ; lm:name "loud humming" ; lm:rule "702.2b" ;
    lm:variantOf <urn:lawmage:keyword:humming> .
r:702.2b lm:encodedFrom "0123456789ab" .
lm:Restriction rdfs:subClassOf lm:Constraint .
lm:CannotBlock rdfs:subClassOf lm:Restriction ; lm:term "cannot_block" ; lm:by "702.2a" .
"""
LINES = "r:702.2b lm:movedFrom r:702.2a ."

#: For each check, what is changed in the texts above so that it finds something.
FAULTS = {
    "constraints-of-no-kind": ("rdfs:subClassOf lm:Restriction", "rdfs:seeAlso lm:Restriction"),
    "constraints-without-rule": ('a lm:CannotBlock ; lm:rule "702.2b"', 'a lm:CannotBlock ; lm:rule "702.20b"'),
    "encoded-missing": ('lm:encodedFrom "0123456789ab"', 'lm:encodedFrom "0123456789ac"'),
    "examples-without-rule": ("lm:exampleOf r:702.2b", "lm:exampleOf r:702"),
    "keywords-misnamed": ('lm:name "humming"', 'lm:name "buzzing"'),
    "keywords-missing": ('lm:name "humming" ; lm:rule "702.2"', 'lm:name "humming" ; lm:rule "702.2a"'),
    "words-of-no-release": ('lm:since "2030-01-01"', 'lm:since "2030-01-02"'),
    "kinds-without-force": (' ; lm:by "702.2a"', ""),
    "lineage-without-ends": ("lm:movedFrom r:702.2a", "lm:movedFrom r:702.3"),
    "numbers-twice": ('lm:number "702.2b"', 'lm:number "702.2a"'),
    "numbers-unlike-names": ('lm:number "702.2b"', 'lm:number "702.2c"'),
    "order-broken": ("lm:order 4", "lm:order 2"),
    "parts-misplaced": ("lm:order 3 ; lm:partOf r:702.2", "lm:order 3 ; lm:partOf r:702"),
    "references-without-target": ("lm:cites r:702.2b", "lm:cites r:702.2c"),
    "rules-missing": ('lm:rule "702.2b" ;', 'lm:rule "702.2c" ;'),
    "variants-one-sided": ("lm:variantOf", "lm:sharesRuleWith"),
    "words-undescribed": ("lm:cites r:702.2a", "lm:mentions r:702.2a"),
}


def made(change: tuple[str, str] | None = None) -> Store:
    """Return the made-up data as `load_dataset` would, with one change, which has to find its place."""
    words = {*re.findall(r"lm:(\w+)", BOOK + KNOWLEDGE + LINES), "refersTo", "dependsOn", "ofRule"}
    described = "".join(f'lm:{word} rdfs:comment "described" .\n' for word in words)
    store = Store()
    for name, text in (("", BOOK + KNOWLEDGE + described), (RELEASE, BOOK), (LINEAGE, LINES)):
        changed = text.replace(*change) if change else text
        graph = [NamedNode(f"urn:lawmage:rules:{name}")] if name else []
        store.extend(Quad(quad.subject, quad.predicate, quad.object, *graph) for quad in parse(PREFIXES + changed, format=RdfFormat.TURTLE))
    for path in sorted((data_folder("queries") / "derive").glob("*.rq")):
        derived = store.query(path.read_text(encoding="utf-8"))
        assert isinstance(derived, QueryTriples)
        store.extend([Quad(*triple) for triple in derived])
    return store


def test_every_check_has_a_fault_to_find() -> None:
    assert set(FAULTS) == set(CHECKS)


def test_the_sound_data_have_no_faults() -> None:
    store = made()
    dataset = to_rdflib(store)
    for query in CHECKS.values():
        assert both(store, dataset, query, {}, RELEASE) == ([], []), query.name


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_by_both_engines(name: str) -> None:
    store = made(FAULTS[name])
    one, other = both(store, to_rdflib(store), CHECKS[name], {}, RELEASE)
    assert one == other
    assert one
