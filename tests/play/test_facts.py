"""The facts of a board are the same whether what is said on it was said on a board before or not."""

from __future__ import annotations

from hypothesis import given, settings
from tests.oracle import blocks
from tests.oracle.boards import boards

from lawmage.board import Board
from lawmage.play.facts import Builder, Problem
from lawmage.play.knowledge import knowledge
from lawmage.play.reading import read_board
from lawmage.play.rows import Facts
from lawmage.play.rule_functions import KEYS
from lawmage.scenario import scenario_from


class Anew(Builder):
    """A builder that remembers nothing."""

    remembers = False


def problem(board: Board, builder: type[Builder]) -> Problem:
    known = knowledge()
    return builder(board, read_board(board, known), known, "block").problem()


def told(problem: Problem) -> dict[str, object]:
    """Return all that a problem has, but for what is said of keywords that nothing has."""
    uses = problem.uses.values()
    unused = {f"test({test},keyword,{use})." for test, _, use in problem.facts.rows("test", 3) if use not in uses}
    return {
        "facts": sorted({*problem.facts.text().split()} - unused),
        "constraints": {number: constraint for number, constraint in enumerate(problem.constraints) if constraint is not None},
        "rules": problem.rules,
        "keyword_of": problem.keyword_of,
        "conditions": problem.conditions,
        "groups": problem.groups,
        "uses": problem.uses,
        "written": problem.written,
        "holders": problem.holders,
    }


@settings(max_examples=60, deadline=None)
@given(boards())
def test_definitions_are_remembered(drawn: blocks.Board) -> None:
    board = scenario_from(blocks.to_scenario(drawn, {})).board
    _, first, again, anew = problem(board, Builder), problem(board, Builder), problem(board, Builder), problem(board, Anew)
    assert again.constraints is first.constraints
    assert told(again) == told(first) == told(anew)


def test_what_is_said_repeatedly_is_stated_repeatedly() -> None:
    creature = {"pt": "2/2", "keywords": ["flying", "Flying", "bushido 1"], "text": "This creature can't block. " * 2}
    field = {"a": creature | {"controller": "A"}, "b": creature | {"controller": "D"}}
    board = scenario_from({"battlefield": field, "attack": ["a"]}).board
    made = [problem(board, Builder) for _ in range(3)][-1]
    assert told(made) == told(problem(board, Anew))
    assert sorted(row[2] for row in made.facts.rows("states", 4)) == [1, 1, 1, 1, 2, 2]


def test_conditions_and_what_is_attached_are_told_by_object() -> None:
    aura: dict[str, object] = {"types": ["enchantment"], "subtypes": ["Aura"], "controller": "A"}
    aura["text"] = "Enchanted creature can't block as long as the moon is full."
    field = {name: {"controller": "A", "pt": "2/2"} for name in "ab"} | {f"on_{name}": aura | {"attached_to": name} for name in "ab"}
    board = scenario_from({"players": {"A": {}, "D": {}}, "battlefield": field, "attack": ["a"]}).board
    made = [problem(board, Builder) for _ in range(3)][-1]
    assert told(made) == told(problem(board, Anew))
    assert sorted(row[3] for row in made.facts.rows("states", 4)) == [made.numbers["a"], made.numbers["b"]]


def test_rows_that_are_added_stay_as_they_were() -> None:
    """Rows of a model or of what several boards share are copied: what is added afterwards is not theirs."""
    shared = {(1, 2): None}
    facts = Facts()
    facts.add_rows("pair", 2, shared)
    facts.add("pair", 3, 4)
    assert list(facts.rows("pair", 2)) == [(1, 2), (3, 4)]
    assert shared == {(1, 2): None}


def test_rows_come_on_top_of_those_there_are_however_they_are_given() -> None:
    asked: list[int] = []

    def later() -> dict[tuple[int, int], None]:
        asked.append(1)
        return {(5, 6): None}

    facts = Facts()
    facts.add_later("pair", 2, later)
    assert not asked
    assert list(facts.copy().rows("pair", 2)) == [(5, 6)]
    facts.take_rows("pair", 2, {(1, 2): None})
    facts.add_rows("pair", 2, [(3, 4)])
    facts.add_later("pair", 2, lambda: {(7, 8): None})
    facts.take_rows("none", 2, {})
    assert list(facts.rows("pair", 2)) == [(5, 6), (1, 2), (3, 4), (7, 8)]
    assert [KEYS[number] for number in facts.predicates] == [("pair", 2)]
    assert asked == [1]
