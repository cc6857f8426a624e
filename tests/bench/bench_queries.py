"""How long questions about the rules graph take, beside the same in networkx.

    python tests/bench/bench_queries.py [ROUNDS]

The question is everything that a rule depends on (`deps`), asked of the newest release, loaded already. *Closure* is which numbers,
by pyoxigraph's property path; *rows* is the whole stored query: numbers, kinds and titles in the order of the book. networkx answers
both from the graph that `lawmage.rulebook.graph.to_networkx` gives: what can be reached, of which what something reached refers to.
`lawmage deps` is the closure by `lawmage.rulebook.graph.dependencies`; `descendants` is networkx's closure in a graph made for nothing
else. A ratio is to networkx's time for the same. Figures are the best of ROUNDS (default 25), the ways taken in turn so that
all see the same machine. Then the other stored queries, and cold starts of the command line, each a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import networkx  # type: ignore[import-untyped]
import pyoxigraph
from tests.bench.arguments import numbers

from lawmage.queries import bind, evaluate, stored_queries
from lawmage.rulebook.analyse import dependency_graph
from lawmage.rulebook.dataset import load_dataset
from lawmage.rulebook.graph import RulesGraph, dependencies, in_order, to_networkx
from lawmage.rulebook.store import load_graph

RELEASE = "2026-08-07"
RULES = ["702.2", "509.1", "601.2", "702.15", "7"]
CLOSURE = "PREFIX lm: <urn:lawmage:vocabulary:> SELECT ?rule ?number WHERE { ?rule lm:dependsOn+ ?number }"
COLD_ROUNDS = 7


def milliseconds(function: Callable[..., object], *arguments: object, **named: object) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    function(*arguments, **named)
    return (time.perf_counter() - start) * 1000


def closures(store: pyoxigraph.Store, graph: RulesGraph, rounds: int) -> None:
    """Print the closure of each rule in each way, and the ratios to networkx on the loaded graph."""
    loaded, made = to_networkx(graph), dependency_graph(graph)
    targets: dict[str, set[str]] = {}
    for edge in graph.edges:
        targets.setdefault(edge.source, set()).add(edge.target)
    query = stored_queries()["deps"]

    def by_path(rule: str) -> set[str]:
        terms = bind(query, {"rule": rule}, store, RELEASE)
        solutions = store.query(CLOSURE, substitutions={pyoxigraph.Variable("rule"): terms["rule"]})
        assert isinstance(solutions, pyoxigraph.QuerySolutions)
        return {solution["number"].value for solution in solutions}

    def by_networkx(rule: str) -> set[str]:
        reached = networkx.descendants(loaded, rule) | {rule}
        return set().union(*(targets.get(number, ()) for number in reached))

    def rows_by_networkx(rule: str) -> list[tuple[str, str, str]]:
        found = sorted(by_networkx(rule), key=in_order)
        return [(number, loaded.nodes[number]["kind"], loaded.nodes[number]["heading"]) for number in found]

    ways: dict[str, Callable[[str], object]] = {
        "networkx": by_networkx,
        "closure": by_path,
        "networkx rows": rows_by_networkx,
        "rows": lambda rule: evaluate(store, query, {"rule": rule}, release=RELEASE),
        "lawmage deps": lambda rule: dependencies(graph, rule, transitive=True),
        "descendants": lambda rule: networkx.descendants(made, rule),
    }
    beside = {"closure": "networkx", "rows": "networkx rows", "lawmage deps": "networkx", "descendants": "networkx"}
    print("everything that a rule depends on, release loaded (ms)")
    print(f"{'rule':7} {'found':>5}" + "".join(f"{name:>14}" + (" ratio" if name in beside else "") for name in ways))
    for rule in RULES:
        assert len(by_path(rule)) == len(by_networkx(rule))
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                times[name].append(milliseconds(way, rule))
        best = {name: min(values) for name, values in times.items()}
        ratios = {name: f"{best[name] / best[other]:5.1f}x" for name, other in beside.items()}
        print(f"{rule:7} {len(by_path(rule)):5}" + "".join(f"{best[name]:14.2f}{ratios.get(name, '')}" for name in ways))


def stored(store: pyoxigraph.Store, rounds: int) -> None:
    """Print how long each stored query takes with the examples of its parameters."""
    print("\nstored queries on one loaded release (ms)")
    for name, query in stored_queries().items():
        if not query.graphs:
            given = {parameter.name: parameter.example for parameter in query.parameters}
            times = [milliseconds(evaluate, store, query, given, release=RELEASE) for _ in range(rounds)]
            print(f"{name:28} {min(times):8.1f}")


def cold() -> None:
    """Print how long commands take from start to end."""
    print("\ncold commands (ms)")
    for arguments in (["deps", "702.2", "--transitive"], ["query", "deps", "--param", "rule=702.2"], ["query", "condensation"]):
        command = [sys.executable, "-m", "lawmage", *arguments, "--release", RELEASE]
        times = [milliseconds(subprocess.run, command, capture_output=True, check=True) for _ in range(COLD_ROUNDS)]
        print(f"lawmage {' '.join(arguments):36} {min(times):8.0f}")


def main(rounds: int) -> None:
    """Print all figures."""
    store, graph = load_dataset(RELEASE), load_graph(RELEASE)
    print(f"loading: queries {milliseconds(load_dataset, RELEASE):.0f} ms, graph {milliseconds(load_graph, RELEASE):.0f} ms\n")
    closures(store, graph, rounds)
    stored(store, min(rounds, 5))
    cold()


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=25))
