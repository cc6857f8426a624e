"""Attackers of which neither the file nor the board says whether they are tapped (508.1f)."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play import judge
from lawmage.scenario import scenario_from


def board(**attacker: Any) -> dict[str, Any]:
    text = "As long as you have no cards in hand, this creature has vigilance.\nAs long as this creature is untapped, it can't be blocked."
    return {
        "lawmage": 1,
        "battlefield": {"m": {"controller": "A", "pt": "2/2", "text": text} | attacker, "b": {"controller": "D", "pt": "1/1"}},
        "attack": ["m"],
        "propose": {"p": {"b": "m"}},
    }


def test_an_open_condition_of_vigilance_asks_for_the_key() -> None:
    with pytest.raises(InputError, match="m attacks, so it needs the key tapped: the board does not say whether"):
        judge(scenario_from(board()))


@pytest.mark.parametrize(
    ("attacker", "verdict"),
    [
        ({"tapped": True}, "legal"),
        ({"tapped": False}, "illegal"),
        ({"conditions": {"you have no cards in hand": True}}, "illegal"),
        ({"conditions": {"you have no cards in hand": False}}, "legal"),
    ],
)
def test_what_the_file_says_settles_it(attacker: dict[str, Any], verdict: str) -> None:
    assert judge(scenario_from(board(**attacker))).proposals["p"].verdict == verdict
