"""One board under two releases: which changes of the rules turn a verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play.comparing import Compared, compare
from lawmage.play.knowledge import knowledge
from lawmage.scenario import load_scenario, scenario_from

CASES = Path(__file__).resolve().parents[1] / "cases"
NOW = "2026-08-07"


def compared(name: str, then: str, *, now: str = NOW) -> dict[str, Compared]:
    found = compare(load_scenario(CASES / f"{name}.yaml"), (then, now))
    return {one.name: one for one in found.proposals}


def words(one: Compared) -> tuple[list[str | None], list[str]]:
    return [None if verdict is None else verdict.verdict for verdict in one.verdicts], [change.word for change in one.because]


def test_an_extra_combat_is_another_combat_since_2018() -> None:
    found = compared("508/508.1d-this-turn-in-a-second-combat", "2017-06-05")
    assert words(found["p1"]) == (["legal", "illegal"], ["one_combat_is_enough"])
    change = found["p1"].because[0]
    assert change.rules == ("508.1d", "508.1d")
    assert change.until == "2017-06-05"
    assert "combat" in change.says
    assert found["p2"].same
    assert found["p2"].reworded == (("508.1d", "508.1d"),)


def test_damage_is_assigned_in_any_order_since_2024() -> None:
    found = compared("510/510.1c-in-order-until-2024", "2024-09-20")
    assert {name: words(one) for name, one in found.items()} == {
        "p1": (["illegal", "legal"], ["damage_assignment_order"]),
        "p2": (["legal", "legal"], []),
        "p3": (["legal", "legal"], []),
        "p4": (["illegal", "legal"], ["damage_assignment_order"]),
    }
    assert found["p1"].because[0].rules[1] == "510.1c"


def test_it_works_both_ways() -> None:
    found = compared("510/510.1c-in-order-until-2024", NOW, now="2024-09-20")
    assert words(found["p1"]) == (["legal", "illegal"], ["damage_assignment_order"])


def test_outcomes_differ_where_something_else_comes_of_them() -> None:
    found = compared("704/704.5d-phased-out-token", "2017-06-05")["outcome"]
    assert words(found) == (["legal", "legal"], ["phased_out_tokens_cease"])
    assert not found.same


def test_what_a_release_does_not_have_is_the_difference() -> None:
    found = compared("702/702.111b-menace", "2015-01-23")["one"]
    assert words(found) == ([None, "illegal"], ["menace"])
    assert "menace" in found.refusals[0]
    assert found.because[0].rules == (None, "702.111")


def test_two_changes_together_are_found() -> None:
    board: dict[str, Any] = {
        "battlefield": {
            "x": {"controller": "A", "pt": "3/3", "keywords": ["vigilance", "menace"]},
        },
        "history": {"attacked": ["x"]},
        "effects": [{"controller": "A", "text": "Target creature attacks this turn if able.", "affects": ["x"]}],
        "propose": {"none": {}},
    }
    found = compare(scenario_from(board), ("2015-01-23", NOW)).proposals[0]
    assert words(found) == ([None, "illegal"], ["menace", "one_combat_is_enough"])


def test_the_same_verdict_is_said_to_be_the_same() -> None:
    found = compared("702/702.111b-menace", "2026-04-17")["one"]
    assert found.same
    assert found.because == ()
    assert found.reworded == ()


def test_nothing_of_what_was_supposed_stays() -> None:
    before = knowledge()
    compared("508/508.1d-this-turn-in-a-second-combat", "2017-06-05")
    assert knowledge() is before


def test_an_unknown_release_is_an_error() -> None:
    with pytest.raises(InputError, match=r"there is no release 2016-01-01; the nearest are 2015-01-23 and 2016-08-26"):
        compared("702/702.111b-menace", "2016-01-01")


def test_in_words(run: Any) -> None:
    status, output, errors = run("check", "--compare", "2024-09-20", NOW, CASES / "510/510.1c-in-order-until-2024.yaml")
    assert (status, errors) == (0, "")
    assert all(len(line.rstrip()) <= 80 for line in output.splitlines())
    text = " ".join(output.split())
    assert "p1 illegal legal" in text
    assert "p1 and p4: what makes the difference is 510.1c" in text
    assert "p2 and p3: the same under both; reworded of the rules cited: 510.1c, 510.1d" in text


def test_in_json(run: Any) -> None:
    file = CASES / "508/508.1d-this-turn-in-a-second-combat.yaml"
    status, output, _ = run("check", "--json", "--compare", "2017-06-05", NOW, file)
    answer = json.loads(output)["files"][0]
    assert status == 1
    assert answer["releases"] == ["2017-06-05", NOW]
    assert [verdict["verdict"] for verdict in answer["compared"]["p1"]["verdicts"]] == ["legal", "illegal"]
    assert answer["compared"]["p1"]["because"][0]["rules"] == ["508.1d", "508.1d"]
    assert answer["compared"]["p2"]["same"] is True


def test_a_release_that_does_not_exist(run: Any) -> None:
    status, _, errors = run("check", "--compare", "2016", NOW, CASES / "702/702.111b-menace.yaml")
    assert status == 2
    assert "is not a release" in errors
