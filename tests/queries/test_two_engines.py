"""Every stored query gives the same rows, in the same order, on pyoxigraph and on rdflib."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import rdflib
from pyoxigraph import Store

from lawmage.queries import evaluate, stored_queries
from lawmage.resources import data_folder
from lawmage.rulebook.dataset import LINEAGE, load_dataset

from .engines import both, example_verdicts, to_rdflib

#: rdflib itself uses what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")

NEWEST = "2026-08-07"
RELEASES = ["2016-08-26", "2024-09-20", NEWEST]

#: For each report, what is asked of it. Rules are those that all three releases have.
PARAMETERS: dict[str, list[dict[str, str]]] = {
    "changes": [{}],
    "constraints": [{}],
    "cycles": [{"rule": "613"}, {"rule": "702.15"}],
    "dependents": [{"rule": "702.2"}, {"rule": "glossary:Landwalk"}, {"rule": "104.3"}],
    "deps": [{"rule": "702.2"}, {"rule": "1"}, {"rule": "glossary:Deathtouch"}, {"rule": "introduction"}],
    "exceptions": [{}],
    "glossary-to-rules": [{}, {"entry": "glossary:Deathtouch"}],
    "headings": [{}, {"above": "702"}],
    "impact": [{"rule": "509.1b"}, {"rule": "702.111"}, {"rule": "903.3"}],
    "keyword-costs": [{}, {"kind": "AlternativeCost"}],
    "keyword-stacking": [{}, {"stacking": "Redundant"}],
    "keywords-by-kind": [{}, {"kind": "Triggered"}],
    "keywords-since": [{"date": "2015-01-23"}, {"date": "2025-02-07"}],
    "most-cited": [{}],
    "most-examples": [{}],
    "mutual": [{}],
    "orphans": [{}],
    "path": [{"from": "702.2", "to": "704"}, {"from": "509.1", "to": "801"}],
    "releases": [{}],
    "rules-that-mention-keyword": [{"keyword": "landwalk"}, {"keyword": "equip"}],
    "same-text": [{"rule": "100.1"}, {"rule": "509.1b"}],
    "sizes": [{}],
    "verdicts-by-rule": [{"rule": "509.1"}, {"rule": "702.111b"}],
}
#: What takes rdflib long.
LONG = ["dependents 104.3", "path 509.1 801"]


@dataclass(frozen=True)
class Loaded:
    release: str
    store: Store
    dataset: rdflib.Dataset


@pytest.fixture(scope="module", params=[pytest.param(release, marks=[] if release == NEWEST else pytest.mark.slow) for release in RELEASES])
def loaded(request: pytest.FixtureRequest) -> Loaded:
    store = load_dataset(request.param, graphs=["2016-08-26", NEWEST, LINEAGE], added={"verdicts": example_verdicts()})
    return Loaded(request.param, store, to_rdflib(store))


def test_every_report_is_asked() -> None:
    assert set(PARAMETERS) == {name for name, query in stored_queries().items() if not query.check}


def questions() -> Iterator[Any]:
    for name, asked in PARAMETERS.items():
        for given in asked:
            words = " ".join([name, *given.values()])
            yield pytest.param(name, given, id=words, marks=[pytest.mark.slow] if words in LONG else [])


@pytest.mark.parametrize(("name", "given"), list(questions()))
def test_same_rows(loaded: Loaded, name: str, given: dict[str, str]) -> None:
    one, other = both(loaded.store, loaded.dataset, stored_queries()[name], given, loaded.release)
    assert one == other


def test_some_rows(loaded: Loaded) -> None:
    queries = stored_queries()
    answers = {name: evaluate(loaded.store, queries[name], asked[0], release=loaded.release) for name, asked in PARAMETERS.items()}
    # The verdicts were given under the newest release.
    assert {name for name, answer in answers.items() if not answer.rows} == (set() if loaded.release == NEWEST else {"verdicts-by-rule"})


@pytest.mark.slow
def test_derived_statements_are_the_same() -> None:
    store = load_dataset(NEWEST)
    derived = {"refersTo", "dependsOn", "ofRule"}
    bare = rdflib.Graph()
    for triple in to_rdflib(store).default_graph:
        if str(triple[1]).removeprefix("urn:lawmage:vocabulary:") not in derived:
            bare.add(triple)
    for path in sorted((data_folder("queries") / "derive").glob("*.rq")):
        for triple in list(bare.query(path.read_text(encoding="utf-8"))):
            bare.add(triple)  # type: ignore[arg-type]
    for name in derived:
        expected = {(q.subject.value, q.object.value) for q in store if q.predicate.value.endswith(f":{name}")}
        found = {(str(s), str(o)) for s, o in bare.subject_objects(rdflib.URIRef(f"urn:lawmage:vocabulary:{name}"))}
        assert len(found) == len(expected) > 100
        if name != "ofRule":  # whose subjects are blank nodes
            assert found == expected
