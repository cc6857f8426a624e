"""Is this play legal: from a board to facts, from facts to a verdict, from a verdict to words.

scenario -> reading (what the words say) -> facts -> asp/ -> clingo -> verdict -> words
"""

from __future__ import annotations

from collections.abc import Iterator

from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play.blocks import Blocks, UndecidedError
from lawmage.play.verdict import Answer, Declaration, ProposalVerdict, Requirements, Violation

__all__ = [
    "Answer",
    "Declaration",
    "ProposalVerdict",
    "Requirements",
    "UndecidedError",
    "Violation",
    "count_declarations",
    "enumerate_declarations",
    "judge",
    "programs",
]


def judge(scenario: Scenario, *, seconds: float | None = 10.0) -> Answer:
    """Return the verdict on each proposal of `scenario`.

    Args:
        scenario: a board on which attackers have been declared, and proposals for blocks.
        seconds: the time allowed for each search; what is not settled by then is undecided. None: as long as it takes.

    Raises:
        InputError: for words on the board that cannot be read, and for judgements other than of blocks.
    """
    blocks = _blocks(scenario, seconds)
    wanted = scenario.expect is not None and "count" in scenario.expect
    count = blocks.count() if wanted else None
    return Answer(blocks.known.release, scenario.judge, blocks.judge(scenario.proposals), scenario.file, count)


def enumerate_declarations(scenario: Scenario, limit: int | None = None, *, seconds: float | None = 10.0) -> Iterator[Declaration]:
    """Yield the legal declarations of blockers, or the first `limit`.

    Raises:
        InputError: as `judge`.
        UndecidedError: if something that could matter is not understood, or the time is over.
    """
    return _blocks(scenario, seconds).declarations(limit)


def count_declarations(scenario: Scenario, *, seconds: float | None = 10.0) -> int:
    """Return the number of legal declarations of blockers. Raises as `enumerate_declarations`."""
    return _blocks(scenario, seconds).count()


def programs(scenario: Scenario) -> list[str]:
    """Return what clingo gets to judge `scenario`, rules and facts, for each defending player; for those who want to run it themselves.

    Raises:
        InputError: as `judge`.
    """
    return _blocks(scenario, None).programs()


def _blocks(scenario: Scenario, seconds: float | None) -> Blocks:
    if scenario.judge != "block":
        raise InputError(
            f"this version judges declarations of blockers only, not a proposal of the kind '{scenario.judge}'", file=scenario.file
        )
    return Blocks(scenario, seconds=seconds)
