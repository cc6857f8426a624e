"""The nearest legal declaration to one in which costs are paid."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

from lawmage.mcp.words import verdict_lines
from lawmage.play import helping, judge
from lawmage.play.judging import judge_and_explain
from lawmage.play.nearest_paid import PaidSearch
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


TAPS = "This creature can't attack unless you pay {1}.\nThis creature can't attack unless you tap another untapped creature you control."


def test_what_pays_is_told_in_each_form() -> None:
    """What is named to pay stays as far as it can: `t` is tapped already, so that `y` or `z` is tapped in its place."""
    board: dict[str, Any] = {
        "lawmage": 1,
        "players": {"A": {"mana": "{W}"}, "D": {}},
        "battlefield": {
            "x": {"controller": "A", "pt": "2/2", "text": TAPS},
            "s": {"controller": "A", "pt": "1/1", "text": "This creature can't attack unless you sacrifice two lands."},
            "t": {"controller": "A", "pt": "1/1", "tapped": True},
            "y": {"controller": "A", "pt": "1/1"},
            **{f"l{number}": {"controller": "A", "types": ["land"]} for number in range(3)},
        },
        "propose": {
            "p": {
                "x": {"target": "D", "pay": "{W}", "with": {"tap": ["t"]}},
                "s": {"target": "D", "with": {"sacrifice": ["l0", "l2"]}},
            }
        },
    }
    answer, explanations = judge_and_explain(scenario_from(board), checked=True)
    document = answer.as_json()
    verdict = document["proposals"]["p"]
    assert (verdict["nearest"], verdict["nearest_pay"]) == ({"x": "D", "s": "D"}, {"x": "{W}"})
    assert verdict["nearest_with"] == {"x": {"tap": ["y"]}, "s": {"sacrifice": ["l0", "l2"]}}
    told = "x and s attack D, paying {W} for x; to pay for x: tap y; to pay for s: sacrifice l0 and l2"
    assert f"  nearest legal: {told}" in list(verdict_lines(document))
    assert f"The nearest that is legal: {told}." in [step.sentence for step in explanations["p"].children]


def test_as_many_are_kept_as_can_be_paid_for() -> None:
    """Of ten attacks at {2} or {3} each, seven mana pay for three; what has to attack does so for nothing. No search is needed."""
    field: dict[str, Any] = {f"x{number}": {"controller": "A", "pt": "2/2"} for number in range(40)}
    for number in (0, 2, 4, 6):
        field[f"x{number}"] = {"controller": "A", "pt": "2/2", "text": "This creature can't attack unless you pay {1}."}
    field["must"] = {"controller": "A", "pt": "1/1", "text": "This creature attacks each combat if able."}
    tax = "Creatures can't attack you unless their controller pays {2} for each creature they control that's attacking you."
    field |= {
        "tax": {"controller": "D", "types": ["enchantment"], "text": tax},
        "w": {"controller": "D", "types": ["planeswalker"], "loyalty": 3},
    }
    proposed = {f"x{number}": {"target": "D", "pay": "{3}" if number in (0, 2, 4, 6) else "{2}"} for number in range(10)}
    board = {"players": {"A": {"mana": "{C}{C}{C}{C}{C}{C}{C}"}, "D": {}}, "battlefield": field, "propose": {"p": proposed}}
    with patch.object(helping, "minimum", side_effect=AssertionError):
        verdict = judge(scenario_from(board), explain=True, explain_seconds=60, checked=True).proposals["p"]
    assert verdict.nearest is not None
    kept = {name for name in verdict.nearest if name != "must"}
    assert (verdict.nearest["must"], len(kept)) == ("w", 3)
    assert kept <= {"x1", "x3", "x5", "x7", "x8", "x9"} or sum(name in ("x0", "x2", "x4", "x6") for name in kept) == 1
    assert verdict.nearest_pay == {name: proposed[name]["pay"] for name in kept}


def test_requirements_are_obeyed_by_those_that_cost_nothing() -> None:
    """Whoever pays to block what has to be blocked may stop, as far as there is somebody else who blocks it for nothing."""
    field: dict[str, Any] = {
        f"m{number}": {"controller": "A", "pt": "2/2", "text": "This creature must be blocked if able."} for number in range(30)
    }
    dear = {"controller": "D", "pt": "1/1", "text": "This creature can't block unless you pay {2}."}
    field |= {f"b{number}": dear if number < 15 else {"controller": "D", "pt": "1/1"} for number in range(30)}
    proposed = {f"b{number}": {"attackers": [f"m{number}"], "pay": "{2}"} if number < 15 else f"m{number - 15}" for number in range(30)}
    board = {
        "players": {"A": {}, "D": {"mana": "{C}{C}{C}{C}{C}{C}{C}{C}{C}"}},
        "battlefield": field,
        "attack": [f"m{number}" for number in range(30)],
        "propose": {"p": proposed},
    }
    with patch.object(helping, "minimum", side_effect=AssertionError):
        verdict = judge(scenario_from(board), explain=True, explain_seconds=60, checked=True).proposals["p"]
    # Nine mana pay for four of fifteen; all that block for nothing go on, and fifteen requirements are obeyed by them alone.
    assert verdict.nearest is not None
    assert {name: verdict.nearest.get(name) for name in proposed if name not in dear_names()} == {
        f"b{n}": (f"m{n - 15}",) for n in range(15, 30)
    }
    assert verdict.nearest_pay == dict.fromkeys(set(verdict.nearest) & dear_names(), "{2}")
    assert len(verdict.nearest_pay) == 4


def dear_names() -> set[str]:
    """Return the creatures that have to be paid for in the test above."""
    return {f"b{number}" for number in range(15)}


def random_block(rng: random.Random, creatures: int) -> dict[str, Any]:
    """Return a board on which blocks cost mana, permanents or nothing, and a block that is paid for at random."""
    says = ["", "", "", "This creature must be blocked if able.", "All creatures able to block this creature do so."]
    costs = ["pay {1}", "pay {W}", "pay {2}", "sacrifice a land", "tap an untapped creature you control"]
    field: dict[str, Any] = {}
    for number in range(creatures):
        field[f"m{number}"] = {"controller": "A", "pt": f"{rng.randint(1, 4)}/2", "text": rng.choice(says)}
        field[f"m{number}"]["keywords"] = [name for name in ("flying", "menace") if rng.random() < 0.15]
        text = f"This creature can't block unless you {rng.choice(costs)}." if rng.random() < 0.5 else ""
        text += "\nThis creature blocks each combat if able." if rng.random() < 0.15 else ""
        field[f"b{number}"] = {"controller": "D", "pt": "1/1", "text": text.strip(), "tapped": rng.random() < 0.1}
        field[f"l{number}"] = {"controller": "D", "types": ["land"], "subtypes": ["Plains"], "tapped": rng.random() < 0.5}
    if rng.random() < 0.5:
        text = "Creatures can't block creatures you control unless their controller pays {1} for each of those creatures."
        field["wave"] = {"controller": "A", "types": ["enchantment"], "text": text}
    chosen = [number for number in range(creatures) if rng.random() < 0.7]
    return {
        "players": {"A": {}, "D": {"mana": "{1}"}},
        "battlefield": field,
        "attack": [f"m{number}" for number in range(creatures)],
        "propose": {"p": {f"b{n}": {"attacker": f"m{rng.randrange(creatures)}", "pay": rng.choice(["{1}", "{2}"])} for n in chosen}},
    }


def test_flows_with_prices_find_what_a_search_finds() -> None:
    rng = random.Random(5)
    compared = 0
    for _ in range(40):
        scenario = scenario_from(random_block(rng, 5))
        found = judge(scenario, explain=True, explain_seconds=60).proposals["p"]
        with patch.object(PaidSearch, "nearest", return_value=None):
            searched = judge(scenario, explain=True, explain_seconds=60).proposals["p"]
        if found.nearest is not None:
            assert searched.nearest is not None
            wanted = {choice.blocker: choice.attackers for choice in scenario.proposals[0].blocks}
            assert differing(found.nearest, wanted) == differing(searched.nearest, wanted)
            compared += 1
    assert compared > 25


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, int]:
    """Return in how many creatures, and in how many pairs, two blocks differ."""
    pairs = [{(name, each) for name, others in said.items() for each in others} for said in (one, other)]
    return len({name for name, _ in pairs[0] ^ pairs[1]}), len(pairs[0] ^ pairs[1])
