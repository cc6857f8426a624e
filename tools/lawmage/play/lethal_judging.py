"""`judge: lethal` in scenario files: what `lawmage lethal` answers, and what a file expects of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.errors import InputError
from lawmage.play.declarations import UndecidedError
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.lethal import LethalVerdict, lethal
from lawmage.play.lethal_blocks import Clock
from lawmage.play.lethal_damage import DamageVerdict, max_damage
from lawmage.play.verdict import Declaration, ProposalVerdict, declaration_as_json

if TYPE_CHECKING:
    from lawmage.play.explain import Step

__all__ = ["Lethal", "LethalAnswer"]

_LETHAL = {"yes": True, "no": False, "undecided": "undecided"}


@dataclass(frozen=True, slots=True)
class LethalAnswer(ProposalVerdict):
    """What is answered about each player who could be attacked. As a verdict it is `legal` where every question has an answer.

    Attributes:
        lethal: whether an attack wins, by player.
        damage: the most damage that is certain, by player, where the file expects a number.
        attack: the attack that the file expects to win, if it does; else one that wins, if one does.
        block: likewise the block that the file expects to survive the declared attack.
    """

    lethal: Mapping[str, LethalVerdict] = field(default_factory=dict)
    damage: Mapping[str, DamageVerdict] = field(default_factory=dict)
    attack: Declaration | None = None
    block: Declaration | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        answer = ProposalVerdict.as_json(self) | {"lethal": [one.as_json() for one in self.lethal.values()]}
        return answer | ({"damage": [one.as_json() for one in self.damage.values()]} if self.damage else {})

    def expected(self, name: str, value: Any) -> Any:
        """Return the answer beside what is expected under `name`: for each player where each is named, of the only one otherwise."""
        if name in ("attack", "block"):
            declaration = self.attack if name == "attack" else self.block
            return None if declaration is None else declaration_as_json(declaration)
        said: dict[str, Any] = {player: _LETHAL[one.verdict] for player, one in self.lethal.items()}
        if name == "max_damage":
            said = {player: one.at_least if one.verdict == "found" else "undecided" for player, one in self.damage.items()}
        return said if isinstance(value, Mapping) else next(iter(said.values()))


class Lethal:
    """The question whether an attack wins, on the board of one scenario.

    Args:
        scenario: the board; where an attack is declared, the question is about that one.
        seconds: the time allowed for each question.
        explain: for the same arguments as other judgements.

    Raises:
        InputError: as `lawmage.play.lethal.lethal`.
    """

    judges = "lethal"

    def __init__(self, scenario: Scenario, *, seconds: float | None = 10.0, explain: bool = False) -> None:
        del explain
        self.scenario = scenario
        self.seconds = seconds
        self.known: Knowledge = knowledge()
        self.expected: Mapping[str, Any] = scenario.expect or {}

    def judge(self, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the one answer, which is called `lethal`; nothing is proposed."""
        del proposals
        board = self.scenario.board
        players = [name for name in board.players if name != board.active]
        found = {player: lethal(self.scenario, player=player, seconds=self.seconds) for player in players}
        asked = players if "max_damage" in self.expected else []
        damage = {player: max_damage(self.scenario, player=player, seconds=self.seconds) for player in asked}
        answers: list[LethalVerdict | DamageVerdict] = [*found.values(), *damage.values()]
        answer = LethalAnswer(
            "undecided" if any(one.verdict == "undecided" for one in answers) else "legal",
            not_understood=tuple(dict.fromkeys(one.reason for one in answers if one.reason)),
            seconds=sum(one.seconds for one in answers),
            lethal=found,
            damage=damage,
            attack=self._attack(found),
            block=self._block(found),
        )
        return {"lethal": answer}

    def explained(self, answer: LethalAnswer) -> dict[str, Step]:
        """Return the argument for the answer."""
        from lawmage.play.combat_explain import explain_lethal

        return {"lethal": explain_lethal(self.scenario, next(iter(answer.lethal.values())))}

    def _attack(self, found: Mapping[str, LethalVerdict]) -> Declaration | None:
        """Return the attack that is expected, if it is legal and wins, or one that was found to."""
        wanted = self.expected.get("attack")
        if wanted is not None:
            attacks = tuple(Attack(*pair) for pair in wanted.items())
            declared = replace(self.scenario, board=replace(self.scenario.board, attacks=attacks))
            if self._is_legal("attack", Proposal("attack", attacks=attacks)) and any(
                lethal(declared, player=player, seconds=self.seconds).verdict == "yes" for player in found
            ):
                return dict(wanted)
        return next((one.attack for one in found.values() if one.attack is not None), None)

    def _block(self, found: Mapping[str, LethalVerdict]) -> Declaration | None:
        """Return the block that is expected, if it is legal and survives, or one that was found to."""
        wanted = self.expected.get("block")
        if wanted is not None:
            from lawmage.play.best_block import score_of

            block = {blocker: tuple(those) for blocker, those in wanted.items()}
            choices = tuple(BlockChoice(*pair) for pair in block.items())
            try:
                if (
                    self._is_legal("block", Proposal("block", blocks=choices))
                    and not score_of(self.scenario, block, Clock.after(self.seconds).deadline).loses
                ):
                    return block
            except UndecidedError:
                return None
        return next((one.defences[-1].block for one in found.values() if one.verdict == "no"), None)

    def _is_legal(self, judged: str, proposal: Proposal) -> bool:
        from lawmage.play.judging import judge

        scenario = replace(self.scenario, judge=judged, proposals=(proposal,), expect=None)
        return judge(scenario, seconds=self.seconds).proposals[proposal.name].verdict == "legal"

    def counts(self) -> dict[str, int]:
        """Raise InputError: there is nothing to count."""
        raise InputError("asks whether an attack is lethal, of which nothing can be listed or counted", file=self.scenario.file)

    def declarations(self, limit: int | None = None) -> Iterator[Declaration]:
        """Raise InputError, as `counts`."""
        del limit
        self.counts()
        yield {}

    def programs(self) -> list[str]:
        """Return the programs that judge attacks: the search goes on from those."""
        from lawmage.play.attacks import Attacks

        return Attacks(replace(self.scenario, judge="attack", proposals=(), expect=None), seconds=self.seconds).programs()
