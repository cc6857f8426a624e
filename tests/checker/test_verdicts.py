"""The checker confirms what lawmage says, and nothing else.

Over all scenario files of tests/cases/ and over random boards: each true verdict is confirmed, and each lie about it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.cases.expectations import CASES, case_files
from tests.oracle import attacks, blocks
from tests.oracle.attack_boards import attack_boards, attack_declarations
from tests.oracle.boards import boards, declarations
from tests.oracle.test_blocks import EXAMPLES

from lawmage.board import Scenario
from lawmage.checker import check_verdict
from lawmage.play import ProposalVerdict, judge
from lawmage.scenario import load_scenario, scenario_from

from .lies import LIES, lies

#: How often each lie is told about the scenario files, at the least: a lie that is told of nothing would show nothing.
OFTEN = 5


@cache
def judged() -> dict[str, tuple[Scenario, Mapping[str, ProposalVerdict]]]:
    """Return all scenario files on declarations, with their verdicts, by name."""
    scenarios = {file.relative_to(CASES).as_posix(): load_scenario(file) for file in case_files()}
    declared = {name: scenario for name, scenario in scenarios.items() if scenario.judge in ("attack", "block")}
    return {name: (scenario, judge(scenario, seconds=None, explain=True).proposals) for name, scenario in declared.items()}


def disagreements(scenario: Scenario, verdicts: Mapping[str, ProposalVerdict]) -> Iterator[str]:
    for name, verdict in verdicts.items():
        yield from (f"{name}: {sentence}" for sentence in check_verdict(scenario, name, verdict))


def test_scenario_files() -> None:
    found = {file: list(disagreements(scenario, verdicts)) for file, (scenario, verdicts) in judged().items()}
    assert len(found) > 100
    assert {file: sentences for file, sentences in found.items() if sentences} == {}


@pytest.mark.parametrize("kind", LIES)
def test_lies_about_scenario_files(kind: str) -> None:
    told, believed = 0, []
    for file, (scenario, verdicts) in judged().items():
        for name, lie in lies(kind, scenario, verdicts):
            told += 1
            if not check_verdict(scenario, name, lie):
                believed.append((file, name, lie))
    assert believed == []
    assert told >= OFTEN


def test_violations_of_undecided_verdicts() -> None:
    """Of an undecided verdict the violations are checked, and nothing else."""
    unclear = [(scenario, name, v) for scenario, all_ in judged().values() for name, v in all_.items() if v.verdict == "undecided"]
    assert unclear
    for scenario, name, verdict in unclear:
        assert check_verdict(scenario, name, verdict) == []


@EXAMPLES
@given(st.data())
def test_random_blocks(data: st.DataObject) -> None:
    board = data.draw(boards())
    proposals: dict[str, blocks.Blocks] = {"none": {}}
    proposals |= {f"p{number}": data.draw(declarations(board)) for number in range(2)}
    mapping = blocks.to_scenario(board, proposals)
    note(str(mapping))
    confirm(scenario_from(mapping), data.draw(st.sampled_from(sorted(LIES))))


@EXAMPLES
@given(st.data())
def test_random_attacks(data: st.DataObject) -> None:
    board = data.draw(attack_boards())
    proposals: dict[str, tuple[attacks.Attacks, attacks.Bands]] = {"none": ({}, ())}
    proposals |= {f"p{number}": data.draw(attack_declarations(board)) for number in range(2)}
    mapping = attacks.to_scenario(board, proposals, paid=data.draw(st.booleans()))
    note(str(mapping))
    confirm(scenario_from(mapping), data.draw(st.sampled_from(sorted(LIES))))


def confirm(scenario: Scenario, kind: str) -> None:
    """Assert that the verdicts on `scenario` are confirmed and lies of one kind about them are not."""
    verdicts = judge(scenario, seconds=None, explain=True).proposals
    assert list(disagreements(scenario, verdicts)) == []
    assert [lie for name, lie in lies(kind, scenario, verdicts) if not check_verdict(scenario, name, lie)] == []
