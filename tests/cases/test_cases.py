"""Every scenario file of this folder: what it expects holds, and each rule that decides something has been seen to decide it."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pyoxigraph
import pytest
from clingo import ast

from lawmage.resources import data_folder
from lawmage.scenario import load_scenario

from .expectations import CASES, case_files, disagreements, rule_of


@pytest.mark.parametrize("file", case_files(), ids=lambda file: file.relative_to(CASES).as_posix())
def test_every_expectation_holds(file: Path) -> None:
    scenario = load_scenario(file)
    assert scenario.expect, f"{file.name} expects nothing, so it tests nothing"
    assert scenario.title, f"{file.name} has no title"
    assert set(scenario.expect) >= {proposal.name for proposal in scenario.proposals}, f"{file.name} expects nothing of some proposal"
    assert list(disagreements(scenario)) == []


def test_files_stand_where_their_rule_is() -> None:
    assert [file for file in case_files() if file.parent.name != rule_of(file).partition(".")[0]] == []


def rules_in_force() -> dict[str, str]:
    """Return the numbers of the rules that lawmage says to decide something about blocks, and what says so."""
    store = pyoxigraph.Store()
    kb = data_folder("kb")
    for file in (kb / "vocabulary.ttl", *(kb / "keywords").glob("*.ttl")):
        store.load(path=str(file), format=pyoxigraph.RdfFormat.TURTLE)
    rules: dict[str, str] = {}
    for query, where in QUERIES:
        solutions = store.query(PREFIXES + query)
        assert isinstance(solutions, pyoxigraph.QuerySolutions)
        rules |= {solution["rule"].value: where for solution in solutions}
    for file in sorted(data_folder("asp").rglob("*.lp")):
        ast.parse_files([str(file)], lambda node: rules.update(dict.fromkeys(rules_in_head(node), "asp/")))
    return rules


def rules_in_head(node: ast.AST) -> list[str]:
    """Return the rule numbers that stand in the head of a rule of a program."""
    return re.findall(r'"(\d{3}\.\d+[a-z]?)"', str(node.head)) if node.ast_type == ast.ASTType.Rule else []


PREFIXES = "PREFIX lm: <urn:lawmage:vocabulary:> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
QUERIES = [
    ("SELECT DISTINCT ?rule { ?keyword lm:imposes ?c . ?c lm:rule ?rule ; a/lm:judges 'block' }", "kb/keywords/"),
    ("SELECT DISTINCT ?rule { ?kind lm:by ?rule ; lm:judges 'block' }", "a kind in kb/vocabulary.ttl"),
    ("SELECT DISTINCT ?rule { ?breach a lm:Breach ; lm:by ?rule }", "a breach in kb/vocabulary.ttl"),
]


def test_each_rule_has_a_legal_and_an_illegal_proposal() -> None:
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for file in case_files():
        seen[rule_of(file)].update(map(str, (load_scenario(file).expect or {}).values()))
    rules = rules_in_force()
    assert len(rules) > 10
    rules = dict.fromkeys(seen, "tests/cases/") | rules
    assert {rule: where for rule, where in rules.items() if not {"legal", "illegal"} <= seen[rule]} == {}
