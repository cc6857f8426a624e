"""What `lawmage test` answers: whether scenarios and decks that carry `expect` are answered so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawmage.answers.answered import BAD_INPUT, NO, YES, Answered, reason, status_of
from lawmage.answers.scenarios import read
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.decks.cases import DeckCase, has_decks, outcomes, read_deck_case
from lawmage.errors import InputError, LawmageError
from lawmage.play import judge
from lawmage.play.expectation import compared, expects_nearest

__all__ = ["compare_board", "compare_decks", "failed", "run_tests", "summed"]


def run_tests(sources: Sequence[Source], *, release: str | None = None, time_limit: float = 10.0, objects: int | None = None) -> Answered:
    """Run scenarios and decks that carry `expect`, and compare.

    Args:
        sources: the files' contents; decks are judged in formats that come with lawmage.
        release: of the rules, in place of the one that each says.
        time_limit: seconds for each search.
        objects: the most that a board may have.
    """
    return summed([_report(source, release, time_limit, objects) for source in sources])


def _report(source: Source, release: str | None, seconds: float, objects: int | None) -> dict[str, Any]:
    try:
        if has_decks(source.text):
            return compare_decks(read_deck_case(source.text, file=source.name, release=release), source.name)
        return compare_board(read(source, release, objects), source.name, seconds)
    except LawmageError as error:
        return failed(source.name, error)


def compare_board(scenario: Scenario, file: str, seconds: float) -> dict[str, Any]:
    """Return what a scenario expects beside what is answered.

    Raises:
        InputError: if it expects nothing, or can't be judged.
    """
    if scenario.expect is None:
        raise InputError("has no `expect`, so there is nothing to test", file=scenario.file)
    explain = expects_nearest(scenario.expect)
    answer = judge(scenario, seconds=seconds, explain=explain, explain_seconds=seconds, checked=True)
    return _report_on(file, ((one.name, one.expected, one.actual, one.holds) for one in compared(scenario.expect, answer)))


def compare_decks(case: DeckCase, file: str) -> dict[str, Any]:
    """Return what is expected of decks beside what is answered."""
    return _report_on(file, ((name, expected, actual, expected == actual) for name, expected, actual in outcomes(case)))


def _report_on(file: str, results: Iterable[tuple[str, Any, Any, bool]]) -> dict[str, Any]:
    return {
        "file": file,
        "expectations": [
            {"name": name, "expected": expected, "actual": actual, "pass": holds} for name, expected, actual, holds in results
        ],
    }


def failed(file: str, error: LawmageError) -> dict[str, Any]:
    """Return what is said of a file that can't be judged."""
    return {"file": file, **reason(error), "expectations": []}


def summed(reports: Sequence[Mapping[str, Any]]) -> Answered:
    """Return the answer: the report on each file, and how many expectations hold; a file that can't be judged is one that doesn't."""
    held = [one["pass"] for report in reports for one in report["expectations"]]
    errors = sum("error" in report for report in reports)
    statuses = [BAD_INPUT] * errors + [YES if one else NO for one in held]
    return Answered({"files": list(reports), "passed": sum(held), "failed": len(held) - sum(held) + errors}, status_of(statuses))
