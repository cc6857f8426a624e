"""The nearest legal declaration to one in which costs are paid."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from lawmage.play import helping, judge
from lawmage.scenario import scenario_from


def test_blocks_that_cost_need_no_search() -> None:
    """What is paid for may be paid in the nearest declaration, too; nobody else is made to pay."""
    field: dict[str, Any] = {f"m{number}": {"controller": "A", "pt": "2/2"} for number in range(30)}
    field["m0"]["text"] = field["m1"]["text"] = "This creature must be blocked if able."
    field["m2"]["keywords"] = ["flying"]
    taxed = {"controller": "D", "pt": "1/1", "text": "This creature can't block unless you pay {1}."}
    field |= {f"b{number}": {"controller": "D", "pt": "1/1"} if number < 2 else taxed for number in range(30)}
    proposed = {f"b{number}": {"attackers": [f"m{number}"], "pay": "{1}"} for number in range(2, 20)}
    board = {"battlefield": field, "attack": [f"m{number}" for number in range(30)], "propose": {"p": proposed}}
    with patch.object(helping, "minimum", side_effect=AssertionError):
        verdict = judge(scenario_from(board), explain=True, explain_seconds=60).proposals["p"]
    # b2, which cannot block what flies, and one that pays nothing block what has to be blocked.
    assert verdict.nearest is not None
    assert {name: verdict.nearest[name] for name in proposed if name != "b2"} == {f"b{number}": (f"m{number}",) for number in range(3, 20)}
    changed = {name: others for name, others in verdict.nearest.items() if name in ("b2", "b0", "b1")}
    assert (len(changed), sorted(changed.values())) == (2, [("m0",), ("m1",)])
    assert "b2" in changed
    assert verdict.nearest_pay == dict.fromkeys(proposed, "{1}")
    again = {name: {"attackers": list(others), "pay": verdict.nearest_pay.get(name)} for name, others in verdict.nearest.items()}
    again = {name: {key: value for key, value in each.items() if value} for name, each in again.items()}
    assert judge(scenario_from({**board, "propose": {"p": again}})).proposals["p"].verdict == "legal"
