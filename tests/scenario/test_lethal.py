"""`judge: lethal` in scenario files: what is read, what is refused, and what is compared."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play import judge
from lawmage.play.expectation import compared
from lawmage.scenario import scenario_from

FIELD = {
    "a": {"controller": "A", "pt": "5/5"},
    "b": {"controller": "A", "pt": "2/2"},
    "x": {"controller": "D", "pt": "1/1"},
}
THREE = {"A": {}, "D": {"life": 2}, "E": {"life": 2}}


def board(life: int = 2, **more: Any) -> dict[str, Any]:
    return {"judge": "lethal", "players": {"A": {}, "D": {"life": life}}, "battlefield": FIELD, **more}


def disagreements(data: dict[str, Any]) -> dict[str, Any]:
    scenario = scenario_from(data)
    assert scenario.expect is not None
    return {one.name: one.actual for one in compared(scenario.expect, judge(scenario, seconds=None)) if not one.holds}


def test_what_holds() -> None:
    assert disagreements(board(expect={"lethal": True, "max_damage": 2, "attack": ["a", "b"]})) == {}
    assert disagreements(board(3, expect={"lethal": False, "max_damage": 2})) == {}
    assert disagreements(board(3, attack={"a": "D", "b": "D"}, expect={"lethal": False, "block": {"x": "a"}})) == {}
    assert disagreements(board(players=THREE, expect={"lethal": {"D": True, "E": True}, "max_damage": {"E": 7}})) == {}


def test_what_does_not_hold() -> None:
    assert disagreements(board(expect={"lethal": False, "max_damage": 3})) == {"lethal": True, "max_damage": 2}
    assert disagreements(board(players=THREE, expect={"max_damage": {"D": 3}})) == {"max_damage": {"D": 2, "E": 7}}


def test_an_attack_that_is_expected_has_to_win() -> None:
    """In its place one that wins is shown, if there is one."""
    assert disagreements(board(expect={"attack": {"a": "D"}})) == {"attack": {"a": "D", "b": "D"}}
    assert disagreements(board(3, expect={"attack": {"a": "D", "b": "D"}})) == {"attack": None}


def test_an_attack_that_is_expected_has_to_be_legal() -> None:
    tapped = {**FIELD, "a": {**FIELD["a"], "tapped": True}}
    assert disagreements({**board(1, expect={"attack": ["a", "b"]}), "battlefield": tapped}) == {"attack": None}


def test_a_block_that_is_expected_has_to_be_legal_and_to_survive() -> None:
    attack = {"a": "D", "b": "D"}
    assert disagreements(board(3, attack=attack, expect={"block": {"x": "b"}})) == {"block": {"x": ["a"]}}
    tapped = {**FIELD, "x": {**FIELD["x"], "tapped": True}}
    assert disagreements({**board(6, attack=attack, expect={"block": {"x": "a"}}), "battlefield": tapped}) == {"block": None}


def test_undecided_can_be_expected() -> None:
    strange = {**FIELD, "b": {**FIELD["b"], "text": "Creatures block strangely this turn."}}
    assert disagreements({**board(expect={"lethal": "undecided"}), "battlefield": strange}) == {}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"expect": {"leathal": True}}, 'the key "leathal" is not known in expect; did you mean "lethal"'),
        ({"expect": {"lethal": "yes"}}, "expect.lethal must be true or false"),
        ({"expect": {"max_damage": -1}}, "expect.max_damage must be a whole number"),
        ({"expect": {"attack": ["x"]}}, "only creatures of A"),
        ({"attack": ["a"], "expect": {"attack": ["b"]}}, "is expected where no attack has been declared"),
        ({"expect": {"block": {"x": "a"}}}, "the file has no key attack"),
        ({"attack": ["a"], "block": {}}, "judge is lethal, but the file has the key block"),
        ({"propose": {"p": {}}}, "propose is no key for files that say judge: lethal"),
        ({"players": THREE, "expect": {"lethal": True}}, "expect.lethal must be a map of players, since D and E can be attacked"),
        ({"players": THREE, "expect": {"lethal": {"F": True}}}, '"F"'),
    ],
)
def test_what_is_refused(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        scenario_from(board(**more))
    assert sentence in str(refused.value)
