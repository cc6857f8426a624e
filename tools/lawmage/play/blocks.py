"""Declaring blockers (509.1): each defending player's declaration is judged on its own (802.4b), by asp/509-declare-blockers.lp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lawmage.board import BlockChoice, Board, Proposal, defending_players
from lawmage.play.declarations import Declarations
from lawmage.play.growing import growth_of_attackers
from lawmage.play.mana import paid_amounts, term_of
from lawmage.play.quick import Pair
from lawmage.play.reading import read_board
from lawmage.play.tapping import tap_attackers
from lawmage.play.verdict import Declaration

__all__ = ["Blocks"]


class Blocks(Declarations):
    """The declare blockers step of one scenario."""

    judges = "block"
    entries = (
        "declare-blockers",
        "declare-blockers-bound",
        "list-blocks",
        "clash-of-blocks",
        "count-blocks",
        "nearest-block",
        "clash-of-blocks-bound",
        "nearest-block-bound",
        "help-with-blocks",
        "payment-of-blocks-bound",
    )
    roles = ("blocker", "attacker")
    _defending: Sequence[str] = ()
    too_few = "too_few_blocking_requirements"

    def as_declared(self) -> Board:
        """Return the board with the attackers tapped and grown (508.3a), where something asks what is tapped, or how large they are."""
        #: The board as attackers were declared, before abilities that triggered on that have resolved.
        self.before_growth = tap_attackers(self.scenario, self.reading, self.known)
        growth, unsaid = growth_of_attackers(self.scenario, self.before_growth, self.reading, self.known)
        if not growth and unsaid is None:
            return self.before_growth
        board = replace(self.before_growth, effects=(*self.before_growth.effects, *growth))
        self.reading = read_board(board, self.known, file=self.file)
        if unsaid is not None:
            self.reading = replace(self.reading, unread=(*self.reading.unread, unsaid))
        return board

    def players(self) -> Sequence[str]:
        """Return the defending players, or the next player where nobody is attacked."""
        if not self._defending:
            self._defending = defending_players(self.board) or [name for name in self.board.players if name != self.board.active][:1]
        return self._defending

    def facts_about(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield that `player` is the defending player, and what they can pay with where the board says."""
        number = f"p({self.problem.players[player]})"
        yield "defender", (number,)
        yield "defends", (number,)
        yield from self.costs.facts(player)

    def proposed(self, player: str, proposal: Proposal) -> list[Pair]:
        """Return the blocks that `player` declares."""
        numbers = self.problem.numbers
        blocks: list[Pair] = []
        for choice in self._choices_of(player, proposal):
            blocker = numbers[choice.blocker]
            blocks += [(blocker, numbers[attacker]) for attacker in choice.attackers if attacker in numbers]
        return blocks

    def proposed_beside(self, world: int | str, player: str, proposal: Proposal) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the payments of the proposal."""
        numbers = self.problem.numbers
        if not any(choice.pay or choice.acts for choice in proposal.blocks):
            return
        for choice in self._choices_of(player, proposal):
            for kind, amount in (paid_amounts(choice.pay) if choice.pay else {}).items():
                yield "paid", (world, numbers[choice.blocker], term_of(kind), amount)
            for act, name in choice.acts:
                yield "given", (world, numbers[choice.blocker], act, numbers.get(name, "gone"))

    def _choices_of(self, player: str, proposal: Proposal) -> list[BlockChoice]:
        """Return what `player` declares; what nobody could declare goes to the first player."""
        objects, numbers = self.board.objects, self.problem.numbers
        first, *others = self.players()
        there = [(choice, objects[choice.blocker].controller) for choice in proposal.blocks if choice.blocker in numbers]
        return [choice for choice, by in there if by == player or (player == first and by not in others)]

    def declaration(self, pairs: Mapping[str, Sequence[str]]) -> Declaration:
        """Return the attackers that each creature blocks."""
        return {blocker: tuple(attackers) for blocker, attackers in pairs.items()}
