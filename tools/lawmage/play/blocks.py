"""Declaring blockers (509.1): each defending player's declaration is judged on its own (802.4b), by asp/509-declare-blockers.lp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lawmage.board import Board, Proposal, defending_players
from lawmage.play.declarations import Declarations
from lawmage.play.growing import growth_of_attackers
from lawmage.play.mana import paid_amounts, term_of
from lawmage.play.quick import acting_on_several
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
    )
    roles = ("blocker", "attacker")
    too_few = "too_few_blocking_requirements"

    def as_declared(self) -> Board:
        """Return the board with the attackers tapped and grown (508.3a), where something asks what is tapped, or how large they are."""
        #: The board as attackers were declared, before abilities that triggered on that have resolved.
        self.before_growth = tap_attackers(self.scenario, self.reading)
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
        opponents = [name for name in self.board.players if name != self.board.active]
        return defending_players(self.board) or opponents[:1]

    def facts_about(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield that `player` is the defending player, and what they can pay with where the board says."""
        number = f"p({self.problem.players[player]})"
        yield "defender", (number,)
        yield "defends", (number,)
        yield from self.costs.facts(player)

    def proposed(self, world: int | str, player: str, proposal: Proposal) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the blocks that `player` declares; what nobody could declare goes to the first player."""
        numbers = self.problem.numbers
        players = self.players()
        blocks: list[tuple[int, int]] = []
        for choice in proposal.blocks:
            controller = self.board.objects[choice.blocker].controller
            if (controller if controller in players else players[0]) != player or choice.blocker not in numbers:
                continue
            blocks += [(numbers[choice.blocker], numbers[attacker]) for attacker in choice.attackers if attacker in numbers]
            for kind, amount in (paid_amounts(choice.pay) if choice.pay else {}).items():
                yield "paid", (world, numbers[choice.blocker], term_of(kind), amount)
            for act, name in choice.acts:
                yield "given", (world, numbers[choice.blocker], act, numbers.get(name, "gone"))
        yield from (("proposed", (world, *pair)) for pair in blocks)
        yield from (("proposes_several", (world, blocker)) for blocker in acting_on_several(blocks))

    def declaration(self, pairs: Mapping[str, Sequence[str]]) -> Declaration:
        """Return the attackers that each creature blocks."""
        return {blocker: tuple(attackers) for blocker, attackers in pairs.items()}
