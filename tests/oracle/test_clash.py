"""A clash named on a random board is one, nothing in it could be left out, and none is named only where everything can hold.

What each declaration breaks and obeys is asked statement by statement, of the brute forces, and all declarations are listed, those that
break everything included. On boards too large for that the solver is asked instead.
`LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, product
from typing import Any, TypeAlias

import clingo
from hypothesis import HealthCheck, given, note, settings

from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.clash import _Searching, find_clash
from lawmage.play.declarations import Declarations
from lawmage.play.plain_clash import PlainClash
from lawmage.scenario import scenario_from

from . import attacks as attacks_oracle
from . import blocks as oracle
from .attack_boards import attack_boards
from .boards import boards

EXAMPLES = settings(
    max_examples=40 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
#: A part of a clash in words: who says it, what, and about whom. Equal sentences of one creature are one part.
Words: TypeAlias = tuple[str, ...]
#: What tells whether a declaration obeys a requirement.
Obeyed: TypeAlias = Callable[[Any], bool]
TAPPED = ("509.1a", "tapped")
TOO_MANY = ("509.1a", "blocks_too_many")
#: How it is told that a creature has been goaded, and that an effect goads it; both ask for two things.
GOADED = ("701.15b", "Goad target creature.")


def small(board: oracle.Board) -> oracle.Board:
    """Return a board with at most three attackers and three other creatures, so that all declarations can be listed."""
    there = [creature for creature in board.creatures if creature.attacking is not None][:3]
    home = [creature for creature in board.creatures if creature.attacking is None][:3]
    names = {creature.name for creature in (*there, *home)}
    kept = tuple(one for one in board.statements if one.on in names and getattr(one, "attacker", one.on) in names)
    return replace(board, creatures=(*there, *home), statements=kept)


def clashes_of(step: Declarations, player: str) -> list[frozenset[Any]]:
    """Return the clash that is found by counting, and the one that is told where some show at once."""
    position = step._position(player, ())
    search = partial(searching, step, player)
    at_once = PlainClash(position, step._entry(8), step._kinds)
    said = step.problem.sentence_of
    return [
        frozenset(find_clash(position, step._entry(6), search, seconds=60, said=said)),
        frozenset(find_clash(position, step._entry(6), search, seconds=60, at_once=at_once, said=said)),
    ]


def searching(step: Declarations, player: str) -> clingo.Control:
    facts = step._facts(player, ())
    facts.add("world", "clash")
    return step._ground(3, facts)


def in_words(step: Declarations, part: Any) -> Words:
    if isinstance(part, str):
        return (step.known.breaches[part].by, part)
    number, holder = part[:2]
    name, constraint = step.problem.holders[holder], step.problem.constraints[number]
    assert constraint is not None
    said = step.problem.rules[number] if number in step.problem.keyword_of else constraint.source
    subjects = part[3] if len(part) == 4 else ()
    if len(part) == 4 and said in GOADED:
        said = f"{said} {constraint.target}"
    return (name, said, *(step.problem.holders[one] for one in (subjects if isinstance(subjects, tuple) else (subjects,))))


def in_the_same_words(step: Declarations, found: Collection[Any]) -> set[Words]:
    """Return the words for what is stated several times, of which not all is in a clash."""
    rows = {row[:2] for size in (3, 4) for row in step.problem.facts.rows("states", size)}
    left_out = {in_words(step, row) for row in rows if row not in found and step.problem.constraints[int(row[0])] is not None}
    return left_out & {in_words(step, part) for part in found if isinstance(part, tuple) and len(part) == 2}


def broken(view: oracle.View, blocks: oracle.Blocks) -> Iterator[Words]:
    """Yield the restrictions that a declaration breaks, one by one."""
    statements = view.board.statements
    names = names_of(view.board)
    for name, attackers in blocks.items():
        untaps = any(isinstance(s, oracle.CanBlockWhileTapped) and view.creatures[s.on].controller == view.player for s in statements)
        if view.blockers[name].tapped and not untaps:
            yield TAPPED
        more = [s.number for s in statements if isinstance(s, oracle.CanBlockMore) and s.on == name]
        if None not in more and len(attackers) > 1 + sum(number or 0 for number in more):
            yield TOO_MANY
        for attacker in attackers:
            for rule in oracle.keyword_rules_broken(view, view.attackers[attacker], view.blockers[name]):
                # Shadow restricts both that have it and those that it blocks; decayed those that have it.
                holder = name if rule == "702.147a" or (rule == "702.28b" and "shadow" in view.blockers[name].keywords) else attacker
                yield (holder, rule)
    for name, creature in view.attackers.items():
        if "menace" in creature.keywords and len(view.blocking(name, blocks)) == 1:
            yield (name, "702.111b")
    for statement, name in names:
        paying = isinstance(statement, oracle.CannotBlockUnlessPaid) and statement.on in blocks
        if paying or (isinstance(statement, oracle.Restriction) and statement.broken(view, blocks)):
            yield (name, said_by(statement))


def required(view: oracle.View) -> Iterator[tuple[Words, Any]]:
    """Yield each requirement, and what tells whether a declaration obeys it."""
    for statement, name in names_of(view.board):
        said = said_by(statement)
        match statement:
            case oracle.AllBlock():
                yield from (((name, said, b), lambda blocks, b=b: b in blocks) for b in view.blockers)
            case oracle.AllMustBlock() if statement.on in view.attackers:
                for b, creature in view.blockers.items():
                    if statement.by.describes(creature):
                        yield (name, said, statement.on, b), lambda blocks, b=b, a=statement.on: a in blocks.get(b, ())
            case oracle.Requirement() if statement.on in view.attackers or statement.on in view.blockers:
                yield (name, said, statement.on), lambda blocks, one=statement: one.obeyed(view, blocks)


def names_of(board: oracle.Board | attacks_oracle.Board) -> Iterator[tuple[oracle.Statement, str]]:
    effects = 0
    for statement in board.statements:
        effects += statement.by_effect
        yield statement, f"effect {effects}" if statement.by_effect else statement.on


def said_by(statement: oracle.Statement) -> str:
    if isinstance(statement, attacks_oracle.Goaded):
        return GOADED[statement.by_effect]
    return (statement.effect if statement.by_effect else statement.sentence) or ""


@EXAMPLES
@given(boards().map(small))
def test_clashes_of_blocks(board: oracle.Board) -> None:
    mapping = oracle.to_scenario(board, {"p": {}})
    note(str(mapping))
    step = Blocks(scenario_from(mapping), explain=True)
    for player in step.players():
        view = board.view(player)
        pairs = [(b, a) for b in view.blockers for a in view.attackers]
        requirements = list(required(view))
        if not requirements:
            continue
        failing: set[frozenset[Words]] = set()
        for chosen in chain.from_iterable(combinations(pairs, size) for size in range(len(pairs) + 1)):
            blocks = {b: frozenset(a for one, a in chosen if one == b) for b, _ in chosen}
            lacking = {words for words, obeyed in requirements if not obeyed(blocks)}
            failing.add(frozenset(lacking.union(broken(view, blocks))))
        assert_clash(step, player, failing)


def small_attack(board: attacks_oracle.Board) -> attacks_oracle.Board:
    """Return a board with at most three attackers and two opponents, without battles, on which nobody goads a creature twice."""
    players = board.players[:3]
    there = board.creatures[:3]
    walkers = tuple(each for each in board.planeswalkers if each[1] in players)[:1]
    enchantments = tuple(each for each in board.enchantments if each[1] in players)
    names = {*(creature.name for creature in there), *(name for name, _ in (*walkers, *enchantments))}
    kept: dict[object, oracle.Statement] = {}
    for one in board.statements:
        named = getattr(one, "player", players[0])
        if one.on in names and named in players:
            kept[("goads", one.on, one.by) if isinstance(one, attacks_oracle.Goaded) else len(kept)] = one
    return replace(
        board,
        creatures=there,
        statements=tuple(kept.values()),
        players=players,
        lands=tuple(land for land in board.lands if land.controller in players),
        planeswalkers=walkers,
        battles=(),
        enchantments=enchantments,
        sick=board.sick & names,
    )


def failing_attacks(view: attacks_oracle.View, chosen: Collection[tuple[str, str]], requirements: Mapping[Words, Obeyed]) -> set[Words]:
    """Return all that a declaration breaks and does not obey; a creature that attacks several things is asked about each."""
    targets: dict[str, list[str]] = {}
    for name, target in chosen:
        targets.setdefault(name, []).append(target)
    selections = [dict(zip(targets, some, strict=True)) for some in product(*targets.values())]
    found = {words for words, obeyed in requirements.items() if not any(map(obeyed, selections))}
    for name, those in targets.items():
        if len(those) > 1:
            found.add(("508.1b", "one_target"))
        if view.creatures[name].tapped:
            found.add(("508.1a", "tapped_attacker"))
        elif attacks_oracle.held_back_by_sickness(view, view.creatures[name]):
            found.add(("302.6", "sick_attacker"))
        if attacks_oracle.held_back_by_defender(view, view.creatures[name]):
            found.add((name, "702.3b"))
    for statement, name in names_of(view.board):
        match statement:
            case attacks_oracle.Restriction() if any(statement.broken(view, one) for one in selections):
                found.add((name, said_by(statement)))
            case attacks_oracle.Cost() if any(statement.due(view, *pair) for pair in chosen):
                found.add((name, said_by(statement)))
    return found


def required_attacks(view: attacks_oracle.View) -> Iterator[tuple[Words, Obeyed]]:
    """Yield each requirement, and what tells whether a declaration obeys it."""
    for statement, name in names_of(view.board):
        said = said_by(statement)
        match statement:
            case attacks_oracle.Goaded():
                holder = name if statement.by_effect else statement.by
                yield (holder, f"{said} None", statement.on), partial(obeys, statement, view, 1)
                yield (holder, f"{said} another player", statement.on), partial(obeys, statement, view, 2)
            case attacks_oracle.AllAttack() | attacks_oracle.TeamAttacks() | attacks_oracle.OpponentsAttack():
                for attacker, creature in view.attackers.items():
                    own = isinstance(statement, attacks_oracle.TeamAttacks)
                    if isinstance(statement, attacks_oracle.AllAttack) or (
                        getattr(statement, "whom", oracle.every_creature()).describes(creature)
                        and own == (view.controllers[statement.on] == "A")
                    ):
                        yield (name, said, attacker), partial(obeys_alone, statement, view, attacker)
            case attacks_oracle.Requirement():
                yield (name, said, statement.on), partial(obeys, statement, view, 1)


def obeys(statement: attacks_oracle.Requirement, view: attacks_oracle.View, number: int, attacks: attacks_oracle.Attacks) -> bool:
    return int(statement.obeyed(view, attacks)) >= number


def obeys_alone(statement: attacks_oracle.Requirement, view: attacks_oracle.View, attacker: str, attacks: attacks_oracle.Attacks) -> bool:
    """Whether a statement about several creatures is obeyed by one of them."""
    return attacker in attacks and bool(statement.obeyed(view, {attacker: attacks[attacker]}))


@EXAMPLES
@given(attack_boards().map(small_attack))
def test_clashes_of_attacks(board: attacks_oracle.Board) -> None:
    mapping = attacks_oracle.to_scenario(board, {"p": ({}, ())})
    note(str(mapping))
    step = Attacks(scenario_from(mapping), explain=True)
    view = board.view()
    requirements = dict(required_attacks(view))
    if requirements:
        pairs = list(product(view.attackers, view.targets))
        everything = chain.from_iterable(combinations(pairs, size) for size in range(len(pairs) + 1))
        assert_clash(step, "A", {frozenset(failing_attacks(view, chosen, requirements)) for chosen in everything})


def assert_clash(step: Declarations, player: str, failing: set[frozenset[Words]]) -> None:
    """Assert that a clash is found if each declaration fails something, that each fails a part of it, and some no other part than each."""
    for found in clashes_of(step, player):
        clash = {in_words(step, part) for part in found}
        note(f"{player}: {sorted(clash)}")
        assert bool(clash) == (frozenset() not in failing)
        assert all(clash & each for each in failing) or not clash
        if clash & in_the_same_words(step, found):
            # The brute force does not tell protection from one quality from that from another.
            continue
        for part in clash:
            assert any(clash & each == {part} for each in failing), f"{part} could be left out"


@EXAMPLES
@given(attack_boards())
def test_clashes_of_attacks_on_larger_boards(board: attacks_oracle.Board) -> None:
    mapping = attacks_oracle.to_scenario(board, {"p": ({}, ())})
    note(str(mapping))
    assert_smallest(Attacks(scenario_from(mapping), explain=True))


@EXAMPLES
@given(boards())
def test_clashes_of_blocks_on_larger_boards(board: oracle.Board) -> None:
    mapping = oracle.to_scenario(board, {"p": {}})
    note(str(mapping))
    assert_smallest(Blocks(scenario_from(mapping), explain=True))


def assert_smallest(step: Declarations) -> None:
    """Assert that the solver finds no declaration for a clash, and one for it without each of its parts."""
    for player in step.players():
        if "requirement" not in step.problem.groups or step.problem.conditions:
            continue
        solver = _Searching(partial(searching, step, player), 60)
        for clash in clashes_of(step, player):
            note(f"{player}: {clash}")
            assert solver.clash(clash if clash else None)[0] == clash
            for part in clash:
                assert not solver.clash(clash - {part})[0]
