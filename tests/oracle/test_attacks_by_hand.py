"""The oracle for attacks itself, on boards whose legal declarations were worked out by hand.

The rulebook's own examples stand first. Most others are questions that players put to judges, or boards on which game programs
were reported to be wrong.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from .attacks import (
    AllAttack,
    AttackAsThoughWithoutDefender,
    AttacksIfAble,
    AttacksPlayer,
    AttacksTax,
    Board,
    CannotAttack,
    CannotAttackAlone,
    CannotAttackPlayer,
    CannotAttackUnlessControls,
    CannotAttackUnlessGreaterPower,
    CannotAttackUnlessOthers,
    CannotAttackUnlessPaid,
    CannotAttackUnlessSuch,
    CreaturesCannotAttackYou,
    Goaded,
    MaximumAttackers,
    MaximumAttackersOfYou,
    OnlyAttacksAlone,
    OpponentsAttack,
    TeamAttacks,
    judge,
    legal_declarations,
    to_scenario,
)
from .blocks import Creature, Filter, HasKeyword, Land, Statement

X, Y, Z = (Creature(name, "A") for name in "xyz")
GOBLIN = Creature("g", "A", subtypes=frozenset({"Goblin"}))
WALL = Creature("wall", "A", keywords=("defender",))
THREE, FOUR = ("A", "D", "E"), ("A", "D", "E", "F")
TAX = AttacksTax("e", mana=2)
TAXED = (("e", "D"),)


def board(creatures: list[Creature], *statements: Statement, players: tuple[str, ...] = ("A", "D")) -> Board:
    return Board(tuple(creatures), statements, players)


def written(declaration: str) -> dict[str, str]:
    """Read `x:D y:E`; without a colon D is attacked."""
    return {part.partition(":")[0]: part.partition(":")[2] or "D" for part in declaration.split()}


LISTED = {
    "first example of 508.1c": (board([X, Y], CannotAttackAlone("x"), CannotAttackAlone("y")), ["", "x y"]),
    "example of 508.1d": (board([X, Y], AttacksIfAble("x"), MaximumAttackers("y", number=1)), ["x"]),
    "alone and if able, alone": (board([X], AttacksIfAble("x"), CannotAttackAlone("x")), [""]),
    "alone and if able, with a partner": (board([X, Y], AttacksIfAble("x"), CannotAttackAlone("x")), ["x y"]),
    "one attacker, two must": (board([X, Y], AttacksIfAble("x"), AttacksIfAble("y"), MaximumAttackers("x", number=1)), ["x", "y"]),
    "two duties outweigh one": (
        board([X, Y], AttacksIfAble("x"), AttacksIfAble("x"), AttacksIfAble("y"), MaximumAttackers("x", number=1)),
        ["x"],
    ),
    "only alone": (board([X, Y], OnlyAttacksAlone("x")), ["", "x", "y"]),
    "three that need two others": (board([X, Y, Z], *(CannotAttackUnlessOthers(name, number=2) for name in "xyz")), ["", "x y z"]),
    "greater power": (board([X, replace(Y, base_power=3)], CannotAttackUnlessGreaterPower("x")), ["", "y", "x y"]),
    "a Goblin does not help itself": (
        board([GOBLIN, X], CannotAttackUnlessSuch("g", whom=Filter("subtype", "Goblin"))),
        ["", "x"],
    ),
    "a tax is not forced, and may be paid": (Board((X,), (AttacksIfAble("x"), TAX), enchantments=TAXED), ["", "x"]),
    "a tax that cannot be paid": (Board((X,), (AttacksIfAble("x"), TAX), enchantments=TAXED, mana=1), [""]),
    "two taxed attackers, mana for one": (Board((X, Y), (TAX,), enchantments=TAXED, mana=3), ["", "x", "y"]),
    "paying obeys too little": (Board((X, Y), (AttacksIfAble("y"), CannotAttackUnlessPaid("x", mana=1))), ["y", "x y"]),
    "one is goaded, the other not": (board([X, Y], Goaded("x", by="D")), ["x", "x y"]),
    "goaded, three players": (board([X], Goaded("x", by="D"), players=THREE), ["x:E"]),
    "goaded by both opponents": (board([X], Goaded("x", by="D"), Goaded("x", by="E"), players=THREE), ["x:D", "x:E"]),
    "goaded by two of three opponents": (board([X], Goaded("x", by="D"), Goaded("x", by="E"), players=FOUR), ["x:F"]),
    "two goaded, one may attack": (
        board([X, Y], Goaded("x", by="D"), Goaded("y", by="D"), MaximumAttackers("x", number=1), players=FOUR),
        ["x:E", "x:F", "y:E", "y:F"],
    ),
    "goaded, but only the goader can be attacked": (
        board([X], Goaded("x", by="D"), CannotAttackPlayer("x", player="E", by_effect=True), players=THREE),
        ["x:D"],
    ),
    "a planeswalker is not a player": (Board((X,), (Goaded("x", by="D"),), THREE, planeswalkers=(("w", "E"), ("v", "D"))), ["x:E"]),
    "goaded by two, a planeswalker of the third": (
        Board((X,), (Goaded("x", by="D"), Goaded("x", by="E"), CreaturesCannotAttackYou("w")), FOUR, planeswalkers=(("w", "F"),)),
        ["x:D", "x:E"],
    ),
    "goaded, and told to attack the goader": (
        board([X], Goaded("x", by="D"), AttacksPlayer("x", player="D", by_effect=True), players=THREE),
        ["x:D", "x:E"],
    ),
    "goaded twice by one player, told to attack them": (
        board([X], Goaded("x", by="D"), Goaded("x", by="D"), AttacksPlayer("x", player="D", by_effect=True), players=THREE),
        ["x:D", "x:E"],
    ),
    "goaded by two, told to attack one": (
        board([X], Goaded("x", by="D"), Goaded("x", by="E"), AttacksPlayer("x", player="D", by_effect=True), players=THREE),
        ["x:D"],
    ),
    "goaded, and a tax of the only other opponent": (
        Board((X,), (Goaded("x", by="E"), TAX), THREE, planeswalkers=(("w", "D"), ("v", "E")), enchantments=TAXED),
        ["x:D", "x:E", "x:w", "x:v"],
    ),
    "all attack but the wall": (board([X, WALL], AllAttack("x")), ["x"]),
    "all attack, a wall that can": (board([X, WALL], AllAttack("x"), AttackAsThoughWithoutDefender("x", team=True)), ["x wall"]),
    "Goblins attack": (board([X, GOBLIN], TeamAttacks("x", whom=Filter("subtype", "Goblin"))), ["g", "g x"]),
    "opponents' creatures attack that player": (
        Board((X,), (OpponentsAttack("e", you=True),), THREE, enchantments=(("e", "E"),)),
        ["x:E"],
    ),
    "opponents' creatures are not A's own": (Board((X,), (OpponentsAttack("e"),), enchantments=(("e", "A"),)), ["", "x"]),
    "an Island of the player who is attacked": (
        Board((X,), (CannotAttackUnlessControls("x", defending=True, land="Island"),), THREE, (Land("l", "E", frozenset({"Island"})),)),
        ["", "x:E"],
    ),
    "an Island of the battle's protector": (
        Board(
            (X,),
            (CannotAttackUnlessControls("x", defending=True, land="Island"),),
            THREE,
            (Land("l", "E", frozenset({"Island"})),),
            battles=(("s", "A", "E"),),
        ),
        ["", "x:E", "x:s"],
    ),
    "a battle that its controller's opponent does not protect": (Board((X,), battles=(("s", "D", "A"),)), ["", "x"]),
    "one attacker of one player, and their planeswalker": (
        Board((X, Y), (MaximumAttackersOfYou("e", number=1),), planeswalkers=(("w", "D"),), enchantments=TAXED),
        ["", "x", "y", "x:w", "y:w", "x:w y", "x y:w", "x:w y:w"],
    ),
    "sick, and sick with haste": (Board((X, replace(Y, keywords=("haste",))), sick=frozenset({"x", "y"})), ["", "y"]),
    "tapped": (board([replace(X, tapped=True)], AttacksIfAble("x")), [""]),
    "cannot beats must": (board([X], AttacksIfAble("x"), CannotAttack("x", by_effect=True)), [""]),
}


@pytest.mark.parametrize("title", LISTED)
def test_legal_declarations(title: str) -> None:
    given, expected = LISTED[title]
    assert {frozenset(attacks.items()) for attacks in legal_declarations(given)} == {
        frozenset(written(declaration).items()) for declaration in expected
    }


def test_requirements_are_counted_and_restrictions_named() -> None:
    """Goaded by D, and by D and E: five of six requirements can be obeyed."""
    given = board([X, Y, WALL], Goaded("x", by="D"), Goaded("y", by="D"), Goaded("y", by="E"), AttacksIfAble("wall"), players=FOUR)
    judged = judge(given, written("x:E y:E"))
    assert (judged.obeyed, judged.maximum, judged.legal) == (5, 6, False)
    assert judge(given, written("x:E y:F")).legal
    assert judge(given, written("wall")).restrictions == {"702.3b"}
    assert judge(given, written("x:A")).restrictions == {"508.1b"}


def test_changes_come_first() -> None:
    given = replace(board([X], HasKeyword("x", keyword="haste", by_effect=True)), sick=frozenset({"x"}))
    assert judge(given, written("x")).legal
    assert judge(board([X], HasKeyword("x", keyword="defender")), written("x")).restrictions == {"702.3b"}


def test_a_payment_is_never_taken_for_granted() -> None:
    given = Board((X,), (TAX,), THREE, enchantments=TAXED)
    assert judge(given, written("x"), paid=False).restrictions == {"508.1j"}
    assert judge(given, written("x:E"), paid=False).legal
    assert to_scenario(given, {"p": (written("x"), ())})["propose"] == {"p": {"x": {"target": "D", "pay": "{2}"}}}


BANDS = [
    (["banding", "banding"], "D D", set()),
    (["banding", ""], "D D", set()),
    (["banding", "", ""], "D D D", {"702.22c"}),
    (["banding", "banding", ""], "D D D", set()),
    (["", ""], "D D", {"702.22c"}),
    (["banding", ""], "D E", {"702.22d"}),
    (["bands with other Goblins", "Goblin", "Goblin"], "D D D", set()),
    (["bands with other Goblins", "Goblin", ""], "D D D", {"702.22c"}),
    (["bands with other Goblins", "banding"], "D D", set()),
]


@pytest.mark.parametrize(("members", "targets", "broken"), BANDS)
def test_bands(members: list[str], targets: str, broken: set[str]) -> None:
    goblin = frozenset({"Goblin"})
    creatures = [
        Creature(f"x{n}", "A", keywords=(kind,) if "band" in kind else (), subtypes=goblin if "Goblin" in kind else frozenset())
        for n, kind in enumerate(members)
    ]
    attacks = {creature.name: target for creature, target in zip(creatures, targets.split(), strict=True)}
    assert judge(board(creatures, players=THREE), attacks, [frozenset(attacks)]).restrictions == broken
