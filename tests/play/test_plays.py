"""Plays beyond combat: a keyword that is data alone, what is assumed, what cannot be judged, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play import enumerate_declarations, judge
from lawmage.scenario import scenario_from

from .test_made_up_keyword import data_with

#: Haunting song: cast from the graveyard for its cost and a discarded card, only if an opponent lost life this turn; draws when it enters.
SONG = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix kw: <urn:lawmage:keyword:> .

kw:haunting-song a lm:KeywordAbility ;
    lm:name "haunting song" ; lm:rule "702.997" ; lm:kind lm:Static , lm:Triggered ; lm:kindRule "702.997a" ;
    lm:functionsIn lm:Graveyard , lm:Battlefield ; lm:writtenForm "haunting song {cost}" ;
    lm:triggersOn lm:Enters ;
    lm:cost [ a lm:AlternativeCost ; lm:rule "702.997a" ; lm:pays "{cost}, discard a card" ; lm:from lm:Graveyard ;
        lm:when [ a lm:Happened ; lm:value "lost_life" ; lm:who "opponent" ; lm:says "no opponent lost life this turn" ] ] ;
    lm:happens [ a lm:PutsCounters ; lm:on lm:Enters ; lm:rule "702.997b" ; lm:value "song" ; lm:number 2 ; lm:triggered true ] .
"""


def board(**more: Any) -> dict[str, Any]:
    return {
        "judge": "cast",
        "graveyard": {"s": {"owner": "A", "types": ["creature"], "pt": "1/1", "mana_cost": "{4}{R}", "keywords": ["haunting song {R}"]}},
        "hand": {"c": {"owner": "A"}},
        "propose": {"p": {"cast": "s", "using": "haunting song", "pay": "{R}", "with": {"discard": ["c"]}}},
        **more,
    }


def test_a_made_up_keyword_is_data_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="haunting song"):
        judge(scenario_from(board()))
    monkeypatch.setenv("LAWMAGE_DATA", str(data_with(tmp_path, **{"997-haunting-song": SONG})))
    no_loss = judge(scenario_from(board())).proposals["p"]
    assert no_loss.verdict == "illegal"
    assert [(one.rule, one.message) for one in no_loss.violations] == [("702.997a", "s can't be used so: no opponent lost life this turn")]
    assert judge(scenario_from(board(history={"lost_life": ["D"]}))).proposals["p"].verdict == "legal"
    undiscarded = board(history={"lost_life": ["D"]}, propose={"p": {"cast": "s", "using": "haunting song", "with": {}}})
    assert [one.rule for one in judge(scenario_from(undiscarded)).proposals["p"].violations] == ["601.2h", "601.2h"]
    entering = {"s": {"controller": "A", "pt": "1/1", "keywords": ["haunting song {R}"]}}
    happened = judge(scenario_from({"judge": "outcome", "battlefield": entering, "propose": {"p": {"event": "enters", "objects": ["s"]}}}))
    answer = happened.proposals["p"].as_json()
    assert answer["triggers"] == [{"source": "s", "ability": "haunting song {r}", "times": 1, "rule": "702.997b"}]
    assert answer["objects"]["s"]["counters"] == {"song": 2}


def test_what_the_file_does_not_say_is_assumed_and_told() -> None:
    hand = {"s": {"owner": "A", "types": ["sorcery"]}}
    verdict = judge(scenario_from({"judge": "cast", "hand": hand, "propose": {"p": {"cast": "s"}}})).proposals["p"]
    assert verdict.verdict == "legal"
    assert verdict.assumptions == (
        "it is the first main phase of A's turn",
        "A has priority",
        "s has no mana to pay, since the file gives it no mana_cost",
    )


def test_a_text_that_could_matter_and_is_not_understood_leaves_it_open() -> None:
    silly = {"x": {"controller": "D", "types": ["enchantment"], "text": "Spells can't be cast sideways."}}
    made = {"judge": "cast", "battlefield": silly, "hand": {"s": {"owner": "A"}}, "propose": {"p": {"cast": "s"}}}
    verdict = judge(scenario_from(made)).proposals["p"]
    assert (verdict.verdict, verdict.not_understood) == ("undecided", ("x: Spells can't be cast sideways.",))
    silly["x"]["text"] = "When this enchantment enters, you may cast a spell sideways."
    assert judge(scenario_from(made)).proposals["p"].verdict == "legal"


def test_all_reasons_are_given() -> None:
    made = {
        "judge": "cast",
        "turn": {"step": "end", "priority": "A"},
        "battlefield": {"v": {"controller": "D", "pt": "1/1", "keywords": ["shroud"]}},
        "hand": {"s": {"owner": "A", "types": ["sorcery"], "mana_cost": "{R}", "text": "Destroy target creature."}},
        "propose": {"p": {"cast": "s", "targets": ["v"], "extra": ["kicker"]}},
    }
    assert {one.rule for one in judge(scenario_from(made)).proposals["p"].violations} == {"117.1a", "601.2b", "702.18a"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"propose": {"p": {"event": "entres", "objects": ["a"]}}}, 'did you mean "enters"'),
        ({"propose": {"p": {"event": "enters"}, "q": {"a": {"D": 1}}}}, "events and damage"),
        ({"propose": {"p": {"event": "fight", "objects": ["a"]}}}, "needs 2 objects"),
    ],
)
def test_events_that_make_no_sense(changes: dict[str, Any], words: str) -> None:
    made = {"judge": "outcome", "battlefield": {"a": {"controller": "A", "pt": "1/1"}}, **changes}
    with pytest.raises(InputError, match=words):
        judge(scenario_from(made))


def test_plays_are_not_counted() -> None:
    made = scenario_from({"judge": "cast", "hand": {"s": {"owner": "A"}}, "propose": {"p": {"cast": "s"}}})
    with pytest.raises(InputError, match="nothing to count or list"):
        list(enumerate_declarations(made))


def test_costs_beyond_measure_are_refused() -> None:
    made = scenario_from({"judge": "cast", "hand": {"s": {"owner": "A", "mana_cost": "{9999999}"}}, "propose": {"p": {"cast": "s"}}})
    with pytest.raises(InputError, match="more than 1,000,000 mana"):
        judge(made)


def test_what_changes_power_and_toughness_adds_no_mana() -> None:
    made = {
        "judge": "cast",
        "players": {"A": {"mana": "{0}"}, "D": {}},
        "battlefield": {
            "c": {"controller": "A", "pt": "1/1", "text": "Other creatures you control get +2/+2."},
            "d": {"controller": "A", "pt": "1/1"},
        },
        "hand": {"s": {"owner": "A", "types": ["sorcery"], "mana_cost": "{2}"}},
        "propose": {"p": {"cast": "s"}},
    }
    assert judge(scenario_from(made)).proposals["p"].verdict == "illegal"


def test_a_quality_that_is_not_understood_leaves_open_what_can_be_aimed_at() -> None:
    made = {
        "judge": "cast",
        "battlefield": {
            "c": {"controller": "D", "pt": "1/1", "keywords": ["protection from odd things"]},
            "d": {"controller": "D", "pt": "1/1"},
        },
        "hand": {"s": {"owner": "A", "types": ["sorcery"], "mana_cost": "{R}", "text": "Destroy target creature."}},
        "propose": {"it": {"cast": "s", "targets": ["c"]}, "other": {"cast": "s", "targets": ["d"]}},
    }
    found = judge(scenario_from(made)).proposals
    assert (found["it"].verdict, found["it"].not_understood) == ("undecided", ("c: protection from odd things",))
    assert found["other"].verdict == "legal"
