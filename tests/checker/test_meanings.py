"""What the checker takes the rulebook to mean, on boards worked out by hand: a true claim is confirmed and its opposite refuted."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.checker import check_verdict
from lawmage.errors import UnknownNameError
from lawmage.play import ProposalVerdict, Requirements, Violation, judge
from lawmage.scenario import scenario_from


def yours(**keys: Any) -> dict[str, Any]:
    return {"controller": "A", "pt": "2/2", **keys}


def theirs(**keys: Any) -> dict[str, Any]:
    return {"controller": "D", "pt": "2/2", **keys}


ARTIFACT = {"controller": "D", "types": ["artifact"]}
ATTACK: dict[str, Any] = {"judge": "attack"}
BLOCK: dict[str, Any] = {"attack": {"a": "D"}}
THREE: dict[str, Any] = {"players": {"A": {}, "D": {}, "E": {}}}
WITHOUT_MENACE = "This creature can block creatures with menace as though they didn't have menace."
ONLY_ALONE = "As long as defending player controls an artifact, this creature can only attack alone."
SHARED = "This creature can't block unless you pay {X}."

#: A title, a board, a proposal, and the rules that it disobeys with the objects of each.
FORBIDDEN: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], list[tuple[str, tuple[str, ...]]]]] = [
    (
        "508.5: a keyword that depends on what the defending player controls",
        {"a": yours(text="This creature has menace as long as defending player controls an artifact."), "b": theirs(), "x": ARTIFACT},
        BLOCK,
        {"b": "a"},
        [("702.111b", ("a",))],
    ),
    (
        "506.2: the defending player is known before attackers are declared, where there is one",
        {"a": yours(text="This creature has defender as long as defending player controls an artifact."), "x": ARTIFACT},
        ATTACK,
        {"a": "D"},
        [("702.3b", ("a", "D"))],
    ),
    (
        "508.5a: each attacker has its own defending player",
        {"a": yours(), "c": yours(text=ONLY_ALONE), "x": ARTIFACT},
        ATTACK | THREE,
        {"a": "E", "c": "D"},
        [("508.1c", ("c",))],
    ),
    (
        "508.5a: and not another's",
        {"a": yours(), "c": yours(text=ONLY_ALONE), "x": ARTIFACT},
        ATTACK | THREE,
        {"a": "D", "c": "E"},
        [],
    ),
    (
        "109.5: another creature than the source of an effect",
        {"a": yours(), "c": yours()},
        {**BLOCK, "attack": {"a": "D", "c": "D"}}
        | {"effects": [{"controller": "A", "source": "c", "text": "Other creatures you control can't be blocked this turn."}]},
        {},
        [],
    ),
    (
        "208.3: what is no creature has no power",
        {
            "a": yours(),
            "v": {"controller": "A", "types": ["artifact"], "subtypes": ["Vehicle"], "pt": "5/5"}
            | {"text": "Creatures with power less than this creature's power can't block creatures you control."},
            "b": theirs(),
        },
        BLOCK,
        {"b": "a"},
        [],
    ),
    (
        "609.4: as though without menace, for one of two that would do",
        {"a": yours(keywords=["menace"]), "b": theirs(text=WITHOUT_MENACE)},
        BLOCK,
        {"b": "a"},
        [],
    ),
    (
        "609.4: as though it had flying, where what has not may not block",
        {
            "a": yours(text="This creature can't be blocked by creatures without flying."),
            "b": theirs(text="This creature can block creatures you don't control as though it had flying."),
        },
        BLOCK,
        {"b": "a"},
        [],
    ),
    (
        "509.1a: all creatures of a player are more than those that may block",
        {
            "a": yours(text="This creature can't be blocked unless all creatures defending player controls block it."),
            "b": theirs(),
            "c": theirs(types=["creature", "battle"], defense=3, protector="D"),
        },
        BLOCK,
        {"b": "a"},
        [("509.1b", ("a", "c"))],
    ),
    (
        "702.26b: what is phased out says nothing",
        {"a": yours(), "x": theirs(text="No more than one creature can block each combat.", phased_out=True), "b": theirs(), "c": theirs()},
        BLOCK,
        {"b": "a", "c": "a"},
        [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("title", "battlefield", "rest", "proposal", "broken"), FORBIDDEN, ids=[case[0] for case in FORBIDDEN])
def test_what_is_disobeyed(
    title: str, battlefield: dict[str, Any], rest: dict[str, Any], proposal: dict[str, Any], broken: list[tuple[str, tuple[str, ...]]]
) -> None:
    del title
    scenario = scenario_from({"battlefield": battlefield, **rest, "propose": {"p": proposal}})
    violations = tuple(Violation(rule, objects, "") for rule, objects in broken)
    legal, illegal = ProposalVerdict("legal"), ProposalVerdict("illegal", violations)
    assert bool(check_verdict(scenario, "p", legal)) == bool(broken)
    assert bool(check_verdict(scenario, "p", illegal)) != bool(broken)


#: A title, a board, a proposal, and how many requirements it obeys.
OBEYED: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], int]] = [
    (
        "508.5: a requirement where the defending player controls something",
        {"a": yours(text="As long as defending player controls an artifact, this creature attacks each combat if able.")},
        ATTACK,
        {"a": "D"},
        0,
    ),
    (
        "508.5a: and where only another player does",
        {"a": yours(text="As long as defending player controls an artifact, this creature attacks each combat if able."), "x": ARTIFACT},
        ATTACK | THREE,
        {"a": "E"},
        0,
    ),
    (
        "508.5a: and where the one who is attacked does",
        {"a": yours(text="As long as defending player controls an artifact, this creature attacks each combat if able."), "x": ARTIFACT},
        ATTACK | THREE,
        {"a": "D"},
        1,
    ),
    (
        "109.5: other creatures than the source of an effect",
        {"a": yours(), "c": yours()},
        ATTACK | {"effects": [{"controller": "A", "source": "c", "text": "Other creatures you control attack this turn if able."}]},
        {"a": "D", "c": "D"},
        1,
    ),
    ("701.15d: goaded twice by one player", {"a": yours(goaded_by=["D"])}, ATTACK | THREE, {"a": "E"}, 2),
    ("701.15b: goaded, and the goader is attacked", {"a": yours(goaded_by=["D"])}, ATTACK | THREE, {"a": "D"}, 1),
    (
        "509.1c: the same words twice are two requirements",
        {"a": yours(text="This creature must be blocked if able.\nThis creature must be blocked if able."), "b": theirs()},
        BLOCK,
        {"b": "a"},
        2,
    ),
    (
        "509.1c: all that can block it, one requirement each",
        {"a": yours(text="All creatures able to block this creature do so."), "b": theirs(), "c": theirs()},
        BLOCK,
        {"b": "a", "c": "a"},
        2,
    ),
]


@pytest.mark.parametrize(("title", "battlefield", "rest", "proposal", "number"), OBEYED, ids=[case[0] for case in OBEYED])
def test_what_is_obeyed(title: str, battlefield: dict[str, Any], rest: dict[str, Any], proposal: dict[str, Any], number: int) -> None:
    del title
    scenario = scenario_from({"battlefield": battlefield, **rest, "propose": {"p": proposal}})
    for claimed in range(number + 2):
        confirmed = not check_verdict(scenario, "p", ProposalVerdict("legal", requirements=Requirements(claimed, claimed)))
        assert confirmed == (claimed == number)


@pytest.mark.parametrize(
    ("battlefield", "rest", "proposal"),
    [pytest.param(*case[1:4], id=case[0]) for case in [*FORBIDDEN, *OBEYED]],
)
def test_the_solver_agrees(battlefield: dict[str, Any], rest: dict[str, Any], proposal: dict[str, Any]) -> None:
    judge(scenario_from({"battlefield": battlefield, **rest, "propose": {"p": proposal}}), checked=True)


def test_a_price_that_is_not_understood_leaves_the_verdict_open() -> None:
    """107.3: what {X} is is not said, so neither is whether the creature may block."""
    field = {"a": yours(), "b": theirs(text=SHARED)}
    verdict = judge(scenario_from({"battlefield": field, **BLOCK, "propose": {"p": {"b": "a"}}}), checked=True).proposals["p"]
    assert (verdict.verdict, verdict.not_understood) == ("undecided", (f"b: {SHARED}",))


def test_either_way_of_what_the_board_leaves_open() -> None:
    text = "This creature can't be blocked as long as you've drawn two or more cards this turn."
    scenario = scenario_from({"battlefield": {"a": yours(text=text), "b": theirs()}, **BLOCK, "propose": {"p": {"b": "a"}}})
    barred = (Violation("509.1b", ("a", "b"), ""),)
    assert check_verdict(scenario, "p", ProposalVerdict("undecided", barred)) == []
    assert check_verdict(scenario, "p", ProposalVerdict("illegal", barred)) == []
    assert check_verdict(scenario, "p", ProposalVerdict("legal")) == ["it disobeys 509.1b for a, b and is called legal"]


def test_a_proposal_that_is_not_there() -> None:
    scenario = scenario_from({"battlefield": {"a": yours()}, **ATTACK, "propose": {"all": {"a": "D"}}})
    with pytest.raises(UnknownNameError, match='by the name "al"; did you mean "all"'):
        check_verdict(scenario, "al", ProposalVerdict("legal"))


def test_each_player_declares_alone() -> None:
    """802.4b: one blocker each is no more than one, and what one player shows better says nothing of the other's."""
    field = {
        "a": yours(text="This creature must be blocked if able."),
        "c": yours(),
        "n": theirs(text="No more than one creature can block each combat."),
    }
    field |= {"b": theirs(), "e": theirs(controller="E")}
    proposals: dict[str, Any] = {"both": {"b": "a", "e": "c"}, "one": {"e": "c"}}
    scenario = scenario_from({**THREE, "battlefield": field, "attack": {"a": "D", "c": "E"}, "propose": proposals})
    assert check_verdict(scenario, "both", ProposalVerdict("legal", requirements=Requirements(1, 1))) == []
    short = (Violation("509.1c", ("a",), ""),)
    assert check_verdict(scenario, "one", ProposalVerdict("illegal", short, Requirements(0, 1, {"b": ("a",)}))) == []
    assert check_verdict(scenario, "one", ProposalVerdict("illegal", short, Requirements(0, 1, {"e": ("c",)}))) != []
