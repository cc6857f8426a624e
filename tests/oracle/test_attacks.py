"""What lawmage says about attacks on random boards is what the brute force says: verdicts, requirements, counts, declarations.

`LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.board import Scenario
from lawmage.play import ProposalVerdict, count_declarations, enumerate_declarations, judge
from lawmage.scenario import scenario_from

from . import attacks as oracle
from .attack_boards import attack_boards, attack_declarations
from .attacks import Attacks, Bands, Board
from .blocks import Judgement
from .test_blocks import EXAMPLES, MOST_LISTED


def scenario_of(board: Board, proposals: Mapping[str, tuple[Attacks, Bands]], *, paid: bool = True) -> Scenario:
    mapping = oracle.to_scenario(board, proposals, paid=paid)
    note(str(mapping))
    return scenario_from(mapping)


def assert_same(judged: Judgement, verdict: ProposalVerdict) -> None:
    """Assert that the verdict on one declaration is what the oracle says of it."""
    assert verdict.verdict == ("legal" if judged.legal else "illegal")
    assert bool(verdict.violations) == (verdict.verdict == "illegal")
    broken = {violation.rule for violation in verdict.violations} - {"508.1d"}
    assert broken >= judged.restrictions if "508.1b" in judged.restrictions else broken == judged.restrictions
    if not judged.restrictions:
        assert verdict.requirements.obeyed == judged.obeyed
        assert verdict.requirements.maximum == judged.maximum


@EXAMPLES
@given(st.data())
def test_verdicts(data: st.DataObject) -> None:
    board = data.draw(attack_boards())
    proposals: dict[str, tuple[Attacks, Bands]] = {"none": ({}, ())}
    for number in range(3):
        proposals[f"p{number}"] = data.draw(attack_declarations(board))
    for name, listed in (
        ("legal", oracle.legal_declarations(board)),
        ("free", list(oracle.unrestricted(board.view(), paid=True))),
    ):
        if listed:
            proposals[name] = listed[data.draw(st.integers(0, len(listed) - 1))], ()
    paid = data.draw(st.sampled_from([True, True, False]))
    answer = judge(scenario_of(board, proposals, paid=paid), seconds=None)
    for name, (attacks, bands) in proposals.items():
        note(name)
        assert_same(oracle.judge(board, attacks, bands, paid=paid), answer.proposals[name])


@EXAMPLES
@given(attack_boards())
def test_a_better_declaration_is_better(board: Board) -> None:
    """The witness against a declaration that obeys too little breaks nothing, costs nothing, and obeys the maximum."""
    verdict = judge(scenario_of(board, {"none": ({}, ())}), seconds=None).proposals["none"]
    better = verdict.requirements.better
    assert (better is None) == (verdict.verdict == "legal")
    if better is not None:
        shown = oracle.judge(board, {attacker: str(target) for attacker, target in better.items()}, paid=False)
        assert not shown.restrictions
        assert shown.obeyed == shown.maximum


@EXAMPLES
@given(attack_boards())
def test_legal_declarations(board: Board) -> None:
    scenario = scenario_of(board, {})
    legal = oracle.legal_declarations(board)
    assert count_declarations(scenario, seconds=None) == len(legal)
    if len(legal) <= MOST_LISTED:
        listed = [sorted(declaration.items()) for declaration in enumerate_declarations(scenario, seconds=None)]
        assert sorted(listed) == sorted(sorted(attacks.items()) for attacks in legal)
