"""What stored queries say about themselves, how parameters are given, and that the answers are right."""

from __future__ import annotations

from collections import Counter

import networkx  # type: ignore[import-untyped]
import pyoxigraph
import pytest
from pyoxigraph import Store

from lawmage.errors import InputError, LawmageError, UnknownNameError
from lawmage.keywords import load_keywords
from lawmage.queries import Answer, Query, evaluate, read_query, stored_queries
from lawmage.resources import data_folder
from lawmage.rulebook.analyse import dependency_graph
from lawmage.rulebook.dataset import load_dataset
from lawmage.rulebook.graph import RulesGraph, dependencies
from lawmage.rulebook.store import load_graph

from .engines import example_verdicts

RELEASE = "2026-08-07"
QUERIES = stored_queries()
REPORTS = [name for name, query in QUERIES.items() if not query.check]


@pytest.fixture(scope="module")
def store() -> Store:
    return load_dataset(RELEASE)


@pytest.fixture(scope="module")
def graph() -> RulesGraph:
    return load_graph(RELEASE)


def ask(store: Store, name: str, *, release: str = RELEASE, **given: str) -> Answer:
    return evaluate(store, QUERIES[name], given, release=release)


def numbers(answer: Answer) -> list[str]:
    column = answer.columns.index("number")
    return [str(row[column]) for row in answer.rows]


# ---------------------------------------------------------------- what they say about themselves


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_opening_comments_describe_the_query(query: Query) -> None:
    assert query.summary.endswith(".")
    assert len(query.summary) <= 90
    result = Store().query(query.text)
    assert isinstance(result, pyoxigraph.QuerySolutions)
    selected = {variable.value for variable in result.variables}
    columns = {name for name, _ in query.columns}
    bound = {parameter.name for parameter in query.parameters if parameter.kind != "rows"}
    assert columns <= selected
    assert bound <= selected
    assert selected <= columns | bound | {"key"}  # DISTINCT has to select what rows are ordered by
    assert all(meaning for _, meaning in query.columns)
    assert "ORDER BY" in query.text
    assert all(parameter.meaning and parameter.example for parameter in query.parameters)


@pytest.mark.parametrize("name", REPORTS)
def test_examples_of_parameters_give_rows(store: Store, name: str) -> None:
    if QUERIES[name].graphs:
        store = load_dataset(RELEASE, graphs=[RELEASE, "lineage"])
    if name.startswith("verdicts"):
        store = load_dataset(RELEASE, added={"verdicts": example_verdicts()})
    examples = {parameter.name: parameter.example for parameter in QUERIES[name].parameters}
    assert evaluate(store, QUERIES[name], examples, release=RELEASE).rows


def test_names_are_unique() -> None:
    files = [path.stem for folder in ("report", "check") for path in (data_folder("queries") / folder).glob("*.rq")]
    assert sorted(files) == sorted([*QUERIES])


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("name", "given", "error", "sentence"),
    [
        ("deps", {}, InputError, "needs the parameter rule; it takes rule (such as 702.2)"),
        ("deps", {"rul": "702.2"}, InputError, 'no parameter "rul"; it takes rule (such as 702.2); did you mean "rule"?'),
        ("deps", {"rule": "702.2", "n": "1"}, InputError, 'no parameter "n"'),
        ("orphans", {"n": "1"}, InputError, "it takes none"),
        ("deps", {"rule": "702.2q"}, UnknownNameError, 'did you mean "702.2f"?'),
        ("deps", {"rule": "702.2> } DELETE WHERE { ?s ?p ?o"}, UnknownNameError, "has no rule"),
        ("most-cited", {"n": "0"}, InputError, "a number from 1"),
        ("most-cited", {"n": "20 OFFSET 3"}, InputError, "a number from 1"),
        ("most-cited", {"n": "9" * 5000}, InputError, "a number from 1"),
        ("keyword-stacking", {"stacking": "Redundent"}, UnknownNameError, 'did you mean "Redundant"?'),
        ("deps", {"rule": "702.2\udcff"}, InputError, "can't be printed"),
        ("keywords-since", {"date": "last year"}, InputError, "a date such as"),
        ("rules-that-mention-keyword", {"keyword": "menase"}, UnknownNameError, 'did you mean "menace"?'),
    ],
)
def test_wrong_parameters(store: Store, name: str, given: dict[str, str], error: type[LawmageError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        evaluate(store, QUERIES[name], given, release=RELEASE)
    assert sentence in str(caught.value)
    assert len(store) > 10_000


@pytest.mark.parametrize("written", ["702.2", " 702.2. ", "rule 702.2", "CR 702.2"])
def test_rules_as_people_write_them(store: Store, written: str) -> None:
    assert numbers(ask(store, "deps", rule=written)) == numbers(ask(store, "deps", rule="702.2"))


def test_given_parameters_are_no_columns(store: Store) -> None:
    assert ask(store, "keyword-stacking").columns == ("stacking", "keyword", "rule")
    assert ask(store, "keyword-stacking", stacking="each paid").columns == ("keyword", "rule")


def test_number_of_rows(store: Store) -> None:
    assert len(ask(store, "most-cited").rows) == 20
    few = ask(store, "most-cited", n="3")
    assert len(few.rows) == 3
    assert not few.more
    cut = evaluate(store, QUERIES["most-cited"], {"n": "30"}, release=RELEASE, limit=7)
    assert len(cut.rows) == 7
    assert cut.more


def test_a_text_is_bound_as_a_text(store: Store) -> None:
    query = read_query("SELECT ?heading ?rule WHERE { ?rule <urn:lawmage:vocabulary:heading> ?heading } ORDER BY ?rule", "own")
    assert evaluate(store, query, {"heading": "Deathtouch"}, release=RELEASE).rows == (("702.2",), ("glossary:Deathtouch",))
    assert evaluate(store, query, {"heading": 'x" . ?s ?p "y'}, release=RELEASE).rows == ()
    iri = evaluate(store, query, {"rule": f"<urn:lawmage:rules:{RELEASE}:702.2>"}, release=RELEASE)
    assert iri.rows == (("Deathtouch",),)


def test_values_are_those_of_people(store: Store) -> None:
    query = read_query('SELECT (1 AS ?a) (1.5 AS ?b) (true AS ?c) ("702.10" AS ?d) (?none AS ?e) (<urn:x> AS ?f) WHERE { }', "own")
    assert evaluate(store, query, {}, release=RELEASE).rows == ((1, 1.5, True, "702.10", None, "urn:x"),)


@pytest.mark.parametrize("written", ['"abc"^^xsd:integer', f'"{"9" * 5000}"^^xsd:integer', '"INF"^^xsd:double', '"perhaps"^^xsd:boolean'])
def test_what_is_only_called_a_number(store: Store, written: str) -> None:
    query = read_query(f"PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT ({written} AS ?x) WHERE {{ }}", "own")
    assert evaluate(store, query, {}, release=RELEASE).rows == ((written.split('"')[1],),)


# ---------------------------------------------------------------- the answers, compared with other ways to get them


@pytest.mark.parametrize("rule", ["702.2", "702.2c", "509", "7", "glossary:Deathtouch", "613"])
def test_dependencies(store: Store, graph: RulesGraph, rule: str) -> None:
    expected = {item.number for item in dependencies(graph, rule, transitive=True)}
    assert sorted(numbers(ask(store, "deps", rule=rule))) == sorted(expected)


@pytest.mark.parametrize("rule", ["702.2", "702.111", "509.1", "6", "glossary:Landwalk"])
def test_dependents(store: Store, graph: RulesGraph, rule: str) -> None:
    expected = {item.number for item in dependencies(graph, rule, reverse=True, transitive=True)}
    assert sorted(numbers(ask(store, "dependents", rule=rule))) == sorted(expected)
    touched = {str(row[1]) for row in ask(store, "impact", rule=rule).rows if row[0] in ("refers to it", "depends on it")}
    assert touched == expected - set(graph.within(rule))


def test_impact_names_keywords_and_constraints(store: Store) -> None:
    assert ask(store, "impact", rule="702.111b").rows == (
        ("itself", "702.111b", "menace", None),
        ("imposed by it", "702.111b", "menace", "min_blockers"),
    )
    assert ("has force by it", "509.1b", None, "min_blockers") in ask(store, "impact", rule="509.1").rows


def test_numbers_of_the_encoded_release_mean_nothing_elsewhere() -> None:
    older = load_dataset("2019-10-04")
    assert all(row[2] is None for row in ask(older, "impact", release="2019-10-04", rule="702.110b").rows)


def test_cycles_and_paths(store: Store, graph: RulesGraph) -> None:
    network = dependency_graph(graph)
    circle = next(members for members in networkx.strongly_connected_components(network) if "613" in members)
    assert set(numbers(ask(store, "cycles", rule="613"))) == circle
    end = {node for part in graph.within("801") if part in network for node in (part, *networkx.ancestors(network, part))}
    between = {"509.1"} | networkx.descendants(network, "509.1") & end  # on a circle itself, which descendants() leaves out
    assert set(numbers(ask(store, "path", **{"from": "509.1", "to": "801"}))) == between


def test_most_cited(store: Store, graph: RulesGraph) -> None:
    expected = Counter(target for _, target in {(edge.source, edge.target) for edge in graph.edges})
    rows = ask(store, "most-cited", n="5000").rows
    assert {str(row[0]): row[1] for row in rows} == expected


def test_orphans(store: Store, graph: RulesGraph) -> None:
    def alone(number: str) -> bool:
        return not any(part in graph.edges_from or part in graph.edges_to for part in graph.within(number))

    assert numbers(ask(store, "orphans")) == [place.number for place in graph.places if place.kind == "rule" and alone(place.number)]


def test_mutual(store: Store, graph: RulesGraph) -> None:
    pairs = {(edge.source, edge.target) for edge in graph.edges}
    expected = {frozenset(pair) for pair in pairs if pair[::-1] in pairs and pair[0] != pair[1]}
    assert {frozenset(map(str, row)) for row in ask(store, "mutual").rows} == expected


def test_keywords(store: Store) -> None:
    rows = ask(store, "keywords-by-kind").rows
    assert set(rows) == {(kind, keyword.name, keyword.rule) for keyword in load_keywords().values() for kind in keyword.kinds}
    stacking = ask(store, "keyword-stacking", stacking="Summed").rows
    assert {row[0] for row in stacking} >= {keyword.name for keyword in load_keywords().values() if "Summed" in keyword.stacking}


def test_the_table_of_contents(store: Store, graph: RulesGraph) -> None:
    expected = [place.number for place in graph.places if place.heading and place.kind != "glossary entry"]
    assert numbers(ask(store, "headings")) == expected


def test_sizes(store: Store, graph: RulesGraph) -> None:
    row = next(row for row in ask(store, "sizes").rows if row[0] == "702")
    parts = [graph.by_number[number] for number in graph.within("702")]
    kinds = Counter(place.kind for place in parts)
    assert row == ("702", "Keyword Abilities", kinds["rule"], kinds["subrule"], sum(len(place.examples) for place in parts))


def test_a_rule_in_other_releases() -> None:
    store = load_dataset(RELEASE, graphs=["2019-10-04", RELEASE])
    assert ask(store, "same-text", rule="702.111b").rows == (("2019-10-04", "702.110b"), (RELEASE, "702.111b"))
    assert [row[0] for row in ask(store, "releases").rows] == ["2019-10-04", RELEASE]


def test_the_second_bearer_of_a_number() -> None:
    store = load_dataset("2024-09-20")
    found = ask(store, "headings", release="2024-09-20", above="702")
    assert "702.175~2" in numbers(found)
