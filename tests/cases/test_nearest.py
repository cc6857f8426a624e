"""What is nearest to each illegal proposal of these files is told, or that nothing is legal; what is told is legal.

The situations of the folder shared/ beside the checkout stand among these files (tests/play/shared_cases.toml).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.play import ProposalVerdict, judge

from .expectations import CASES, load_cases

DECLARED = ("attack", "block")
#: The illegal proposals for which neither is told, each with the reason. This list can only become shorter.
NEITHER = {
    "601/601.2c-as-many-targets-as-x three": "how many targets there are changes with X, which is not followed for another X",
}


@cache
def illegal() -> dict[tuple[Path, str], ProposalVerdict]:
    """Return the verdict on each illegal proposal, with what is nearest."""
    found: dict[tuple[Path, str], ProposalVerdict] = {}
    for file, scenario in load_cases().items():
        if scenario.judge != "lethal":
            answer = judge(scenario, seconds=None, explain=True, explain_seconds=60)
            found |= {(file, name): verdict for name, verdict in answer.proposals.items() if verdict.verdict == "illegal"}
    return found


def named(file: Path, name: str) -> str:
    """Return the name of a proposal in a file."""
    return f"{file.relative_to(CASES).with_suffix('').as_posix()} {name}"


def test_each_is_told_what_is_nearest_or_that_nothing_is_legal() -> None:
    neither = {named(*key) for key, verdict in illegal().items() if not verdict.has_nearest and not verdict.no_nearest}
    assert neither == NEITHER.keys() & {named(*key) for key in illegal()}
    assert {load_cases()[file].judge for file, _ in illegal()} >= {"attack", "block", "damage", "outcome", "cast", "activate", "special"}


def again(scenario: Scenario, verdict: ProposalVerdict) -> Proposal:
    """Return what is nearest as a proposal, with what pays for it."""
    assert verdict.nearest is not None

    def paid(name: str) -> tuple[str | None, tuple[tuple[str, str], ...]]:
        acts = verdict.nearest_with.get(name, {})
        return verdict.nearest_pay.get(name), tuple((act, thing) for act, things in acts.items() for thing in things)

    if scenario.judge == "attack":
        return Proposal("again", attacks=tuple(Attack(name, target, *paid(name)) for name, target in verdict.nearest.items()))
    return Proposal("again", blocks=tuple(BlockChoice(name, tuple(others), *paid(name)) for name, others in verdict.nearest.items()))


def declared() -> Iterator[tuple[Path, str]]:
    """Yield the illegal declarations for which something has to be paid in the nearest one."""
    for (file, name), verdict in illegal().items():
        if load_cases()[file].judge in DECLARED and (verdict.nearest_pay or verdict.nearest_with):
            yield file, name


def test_what_is_told_to_pay_is_right() -> None:
    """The nearest declaration is legal with what is told to pay for it, as the independent checker confirms."""
    wrong = {}
    for file, name in declared():
        scenario = load_cases()[file]
        proposal = again(scenario, illegal()[file, name])
        verdict = judge(replace(scenario, proposals=(proposal,), expect=None), checked=True).proposals["again"]
        if verdict.verdict != "legal":
            wrong[named(file, name)] = [violation.message for violation in verdict.violations]
    assert not wrong
    assert sum(bool(illegal()[key].nearest_with) for key in declared()) > 40


@pytest.mark.parametrize("judged", DECLARED)
def test_nothing_that_is_told_to_be_nearest_is_what_was_proposed(judged: str) -> None:
    """What is nearest differs in what is declared, or in what pays for it."""
    for (file, name), verdict in illegal().items():
        scenario = load_cases()[file]
        if scenario.judge == judged and verdict.nearest is not None:
            (proposal,) = [one for one in scenario.proposals if one.name == name]
            nearest = again(scenario, verdict)
            assert proposal.bands or (nearest.attacks, nearest.blocks) != (proposal.attacks, proposal.blocks), named(file, name)
