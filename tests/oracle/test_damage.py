"""What lawmage says about combat damage is what the brute force says: which divisions are legal, how many, and what damage does.

`LAWMAGE_EXAMPLES=10` tries ten times as many combats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.board import Scenario
from lawmage.play import judge
from lawmage.scenario import scenario_from

from . import damage as oracle
from .damage import Assignment, Combat
from .damage_boards import assignments, combats, legal_steps
from .test_blocks import EXAMPLES


def scenario_of(combat: Combat, kind: str, proposals: Mapping[str, Any], expect: Mapping[str, Any] | None = None) -> Scenario:
    mapping = oracle.to_scenario(combat, kind, proposals)
    if expect is not None:
        mapping["expect"] = dict(expect)
    note(str(mapping))
    return scenario_from(mapping)


@EXAMPLES
@given(st.data())
def test_verdicts(data: st.DataObject) -> None:
    combat = data.draw(combats())
    first, *later = oracle.steps(combat)
    step: dict[str, Any] = {"step": first} if later else {}
    proposals: dict[str, dict[str, Any]] = {}
    legal: dict[str, bool] = {}
    for player in ("A", "D", None):
        if player is None:
            listed: list[Assignment] = [data.draw(legal_steps(combat, first))]
        else:
            listed = list(oracle.legal_assignments(combat, first, player))
        drawn = [data.draw(st.sampled_from(listed)), *(data.draw(assignments(combat, first, listed)) for _ in range(3))]
        for number, assignment in enumerate(drawn):
            if player is None and not set(oracle.sources(combat, first)) <= set(assignment):
                continue  # It could be the active player's alone.
            name = f"{player or 'both'}{number}"
            proposals[name] = {**assignment, **step, **({"by": player} if player else {})}
            legal[name] = not oracle.broken(combat, assignment, first, player)
    answer = judge(scenario_of(combat, "damage", proposals), seconds=None)
    assert {name: verdict.verdict for name, verdict in answer.proposals.items()} == {
        name: "legal" if complies else "illegal" for name, complies in legal.items()
    }
    assert all(bool(verdict.violations) == (verdict.verdict == "illegal") for verdict in answer.proposals.values())


@EXAMPLES
@given(combats())
def test_count(combat: Combat) -> None:
    scenario = scenario_of(combat, "damage", {}, expect={"count": 0})
    assert judge(scenario, seconds=None).count == len(oracle.legal_assignments(combat, oracle.steps(combat)[0], "A"))


@EXAMPLES
@given(st.data())
def test_outcome(data: st.DataObject) -> None:
    combat = data.draw(combats())
    now, chosen, expected = combat, [], []
    for step in oracle.steps(combat):
        chosen.append(data.draw(legal_steps(now, step)))
        expected.append(oracle.deal(now, chosen[-1], step))
        now = expected[-1].combat
        if expected[-1].lost:
            break
    answer = judge(scenario_of(combat, "outcome", {"o": chosen}), seconds=None).proposals["o"].as_json()
    assert answer["verdict"] == "legal"
    auras = {f"u{fighter.name}" for fighter in combat.fighters}
    assert [set(step["died"]) - auras for step in answer["steps"]] == [set(result.died) for result in expected]
    assert [dealt(step["damage"]) for step in answer["steps"]] == [
        oracle.dealt(before, assignment)
        for before, assignment in zip([combat, *(result.combat for result in expected)], chosen, strict=False)
    ]
    for player in now.players:
        state = answer["players"][player.name]
        assert (state["life"], state["poison"]) == (player.life, player.poison)
        assert {name: amount for name, amount in state["commander_damage"].items() if amount} == player.commander_damage
        reasons = expected[-1].lost.get(player.name, frozenset())
        assert state["lost"] in reasons if reasons else state["lost"] is None
    left = {walker.name: {"loyalty": walker.loyalty} for walker in now.planeswalkers}
    left |= {battle.name: {"defense": battle.defense} for battle in now.battles}
    for permanent in combat.planeswalkers + combat.battles:
        state = answer["objects"][permanent.name]
        assert state["zone"] == ("battlefield" if permanent.name in left else "graveyard")
        assert state["counters"] == left.get(permanent.name, state["counters"])
    for fighter in combat.fighters:
        there = now.creatures.get(fighter.name)
        state = answer["objects"][fighter.name]
        assert state["zone"] == ("graveyard" if there is None else "battlefield")
        if there is not None:
            counters = {kind: number for kind, number in state["counters"].items() if number}
            assert counters == {kind: number for kind, number in (("+1/+1", there.plus), ("-1/-1", there.minus)) if number}
            assert state["damage"] == there.damage


def dealt(damage: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
    """Return how much each source dealt to each recipient in one step."""
    return {(one["source"], one["target"]): one["amount"] for one in damage if one["amount"]}
