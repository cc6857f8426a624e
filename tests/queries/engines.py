"""The same query on both engines: pyoxigraph, which lawmage uses, and rdflib."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import pyoxigraph
import rdflib
from pyoxigraph import RdfFormat, Store
from rdflib.util import from_n3

from lawmage.play import judge
from lawmage.play.provenance import to_turtle
from lawmage.queries import Query, bind
from lawmage.scenario import load_scenario

Rows: TypeAlias = list[tuple[str | None, ...]]

__all__ = ["EXAMPLE", "Rows", "both", "example_verdicts", "to_rdflib"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "menace.yaml"


def example_verdicts() -> str:
    """Return the verdicts on the example board as Turtle, as of a noon."""
    answer = judge(load_scenario(EXAMPLE), seconds=None)
    noon = datetime.datetime(2026, 8, 7, 12, tzinfo=datetime.UTC)
    return to_turtle([(answer, EXAMPLE.read_bytes(), "menace")], now=noon)


def to_rdflib(store: Store) -> rdflib.Dataset:
    """Return what is in a store, its default graph and its named graphs apart."""
    dataset = rdflib.Dataset(default_union=False)
    for name in (pyoxigraph.DefaultGraph(), *store.named_graphs()):
        graph = dataset.default_graph if isinstance(name, pyoxigraph.DefaultGraph) else dataset.graph(rdflib.URIRef(name.value))
        document = store.dump(format=RdfFormat.N_TRIPLES, from_graph=name)
        assert document is not None
        graph.parse(data=document.decode(), format="nt")
    return dataset


def both(store: Store, dataset: rdflib.Dataset, query: Query, given: Mapping[str, str], release: str) -> tuple[Rows, Rows]:
    """Return the rows of pyoxigraph and those of rdflib, in the order in which they came, each value in the same spelling."""
    terms = bind(query, given, store, release)
    solutions = store.query(query.text, substitutions={pyoxigraph.Variable(name): term for name, term in terms.items()})
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    one: Rows = [tuple(_spell(from_n3(str(row[name])) if row[name] else None) for name in names) for row in solutions]
    bindings = {name: from_n3(str(term)) for name, term in terms.items()}
    result = dataset.query(query.text, initBindings=bindings)  # type: ignore[arg-type]
    assert [str(variable) for variable in result.vars or []] == names
    other: Rows = [tuple(_spell(row[name]) for name in names) for row in result]  # type: ignore[index, call-overload]
    return one, other


def _spell(term: object) -> str | None:
    return None if term is None else str(term)
