"""The graph of a release: dependencies, paths, names, RDF and shapes."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import networkx  # type: ignore[import-untyped]
import pyoxigraph
import pyshacl
import pytest
import rdflib

from lawmage.errors import DataError, UnknownNameError
from lawmage.resources import data_folder
from lawmage.rulebook.drawing import as_dot, as_graphml, as_mermaid, title
from lawmage.rulebook.graph import Edge, RulesGraph, build_graph, dependencies, find_path, to_networkx
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.parse import parse
from lawmage.rulebook.rdf import VOCABULARY, from_trig, pack, quads, to_trig, unpack
from lawmage.rulebook.references import find_references
from lawmage.rulebook.ship import ship
from lawmage.rulebook.store import choose_release, load_graph, shipped_releases
from lawmage.rulebook.validate import validate


@pytest.fixture(scope="module")
def graph(sample: Rulebook) -> RulesGraph:
    return build_graph(sample, find_references(sample)[0])


@pytest.fixture(scope="module")
def newest_graph() -> RulesGraph:
    return load_graph("2026-08-07")


def numbers(graph: RulesGraph, number: str, *, reverse: bool = False, transitive: bool = False, depth: int | None = None) -> list[str]:
    answer = dependencies(graph, number, reverse=reverse, transitive=transitive, depth=depth)
    return [item.number for item in answer]


# --- dependencies in the made-up release


def test_a_rule_depends_on_what_its_subrules_and_examples_refer_to(graph: RulesGraph) -> None:
    assert numbers(graph, "100.1a") == ["101.1"]
    assert numbers(graph, "100.1") == ["101", "101.1", "101.1a", "101.1b", "101.1c", "2", "200.1"]
    assert numbers(graph, "200") == []


def test_dependencies_say_where_they_come_from(graph: RulesGraph) -> None:
    answer = {item.number: item for item in dependencies(graph, "100.1")}
    assert answer["101"].edges == (Edge("100.1", "text", "101", "cites"),)
    assert answer["101.1b"].edges == (
        Edge("100.1", "example 1", "101.1b", "cites"),
        Edge("100.1b", "text", "101.1b", "see also"),
    )
    assert {item.reached_from for item in answer.values()} == {"100.1"}


def test_a_chapter_on_the_way_stands_for_its_rules(graph: RulesGraph) -> None:
    """100.1a refers to 101.1; 101.1a under that refers to 100.2 and 101."""
    answer = {item.number: (item.depth, item.reached_from) for item in dependencies(graph, "100.1a", transitive=True)}
    assert answer == {"101.1": (1, "100.1a"), "100.2": (2, "101.1"), "101": (2, "101.1"), "101.1a": (3, "100.2"), "101.1c": (3, "100.2")}
    assert numbers(graph, "100.1a", depth=2) == ["101.1", "100.2", "101"]
    assert numbers(graph, "100.1a", depth=2, transitive=True) == ["101.1", "100.2", "101"]


def test_reverse_dependencies_come_from_rules_introduction_and_glossary(graph: RulesGraph) -> None:
    assert numbers(graph, "200", reverse=True) == ["100.1b", "glossary:Name"]
    assert numbers(graph, "100.2", reverse=True) == ["101.1a"]
    # 101.1a stands under 101.1 and 101, so what refers to these depends on 100.2, too
    assert "100.1a" in numbers(graph, "100.2", reverse=True, transitive=True)
    assert numbers(graph, "glossary:Name", reverse=True) == ["glossary:Part, Piece (Obsolete)"]


def test_the_start_is_never_in_a_transitive_answer(newest_graph: RulesGraph) -> None:
    for number in ("702.2", "704", "601.2", "7", "613.7", "608.2h"):
        for reverse in (False, True):
            assert number not in numbers(newest_graph, number, transitive=True, reverse=reverse)


def test_forward_and_reverse_agree(newest_graph: RulesGraph) -> None:
    for place in newest_graph.places[:2000:97]:
        for other in numbers(newest_graph, place.number, transitive=True)[::40]:
            backwards = set(numbers(newest_graph, other, reverse=True, transitive=True))
            assert backwards & set(newest_graph.within(place.number)), (place.number, other)


def test_a_limited_depth_is_a_part_of_the_whole_answer(newest_graph: RulesGraph) -> None:
    whole = dependencies(newest_graph, "702.2", transitive=True)
    deepest = max(item.depth for item in whole)
    assert deepest > 3
    for depth in (1, 2, 3):
        assert dependencies(newest_graph, "702.2", depth=depth) == [item for item in whole if item.depth <= depth]
    assert dependencies(newest_graph, "702.2", depth=deepest + 5) == whole


# --- paths


def test_paths(graph: RulesGraph) -> None:
    steps = find_path(graph, "100.1a", "100.2")
    assert steps is not None
    assert [(step.source, step.via, step.kind, step.target) for step in steps] == [
        ("100.1a", "100.1a", "exception to", "101.1"),
        ("101.1", "101.1a", "cites", "100.2"),
    ]


def test_a_path_may_end_in_a_subrule_and_needs_no_reference_inside_a_part(graph: RulesGraph) -> None:
    steps = find_path(graph, "100.1", "200")
    assert steps is not None
    assert [(step.kind, step.target) for step in steps] == [("see also", "200.1"), ("part of", "200")]
    assert [step.kind for step in find_path(graph, "100", "100.1b") or ()] == ["contains"]
    assert [step.kind for step in find_path(graph, "100.1b", "100") or ()] == ["part of"]
    assert find_path(graph, "100.1", "100.1") == []
    assert find_path(graph, "200", "100.1") is None


def test_paths_exist_where_dependencies_say_so(newest_graph: RulesGraph) -> None:
    answer = dependencies(newest_graph, "702.2", transitive=True)
    for item in answer[::7]:
        steps = find_path(newest_graph, "702.2", item.number)
        assert steps is not None
        assert (steps[0].source, steps[-1].target) == ("702.2", item.number)
        assert sum(step.kind != "part of" for step in steps) <= item.depth
    assert find_path(newest_graph, "702.2", "510.1") is not None


# --- names


@pytest.mark.parametrize("name", ["100.1a", " 100.1A ", "rule 100.1a", "Rule 100.1a.", "CR 100.1a", "subrule 100.1a"])
def test_numbers_are_found_as_people_write_them(graph: RulesGraph, name: str) -> None:
    assert graph.find(name).number == "100.1a"


def test_other_names(graph: RulesGraph) -> None:
    assert graph.find("section 2").number == "2"
    assert graph.find("101.").number == "101"
    assert graph.find("glossary:turn").number == "glossary:Turn"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("100.1z", '"100.1b"'),
        ("100.9", '"100.2"'),
        ("100.9a", '"100.2"'),
        ("200.1a", '"200.1"'),
        ("199", '"101"'),
        ("1001a", '"100.1a"'),
        ("turn ordr", '100.2 "Turn Order"'),
        ("glossary:Nmae", 'glossary:Name "Name"'),
    ],
)
def test_misspelt_numbers_get_a_suggestion(graph: RulesGraph, name: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=re.escape(f'the release 2030-03-04 has no rule "{name}"; did you mean {meant}?')):
        graph.find(name)


def test_a_name_like_nothing_gets_no_suggestion(graph: RulesGraph) -> None:
    with pytest.raises(UnknownNameError) as caught:
        graph.find("%%%")
    assert "did you mean" not in str(caught.value)


def test_suggestions_are_numbers_that_exist(newest_graph: RulesGraph) -> None:
    for wrong in ("702.2z", "702.999", "702.999a", "799.1", "905.99", "7022c"):
        with pytest.raises(UnknownNameError, match="did you mean") as caught:
            newest_graph.find(wrong)
        suggested = re.findall(r'did you mean "(.*)"', str(caught.value))[0]
        assert newest_graph.find(suggested).number == suggested


# --- other forms


def test_networkx_form(newest_graph: RulesGraph) -> None:
    whole = to_networkx(newest_graph)
    assert whole.nodes["702.2"]["heading"] == "Deathtouch"
    assert {edge["kind"] for edge in whole["702.2b"]["704"].values()} == {"cites"}
    assert whole.number_of_nodes() == len(newest_graph.places) + 1
    # The closure over contents and references, computed by networkx, is what we answer.
    reachable = networkx.descendants(whole, "702.2")
    referred = {target for source, target, kind in whole.edges(data="kind") if kind != "contains" and source in {*reachable, "702.2"}}
    assert set(numbers(newest_graph, "702.2", transitive=True)) == referred


def test_drawings_are_well_formed_and_have_every_entry(newest_graph: RulesGraph) -> None:
    for reverse in (False, True):
        answer = dependencies(newest_graph, "702.19", depth=2, reverse=reverse)
        dot = as_dot(newest_graph, "702.19", answer, reverse=reverse)
        assert dot.count(" -> ") == len(answer)
        assert dot.count("{") == dot.count("}") == 1
        mermaid = as_mermaid(newest_graph, "702.19", answer, reverse=reverse)
        assert mermaid.splitlines()[0] == "flowchart LR"
        assert mermaid.count("-->") == len(answer)
        drawn = networkx.parse_graphml(as_graphml(newest_graph, "702.19", answer, reverse=reverse))
        assert set(drawn) == {"702.19", *(item.number for item in answer)}
    arrow = next(edge for edge in drawn.edges if edge[1] == "702.19")
    assert arrow[0] in {item.number for item in answer if item.depth == 1}


def test_drawings_escape_what_their_language_needs(graph: RulesGraph) -> None:
    odd = dataclasses.replace(graph.by_number["100.2"], heading='a "b" \\')
    changed = dataclasses.replace(graph, places=tuple(odd if place.number == "100.2" else place for place in graph.places))
    answer = dependencies(changed, "101.1a")
    assert '[label="100.2 a \\"b\\" \\\\"]' in as_dot(changed, "101.1a", answer, reverse=False)
    assert '["100.2 a #quot;b#quot; \\"]' in as_mermaid(changed, "101.1a", answer, reverse=False)


def test_titles(newest_graph: RulesGraph) -> None:
    assert title(newest_graph, "702.2") == "702.2 Deathtouch"
    assert title(newest_graph, "702.2c") == "702.2c"
    assert title(newest_graph, "glossary:Deathtouch") == "Deathtouch (glossary)"
    assert title(newest_graph, "introduction") == "introduction"


# --- RDF


def test_trig_gives_the_graph_back(graph: RulesGraph) -> None:
    assert from_trig(unpack(pack(to_trig(graph)))) == graph


@pytest.mark.filterwarnings("ignore:(Dataset.default_context|ConjunctiveGraph) is deprecated")  # rdflib's own reader of TriG uses it
def test_both_engines_read_the_same_statements(graph: RulesGraph) -> None:
    document = to_trig(graph)
    dataset = rdflib.Dataset()
    dataset.parse(data=document, format="trig")
    name = rdflib.URIRef("urn:lawmage:rules:2030-03-04")
    ours = {tuple(str(getattr(term, "value", "")) for term in quad.triple) for quad in quads(graph)}
    assert {(str(s), str(p), str(o)) for s, p, o in dataset.graph(name)} == ours
    assert len(dataset) == len(ours)


def test_statements_can_be_queried(newest_graph: RulesGraph) -> None:
    store = pyoxigraph.Store()
    store.extend(quads(newest_graph))
    rows = store.query(
        """PREFIX lm: <urn:lawmage:vocabulary:>
        SELECT ?number WHERE { GRAPH <urn:lawmage:rules:2026-08-07> {
          ?rule lm:partOf <urn:lawmage:rules:2026-08-07:702.2> ; lm:number ?number ; lm:sortKey ?key } } ORDER BY ?key"""
    )
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert [row["number"].value for row in rows] == [f"702.2{letter}" for letter in "abcdef"]


def test_sort_keys_in_rdf_sort_as_the_book(newest_graph: RulesGraph) -> None:
    keys = [str(quad.object) for quad in quads(newest_graph) if quad.predicate.value == VOCABULARY + "sortKey"]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("document", [b"not trig", b"<urn:a> <urn:b> <urn:c> ."])
def test_damaged_documents_are_named(document: bytes) -> None:
    with pytest.raises(DataError, match="is damaged"):
        from_trig(document)
    with pytest.raises(DataError, match="is damaged"):
        unpack(document)


def test_vocabulary_describes_every_term_that_is_used(graph: RulesGraph) -> None:
    vocabulary = rdflib.Graph().parse(data_folder("kb") / "rules" / "vocabulary.ttl", format="turtle")
    described = {str(term) for term in vocabulary.subjects(rdflib.RDFS.comment)}
    assert described == {str(term) for term in vocabulary.subjects()}
    used = {quad.predicate.value for quad in quads(graph)} | {
        quad.object.value for quad in quads(graph) if isinstance(quad.object, pyoxigraph.NamedNode)
    }
    assert {term for term in used if term.startswith(VOCABULARY)} <= described


def test_every_class_has_a_shape() -> None:
    folder = data_folder("kb") / "rules"
    vocabulary = rdflib.Graph().parse(folder / "vocabulary.ttl", format="turtle")
    shapes = rdflib.Graph().parse(folder / "shapes.ttl", format="turtle")
    classes = set(vocabulary.subjects(rdflib.RDF.type, rdflib.RDFS.Class))
    targets = set(shapes.objects(None, rdflib.URIRef("http://www.w3.org/ns/shacl#targetClass")))
    assert targets == classes - {rdflib.URIRef(VOCABULARY + "Part")}


def test_rewordings_have_their_shape() -> None:
    folder = data_folder("kb") / "rules"
    shapes = rdflib.Graph().parse(folder / "shapes.ttl", format="turtle")
    changes = rdflib.Graph().parse(folder / "rewordings.ttl", format="turtle")
    assert pyshacl.validate(changes, shacl_graph=shapes)[0]
    changes.remove((None, rdflib.URIRef(VOCABULARY + "changedIn"), None))
    assert not pyshacl.validate(changes, shacl_graph=shapes)[0]


def test_shapes_accept_the_sample_and_see_faults(graph: RulesGraph, sample_text: str) -> None:
    assert validate(graph) == []
    twice = parse(sample_text.replace("100.1b Another", "100.1a Another").encode())
    assert validate(build_graph(twice, find_references(twice)[0])) == []
    first, *others = graph.places
    faulty = {
        "a reference to nothing": dataclasses.replace(graph, edges=(*graph.edges, Edge("100.1", "text", "999.9", "cites"))),
        "no fingerprint": dataclasses.replace(graph, places=(dataclasses.replace(first, fingerprint=""), *others)),
        "no heading": dataclasses.replace(graph, places=(dataclasses.replace(first, heading=""), *others)),
        "a number of another kind": dataclasses.replace(graph, places=(dataclasses.replace(first, number="100.1"), *others)),
        "a rule in a section": dataclasses.replace(
            graph, places=tuple(dataclasses.replace(place, parent="1") if place.kind == "rule" else place for place in graph.places)
        ),
    }
    for name, changed in faulty.items():
        assert validate(changed), name


# --- what ships


def test_shipped_releases_have_structure_and_no_text() -> None:
    assert len(shipped_releases()) == 23
    for release, path in shipped_releases().items():
        graph = load_graph(release)
        assert graph.release == release
        kinds: dict[str, set[str]] = {}
        for quad in pyoxigraph.parse(unpack(path.read_bytes()), format=pyoxigraph.RdfFormat.TRIG):
            if isinstance(quad.object, pyoxigraph.Literal):
                kinds.setdefault(quad.predicate.value.removeprefix(VOCABULARY), set()).add(quad.object.value)
        assert set(kinds) == {"number", "sortKey", "order", "heading", "fingerprint", "released"}
        assert kinds["heading"] == {place.heading for place in graph.places} - {""}
        assert max(map(len, kinds["heading"])) <= 80  # titles, not sentences
        assert not any(heading.endswith(".") for heading in kinds["heading"])


def test_shipped_files_are_what_is_built_from_the_texts(releases: list[Rulebook]) -> None:
    assert list(shipped_releases()) == [rulebook.release for rulebook in releases]
    for rulebook in releases:
        assert load_graph(rulebook.release) == build_graph(rulebook, find_references(rulebook)[0]), rulebook.release


def test_newest_shipped_release_fits_its_shapes(newest_graph: RulesGraph) -> None:
    assert validate(newest_graph) == []


def test_a_release_with_a_number_used_twice_keeps_both() -> None:
    graph = load_graph("2024-09-20")
    assert (graph.by_number["702.175"].heading, graph.by_number["702.175~2"].heading) == ("Offspring", "Impending")
    assert graph.by_number["702.175a~2"].parent == "702.175~2"


def test_shipping_writes_the_file_of_a_release(sample: Rulebook, sample_text: str, tmp_path: Path) -> None:
    source = tmp_path / "any name.txt"
    source.write_text(sample_text, encoding="utf-8")
    target = ship(source, tmp_path)
    assert target.name == "2030-03-04.trig.xz"
    assert from_trig(unpack(target.read_bytes())) == build_graph(sample, find_references(sample)[0])


def test_newest_known_release_is_the_default() -> None:
    assert choose_release("2015-01-23") == "2015-01-23"
    with pytest.raises(UnknownNameError, match="no release 2016-01-01; the nearest are 2015-01-23 and 2016-08-26"):
        choose_release("2016-01-01")
