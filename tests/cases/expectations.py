"""What the scenario files of this folder expect, and what lawmage answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

from clingo import ast

from lawmage.board import Scenario
from lawmage.decks.cases import is_deck_case
from lawmage.play import judge
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.command_zone import with_command_zone
from lawmage.play.expectation import compared, expects_nearest
from lawmage.play.verdict import Answer
from lawmage.resources import data_folder
from lawmage.scenario import load_scenario

__all__ = ["CASES", "JUDGED", "answers", "case_files", "disagreements", "load_cases", "rule_of", "statements"]

CASES = Path(__file__).resolve().parent
#: What the scenario files of this folder judge, with the programs in asp/entry/ that are asked.
JUDGED = {
    "attack": ("declare-attackers", "list-attacks"),
    "block": ("declare-blockers", "list-blocks"),
    "damage": ("combat-damage", "combat-damage-violations"),
    "outcome": ("combat-triggers", "damage-results", "state-based-actions"),
}

_DECLARED = {"attack": Attacks, "block": Blocks}


def case_files() -> list[Path]:
    """Return all scenario files, in the order of their names; files of decks are another thing (test_decks.py)."""
    return [file for file in sorted(CASES.rglob("*.yaml")) if not is_deck_case(file)]


def rule_of(file: Path) -> str:
    """Return the number of the rule that a file is named after: the name as far as the first hyphen."""
    return file.stem.partition("-")[0]


def answers(scenario: Scenario, seconds: float | None = None) -> Iterator[Answer]:
    """Yield what lawmage answers and, for declarations, what clingo says of them alone, which then lists them where they are counted.

    Args:
        scenario: with what it expects.
        seconds: the time allowed for each search, None for as long as it takes.
    """
    first = judge(scenario, seconds=seconds, explain=expects_nearest(scenario.expect), explain_seconds=math.inf)
    yield first
    if scenario.judge in _DECLARED:
        searched = _DECLARED[scenario.judge](with_command_zone(scenario), seconds=seconds, plain=True)
        counts = None if first.counts is None else searched.counts(by_listing=True)
        yield replace(first, proposals=searched.judge(scenario.proposals), counts=counts)


def disagreements(scenario: Scenario, seconds: float | None = None) -> Iterator[str]:
    """Yield a sentence for each expectation that does not hold in one of the `answers`."""
    for answer in answers(scenario, seconds):
        for one in compared(scenario.expect or {}, answer):
            if not one.holds:
                yield f"{one.name} is {one.actual}, not {one.expected}"


@cache
def load_cases() -> dict[Path, Scenario]:
    """Return all scenarios by file."""
    return {file: load_scenario(file) for file in case_files()}


def statements(judged: Iterable[str] = JUDGED) -> list[ast.AST]:
    """Return the statements of the programs that are asked for these judgements, with all that they include."""
    found: list[ast.AST] = []
    for entry in chain.from_iterable(JUDGED[one] for one in judged):
        ast.parse_files([str(data_folder("asp") / "entry" / f"{entry}.lp")], found.append)
    return found
