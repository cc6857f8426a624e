"""Judging combat damage: what is said, cited and assumed, and what is refused."""

from __future__ import annotations

import os
import shutil
from math import comb
from pathlib import Path
from typing import Any

import pytest

from lawmage.errors import InputError
from lawmage.play import UndecidedError, count_declarations, enumerate_declarations, judge, programs
from lawmage.play.verdict import ProposalVerdict
from lawmage.resources import data_folder
from lawmage.scenario import scenario_from


def creature(controller: str, pt: str, *keywords: str, **more: Any) -> dict[str, Any]:
    return {"controller": controller, "pt": pt, "keywords": list(keywords), **more}


def scenario(battlefield: dict[str, Any], attack: Any, block: Any, **proposals: Any) -> dict[str, Any]:
    return {"battlefield": battlefield, "attack": attack, "block": block, "judge": "damage", "propose": proposals}


def verdicts(mapping: dict[str, Any]) -> dict[str, ProposalVerdict]:
    return dict(judge(scenario_from(mapping)).proposals)


TRAMPLE = {"m": creature("A", "5/5", "trample"), "x": creature("D", "2/2"), "y": creature("D", "2/2", damage=1)}


def test_every_reason_with_its_objects_and_numbers() -> None:
    found = verdicts(scenario(TRAMPLE, {"m": "D"}, {"x": "m", "y": "m"}, p={"m": {"x": 1, "D": 2}}))["p"]
    assert [(one.rule, one.objects, one.message) for one in found.violations] == [
        ("510.1a", ("m",), "m assigns 3 damage and has to assign 5"),
        ("702.19b", ("m", "D", "x"), "m can't assign damage to D: x is assigned 1 damage, and 2 would be lethal"),
        ("702.19b", ("m", "D", "y"), "m can't assign damage to D: y is assigned 0 damage, and 1 would be lethal"),
    ]


@pytest.mark.parametrize(
    ("proposal", "rules"),
    [
        ({"m": {"D": 5}}, ["702.19b", "702.19b"]),
        ({"t": {"D": 3}}, ["510.1a", "702.19f"]),
        ({"u": {"x": 2}}, ["510.1a", "510.1b"]),
        ({"idle": {"D": 1}}, ["510.1", "510.1a"]),
        ({"by": "D", "m": {"x": 5}}, ["510.1", "510.1a", "510.1a"]),
        ({"by": "D", "x": {"D": 2}, "y": {"m": 2}}, ["510.1d"]),
        ({"step": "first", "u": {"D": 2}}, ["510.4"]),
    ],
)
def test_which_rule_is_disobeyed(proposal: dict[str, Any], rules: list[str]) -> None:
    there = {
        **TRAMPLE,
        "t": creature("A", "3/3", "trample"),
        "u": creature("A", "2/2"),
        "idle": creature("A", "1/1"),
        "w": {"controller": "D", "types": ["planeswalker"], "loyalty": 3},
    }
    full: dict[str, Any] = {"m": {"x": 5}, "t": {"w": 3}, "u": {"D": 2}}
    if "by" in proposal or "step" in proposal:
        full = {}
    mapping = scenario(there, {"m": "D", "t": "w", "u": "D"}, {"x": "m", "y": "m"}, p={**full, **proposal})
    found = [one.rule for one in verdicts(mapping)["p"].violations]
    # A creature whose damage is changed keeps its total, unless it isn't meant to.
    assert [rule for rule in rules if rule != "510.1a"] == [rule for rule in found if rule != "510.1a"]


def test_who_divides_and_what_is_cited() -> None:
    there = {"b": creature("A", "4/4", "trample"), "c": creature("D", "1/3", "banding"), "v": creature("A", "2/2")}
    verdict = verdicts(scenario(there, {"b": "D", "v": "D"}, {"c": "b"}, p={"b": {"c": 4}, "v": {"D": 2}, "c": {"b": 1}}))["p"]
    assert verdict.verdict == "legal"
    assert verdict.divides == {"b": "D", "c": "D", "v": "A"}
    assert verdict.as_json()["divides"] == {"b": "D", "c": "D", "v": "A"}
    assert {"510.1a", "510.1b", "510.1c", "510.1d", "510.1e", "702.19b", "702.22j"} <= set(verdict.cites)
    assert "510.4" not in verdict.cites


@pytest.mark.parametrize("power", [1_000, 1_000_000])
def test_numbers_of_any_size(power: int) -> None:
    there = {"m": creature("A", f"{power}/1", "trample")} | {f"b{n}": creature("D", "1/3") for n in range(10)}
    blocks = {name: "m" for name in there if name != "m"}
    exact = {"m": {**dict.fromkeys(blocks, 3), "D": power - 30}}
    short = {"m": {**dict.fromkeys(blocks, 3), "b0": 2, "D": power - 29}}
    mapping = scenario(there, {"m": "D"}, blocks, exact=exact, short=short)
    assert {name: one.verdict for name, one in verdicts(mapping).items()} == {"exact": "legal", "short": "illegal"}
    assert count_declarations(scenario_from(mapping)) == comb(power + 9, 9) + comb(power - 31 + 10, 10)


def test_counting_for_the_player_named() -> None:
    there = {
        "a": creature("A", "2/2"),
        "c": creature("A", "2/2"),
        "b": creature("D", "4/4", text="This creature can block an additional creature each combat."),
    }
    mapping = scenario(there, {"a": "D", "c": "D"}, {"b": ["a", "c"]}, p={"by": "D", "b": {"a": 4}})
    assert count_declarations(scenario_from(mapping)) == 5
    assert list(enumerate_declarations(scenario_from(mapping), 2)) == [{"b": {"a": 4}}, {"b": {"a": 3, "c": 1}}]


def test_triggers_that_are_known_and_others() -> None:
    there = {
        "m": creature("A", "2/2", "bushido 1", "mentor", text="Whenever this creature attacks, put a +1/+1 counter on it."),
        "b": creature("D", "1/1"),
    }
    verdict = verdicts(scenario(there, {"m": "D"}, {"b": "m"}, p={"m": {"b": 3}}))["p"]
    assert verdict.verdict == "legal"
    assert verdict.assumptions == (
        "bushido 1 of m has triggered and resolved (702.45a)",
        "the board is taken to show what became of mentor of m",
        'the board is taken to show what became of "Whenever this creature attacks, put a +1/+1 counter on it." (m)',
    )


def test_words_that_could_matter_and_words_that_cannot() -> None:
    there = {
        "m": creature("A", "2/2", text="This creature can't attack unless you've cast a spell this turn.\nCreatures can't block sideways.")
    }
    assert verdicts(scenario(there, {"m": "D"}, {}, p={"m": {"D": 2}}))["p"].verdict == "legal"
    # The board says what power it defines now.
    there["m"]["text"] = "This creature's power is equal to the number of cards in your hand."
    assert verdicts(scenario(there, {"m": "D"}, {}, p={"m": {"D": 2}}))["p"].verdict == "legal"
    there["m"]["text"] = "As long as you control an Island, this creature's power is equal to the number of cards in your hand."
    verdict = verdicts(scenario(there, {"m": "D"}, {}, p={"m": {"D": 2}}))["p"]
    assert (verdict.verdict, verdict.not_understood) == ("undecided", (f"m: {there['m']['text']}",))
    there["m"]["text"] = "If you would gain life, you gain twice that much life instead."
    assert verdicts(scenario(there, {"m": "D"}, {}, p={"m": {"D": 2}}))["p"].verdict == "legal"


def test_a_condition_that_the_board_leaves_open() -> None:
    text = "This creature has trample as long as you've drawn two or more cards this turn."
    there = {"m": creature("A", "3/3", text=text), "b": creature("D", "1/1")}
    found = verdicts(scenario(there, {"m": "D"}, {"b": "m"}, over={"m": {"b": 1, "D": 2}}, on={"m": {"b": 3}}))
    assert (found["over"].verdict, found["on"].verdict) == ("undecided", "legal")
    assert found["over"].not_understood == (
        "the board does not say whether you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)",
    )
    with pytest.raises(UndecidedError, match="whether you've drawn"):
        count_declarations(scenario_from(scenario(there, {"m": "D"}, {"b": "m"})))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"damage": {"m": {"D": 2}}}, "not in which step"),
        ({"damage": [{"step": "first", "m": {"D": 2}}, {"step": "regular", "m": {"D": 2}}]}, "none is left to assign"),
        ({"propose": {"p": {f"t{n}": {"D": 10_000_000} for n in range(300)}}}, "adds up to more than"),
    ],
)
def test_bad_input(changed: dict[str, Any], sentence: str) -> None:
    there = {"m": creature("A", "2/2")} | {f"t{n}": creature("A", "1/1") for n in range(300)}
    with pytest.raises(InputError, match=sentence):
        verdicts(scenario(there, {"m": "D"}, {}, p={}) | changed)


def test_a_board_of_numbers_beyond_all_bounds() -> None:
    there = {f"t{n}": creature("A", "10000000/10000000") for n in range(120)}
    with pytest.raises(InputError, match="add up to more than 2,147,483,647"):
        verdicts(scenario(there, {"t0": "D"}, {}, p={}))


def test_the_programs_can_be_run_elsewhere() -> None:
    (program,) = programs(scenario_from(scenario(TRAMPLE, {"m": "D"}, {"x": "m"}, p={"m": {"x": 5}})))
    assert "assigned(1,1,2,5)." in program


# ---------------------------------------------------------------- other releases


def test_numbers_of_the_release() -> None:
    there = {"f": creature("A", "2/2", "first strike"), "v": creature("A", "3/3")}
    mapping = scenario(there, {"f": "D", "v": "D"}, {}, p={"v": {"D": 3}, "f": {"D": 2}})
    for release, rule in (("2016-08-26", "510.5"), ("2026-08-07", "510.4")):
        answer = judge(scenario_from({**mapping, "release": release}))
        assert answer.release == release
        assert [one.rule for one in answer.proposals["p"].violations] == [rule]
        assert rule in answer.proposals["p"].cites


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        (creature("A", "2/2", "toxic 1"), "m has the keyword toxic, which the rules have since 2023-04-14, not in the release 2020-11-20"),
        (creature("A", "2/2", "trample over planeswalkers"), "since 2021-06-18"),
        (creature("A", "2/2", counters={"shield": 1}), "m has the counter shield"),
    ],
)
def test_what_a_release_does_not_have(thing: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        verdicts({**scenario({"m": thing}, {"m": "D"}, {}, p={"m": {"D": 2}}), "release": "2020-11-20"})


def test_releases_that_are_not_known_or_not_encoded() -> None:
    mapping = scenario({"m": creature("A", "2/2")}, {"m": "D"}, {}, p={"m": {"D": 2}})
    with pytest.raises(InputError, match="there is no release 2020-01-01; the nearest are 2019-10-04 and 2020-04-17"):
        verdicts({**mapping, "release": "2020-01-01"})
    with pytest.raises(InputError, match="there is no release 2014-11-20; the oldest known is 2015-01-23"):
        verdicts({**mapping, "release": "2014-11-20"})


@pytest.mark.parametrize("release", ["2015-01-23", "2020-04-17", "2024-09-20"])
def test_the_order_of_damage_assignment_is_a_dated_fact(release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"m": creature("A", "5/5"), "x": creature("D", "6/6"), "y": creature("D", "4/4")}
    mapping = scenario(there, {"m": "D"}, {"x": "m", "y": "m", "order": {"m": ["y", "x"]}}, p={"m": {"x": 3, "y": 2}})
    assert verdicts(mapping)["p"].verdict == "legal"
    assert verdicts({**mapping, "release": release})["p"].verdict == "illegal"
    for name in ("kb", "asp", "queries"):
        shutil.copytree(data_folder(name), tmp_path / name, copy_function=os.symlink)
    vocabulary = tmp_path / "kb" / "vocabulary.ttl"
    text = vocabulary.read_text(encoding="utf-8")
    vocabulary.unlink()
    vocabulary.write_text(text.replace('lm:until "2024-09-20"', 'lm:until "2014-01-01"'), encoding="utf-8")
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    assert verdicts({**mapping, "release": release})["p"].verdict == "legal"


# ---------------------------------------------------------------- keywords are data

#: Overrunning: excess damage to what it attacks, any amount is lethal; damage in both steps; each instance triggers on becoming blocked.
OVERRUNNING = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix kw: <urn:lawmage:keyword:> .

kw:overrunning a lm:KeywordAbility ;
    lm:name "overrunning" ; lm:rule "702.999" ; lm:kind lm:Static ; lm:kindRule "702.999a" ;
    lm:functionsIn lm:Battlefield ; lm:writtenForm "overrunning {number}" ; lm:stacking lm:EachTriggers ; lm:stackingRule "702.999d" ;
    lm:triggersOn lm:BecomesBlocked ;
    lm:imposes
        [ a lm:AssignsExcess ; lm:rule "702.999b" ] ,
        [ a lm:AnyAmountIsLethal ; lm:rule "702.999b" ] ,
        [ a lm:DealsInBothSteps ; lm:rule "702.999c" ] ,
        [ a lm:GrowsWhenBlockingOrBlocked ; lm:rule "702.999a" ] .
"""


def test_a_made_up_keyword_is_data_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("kb", "asp", "queries"):
        shutil.copytree(data_folder(name), tmp_path / name, copy_function=os.symlink)
    (tmp_path / "kb" / "keywords" / "702.999-overrunning.ttl").write_text(OVERRUNNING, encoding="utf-8")
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    there = {"m": creature("A", "3/3", "overrunning 1", "overrunning 1"), "b": creature("D", "1/9")}
    first = {"step": "first", "m": {"b": 1, "D": 4}}
    found = verdicts(scenario(there, {"m": "D"}, {"b": "m"}, first=first, again={**first, "step": "regular"}, short={"m": {"D": 5}}))
    assert [found[name].verdict for name in ("first", "again", "short")] == ["legal", "legal", "illegal"]
    assert [one.rule for one in found["short"].violations] == ["702.999b"]
    assert "overrunning 1 of m has triggered and resolved (702.999d)" in found["first"].assumptions


def test_any_damage_that_would_be_lethal_is_said_to_be() -> None:
    """702.2c: where nothing is assigned yet by what makes any damage lethal, one would be."""
    board = {
        "judge": "damage",
        "battlefield": {
            "g": {"controller": "A", "pt": "6/6", "keywords": ["deathtouch", "trample"]},
            "t": {"controller": "A", "pt": "6/6", "keywords": ["trample"]},
            "b": {"controller": "D", "pt": "4/4"},
            "c": {"controller": "D", "pt": "4/4"},
        },
        "attack": {"g": "D", "t": "D"},
        "block": {"b": "g", "c": "t"},
        "propose": {"p": {"g": {"D": 6}, "t": {"D": 6}}},
    }
    told = [violation.message for violation in judge(scenario_from(board)).proposals["p"].violations]
    assert sorted(told) == [
        "g can't assign damage to D: b is assigned 0 damage, and 1 would be lethal",
        "t can't assign damage to D: c is assigned 0 damage, and 4 would be lethal",
    ]
