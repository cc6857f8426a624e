"""Every scenario file of this folder: what it expects holds, and each rule that decides something has been seen to decide it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pyoxigraph
import pytest
from clingo import ast

from lawmage.play import judge
from lawmage.resources import data_folder
from lawmage.scenario import load_scenario

from .expectations import CASES, case_files, disagreements, load_cases, rule_of, statements


@pytest.mark.parametrize("file", case_files(), ids=lambda file: file.relative_to(CASES).as_posix())
def test_every_expectation_holds(file: Path) -> None:
    scenario = load_scenario(file)
    assert scenario.expect, f"{file.name} expects nothing, so it tests nothing"
    assert scenario.title, f"{file.name} has no title"
    assert set(scenario.expect) >= {proposal.name for proposal in scenario.proposals}, f"{file.name} expects nothing of some proposal"
    assert list(disagreements(scenario)) == []


def test_files_stand_where_their_rule_is() -> None:
    assert [file for file in case_files() if file.parent.name != rule_of(file).partition(".")[0]] == []


def rules_in_force(judged: Sequence[str]) -> dict[str, str]:
    """Return the numbers of the rules that lawmage says to decide something about these judgements, and what says so."""
    store = pyoxigraph.Store()
    kb = data_folder("kb")
    for file in (kb / "vocabulary.ttl", *(kb / "keywords").glob("*.ttl")):
        store.load(path=str(file), format=pyoxigraph.RdfFormat.TURTLE)
    program = " ".join(str(statement.head) for statement in statements(judged) if statement.ast_type == ast.ASTType.Rule)
    rules = dict.fromkeys(re.findall(r'"(\d{3}\.\d+[a-z]?)"', program), "asp/")
    for query, where in QUERIES.items():
        solutions = store.query(PREFIXES + query)
        assert isinstance(solutions, pyoxigraph.QuerySolutions)
        for solution in solutions:
            if solution["word"].value in judged or re.search(rf"\b{solution['word'].value}\b", program):
                rules[solution["rule"].value] = where
    return rules


#: The judgements in which a proposal is legal or illegal.
DECLARED = ("attack", "block", "damage")
PREFIXES = "PREFIX lm: <urn:lawmage:vocabulary:> "
#: What gives a rule force, and the declaration it bears on, or the word for it in the heads of asp/.
QUERIES = {
    "SELECT ?rule ?word { ?keyword lm:imposes ?c . ?c lm:rule ?rule ; a/lm:judges ?word }": "kb/keywords/",
    "SELECT ?rule ?word { ?kind lm:by ?rule ; lm:judges ?word }": "a kind in kb/vocabulary.ttl",
    "SELECT ?rule ?word { ?breach a lm:Breach ; lm:by ?rule ; lm:term ?word }": "a breach in kb/vocabulary.ttl",
}


def test_each_rule_has_a_legal_and_an_illegal_proposal() -> None:
    """In the files named after it, a rule lets a proposal pass, and is cited where another fails if lawmage says it decides that."""
    passed: set[str] = set()
    failed: set[str] = set()
    cited: defaultdict[str, set[str]] = defaultdict(set)
    for file, scenario in load_cases().items():
        if scenario.judge not in DECLARED:
            continue
        rule = rule_of(file)
        for verdict in judge(scenario, seconds=None).proposals.values():
            if verdict.verdict == "legal":
                passed.add(rule)
            if verdict.verdict == "illegal":
                failed.add(rule)
                cited[rule].update(verdict.cites)
    in_force = rules_in_force(DECLARED)
    assert len(in_force) > 10
    assert {rule: where for rule, where in in_force.items() if rule not in passed or rule not in cited[rule]} == {}
    assert passed == failed


def test_each_rule_on_outcomes_has_been_seen_to_apply() -> None:
    """In a file named after it, a rule that says what combat does is among those that an outcome cites, or what it leaves open names it."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for file, scenario in load_cases().items():
        if scenario.judge == "outcome":
            for verdict in judge(scenario, seconds=None).proposals.values():
                seen[rule_of(file)].update(verdict.cites, re.findall(r"\d{3}\.\d+[a-z]*", " ".join(verdict.not_understood)))
    in_force = {rule: where for rule, where in rules_in_force(["outcome"]).items() if rule not in rules_in_force(DECLARED)}
    assert len(in_force) > 20
    assert {rule: where for rule, where in in_force.items() if rule not in seen[rule]} == {}
