"""Open conditions taken in every way: which of them decide, and what can be counted and listed all the same."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.both_ways import deciding, undecided_by
from lawmage.play.declarations import UndecidedError
from lawmage.scenario import scenario_from

BLESSED = "This creature can't attack unless you have the city's blessing."
EMPTY = "This creature can't be blocked as long as you have no cards in hand."
TOLD = " (`citys_blessing` of the player would tell)"
CROWNED = "This creature can't attack unless you're the monarch."


def step(*texts: str, **keys: Any) -> Attacks:
    creatures = {f"x{place}": {"controller": "A", "pt": "2/2", "text": text} for place, text in enumerate(texts)}
    return Attacks(scenario_from({"battlefield": creatures, **keys}))


def test_what_decides_nothing_is_no_obstacle() -> None:
    found = step(EMPTY, "")
    assert found.counts() == {"A": 4}
    assert len(list(found.declarations())) == 4
    assert found.counts(by_listing=True) == {"A": 4}


def test_the_condition_that_decides_is_named_with_what_it_decides() -> None:
    said = f"the board does not say whether you have the city's blessing{TOLD}; if it is so there are 8 legal declarations, if not 4"
    for by_listing in (False, True):
        with pytest.raises(UndecidedError) as caught:
            step(BLESSED, EMPTY, "").counts(by_listing=by_listing)
        assert str(caught.value) == said
    with pytest.raises(UndecidedError) as caught:
        list(step(BLESSED, EMPTY, "").declarations())
    assert str(caught.value) == said


def test_two_conditions_that_decide() -> None:
    with pytest.raises(UndecidedError) as caught:
        step(BLESSED, EMPTY, CROWNED).counts()
    blessing, monarch = f"you have the city's blessing{TOLD}", f"you're the monarch{TOLD.replace('citys_blessing', 'monarch')}"
    said = f"the board does not say whether {blessing}, nor whether {monarch}"
    assert str(caught.value) == f"{said}; as that is there are from 2 to 8 legal declarations"


def test_as_many_but_not_the_same() -> None:
    found = step(f"{BLESSED}\nOther creatures you control can't attack as long as you have the city's blessing.", "")
    assert found.counts() == {"A": 2}
    with pytest.raises(UndecidedError, match="the board does not say whether you have the city's blessing"):
        list(found.declarations())


def test_a_verdict_names_what_decides_and_what_does_not() -> None:
    found = step(BLESSED, EMPTY, propose={"p": {"x0": "D"}, "q": {"x1": "D"}})
    verdicts = found.judge(found.scenario.proposals)
    blessing, hand = f"you have the city's blessing{TOLD}", "you have no cards in hand"
    assert verdicts["p"].not_understood == (f"the board does not say whether {blessing}",)
    assert verdicts["p"].assumptions == ()
    assert verdicts["q"].assumptions == (f"it makes no difference whether {blessing}",)
    assert hand not in repr(verdicts)


def test_blocks_of_two_players() -> None:
    text = "This creature can't block unless you have the initiative."
    battlefield = {
        **{name: {"controller": "A", "pt": "1/1"} for name in ("a", "b")},
        "d": {"controller": "D", "pt": "1/1"},
        "e": {"controller": "E", "pt": "1/1", "text": text},
    }
    players: dict[str, Any] = {"A": {}, "D": {}, "E": {}}
    data = {"players": players, "battlefield": battlefield, "attack": {"a": "D", "b": "E"}}
    with pytest.raises(UndecidedError, match="if it is so there are 2 legal declarations, if not 1"):
        Blocks(scenario_from(data)).counts()
    players["D"]["initiative"] = True
    assert Blocks(scenario_from(data)).counts() == {"D": 2, "E": 1}


CONDITIONS = ("p", "q", "r")
WAYS = [frozenset(way) for way in chain.from_iterable(combinations(CONDITIONS, size) for size in range(4))]


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_what_does_not_decide_can_be_left_out(values: list[int]) -> None:
    answers = dict(zip(WAYS, values, strict=True))
    found = frozenset(deciding(CONDITIONS, answers))
    assert all(answers[way] == answers[way & found] for way in WAYS)
    assert all(
        len({answers[way] for way in WAYS if way & (found - {one}) == fixed}) > 1 for one in found for fixed in [_of(answers, found, one)]
    )


def _of(answers: dict[frozenset[str], int], found: frozenset[str], one: str) -> frozenset[str]:
    """Return a way to take the other conditions that decide in which this one matters."""
    rest = found - {one}
    return next(way & rest for way in WAYS if answers[way - {one}] != answers[way | {one}])


def test_the_sentence() -> None:
    numbers = {frozenset(): 9, frozenset({1}): 1200}
    said = undecided_by({1: "it rains"}, numbers, "legal declarations")
    assert said == "the board does not say whether it rains; if it is so there are 1,200 legal declarations, if not 9"
