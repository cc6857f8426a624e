"""Declaring attackers (508.1): the active player's declaration is judged by asp/508-declare-attackers.lp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lawmage.board import Proposal
from lawmage.play.declarations import Declarations
from lawmage.play.mana import paid_amounts, term_of
from lawmage.play.quick import Pair
from lawmage.play.verdict import Declaration

__all__ = ["Attacks"]


class Attacks(Declarations):
    """The declare attackers step of one scenario. Each opponent may be attacked (802)."""

    judges = "attack"
    entries = (
        "declare-attackers",
        "declare-attackers-bound",
        "list-attacks",
        "clash-of-attacks",
        "count-attacks",
        "nearest-attack",
        "clash-of-attacks-bound",
        "declare-attackers-bound",
        "help-with-attacks",
        "payment-of-attacks-bound",
    )
    roles = ("attacker", "target")
    too_few = "too_few_attacking_requirements"

    def players(self) -> Sequence[str]:
        """Return the active player."""
        return (self.board.active,)

    def facts_about(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield who may be attacked, and what the attacking player can pay with where the board says."""
        for name, number in self.problem.players.items():
            if name != player:
                yield "defends", (f"p({number})",)
        yield from self.costs.facts(player)

    def proposed(self, player: str, proposal: Proposal) -> list[Pair]:
        """Return the attacks of the proposal."""
        del player
        numbers, players = self.problem.numbers, self.problem.players
        return [
            (numbers[attack.attacker], f"p({players[attack.target]})" if attack.target in players else numbers.get(attack.target, "gone"))
            for attack in proposal.attacks
            if attack.attacker in numbers
        ]

    def proposed_beside(self, world: int | str, player: str, proposal: Proposal) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the payments and bands of the proposal."""
        del player
        numbers = self.problem.numbers
        for attack in proposal.attacks:
            attacker = numbers.get(attack.attacker)
            if attacker is None:
                continue
            for kind, amount in (paid_amounts(attack.pay) if attack.pay else {}).items():
                yield "paid", (world, attacker, term_of(kind), amount)
            for act, name in attack.acts:
                yield "given", (world, attacker, act, numbers.get(name, "gone"))
        for index, band in enumerate(proposal.bands):
            for name in band:
                if name in numbers:
                    yield "band", (world, index, numbers[name])

    def declaration(self, pairs: Mapping[str, Sequence[str]]) -> Declaration:
        """Return what each creature attacks."""
        return {attacker: targets[0] for attacker, targets in pairs.items()}
