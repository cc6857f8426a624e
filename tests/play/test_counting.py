"""Counting and listing declarations from numbers: the same as the solver finds by listing, as a brute force on the numbers, as formulas."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import clingo
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases.expectations import case_files
from tests.checker.wordings import random_board
from tests.oracle import attacks as attack_oracle
from tests.oracle import blocks as block_oracle
from tests.oracle.attack_boards import attack_boards
from tests.oracle.boards import boards
from tests.oracle.test_blocks import EXAMPLES

from lawmage.board import Scenario
from lawmage.play import count_declarations, counting, declarations, enumerate_declarations, judge
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.counting import Count, count
from lawmage.play.counting_form import Ask, Form, form_from
from lawmage.play.declarations import Declarations, UndecidedError
from lawmage.play.knowledge import knowledge
from lawmage.play.listing import list_declarations
from lawmage.resources import data_folder
from lawmage.scenario import load_scenario, scenario_from

STEPS: dict[str, type[Declarations]] = {"attack": Attacks, "block": Blocks}
#: Where there are more declarations than this, the solver is not asked to list them.
MOST_LISTED = 100_000


# ------------------------------------------------------------ the same as by listing


def assert_counts_as_by_listing(scenario: Scenario) -> None:
    step = STEPS[scenario.judge](scenario, seconds=None)
    try:
        counts = step.counts()
    except UndecidedError:
        return
    if sum(counts.values()) <= MOST_LISTED:
        assert counts == step.counts(by_listing=True)


@EXAMPLES
@given(boards())
def test_blocks_are_counted_as_by_listing(board: block_oracle.Board) -> None:
    assert_counts_as_by_listing(scenario_from(block_oracle.to_scenario(board, {})))


@EXAMPLES
@given(attack_boards())
def test_attacks_are_counted_as_by_listing(board: attack_oracle.Board) -> None:
    assert_counts_as_by_listing(scenario_from(attack_oracle.to_scenario(board, {})))


@EXAMPLES
@given(st.integers(0, 10**9))
def test_boards_in_words_are_counted_as_by_listing(seed: int) -> None:
    assert_counts_as_by_listing(scenario_from(random_board(seed)))


def test_cases_are_counted_as_by_listing() -> None:
    scenarios = [scenario for scenario in map(load_scenario, case_files()) if scenario.judge in STEPS]
    assert len(scenarios) > 100
    for scenario in scenarios:
        assert_counts_as_by_listing(scenario)


@pytest.mark.parametrize(
    ("judged", "program", "listed"),
    [("block", "509-count.lp", {"block_cost_against", "blocked_cost"}), ("attack", "508-count.lp", set())],
)
def test_every_kind_of_constraint_is_expressed(judged: str, program: str, listed: set[str]) -> None:
    """But for costs that depend on which creatures are blocked: the declarations of boards with these are listed."""
    text = (data_folder("asp") / program).read_text(encoding="utf-8")
    expressed = set(re.findall(r"\w+", " ".join(re.findall(r"^_expressed\((.+)\)\.", text, re.MULTILINE))))
    assert expressed | listed == {kind.term for kind in knowledge().kinds.values() if judged in kind.judges and not kind.layer}
    assert expressed.isdisjoint(listed)


@pytest.mark.parametrize(("entry", "kind"), [("count-blocks", "cannot_attack"), ("count-attacks", "cannot_block")])
def test_what_is_not_expressed_is_said(entry: str, kind: str) -> None:
    control = clingo.Control()
    control.load(str(data_folder("asp") / "entry" / f"{entry}.lp"))
    control.add("base", [], f"plain(1,{kind}). states(1,2,1,2). permanent(2). active(p(1)). defender(p(2)).")
    control.ground([("base", [])])
    found: list[clingo.Symbol] = []
    control.solve(on_model=lambda model: found.extend(model.symbols(shown=True)))
    assert f"inexpressible({kind})" in map(str, found)
    assert form_from(found) is None


# ------------------------------------------------------------ the same as a brute force on the numbers


@st.composite
def forms(draw: st.DrawFn) -> Form:
    actors, places = range(1, draw(st.integers(1, 4)) + 1), range(11, draw(st.integers(11, 13)) + 1)
    small, some = st.integers(0, 2), st.integers(1, 3)
    edges = [pair for pair in itertools.product(actors, places) if draw(st.integers(0, 4))]
    sets = {name: draw(st.frozensets(st.sampled_from([*actors]))) for name in ("s", "t")}
    sets |= {name: draw(st.frozensets(st.sampled_from([*places]))) for name in ("p", "q")}
    budgets = {name: draw(st.integers(0, 4)) for name in ("k", "l") if draw(st.booleans())}

    def spent() -> dict[Any, int]:
        return {name: draw(small) for name in budgets}

    def ask() -> Ask:
        least = draw(some)
        most = draw(st.none() | st.just(least) | st.just(least + 1))
        return Ask(draw(some), least, most, draw(st.sampled_from([None, None, "s", "t"])))

    return Form(
        edges=edges,
        slots={actor: draw(some) for actor in actors if draw(st.integers(0, 5))},
        threshold={place: draw(st.integers(2, 4)) for place in places if draw(st.booleans())},
        seats={place: draw(st.integers(0, 2)) for place in places if not draw(st.integers(0, 2))},
        total=draw(st.none() | st.integers(0, 3)),
        only_with={
            actor: draw(st.lists(st.tuples(st.sampled_from(["s", "t"]), some), max_size=2))
            for actor in actors
            if not draw(st.integers(0, 2))
        },
        only_alone=frozenset(actor for actor in actors if not draw(st.integers(0, 5))),
        members=sets,
        budgets=budgets,
        spends={actor: spent() for actor in actors if draw(st.booleans())},
        spends_on={pair: spent() for pair in edges if not draw(st.integers(0, 3))},
        priced=draw(st.frozensets(st.sampled_from([*actors, *edges]), max_size=3)),
        gain_pair={pair: draw(small) for pair in edges if draw(st.booleans())},
        gain_blocker={actor: draw(small) for actor in actors if draw(st.booleans())},
        gain_one_of={actor: [(draw(st.sampled_from(["p", "q"])), draw(some))] for actor in actors if not draw(st.integers(0, 2))},
        asks={place: [ask() for _ in range(draw(small))] for place in places},
    )


def chosen_pairs(form: Form) -> Iterator[frozenset[tuple[Any, Any]]]:
    for size in range(len(form.edges) + 1):
        yield from map(frozenset, itertools.combinations(form.edges, size))


def breaks_nothing(form: Form, chosen: frozenset[tuple[Any, Any]]) -> bool:
    acting = {actor for actor, _ in chosen}
    on = {place: {actor for actor, other in chosen if other == place} for _, place in chosen}
    return (
        all(sum(1 for actor, _ in chosen if actor == one) <= form.slots.get(one, 99) for one in acting)
        and all(form.threshold.get(place, 0) <= len(those) <= form.seats.get(place, 99) for place, those in on.items())
        and (form.total is None or len(acting) <= form.total)
        and all(len(acting & form.members[name]) >= number for actor in acting for name, number in form.only_with.get(actor, ()))
        and not (len(acting) > 1 and acting & form.only_alone)
        and all(
            sum(form.spends.get(actor, {}).get(name, 0) for actor in acting)
            + sum(form.spends_on.get(pair, {}).get(name, 0) for pair in chosen)
            <= most
            for name, most in form.budgets.items()
        )
    )


def obeyed(form: Form, chosen: frozenset[tuple[Any, Any]]) -> int:
    number = sum(form.gain_pair.get(pair, 0) for pair in chosen)
    number += sum(form.gain_blocker.get(actor, 0) for actor in {actor for actor, _ in chosen})
    for actor, ones in form.gain_one_of.items():
        number += sum(times for name, times in ones if any((actor, place) in chosen for place in form.members[name]))
    for place, asks in form.asks.items():
        there = {actor for actor, other in chosen if other == place}
        for ask in asks:
            counted = there if ask.of is None else there & form.members[ask.of]
            number += ask.times * (bool(there) and ask.least <= len(counted) <= (99 if ask.most is None else ask.most))
    return number


@EXAMPLES
@given(forms())
def test_forms_are_counted_and_listed_as_by_brute_force(form: Form) -> None:
    fine = {chosen: obeyed(form, chosen) for chosen in chosen_pairs(form) if breaks_nothing(form, chosen)}
    greatest = max(number for chosen, number in fine.items() if not any(pair in form.priced or pair[0] in form.priced for pair in chosen))
    legal = {chosen for chosen, number in fine.items() if number >= greatest}
    assert count(form) == Count(len(legal), form.asked - greatest)
    listed = [
        frozenset((int(actor), place) for actor, others in each.items() for place in others)
        for each in list_declarations(form, form.asked - greatest, lambda actor, others: {str(actor): tuple(others)})
    ]
    assert len(listed) == len(legal)
    assert set(listed) == legal


# ------------------------------------------------------------ the same as formulas


MUST = "This creature must be blocked if able."
#: Creatures of one kind: how many, their keywords, their text.
Kind = tuple[int, list[str], str]


def battle(attackers: list[Kind], blockers: list[Kind]) -> dict[str, Any]:
    field = {
        f"{side}{kind}.{number}": {"controller": side, "pt": "2/2", "keywords": keywords, "text": text}
        for side, kinds in (("A", attackers), ("D", blockers))
        for kind, (numbers, keywords, text) in enumerate(kinds)
        for number in range(numbers)
    }
    return {"battlefield": field, "attack": {name: "D" for name in field if name[0] == "A"}, "propose": {}}


def counted(board: dict[str, Any]) -> int:
    return count_declarations(scenario_from(board))


@pytest.mark.parametrize(("attackers", "blockers"), [(10, 10), (3, 30)])
def test_free_blocks(attackers: int, blockers: int) -> None:
    assert counted(battle([(attackers, [], "")], [(blockers, [], "")])) == (attackers + 1) ** blockers


@pytest.mark.parametrize("blockers", [10, 40])
def test_pigeonholes(blockers: int) -> None:
    """One more must be blocked than there are blockers, so that each blocks another one."""
    assert counted(battle([(blockers + 1, [], MUST)], [(blockers, [], "")])) == math.factorial(blockers + 1)


def test_pigeonholes_among_flyers() -> None:
    """Ten of the eleven on the ground are taken by those who can't reach the four in the air; the rest choose from five."""
    board = battle([(11, [], MUST), (4, ["flying"], MUST)], [(10, [], ""), (4, ["reach"], "")])
    assert counted(board) == math.factorial(11) * math.factorial(5)


@pytest.mark.parametrize("attackers", [6, 20])
def test_pigeonholes_with_menace(attackers: int) -> None:
    """One blocker too few for all attackers: all but one are blocked, by two; one blocker is left, or is a third somewhere."""
    blockers, blocked = 2 * attackers - 1, attackers - 1
    left = math.factorial(blockers) // 2**blocked
    third = blocked * math.factorial(blockers) // (6 * 2 ** (blocked - 1))
    board = battle([(attackers, ["menace"], MUST)], [(blockers, [], "")])
    assert counted(board) == attackers * (left + third)


def test_three_kinds_a_side() -> None:
    """By inclusion and exclusion over those that must be blocked and are not, and those with menace that one creature blocks."""
    must, flying, menace, ground, air = 14, 13, 13, 14, 26
    formula = 0
    for unblocked, by_one in itertools.product(range(must + 1), range(menace + 1)):
        free = 1 + must - unblocked + menace - by_one
        ways = sum(
            math.comb(by_one, low)
            * math.perm(ground, low)
            * math.perm(air, by_one - low)
            * free ** (ground - low)
            * (free + flying) ** (air - by_one + low)
            for low in range(by_one + 1)
        )
        formula += (-1) ** (unblocked + by_one) * math.comb(must, unblocked) * math.comb(menace, by_one) * ways
    board = battle(
        [(must, [], MUST), (flying, ["flying"], ""), (menace, ["menace"], "")], [(14, [], ""), (13, ["flying"], ""), (13, ["reach"], "")]
    )
    assert counted(board) == formula


def test_as_many_as_may_of_those_that_must_attack() -> None:
    each: dict[str, Any] = {"controller": "A", "pt": "2/2", "text": "This creature attacks each combat if able."}
    field = {f"a{number}": each for number in range(30)}
    field["wall"] = {"controller": "D", "types": ["enchantment"], "text": "No more than twelve creatures can attack each combat."}
    assert counted({"battlefield": field, "propose": {}}) == math.comb(30, 12)


# ------------------------------------------------------------ listing, and giving up


def test_the_first_of_very_many_are_legal() -> None:
    board = battle([(31, [], MUST), (5, ["menace", "flying"], MUST)], [(30, [], ""), (8, ["reach"], "")])
    first = list(enumerate_declarations(scenario_from(board), 5))
    assert len({str(declaration) for declaration in first}) == 5
    board["propose"] = {f"p{number}": declaration for number, declaration in enumerate(first)}
    answer = judge(scenario_from(board))
    assert {verdict.verdict for verdict in answer.proposals.values()} == {"legal"}


def test_listing_follows_the_order_of_the_file() -> None:
    board = battle([(2, [], "")], [(2, [], "")])
    listed = [dict(declaration) for declaration in enumerate_declarations(scenario_from(board))]
    assert listed[:4] == [{}, {"D0.1": ("A0.0",)}, {"D0.1": ("A0.1",)}, {"D0.0": ("A0.0",)}]
    assert all(list(declaration) == sorted(declaration) for declaration in listed)


def test_counting_gives_up_when_the_time_is_over() -> None:
    form = Form(edges=[(1, 11), (2, 11)], threshold={11: 2})
    assert count(form, seconds=0) is None
    assert count(form) == Count(2, 0)


def test_counting_gives_up_at_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form(edges=[(1, 11), (2, 11), (1, 12), (2, 12)], threshold={11: 2})
    monkeypatch.setattr(counting, "_MOST_STATES", 1)
    assert count(form) is None


def test_where_counting_gives_up_the_solver_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    board = battle([(2, ["menace"], MUST), (1, ["flying"], "")], [(3, [], ""), (1, ["reach"], "")])
    number, listed = counted(board), sorted(map(str, enumerate_declarations(scenario_from(board))))
    monkeypatch.setattr(declarations, "count", lambda *_, **__: None)
    assert counted(board) == number == len(listed)
    assert sorted(map(str, enumerate_declarations(scenario_from(board)))) == listed
