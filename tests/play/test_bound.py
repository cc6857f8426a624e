"""The bound on the number of requirements: never below the truth, and enough for boards that searching never settles."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.play import judge
from lawmage.play.bound import Limits, all_at_once, upper_bound
from lawmage.scenario import scenario_from


def limits(draw: st.DrawFn) -> Limits:
    blockers, attackers = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    bs, rest = range(1, blockers + 1), range(10, 10 + attackers)
    small = st.integers(0, 2)
    edges = [pair for pair in itertools.product(bs, rest) if draw(st.integers(0, 4))]
    return Limits(
        edges=edges,
        slots={b: draw(st.integers(1, 2)) for b in bs},
        seats={a: draw(st.integers(1, 2)) for a in rest if draw(st.booleans())},
        threshold={a: draw(st.integers(2, 3)) for a in rest if draw(st.booleans())},
        total=draw(st.none() | st.integers(0, 3)),
        gain_pair={pair: draw(small) for pair in sorted(edges)},
        gain_blocker={b: draw(small) for b in bs},
        gain_attacker={a: {draw(st.integers(1, 3)): draw(small)} for a in rest},
    )


def value(given_limits: Limits, chosen: tuple[tuple[int, int], ...]) -> int | None:
    """Return how many requirements a declaration obeys, or None if it breaks a limit."""
    on = {a: [b for b, other in chosen if other == a] for _, a in given_limits.edges}
    by = {b: [a for other, a in chosen if other == b] for b in given_limits.slots}
    if any(len(attackers) > given_limits.slots[b] for b, attackers in by.items()):
        return None
    for a, blockers in on.items():
        if blockers and not given_limits.threshold.get(a, 1) <= len(blockers) <= given_limits.seats.get(a, 99):
            return None
    if given_limits.total is not None and sum(1 for attackers in by.values() if attackers) > given_limits.total:
        return None
    return (
        sum(given_limits.gain_pair[pair] for pair in chosen)
        + sum(given_limits.gain_blocker[b] for b, attackers in by.items() if attackers)
        + sum(gain for a, blockers in on.items() for k, gain in given_limits.gain_attacker[a].items() if len(blockers) >= k)
    )


@st.composite
def few_gains(draw: st.DrawFn) -> Limits:
    """Return limits where so little is asked that it can often be done all at once."""
    drawn = limits(draw)
    asked = draw(st.sets(st.sampled_from([*drawn.edges, *drawn.slots, *drawn.gain_attacker]), max_size=3))
    return drawn._replace(
        total=None,
        gain_pair={pair: 1 for pair in drawn.edges if pair in asked},
        gain_blocker={b: 1 for b, _ in drawn.edges if b in asked},
        gain_attacker={a: gains if a in asked else {} for a, gains in drawn.gain_attacker.items()},
    )


@settings(max_examples=100, deadline=None)
@given(few_gains())
def test_what_can_be_done_at_once_is_done(drawn: Limits) -> None:
    easy = all_at_once(drawn)
    if easy is not None:
        gains = dict.fromkeys(drawn.edges, 0) | dict(drawn.gain_pair)
        blockers = dict.fromkeys(drawn.slots, 0) | dict(drawn.gain_blocker)
        assert value(drawn._replace(gain_pair=gains, gain_blocker=blockers), easy.attempt) == easy.most


def test_ordinary_demands_are_met_at_once() -> None:
    edges, slots = [(1, 10), (2, 10), (3, 10), (3, 11)], {1: 1, 2: 1, 3: 1}
    asked = Limits(edges, slots, threshold={10: 2}, gain_blocker={3: 1}, gain_attacker={10: {1: 1}})
    easy = all_at_once(asked)
    assert easy is not None
    assert easy.most == 2
    assert all_at_once(asked._replace(gain_attacker={10: {1: 1}, 11: {2: 1}})) is None


def test_a_creature_does_what_is_asked_most_often() -> None:
    two_asked = all_at_once(Limits(edges=[(1, 10), (1, 11)], slots={1: 1}, gain_pair={(1, 10): 1, (1, 11): 2}))
    assert two_asked is not None
    assert (two_asked.most, two_asked.attempt) == (2, ((1, 11),))


def test_a_creature_that_is_to_block_something_blocks_alone_what_it_can() -> None:
    free = all_at_once(Limits(edges=[(1, 10), (1, 11)], slots={1: 1}, threshold={10: 2}, gain_blocker={1: 1}))
    assert free is not None
    assert (free.most, free.attempt) == (1, ((1, 11),))


@settings(max_examples=60, deadline=None)
@given(st.composite(limits)())
def test_no_declaration_exceeds_the_bound(drawn: Limits) -> None:
    edges = sorted(drawn.edges)
    every = itertools.chain.from_iterable(itertools.combinations(edges, size) for size in range(len(edges) + 1))
    best = max(found for chosen in every if (found := value(drawn, chosen)) is not None)
    assert upper_bound(drawn).most >= best


def pigeonhole(attackers: int, blockers: int, keywords: tuple[str, ...] = (), flyers: int = 0) -> dict[str, Any]:
    must = {"pt": "2/2", "text": "This creature must be blocked if able."}
    field = {f"a{index}": {"controller": "A", "keywords": list(keywords), **must} for index in range(attackers)}
    field |= {f"f{index}": {"controller": "A", "keywords": ["flying"], **must} for index in range(flyers)}
    field |= {f"b{index}": {"controller": "D", "pt": "2/2"} for index in range(blockers)}
    return {"battlefield": field, "attack": {name: "D" for name in field if name[0] != "b"}, "propose": {"none": {}}}


@pytest.mark.parametrize(
    ("board", "maximum"),
    [
        (pigeonhole(11, 10), 10),
        (pigeonhole(20, 10), 10),
        (pigeonhole(40, 39), 39),
        (pigeonhole(100, 99), 99),
        (pigeonhole(100, 199, ("menace",)), 99),
        (pigeonhole(100, 99, flyers=9), 99),
        (pigeonhole(6, 11, ("menace",)), 5),
        (pigeonhole(11, 21, ("menace",)), 10),
        (pigeonhole(11, 10, flyers=9), 10),
    ],
    ids=["11-10", "20-10", "40-39", "100-99", "menace-100-199", "hidden-100-99", "menace-6-11", "menace-11-21", "hidden-among-flyers"],
)
def test_pigeonhole_boards_are_settled(board: dict[str, Any], maximum: int) -> None:
    verdict = judge(scenario_from(board), seconds=10).proposals["none"]
    assert (verdict.verdict, verdict.requirements.maximum) == ("illegal", maximum)
    assert verdict.requirements.better is not None
    assert len({attacker for attackers in verdict.requirements.better.values() for attacker in attackers}) == maximum


@pytest.mark.parametrize(("creatures", "most"), [(11, 10), (100, 10), (500, 2)])
def test_more_must_attack_than_can(creatures: int, most: int) -> None:
    board = {
        "judge": "attack",
        "battlefield": {
            f"a{index}": {"controller": "A", "pt": "2/2", "text": "This creature attacks each combat if able."}
            for index in range(creatures)
        },
        "effects": [
            {"controller": "D", "text": f"No more than {['', '', 'two'][most] if most < 3 else 'ten'} creatures can attack each combat."}
        ],
        "players": {"A": {}, "D": {}},
        "propose": {"none": {}, "most": {f"a{index}": "D" for index in range(most)}},
    }
    verdicts = judge(scenario_from(board), seconds=10).proposals
    assert [(verdict.verdict, verdict.requirements.maximum) for verdict in verdicts.values()] == [("illegal", most), ("legal", most)]


def test_tokens_by_the_hundred() -> None:
    """Three kinds a side; 100 must be blocked, 100 must block, 200 have nothing to do or can't be blocked by one alone."""
    there: list[dict[str, Any]] = [{"text": "This creature must be blocked if able."}, {"keywords": ["menace"]}, {"keywords": ["flying"]}]
    home: list[dict[str, Any]] = [{}, {"keywords": ["reach"]}, {"text": "This creature blocks each combat if able."}]
    field = {f"a{index}": {"controller": "A", "pt": "1/1", **there[index % 3]} for index in range(300)}
    field |= {f"b{index}": {"controller": "D", "pt": "1/1", **home[index % 3]} for index in range(300)}
    fine = {f"b{index}": [f"a{index - 2}"] for index in range(2, 300, 3)}
    proposals = {"none": {}, "fine": fine, "alone": fine | {"b0": ["a1"]}, "flyer": fine | {"b1": ["a2"]}, "cannot": fine | {"b0": ["a2"]}}
    verdicts = judge(
        scenario_from({"battlefield": field, "attack": {f"a{index}": "D" for index in range(300)}, "propose": proposals})
    ).proposals
    assert {name: verdict.verdict for name, verdict in verdicts.items() if verdict.verdict == "illegal"} == dict.fromkeys(
        ("none", "alone", "cannot"), "illegal"
    )
    assert {verdict.requirements.maximum for verdict in verdicts.values()} == {200}
    assert [violation.objects for violation in verdicts["alone"].violations] == [("a1",)]
    assert [violation.objects for violation in verdicts["cannot"].violations] == [("a2", "b0")]
