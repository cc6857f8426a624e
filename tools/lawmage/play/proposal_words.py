"""What a scenario proposes, in words, with its bands and what pays for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.play.declaration_words import declaration_in_words, listed, payment_in_words
from lawmage.play.play_words import PLAYS, play_in_words
from lawmage.play.verdict import Declaration

__all__ = ["Doing", "declared_in", "paid_in", "proposal_in_words", "whole_in_words"]

#: What `paid_in` returns.
_Paid: TypeAlias = tuple[dict[str, str], dict[str, dict[str, list[str]]]]


def proposal_in_words(scenario: Scenario, name: str) -> str:
    """Return what a proposal of `scenario` proposes, as a phrase; without such a proposal, that the answer is about what combat does."""
    proposal = next((proposal for proposal in scenario.proposals if proposal.name == name), None)
    if proposal is None:
        return "what combat does; `lawmage outcome` shows it"
    if scenario.judge in PLAYS:
        return play_in_words(proposal.raw, scenario.judge)
    if scenario.judge == "outcome" and isinstance(proposal.raw, dict):
        return f"{proposal.raw['event']} {', '.join(proposal.raw.get('objects', ()))}".strip()
    if scenario.judge == "outcome":
        return ", then ".join(declaration_in_words(step["assign"], "damage") for step in proposal.raw)
    return whole_in_words(declaration_in_words(declared_in(scenario, proposal), scenario.judge), proposal, paid_in(proposal))


def whole_in_words(words: str, proposal: Proposal, paid: _Paid) -> str:
    """Return a declaration in words with its bands, and what is paid in it (`paid_in`)."""
    bands = "".join(f", in a band: {listed(band)}" for band in proposal.bands if band) if proposal.bands else ""
    return f"{words}{bands}{payment_in_words(*paid)}" if any(paid) else f"{words}{bands}"


def paid_in(proposal: Proposal) -> _Paid:
    """Return what pays for which creature of a proposal: mana and life, as written, and what is done with permanents."""
    choices: list[BlockChoice | Attack] = [*proposal.blocks, *proposal.attacks]
    if not any(choice.pay or choice.acts for choice in choices):
        return {}, {}
    pay: dict[str, str] = {}
    acts: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for choice in choices:
        name = choice.blocker if isinstance(choice, BlockChoice) else choice.attacker
        if choice.pay:
            pay[name] = choice.pay
        for act, which in choice.acts:
            acts[name][act].append(which)
    return pay, {name: dict(by) for name, by in acts.items()}


def declared_in(scenario: Scenario, proposal: Proposal) -> Declaration:
    """Return the declaration that a proposal proposes."""
    declaration: dict[str, tuple[str, ...] | str | Mapping[str, int]] = {choice.blocker: choice.attackers for choice in proposal.blocks}
    declaration |= {attack.attacker: attack.target for attack in proposal.attacks}
    return declaration | (proposal.raw["assign"] if scenario.judge == "damage" else {})


class Doing:
    """What each object does in a declaration, in words."""

    def __init__(self, declaration: Declaration, judge: str) -> None:
        self.declaration = declaration
        self._judge = judge
        self._told: dict[str, str] = {}
        #: The part of the declaration in which something is acted on, by its name.
        self._acted_on: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for actor, others in declaration.items():
            for other in (others,) if isinstance(others, str) else others:
                self._acted_on[other][actor] = others

    def others(self, name: str) -> Sequence[str]:
        """Return what an object acts on."""
        others = self.declaration.get(name, ())
        return (others,) if isinstance(others, str) else tuple(others)

    def words(self, name: str) -> str:
        """Return what an object does, or what is done with it; nothing if neither is declared."""
        found = self._told.get(name)
        if found is None:
            declaration = self.declaration
            part = {name: declaration[name]} if name in declaration else self._acted_on.get(name)
            found = self._told[name] = declaration_in_words(part, self._judge) if part else ""
        return found
