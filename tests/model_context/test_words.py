"""Words about every kind of question, and cuts that are counted."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.answers import ANSWERS, Source
from lawmage.mcp.shortening import shortened
from lawmage.mcp.words import outcome_lines, verdict_lines

PERMANENTS = """
battlefield:
  k: {controller: A, types: [artifact], subtypes: [Equipment], keywords: ["equip {1}"]}
  m: {controller: A, pt: 3/3, keywords: [trample, lifelink]}
  b: {controller: D, pt: 2/2}
"""
DAMAGE = "attack: {m: D}\nblock: {b: m}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "players: {A: {mana: '{1}{R}'}, D: {}}\nhand: {s: {owner: A, types: [instant], mana_cost: '{1}{R}', text: 'Draw a card.'}}\n"
            "judge: cast\npropose: {p: {cast: s, by: A}, q: {cast: s, by: A, pay: '{R}'}}",
            ["p: legal", "  costs {1}{R} (its mana cost)", "q: illegal", "  601.2h: {R} doesn't pay the total cost: {1}{R}"],
        ),
        (
            PERMANENTS + "judge: activate\npropose: {p: {activate: k, ability: equip, by: A, targets: [b]}}",
            ["p: illegal", "  601.2c: b isn't something that k can target"],
        ),
        (PERMANENTS + DAMAGE + "propose: {p: {m: {b: 1, D: 2}}}", ["p: illegal", "  nearest legal: m assigns 2 to b and 1 to D"]),
        (PERMANENTS + "propose: {p: {k: D}}", ["p: illegal", "judged: attack; rules as of 2026-08-07"]),
    ],
    ids=["cast", "activate", "damage", "attack"],
)
def test_verdicts_of_every_kind(text: str, lines: list[str]) -> None:
    answer = ANSWERS["check"]([Source("board", text)]).document["files"][0]
    said = list(verdict_lines(answer))
    assert [line for line in lines if line not in said] == []


def test_outcomes() -> None:
    board = (
        PERMANENTS.replace("controller: D, pt: 2/2", "controller: D, pt: 2/2, counters: {shield: 1}") + "players: {A: {}, D: {life: 1}}\n"
    )
    answer = ANSWERS["outcome"](Source("board", board + DAMAGE + "propose: {p: {m: {b: 2, D: 1}}}")).document["files"][0]
    said = list(outcome_lines(answer))
    assert said[0] == "p:"
    assert "  D: life 0, loses the game (704.5a)" in said
    assert any(line.startswith("  regular damage: ") and "m deals 1 to D" in line for line in said)


def test_cuts_are_counted_and_names_left_alone() -> None:
    document: dict[str, Any] = {
        "violations": [{"objects": ["a", "b", "c"], "text": "abcdef"}] * 3,
        "objects": {"violations": {"violations": [1, 2, 3]}, "text": {"text": "abcdef"}},
        "block": {"violations": ["x", "y", "z"], "objects": ["x"]},
        "file": "x",
    }
    short = shortened(document, {"violations": 2, "text": 3, "objects": 2}, without=frozenset({"file"}))
    assert short == {
        "violations": [{"objects": ["a", "b"], "text": "abc…"}] * 2,
        "objects": {"violations": {"violations": [1, 2]}, "text": {"text": "abc…"}},
        "block": document["block"],
        "cut": {
            "violations": {"shown": 2, "of": 3},
            "violations[0].objects": {"shown": 2, "of": 3},
            "violations[1].objects": {"shown": 2, "of": 3},
            "objects.violations.violations": {"shown": 2, "of": 3},
        },
    }
    assert shortened(document, {}) == document
