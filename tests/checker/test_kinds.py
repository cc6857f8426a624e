"""The checker knows all that the vocabulary says about declarations, needs each of its meanings, and is silent where it knows none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lawmage.checker
import lawmage.text
from lawmage.checker import attacks, blocks, check_verdict
from lawmage.checker.filters import TESTS
from lawmage.checker.table import CHANGES, CONDITIONS, PLAYERS
from lawmage.play.knowledge import knowledge

from .test_verdicts import judged

STEPS = {"attack": attacks, "block": blocks}


def grammar(rule: str) -> set[str]:
    """Return the aliases in a rule of the grammar of rules text, which are words of the vocabulary."""
    text = (Path(lawmage.text.__file__).parent / "sentences.lark").read_text(encoding="utf-8")
    body = re.search(rf"^{rule}: (.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    assert body
    return {alias.replace("_", " ") for alias in re.findall(r"-> (\w+)", body[1])}


@pytest.mark.parametrize("judge", STEPS)
def test_every_kind_is_known(judge: str) -> None:
    kinds = {term for term, kind in knowledge().kinds.items() if judge in kind.judges}
    assert len(kinds) > 8
    assert kinds - STEPS[judge].KINDS - {*CHANGES} == set()
    assert kinds >= STEPS[judge].KINDS, "a kind that the vocabulary does not have"


def test_every_test_condition_and_target_is_known() -> None:
    # `quality` stands for the filter behind a keyword, which the reading puts in its place; the others are asked about spells and targets.
    assert knowledge().tests.keys() - TESTS == {"quality", "spell", "mana_value_at_least", "mana_value_at_most", "unblocked"}
    named = {alias.removeprefix("not ").replace(" ", "_") for alias in grammar("condition")} | {"attached_is", "open"}
    judged_here = {term for term, kind in knowledge().kinds.items() if kind.judges & STEPS.keys()}
    imposed = [said for keyword in knowledge().keywords.values() for said in keyword.imposes if said.kind in judged_here]
    assert "controls" in named
    assert (named | {condition.kind for said in imposed for condition in said.conditions}) - CONDITIONS == set()
    designated = (said for constraints in knowledge().designations.values() for said in constraints)
    aimed = {said.target for said in (*imposed, *designated) if said.target}
    assert "you" in grammar("target")
    assert (grammar("target") | aimed) - attacks.TARGETS.keys() == set()
    assert (grammar("player") | grammar("controller")) - PLAYERS - {""} == set()


def disagreements() -> Iterator[str]:
    for scenario, verdicts in judged().values():
        for name, verdict in verdicts.items():
            yield from check_verdict(scenario, name, verdict)


@pytest.mark.parametrize(
    ("table", "kind"),
    [(table, kind) for step in STEPS.values() for table in (step.RESTRICTIONS, step.REQUIREMENTS) for kind in table],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_meaning_is_needed(table: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it some true verdict on a scenario file would not be confirmed."""
    monkeypatch.delitem(table, kind)
    assert any(disagreements())


@pytest.mark.parametrize(("judge", "kind"), [(judge, kind) for judge, step in STEPS.items() for kind in sorted(step.KINDS)])
def test_what_is_not_known_is_no_reason_to_disagree(judge: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lawmage.checker._KINDS, judge, STEPS[judge].KINDS - {kind})
    assert list(disagreements()) == []


@pytest.mark.parametrize("sort", ["TESTS", "CONDITIONS"])
def test_nor_is_an_unknown_test_or_condition(sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"lawmage.checker.table.{sort}", frozenset())
    assert list(disagreements()) == []


def test_it_shares_nothing_with_the_solver() -> None:
    """Not even a module that prepares what the solver gets: of lawmage.play, only what reads words, and the form of verdicts."""
    allowed = {"command_zone", "dated", "knowledge", "mana", "reading", "verdict"}
    for file in Path(lawmage.checker.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not any(name.split(".")[0] == "clingo" for name in imported)
        assert {name.removeprefix("lawmage.play.") for name in imported if name.startswith("lawmage.play")} <= allowed
