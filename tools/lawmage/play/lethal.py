"""Is there a legal attack such that every legal block loses the game for the defending player in this combat?

For one attack `lawmage.play.lethal_blocks` answers. Which attack to ask about: where nothing on the board makes a smaller attack do what a
larger one does not, the attack of all creatures alone decides, if it is legal. Otherwise attacks and blocks take turns
(counterexample-guided): each block that survives rules out the attacks that it holds, until an attack is left that no block holds, or no
attack is left. On boards where one attack tells nothing about another (requirements to block, conditions that ask what attacks) every
legal attack is asked about, the largest first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from lawmage.board import Attack, Proposal, Scenario
from lawmage.errors import InputError, UnknownNameError, suggestion
from lawmage.play.dated import refuse_release
from lawmage.play.declarations import UndecidedError
from lawmage.play.happenings import waiting_on
from lawmage.play.knowledge import knowledge
from lawmage.play.lethal_attacks import AttackSearch, AttackStep, Parts, form_that_tells, yielding
from lawmage.play.lethal_blocks import MOST_ATTACKS, BlockSearch, Clock, Found, blocks_against, one_by_one
from lawmage.play.reading import read_board
from lawmage.play.verdict import Declaration, declaration_as_json

__all__ = ["Defence", "LethalVerdict", "defending_player_of", "lethal"]

#: What a defence answers: every legal attack, the attacks that it holds (what its blockers stop leaves too little), or this one alone.
Answers: TypeAlias = Literal["every attack", "attacks that it holds", "this attack"]


@dataclass(frozen=True, slots=True)
class Defence:
    """An attack, a block that survives it, and which attacks the block answers, each without those who block what does not attack.

    A block that answers several attacks also says what creatures do that have nothing to do against this one.
    """

    attack: Declaration
    block: Declaration
    answers: Answers

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"attack": declaration_as_json(self.attack), "block": declaration_as_json(self.block), "answers": self.answers}


@dataclass(frozen=True, slots=True)
class LethalVerdict:
    """The answer.

    Attributes:
        verdict: `yes`, `no` or `undecided`.
        player: the defending player.
        attack: the attack that wins, for `yes`.
        defences: for each attack that was tried and does not win, a block that survives it.
        yields: pairs of attackers: an attack with the first and without the second is no better than with the second in place of the first,
            so that no defence needs to answer it.
        reason: why it is undecided.
        bounds: where it is undecided, the least and the most that the attack, or any that could be chosen, does against the block that is
            best against it: of `life`, `poison`, and combat damage by each commander.
        seconds: the time that it took.
    """

    verdict: Literal["yes", "no", "undecided"]
    player: str
    attack: Declaration | None = None
    defences: tuple[Defence, ...] = ()
    yields: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdict": self.verdict,
            "player": self.player,
            "attack": None if self.attack is None else declaration_as_json(self.attack),
            "defences": [defence.as_json() for defence in self.defences],
            "yields": [list(pair) for pair in self.yields],
            "not_understood": [self.reason] if self.reason else [],
            "bounds": {what: {"least": least, "most": most} for what, (least, most) in self.bounds.items()},
            "seconds": round(self.seconds, 6),
        }


def lethal(scenario: Scenario, *, player: str | None = None, seconds: float | None = 10.0) -> LethalVerdict:
    """Return whether the active player has an attack that wins whatever `player` blocks; that which is declared, if one is.

    Args:
        scenario: the board; what it proposes plays no part.
        player: the defending player, who has to be named where there are several opponents.
        seconds: the time allowed, None for as long as it takes.

    Raises:
        InputError, UnknownNameError: as `lawmage.play.judge`, for a board on which blocks have been declared, and for a wrong `player`.
    """
    start = time.monotonic()
    whom = defending_player_of(scenario, player)
    board = scenario.board
    search = _Search(scenario, whom, Clock.after(seconds))
    try:
        verdict = search.of_declared(board.attacks) if board.attacks is not None else search.of_any()
        if verdict.verdict == "no" and (waiting := waiting_on(board, read_board(board, knowledge(), file=scenario.file))):
            # The player may still lose by what triggers as damage has been dealt.
            raise UndecidedError(f"not understood: {'; '.join(one.text for one in waiting)}")
    except UndecidedError as error:
        verdict = LethalVerdict(
            "undecided", whom, defences=tuple(search.defences), yields=search.yields, reason=str(error), bounds=search.bounds()
        )
    return replace(verdict, seconds=time.monotonic() - start)


def defending_player_of(scenario: Scenario, player: str | None) -> str:
    """Return the player whom the question is about. Raises as `lethal`."""
    refuse_release(replace(scenario, judge="lethal"))
    board = scenario.board
    if board.blocks is not None or board.damage is not None:
        raise InputError("blocks have been declared already; ask for the outcome instead", file=scenario.file)
    opponents = [name for name in board.players if name != board.active]
    if player is None:
        if len(opponents) != 1:
            raise InputError(f"has {len(opponents)} opponents of {board.active}; say which one is meant (--player)", file=scenario.file)
        return opponents[0]
    if player not in opponents:
        message = f'"{player}" is no opponent of {board.active}, but {" or ".join(opponents)} could be meant'
        raise UnknownNameError(message + suggestion(player, opponents))
    return player


@dataclass(slots=True)
class _Search:
    """The search for an attack."""

    scenario: Scenario
    player: str
    clock: Clock
    defences: list[Defence] = field(default_factory=list)
    yields: tuple[tuple[str, str], ...] = ()
    asked: BlockSearch | None = None
    most: dict[str, int] = field(default_factory=dict)

    def of_declared(self, attacks: Sequence[Attack]) -> LethalVerdict:
        """Answer for the attack that has been declared."""
        blocks = BlockSearch(self.scenario, attacks, self.player, self.clock)
        attack = {one.attacker: one.target for one in attacks}
        self.asked = blocks
        found = blocks.answer(blocks.attackers)
        return self._answered(attack, found, "every attack")

    def of_any(self) -> LethalVerdict:
        """Answer for every legal attack."""
        step = AttackStep.of(self.scenario, self.clock)
        verdict = self._of_any(step)
        if verdict.verdict == "no" and "bands" in step.asks():
            raise UndecidedError("creatures could attack in bands, which is not looked at")
        return verdict

    def _of_any(self, step: AttackStep) -> LethalVerdict:
        search = AttackSearch(step, self.player, self.clock)
        attack = dict.fromkeys(search.literals, self.player)
        everything = [Attack(name, self.player) for name in attack]
        blocks = BlockSearch(step.scenario, everything, self.player, self.clock)
        form = form_that_tells(blocks)
        if form is None or not search.turns_to_player(blocks, form):
            return self._one_by_one(search)
        parts = Parts(blocks, form)
        if not parts.required and step.judge([Proposal("attack", attacks=tuple(everything))])["attack"].verdict == "legal":
            self.asked = blocks
            found = blocks.answer(attack)
            self.asked = None
            if found.lethal or not blocks.gains:
                # A block against all of them, without those who do not attack, is as legal and as good against fewer.
                return self._answered(attack, found, "every attack")
        self.yields = tuple(yielding(step, blocks, form, parts.required))
        return self._in_turns(search, parts)

    def bounds(self) -> Mapping[str, tuple[int, int]]:
        """Return what is known of the one attack that is asked about, where it is one, or what no attack exceeds."""
        if self.asked is None:
            return {what: (0, most) for what, most in self.most.items()}
        try:
            return self.asked.bounds()
        except UndecidedError:
            return {}

    def _answered(self, attack: Mapping[str, str], found: Found, answers: Answers) -> LethalVerdict:
        if found.lethal:
            return LethalVerdict("yes", self.player, dict(attack), tuple(self.defences))
        assert found.block is not None
        self.defences.append(Defence(dict(attack), found.block, answers))
        return LethalVerdict("no", self.player, defences=tuple(self.defences))

    def _in_turns(self, search: AttackSearch, parts: Parts) -> LethalVerdict:
        """Answer where a block tells about other attacks: attacks and blocks take turns."""
        search.leave_out(self.yields)
        search.prefer_large()
        if not parts.required:
            search.rule_out(parts.of(()).blocks.harm, {})
            self.defences.append(Defence({}, {}, "attacks that it holds"))
        while (attack := search.next()) is not None:
            present = [name for name, target in attack.items() if target == self.player]
            part = parts.of(present)
            found = part.blocks.answer(present)
            if found.lethal:
                return self._answered(attack, found, "this attack")
            assert found.block is not None
            block = part.idle.extended(found.block, present)
            self.defences.append(Defence(attack, block, "attacks that it holds"))
            if not parts.required:
                ceilings = {what: search.ceiling(part.blocks.harm, block, what) for what in part.blocks.harm.limits}
                self.most = {what: min(most, self.most.get(what, most)) for what, most in ceilings.items()}
            search.rule_out(part.blocks.harm, block, part)
            # That block holds this attack, by numbers or by what following it has shown.
            search.forbid(present)
        return LethalVerdict("no", self.player, defences=tuple(self.defences), yields=self.yields)

    def _one_by_one(self, search: AttackSearch) -> LethalVerdict:
        """Answer where attacks have to be asked about one by one."""
        won: list[LethalVerdict] = []

        def wins(attack: Mapping[str, str]) -> bool:
            blocks = blocks_against(attack, self.scenario, self.player, self.clock)
            verdict = self._answered(attack, blocks.answer(blocks.attackers), "this attack")
            won.extend([verdict] if verdict.verdict == "yes" else [])
            return bool(won)

        if one_by_one(search.all(MOST_ATTACKS), wins, self.clock):
            return won[0]
        return LethalVerdict("no", self.player, defences=tuple(self.defences))
