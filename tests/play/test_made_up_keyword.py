"""A keyword that fits the vocabulary is data alone: one Turtle file, and verdicts change."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from lawmage.errors import InputError
from lawmage.play import judge
from lawmage.resources import data_folder
from lawmage.scenario import scenario_from

#: Looming: can't be blocked except by three or more creatures, nor by creatures without reach unless they have more power.
LOOMING = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix kw: <urn:lawmage:keyword:> .

kw:looming a lm:KeywordAbility ;
    lm:name "looming" ; lm:rule "702.999" ; lm:kind lm:Evasion ; lm:kindRule "702.999a" ;
    lm:functionsIn lm:Battlefield ; lm:writtenForm "looming" ; lm:stacking lm:Redundant ; lm:stackingRule "702.999d" ;
    lm:imposes
        [ a lm:MinBlockers ; lm:number 3 ; lm:rule "702.999b" ] ,
        [ a lm:BlockedOnlyBy ; lm:rule "702.999c" ; lm:object [ lm:anyOf
            [ lm:passes [ a lm:KeywordTest ; lm:value "reach" ] ] ,
            [ lm:passes [ a lm:PowerGreaterThanOwnTest ] ] ] ] .
"""
#: Dutiful: blocks if able, each time that it is written.
DUTIFUL = """
@prefix lm: <urn:lawmage:vocabulary:> .
@prefix kw: <urn:lawmage:keyword:> .

kw:dutiful a lm:KeywordAbility ;
    lm:name "dutiful" ; lm:rule "702.998" ; lm:kind lm:Static ; lm:kindRule "702.998a" ;
    lm:functionsIn lm:Battlefield ; lm:writtenForm "dutiful" ; lm:stacking lm:EachApplies ; lm:stackingRule "702.998b" ;
    lm:imposes [ a lm:BlocksIfAble ; lm:rule "702.998a" ] .
"""


def data_with(folder: Path, **files: str) -> Path:
    for name in ("kb", "asp", "queries"):
        shutil.copytree(data_folder(name), folder / name, copy_function=os.symlink)
    for name, text in files.items():
        (folder / "kb" / "keywords" / f"702.{name}.ttl").write_text(text, encoding="utf-8")
    return folder


def board(keywords: list[str], *proposals: dict[str, str], blocker: list[str] | None = None) -> dict[str, object]:
    return {
        "battlefield": {
            "m": {"controller": "A", "pt": "2/2", "keywords": keywords},
            **{f"b{index}": {"controller": "D", "pt": "1/4", "keywords": blocker or ["reach"]} for index in range(1, 4)},
            "weak": {"controller": "D", "pt": "2/2"},
        },
        "attack": {"m": "D"},
        "propose": {f"p{index}": proposal for index, proposal in enumerate(proposals, start=1)},
    }


def test_verdicts_change_with_one_turtle_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    three, two = {"b1": "m", "b2": "m", "b3": "m"}, {"b1": "m", "b2": "m"}
    with_weak = {**three, "weak": "m"}
    plain = judge(scenario_from(board([], three, two, with_weak))).proposals
    assert [plain[name].verdict for name in ("p1", "p2", "p3")] == ["legal", "legal", "legal"]
    with pytest.raises(InputError, match='"looming" on m is not a keyword'):
        judge(scenario_from(board(["looming"])))

    monkeypatch.setenv("LAWMAGE_DATA", str(data_with(tmp_path, looming=LOOMING)))
    looming = judge(scenario_from(board(["looming"], three, two, with_weak))).proposals
    assert [looming[name].verdict for name in ("p1", "p2", "p3")] == ["legal", "illegal", "illegal"]
    assert [(violation.rule, violation.objects) for violation in looming["p2"].violations] == [("702.999b", ("m",))]
    assert [(violation.rule, violation.objects) for violation in looming["p3"].violations] == [("702.999c", ("m", "weak"))]
    assert {"702.999b", "702.999c"} <= set(looming["p1"].cites)


@pytest.mark.parametrize(("written", "maximum"), [(1, 1), (3, 3)])
def test_stacking_is_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int, maximum: int) -> None:
    monkeypatch.setenv("LAWMAGE_DATA", str(data_with(tmp_path, dutiful=DUTIFUL)))
    scenario = board([], {}, blocker=["reach"])
    scenario["battlefield"]["b1"]["keywords"] = ["dutiful"] * written  # type: ignore[index]
    verdict = judge(scenario_from(scenario)).proposals["p1"]
    assert (verdict.verdict, verdict.requirements.maximum) == ("illegal", maximum)


def test_a_redundant_keyword_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    redundant = DUTIFUL.replace("lm:EachApplies", "lm:Redundant")
    monkeypatch.setenv("LAWMAGE_DATA", str(data_with(tmp_path, dutiful=redundant)))
    scenario = board([], {}, blocker=["reach"])
    scenario["battlefield"]["b1"]["keywords"] = ["dutiful"] * 3  # type: ignore[index]
    assert judge(scenario_from(scenario)).proposals["p1"].requirements.maximum == 1
