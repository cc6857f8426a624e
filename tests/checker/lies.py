"""Verdicts that are not true, made from true ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from lawmage.board import Proposal, Scenario
from lawmage.play import Declaration, ProposalVerdict, Requirements, Violation

__all__ = ["LIES", "lies"]

#: The rules for obeying too few requirements, and for what a restriction in a text forbids.
TOO_FEW = {"attack": "508.1d", "block": "509.1c"}
FORBIDDEN = {"attack": "508.1c", "block": "509.1b"}
#: What is wrong with a proposal by these rules is not wrong with the blocks or attacks alone.
BESIDE = {"118.3", "702.22c", "702.22d"}

Verdicts: TypeAlias = Mapping[str, ProposalVerdict]
Lie: TypeAlias = Callable[[Scenario, Proposal, Verdicts], Iterator[ProposalVerdict]]


def lies(kind: str, scenario: Scenario, verdicts: Verdicts) -> Iterator[tuple[str, ProposalVerdict]]:
    """Yield a proposal and a false verdict on it, for every way to tell the lie `kind`; `verdicts` are the true ones."""
    for proposal in scenario.proposals:
        true = verdicts[proposal.name]
        # Where the board leaves something open there are several truths.
        if true.verdict != "undecided" and not true.assumptions:
            yield from ((proposal.name, lie) for lie in LIES[kind](scenario, proposal, verdicts))


def declaration(proposal: Proposal) -> Declaration:
    return {choice.blocker: choice.attackers for choice in proposal.blocks} | {a.attacker: a.target for a in proposal.attacks}


def paid(proposal: Proposal) -> bool:
    return any(attack.pay for attack in proposal.attacks) or any(choice.pay for choice in proposal.blocks)


def restrictions(scenario: Scenario, verdict: ProposalVerdict) -> list[Violation]:
    return [violation for violation in verdict.violations if violation.rule != TOO_FEW[scenario.judge]]


def one_player_declares(scenario: Scenario) -> bool:
    return scenario.judge == "attack" or len(scenario.board.players) == 2


def has_better(scenario: Scenario, true: ProposalVerdict, better: Declaration, maximum: int) -> ProposalVerdict:
    """Return the verdict that obeys too little, as `better` is said to show."""
    short = Violation(TOO_FEW[scenario.judge], (), "obeys too little")
    known = tuple(restrictions(scenario, true))
    return replace(
        true, verdict="illegal", violations=(*known, short), requirements=Requirements(true.requirements.obeyed, maximum, better)
    )


def forbidden(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """Something legal is called forbidden."""
    true = verdicts[proposal.name]
    if true.verdict == "legal":
        for creature, others in declaration(proposal).items():
            objects = (creature, others) if isinstance(others, str) else (creature, *others)
            yield replace(true, verdict="illegal", violations=(Violation(FORBIDDEN[scenario.judge], objects, "is forbidden"),))


def forbidden_elsewhere(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """A violation is told of objects that have nothing to do with it."""
    true = verdicts[proposal.name]
    for index, violation in enumerate(true.violations):
        others = set(scenario.board.objects) - {name for each in true.violations for name in each.objects} - set(declaration(proposal))
        for other in sorted(others)[:1]:
            wrong = replace(violation, objects=(other,))
            yield replace(true, violations=(*true.violations[:index], wrong, *true.violations[index + 1 :]))


def another_rule(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """A violation is told of a rule that does not say so."""
    true = verdicts[proposal.name]
    for index, violation in enumerate(true.violations):
        if violation.rule != TOO_FEW[scenario.judge]:
            wrong = replace(violation, rule="702.15b")
            yield replace(true, violations=(*true.violations[:index], wrong, *true.violations[index + 1 :]))


def legal_all_the_same(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """Something that breaks a restriction is called legal, with figures that fit."""
    true = verdicts[proposal.name]
    if restrictions(scenario, true):
        obeyed = true.requirements.obeyed
        yield replace(true, verdict="legal", violations=(), requirements=Requirements(obeyed, obeyed))


def legal_with_too_few(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """Something that obeys too few requirements is called legal, the figures being true."""
    true = verdicts[proposal.name]
    if true.requirements.better is not None and not restrictions(scenario, true):
        yield replace(true, verdict="legal", violations=(), requirements=replace(true.requirements, better=None))


def no_reason(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """Something is called illegal and no reason is given."""
    del scenario
    true = verdicts[proposal.name]
    yield replace(true, verdict="illegal", violations=(), requirements=replace(true.requirements, better=None))


def obeyed(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """One requirement more or less is said to be obeyed."""
    del scenario
    true = verdicts[proposal.name]
    for number in (true.requirements.obeyed - 1, true.requirements.obeyed + 1):
        yield replace(true, requirements=replace(true.requirements, obeyed=number))


def maximum(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """More is said to be possible than the better declaration, or a legal proposal, obeys."""
    true = verdicts[proposal.name]
    if one_player_declares(scenario):
        shown = true.requirements.obeyed if true.requirements.better is None else true.requirements.maximum or 0
        yield replace(true, requirements=replace(true.requirements, maximum=shown + 1))


def better_is_illegal(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """The better declaration breaks a restriction."""
    true = verdicts[proposal.name]
    for other in scenario.proposals:
        if {violation.rule for violation in restrictions(scenario, verdicts[other.name])} - BESIDE and not paid(other):
            yield has_better(scenario, true, declaration(other), verdicts[other.name].requirements.obeyed)


def better_is_not_better(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """The better declaration obeys no more than the proposal."""
    true = verdicts[proposal.name]
    for other in scenario.proposals:
        if declaration(other) and verdicts[other.name].requirements.obeyed <= true.requirements.obeyed:
            yield has_better(scenario, true, declaration(other), true.requirements.obeyed + 1)


def better_pays(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """The better declaration is legal because something is paid."""
    true = verdicts[proposal.name]
    for other in scenario.proposals:
        number = verdicts[other.name].requirements.obeyed
        if paid(other) and verdicts[other.name].verdict == "legal" and number > true.requirements.obeyed:
            yield has_better(scenario, true, declaration(other), number)


def better_is_missing(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """Too few requirements are said to be obeyed and nothing better is shown."""
    true = verdicts[proposal.name]
    short = Violation(TOO_FEW[scenario.judge], (), "obeys too little")
    known = tuple(restrictions(scenario, true))
    yield replace(true, verdict="illegal", violations=(*known, short), requirements=replace(true.requirements, better=None))


def clash(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """A clash is of things that are not there."""
    true = verdicts[proposal.name]
    names = [thing.id for thing in scenario.board.objects.values()][:1]
    said = ["ghost has flying (702.9b)", "a ghost is tapped (509.1a)"]
    said += [f"{name} {words} (509.1c)" for name in names for words in ("has training", 'says "Ghosts attack"', "has goaded it", "is blue")]
    for words in said:
        yield replace(true, requirements=replace(true.requirements, clash=(*true.requirements.clash, words)))


def met(scenario: Scenario, proposal: Proposal, verdicts: Verdicts) -> Iterator[ProposalVerdict]:
    """A requirement is named that is not there, or none where one is obeyed."""
    del scenario
    true = verdicts[proposal.name]
    if true.requirements.met:
        ghost = 'ghost says "Ghosts attack"'
        for named in ((*true.requirements.met[1:], ghost), (*true.requirements.met, true.requirements.met[0])):
            yield replace(true, requirements=replace(true.requirements, met=named))


LIES: Mapping[str, Lie] = {
    lie.__name__: lie
    for lie in (
        forbidden,
        forbidden_elsewhere,
        another_rule,
        legal_all_the_same,
        legal_with_too_few,
        no_reason,
        obeyed,
        maximum,
        better_is_illegal,
        better_is_not_better,
        better_pays,
        better_is_missing,
        clash,
        met,
    )
}
