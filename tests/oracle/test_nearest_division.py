"""The division offered for an illegal one is legal, and none assigns less damage otherwise: compared with all that the brute force lists.

`LAWMAGE_EXAMPLES=10` tries ten times as many combats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.mcp.words import outcome_lines, verdict_lines
from lawmage.play import judge
from lawmage.play.judging import judge_and_explain
from lawmage.play.nearest_division import moved
from lawmage.scenario import scenario_from

from . import damage as oracle
from .damage_boards import assignments, combats

EXAMPLES = settings(
    max_examples=40 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@EXAMPLES
@given(st.data())
def test_nearest_divisions(data: st.DataObject) -> None:
    combat = data.draw(combats())
    first, *later = oracle.steps(combat)
    player = data.draw(st.sampled_from(["A", "D"]))
    listed = list(oracle.legal_assignments(combat, first, player))
    proposals: dict[str, Any] = {f"p{number}": data.draw(assignments(combat, first, listed)) for number in range(3)}
    step = {"step": first} if later else {}
    mapping = oracle.to_scenario(combat, "damage", {name: {**one, **step, "by": player} for name, one in proposals.items()})
    note(str(mapping))
    answer = judge(scenario_from(mapping), seconds=None, explain=True, explain_seconds=60)
    for name, verdict in answer.proposals.items():
        if verdict.verdict != "illegal":
            assert verdict.nearest is None
            continue
        found: Any = verdict.nearest
        assert found in listed
        assert moved(found, proposals[name]) == min(moved(one, proposals[name]) for one in listed)


def test_large_amounts_take_no_longer() -> None:
    board = {
        "battlefield": {
            "t": {"controller": "A", "pt": "1000000/1", "keywords": ["trample"]},
            "b": {"controller": "D", "pt": "1/400000"},
            "c": {"controller": "D", "pt": "1/500000"},
        },
        "attack": {"t": "D"},
        "block": {"b": "t", "c": "t"},
        "propose": {"p": {"t": {"b": 400000, "c": 100000, "D": 500000}, "by": "A"}},
    }
    verdict = judge(scenario_from(board), explain=True).proposals["p"]
    assert verdict.nearest == {"t": {"b": 400000, "c": 500000, "D": 100000}}


def shared_out(amount: int, names: list[str]) -> Iterator[dict[str, int]]:
    """Yield every way to share out damage among these."""
    for bars in combinations(range(amount + len(names) - 1), len(names) - 1):
        ends = [-1, *bars, amount + len(names) - 1]
        yield {name: end - start - 1 for name, start, end in zip(names, ends, ends[1:], strict=False) if end - start > 1}


@pytest.mark.parametrize(
    ("first", "second", "mended"),
    [
        # The second step is mended, or both, so that less is to be mended in all.
        ({"x": 2, "y": 1}, {"D": 3}, 2),
        ({"x": 2, "D": 1}, {"x": 1, "D": 2}, 4),
        ({"x": 1, "y": 2}, {"y": 1, "D": 2}, 2),
        ({"x": 3}, {"x": 1, "D": 2}, 4),
    ],
)
def test_steps_are_mended_together(first: dict[str, int], second: dict[str, int], mended: int) -> None:
    """Of all damage in two steps that is legal no other is nearer, found by asking for each whether it is legal."""
    board: dict[str, Any] = {
        "judge": "outcome",
        "battlefield": {
            "t": {"controller": "A", "pt": "3/9", "keywords": ["double strike", "trample"]},
            "x": {"controller": "D", "pt": "1/2"},
            "y": {"controller": "D", "pt": "1/2"},
        },
        "attack": {"t": "D"},
        "block": {"x": "t", "y": "t"},
    }
    ways = list(product(shared_out(3, ["x", "y", "D"]), repeat=2))
    every = {f"w{number}": [{"t": one}, {"t": other}] for number, (one, other) in enumerate(ways)}
    verdicts = judge(scenario_from(board | {"propose": every})).proposals
    legal = [way for way, verdict in zip(ways, verdicts.values(), strict=True) if verdict.verdict == "legal"]
    found = judge(scenario_from(board | {"propose": {"p": [{"t": first}, {"t": second}]}}), explain=True, explain_seconds=60).proposals["p"]
    (one, other) = [step["t"] for step in found.nearest_steps]
    assert (one, other) in legal
    apart = [moved({"t": one}, {"t": first}) + moved({"t": other}, {"t": second}) for one, other in legal]
    assert moved({"t": one}, {"t": first}) + moved({"t": other}, {"t": second}) == min(apart) == mended


def test_where_no_order_is_given() -> None:
    """What is offered is legal in every order, or it is said that nothing is (510.1c until 2024)."""
    field = {"m": {"controller": "A", "pt": "5/5"}, "x": {"controller": "D", "pt": "2/2"}, "y": {"controller": "D", "pt": "1/3"}}
    board: dict[str, Any] = {"release": "2024-09-20", "battlefield": field, "attack": {"m": "D"}, "block": {"x": "m", "y": "m"}}
    proposed = {"short": {"m": {"x": 1, "y": 3}}, "long": {"m": {"x": 6}}}
    for name, verdict in judge(scenario_from(board | {"propose": proposed}), explain=True).proposals.items():
        assert (name, verdict.nearest) == (name, {"m": {"x": 2, "y": 3}})
    board["battlefield"] = field | {"y": {"controller": "D", "pt": "1/4"}}
    for verdict in judge(scenario_from(board | {"propose": proposed}), explain=True).proposals.values():
        assert (verdict.nearest, verdict.no_nearest) == (None, "no division is legal in every order in which m can assign damage (order)")


def test_where_a_condition_is_open() -> None:
    """What is offered is legal whether or not it holds, where that is nearest in one of the cases."""
    grows = "As long as the moon is full, this creature gets +0/+2."
    board = {
        "battlefield": {
            "t": {"controller": "A", "pt": "5/5", "keywords": ["trample"]},
            "x": {"controller": "D", "pt": "2/2", "text": grows},
        },
        "attack": {"t": "D"},
        "block": {"x": "t"},
        "propose": {"p": {"t": {"x": 1, "D": 4}}, "q": {"t": {"x": 6}}},
    }
    found = judge(scenario_from(board), explain=True).proposals
    assert [found[name].nearest for name in ("p", "q")] == [{"t": {"x": 4, "D": 1}}, {"t": {"x": 5}}]


def test_what_is_nearest_in_several_steps_is_told() -> None:
    """As JSON, in words and in the explanation."""
    field = {"t": {"controller": "A", "pt": "1/9", "keywords": ["double strike"]}, "x": {"controller": "D", "pt": "1/4"}}
    proposed = [{"t": {"x": 1}}, {"t": {"x": 2}}]
    board = {"lawmage": 1, "judge": "outcome", "battlefield": field, "attack": {"t": "D"}, "block": {"x": "t"}, "propose": {"p": proposed}}
    answer, why = judge_and_explain(scenario_from(board))
    document = answer.as_json()
    assert document["proposals"]["p"]["nearest_steps"] == [{"t": {"x": 1}}, {"t": {"x": 1}}]
    for lines in (verdict_lines, outcome_lines):
        assert "  nearest legal: t assigns 1 to x; then t assigns 1 to x" in list(lines(document))
    assert "The nearest that is legal: t assigns 1 to x; then t assigns 1 to x." in [step.sentence for step in why["p"].children]
