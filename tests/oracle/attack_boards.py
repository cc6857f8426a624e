"""Random boards for declaring attackers: up to four attackers, four opponents' players, planeswalkers and battles to attack.

As in boards.py, everything is drawn from short lists whose first element is the plainest.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain

from hypothesis import strategies as st

from .attacks import (
    AllAttack,
    AttackAsThoughHasty,
    AttackAsThoughWithoutDefender,
    Attacks,
    AttacksIfAble,
    AttacksPlayer,
    AttacksTax,
    Board,
    CannotAttack,
    CannotAttackAlone,
    CannotAttackPlayer,
    CannotAttackUnlessControls,
    CannotAttackUnlessGreaterPower,
    CannotAttackUnlessHas,
    CannotAttackUnlessOthers,
    CannotAttackUnlessPaid,
    CannotAttackUnlessPaidForCounters,
    CannotAttackUnlessSuch,
    CountersTax,
    CreaturesCannotAttack,
    CreaturesCannotAttackYou,
    Goaded,
    LandTypesTax,
    MaximumAttackers,
    MaximumAttackersOfYou,
    OnlyAttacksAlone,
    OpponentsAttack,
    TeamAttacks,
)
from .blocks import Creature, Filter, Gets, HasKeyword, Land, Statement, every_creature
from .boards import COLORS, SUBTYPES, filters, maybe, rarely

__all__ = ["attack_boards", "attack_declarations"]

WHAT_PLAYERS_HAVE = ["hand", "life", "graveyard", "poison"]
some_creatures = st.one_of(st.just(every_creature()), filters)


@cache
def creatures() -> st.SearchStrategy[Creature]:
    """Return a strategy of creatures of A without a name."""
    keywords = st.tuples(
        maybe(["defender"], 8),
        maybe(["haste"], 5),
        maybe(["vigilance", "flying", "reach", "menace"], 4),
        maybe(["banding", "bands with other Goblins"], 8),
    )
    return st.builds(
        Creature,
        st.just(""),
        st.just("A"),
        st.integers(0, 4),
        st.integers(1, 3),
        st.lists(st.sampled_from(COLORS), max_size=2).map(frozenset),
        rarely(5),
        st.lists(st.sampled_from(SUBTYPES), max_size=1).map(frozenset),
        keywords.map(lambda lists: tuple(chain.from_iterable(lists))),
        rarely(12),
        rarely(6).map(int),
    )


def lands(players: list[str]) -> st.SearchStrategy[Land]:
    """Return a strategy of lands without a name."""
    kinds = st.sampled_from(["Island", "Swamp"]).map(lambda kind: frozenset({kind}))
    return st.builds(Land, st.just(""), st.sampled_from([*players[1:], "A"]), kinds)


@cache
def restrictions(attackers: tuple[str, ...], others: tuple[str, ...], players: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one restriction; `others` are permanents that may speak of attacks on their controllers."""
    a, other, anything = st.sampled_from(attackers), st.sampled_from(others), st.sampled_from(attackers + others)
    opponent = st.sampled_from(players[1:])
    small = st.integers(1, 3)
    return st.one_of(
        st.builds(CannotAttack, a, by_effect=rarely(2)),
        st.builds(CannotAttackPlayer, a, player=opponent, planeswalkers=rarely(2), by_effect=st.just(True)),
        st.builds(CreaturesCannotAttack, anything, whom=filters),
        st.builds(CreaturesCannotAttackYou, other, whom=some_creatures, planeswalkers=rarely(2)),
        st.builds(CannotAttackUnlessControls, a, defending=st.booleans(), land=st.sampled_from(["Island", "Swamp"]), unless=rarely(3)),
        st.builds(
            CannotAttackUnlessHas,
            a,
            who=st.sampled_from(["you have", "defending player has", "an opponent has", "a player has"]),
            what=st.sampled_from(WHAT_PLAYERS_HAVE),
            number=st.integers(0, 4),
            most=st.booleans(),
            unless=rarely(2).map(lambda turned: not turned),
        ),
        st.builds(CannotAttackAlone, a),
        st.builds(OnlyAttacksAlone, a),
        st.builds(CannotAttackUnlessOthers, a, number=st.integers(2, 3)),
        st.builds(CannotAttackUnlessGreaterPower, a),
        st.builds(CannotAttackUnlessSuch, a, whom=st.builds(Filter, st.just("color"), st.sampled_from(COLORS))),
        st.builds(MaximumAttackers, anything, number=small),
        st.builds(MaximumAttackersOfYou, other, number=small),
    )


@cache
def requirements(attackers: tuple[str, ...], others: tuple[str, ...], players: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one requirement."""
    a, other, anything = st.sampled_from(attackers), st.sampled_from(others), st.sampled_from(attackers + others)
    return st.one_of(
        st.builds(AttacksIfAble, a, by_effect=rarely(2)),
        st.builds(Goaded, a, by=st.sampled_from([*players[1:], "A"]), by_effect=rarely(3)),
        st.builds(AttacksPlayer, a, player=st.sampled_from(players[1:]), by_effect=st.just(True)),
        st.builds(AllAttack, anything),
        st.builds(TeamAttacks, a, whom=some_creatures),
        st.builds(OpponentsAttack, other, you=rarely(2)),
    )


@cache
def permissions(attackers: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one permission or change."""
    a = st.sampled_from(attackers)
    return st.one_of(
        st.builds(AttackAsThoughWithoutDefender, a, team=rarely(2)),
        st.builds(AttackAsThoughHasty, a, team=rarely(2)),
        st.builds(HasKeyword, a, keyword=st.sampled_from(["haste", "defender", "flying"]), by_effect=rarely(2)),
        st.builds(Gets, a, number=st.integers(1, 3), by_effect=rarely(2)),
    )


@cache
def costs(attackers: tuple[str, ...], others: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Return a strategy of one cost to attack."""
    return st.one_of(
        st.builds(AttacksTax, st.sampled_from(others), mana=st.integers(1, 2), planeswalkers=rarely(2)),
        st.builds(CannotAttackUnlessPaid, st.sampled_from(attackers), mana=st.integers(1, 2)),
        st.builds(CannotAttackUnlessPaidForCounters, st.sampled_from(attackers)),
        st.builds(CountersTax, st.sampled_from(others)),
        st.builds(LandTypesTax, st.sampled_from(others)),
    )


@st.composite
def attack_boards(draw: st.DrawFn) -> Board:
    """Draw a board of two to four players."""
    players = ("A", "D", "E", "F")[: draw(st.sampled_from([2, 3, 3, 4]))]
    defending = st.sampled_from(players[1:])
    walkers = [(f"w{n}", draw(st.sampled_from([*players[1:], "A"]))) for n in range(1, draw(st.sampled_from([0, 0, 1, 2])) + 1)]
    battles = [("siege", draw(st.sampled_from(["A", *players[1:]])), draw(st.sampled_from([*players[1:], "A"])))] if draw(rarely(5)) else []
    attackers = [replace(draw(creatures()), name=f"a{n}") for n in range(1, draw(st.sampled_from([1, 2, 2, 3, 3, 4])) + 1)]
    enchantments = [(f"e{n}", draw(defending)) for n in (1, 2)]
    named = tuple(creature.name for creature in attackers), (*(name for name, _ in enchantments), *(name for name, _ in walkers))
    statements = [
        *draw(st.lists(requirements(*named, players), min_size=draw(st.integers(0, 3)), max_size=5)),
        *draw(st.lists(restrictions(*named, players), min_size=draw(st.integers(0, 2)), max_size=3)),
        *draw(st.lists(permissions(named[0]), min_size=draw(st.integers(0, 1)), max_size=2)),
        *(draw(st.lists(costs(*named), min_size=1, max_size=2)) if draw(rarely(4)) else []),
    ]
    on_the_table = [replace(land, name=f"land{n}") for n, land in enumerate(draw(st.lists(lands(list(players)), max_size=2)), start=1)]
    return Board(
        tuple(attackers),
        tuple(statements),
        players,
        tuple(on_the_table),
        tuple(walkers),
        tuple(battles),
        tuple((name, controller) for name, controller in enchantments if any(s.on == name for s in statements)),
        frozenset(creature.name for creature in attackers if draw(rarely(8))),
        draw(st.integers(0, 4)) if draw(rarely(4)) else None,
        {player: {what: draw(st.integers(0, 5)) for what in WHAT_PLAYERS_HAVE} for player in players}
        if any(isinstance(one, CannotAttackUnlessHas) for one in statements)
        else {},
    )


def attack_declarations(board: Board) -> st.SearchStrategy[tuple[Attacks, list[frozenset[str]]]]:
    """Return a strategy of declarations on `board`, mostly illegal ones; once in a while with a band."""
    view = board.view()
    targets = st.sampled_from([*view.targets, *(target for target in view.defended if target not in view.targets)])
    attacked = st.dictionaries(st.sampled_from(sorted(view.attackers)), targets, max_size=len(view.attackers))

    def with_bands(attacks: Attacks) -> st.SearchStrategy[tuple[Attacks, list[frozenset[str]]]]:
        if len(attacks) < 2:
            return st.just((attacks, []))
        band = st.frozensets(st.sampled_from(sorted(attacks)), min_size=2)
        return st.tuples(st.just(attacks), st.one_of(st.just([]), band.map(lambda members: [members])))

    return attacked.flatmap(with_bands)
