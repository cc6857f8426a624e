"""What `lawmage enumerate` answers: the legal declarations, how many there are, or a best block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lawmage.answers.answered import NO, UNDECIDED, YES, Answered
from lawmage.answers.judged import quoted
from lawmage.answers.scenarios import read, release_of
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play import UndecidedError, count_by_player, enumerate_declarations
from lawmage.play.verdict import count_as_json, declaration_as_json

if TYPE_CHECKING:
    from lawmage.play.best_block import BestBlock
    from lawmage.play.explain import Step

__all__ = ["best_answer", "best_of", "enumerate_", "refuse_explanation", "undecided"]


def enumerate_(
    source: Source,
    *,
    release: str | None = None,
    count: bool = False,
    limit: int | None = None,
    best: bool = False,
    explain: bool = False,
    time_limit: float = 10.0,
    objects: int | None = None,
) -> Answered:
    """List the legal declarations for the next step, count them, or find a best block.

    Args:
        source: the scenario.
        release: of the rules; by default the one that the scenario says, or the newest known.
        count: whether only their number is wanted.
        limit: how many are listed at most; then they aren't counted.
        best: whether only a best block is wanted.
        explain: whether a best block is explained step by step.
        time_limit: seconds.
        objects: the most that the board may have.

    Raises:
        InputError, DataError: if it can't be judged.
        InputError: for options that don't go together.
    """
    refuse_explanation(best, explain)
    scenario = read(source, release, objects)
    begun: dict[str, Any] = {"lawmage": 1, "file": source.name, "release": release_of(scenario), "judge": scenario.judge}
    try:
        found, status = _found(scenario, count, limit, best, explain, time_limit)
    except UndecidedError as error:
        found, status = undecided(error), UNDECIDED
    return Answered({"files": [begun | found]}, status)


def undecided(error: UndecidedError) -> dict[str, Any]:
    """Return what is said where something that could matter is not understood, or the time was over."""
    return {"verdict": "undecided", "not_understood": [str(error)]}


def refuse_explanation(best: bool, explain: bool) -> None:
    """Raise InputError if an explanation is wanted of something else than a best block."""
    if explain and not best:
        raise InputError("--explain and --explain-to explain a best block; say --best too")


def best_of(scenario: Scenario, seconds: float, *, explain: bool) -> tuple[BestBlock, Step | None]:
    """Return a best block, and the argument for it where it is wanted.

    Raises:
        InputError, UndecidedError: as `lawmage.play.best_block.best_block`.
    """
    from lawmage.play.best_block import best_block
    from lawmage.play.combat_explain import explain_best_block

    found = best_block(scenario, seconds=seconds)
    return found, explain_best_block(scenario, found) if explain else None


def best_answer(scenario: Scenario, best: BestBlock, why: Step | None) -> dict[str, Any]:
    """Return what is said of a best block; an explanation quotes the rules whose texts are installed."""
    explanation = {} if why is None else {"explanation": quoted({"best": why}, release_of(scenario))["best"].as_json()}
    return {"best": best.as_json() | explanation}


def _found(scenario: Scenario, count: bool, limit: int | None, best: bool, explain: bool, seconds: float) -> tuple[dict[str, Any], int]:
    if best:
        return best_answer(scenario, *best_of(scenario, seconds, explain=explain)), YES
    found: dict[str, Any] = {}
    if count or limit is None:
        found |= count_as_json(count_by_player(scenario, seconds=seconds))
    if not count:
        found["declarations"] = [declaration_as_json(one) for one in enumerate_declarations(scenario, limit, seconds=seconds)]
    return found, YES if found.get("count") or found.get("declarations") else NO
