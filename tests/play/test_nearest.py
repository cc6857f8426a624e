"""The legal declaration offered for an illegal one is legal, and none differs in fewer creatures, nor as few in fewer pairs.

`LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle import attacks, blocks
from tests.oracle.attack_boards import attack_boards, attack_declarations
from tests.oracle.boards import boards, declarations

from lawmage.play import enumerate_declarations, judge, nearest_flow
from lawmage.scenario import scenario_from

FEW = settings(
    max_examples=25 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, int]:
    """Return in how many creatures, and in how many pairs, two declarations differ."""
    pairs = [{(name, each) for name, all_ in said.items() for each in ([all_] if isinstance(all_, str) else all_)} for said in (one, other)]
    return sum(one.get(name) != other.get(name) for name in {*one, *other}), len(pairs[0] ^ pairs[1])


@FEW
@given(st.data())
def test_blocks(data: st.DataObject) -> None:
    board = data.draw(boards())
    proposed = data.draw(declarations(board))
    scenario = scenario_from(blocks.to_scenario(board, {"p": proposed}))
    with patch.object(nearest_flow, "_FEW_ACTORS", data.draw(st.sampled_from([0, 24]))):
        verdict = judge(scenario, seconds=None, explain=True, explain_seconds=60).proposals["p"]
    if verdict.verdict == "legal" or len(board.defending_players) > 1:
        assert verdict.nearest is None or verdict.verdict == "illegal"
        return
    assert verdict.nearest is not None
    found: dict[str, object] = {blocker: frozenset(attackers) for blocker, attackers in verdict.nearest.items()}
    wanted: dict[str, object] = {blocker: attackers for blocker, attackers in proposed.items() if attackers}
    legal: list[dict[str, object]] = [dict(one) for one in blocks.legal_declarations(board, *board.defending_players)]
    assert found in legal
    free = [one for one in legal if not costs_anything(board, one)]
    assert differences(found, wanted) <= min(differences(one, wanted) for one in free)


def costs_anything(board: blocks.Board, declared: dict[str, object]) -> bool:
    """Whether a legal block is illegal without paying."""
    return any(judged.restrictions for judged in blocks.judge(board, declared, paid=False).values())  # type: ignore[arg-type]


@FEW
@given(st.data())
def test_attacks(data: st.DataObject) -> None:
    board = data.draw(attack_boards())
    proposed, bands = data.draw(attack_declarations(board))
    scenario = scenario_from(attacks.to_scenario(board, {"p": (proposed, bands)}))
    with patch.object(nearest_flow, "_FEW_ACTORS", data.draw(st.sampled_from([0, 24]))):
        verdict = judge(scenario, seconds=None, explain=True, explain_seconds=60).proposals["p"]
    if verdict.verdict == "legal":
        assert verdict.nearest is None
        return
    assert verdict.nearest is not None
    found, wanted = dict(verdict.nearest), dict(proposed)
    legal = [dict(one) for one in attacks.legal_declarations(board)]
    assert found in legal
    free = [one for one in legal if not attacks.judge(board, one, (), paid=False).restrictions]
    assert differences(found, wanted) <= min(differences(one, wanted) for one in free)


@FEW
@given(st.data())
def test_what_is_left_open(data: st.DataObject) -> None:
    drawn = data.draw(boards())
    board = replace(drawn, statements=tuple(one for one in drawn.statements if not isinstance(one, blocks.CannotBlockUnlessPaid)))
    proposed = data.draw(declarations(board))
    raw = blocks.to_scenario(board, {"p": proposed})
    name = data.draw(st.sampled_from(sorted(raw["battlefield"])))
    says = data.draw(st.sampled_from(["can't block", "must be blocked if able", "can't be blocked by creatures with flying"]))
    thing = raw["battlefield"][name]
    thing["text"] = f"{thing.get('text', '')}\nAs long as the moon is full, this creature {says}.".strip()
    verdict = judge(scenario_from(raw), seconds=None, explain=True, explain_seconds=60).proposals["p"]
    if verdict.verdict != "illegal" or len(board.defending_players) > 1:
        assert verdict.nearest is None or verdict.verdict == "illegal"
        return
    listed: list[list[dict[str, object]]] = []
    for holds in (False, True):
        thing["conditions"] = {"the moon is full": holds}
        found = enumerate_declarations(scenario_from({key: value for key, value in raw.items() if key != "propose"}))
        listed.append([{one: frozenset(others) for one, others in each.items()} for each in found])
    wanted: dict[str, object] = {blocker: attackers for blocker, attackers in proposed.items() if attackers}
    nearest_of_each = max(min(differences(one, wanted) for one in each) for each in listed)
    whatever = [one for one in listed[0] if one in listed[1]]
    if verdict.nearest is None:
        # What is nearest in the one case is illegal in the other.
        assert listed[0] != listed[1]
    else:
        offered: dict[str, object] = {blocker: frozenset(attackers) for blocker, attackers in verdict.nearest.items()}
        assert offered in whatever
        assert differences(offered, wanted) == nearest_of_each == min(differences(one, wanted) for one in whatever)


def test_what_is_nearest_whether_a_blocker_can_block_or_not() -> None:
    field = {
        "must": {"controller": "A", "pt": "2/2", "text": "This creature must be blocked if able."},
        "big": {"controller": "A", "pt": "2/2", "keywords": ["menace"]},
        "asleep": {"controller": "D", "pt": "2/2", "text": "As long as the moon is full, this creature can't block."},
        "awake": {"controller": "D", "pt": "2/2"},
    }
    scenario = scenario_from({"battlefield": field, "attack": ["must", "big"], "propose": {"p": {"awake": ["big"]}}})
    assert judge(scenario, explain=True).proposals["p"].nearest == {"awake": ("must",)}


def test_a_block_that_lacks_one() -> None:
    board = {
        "lawmage": 1,
        "battlefield": {
            "m": {"controller": "A", "pt": "2/2", "keywords": ["menace"]},
            "b": {"controller": "D", "pt": "1/1"},
            "c": {"controller": "D", "pt": "1/1"},
            "t": {"controller": "D", "pt": "1/1", "tapped": True},
        },
        "attack": {"m": "D"},
        "propose": {"one": {"b": "m"}, "tapped": {"b": "m", "c": "m", "t": "m"}, "fine": {}},
    }
    found = judge(scenario_from(board), seconds=None, explain=True).proposals
    assert found["one"].nearest in ({}, {"b": ("m",), "c": ("m",)})
    assert found["tapped"].nearest == {"b": ("m",), "c": ("m",)}
    assert found["fine"].nearest is None


def test_one_that_can_block_any_number() -> None:
    """Nothing else can block so many: all but the one that was not asked for stay as they were."""
    field: dict[str, Any] = {f"m{number}": {"controller": "A", "pt": "2/2"} for number in range(6)}
    field["m5"]["text"] = "This creature must be blocked if able."
    field["wall"] = {"controller": "D", "pt": "0/8", "text": "This creature can block any number of creatures."}
    field["t"] = {"controller": "D", "pt": "1/1", "tapped": True}
    board = {"battlefield": field, "attack": {f"m{number}": "D" for number in range(6)}}
    proposed = [f"m{number}" for number in range(5)]
    found = judge(
        scenario_from({**board, "propose": {"p": {"wall": proposed}, "t": {"wall": [*proposed, "m5"], "t": ["m0"]}}}), explain=True
    )
    assert found.proposals["p"].nearest == {"wall": (*proposed, "m5")}
    assert found.proposals["t"].nearest == {"wall": (*proposed, "m5")}


TAX = "Creatures can't attack you unless their controller pays {2}{W/P} for each creature they control that's attacking you."


def test_what_has_to_be_paid_is_said() -> None:
    """The nearest declaration, proposed with what is said to be paid for it, is legal."""
    board = {
        "players": {"A": {"mana": "{W}{W}{C}{C}{C}"}, "D": {}},
        "battlefield": {
            "x": {"controller": "A", "pt": "2/2"},
            "y": {"controller": "A", "pt": "2/2"},
            "tax": {"controller": "D", "types": ["enchantment"], "text": TAX},
        },
        "propose": {"unpaid": {"x": "D"}, "both": {"x": {"target": "D", "pay": "{2}{W}"}, "y": {"target": "D", "pay": "{2}{W}"}}},
    }
    found = judge(scenario_from(board), seconds=None, explain=True).proposals
    assert (found["unpaid"].nearest, found["unpaid"].nearest_pay) == ({"x": "D"}, {"x": "{2}{W/P}"})
    assert found["unpaid"].as_json()["nearest_pay"] == {"x": "{2}{W/P}"}
    # Both can attack: what is Phyrexian is paid with life where white mana is short.
    assert set(found["both"].nearest or {}) == {"x", "y"}
    again = {**board, "propose": {"p": {name: {"target": "D", "pay": pay} for name, pay in found["both"].nearest_pay.items()}}}
    assert judge(scenario_from(again), explain=True).proposals["p"].verdict == "legal"


def test_what_has_to_be_paid_for_a_block_is_said() -> None:
    board = {
        "battlefield": {
            "m": {"controller": "A", "pt": "2/2"},
            "b": {"controller": "D", "pt": "1/1", "text": "This creature can't block unless you pay {3}."},
        },
        "attack": {"m": "D"},
        "propose": {"unpaid": {"b": "m"}},
    }
    found = judge(scenario_from(board), explain=True).proposals["unpaid"]
    assert (found.nearest, found.nearest_pay) == ({"b": ("m",)}, {"b": "{3}"})


def test_nothing_is_looked_for_without_time() -> None:
    board = {
        "battlefield": {"m": {"controller": "A", "pt": "2/2", "text": "This creature must be blocked if able."}}
        | {"b": {"controller": "D", "pt": "1/1", "tapped": True}, "c": {"controller": "D", "pt": "1/1"}},
        "attack": {"m": "D"},
        "propose": {"p": {"b": "m"}},
    }
    for options in ({"explain": False}, {"explain": True, "explain_seconds": 0.0}):
        found = judge(scenario_from(board), **options).proposals["p"]
        assert (found.verdict, found.nearest, found.requirements.clash) == ("illegal", None, ())


@pytest.mark.parametrize(
    ("paired", "alone", "differing"), [(0, 0, 78), (20, 0, 38), (39, 0, 0), (0, 1, 77), (0, 30, 48), (19, 3, 37), (38, 1, 1)]
)
def test_forty_with_menace_are_short_of_two_blockers(paired: int, alone: int, differing: int) -> None:
    """39 of 40 can be blocked by two each: of those proposed, pairs and single blockers, as many stay as can."""
    must = {"controller": "A", "pt": "2/2", "keywords": ["menace"], "text": "This creature must be blocked if able."}
    field = {f"m{number}": must for number in range(40)} | {f"b{number}": {"controller": "D", "pt": "1/1"} for number in range(78)}
    proposed = {f"b{number}": f"m{number // 2}" for number in range(2 * paired)}
    proposed |= {f"b{2 * paired + number}": f"m{paired + number}" for number in range(alone)}
    board = {"battlefield": field, "attack": [f"m{number}" for number in range(40)], "propose": {"p": proposed}}
    verdict = judge(scenario_from(board), explain=True, explain_seconds=60).proposals["p"]
    if not differing:
        assert (verdict.verdict, verdict.nearest) == ("legal", None)
        return
    assert verdict.nearest is not None
    found = {name: each[0] for name, each in verdict.nearest.items()}
    assert differences(found, proposed)[0] == differing
    acting = [list(found.values()).count(name) for name in set(found.values())]
    assert (len(acting), set(acting)) == (39, {2})


def test_where_every_creature_type_is_asked_for() -> None:
    """What is said of Elves is derived for a creature with changeling as well, so that what is nearest is found among costs."""
    scenario = scenario_from(
        {
            "battlefield": {
                "x": {"controller": "A", "pt": "2/2", "text": "This creature attacks each combat if able."},
                "t": {"controller": "A", "pt": "2/2", "tapped": True, "text": "This creature can't attack unless you pay {1}."},
                "e": {"controller": "D", "types": ["enchantment"], "text": "Elves get +1/+1."},
                "c": {"controller": "D", "pt": "0/1", "keywords": ["changeling"]},
            },
            "propose": {"p": {"t": "D"}},
        }
    )
    for _ in range(2):
        verdict = judge(scenario, explain=True).proposals["p"]
        assert (verdict.verdict, verdict.nearest) == ("illegal", {"x": "D"})
