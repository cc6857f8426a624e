"""`lawmage lethal` and best blocks on random boards with costs, planeswalkers, battles, other players and what triggers in combat.

What they say is what the brute force says: whether an attack wins, that it does, that each defence holds, how much damage is certain, and
what a best block leaves. `LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.play.best_block import best_block, score_of
from lawmage.play.lethal import lethal
from lawmage.play.lethal_damage import max_damage
from lawmage.scenario import scenario_from

from .damage import Fighter, Player
from .whole_combats import (
    ATTACKING,
    BLOCKING,
    Attack,
    Board,
    Creature,
    attacks,
    best_score,
    blocks,
    guaranteed,
    is_lethal,
    loses,
    to_scenario,
    winning_attacks,
)

FIGHTING = [
    "first strike",
    "double strike",
    "deathtouch",
    "infect",
    "wither",
    "lifelink",
    "indestructible",
    "flying",
    "bushido 1",
    "flanking",
]
FOR_ATTACKERS = [
    *["trample", "trample over planeswalkers", "menace", "skulk", "toxic 2", "protection from red", "defender", "haste"],
    *["rampage 1", "exalted", "frenzy 1", "afflict 1", "battle cry", "melee"],
]
EXAMPLES = settings(
    max_examples=12 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def seldom(one_in: int) -> st.SearchStrategy[bool]:
    return st.integers(0, one_in - 1).map(lambda number: number == one_in - 1)


@st.composite
def creatures(draw: st.DrawFn, name: str, side: str) -> Creature:
    words = [*FIGHTING, *FOR_ATTACKERS] if side == "A" else [*FIGHTING, "reach", "protection from red"]
    keywords = draw(st.lists(st.sampled_from(words), max_size=2, unique=True))
    if "trample" in keywords and "trample over planeswalkers" in keywords:
        keywords.remove("trample")
    texts = {"A": ATTACKING, "D": BLOCKING}.get(side)
    says = draw(st.sampled_from(sorted(texts))) if texts and draw(seldom(3)) else None
    toughness = draw(st.integers(1, 3))
    kept = draw(st.sampled_from([*[""] * 16, "spared", "harmless", "shell", "shields", "umbra"]))
    fighter = Fighter(
        name,
        side,
        draw(st.integers(0, 3)),
        toughness,
        tuple(sorted(keywords)),
        frozenset({"red"} if draw(st.booleans()) else ()),
        draw(st.sampled_from([0, 0, min(1, toughness - 1)])),
        commander=side == "A" and draw(seldom(6)),
        spared=kept == "spared",
        harmless=kept == "harmless",
        shell=int(kept == "shell"),
        shields=int(kept == "shields"),
        umbra=kept == "umbra",
    )
    goaded = draw(st.sampled_from([*[""] * 9, "D"])) if side == "A" else ""
    return Creature(fighter, frozenset({says} if says else ()), side == "A" and draw(seldom(12)), goaded)


@st.composite
def boards(draw: st.DrawFn, size: int) -> Board:
    others = ("E",) if draw(seldom(4)) else ()
    sides = {"A": draw(st.integers(1, size)), "D": draw(st.integers(0, size)), **dict.fromkeys(others, 1)}
    there = tuple(draw(creatures(f"{side.lower()}{number}", side)) for side, many in sides.items() for number in range(many))
    taken = draw(st.sampled_from([0, 18, 19]))
    commanders = {one.name: taken for one in there if one.fighter.commander}
    paid, capped = draw(st.booleans()), draw(seldom(4))
    mana, few = st.sampled_from([None, 0, 1, 2]), st.sampled_from([None, 1, 2])
    return Board(
        there,
        Player("D", draw(st.integers(1, 7)), draw(st.sampled_from([0, 0, 7, 8, 9])), commanders),
        others,
        (draw(mana), draw(mana)) if paid else (None, None),
        (draw(st.integers(0, 2)), draw(st.integers(0, 2))),
        (draw(few), draw(few)) if capped else (None, None),
        draw(st.sampled_from([0, 0, 0, 1, 2, 3])),
        draw(st.integers(0, 1)) if paid else 0,
        draw(st.sampled_from([0, 0, 1])) if paid else 0,
        draw(st.sampled_from([0, 0, 1, 3])),
        draw(st.sampled_from([0, 0, 0, 2])),
        # What is prevented and multiplied in which order would be chosen (616.1).
        () if any(one.fighter.shell for one in there) else draw(st.sampled_from([(), (), (), (), ("A",), ("D",)])),
    )


def against(board: Board, attack: Attack, block: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return what D's creatures block in a defence, without what does not attack, in the order of the board."""
    mine = {one.name for one in board.of("D")}
    left = {name: tuple(one for one in attack if one in set(those)) for name, those in block.items() if name in mine}
    return {name: those for name, those in left.items() if those}


def as_sets(block: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(those) for name, those in block.items()}


def assert_holds(board: Board, attack: Attack, found: Mapping[str, Iterable[str]]) -> None:
    block = against(board, attack, found)
    assert as_sets(block) in [as_sets(one) for one in blocks(board, attack)]
    assert not loses(board, attack, block)


@EXAMPLES
@given(boards(2) | boards(3))
def test_whether_any_attack_wins(board: Board) -> None:
    mapping = to_scenario(board)
    note(str(mapping))
    scenario = scenario_from(mapping)
    legal, winning = attacks(board), winning_attacks(board)
    found = lethal(scenario, player="D", seconds=None)
    assert found.verdict == ("yes" if winning else "no"), found.reason
    assert found.attack is None or dict(found.attack) in winning
    for defence in found.defences:
        if dict(defence.attack) in legal:
            assert_holds(board, {name: str(target) for name, target in defence.attack.items()}, defence.block)
    most = max_damage(scenario, player="D", seconds=None)
    expected = max(guaranteed(board, attack) for attack in legal)
    assert (most.verdict, most.at_least, most.at_most) == ("found", expected, expected), most.reason


@EXAMPLES
@given(st.data())
def test_what_an_attack_comes_to(data: st.DataObject) -> None:
    board = data.draw(boards(3))
    attack = data.draw(st.sampled_from(attacks(board)))
    mapping = to_scenario(board, attack)
    note(str(mapping))
    scenario = scenario_from(mapping)
    found = lethal(scenario, player="D", seconds=None)
    assert found.verdict == ("yes" if is_lethal(board, attack) else "no"), found.reason
    for defence in found.defences:
        assert_holds(board, attack, defence.block)
    assert max_damage(scenario, player="D", seconds=None).at_least == guaranteed(board, attack)
    if attack and not {*attack.values()} & {*board.others}:
        best = best_block(scenario, seconds=None)
        survives, *left = best_score(board, attack)
        assert best.score.loses != survives
        if survives:
            assert [best.score.life, best.score.value] == left
            assert score_of(scenario, best.block) == best.score


def test_the_brute_force_itself() -> None:
    """A creature that has to be blocked costs life as it is, and a blocker that is weakened is gone before damage."""
    lure = Creature(Fighter("a0", "A", 0, 1, ("afflict 2",)), frozenset({"lures"}))
    knight = Creature(Fighter("a1", "A", 2, 2, ("flanking",)))
    blocker = Creature(Fighter("d0", "D", 3, 1))
    board = Board((lure, knight, blocker), Player("D", 4), loyalty=3, barred=1)
    assert winning_attacks(board) == []
    assert winning_attacks(replace(board, defender=Player("D", 2))) == [
        {"a0": "D"},
        {"a0": "D", "a1": "w"},
        {"a0": "w"},
        {"a0": "w", "a1": "w"},
    ]
    assert guaranteed(replace(board, barred=0), {"a1": "D"}) == 0
    assert best_score(replace(board, barred=0), {"a1": "D"}) == (True, 4, -5)
