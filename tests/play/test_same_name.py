"""One step judges any number of proposals, at once or one after the other, each by what it says: a name is only what answers are told by.

Searching for an attack that wins, or for the best block, judges many proposals of one name on one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lawmage.board import Proposal
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.scenario import scenario_from

FIELD = {
    "a": {"controller": "A", "pt": "2/2", "keywords": ["flying"]},
    "b": {"controller": "A", "pt": "2/2", "text": "This creature must be blocked if able.\nThis creature can't attack unless you pay {1}."},
    "x": {"controller": "D", "pt": "2/2"},
    "y": {"controller": "D", "pt": "2/2", "text": "This creature can't block unless you tap an untapped creature you control."},
}
#: What is proposed and whether that is legal.
BLOCKS: list[tuple[dict[str, Any], str]] = [
    ({}, "illegal"),
    ({"x": "b"}, "legal"),
    ({"x": "a"}, "illegal"),
    ({"y": {"attackers": ["b"], "with": {"tap": ["x"]}}}, "legal"),
    ({"y": "b"}, "illegal"),
]
ATTACKS: list[tuple[dict[str, Any], str]] = [
    ({}, "legal"),
    ({"b": "D"}, "illegal"),
    ({"a": "D"}, "legal"),
    ({"b": {"target": "D", "pay": "{1}"}}, "legal"),
]
FIRST = {"players": {"A": {"mana": "{1}"}, "D": {}}, "battlefield": FIELD, "judge": "attack"}
AFTER = {"players": {"A": {}, "D": {}}, "battlefield": FIELD, "attack": ["a", "b"]}


def proposal_of(board: Mapping[str, Any], said: Mapping[str, Any]) -> Proposal:
    (proposal,) = scenario_from({**board, "propose": {"p": said}}).proposals
    return proposal


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(("step", "board", "proposed"), [(Blocks, AFTER, BLOCKS), (Attacks, FIRST, ATTACKS)])
def test_each_is_judged_by_what_it_says(
    step: type[Attacks | Blocks], board: dict[str, Any], proposed: list[tuple[dict[str, Any], str]], explain: bool, plain: bool
) -> None:
    one = step(scenario_from({**board, "propose": {}}), explain=explain, plain=plain)
    for said, expected in [*proposed, *reversed(proposed)]:
        proposal = proposal_of(board, said)
        verdict = one.judge([proposal])["p"]
        assert verdict.verdict == expected, said
        alone = step(scenario_from({**board, "propose": {"p": said}}), explain=explain, plain=plain)
        expected_nearest = alone.with_nearest(proposal, alone.judge([proposal])["p"])
        nearest = one.with_nearest(proposal, verdict)
        assert (nearest.nearest, nearest.nearest_pay, nearest.nearest_with) == (
            expected_nearest.nearest,
            expected_nearest.nearest_pay,
            expected_nearest.nearest_with,
        )
