"""What `lawmage outcome` answers: what combat does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawmage.answers.answered import Answered, each
from lawmage.answers.judged import Judged
from lawmage.answers.scenarios import read
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play import Answer, judge, judge_and_explain
from lawmage.play.explain import Step

__all__ = ["follow", "outcome"]


def outcome(
    source: Source, *, release: str | None = None, explain: bool = False, time_limit: float = 10.0, objects: int | None = None
) -> Answered:
    """Say what combat does: damage by step, deaths, life, counters, triggers.

    Args:
        source: a scenario in which attackers have been declared, or one about a named event.
        release: of the rules; by default the one that the scenario says, or the newest known.
        explain: whether each outcome is explained step by step.
        time_limit: seconds, after which the ways to divide damage are followed no further.
        objects: the most that the board may have.
    """
    return each([(source.name, lambda: follow(read(source, release, objects), time_limit, explain=explain).answer())])


def follow(scenario: Scenario, seconds: float, *, explain: bool) -> Judged:
    """Follow the combat of a scenario, once for each proposal.

    Raises:
        InputError: if it declares no attackers, and as `lawmage.play.judge`.
    """
    found: list[tuple[str, Answer]] = []
    why: dict[str, Step] = {}
    for name, one in _questions(scenario):
        if explain:
            answer, steps = judge_and_explain(one, seconds=seconds)
            why |= {name or inner: step._replace(sentence=f"{name}: {step.sentence}") if name else step for inner, step in steps.items()}
        else:
            answer = judge(one, seconds=seconds, explain=True)
        found.append((name, answer))
    verdicts = {name or inner: verdict for name, answer in found for inner, verdict in answer.proposals.items()}
    return Judged(scenario, replace(found[0][1], proposals=verdicts), why)


def _questions(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    """Yield scenarios that ask for the outcome, each with the name of the answer where it has another one than its proposals.

    Proposals for damage are divisions of the first step; under proposals for blocks there is an outcome for each.
    """
    if scenario.judge == "outcome":
        yield "", scenario
    elif scenario.judge == "damage":
        proposals = tuple(replace(proposal, raw=(proposal.raw,)) for proposal in scenario.proposals)
        yield "", replace(scenario, judge="outcome", proposals=proposals, expect=None)
    elif scenario.board.attacks is not None:
        plain = replace(scenario, judge="outcome", proposals=(), expect=None)
        for proposal in scenario.proposals:
            yield proposal.name, replace(plain, board=replace(scenario.board, blocks=proposal.blocks, order=proposal.order))
        if not scenario.proposals:
            yield "", plain
    else:
        raise InputError("declares no attackers (attack), so there is no combat to follow", file=scenario.file)
