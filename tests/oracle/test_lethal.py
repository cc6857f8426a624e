"""`lawmage lethal` says of random boards what the brute force says: whether an attack wins, that it does, and that each defence holds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.board import Attack
from lawmage.play.lethal import lethal
from lawmage.play.lethal_damage import max_damage
from lawmage.scenario import scenario_from

from .damage import Fighter, Player
from .lethal import (
    TEXTS,
    Board,
    Creature,
    attacks,
    blocks,
    combat_of,
    damage_done,
    guaranteed,
    is_lethal,
    loses,
    to_scenario,
    winning_attacks,
)

ATTACKING = ["must_attack", "not_alone", "must_be_blocked", "lures"]
BLOCKING = ["must_block", "cannot_block", "not_alone_blocking", "blocks_two"]
KEYWORDS = [
    "trample",
    "menace",
    "flying",
    "first strike",
    "double strike",
    "deathtouch",
    "infect",
    "toxic 2",
    "indestructible",
    "wither",
    "protection from red",
]
DEFENDING = [
    "flying",
    "reach",
    "first strike",
    "deathtouch",
    "lifelink",
    "indestructible",
    "double strike",
    "infect",
    "protection from red",
]
EXAMPLES = int(os.environ.get("LAWMAGE_EXAMPLES", "1"))


def rare(words: list[str], one_in: int) -> st.SearchStrategy[frozenset[str]]:
    return st.integers(0, one_in - 1).flatmap(
        lambda n: st.sampled_from(words).map(lambda word: frozenset({word})) if not n else st.just(frozenset())
    )


def creature(
    side: str, power: int, toughness: int, keywords: list[frozenset[str]], says: frozenset[str], damage: int, commander: bool, red: bool
) -> Creature:
    words = tuple(sorted(frozenset().union(*keywords)))
    colors = frozenset({"red"} if red else ())
    return Creature(Fighter("", side, power, toughness, words, colors, min(damage, toughness - 1), commander=commander), says)


def creatures(side: str, restricted: bool) -> st.SearchStrategy[Creature]:
    words = KEYWORDS if side == "A" else DEFENDING
    texts = st.just(frozenset[str]()) if not restricted else rare(ATTACKING if side == "A" else BLOCKING, 4)
    return st.builds(
        creature,
        st.just(side),
        st.integers(0, 3),
        st.integers(1, 3),
        st.tuples(rare(words, 2), rare(words, 3)).map(list),
        texts,
        st.sampled_from([0, 0, 0, 1]),
        st.sampled_from([False] * 5 + [side == "A"]),
        st.booleans(),
    )


def named(one: Creature, name: str) -> Creature:
    return replace(one, fighter=replace(one.fighter, name=name))


def made(attackers: list[Creature], blockers: list[Creature], life: int, poison: int, taken: int, most: int | None) -> Board:
    those = [named(one, f"a{n}") for n, one in enumerate(attackers)] + [named(one, f"b{n}") for n, one in enumerate(blockers)]
    commanders = {one.name: taken for one in those if one.fighter.commander}
    return Board(tuple(those), Player("D", life, poison, commanders), most)


@st.composite
def boards(draw: st.DrawFn, size: int) -> Board:
    restricted = draw(st.booleans())
    return made(
        draw(st.lists(creatures("A", restricted), min_size=1, max_size=size)),
        draw(st.lists(creatures("D", restricted), min_size=1, max_size=size)),
        draw(st.integers(1, 7)),
        draw(st.sampled_from([0, 7, 8, 9])),
        draw(st.sampled_from([0, 18, 19])),
        draw(st.sampled_from([None, 1, 2])) if restricted else None,
    )


def agree(board: Board) -> None:
    found = lethal(scenario_from(to_scenario(board)), seconds=None)
    winning = winning_attacks(board)
    note(f"{to_scenario(board)}\n{found}\n{winning}")
    assert found.verdict == ("yes" if winning else "no"), found.reason
    if found.attack is not None:
        assert tuple(name for name in (one.name for one in board.of("A")) if name in found.attack) in winning
    for defence in found.defences:
        if defence.attack or defence.answers != "every attack":
            attack = tuple(defence.attack)
            block = against(attack, defence.block)
            assert as_sets(block) in [as_sets(one) for one in blocks(board, attack)]
            assert not loses(combat_of(board, attack, block))
    if found.verdict == "no":
        check_coverage(board, found.as_json()["defences"], found.yields)


def agree_on_damage(board: Board) -> None:
    scenario = scenario_from(to_scenario(board))
    found = max_damage(scenario, seconds=None)
    legal_attacks = attacks(board)
    most = max(guaranteed(board, attack) for attack in legal_attacks)
    note(f"{to_scenario(board)}\n{found}\n{most}")
    assert (found.verdict, found.at_least, found.at_most) == ("found", most, most), found.reason
    attack = tuple(name for name in (one.name for one in board.of("A")) if name in (found.attack or {}))
    assert attack in legal_attacks
    assert guaranteed(board, attack) == most
    check_block(board, attack, found.block, most)
    for attack in legal_attacks[:3]:
        declared = replace(scenario.board, attacks=tuple(Attack(name, "D") for name in attack))
        of_this = max_damage(replace(scenario, board=declared), seconds=None)
        assert (of_this.verdict, of_this.at_least) == ("found", guaranteed(board, attack))
        check_block(board, attack, of_this.block, of_this.at_least)


def check_block(board: Board, attack: tuple[str, ...], found: Mapping[str, Any] | None, damage: int) -> None:
    block = against(attack, found or {})
    assert as_sets(block) in [as_sets(one) for one in blocks(board, attack)]
    assert damage_done(combat_of(board, attack, block)) == damage


def as_sets(block: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    return {name: set(those) for name, those in block.items()}


def against(attack: tuple[str, ...], block: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return a block without what does not attack."""
    left = {name: tuple(one for one in those if one in attack) for name, those in block.items()}
    return {name: those for name, those in left.items() if those}


def check_coverage(board: Board, defences: list[dict[str, Any]], yields: Iterable[tuple[str, str]]) -> None:
    """Each legal attack is answered by a defence that says so, or another legal attack is said to be as good."""
    legal_attacks = {frozenset(attack): attack for attack in attacks(board)}
    for those, attack in legal_attacks.items():
        exchanged = [those - {worse} | {better} for worse, better in yields if worse in those and better not in those]
        if exchanged:
            assert exchanged[0] in legal_attacks
            assert is_lethal(board, legal_attacks[exchanged[0]]) >= is_lethal(board, attack)
            continue
        answered = False
        for defence in defences:
            if defence["answers"] == "this attack" and set(defence["attack"]) != set(attack):
                continue
            block = against(attack, defence["block"])
            legal = as_sets(block) in [as_sets(one) for one in blocks(board, attack)]
            holds = legal and not loses(combat_of(board, attack, block))
            assert holds or defence["answers"] == "attacks that it holds"
            answered |= holds
        assert answered, attack


@settings(max_examples=40 * EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(boards(3))
def test_small_boards(board: Board) -> None:
    agree(board)


@settings(max_examples=40 * EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(boards(3))
def test_damage_on_small_boards(board: Board) -> None:
    agree_on_damage(board)


@pytest.mark.slow
@settings(max_examples=100 * EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(boards(4))
def test_damage_on_boards_of_four(board: Board) -> None:
    agree_on_damage(board)


@pytest.mark.slow
@settings(max_examples=150 * EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(boards(4))
def test_boards_of_four(board: Board) -> None:
    agree(board)


def test_the_brute_force_itself() -> None:
    """Menace takes two blockers, and one trampler gets through what is left."""
    attackers = [named(Creature(Fighter("", "A", 3, 3, ("trample",))), "t"), named(Creature(Fighter("", "A", 2, 2, ("menace",))), "m")]
    blockers = [named(Creature(Fighter("", "D", 1, 1)), "b"), named(Creature(Fighter("", "D", 1, 1)), "c")]
    assert is_lethal(Board((*attackers, *blockers), Player("D", 3)), ("t", "m"))
    assert not is_lethal(Board((*attackers, *blockers), Player("D", 4)), ("t", "m"))
    assert set(TEXTS) == {*ATTACKING, *BLOCKING}
