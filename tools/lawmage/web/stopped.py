"""What is answered in place of a verdict that took too long: undecided, and why.

A worker that is stopped leaves nothing behind, so another one reads the boards again and says what was asked about each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from lawmage.answers.answered import Answered
    from lawmage.answers.source import Source
    from lawmage.board import Scenario

__all__ = ["JUDGING", "undecided"]

_UNDECIDED = 3


def undecided(command: str, sentence: str, arguments: Mapping[str, Any]) -> Answered:
    """Return the answer of a command that was stopped.

    Args:
        command: one of JUDGING.
        sentence: why it was stopped.
        arguments: those of the command.

    Raises:
        LawmageError: if its file cannot be read.
    """
    from lawmage.answers.answered import Answered

    sources = arguments.get("sources") or (arguments["source"],)
    files = [_file(JUDGING[command], sentence, source, arguments.get("release")) for source in sources]
    return Answered({"files": files}, _UNDECIDED)


def _file(told: Callable[[Scenario, str], dict[str, Any]], sentence: str, source: Source, release: str | None) -> dict[str, Any]:
    from lawmage.answers.answered import refusal
    from lawmage.play.knowledge import knowledge
    from lawmage.scenario import read_scenario

    try:
        scenario = read_scenario(source.text, file=source.name)
    except LawmageError as error:
        return refusal(source.name, error)
    release = release or scenario.release or knowledge().release
    return {"lawmage": 1, "file": source.name, "release": release, "judge": scenario.judge, **told(scenario, sentence)}


def _proposals(scenario: Scenario, sentence: str) -> dict[str, Any]:
    from lawmage.play.verdict import ProposalVerdict

    verdict = ProposalVerdict("undecided", not_understood=(sentence,)).as_json()
    verdict["requirements"]["maximum"] = None
    names: Sequence[str] = [proposal.name for proposal in scenario.proposals]
    return {"proposals": dict.fromkeys(names or (["outcome"] if scenario.judge == "outcome" else []), verdict)}


def _whole(_scenario: Scenario, sentence: str) -> dict[str, Any]:
    return {"verdict": "undecided", "not_understood": [sentence]}


#: The commands that judge, and how each says that it is undecided.
JUDGING: Mapping[str, Callable[[Scenario, str], dict[str, Any]]] = {
    "check": _proposals,
    "outcome": _proposals,
    "enumerate": _whole,
    "lethal": _whole,
}
