"""Exports say what the graph says: each is loaded again by the library that people would load it with."""

from __future__ import annotations

import io
import json
from pathlib import Path

import networkx  # type: ignore[import-untyped]
import pyoxigraph
import pytest
import rdflib
from pyoxigraph import RdfFormat
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.errors import InputError, UnknownNameError
from lawmage.rulebook.drawing import title
from lawmage.rulebook.export import around, export
from lawmage.rulebook.export_format import Format
from lawmage.rulebook.graph import Edge, Place, RulesGraph, dependencies, to_networkx
from lawmage.rulebook.rdf import from_trig, quads
from lawmage.rulebook.store import load_graph

#: Formats of RDF as pyoxigraph calls them, and as rdflib does.
RDF = {
    Format.TURTLE: (RdfFormat.TURTLE, "turtle"),
    Format.TRIG: (RdfFormat.TRIG, "trig"),
    Format.JSON_LD: (RdfFormat.JSON_LD, "json-ld"),
    Format.N_QUADS: (RdfFormat.N_QUADS, "nquads"),
}


@pytest.fixture(scope="module")
def newest() -> RulesGraph:
    return load_graph("2026-08-07")


@pytest.fixture(scope="module")
def older() -> RulesGraph:
    return load_graph("2024-09-20")


# ---------------------------------------------------------------- around a rule


@pytest.mark.parametrize("rule", ["702.2", "702.111b", "704", "glossary:Landwalk", "glossary:Deathtouch"])
@pytest.mark.parametrize("depth", [1, 2])
def test_what_is_around_a_rule(newest: RulesGraph, rule: str, depth: int) -> None:
    part = around(newest, rule, depth)
    numbers = {place.number for place in part.places}
    near = {item.number for reverse in (False, True) for item in dependencies(newest, rule, reverse=reverse, depth=depth)}
    assert near - {"introduction"} <= numbers
    assert set(newest.within(rule)) <= numbers
    assert all(place.parent in numbers for place in part.places if place.parent)
    assert list(part.places) == [place for place in newest.places if place.number in numbers]
    # asked of the part alone, the question has the same answer
    for reverse in (False, True):
        whole = dependencies(newest, rule, reverse=reverse, depth=depth)
        assert dependencies(part, rule, reverse=reverse, depth=depth) == whole


# ---------------------------------------------------------------- RDF


@pytest.mark.parametrize("form", RDF)
@pytest.mark.parametrize("rule", [None, "702.2"])
def test_rdf_is_read_again(newest: RulesGraph, form: Format, rule: str | None) -> None:
    document = export([newest], form, number=rule)
    part = around(newest, rule) if rule else newest
    expected = set(quads(part))
    found = set(pyoxigraph.parse(document, format=RDF[form][0]))
    if form is Format.TURTLE:
        expected = {pyoxigraph.Quad(*quad.triple) for quad in expected}
    order = pyoxigraph.NamedNode("urn:lawmage:vocabulary:order")
    assert {quad for quad in found if quad.predicate != order} == {quad for quad in expected if quad.predicate != order}
    # places in the whole release, also of a part of it
    places = {(quad.subject, quad.object) for quad in quads(newest) if quad.predicate == order}
    assert {(quad.subject, quad.object) for quad in found if quad.predicate == order} <= places
    assert len(found) == len(expected)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")  # by rdflib, which uses it itself
@pytest.mark.parametrize("form", RDF)
def test_rdflib_reads_the_same(newest: RulesGraph, form: Format) -> None:
    document = export([newest], form, number="702.2")
    expected = {tuple(map(_spell, quad.triple)) for quad in pyoxigraph.parse(document, format=RDF[form][0])}
    graph = rdflib.Dataset(default_union=True) if form is not Format.TURTLE else rdflib.Graph()
    graph.parse(io.BytesIO(document), format=RDF[form][1])
    found = {(s.n3(), p.n3(), o.n3()) for s, p, o in graph.triples((None, None, None))}
    assert found == expected


def _spell(term: object) -> str:
    node = rdflib.util.from_n3(str(term))
    assert isinstance(node, rdflib.term.Identifier)
    return str(node.n3())


def test_trig_is_what_ships(newest: RulesGraph, older: RulesGraph) -> None:
    assert from_trig(export([newest], Format.TRIG)) == newest
    both = set(pyoxigraph.parse(export([older, newest], Format.TRIG), format=RdfFormat.TRIG))
    assert both == {*quads(older), *quads(newest)}


def test_several_releases_as_turtle(newest: RulesGraph, older: RulesGraph) -> None:
    document = export([older, newest], Format.TURTLE, number="702.2")
    assert b"@prefix r: <urn:lawmage:rules:> ." in document
    subjects = {str(quad.subject) for quad in pyoxigraph.parse(document, format=RdfFormat.TURTLE)}
    assert {"<urn:lawmage:rules:2024-09-20:702.2>", "<urn:lawmage:rules:2026-08-07:702.2>"} <= subjects


def test_no_text_is_exported(newest: RulesGraph) -> None:
    kinds = {
        quad.predicate.value.rpartition(":")[2] for quad in pyoxigraph.parse(export([newest], Format.N_QUADS), format=RdfFormat.N_QUADS)
    }
    assert kinds <= {
        *("released", "number", "sortKey", "order", "partOf", "heading", "fingerprint", "exampleOf"),
        *("cites", "exceptionTo", "definedBy", "seeAlso", "//www.w3.org/1999/02/22-rdf-syntax-ns#type"),
    }


# ---------------------------------------------------------------- drawings


@pytest.mark.parametrize("rule", [None, "702.2", "glossary:Evasion Ability"])
def test_graphml_is_read_again(newest: RulesGraph, rule: str | None) -> None:
    part = around(newest, rule) if rule else newest
    expected = to_networkx(part)
    found = networkx.parse_graphml(export([newest], Format.GRAPHML, number=rule).decode())
    assert set(found) == {number for number in expected if number != "introduction" or expected[number]}
    assert sorted(found.edges(data="kind")) == sorted(expected.edges(data="kind"))
    assert found.graph["release"] == "2026-08-07"
    assert all(found.nodes[place.number]["label"] == title(part, place.number) for place in part.places)


def made(heading: str) -> RulesGraph:
    """Return a graph with an awkward heading."""
    places = (Place("1", "section", None, heading, ""), Place("100", "chapter", "1", "B", ""), Place("100.1", "rule", "100", "", ""))
    return RulesGraph("2030-01-01", places, (Edge("100.1", "text", "1", "cites"), Edge("100.1", "example 1", "1", "see also")))


def test_dot() -> None:
    assert (
        export([made('A "quoted" \\ & <title>')], Format.DOT).decode()
        == """\
digraph rules {
  rankdir=LR;
  node [shape=box];
  "1" [label="1 A \\"quoted\\" \\\\ & <title>"];
  "100" [label="100 B"];
  "100.1" [label="100.1"];
  "1" -> "100" [style=dotted, arrowhead=none];
  "100" -> "100.1" [style=dotted, arrowhead=none];
  "100.1" -> "1" [label="cites, see also"];
}
"""
    )


def test_mermaid() -> None:
    assert (
        export([made('A "quoted" title')], Format.MERMAID).decode()
        == """\
flowchart LR
  n0["1 A #quot;quoted#quot; title"]
  n1["100 B"]
  n2["100.1"]
  n0 -.- n1
  n1 -.- n2
  n2 -->|"cites, see also"| n0
"""
    )


def test_one_release_in_a_drawing(newest: RulesGraph, older: RulesGraph) -> None:
    with pytest.raises(InputError, match="dot holds one release at a time, not 2"):
        export([older, newest], Format.DOT)


def test_an_unknown_rule(newest: RulesGraph) -> None:
    with pytest.raises(UnknownNameError, match="has no rule"):
        export([newest], Format.DOT, number="702.2q")


# ---------------------------------------------------------------- the command


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["export", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("ending", ["ttl", "trig", "jsonld", "nq", "graphml", "dot", "mmd", "html"])
def test_the_ending_says_the_format(tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"out.{ending}"
    said = json.loads(run("--release", "2026-08-07", "--rule", "702.2", "-o", output, "--json"))
    assert said["bytes"] == output.stat().st_size > 300
    assert said["releases"] == ["2026-08-07"]
    assert [path.name for path in tmp_path.iterdir()] == [output.name]


def test_standard_output() -> None:
    assert run("--format", "dot", "--rule", "702.2", "--release", "2026-08-07").startswith("digraph rules {")


def test_several_releases(tmp_path: Path) -> None:
    run("--release", "2026-08-07", "--release", "2015-01-23", "--release", "2026-08-07", "--rule", "702.2", "-o", tmp_path / "out.nq")
    graphs = {quad.graph_name for quad in pyoxigraph.parse(path=str(tmp_path / "out.nq"), format=RdfFormat.N_QUADS)}
    assert {str(name) for name in graphs} == {"<urn:lawmage:rules:2015-01-23>", "<urn:lawmage:rules:2026-08-07>"}


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    output = tmp_path / "out.dot"
    output.write_text("precious")
    with pytest.raises(InputError, match=r"out.dot: exists already; --force replaces it"):
        run("--rule", "702.2", "-o", output)
    assert output.read_text() == "precious"
    with pytest.raises(UnknownNameError):
        run("--rule", "702.2q", "-o", output, "--force")
    assert output.read_text() == "precious"
    run("--rule", "702.2", "-o", output, "--force")
    assert output.read_text().startswith("digraph")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rule", "702.2"], "say in which format"),
        (["-o", "out.docx"], "say in which format"),
        (["--format", "html"], "a page is about one rule"),
        (["--format", "dot", "--json"], "name it with -o FILE"),
        (["--format", "dot", "--all-releases"], "one release at a time"),
        (["--format", "dot", "-o", "."], "is a folder"),
        (["--format", "dot", "-o", "missing/folder/out.dot"], "can't be written"),
        (["--format", "dot", "--release", "2020-02-02"], "there is no release"),
    ],
)
def test_mistakes(arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((InputError, UnknownNameError)) as caught:
        run(*arguments)
    assert sentence in str(caught.value)
    assert list(tmp_path.iterdir()) == []
