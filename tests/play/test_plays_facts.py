"""The facts of a play are the same whether what does not depend on it was made for another play before or not."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import Any

from tests.cases.expectations import load_cases

from lawmage.play.keyword_uses import keyword_uses
from lawmage.play.knowledge import knowledge
from lawmage.play.play_problem import Play, PlayProblem
from lawmage.play.play_words import OBJECT_KEY, PLAYS
from lawmage.play.plays_facts import Begun, build_play
from lawmage.play.reading import read_board
from lawmage.play.rule_functions import KEYS
from lawmage.scenario_shapes import ZONES


def stated(problem: PlayProblem) -> dict[str, Any]:
    """Return all of a problem in a form that can be compared."""
    parts = {field.name: getattr(problem, field.name) for field in fields(problem) if field.name not in ("base", "facts")}
    base = {name: value for name, value in problem.base._asdict().items() if name != "facts"}
    facts = {KEYS[number]: list(relation.rows) for number, relation in problem.facts.relations().items()}
    return {**parts, "base": base, "facts": facts}


def test_what_was_begun_for_another_play_serves() -> None:
    """Each proposal of the cases goes on from what was begun for the one before, where it is of the same object and player."""
    known, resumed = knowledge(), 0
    for scenario in load_cases().values():
        if scenario.judge not in PLAYS:
            continue
        board, reading = scenario.board, read_board(scenario.board, known, file=scenario.file, zones=ZONES)
        key = OBJECT_KEY[scenario.judge]
        plays = [
            Play(scenario.judge, one.raw[key], one.raw.get("by") or board.objects[one.raw[key]].controller, one.raw)
            for one in scenario.proposals
        ]
        for before, play in pairwise(plays):
            if (before.object, before.player) != (play.object, play.player):
                continue
            begun = Begun()
            build_play(board, reading, known, keyword_uses(), before, begun)
            resumed += bool(begun.state)
            found = build_play(board, reading, known, keyword_uses(), play, begun)
            assert stated(found) == stated(build_play(board, reading, known, keyword_uses(), play)), (scenario.file, play.raw)
    assert resumed > 100
