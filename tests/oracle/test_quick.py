"""Verdicts that need no search are those of clingo alone, also where a few objects speak for many of a kind.

`LAWMAGE_EXAMPLES=10` tries ten times as many boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.play import ProposalVerdict, alike
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.scenario import scenario_from

from . import attacks, blocks
from .attack_boards import attack_boards, attack_declarations
from .boards import boards, declarations
from .test_blocks import EXAMPLES


@pytest.fixture(autouse=True, scope="module")
def _small_boards_too() -> Iterator[None]:
    few, alike.FEW = alike.FEW, 0
    yield
    alike.FEW = few


def multiplied(data: st.DataObject, mapping: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario with copies of some creatures, which do in each proposal what some creature of that kind does."""
    field = mapping["battlefield"]
    known = [name for name, entry in field.items() if "pt" in entry]
    kinds = data.draw(st.lists(st.sampled_from(known), max_size=2, unique=True))
    copies = {f"{name}_{number}": name for name in kinds for number in range(data.draw(st.integers(3, 5)))}
    attacking = mapping.get("attack", {})
    proposals = {}
    for name, proposal in mapping["propose"].items():
        others = sorted(attacking) + [copy for copy, like in copies.items() if like in attacking]
        proposals[name] = dict(proposal)
        for copy, like in copies.items():
            chosen = proposal.get(like)
            if chosen is not None and data.draw(st.booleans()):
                if isinstance(chosen, list) and data.draw(st.booleans()):
                    chosen = sorted({data.draw(st.sampled_from(others)) for _ in chosen})
                proposals[name][copy] = chosen
    scenario = {
        **mapping,
        "battlefield": field | {copy: field[like] for copy, like in copies.items()},
        "propose": proposals,
    }
    if attacking:
        scenario["attack"] = attacking | {copy: attacking[like] for copy, like in copies.items() if like in attacking}
    note(str(scenario))
    return scenario


def parts(verdict: ProposalVerdict) -> tuple[object, ...]:
    """Return what has to be the same, however it is found; which better declaration is named is free."""
    restrictions = tuple(sorted(violation.message for violation in verdict.violations if "better:" not in violation.message))
    requirements = verdict.requirements
    return (
        verdict.verdict,
        restrictions,
        len(verdict.violations),
        requirements.obeyed,
        requirements.maximum,
        sorted(requirements.met),
        requirements.better is None,
        verdict.cites,
        verdict.not_understood,
    )


def assert_same(step: type[Attacks | Blocks], mapping: dict[str, Any]) -> None:
    scenario = scenario_from(mapping)
    quick = step(scenario, seconds=None).judge(scenario.proposals)
    plain = step(scenario, seconds=None, plain=True).judge(scenario.proposals)
    for name in quick:
        assert parts(quick[name]) == parts(plain[name])


@EXAMPLES
@given(st.data())
def test_blocks(data: st.DataObject) -> None:
    board = data.draw(boards())
    proposals = {f"p{number}": data.draw(declarations(board)) for number in range(3)} | {"none": {}}
    assert_same(Blocks, multiplied(data, blocks.to_scenario(board, proposals)))


@EXAMPLES
@given(st.data())
def test_attacks(data: st.DataObject) -> None:
    board = data.draw(attack_boards())
    proposals: dict[str, tuple[attacks.Attacks, attacks.Bands]] = {"none": ({}, ())}
    proposals |= {f"p{number}": data.draw(attack_declarations(board)) for number in range(3)}
    assert_same(Attacks, multiplied(data, attacks.to_scenario(board, proposals, paid=data.draw(st.booleans()))))
