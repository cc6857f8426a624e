"""The oracle itself, on boards whose legal declarations were worked out by hand.

The rulebook's own example stands first. Most others are questions that players put to judges, or boards on which game programs
were reported to be wrong.
"""

from __future__ import annotations

import pytest

from .blocks import (
    AllMustBlock,
    AllOrNone,
    BlocksAttacker,
    BlocksIfAble,
    Board,
    CanBeBlockedAsThoughWithout,
    CanBlockAsThough,
    CanBlockMore,
    CanBlockWhileTapped,
    CannotBlock,
    CannotBlockAlone,
    CannotBlockUnlessGreaterPower,
    CannotBlockUnlessOthers,
    CannotBlockUnlessPaid,
    Creature,
    Filter,
    Gets,
    HasKeyword,
    Land,
    MaximumBlockers,
    MaximumTotal,
    MinimumBlockers,
    MustBeBlocked,
    OnlyBlockedBy,
    Statement,
    count,
    counts,
    judge,
    legal_declarations,
)


def attacker(name: str, *keywords: str, attacking: str = "D", power: int = 2) -> Creature:
    return Creature(name, "A", power, keywords=keywords, attacking=attacking)


def blocker(name: str, *keywords: str, controller: str = "D", power: int = 2) -> Creature:
    return Creature(name, controller, power, keywords=keywords)


def board(attackers: list[Creature], blockers: list[Creature], *statements: Statement) -> Board:
    return Board((*attackers, *blockers), statements)


def written(declaration: str) -> dict[str, frozenset[str]]:
    """Read `b1:m b2:m,n`."""
    pairs = [part.split(":") for part in declaration.split()]
    return {name: frozenset(attackers.split(",")) for name, attackers in pairs}


A1, A2, A3 = attacker("a1"), attacker("a2"), attacker("a3")
M1, M2 = attacker("m1", "menace"), attacker("m2", "menace")
B1, B2, B3, B4 = (blocker(f"b{n}") for n in (1, 2, 3, 4))
RED, GREEN = Creature("r", colors=frozenset({"red"})), Creature("g", colors=frozenset({"green"}))

LISTED = {
    "the example of 509.1c": (board([M1], [B1, B2], BlocksIfAble("b1")), ["b1:m1 b2:m1"]),
    "lure and menace, one able blocker": (board([M1], [B1], AllMustBlock("m1")), [""]),
    "a lure and a must, one blocker": (board([A1, A2], [B1], AllMustBlock("a1"), MustBeBlocked("a2")), ["b1:a1", "b1:a2"]),
    "a lure and a must, three blockers": (
        board([A1, A2], [B1, B2, B3], AllMustBlock("a1"), MustBeBlocked("a2")),
        ["b1:a1 b2:a1 b3:a1", "b1:a1 b2:a1 b3:a2", "b1:a1 b2:a2 b3:a1", "b1:a2 b2:a1 b3:a1"],
    ),
    "only the flyer can block the flyer": (
        board([A1, attacker("f", "flying")], [B1, blocker("w", "flying")], MustBeBlocked("a1"), MustBeBlocked("f")),
        ["b1:a1 w:f"],
    ),
    "two musts, one blocker": (board([A1, A2], [B1], MustBeBlocked("a1"), MustBeBlocked("a2")), ["b1:a1", "b1:a2"]),
    "two provokers, one blocker": (
        board([A1, A2], [B1], BlocksAttacker("b1", attacker="a1"), BlocksAttacker("b1", attacker="a2")),
        ["b1:a1", "b1:a2"],
    ),
    "a must with menace beside another attacker": (board([M1, A1], [B1, B2], MustBeBlocked("m1")), ["b1:m1 b2:m1"]),
    "one blocker in all, against menace": (
        board([M1], [B1, B2, B3], MaximumTotal("b1", number=1), BlocksAttacker("b1", attacker="m1")),
        [""],
    ),
    "only one of two musts": (
        board(
            [attacker("r1", "menace"), attacker("g1")],
            [RED, GREEN],
            OnlyBlockedBy("r1", whom=Filter("color", "red")),
            OnlyBlockedBy("g1", whom=Filter("color", "green")),
            BlocksIfAble("r"),
            BlocksIfAble("g"),
        ),
        ["g:g1"],
    ),
    "two duties outweigh one": (
        board(
            [M1, M2],
            [RED, GREEN, B1],
            OnlyBlockedBy("m1", whom=Filter("not color", "green")),
            OnlyBlockedBy("m2", whom=Filter("not color", "red")),
            BlocksIfAble("r"),
            BlocksIfAble("r"),
            BlocksIfAble("g"),
        ),
        ["r:m1 b1:m1"],
    ),
    "two slots help both": (
        board(
            [M1, M2],
            [RED, GREEN, B1],
            OnlyBlockedBy("m1", whom=Filter("not color", "green")),
            OnlyBlockedBy("m2", whom=Filter("not color", "red")),
            BlocksIfAble("r"),
            BlocksIfAble("r"),
            BlocksIfAble("g"),
            CanBlockMore("b1", number=1),
        ),
        ["r:m1 g:m2 b1:m1,m2"],
    ),
    "alone is about blockers, not about the attacker": (
        board([A1, attacker("f", "flying")], [B1, blocker("w", "reach")], *[BlocksIfAble("b1"), CannotBlockAlone("b1")]),
        ["b1:a1 w:a1", "b1:a1 w:f"],
    ),
    "a lure that can only be blocked alone": (board([A1], [B1], AllMustBlock("a1"), CannotBlockAlone("b1")), [""]),
    "a creature without a duty must help": (
        board(
            [A1, A2],
            [RED, GREEN],
            AllMustBlock("a1"),
            CannotBlockAlone("r"),
            OnlyBlockedBy("a1", whom=Filter("color", "red")),
            OnlyBlockedBy("a2", whom=Filter("color", "green")),
        ),
        ["r:a1 g:a2"],
    ),
    "two lures, one slot": (board([A1, A2], [B1], AllMustBlock("a1"), AllMustBlock("a2")), ["b1:a1", "b1:a2"]),
    "two lures, two slots": (
        board([A1, A2], [B1], AllMustBlock("a1"), AllMustBlock("a2"), CanBlockMore("b1", number=1)),
        ["b1:a1,a2"],
    ),
    "a lure and a cost to block": (board([A1], [B1], AllMustBlock("a1"), CannotBlockUnlessPaid("b1", mana=3)), ["", "b1:a1"]),
    "a lure and one blocker in all": (
        board([A1], [B1, B2], AllMustBlock("a1"), MaximumTotal("a1", number=1)),
        ["b1:a1", "b2:a1"],
    ),
    "a lure that three must block, two able": (
        board([A1], [B1, B2], AllMustBlock("a1"), MinimumBlockers("a1", number=3)),
        [""],
    ),
    "a lure that three must block, four able": (
        board([A1], [B1, B2, B3, B4], AllMustBlock("a1"), MinimumBlockers("a1", number=3)),
        ["b1:a1 b2:a1 b3:a1 b4:a1"],
    ),
    "all or none, with a tapped creature": (board([A1], [B1, Creature("t", tapped=True)], AllOrNone("a1")), [""]),
    "all or none": (board([A1], [B1, B2], AllOrNone("a1")), ["", "b1:a1 b2:a1"]),
    "greater power": (
        board([A1], [blocker("ork", power=4), blocker("big", power=5)], CannotBlockUnlessGreaterPower("ork")),
        ["", "big:a1", "big:a1 ork:a1"],
    ),
    "two others": (
        board([A1], [B1, B2, B3], *(CannotBlockUnlessOthers(f"b{n}", number=2) for n in (1, 2, 3))),
        ["", "b1:a1 b2:a1 b3:a1"],
    ),
    "menace does not count one creature twice": (board([M1, A1], [B1], CanBlockMore("b1", number=1)), ["", "b1:a1"]),
    "at most one and at least two": (board([M1], [B1, B2], MaximumBlockers("m1", number=1)), [""]),
    "shadow and flying are cumulative": (
        board([attacker("s", "shadow", "flying")], [blocker("w", "flying"), blocker("x", "shadow", "reach")]),
        ["", "x:s"],
    ),
}


@pytest.mark.parametrize("title", LISTED)
def test_legal_declarations(title: str) -> None:
    given, expected = LISTED[title]
    assert {frozenset(blocks.items()) for blocks in legal_declarations(given)} == {
        frozenset(written(declaration).items()) for declaration in expected
    }


COUNTED = {
    "no duty: each of three blocks either of two, or neither": (board([A1, A2], [B1, B2, B3]), 27),
    "one of three must block a1": (board([A1, A2], [B1, B2, B3], MustBeBlocked("a1")), 19),
    "a lure at most one can block": (board([A1, A2], [B1, B2, B3], AllMustBlock("a1"), MaximumBlockers("a1", number=1)), 12),
    "seven duties, four blockers": (
        board([A1, A2, A3], [B1, B2, B3, B4], AllMustBlock("a1"), *(MustBeBlocked(f"a{n}") for n in (1, 2, 3))),
        21,
    ),
    "two of three must block the one with menace": (board([M1, M2], [B1, B2, B3], MustBeBlocked("m1")), 4),
    "exactly one is impossible with menace": (board([M1], [B1, B2], MustBeBlocked("m1", exactly=True)), 2),
    "exactly one": (board([A1], [B1, B2], MustBeBlocked("a1", exactly=True)), 2),
    "two duties of one creature: two blockers": (board([A1], [B1, B2], MustBeBlocked("a1"), MustBeBlocked("a1", number=2)), 1),
    "must be blocked by an artifact": (
        board([A1], [B1, Creature("g", artifact=True)], MustBeBlocked("a1", by=Filter("artifact"))),
        2,
    ),
}


@pytest.mark.parametrize("title", COUNTED)
def test_count(title: str) -> None:
    given, expected = COUNTED[title]
    assert count(given) == expected


PAIRS = [
    ("flying", [], [], False),
    ("flying", ["reach"], [], True),
    ("", ["flying"], [], True),
    ("horsemanship", ["flying"], [], False),
    ("", ["horsemanship"], [], True),
    ("shadow", [], [], False),
    ("", ["shadow"], [], False),
    ("shadow", ["shadow"], [], True),
    ("fear", [], ["black"], True),
    ("fear", [], ["blue"], False),
    ("intimidate", [], ["red"], True),
    ("intimidate", [], ["blue"], False),
    ("skulk", [], [], True),
    ("protection from blue", [], ["blue", "red"], False),
    ("protection from black", [], ["blue", "red"], True),
    ("protection from multicolored", [], ["blue", "red"], False),
    ("protection from everything", [], [], False),
    ("protection from artifacts", [], [], True),
    ("protection from Goblins", [], [], False),
    ("protection from Walls", [], [], True),
    ("islandwalk", [], [], False),
    ("swampwalk", [], [], True),
    ("snow islandwalk", ["snow islandwalk"], [], False),
    ("nonbasic landwalk", [], [], True),
    ("legendary landwalk", [], [], True),
    ("", ["decayed"], [], False),
    ("", ["defender"], [], True),
]


@pytest.mark.parametrize(("keyword", "of_blocker", "colors", "legal"), PAIRS)
def test_keywords(keyword: str, of_blocker: list[str], colors: list[str], legal: bool) -> None:
    red = Creature("a", "A", colors=frozenset({"red"}), keywords=(keyword,) if keyword else (), attacking="D")
    goblin = Creature("b", colors=frozenset(colors), keywords=tuple(of_blocker), subtypes=frozenset({"Goblin"}))
    island = Land("island", "D", frozenset({"Island"}), frozenset({"basic", "snow"}))
    swamp = Land("swamp", "A", frozenset({"Swamp"}))
    given = Board((red, goblin), (), (island, swamp))
    assert judge(given, written("b:a"))["D"].legal is legal


def test_skulk_counts_counters() -> None:
    given = board([attacker("a", "skulk")], [Creature("b", base_power=2, counters=1)])
    assert judge(given, written("b:a"))["D"].restrictions == {"702.118b"}


def test_other_players_do_not_count() -> None:
    """802.4: E's creature can't block what attacks D, and D's cap and D's helpers are not E's."""
    given = board(
        [attacker("a", attacking="D"), attacker("c", attacking="E")],
        [B1, blocker("e1", controller="E"), blocker("e2", controller="E")],
        MaximumTotal("b1", number=1),
        CannotBlockAlone("e1"),
    )
    assert judge(given, written("e1:a"))["E"].restrictions == {"802.4a"}
    assert judge(given, written("b1:a e1:c"))["E"].restrictions == {"509.1b"}
    assert {player: judged.legal for player, judged in judge(given, written("b1:a e2:c")).items()} == {"D": True, "E": True}
    assert counts(given) == {"D": 2, "E": 2}


def test_requirements_are_counted_and_restrictions_named() -> None:
    given = board([M1, A1], [B1, B2], MustBeBlocked("m1"), BlocksIfAble("b1"), CannotBlock("b2"))
    judged = judge(given, written("b1:m1 b2:a1"))["D"]
    assert judged.restrictions == {"509.1b", "702.111b"}
    assert (judged.obeyed, judged.maximum) == (2, 1)
    assert judge(given, written("b1:a1"))["D"].legal


def test_a_payment_is_never_forced_and_never_taken_for_granted() -> None:
    given = board([A1], [B1], AllMustBlock("a1"), CannotBlockUnlessPaid("b1", mana=2))
    assert judge(given, {})["D"].legal
    assert judge(given, written("b1:a1"), paid=True)["D"].legal
    assert judge(given, written("b1:a1"), paid=False)["D"].restrictions == {"509.1b"}


def test_changes_come_first() -> None:
    """A creature that gains flying is described as one with flying; one that gets +1/+1 has the greater power."""
    fliers = board([A1], [B1, B2], AllMustBlock("a1", by=Filter("keyword", "flying")), HasKeyword("b1", keyword="flying", by_effect=True))
    assert not judge(fliers, {})["D"].legal
    assert judge(fliers, written("b1:a1"))["D"].legal
    skulk = board([attacker("a", "skulk")], [B1, B2], Gets("b1", number=1))
    assert judge(skulk, written("b2:a"))["D"].restrictions == {"702.118b"}


def test_as_though() -> None:
    shadow = Filter("keyword", "shadow")
    diffusion = board([attacker("s", "shadow"), A1], [B1], CanBlockAsThough("b1", whom=shadow, keyword="shadow"))
    assert count(diffusion) == 3
    island = Land("island", "D", frozenset({"Island"}))
    walker = Board((attacker("w", "islandwalk", "flying"), B1), (CanBeBlockedAsThoughWithout("b1", keyword="islandwalk"),), (island,))
    assert judge(walker, written("b1:w"))["D"].restrictions == {"702.9b"}
    masako = board([A1], [B1, Creature("t", tapped=True)], CanBlockWhileTapped("b1"))
    assert judge(masako, written("t:a1"))["D"].legal
