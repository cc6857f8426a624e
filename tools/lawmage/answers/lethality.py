"""What `lawmage lethal` answers: whether an attack wins whatever the blocks, or how much damage is certain."""

from __future__ import annotations

from lawmage.answers.answered import NO, UNDECIDED, YES, Answered, each
from lawmage.answers.judged import quoted
from lawmage.answers.scenarios import read, release_of
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.play.explain import Step
from lawmage.play.lethal import LethalVerdict
from lawmage.play.lethal import lethal as find_lethal
from lawmage.play.lethal_damage import DamageVerdict
from lawmage.play.lethal_damage import max_damage as find_max_damage

__all__ = ["Verdict", "answer_on", "explanation_of", "find", "lethal"]

Verdict = LethalVerdict | DamageVerdict

_STATUS = {"yes": YES, "found": YES, "no": NO, "undecided": UNDECIDED}


def lethal(
    source: Source,
    *,
    player: str | None = None,
    max_damage: bool = False,
    explain: bool = False,
    release: str | None = None,
    time_limit: float = 10.0,
    objects: int | None = None,
) -> Answered:
    """Say whether an attack wins this combat whatever the blocks.

    Args:
        source: a scenario in which no blocks are declared.
        player: the defending player, where there are several.
        max_damage: whether the attack is wanted that does most damage for certain, and the block that leaves the least of it.
        explain: whether the answer is explained step by step.
        release: of the rules; by default the one that the scenario says, or the newest known.
        time_limit: seconds, after which the answer is undecided.
        objects: the most that the board may have.
    """

    def answer() -> Answered:
        scenario = read(source, release, objects)
        verdict = find(scenario, player, time_limit, max_damage=max_damage)
        return answer_on(scenario, source.name, verdict, explanation_of(scenario, verdict) if explain else None)

    return each([(source.name, answer)])


def find(scenario: Scenario, player: str | None, seconds: float, *, max_damage: bool) -> Verdict:
    """Return whether an attack wins, or how much damage is certain.

    Raises:
        InputError, UnknownNameError: as `lawmage.play.lethal.lethal`.
    """
    ask = find_max_damage if max_damage else find_lethal
    return ask(scenario, player=player, seconds=seconds)


def explanation_of(scenario: Scenario, verdict: Verdict) -> Step:
    """Return the argument for an answer.

    Raises:
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    from lawmage.play.combat_explain import explain_damage, explain_lethal

    return explain_lethal(scenario, verdict) if isinstance(verdict, LethalVerdict) else explain_damage(scenario, verdict)


def answer_on(scenario: Scenario, file: str, verdict: Verdict, why: Step | None = None) -> Answered:
    """Return the answer on a file; an explanation quotes the rules whose texts are installed."""
    document = {"lawmage": 1, "file": file, "release": release_of(scenario), "judge": "lethal"} | verdict.as_json()
    if why is not None:
        document["explanation"] = quoted({"lethal": why}, release_of(scenario))["lethal"].as_json()
    return Answered(document, _STATUS[verdict.verdict])
