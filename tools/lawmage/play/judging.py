"""Judging, listing and counting proposals for the step that a scenario is about: attacks, blocks, damage, outcomes, plays."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play.command_zone import with_command_zone
from lawmage.play.dated import refuse_release
from lawmage.play.declarations import Declarations, UndecidedError
from lawmage.play.helping import EXPLAIN_SECONDS
from lawmage.play.verdict import Answer, Declaration, ProposalVerdict, Requirements, Violation

if TYPE_CHECKING:
    from lawmage.play.damage import Damage
    from lawmage.play.events import Events
    from lawmage.play.explain import Step as Explanation
    from lawmage.play.facts import Problem
    from lawmage.play.lethal_judging import Lethal, LethalAnswer
    from lawmage.play.outcome import Outcome
    from lawmage.play.plays import Plays

__all__ = [
    "Answer",
    "Declaration",
    "ProposalVerdict",
    "Requirements",
    "UndecidedError",
    "Violation",
    "count_by_player",
    "count_declarations",
    "enumerate_declarations",
    "judge",
    "judge_and_explain",
    "programs",
]

_Step: TypeAlias = "Declarations | Damage | Outcome | Plays | Events | Lethal"

#: The module and class for each kind of judgement; a module is loaded when it is first needed.
_STEPS = {"attack": "attacks.Attacks", "block": "blocks.Blocks", "damage": "damage.Damage", "outcome": "outcome.Outcome"}
_STEPS |= dict.fromkeys(("cast", "activate", "special", "attach", "trigger"), "plays.Plays")
_STEPS["lethal"] = "lethal_judging.Lethal"
_EVENTS = "events.Events"
#: Preparing to judge without a search takes longer than a search, so the first small board of a process is searched.
_FEW = 40
_judged = count()


def judge(
    scenario: Scenario,
    *,
    seconds: float | None = 10.0,
    explain: bool = False,
    explain_seconds: float = EXPLAIN_SECONDS,
    checked: bool = False,
) -> Answer:
    """Return the verdict on each proposal of `scenario`.

    Args:
        scenario: a board, and proposals for attacks or, where attackers have been declared, for blocks, damage or outcomes.
        seconds: the time allowed for each search; what is not settled by then is undecided. None: as long as it takes.
        explain: whether to look for a smallest set of restrictions and requirements that cannot hold together, and for the legal
            declaration that is nearest to an illegal one. Without it neither takes any time.
        explain_seconds: the time that these may take, for all proposals together; what is not found by then is left out. Most boards
            need less than 0.005. Nothing is begun that is known to take longer; 0: neither is looked for.
        checked: whether the independent checker (`lawmage.checker`) has to confirm each verdict on attacks and blocks.

    Raises:
        InputError: for words on the board that cannot be read, for judgements of other kinds, and for releases that they don't encode.
        CheckerDisagreementError: with `checked`, for a verdict that is not confirmed.
    """
    return _judge(with_command_zone(scenario), seconds, explain_seconds if explain else None, checked=checked)[1]


def judge_and_explain(
    scenario: Scenario, *, seconds: float | None = 10.0, explain_seconds: float = EXPLAIN_SECONDS, checked: bool = False
) -> tuple[Answer, dict[str, Explanation]]:
    """Return what `judge` returns, and the argument for each verdict by the name of its proposal.

    Raises:
        InputError, CheckerDisagreementError: as `judge`.
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    scenario = with_command_zone(scenario)
    step, answer = _judge(scenario, seconds, explain_seconds, checked=checked)
    return answer, _explained(scenario, step, answer)


def _explained(scenario: Scenario, step: _Step, answer: Answer) -> dict[str, Explanation]:
    if scenario.judge == "lethal":
        return cast("Lethal", step).explained(cast("LethalAnswer", answer.proposals["lethal"]))
    from lawmage.play.explain import Explainer

    reading = step.reading if hasattr(step, "reading") else cast("Damage | Outcome", step).combat.reading
    alike = step.alike.kinds if isinstance(step, Declarations) else ()
    explainer = Explainer(scenario, reading, answer.release, step.known, alike)
    return {name: explainer.explain(name, verdict, _problem(step, name)) for name, verdict in answer.proposals.items()}


def _problem(step: _Step, name: str) -> Problem | None:
    """Return the constraints that bear on a proposal, by their integers; None where nothing asked for them."""
    if isinstance(step, Declarations):
        return step.problem
    if hasattr(step, "problems"):
        return cast("Plays", step).problems.get(name)
    return step.combat.problem.base if hasattr(step, "combat") else None


def _judge(scenario: Scenario, seconds: float | None, explain_seconds: float | None, *, checked: bool) -> tuple[_Step, Answer]:
    """Return the step and the answer; without `explain_seconds` nothing is explained."""
    step = _step(scenario, seconds, explain_seconds, plain=next(_judged) == 0 and len(scenario.board.objects) < _FEW)
    wanted = scenario.expect is not None and "count" in scenario.expect
    counts = step.counts() if wanted else None
    verdicts = step.judge(scenario.proposals)
    if explain_seconds is not None and hasattr(step, "with_nearest"):
        proposals = {proposal.name: proposal for proposal in scenario.proposals}
        verdicts |= {name: step.with_nearest(proposal, verdicts[name]) for name, proposal in proposals.items()}
    divides = cast("Damage", step).divides(verdicts) if scenario.judge == "damage" else None
    answer = Answer(scenario.release or step.known.release, scenario.judge, verdicts, scenario.file, counts, divides)
    if checked:
        from lawmage.checker import check_answer

        check_answer(scenario, answer)
    return step, answer


def enumerate_declarations(scenario: Scenario, limit: int | None = None, *, seconds: float | None = 10.0) -> Iterator[Declaration]:
    """Yield the legal declarations, or the first `limit`; where several players declare, every combination.

    Raises:
        InputError: as `judge`.
        UndecidedError: if something that could matter is not understood, or the time is over.
    """
    return _step(with_command_zone(scenario), seconds).declarations(limit)


def count_declarations(scenario: Scenario, *, seconds: float | None = 10.0) -> int:
    """Return the number of legal declarations, of all players who declare together. Raises as `enumerate_declarations`."""
    return math.prod(count_by_player(scenario, seconds=seconds).values())


def count_by_player(scenario: Scenario, *, seconds: float | None = 10.0) -> dict[str, int]:
    """Return the number of legal declarations of each player who declares. Raises as `enumerate_declarations`."""
    return _step(with_command_zone(scenario), seconds).counts()


def programs(scenario: Scenario) -> list[str]:
    """Return what clingo gets to judge `scenario`, rules and facts, for each player who declares; for those who want to run it themselves.

    Raises:
        InputError: as `judge`.
    """
    return _step(with_command_zone(scenario), None).programs()


@cache
def _named(where: str) -> Any:
    """Return a class by its module and name."""
    module, _, name = where.partition(".")
    return getattr(importlib.import_module(f"lawmage.play.{module}"), name)


@cache
def _options_of(step: type) -> tuple[str, ...]:
    """Return which options of a search a step has."""
    return (*(["plain"] if issubclass(step, Declarations) else []), *(["explain_seconds"] if hasattr(step, "with_nearest") else []))


def _step(scenario: Scenario, seconds: float | None, explain_seconds: float | None = None, *, plain: bool = False) -> _Step:
    where = _STEPS.get(scenario.judge)
    if where is None:
        kinds = " and ".join(f"'{kind}'" for kind in _STEPS)
        raise InputError(f"this version judges proposals of the kinds {kinds}, not '{scenario.judge}'", file=scenario.file)
    refuse_release(scenario)
    if scenario.judge == "outcome" and any(isinstance(proposal.raw, dict) for proposal in scenario.proposals):
        where = _EVENTS
    step = _named(where)
    options: dict[str, Any] = {"plain": plain, "explain_seconds": explain_seconds or 0.0}
    options = {name: options[name] for name in _options_of(step)}
    return cast(_Step, step(scenario, seconds=seconds, explain=explain_seconds is not None, **options))
