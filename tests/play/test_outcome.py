"""What combat does: the shape of the answer, ways to divide damage, what is left open."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play import UndecidedError, count_declarations, enumerate_declarations, judge, programs
from lawmage.play.expectation import compared
from lawmage.play.outcome import OutcomeVerdict
from lawmage.scenario import scenario_from

#: What a board does not tell that says nothing of it.
DRAWN = "you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)"


def creature(controller: str, pt: str, *keywords: str, **more: Any) -> dict[str, Any]:
    return {"controller": controller, "pt": pt, "keywords": list(keywords), **more}


def outcome(battlefield: dict[str, Any], attack: Any, block: Any, propose: Any = None, **more: Any) -> dict[str, Any]:
    """Return the JSON form of the outcome under the proposal, or of the only one."""
    mapping = {"battlefield": battlefield, "attack": attack, "block": block, "judge": "outcome", **more}
    if propose is not None:
        mapping["propose"] = {"o": propose}
    return judge(scenario_from(mapping), seconds=None).proposals["outcome" if propose is None else "o"].as_json()


def test_the_shape_of_an_answer() -> None:
    there = {"d": creature("A", "3/3", "double strike", "afflict 1"), "b": creature("D", "2/3"), "c": creature("D", "1/1", token=True)}
    answer = outcome(there, {"d": "D"}, {"b": "d"})
    assert answer["verdict"] == "legal"
    assert answer["steps"] == [
        {"step": "first", "damage": [{"source": "d", "target": "b", "amount": 3}], "died": ["b"], "rules": {"b": ["704.5g"]}},
        {"step": "regular", "damage": [], "died": [], "rules": {}},
    ]
    assert answer["players"] == {
        "A": {"life": 20, "poison": 0, "commander_damage": {}, "lost": None},
        "D": {"life": 19, "poison": 0, "commander_damage": {}, "lost": None},
    }
    assert answer["objects"]["b"] == {"zone": "graveyard", "damage": 0, "counters": {}, "attached_to": None}
    assert answer["objects"]["c"] == {"zone": "battlefield", "damage": 0, "counters": {}, "attached_to": None}
    assert answer["triggers"] == [{"source": "d", "ability": "afflict 1", "times": 1, "rule": "702.130a"}]
    assert (answer["ways"], answer["differences"], answer["before"]) == (1, {}, {"died": []})
    assert {"120.3e", "510.4", "702.4b", "704.5g", "702.130a"} <= set(answer["cites"])


def test_all_ways_are_summarised() -> None:
    there = {"m": creature("A", "4/4", "trample"), "x": creature("D", "1/2"), "y": creature("D", "1/1")}
    answer = outcome(there, {"m": "D"}, {"x": "m", "y": "m"})
    assert answer["ways"] == 6
    assert answer["steps"] is None
    assert answer["players"]["A"]["life"] == 20
    assert answer["players"]["D"]["life"] is None
    assert answer["differences"]["players.D.life"] == {"least": 19, "most": 20}
    assert sorted(answer["differences"]["objects.x.zone"]) == ["battlefield", "graveyard"]
    assert answer["objects"]["m"]["damage"] == 2


def test_the_second_step_is_followed_for_each_way() -> None:
    answer = outcome({"m": creature("A", "2/2", "double strike", "trample"), "x": creature("D", "1/3")}, {"m": "D"}, {"x": "m"})
    # Two damage in the first step; in the second one is lethal, and one or none goes through.
    assert answer["ways"] == 2
    assert answer["differences"]["players.D.life"] == {"least": 19, "most": 20}


def test_too_many_ways() -> None:
    there = {"m": creature("A", "1000/4", "trample"), "x": creature("D", "1/2"), "y": creature("D", "1/1")}
    answer = outcome(there, {"m": "D"}, {"x": "m", "y": "m"})
    assert answer["verdict"] == "undecided"
    assert answer["not_understood"] == ["there are 498,504 ways in which A may divide damage; propose one of them"]


def test_what_has_no_choice_may_be_left_out() -> None:
    there = {"m": creature("A", "4/4"), "u": creature("A", "1/1"), "x": creature("D", "1/2"), "y": creature("D", "1/1")}
    answer = outcome(there, {"m": "D", "u": "D"}, {"x": "m", "y": "m"}, {"m": {"x": 3, "y": 1}})
    assert answer["players"]["D"]["life"] == 19
    assert answer["objects"]["m"]["damage"] == 2


def test_an_illegal_division() -> None:
    there = {"m": creature("A", "4/4"), "x": creature("D", "1/2"), "y": creature("D", "1/1")}
    answer = outcome(there, {"m": "D"}, {"x": "m", "y": "m"}, {"m": {"x": 3}})
    assert answer["verdict"] == "illegal"
    assert [one["rule"] for one in answer["violations"]] == ["510.1a"]
    assert "steps" not in answer


def test_more_steps_than_there_are() -> None:
    answer = outcome({"m": creature("A", "2/2")}, {"m": "D"}, {}, [{"m": {"D": 2}}, {"m": {"D": 2}}])
    assert answer["verdict"] == "undecided"
    assert "more than there are" in str(answer["not_understood"])


def test_what_the_first_step_has_done_already() -> None:
    there = {"m": creature("A", "2/2", "double strike", "afflict 3"), "b": creature("D", "3/4", damage=2)}
    answer = outcome(there, {"m": "D"}, {"b": "m"}, damage={"step": "first", "m": {"b": 2}}, players={"A": {}, "D": {"life": 17}})
    assert [step["step"] for step in answer["steps"]] == ["regular"]
    assert answer["players"]["D"]["life"] == 17
    assert answer["steps"][0]["died"] == ["m", "b"]


def test_no_blocks_declared() -> None:
    mapping = {"battlefield": {"m": creature("A", "2/2")}, "attack": {"m": "D"}, "judge": "outcome"}
    answer = judge(scenario_from(mapping)).proposals["outcome"].as_json()
    assert answer["players"]["D"]["life"] == 18
    assert answer["assumptions"] == ["no blocks have been declared, so no creature is taken to block"]


def test_conditions_that_the_board_leaves_open() -> None:
    text = "This creature has lifelink as long as you've drawn two or more cards this turn."
    answer = outcome({"m": creature("A", "2/2", text=text)}, {"m": "D"}, {})
    assert answer["verdict"] == "undecided"
    assert answer["not_understood"] == [
        "the board does not say whether you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)"
    ]
    answer = outcome({"m": creature("A", "2/2", text=text.replace("lifelink", "indestructible"))}, {"m": "D"}, {})
    assert answer["verdict"] == "legal"
    assert answer["assumptions"] == [f"it makes no difference whether {DRAWN}"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Whenever this creature deals combat damage to a player, draw a card.", "legal"),
        ("Whenever this creature deals combat damage to a player, that player loses 2 life.", "undecided"),
        ("When this creature dies, destroy target creature.", "legal"),
        ("Whenever this creature deals damage, destroy target creature.", "undecided"),
        ("At the beginning of your upkeep, you lose 1 life.", "legal"),
        ("If this creature would die, exile it instead.", "undecided"),
        ("{2}: Regenerate this creature.", "legal"),
    ],
)
def test_abilities_in_texts_that_are_not_followed(text: str, verdict: str) -> None:
    answer = outcome({"m": creature("A", "2/2", text=text)}, {"m": "D"}, {})
    assert answer["verdict"] == verdict
    assert answer["players"]["D"]["life"] == 18
    assert answer["not_understood"] == ([f"m: {text}"] if verdict == "undecided" else [])


def test_abilities_that_wait_for_deaths() -> None:
    there = {"m": creature("A", "2/2", "persist"), "b": creature("D", "2/2", "afterlife 1"), "c": creature("D", "1/1", "undying")}
    answer = outcome(there, {"m": "D"}, {"b": "m"})
    assert answer["steps"][0]["died"] == ["m", "b"]
    assert answer["assumptions"] == [
        "what afterlife 1 of b does is not followed",
        "what persist of m does is not followed",
    ]


def test_what_dies_before_damage() -> None:
    answer = outcome({"m": creature("A", "2/2", "flanking"), "b": creature("D", "1/1")}, {"m": "D"}, {"b": "m"})
    assert answer["before"] == {"died": ["b"]}
    assert answer["steps"] == [{"step": "regular", "damage": [], "died": [], "rules": {}}]
    assert answer["players"]["D"]["life"] == 20


def test_a_blocker_removed_leaves_others_blocking() -> None:
    there = {"m": creature("A", "2/2"), "b": creature("D", "2/2", "first strike"), "c": creature("D", "1/9")}
    answer = outcome(
        there, {"m": "D"}, {"b": "m", "c": "m"}, effects=[{"controller": "A", "text": "Regenerate target creature.", "affects": ["m"]}]
    )
    # The attacker regenerates in the first step and is out of combat, so the other blocker has nothing to deal damage to.
    assert [step["damage"] for step in answer["steps"]] == [[{"source": "b", "target": "m", "amount": 2}], []]
    assert answer["objects"]["m"]["damage"] == 0


def test_several_opponents_go_on() -> None:
    there = {
        "a": creature("A", "3/3", "double strike"),
        "c": creature("A", "1/1", "double strike", "trample"),
        "e": creature("A", "1/1", "trample"),
        "b": creature("B", "1/1"),
    }
    answer = outcome(there, {"a": "C", "c": "B", "e": "B"}, {"b": "e"}, players={"A": {}, "B": {"life": 1}, "C": {}})
    assert answer["players"]["B"]["lost"] == "704.5a"
    assert answer["players"]["C"]["life"] == 14
    # What the player who lost owns has left the game, and nothing is dealt to them any more.
    assert answer["objects"]["b"]["zone"] is None
    assert answer["steps"][1]["damage"] == [{"source": "a", "target": "C", "amount": 3}]


def test_numbers_of_the_release() -> None:
    there = {"c": creature("A", "21/21", commander=True)}
    for release, rule in (("2016-08-26", "704.5v"), ("2026-08-07", "704.6c")):
        answer = outcome(there, {"c": "D"}, {}, players={"A": {}, "D": {"life": 40}}, release=release)
        assert answer["players"]["D"]["lost"] == rule


def test_the_time_limit() -> None:
    there = {"m": creature("A", "9/4", "trample"), "x": creature("D", "1/2"), "y": creature("D", "1/1")}
    mapping = {"battlefield": there, "attack": {"m": "D"}, "block": {"x": "m", "y": "m"}, "judge": "outcome"}
    verdict = judge(scenario_from(mapping), seconds=0.0).proposals["outcome"]
    assert verdict.verdict == "undecided"
    assert "time limit" in str(verdict.not_understood)


def test_nothing_to_count() -> None:
    mapping = {"battlefield": {"m": creature("A", "2/2")}, "attack": {"m": "D"}, "block": {}, "judge": "outcome"}
    with pytest.raises(UndecidedError, match="judge: damage"):
        count_declarations(scenario_from(mapping))
    with pytest.raises(UndecidedError, match="judge: damage"):
        list(enumerate_declarations(scenario_from(mapping)))
    assert "amount" in programs(scenario_from(mapping))[0]


def test_an_effect_without_its_targets_is_bad_input() -> None:
    with pytest.raises(InputError, match="affects"):
        outcome({"m": creature("A", "2/2")}, {"m": "D"}, {}, effects=[{"controller": "A", "text": "Regenerate target creature."}])


# ---------------------------------------------------------------- expectations


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({"players": {"D": {"life": 18}}}, True),
        ({"players": {"D": {"life": 17}}}, False),
        ({"players": {"D": {"lost": None}}}, True),
        ({"steps": [{"died": ["b", "n"]}]}, True),
        ({"steps": [{"died": ["b"]}]}, False),
        ({"steps": []}, False),
        ({"steps": [{"damage": [{"source": "b", "amount": 1}]}]}, True),
        ({"steps": [{"damage": [{"source": "b", "amount": 2}]}]}, False),
        ({"triggers": [{"source": "n", "ability": "afflict", "times": 1}]}, True),
        ({"triggers": [{"source": "n", "ability": "afflict 1"}]}, False),
        ({"triggers": [{"source": "n", "ability": "bushido"}]}, False),
        ({"objects": {"m": {"zone": "battlefield", "counters": {}}}}, True),
        ({"objects": {"m": {"zone": "exile"}}}, False),
    ],
)
def test_only_what_is_given_is_compared(expected: dict[str, Any], holds: bool) -> None:
    there = {"m": creature("A", "0/2"), "n": creature("A", "1/1", "afflict 2"), "b": creature("D", "1/1")}
    mapping = {
        "battlefield": there,
        "attack": {"m": "D", "n": "D"},
        "block": {"b": "n"},
        "judge": "outcome",
        "expect": {"outcome": expected},
    }
    scenario = scenario_from(mapping)
    answer = judge(scenario)
    assert isinstance(answer.proposals["outcome"], OutcomeVerdict)
    assert [one.holds for one in compared(scenario.expect or {}, answer)] == [holds]


@pytest.mark.parametrize(("kind", "key"), [("planeswalker", "loyalty"), ("battle", "defense")])
def test_what_is_attacked_needs_to_be_told_how_much_is_left_of_it(kind: str, key: str) -> None:
    attacked = {"controller": "D", "types": [kind]} if kind == "planeswalker" else {"controller": "A", "types": [kind], "protector": "D"}
    with pytest.raises(InputError, match=f"needs the key {key}"):
        outcome({"x": creature("A", "3/3"), "w": attacked}, {"x": "w"}, {})
