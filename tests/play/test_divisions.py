"""Counting the ways to divide damage agrees with listing them, and with formulas where the numbers are large."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.play.divisions import Divisions, Source, TooManyError

SHARED = ("x", "y", "z")


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """Draw a creature that is blocked by some of three, perhaps with excess damage for a player, or past a planeswalker, or in an order."""
    mine = tuple(name for name in SHARED if draw(st.booleans()))
    kind = draw(st.sampled_from(["plain", "excess", "over", "order"]))
    after: dict[str, frozenset[str]] = {}
    recipients = list(mine)
    if kind == "order":
        after = {name: frozenset(mine[:index]) for index, name in enumerate(mine)}
    if kind in ("excess", "over"):
        recipients.append("D")
        after["D"] = frozenset(mine)
    if kind == "over":
        recipients.append("w")
        after |= {"w": frozenset(mine), "D": frozenset({*mine, "w"})}
    instead: dict[str, frozenset[str]] = {}
    if draw(st.integers(0, 3)) == 0:
        instead = {"w": frozenset(), "D": frozenset({"w"})} if kind == "over" else {"D": frozenset()}
    enough = frozenset(mine) if draw(st.integers(0, 3)) == 0 else frozenset()
    return Source(draw(st.integers(1, 5)), tuple(recipients), after, enough, instead)


@st.composite
def divisions(draw: st.DrawFn) -> Divisions:
    count = draw(st.integers(1, 3))
    return Divisions({f"a{n}": draw(sources()) for n in range(count)}, {name: draw(st.integers(0, 4)) for name in (*SHARED, "w")})


def tried(asked: Divisions) -> int:
    """Return the number of ways, by trying every way to give every point to somebody."""
    found = set()
    options = []
    for source in asked.sources.values():
        everybody = tuple(dict.fromkeys((*source.recipients, *source.instead)))
        ways = {tuple(sorted(Counter(way).items())) for way in product(everybody, repeat=source.amount)}
        options.append(ways | ({()} if not source.recipients else set()))
    for chosen in product(*options):
        given = {name: dict(way) for name, way in zip(asked.sources, chosen, strict=True)}
        if all(_complies(asked, given, name) for name in given):
            found.add(chosen)
    return len(found)


def _complies(asked: Divisions, given: dict[str, dict[str, int]], name: str) -> bool:
    source = asked.sources[name]

    def reached(other: str) -> bool:
        total = sum(gifts.get(other, 0) for gifts in given.values())
        at_once = any(gifts.get(other) and other in asked.sources[giver].enough for giver, gifts in given.items())
        return total >= asked.need[other] or at_once

    usual = all(to in source.recipients and all(map(reached, source.after.get(to, ()))) for to in given[name])
    return usual or all(to in source.instead and all(map(reached, source.instead[to])) for to in given[name])


@settings(deadline=None, max_examples=300)
@given(divisions())
def test_counted_listed_and_tried(asked: Divisions) -> None:
    listed = list(asked.listed())
    assert len({str(sorted((name, sorted(gifts.items())) for name, gifts in way.items())) for way in listed}) == len(listed)
    assert asked.count() == len(listed)
    if sum(source.amount for source in asked.sources.values()) <= 8:
        assert tried(asked) == len(listed)


def blocked_by(power: int, blockers: int, *, excess: bool = False) -> Source:
    names = tuple(f"b{n}" for n in range(blockers))
    return Source(power, (*names, "D") if excess else names, {"D": frozenset(names)} if excess else {})


@pytest.mark.parametrize("power", [10, 1_000, 1_000_000])
def test_one_attacker_by_formula(power: int) -> None:
    need = {f"b{n}": 1 for n in range(10)}
    assert Divisions({"m": blocked_by(power, 10)}, {}).count() == comb(power + 9, 9)
    through = Divisions({"m": blocked_by(power, 10, excess=True)}, need).count()
    assert through == comb(power + 9, 9) + comb(power - 11 + 10, 10)


def test_two_tramplers_and_one_blocker_by_formula() -> None:
    power, need = 1_000_000, 1_500_000
    asked = Divisions({name: blocked_by(power, 1, excess=True) for name in ("t", "u")}, {"b0": need})
    # Both keep all their damage on the blocker, or together they leave it as much as it needs.
    spare = 2 * power - need
    assert asked.count() == comb(spare + 2, 2)
    none = Divisions(asked.sources, {"b0": 2 * power + 1})
    assert none.count() == 1


def test_independent_attackers_multiply() -> None:
    asked = Divisions({"m": blocked_by(7, 3), "n": Source(9, ("c0", "c1"), {})}, {})
    assert asked.count() == comb(9, 2) * 10


def test_many_attackers_on_one_blocker() -> None:
    asked = Divisions({f"t{n}": blocked_by(3 + n, 1, excess=True) for n in range(30)}, {"b0": 50})
    assert asked.count() > 10**20


def test_what_would_take_too_long_is_refused() -> None:
    both = Divisions({name: blocked_by(10_000, 3, excess=True) for name in ("t", "u")}, {f"b{n}": 5_000 for n in range(3)})
    with pytest.raises(TooManyError, match="too much toughness"):
        both.count()
    with pytest.raises(TooManyError, match="time limit"):
        Divisions({name: blocked_by(9, 3, excess=True) for name in ("t", "u")}, {f"b{n}": 5 for n in range(3)}).count(seconds=-1)
    many = Divisions({name: blocked_by(9, 11, excess=True) for name in ("t", "u")}, {f"b{n}": 5 for n in range(11)})
    with pytest.raises(TooManyError, match="11 creatures"):
        many.count()
