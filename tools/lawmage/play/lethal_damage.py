"""Which attack does the most damage to a player for certain, whatever legal blocks are declared, and which block leaves the least of it?

Damage is the combat damage dealt to the player (120.3), whatever results from it, and combat is taken to go on where the player would lose
the game between its steps. The searches are those of `lawmage.play.lethal`, with damage in the place of ways to lose: each answer raises
what the next attack has to do, until no attack is left that could do it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from lawmage.board import Attack, Proposal, Scenario
from lawmage.play.declarations import UndecidedError
from lawmage.play.lethal import defending_player_of
from lawmage.play.lethal_attacks import AttackSearch, AttackStep, Part, Parts, form_that_tells, yielding
from lawmage.play.lethal_blocks import MOST_ATTACKS, BlockSearch, Clock, blocks_against, one_by_one
from lawmage.play.lethal_combat import DAMAGE
from lawmage.play.verdict import Declaration, declaration_as_json

__all__ = ["DamageVerdict", "max_damage"]


@dataclass(frozen=True, slots=True)
class DamageVerdict:
    """The answer.

    Attributes:
        verdict: `found`, or `undecided`: then the greatest damage lies between `at_least` and `at_most` (None: nothing is known).
        player: the defending player.
        at_least, at_most: the damage; the same for `found`.
        attack: an attack that does `at_least` whatever blocks, if any was found.
        block: a block that leaves no more than that against this attack.
        reason: why it is undecided.
        seconds: the time that it took.
    """

    verdict: Literal["found", "undecided"]
    player: str
    at_least: int = 0
    at_most: int | None = None
    attack: Declaration | None = None
    block: Declaration | None = None
    reason: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdict": self.verdict,
            "player": self.player,
            "max_damage": self.at_least if self.verdict == "found" else None,
            "at_least": self.at_least,
            "at_most": self.at_most,
            "attack": None if self.attack is None else declaration_as_json(self.attack),
            "block": None if self.block is None else declaration_as_json(self.block),
            "not_understood": [self.reason] if self.reason else [],
            "seconds": round(self.seconds, 6),
        }


def max_damage(scenario: Scenario, *, player: str | None = None, seconds: float | None = 10.0) -> DamageVerdict:
    """Return the most damage that an attack of the active player does to `player` whatever blocks; the declared attack, if one is.

    Arguments and errors are those of `lawmage.play.lethal.lethal`.
    """
    start = time.monotonic()
    whom = defending_player_of(scenario, player)
    search = _Search(scenario, whom, Clock.after(seconds))
    try:
        verdict = search.answer()
    except UndecidedError as error:
        verdict = search.undecided(str(error))
    return replace(verdict, seconds=time.monotonic() - start)


@dataclass(slots=True)
class _Search:
    """The search. `best` is the most damage found, with its attack and block; `most` no attack exceeds."""

    scenario: Scenario
    player: str
    clock: Clock
    best: tuple[int, Mapping[str, str], Declaration] | None = None
    most: int | None = None
    asked: BlockSearch | None = None
    kept: list[tuple[Declaration, Part]] = field(default_factory=list)

    def answer(self) -> DamageVerdict:
        attacks = self.scenario.board.attacks
        if attacks is not None:
            blocks = BlockSearch(self.scenario, attacks, self.player, self.clock)
            self.asked = blocks
            self._try({one.attacker: one.target for one in attacks}, blocks, blocks.attackers)
        else:
            step = AttackStep.of(self.scenario, self.clock)
            self._of_any(step)
            if "bands" in step.asks():
                raise UndecidedError("creatures could attack in bands, which is not looked at")
        assert self.best is not None
        damage, attack, block = self.best
        return DamageVerdict("found", self.player, damage, damage, attack, block)

    def undecided(self, reason: str) -> DamageVerdict:
        """Return what is known where the question stays open."""
        damage, attack, block = self.best or (0, None, None)
        most = self.most
        if self.asked is not None and self.asked.known is not None:
            damage, least_block = max(damage, self.asked.known[0]), self.asked.known[1]
            most = least_block if most is None else min(most, least_block)
        return DamageVerdict("undecided", self.player, damage, most, attack, block, reason)

    def _of_any(self, step: AttackStep) -> None:
        search = AttackSearch(step, self.player, self.clock)
        everything = [Attack(name, self.player) for name in search.literals]
        blocks = BlockSearch(step.scenario, everything, self.player, self.clock)
        form = form_that_tells(blocks)
        if form is None or not search.turns_to_player(blocks, form):
            self._one_by_one(search)
            return
        parts = Parts(blocks, form)
        if not parts.required and step.judge([Proposal("attack", attacks=tuple(everything))])["attack"].verdict == "legal":
            # A block against all of them, without those who do not attack, leaves no more of fewer.
            self.asked = blocks
            self._try({one.attacker: one.target for one in everything}, blocks, list(search.literals))
            return
        blocks.aim(0)
        search.leave_out(yielding(step, blocks, form, parts.required))
        self._in_turns(search, parts)

    def _try(self, attack: Mapping[str, str], blocks: BlockSearch, attackers: Sequence[str]) -> None:
        """Look for the least damage of an attack of which it is known that it does more than the best, and keep it."""
        damage, block = blocks.least(attackers, 0 if self.best is None else self.best[0] + 1)
        self.best = damage, attack, block

    def _does_more(self, blocks: BlockSearch, attackers: Sequence[str]) -> Declaration | None:
        """Return a block by which an attack does no more than the best, or None."""
        if self.best is None:
            return None
        blocks.aim(self.best[0] + 1)
        return blocks.answer(attackers).block

    def _in_turns(self, search: AttackSearch, parts: Parts) -> None:
        """Answer where a block tells about other attacks: attacks and blocks take turns."""
        search.prefer_large()
        self.most = search.ceiling(parts.of(search.literals).blocks.harm, {}, DAMAGE)
        while (attack := search.next()) is not None:
            present = [name for name, target in attack.items() if target == self.player]
            part = parts.of(present)
            block = self._does_more(part.blocks, present)
            if block is None:
                self._try(attack, part.blocks, present)
                assert self.best is not None
                block = self.best[2]
                for earlier, of in self.kept:
                    of.blocks.aim(self.best[0] + 1)
                    search.rule_out(of.blocks.harm, earlier, of)
            assert self.best is not None
            block = part.idle.extended(block, present)
            self.kept.append((block, part))
            if not parts.required:
                self.most = min(self.most, search.ceiling(part.blocks.harm, block, DAMAGE))
            part.blocks.aim(self.best[0] + 1)
            search.rule_out(part.blocks.harm, block, part)
            search.forbid(present)

    def _one_by_one(self, search: AttackSearch) -> None:
        """Answer where attacks have to be asked about one by one."""

        def ask(attack: Mapping[str, str]) -> bool:
            blocks = blocks_against(attack, self.scenario, self.player, self.clock)
            if self._does_more(blocks, blocks.attackers) is None:
                self._try(attack, blocks, blocks.attackers)
            return False

        one_by_one(search.all(MOST_ATTACKS), ask, self.clock)
