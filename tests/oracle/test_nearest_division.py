"""The division offered for an illegal one is legal, and none assigns less damage otherwise: compared with all that the brute force lists.

`LAWMAGE_EXAMPLES=10` tries ten times as many combats.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.play import judge
from lawmage.play.nearest_division import moved
from lawmage.scenario import scenario_from

from . import damage as oracle
from .damage_boards import assignments, combats

EXAMPLES = settings(
    max_examples=40 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@EXAMPLES
@given(st.data())
def test_nearest_divisions(data: st.DataObject) -> None:
    combat = data.draw(combats())
    first, *later = oracle.steps(combat)
    player = data.draw(st.sampled_from(["A", "D"]))
    listed = list(oracle.legal_assignments(combat, first, player))
    proposals: dict[str, Any] = {f"p{number}": data.draw(assignments(combat, first, listed)) for number in range(3)}
    step = {"step": first} if later else {}
    mapping = oracle.to_scenario(combat, "damage", {name: {**one, **step, "by": player} for name, one in proposals.items()})
    note(str(mapping))
    answer = judge(scenario_from(mapping), seconds=None, explain=True, explain_seconds=60)
    for name, verdict in answer.proposals.items():
        if verdict.verdict != "illegal":
            assert verdict.nearest is None
            continue
        found: Any = verdict.nearest
        assert found in listed
        assert moved(found, proposals[name]) == min(moved(one, proposals[name]) for one in listed)


def test_large_amounts_take_no_longer() -> None:
    board = {
        "battlefield": {
            "t": {"controller": "A", "pt": "1000000/1", "keywords": ["trample"]},
            "b": {"controller": "D", "pt": "1/400000"},
            "c": {"controller": "D", "pt": "1/500000"},
        },
        "attack": {"t": "D"},
        "block": {"b": "t", "c": "t"},
        "propose": {"p": {"t": {"b": 400000, "c": 100000, "D": 500000}, "by": "A"}},
    }
    verdict = judge(scenario_from(board), explain=True).proposals["p"]
    assert verdict.nearest == {"t": {"b": 400000, "c": 500000, "D": 100000}}
