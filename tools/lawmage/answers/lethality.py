"""What `lawmage lethal` answers: whether an attack wins whatever the blocks."""

from __future__ import annotations

from lawmage.answers.answered import NO, UNDECIDED, YES, Answered, each
from lawmage.answers.scenarios import read, release_of
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.play.lethal import LethalVerdict
from lawmage.play.lethal import lethal as find

__all__ = ["answer_on", "lethal"]

_STATUS = {"yes": YES, "no": NO, "undecided": UNDECIDED}


def lethal(
    source: Source, *, player: str | None = None, release: str | None = None, time_limit: float = 10.0, objects: int | None = None
) -> Answered:
    """Say whether an attack wins this combat whatever the blocks.

    Args:
        source: a scenario in which no blocks are declared.
        player: the defending player, where there are several.
        release: of the rules; by default the one that the scenario says, or the newest known.
        time_limit: seconds, after which the answer is undecided.
        objects: the most that the board may have.
    """

    def answer() -> Answered:
        scenario = read(source, release, objects)
        return answer_on(scenario, source.name, find(scenario, player=player, seconds=time_limit))

    return each([(source.name, answer)])


def answer_on(scenario: Scenario, file: str, verdict: LethalVerdict) -> Answered:
    """Return the answer on a file."""
    begun = {"lawmage": 1, "file": file, "release": release_of(scenario), "judge": "lethal"}
    return Answered(begun | verdict.as_json(), _STATUS[verdict.verdict])
