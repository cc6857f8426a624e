"""What `lawmage enumerate` answers: the legal declarations, how many there are, or a best block."""

from __future__ import annotations

from typing import Any

from lawmage.answers.answered import NO, UNDECIDED, YES, Answered
from lawmage.answers.scenarios import read, release_of
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.play import UndecidedError, count_by_player, enumerate_declarations
from lawmage.play.verdict import count_as_json, declaration_as_json

__all__ = ["enumerate_", "undecided"]


def enumerate_(
    source: Source,
    *,
    release: str | None = None,
    count: bool = False,
    limit: int | None = None,
    best: bool = False,
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
        time_limit: seconds.
        objects: the most that the board may have.

    Raises:
        InputError, DataError: if it can't be judged.
    """
    scenario = read(source, release, objects)
    begun: dict[str, Any] = {"lawmage": 1, "file": source.name, "release": release_of(scenario), "judge": scenario.judge}
    try:
        found, status = _found(scenario, count, limit, best, time_limit)
    except UndecidedError as error:
        found, status = undecided(error), UNDECIDED
    return Answered({"files": [begun | found]}, status)


def undecided(error: UndecidedError) -> dict[str, Any]:
    """Return what is said where something that could matter is not understood, or the time was over."""
    return {"verdict": "undecided", "not_understood": [str(error)]}


def _found(scenario: Scenario, count: bool, limit: int | None, best: bool, seconds: float) -> tuple[dict[str, Any], int]:
    if best:
        from lawmage.play.best_block import best_block

        return {"best": best_block(scenario, seconds=seconds).as_json()}, YES
    found: dict[str, Any] = {}
    if count or limit is None:
        found |= count_as_json(count_by_player(scenario, seconds=seconds))
    if not count:
        found["declarations"] = [declaration_as_json(one) for one in enumerate_declarations(scenario, limit, seconds=seconds)]
    return found, YES if found.get("count") or found.get("declarations") else NO
