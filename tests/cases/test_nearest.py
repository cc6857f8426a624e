"""What is nearest to each illegal proposal of these files is told, or that nothing is legal; what is told is legal.

The situations of the folder shared/ beside the checkout stand among these files (tests/play/shared_cases.toml).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.play import ProposalVerdict, judge

from .expectations import CASES, load_cases

#: The illegal proposals for which neither is told, each with the reason. This list can only become shorter.
NEITHER: dict[str, str] = {}


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


def again(scenario: Scenario, verdict: ProposalVerdict) -> Proposal:
    """Return what is nearest as a proposal, with what pays for it."""
    assert verdict.nearest is not None

    def paid(name: str) -> tuple[str | None, tuple[tuple[str, str], ...]]:
        acts = verdict.nearest_with.get(name, {})
        return verdict.nearest_pay.get(name), tuple((act, thing) for act, things in acts.items() for thing in things)

    if scenario.judge == "attack":
        return Proposal("again", attacks=tuple(Attack(name, target, *paid(name)) for name, target in verdict.nearest.items()))
    return Proposal("again", blocks=tuple(BlockChoice(name, tuple(others), *paid(name)) for name, others in verdict.nearest.items()))


def test_each_is_told_what_is_nearest_or_that_nothing_is_legal() -> None:
    """What is told to be nearest of declarations is legal with what is told to pay for it, as the independent checker confirms."""
    verdicts = illegal()
    neither = {named(*key) for key, verdict in verdicts.items() if not verdict.has_nearest and not verdict.no_nearest}
    assert neither == NEITHER.keys()
    assert {load_cases()[file].judge for file, _ in verdicts} >= {"attack", "block", "damage", "outcome", "cast", "activate", "special"}
    wrong = {}
    for (file, name), verdict in verdicts.items():
        scenario = load_cases()[file]
        if scenario.judge in ("attack", "block") and (verdict.nearest_pay or verdict.nearest_with):
            (told,) = judge(replace(scenario, proposals=(again(scenario, verdict),), expect=None), checked=True).proposals.values()
            if told.verdict != "legal":
                wrong[named(file, name)] = [violation.message for violation in told.violations]
    assert not wrong
    assert sum(bool(verdict.nearest_with) for verdict in verdicts.values()) > 40
