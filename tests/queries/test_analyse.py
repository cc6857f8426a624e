"""The network of a release: circles, groups, what is central."""

from __future__ import annotations

import networkx  # type: ignore[import-untyped]
import pytest

from lawmage.errors import InputError
from lawmage.rulebook.analyse import analyse, analyses, betweenness, components, condensation_sizes, dependency_graph, pagerank
from lawmage.rulebook.dataset import load_dataset
from lawmage.rulebook.graph import Edge, Place, RulesGraph, dependencies, in_order
from lawmage.rulebook.store import load_graph


@pytest.fixture(scope="module")
def newest() -> RulesGraph:
    return load_graph("2026-08-07")


@pytest.fixture(scope="module")
def small() -> RulesGraph:
    """Two rules that refer to each other's subrules, one that refers to them, one alone."""
    kinds = {1: "section", 3: "chapter", 5: "rule", 6: "subrule"}
    parents = {"1": None, "100": "1", "100.1": "100", "100.1a": "100.1", "100.2": "100", "100.2a": "100.2", "100.3": "100", "100.4": "100"}
    places = tuple(Place(number, kinds[len(number)], parent, "", "") for number, parent in parents.items())
    edges = (("100.1a", "100.2"), ("100.2a", "100.1"), ("100.3", "100.1"))
    return RulesGraph("2030-01-01", places, tuple(Edge(source, "text", target, "cites") for source, target in edges))


def test_circles(small: RulesGraph) -> None:
    assert components(small) == [("100.1", "100.2")]
    assert condensation_sizes(small) == {2: 1, 1: 5}


def test_the_network_is_what_deps_says(newest: RulesGraph) -> None:
    network = dependency_graph(newest)
    for number in ("702.2", "613", "5", "glossary:Deathtouch"):
        expected = {item.number for item in dependencies(newest, number, transitive=True)}
        assert networkx.descendants(network, number) - {number} == expected


def test_the_network_is_the_one_that_queries_see(newest: RulesGraph) -> None:
    store = load_dataset("2026-08-07")
    count = sum(quad.predicate.value.endswith(":dependsOn") for quad in store)
    assert count == dependency_graph(newest).number_of_edges()


def test_pagerank_is_a_distribution_that_stays(newest: RulesGraph) -> None:
    rank, network = pagerank(newest), dependency_graph(newest)
    assert sum(rank.values()) == pytest.approx(1)
    stuck = sum(share for node, share in rank.items() if not network[node])
    for node in ("704", "601.2b", "100.1"):
        arrives = sum(rank[source] / network.out_degree(source) for source in network.predecessors(node)) if node in network else 0
        if node in network:
            assert rank[node] == pytest.approx(0.15 / len(network) + 0.85 * (arrives + stuck / len(network)), rel=1e-6)


def test_what_is_central(small: RulesGraph) -> None:
    assert max(pagerank(small), key=pagerank(small).__getitem__) in ("100.1", "100.2")
    exact = betweenness(small)
    assert exact == networkx.betweenness_centrality(dependency_graph(small))
    assert max(exact, key=exact.__getitem__) == "100.1"


def test_as_queries(newest: RulesGraph) -> None:
    queries = analyses()
    assert sorted(queries) == ["central", "components", "condensation"]
    central = analyse(newest, queries["central"], {"n": "5"})
    assert central.columns == ("number", "share", "heading")
    shares = [row[1] for row in central.rows]
    assert shares == sorted(shares, key=float, reverse=True)  # type: ignore[arg-type]
    assert len(shares) == 5
    rows = analyse(newest, queries["components"], {}).rows
    assert [row[2] for row in rows if row[0] == 1] == sorted((str(row[2]) for row in rows if row[0] == 1), key=in_order)
    sizes = analyse(newest, queries["condensation"], {}).rows
    assert sum(int(str(size)) * int(str(groups)) for size, groups in sizes) == len(dependency_graph(newest))
    assert analyse(newest, queries["condensation"], {}, limit=1).more


def test_wrong_measure(newest: RulesGraph) -> None:
    with pytest.raises(InputError, match='pagerank or betweenness, not "pagerang"; did you mean "pagerank"'):
        analyse(newest, analyses()["central"], {"by": "pagerang"})
