"""The oracle for damage itself, on combats whose legal divisions and whose results were worked out by hand.

The rulebook's own examples stand first. Most others are questions that players put to judges, or combats that game programs were
reported to get wrong.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .damage import Assignment, Battle, Combat, Fighter, Planeswalker, Player, broken, divider, legal_assignments, outcome


def attacker(name: str, pt: str, *keywords: str, **state: object) -> Fighter:
    return fighter("A", name, pt, keywords, state)


def blocker(name: str, pt: str, *keywords: str, **state: object) -> Fighter:
    return fighter("D", name, pt, keywords, state)


def fighter(controller: str, name: str, pt: str, keywords: tuple[str, ...], state: Mapping[str, object]) -> Fighter:
    power, toughness = map(int, pt.split("/"))
    return Fighter(name, controller, power, toughness, keywords, **state)  # type: ignore[arg-type]


def combat(*fighters: Fighter, blocks: str = "", attacks: str = "D", **rest: object) -> Combat:
    """Make a combat in which A's creatures attack `attacks`; `blocks` reads `b1:x b2:x,y`."""
    declared = dict(part.split(":") for part in blocks.split())
    return Combat(
        fighters,
        {f.name: attacks for f in fighters if f.controller == "A"},
        {name: tuple(attackers.split(",")) for name, attackers in declared.items()},
        **rest,  # type: ignore[arg-type]
    )


def written(assignment: str) -> dict[str, dict[str, int]]:
    """Read `x:b1=2,D=3 y:b1=1`."""
    return {
        source: {name: int(amount) for name, amount in (share.split("=") for share in shares.split(","))}
        for source, shares in (part.split(":") for part in assignment.split())
    }


REGROWER = combat(attacker("x", "4/3"), blocker("b1", "2/3"), blocker("b2", "1/1"), blocks="b1:x b2:x")
TWO_TRAMPLERS = combat(attacker("x", "4/4", "trample"), attacker("y", "4/4", "trample"), blocker("b", "0/5"), blocks="b:x,y")
BANDED = combat(attacker("x", "1/2"), attacker("y", "1/3", "banding"), blocker("b", "3/2"), blocks="b:x", bands=(frozenset({"x", "y"}),))
LISTED: dict[str, tuple[Combat, list[str]]] = {
    "example of 510.1c": (REGROWER, ["x:b2=4", "x:b1=1,b2=3", "x:b1=2,b2=2", "x:b1=3,b2=1", "x:b1=4"]),
    "first example of 702.19b, the smaller shares": (
        combat(attacker("x", "1/1"), attacker("y", "3/3", "trample"), blocker("b", "2/2"), blocks="b:x,y"),
        ["x:b=1 y:b=1,D=2", "x:b=1 y:b=2,D=1", "x:b=1 y:b=3"],
    ),
    "example of 702.19c, unblocked": (
        combat(
            attacker("x", "1/1"),
            attacker("y", "3/3", "trample over planeswalkers"),
            attacks="w",
            planeswalkers=(Planeswalker("w", "D", 3),),
        ),
        ["x:w=1 y:w=2,D=1", "x:w=1 y:w=3"],
    ),
    "trample, two blockers": (
        combat(attacker("x", "3/5", "trample"), blocker("b1", "2/1"), blocker("b2", "2/2", damage=1), blocks="b1:x b2:x"),
        ["x:b1=1,b2=1,D=1", "x:b1=3", "x:b1=2,b2=1", "x:b1=1,b2=2", "x:b2=3"],
    ),
    "trample and deathtouch": (
        combat(attacker("x", "3/3", "trample", "deathtouch"), blocker("b", "5/5"), blocks="b:x"),
        ["x:b=1,D=2", "x:b=2,D=1", "x:b=3"],
    ),
    "deathtouch of another attacker": (
        combat(attacker("x", "2/3", "trample"), attacker("y", "1/1", "deathtouch"), blocker("b", "5/5"), blocks="b:x,y"),
        ["x:D=2 y:b=1", "x:b=1,D=1 y:b=1", "x:b=2 y:b=1"],
    ),
    "trample, a blocker that has lethal damage already": (
        combat(attacker("x", "1/1", "trample"), blocker("b", "3/3", "indestructible", damage=3), blocks="b:x"),
        ["x:D=1", "x:b=1"],
    ),
    "trample, no blocker left": (combat(attacker("x", "2/2", "trample"), blocked=frozenset({"x"})), ["x:D=2"]),
    "no blocker left": (combat(attacker("x", "2/2"), blocked=frozenset({"x"})), [""]),
    "what it attacked is gone": (combat(attacker("x", "2/2", "trample"), attacks="w", gone="w"), [""]),
    "what it attacked is gone, trample over planeswalkers": (
        combat(attacker("x", "2/2", "trample over planeswalkers"), attacks="w", gone="w"),
        ["x:D=2"],
    ),
    "a planeswalker's controller is not attacked": (
        combat(attacker("x", "3/3", "trample"), blocker("b", "1/1"), blocks="b:x", attacks="w", planeswalkers=(Planeswalker("w", "D", 1),)),
        ["x:b=1,w=2", "x:b=2,w=1", "x:b=3"],
    ),
    "a battle": (
        combat(attacker("x", "2/2", "trample"), blocker("b", "1/1"), blocks="b:x", attacks="s", battles=(Battle("s", "A", "D", 4),)),
        ["x:b=1,s=1", "x:b=2"],
    ),
    "power 0": (combat(attacker("x", "0/2")), [""]),
    "toughness instead of power": (combat(attacker("x", "0/2", by_toughness=True)), ["x:D=2"]),
    "as though it weren't blocked": (
        combat(attacker("x", "2/2", as_unblocked=True), blocker("b1", "1/1"), blocker("b2", "1/1"), blocks="b1:x b2:x"),
        ["x:D=2", "x:b1=2", "x:b1=1,b2=1", "x:b2=2"],
    ),
    "as though it weren't blocked, trample over planeswalkers": (
        combat(
            attacker("x", "2/2", "trample over planeswalkers", as_unblocked=True),
            blocker("b", "1/2"),
            blocks="b:x",
            attacks="w",
            planeswalkers=(Planeswalker("w", "D", 1),),
        ),
        ["x:b=2", "x:w=2", "x:w=1,D=1"],
    ),
    "the defending player divides": (
        combat(attacker("x", "4/2"), blocker("b1", "1/2"), blocker("b2", "1/3", "banding"), blocks="b1:x b2:x"),
        [""],
    ),
    "the active player divides what a blocker assigns": (
        BANDED,
        [f"x:b=1 y:b=1 b:x={given},y={3 - given}" for given in (1, 2)] + ["x:b=1 y:b=1 b:x=3", "x:b=1 y:b=1 b:y=3"],
    ),
}


@pytest.mark.parametrize("title", LISTED)
def test_legal_assignments(title: str) -> None:
    given, expected = LISTED[title]
    listed = [sorted((source, *sorted(shares.items())) for source, shares in a.items()) for a in legal_assignments(given, "regular", "A")]
    wanted = [sorted((source, *sorted(shares.items())) for source, shares in written(a).items()) for a in expected]
    assert sorted(listed) == sorted(wanted)


JUDGED: list[tuple[str, Combat, str, set[str]]] = [
    ("joint total", TWO_TRAMPLERS, "x:b=2,D=2 y:b=3,D=1", set()),
    ("too much through in all", TWO_TRAMPLERS, "x:b=2,D=2 y:b=2,D=2", {"702.19b"}),
    ("one stays behind for the other", TWO_TRAMPLERS, "x:D=4 y:b=4", {"702.19b"}),
    ("less than its power", TWO_TRAMPLERS, "x:b=3 y:b=4", {"510.1c"}),
    ("more than its power", REGROWER, "x:b1=3,b2=2", {"510.1c"}),
    (
        "no order among blockers",
        combat(attacker("x", "5/5"), blocker("b1", "0/6"), blocker("b2", "0/4"), blocks="b1:x b2:x"),
        "x:b1=3,b2=2",
        set(),
    ),
    ("blocked without trample", REGROWER, "x:b1=3,D=1", {"510.1c"}),
    ("unblocked", combat(attacker("x", "2/2"), blocker("b", "1/1")), "x:b=2", {"510.1b"}),
    (
        "loyalty first",
        combat(attacker("x", "4/4", "trample over planeswalkers"), attacks="w", planeswalkers=(Planeswalker("w", "D", 3),)),
        "x:w=2,D=2",
        {"702.19c"},
    ),
    (
        "as though unblocked is all or nothing",
        combat(attacker("x", "2/2", as_unblocked=True), blocker("b", "1/1"), blocks="b:x"),
        "x:D=1,b=1",
        {"510.1c"},
    ),
]


@pytest.mark.parametrize(("given", "assignment", "rules"), [case[1:] for case in JUDGED], ids=[case[0] for case in JUDGED])
def test_broken(given: Combat, assignment: str, rules: set[str]) -> None:
    assert broken(given, written(assignment), "regular", "A") == rules


def test_blockers_divide_too() -> None:
    given = combat(attacker("x", "2/2"), attacker("y", "2/2"), blocker("b", "2/5"), blocks="b:x,y")
    assert len(legal_assignments(given, "regular", "D")) == 3
    assert broken(given, written("b:x=1,y=1"), "regular", "D") == set()
    assert broken(given, written("b:x=1,D=1"), "regular", "D") == {"510.1d"}


def test_who_divides() -> None:
    """702.22j and k: with banding on either side each divides what the other's creature assigns."""
    given = combat(
        attacker("x", "3/3", "banding"), attacker("y", "1/1"), blocker("b", "2/2", "banding"), blocks="b:x", bands=(frozenset("xy"),)
    )
    assert {name: divider(given, name) for name in "xyb"} == {"x": "D", "y": "D", "b": "A"}
    assert divider(REGROWER, "x") == "A"


def final(given: Combat, *assignments: str) -> tuple[dict[str, int], set[str], dict[str, frozenset[str]]]:
    """Return life totals, what died, and who lost by which rules."""
    chosen: list[Assignment] = [written(assignment) for assignment in assignments]
    results = outcome(given, chosen)
    last = results[-1]
    return {p.name: p.life for p in last.combat.players}, {name for r in results for name in r.died}, dict(last.lost)


def test_first_strike_kills_first() -> None:
    given = combat(attacker("x", "2/2", "first strike"), blocker("b", "2/2"), blocks="b:x")
    assert final(given, "x:b=2", "") == ({"A": 20, "D": 20}, {"b"}, {})


def test_double_strike_and_trample_against_what_cannot_be_destroyed() -> None:
    """Drogskol Reaver, 3/5, and an indestructible 3/3: all 3 go through in the second step."""
    given = combat(attacker("x", "3/5", "double strike", "trample", "lifelink"), blocker("b", "3/3", "indestructible"), blocks="b:x")
    assert final(given, "x:b=3", "x:D=3 b:x=3") == ({"A": 26, "D": 17}, set(), {})
    second = outcome(given, [written("x:b=3")])[0].combat
    assert written("x:D=3") in legal_assignments(second, "regular", "A")


def test_double_strike_without_trample_is_lost_when_the_blocker_has_died() -> None:
    given = combat(attacker("x", "2/2", "double strike"), blocker("b", "1/1"), blocks="b:x")
    assert legal_assignments(outcome(given, [written("x:b=2")])[0].combat, "regular", "A") == [{}]
    trampler = combat(attacker("x", "2/2", "double strike", "trample"), blocker("b", "1/2"), blocks="b:x")
    assert legal_assignments(outcome(trampler, [written("x:b=2")])[0].combat, "regular", "A") == [{"x": {"D": 2}}]


def test_wither_and_deathtouch() -> None:
    withering = combat(attacker("x", "1/1", "wither"), blocker("b", "2/2"), blocks="b:x")
    result = outcome(withering, [written("x:b=1 b:x=2")])[0]
    assert (set(result.died), result.combat.creatures["b"].minus, result.combat.creatures["b"].damage) == ({"x"}, 1, 0)
    deadly = combat(attacker("x", "1/1", "wither", "deathtouch"), blocker("b", "2/2"), blocks="b:x")
    assert final(deadly, "x:b=1 b:x=2")[1] == {"x", "b"}


def test_counters_annihilate() -> None:
    given = combat(attacker("x", "1/1", "infect"), blocker("b", "2/2", plus=2), blocks="b:x")
    creature = outcome(given, [written("x:b=1 b:x=4")])[0].combat.creatures["b"]
    assert (creature.plus, creature.minus) == (1, 0)


def test_poison_and_life() -> None:
    given = combat(
        attacker("x", "4/4", "infect"), attacker("y", "1/1", "toxic 1", "toxic 2", "lifelink"), players=(Player("A"), Player("D", 5, 3))
    )
    result = outcome(given, [written("x:D=4 y:D=1")])[0]
    assert {p.name: (p.life, p.poison) for p in result.combat.players} == {"A": (21, 0), "D": (4, 10)}
    assert result.lost == {"D": {"704.5c"}}


def test_life_gained_in_the_same_step_saves() -> None:
    given = combat(
        attacker("x", "3/3"), attacker("y", "2/2"), blocker("b", "2/2", "lifelink"), blocks="b:y", players=(Player("A"), Player("D", 2))
    )
    assert final(given, "x:D=3 y:b=2 b:y=2") == ({"A": 20, "D": 1}, {"y", "b"}, {})


def test_damage_of_a_commander() -> None:
    given = combat(attacker("x", "6/6", commander=True), players=(Player("A"), Player("D", 40, 0, {"x": 15})))
    result = outcome(given, [written("x:D=6")])[0]
    assert result.combat.players[1].commander_damage == {"x": 21}
    assert result.lost == {"D": {"704.6c"}}


def test_protection_prevents_but_counts_as_assigned() -> None:
    """Second example of 702.19b."""
    green = attacker("x", "6/6", "trample", colors=frozenset({"green"}))
    given = combat(green, blocker("b", "2/2", "protection from green"), blocks="b:x")
    assert broken(given, written("x:b=1,D=5"), "regular", "A") == {"702.19b"}
    assert final(given, "x:b=2,D=4 b:x=2") == ({"A": 20, "D": 16}, set(), {})


def test_a_planeswalker_that_dies_in_the_first_step() -> None:
    given = combat(attacker("x", "2/2", "first strike"), attacker("y", "2/2"), attacks="w", planeswalkers=(Planeswalker("w", "D", 2),))
    first = outcome(given, [written("x:w=2")])[0]
    assert first.died == {"w"}
    assert legal_assignments(first.combat, "regular", "A") == [{}]


def test_nothing_happens_after_somebody_has_lost() -> None:
    given = combat(attacker("x", "20/2", "double strike"))
    results = outcome(given, [written("x:D=20"), written("x:D=20")])
    assert [result.lost for result in results] == [{"D": {"704.5a"}}]
