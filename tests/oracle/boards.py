"""Random boards for hypothesis: up to four attackers and five blockers, and everything that the oracle knows.

Everything is drawn from short lists whose first element is the plainest, so that a failing board shrinks to a small one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain

from hypothesis import strategies as st

from .blocks import (
    AllBlock,
    AllMustBlock,
    AllOrNone,
    BlocksAttacker,
    BlocksIfAble,
    Board,
    CanBeBlockedAsThoughWithout,
    CanBlockAsThough,
    CanBlockMore,
    CanBlockOnly,
    CanBlockWhileTapped,
    CannotBeBlocked,
    CannotBeBlockedBy,
    CannotBlock,
    CannotBlockAlone,
    CannotBlockThem,
    CannotBlockUnlessGreaterPower,
    CannotBlockUnlessOthers,
    CannotBlockUnlessPaid,
    Creature,
    Filter,
    Gets,
    HasKeyword,
    Land,
    LesserPowerCannotBlock,
    MaximumBlockers,
    MaximumBlockersForStrong,
    MaximumTotal,
    MinimumBlockers,
    MustBeBlocked,
    OnlyBlockedBy,
    Statement,
)

__all__ = ["boards", "declarations"]

COLORS = ["white", "blue", "black", "red", "green"]
SUBTYPES = ["Goblin", "Elf", "Wall", "Dragon"]
SUPERTYPES = ["basic", "snow", "legendary"]
EVASIONS = ["flying", "menace", "fear", "intimidate", "shadow", "horsemanship", "skulk"]
LANDWALKS = [
    "islandwalk",
    "swampwalk",
    "snow swampwalk",
    "nonbasic landwalk",
    "snow landwalk",
    "legendary landwalk",
    "artifact landwalk",
    "desertwalk",
]
PROTECTIONS = [
    "protection from red",
    "protection from black and from green",
    "protection from Goblins",
    "protection from Elves",
    "protection from artifacts",
    "protection from creatures",
    "protection from everything",
    "protection from all colors",
    "protection from multicolored",
    "protection from monocolored",
]


def rarely(one_in: int) -> st.SearchStrategy[bool]:
    """Return a strategy that is True once in `one_in`, and shrinks to False."""
    return st.integers(0, one_in - 1).map(lambda number: number == one_in - 1)


def maybe(keywords: list[str], one_in: int) -> st.SearchStrategy[list[str]]:
    """Return a strategy of none or, once in `one_in`, one of `keywords`."""
    return rarely(one_in).flatmap(lambda some: st.sampled_from(keywords).map(lambda k: [k]) if some else st.just([]))


@cache
def creatures(*, attack: bool) -> st.SearchStrategy[Creature]:
    """Return a strategy of creatures without a name, as they stand on one side."""
    keywords = st.tuples(
        maybe(["menace", *EVASIONS], 3 if attack else 6),
        maybe(EVASIONS, 12),
        maybe(LANDWALKS, 10),
        maybe(PROTECTIONS, 12),
        maybe(["reach", "trample", "defender"], 4),
        maybe(["decayed"], 25),
    )
    return st.builds(
        Creature,
        st.just(""),
        st.just("A" if attack else "D"),
        st.integers(0, 4),
        st.integers(1, 3),
        st.lists(st.sampled_from(COLORS), max_size=2).map(frozenset),
        rarely(5),
        st.lists(st.sampled_from(SUBTYPES), max_size=1).map(frozenset),
        keywords.map(lambda lists: tuple(chain.from_iterable(lists))),
        rarely(10),
        rarely(6).map(int),
    )


filters = st.one_of(
    st.builds(Filter, st.sampled_from(["color", "not color"]), st.sampled_from(COLORS)),
    st.just(Filter("artifact")),
    st.builds(Filter, st.sampled_from(["subtype", "not subtype"]), st.sampled_from(SUBTYPES)),
    st.builds(Filter, st.sampled_from(["keyword", "no keyword"]), st.sampled_from(["flying", "menace", "defender", "reach"])),
    st.builds(Filter, st.sampled_from(["power at least", "power at most"]), st.just(""), st.integers(0, 4)),
)
lands = st.builds(
    Land,
    st.just(""),
    st.sampled_from(["D", "A", "E"]),
    st.lists(st.sampled_from(["Island", "Swamp", "Desert"]), max_size=1).map(frozenset),
    st.lists(st.sampled_from(SUPERTYPES), max_size=2).map(frozenset),
    rarely(5),
)


@cache
def restrictions(attackers: tuple[str, ...], blockers: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one restriction; attackers and blockers are names, neither is empty."""
    a, b, anyone = st.sampled_from(attackers), st.sampled_from(blockers), st.sampled_from(attackers + blockers)
    small = st.integers(1, 3)
    return st.one_of(
        st.builds(CannotBlock, b, by_effect=rarely(2)),
        st.builds(CannotBlockThem, b, whom=filters),
        st.builds(CanBlockOnly, b, whom=filters),
        st.builds(CannotBlockAlone, b),
        st.builds(CannotBlockUnlessOthers, b, number=st.integers(2, 3)),
        st.builds(CannotBlockUnlessGreaterPower, b),
        st.builds(MaximumTotal, anyone, number=small),
        st.builds(CannotBeBlocked, a, by_effect=rarely(2)),
        st.builds(CannotBeBlockedBy, a, whom=filters),
        st.builds(OnlyBlockedBy, a, whom=filters),
        st.builds(LesserPowerCannotBlock, a, team=rarely(2)),
        st.builds(MinimumBlockers, a, number=st.integers(2, 4)),
        st.builds(MaximumBlockers, a, number=small),
        st.builds(MaximumBlockersForStrong, a, power=st.integers(1, 4)),
        st.builds(AllOrNone, a),
    )


@cache
def requirements(attackers: tuple[str, ...], blockers: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one requirement; attackers and blockers are names, neither is empty."""
    a, b, anyone = st.sampled_from(attackers), st.sampled_from(blockers), st.sampled_from(attackers + blockers)
    return st.one_of(
        st.builds(MustBeBlocked, a, by_effect=rarely(2)),
        st.builds(BlocksIfAble, b, by_effect=rarely(2)),
        st.builds(BlocksAttacker, b, attacker=a, by_effect=st.just(True)),
        st.builds(AllMustBlock, a, by_effect=rarely(2)),
        st.builds(AllMustBlock, a, by=filters),
        st.builds(MustBeBlocked, a, number=st.integers(2, 3)),
        st.builds(MustBeBlocked, a, number=st.integers(1, 3), exactly=st.just(True)),
        st.builds(MustBeBlocked, a, by=filters),
        st.builds(AllBlock, anyone),
    )


@cache
def permissions(attackers: tuple[str, ...], blockers: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one permission or change."""
    b, anyone = st.sampled_from(blockers), st.sampled_from(attackers + blockers)
    return st.one_of(
        st.builds(CanBlockMore, b, number=st.sampled_from([1, 2, None]), by_effect=rarely(2)),
        st.builds(CanBlockAsThough, b, whom=st.just(Filter("keyword", "shadow")), keyword=st.just("shadow")),
        st.builds(CanBlockAsThough, b, whom=st.builds(Filter, st.just("subtype"), st.sampled_from(SUBTYPES)), keyword=st.just("reach")),
        st.builds(CanBeBlockedAsThoughWithout, anyone, keyword=st.sampled_from(["islandwalk", "swampwalk"])),
        st.builds(CanBlockWhileTapped, anyone),
        st.builds(HasKeyword, anyone, keyword=st.sampled_from(["flying", "menace", "reach", "shadow"]), by_effect=rarely(2)),
        st.builds(Gets, anyone, number=st.integers(1, 3), by_effect=rarely(2)),
    )


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Draw a board. Once in four a third player E plays, and may be attacked too."""
    others = ["E"] if draw(rarely(4)) else []
    walkers = [("w", draw(st.sampled_from(["D", *others])))] if draw(rarely(4)) else []
    targets = ["D", *others, *(name for name, _ in walkers)]
    attackers = [
        replace(draw(creatures(attack=True)), name=f"a{n}", attacking=draw(st.sampled_from(targets)))
        for n in range(1, draw(st.sampled_from([1, 2, 2, 3, 3, 4])) + 1)
    ]
    blockers = [
        replace(draw(creatures(attack=False)), name=f"b{n}", controller=draw(st.sampled_from(["D", *others])))
        for n in range(1, draw(st.sampled_from([1, 2, 2, 3, 3, 4, 4, 5])) + 1)
    ]
    named = tuple(creature.name for creature in attackers), tuple(creature.name for creature in blockers)
    statements = [
        *draw(st.lists(requirements(*named), min_size=draw(st.integers(0, 3)), max_size=5)),
        *draw(st.lists(restrictions(*named), min_size=draw(st.integers(0, 2)), max_size=4)),
        *draw(st.lists(permissions(*named), min_size=draw(st.integers(0, 1)), max_size=3)),
        *(CannotBlockUnlessPaid(name, mana=2) for name in named[1] if draw(rarely(10))),
    ]
    on_the_table = [replace(land, name=f"land{n}") for n, land in enumerate(draw(st.lists(lands, max_size=2)), start=1)]
    there = tuple(land for land in on_the_table if land.controller in {"A", "D", *others})
    return Board((*attackers, *blockers), tuple(statements), there, tuple(walkers), draw(st.sampled_from([None, 0, 2, 4])))


def declarations(board: Board) -> st.SearchStrategy[dict[str, frozenset[str]]]:
    """Return a strategy of declarations on `board` by all who are attacked, mostly illegal ones."""
    attackers = [creature.name for creature in board.creatures if creature.attacking is not None]
    blockers = [name for player in board.defending_players for name in board.view(player).blockers]
    some = st.lists(st.sampled_from(attackers), max_size=2).map(frozenset)
    return st.fixed_dictionaries(dict.fromkeys(blockers, some)).map(lambda chosen: {b: a for b, a in chosen.items() if a})
