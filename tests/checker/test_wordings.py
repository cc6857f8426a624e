"""Solver and checker agree on boards in words that are drawn at random; `LAWMAGE_EXAMPLES=10` tries ten times as many."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from lawmage.play import judge
from lawmage.scenario import scenario_from

from .wordings import random_board

HOW_MANY = 20 * int(os.environ.get("LAWMAGE_EXAMPLES", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("group", range(10))
def test_they_agree(group: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(group * HOW_MANY, (group + 1) * HOW_MANY):
        answer = judge(scenario_from(random_board(seed), file=f"board {seed}"), seconds=None, explain=True, checked=True)
        seen.update(verdict.verdict for verdict in answer.proposals.values())
    assert min(seen["legal"], seen["illegal"]) > HOW_MANY, "random boards on which hardly anything is legal, or illegal, show little"
