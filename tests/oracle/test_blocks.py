"""What lawmage says about random boards is what the brute force says: verdicts, numbers of requirements, counts, declarations.

`LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

import os
from itertools import product

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.board import Scenario
from lawmage.play import ProposalVerdict, count_declarations, enumerate_declarations, judge
from lawmage.scenario import scenario_from

from . import blocks as oracle
from .blocks import Blocks, Board
from .boards import boards, declarations

EXAMPLES = settings(
    max_examples=150 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

#: Lists of declarations longer than this are only counted.
MOST_LISTED = 2000


def scenario_of(board: Board, proposals: dict[str, Blocks]) -> Scenario:
    mapping = oracle.to_scenario(board, proposals)
    note(str(mapping))
    return scenario_from(mapping)


def written(blocks: Blocks) -> str:
    return "; ".join(f"{blocker}: {', '.join(sorted(attackers))}" for blocker, attackers in sorted(blocks.items()))


def assert_same(judged: dict[str, oracle.Judgement], verdict: ProposalVerdict) -> None:
    """Assert that the verdict on one declaration is what the oracle says of each defending player's part of it."""
    assert verdict.verdict == ("legal" if all(judgement.legal for judgement in judged.values()) else "illegal")
    assert bool(verdict.violations) == (verdict.verdict == "illegal")
    restrictions = {rule for judgement in judged.values() for rule in judgement.restrictions}
    broken = {violation.rule for violation in verdict.violations} - {"509.1c"}
    assert broken >= restrictions if "802.4a" in restrictions else broken == restrictions
    if restrictions:
        return
    assert verdict.requirements.obeyed == sum(judgement.obeyed for judgement in judged.values())
    assert verdict.requirements.maximum == sum(judgement.maximum for judgement in judged.values())


@EXAMPLES
@given(st.data())
def test_verdicts(data: st.DataObject) -> None:
    board = data.draw(boards())
    proposals: dict[str, Blocks] = {"none": {}}
    for number in range(3):
        proposals[f"p{number}"] = data.draw(declarations(board))
    for name, listed in (
        ("legal", oracle.legal_declarations(board)),
        ("free", list(oracle.unrestricted(board.view("D"), paid=True))),
    ):
        if listed:
            proposals[name] = listed[data.draw(st.integers(0, len(listed) - 1))]
    answer = judge(scenario_of(board, proposals), seconds=None)
    for name, blocks in proposals.items():
        note(name)
        assert_same(oracle.judge(board, blocks), answer.proposals[name])


@EXAMPLES
@given(boards())
def test_a_better_declaration_is_better(board: Board) -> None:
    """The witness against a declaration that obeys too little breaks nothing and obeys the maximum."""
    verdict = judge(scenario_of(board, {"none": {}}), seconds=None).proposals["none"]
    judged = oracle.judge(board, {})
    better = verdict.requirements.better
    assert (better is None) == (verdict.verdict == "legal")
    if better is not None:
        shown = oracle.judge(board, {blocker: frozenset(attackers) for blocker, attackers in better.items()}, paid=False)
        assert {player: judgement.restrictions for player, judgement in shown.items()} == dict.fromkeys(judged, frozenset())
        assert all(judgement.obeyed == judgement.maximum for judgement in shown.values())


@EXAMPLES
@given(boards())
def test_legal_declarations(board: Board) -> None:
    scenario = scenario_of(board, {})
    number = oracle.count(board)
    assert count_declarations(scenario, seconds=None) == number
    if number <= MOST_LISTED:
        listed = [written({b: frozenset(a) for b, a in blocks.items()}) for blocks in enumerate_declarations(scenario, seconds=None)]
        parts = [oracle.legal_declarations(board, player) for player in board.defending_players]
        assert sorted(listed) == sorted(written({b: a for part in parts_ for b, a in part.items()}) for parts_ in product(*parts))
