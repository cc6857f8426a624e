"""Too few for what is required: the clash is found by counting and smallest, and so is the nearest declaration."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.play import enumerate_declarations, judge
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.clash import _Searching
from lawmage.play.clash_flow import Numbers, can_hold
from lawmage.play.declarations import Declarations
from lawmage.play.plain_clash import PlainClash
from lawmage.scenario import scenario_from

MUST = "This creature must be blocked if able."
MUST_ATTACK = "This creature attacks each combat if able."
#: In clashes of no more parts a search shows that they are smallest.
FEW = 9
EXAMPLES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

Board = dict[str, dict[str, Any]]


def attackers(number: int, name: str = "a", **keys: Any) -> Board:
    return {f"{name}{index}": {"controller": "A", "pt": "2/2", "text": MUST, **keys} for index in range(number)}


def blockers(number: int, name: str = "b", **keys: Any) -> Board:
    return {f"{name}{index}": {"controller": "D", "pt": "2/2", **keys} for index in range(number)}


def blocks(battlefield: Board, **proposed: list[str]) -> dict[str, Any]:
    attack = {name: "D" for name, thing in battlefield.items() if thing["controller"] == "A"}
    return {"battlefield": battlefield, "attack": attack, "propose": {"p": proposed}}


def attacks(number: int, rule: str, players: str = "AD", **keys: Any) -> dict[str, Any]:
    battlefield = {f"a{index}": {"controller": "A", "pt": "2/2", "text": MUST_ATTACK, **keys} for index in range(number)}
    battlefield["e"] = {"controller": "D", "types": ["enchantment"], "text": rule}
    return {"judge": "attack", "players": {name: {} for name in players}, "active": "A", "battlefield": battlefield, "propose": {"p": {}}}


def shown_at_once(board: Mapping[str, Any]) -> tuple[Declarations, frozenset[Any] | None]:
    """Return the clash that is found without counting step by step and without a search, None if none shows so."""
    scenario = scenario_from(board)
    attacking = scenario.judge == "attack"
    step = (Attacks if attacking else Blocks)(scenario, explain=True)
    return step, PlainClash(step._position("A" if attacking else "D", ()), step._entry(8), step._kinds).parts()


def assert_smallest(step: Declarations, clash: frozenset[Any]) -> None:
    def search() -> Any:
        facts = step._facts("A" if step.judges == "attack" else "D", ())
        facts.add("world", "clash")
        return step._ground(3, facts)

    if len(clash) > FEW:
        # A search never ends on pigeonholes.
        numbers = Numbers.of(step._position("A" if step.judges == "attack" else "D", ()).stated(step._entry(6)))
        assert can_hold(numbers, clash)[0]
        assert not any(can_hold(numbers, clash - {part})[0] for part in clash)
        return
    solver = _Searching(search, 60)
    assert solver.clash(clash)[0] == clash
    assert not any(solver.clash(clash - {part})[0] for part in clash)


@pytest.mark.parametrize(
    ("board", "size"),
    [
        (blocks(attackers(4) | blockers(3)), 5),
        (blocks(attackers(11) | blockers(10)), 12),
        (blocks(attackers(30) | blockers(25)), 27),
        # Six with menace, of which one has no need of it: eleven are more than ten.
        (blocks(attackers(11, keywords=["menace"]) | blockers(10)), 6 + 5 + 1),
        (blocks(attackers(26, keywords=["menace"]) | blockers(50)), 26 + 25 + 1),
        # Those that fly are too many for those with reach, whoever else there is.
        (blocks(attackers(3, "f", keywords=["flying"]) | attackers(2) | blockers(2, "r", keywords=["reach"]) | blockers(9)), 3 + 3 + 1),
        (blocks(attackers(5) | blockers(4) | blockers(3, "t", tapped=True)), 5 + 1 + 1),
        (blocks(attackers(3, text=f"{MUST} No more than two creatures can block each combat.") | blockers(9)), 3 + 1 + 1),
        (blocks(attackers(1, text=f"{MUST} This creature can't be blocked except by three or more creatures.") | blockers(2)), 1 + 1),
        (attacks(5, "No more than two creatures can attack each combat."), 3 + 1),
        (attacks(50, "No more than two creatures can attack each combat."), 3 + 1),
        (attacks(5, "No more than one creature can attack you each combat."), 2 + 1),
    ],
)
def test_shortages_show_at_once(board: dict[str, Any], size: int) -> None:
    step, found = shown_at_once(board)
    assert found is not None
    assert len(found) == size
    assert_smallest(step, found)


def test_with_somebody_else_to_attack_there_is_no_shortage() -> None:
    _, found = shown_at_once(attacks(5, "No more than one creature can attack you each combat.", "ADE"))
    assert not found


def apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, int]:
    """Return how far apart two declarations are: by how many creatures, then by how many pairs."""
    pairs = [
        {(actor, at) for actor, those in each.items() for at in ([those] if isinstance(those, str) else those)} for each in (one, other)
    ]
    differing = pairs[0] ^ pairs[1]
    return len({actor for actor, _ in differing}), len(differing)


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a board of blocks with few creatures, most of which must be blocked, and a declaration that obeys some of it perhaps."""
    field: Board = {}
    for index in range(draw(st.integers(1, 4))):
        keywords = [keyword for keyword in ("menace", "flying") if draw(st.integers(0, 3)) == 0]
        field |= {
            f"a{index}": {"controller": "A", "pt": "2/2", "keywords": keywords, "text": draw(st.sampled_from([MUST, MUST, MUST, ""]))}
        }
    there = list(field)
    for index in range(draw(st.integers(1, 5))):
        keywords = ["reach"] if draw(st.integers(0, 2)) == 0 else []
        field |= {f"b{index}": {"controller": "D", "pt": "2/2", "keywords": keywords, "tapped": draw(st.integers(0, 9)) == 0}}
    home = [name for name in field if name not in there]
    acting = draw(st.lists(st.sampled_from(home), unique=True)) if draw(st.booleans()) else []
    return blocks(field, **{name: [draw(st.sampled_from(there))] for name in acting})


@EXAMPLES
@given(boards())
def test_what_is_told_is_smallest_and_nearest(board: dict[str, Any]) -> None:
    note(str(board))
    scenario = scenario_from(board)
    verdict = judge(scenario, explain=True).proposals["p"]
    if verdict.nearest is not None:
        wanted = board["propose"]["p"]
        assert apart(wanted, verdict.nearest) == min(map(partial(apart, wanted), enumerate_declarations(scenario)))
    step, found = shown_at_once(board)
    if found and "requirement" in step.problem.groups:
        assert_smallest(step, found)


@pytest.mark.parametrize("kept", [0, 3, 20])
def test_the_nearest_to_too_few_blocks_adds_what_is_missing(kept: int) -> None:
    """With 21 attackers and 20 blockers, what blocks already stays where it is; each other blocker blocks one."""
    proposed = {f"b{index}": [f"a{index + 1}"] for index in range(kept)}
    verdict = judge(scenario_from(blocks(attackers(21) | blockers(20), **proposed)), explain=True).proposals["p"]
    if kept == 20:
        assert verdict.verdict == "legal"
        return
    assert verdict.nearest is not None
    assert proposed.items() <= {name: list(those) for name, those in verdict.nearest.items()}.items()
    assert len(set(verdict.nearest.values())) == len(verdict.nearest) == 20


def test_the_nearest_to_no_attack_where_only_so_many_can() -> None:
    verdict = judge(scenario_from(attacks(50, "No more than two creatures can attack each combat.")), explain=True).proposals["p"]
    assert verdict.nearest is not None
    assert len(verdict.nearest) == 2
