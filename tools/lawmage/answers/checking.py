"""What `lawmage check` answers: verdicts on what scenarios propose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from lawmage.answers.answered import BAD_INPUT, Answered, each, refusal, status_of
from lawmage.answers.judged import VERDICT_STATUS, Judged
from lawmage.answers.scenarios import read
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.errors import InputError, LawmageError
from lawmage.play import Answer, judge, judge_and_explain

if TYPE_CHECKING:
    from lawmage.play.comparing import Comparison

__all__ = ["answer_on_comparison", "check", "check_scenario"]


def check(
    sources: Sequence[Source],
    *,
    release: str | None = None,
    explain: bool = False,
    compare: tuple[str, str] | None = None,
    form: Literal["json", "turtle"] = "json",
    time_limit: float = 10.0,
    objects: int | None = None,
) -> Answered:
    """Judge what scenarios propose: legal, illegal and why, or undecided.

    Args:
        sources: the scenarios.
        release: of the rules; by default the one that each scenario says, or the newest known.
        explain: whether each verdict is explained step by step.
        compare: two releases, in place of `release`: how the verdicts differ, and the rules that make the difference.
        form: `turtle` answers `{"turtle": ..}`, RDF with its provenance.
        time_limit: seconds for each search.
        objects: the most that a board may have.

    Raises:
        InputError: for options that don't go together. What is wrong with one scenario stands in its answer.
    """
    if compare is not None:
        if explain or form == "turtle":
            raise InputError("--compare answers in words or JSON and explains itself; leave out --explain, --explain-to and --format")
        from lawmage.play.comparing import compare as compare_releases

        releases = compare

        def compared(source: Source) -> Answered:
            return answer_on_comparison(compare_releases(read(source, None, objects), releases, seconds=time_limit))

        return each((source.name, partial(compared, source)) for source in sources)
    if form == "turtle":
        return _as_turtle(sources, release, time_limit, objects)

    def checked(source: Source) -> Answered:
        return check_scenario(read(source, release, objects), time_limit, explain=explain).answer()

    return each((source.name, partial(checked, source)) for source in sources)


def check_scenario(scenario: Scenario, seconds: float, *, explain: bool) -> Judged:
    """Judge what a scenario proposes, confirmed by the independent checker.

    Raises:
        InputError, CheckerDisagreementError: as `lawmage.play.judge`.
    """
    if explain:
        return Judged(scenario, *judge_and_explain(scenario, seconds=seconds, checked=True))
    return Judged(scenario, judge(scenario, seconds=seconds, explain=True, checked=True))


def answer_on_comparison(found: Comparison) -> Answered:
    """Return the answer on a file judged under two releases; the status is that of the verdicts under the second."""
    later = [one.verdicts[1] for one in found.proposals]
    return Answered(found.as_json(), status_of(BAD_INPUT if one is None else VERDICT_STATUS[one.verdict] for one in later))


def _as_turtle(sources: Sequence[Source], release: str | None, seconds: float, objects: int | None) -> Answered:
    from lawmage.play.provenance import to_turtle

    judged: list[tuple[Answer, bytes, str]] = []
    refusals: list[dict[str, Any]] = []
    statuses: list[int] = []
    for source in sources:
        try:
            one = check_scenario(read(source, release, objects), seconds, explain=False)
            judged.append((one.verdicts, source.encoded(), one.title))
            statuses.append(one.status)
        except LawmageError as error:
            refusals.append(refusal(source.name, error))
            statuses.append(BAD_INPUT)
    return Answered({"turtle": to_turtle(judged)} | ({"files": refusals} if refusals else {}), status_of(statuses))
