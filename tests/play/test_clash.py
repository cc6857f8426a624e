"""Why not every requirement can be obeyed: a smallest set of restrictions and requirements that cannot all hold."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from lawmage.play import clash as clash_module
from lawmage.play import judge, judge_and_explain
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.clash import find_clash
from lawmage.play.declarations import Declarations
from lawmage.scenario import scenario_from

LURE = "All creatures able to block this creature do so."
MUST = "This creature must be blocked if able."


def clash(battlefield: dict[str, dict[str, Any]], **scenario: Any) -> list[str]:
    attackers = {name: "D" for name, thing in battlefield.items() if thing["controller"] == "A"}
    board = {"battlefield": battlefield, "attack": attackers, "propose": {"p": {}}, **scenario}
    return sorted(judge(scenario_from(board), explain=True).proposals["p"].requirements.clash)


def attacker(**keys: Any) -> dict[str, Any]:
    return {"controller": "A", "pt": "3/3", **keys}


def blocker(**keys: Any) -> dict[str, Any]:
    return {"controller": "D", "pt": "2/2", **keys}


@pytest.mark.parametrize(
    ("battlefield", "expected"),
    [
        ({"m": attacker(keywords=["menace"], text=MUST), "b": blocker(), "c": blocker()}, []),
        (
            {"m": attacker(keywords=["menace"], text=LURE), "v": attacker(), "b": blocker()},
            ["m has menace (702.111b)", f'm says "{LURE[:-1]}" for b (509.1c)'],
        ),
        (
            {"l": attacker(text=LURE), "m": attacker(text=MUST), "b": blocker()},
            [
                "a creature can't block that many attackers (509.1a)",
                f'l says "{LURE[:-1]}" for b (509.1c)',
                f'm says "{MUST[:-1]}" (509.1c)',
            ],
        ),
        (
            {"f": attacker(keywords=["flying"], text=MUST), "b": blocker()},
            ["f has flying (702.9b)", f'f says "{MUST[:-1]}" (509.1c)'],
        ),
        (
            {"m": attacker(text=MUST), "b": blocker(tapped=True)},
            ["a creature is tapped (509.1a)", f'm says "{MUST[:-1]}" (509.1c)'],
        ),
        (
            {"m": attacker(text=MUST), "b": blocker(text="This creature can't block unless you pay {2}.")},
            ['b says "This creature can\'t block unless you pay {2}" (509.1b)', f'm says "{MUST[:-1]}" (509.1c)'],
        ),
    ],
)
def test_clashes_of_blocks(battlefield: dict[str, dict[str, Any]], expected: list[str]) -> None:
    found = [text.replace("(509.1f)", "(509.1b)") for text in clash(battlefield)]
    assert found == expected


def test_a_clash_has_nothing_to_spare() -> None:
    """Seven requirements, four blockers: three on the lure leave one blocker for two others; four on it leave none for one."""
    field = {"bear": attacker(text=f"{LURE} {MUST}"), "z1": attacker(text=MUST), "z2": attacker(text=MUST)}
    field |= {f"s{index}": blocker() for index in range(4)}
    found = clash(field)
    requirements = [text for text in found if " says " in text]
    lured = [text for text in requirements if " for s" in text]
    assert "a creature can't block that many attackers (509.1a)" in found
    assert (len(lured), len(requirements)) in {(3, 5), (4, 5)}


@pytest.mark.parametrize(
    ("attackers", "blockers", "keywords", "requirements", "restrictions"),
    [(11, 10, [], 11, 1), (11, 20, ["menace"], 11, 11), (24, 23, [], 24, 1), (24, 46, ["menace"], 24, 24), (100, 99, [], 100, 1)],
)
def test_clashes_where_blockers_are_few(attackers: int, blockers: int, keywords: list[str], requirements: int, restrictions: int) -> None:
    """One attacker too many: all have to be named. With menace two blockers are missing, so that one attacker need not have it."""
    field = {f"m{number}": attacker(text=MUST, keywords=keywords) for number in range(attackers)}
    field |= {f"b{number}": blocker() for number in range(blockers)}
    found = clash(field)
    assert len([part for part in found if " says " in part]) == requirements
    assert len(found) == requirements + restrictions
    assert "a creature can't block that many attackers (509.1a)" in found


def test_clashes_of_attacks() -> None:
    board = {
        "players": {"A": {}, "B": {}, "C": {}},
        "active": "C",
        "battlefield": {"x": {"controller": "C", "pt": "2/2", "goaded_by": ["A", "B"], "sick": False}},
        "propose": {"none": {}, "a": {"x": "A"}},
    }
    answer = judge(scenario_from(board), explain=True).proposals
    assert (answer["none"].verdict, answer["a"].verdict) == ("illegal", "legal")
    assert sorted(answer["a"].requirements.clash) == [
        "A has goaded x (701.15b)",
        "B has goaded x (701.15b)",
        "a creature attacks one player or permanent (508.1b)",
    ]


TOO_MANY, TAPPED = "a creature can't block that many attackers (509.1a)", "a creature is tapped (509.1a)"
ALL_OR_NONE = "This creature can't be blocked unless all creatures defending player controls block it."
IF_ABLE = "This creature blocks each combat if able."


NOT_ALONE, ONLY_ALONE = "This creature can't block alone.", "This creature can block only alone."


def said(name: str, text: str, part: str = "c") -> str:
    """Return the part of a clash that a text is: a requirement (509.1c) or a restriction (509.1b)."""
    return f'{name} says "{text[:-1]}" (509.1{part})'


def soldiers(number: int, **keys: Any) -> dict[str, dict[str, Any]]:
    return {f"s{each}": blocker(**keys) for each in range(number)}


@pytest.mark.parametrize(
    ("battlefield", "expected"),
    [
        # All block one of two that must be blocked.
        (
            {"m": attacker(text=f"{ALL_OR_NONE} {MUST}"), "v": attacker(text=MUST), **soldiers(30)},
            [TOO_MANY, said("m", ALL_OR_NONE, "b"), said("m", MUST), said("v", MUST)],
        ),
        # One is tapped, so that not all can.
        (
            {"m": attacker(text=f"{ALL_OR_NONE} {MUST}"), **soldiers(30), "t": blocker(tapped=True)},
            [TAPPED, said("m", ALL_OR_NONE, "b"), said("m", MUST)],
        ),
        # Nobody is there to block along with it.
        (
            {"m": attacker(), "b": blocker(text=f"{NOT_ALONE} {IF_ABLE}"), **soldiers(30, tapped=True)},
            [TAPPED, said("b", NOT_ALONE, "b"), said("b", IF_ABLE)],
        ),
        # Two have to block, of which one can only alone.
        (
            {"m": attacker(), "b": blocker(text=f"{ONLY_ALONE} {IF_ABLE}"), "c": blocker(text=IF_ABLE), **soldiers(30)},
            [said("b", ONLY_ALONE, "b"), said("b", IF_ABLE), said("c", IF_ABLE)],
        ),
    ],
    ids=["all_block_one", "not_all_can", "nobody_else_can", "only_alone"],
)
def test_clashes_with_what_else_blocks(battlefield: dict[str, dict[str, Any]], expected: list[str]) -> None:
    assert clash(battlefield) == sorted(expected)


def counted_clash(step: Declarations, player: str) -> list[str]:
    """Return the clash that counting finds, without a search."""
    found = find_clash(step._position(player, ()), step._entry(6), lambda: None, seconds=60)
    return sorted(map(step.sentences.part_of_clash, found))


def test_so_many_others_have_no_place_to_block() -> None:
    """Fifteen attackers that one creature each can block, and one creature that has to block, but can't unless twenty others do."""
    others = "This creature can't block unless at least twenty other creatures block."
    field = {f"w{each}": attacker(text="This creature can't be blocked by more than one creature.") for each in range(15)}
    board = {
        "battlefield": {**field, "b": blocker(text=f"{others} {IF_ABLE}"), **soldiers(40)},
        "attack": list(field),
        "propose": {"p": {}},
    }
    found = counted_clash(Blocks(scenario_from(board), explain=True), "D")
    assert len(found) == 17
    assert {said("b", others, "b"), said("b", IF_ABLE)} < {*found}


def test_so_many_others_have_nobody_to_attack() -> None:
    others = "This creature can't attack unless at least ten other creatures attack."
    one: dict[str, Any] = {"controller": "A", "pt": "1/1"}
    field: dict[str, Any] = {
        "x": {**one, "text": f"{others} This creature attacks each combat if able."},
        **{f"y{each}": one for each in range(30)},
    }
    limit: dict[str, Any] = {"types": ["enchantment"], "text": "No more than two creatures can attack you each combat."}
    field |= {f"e{player}": {"controller": player, **limit} for player in "DEF"}
    players: dict[str, Any] = {player: {} for player in "ADEF"}
    board = {"players": players, "battlefield": field, "judge": "attack", "propose": {"p": {}}}
    found = counted_clash(Attacks(scenario_from(board), explain=True), "A")
    assert [text[:2] for text in found] == ["eD", "eE", "eF", "x ", "x "]


@pytest.mark.parametrize("flying", [False, True])
def test_nobody_is_left_for_what_has_to_be_blocked(*, flying: bool) -> None:
    """All who could block it have to block something else: that shows without counting."""
    keywords = ["flying"] if flying else []
    field = {"l": attacker(text=LURE), "m": attacker(text=MUST, keywords=keywords)}
    field |= {f"b{number}": blocker(keywords=["reach"] * (number < 3)) for number in range(5)}
    asked = [f'l says "{LURE[:-1]}" for b{number} (509.1c)' for number in range(3 if flying else 5)]
    restrictions = ["a creature can't block that many attackers (509.1a)", *["m has flying (702.9b)"] * flying]
    with patch.object(clash_module, "can_hold", side_effect=AssertionError):
        found = clash(field)
    assert found == sorted([*restrictions, *asked, f'm says "{MUST[:-1]}" (509.1c)'])


def test_what_asks_for_nobody_here_is_named_alone() -> None:
    """Nobody but the player who goaded it can be attacked: that shows without a search."""
    field = {"x": attacker(goaded_by=["D"]), "y": attacker()}
    board = {"judge": "attack", "battlefield": field, "propose": {"p": {"x": "D"}}}
    with patch.object(clash_module, "can_hold", side_effect=AssertionError):
        answer, steps = judge_and_explain(scenario_from(board))
    assert answer.proposals["p"].requirements.clash == ("D has goaded x (701.15b)",)
    assert "Nothing that can be declared would obey this:" in [step.sentence for step in steps["p"].walk()]
