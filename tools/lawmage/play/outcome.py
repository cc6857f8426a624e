"""What combat does: damage by step, what dies, life and counters, what triggers.

Damage that the file does not divide is divided in the only legal way, or in all of them: the answer then says what they have in common,
and between what bounds they differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lawmage.board import Proposal, Scenario
from lawmage.play.combat import Changes, Dealt, Trigger, deal, joined, resolve_declared_triggers, without_players
from lawmage.play.damage import Step, assumed, begin, judged, proposal_facts, rules_of, step_of, ways_to_take
from lawmage.play.damage_facts import Combat
from lawmage.play.dated import cited_in, in_numbering_of, refuse_what_is_newer
from lawmage.play.declarations import UndecidedError
from lawmage.play.divisions import Division, TooManyError
from lawmage.play.happenings import happened_in, triggered_in, waiting_on
from lawmage.play.helping import EXPLAIN_SECONDS
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.nearest_outcome import nearest_outcome
from lawmage.play.verdict import ProposalVerdict, Violation
from lawmage.rulebook.model import sort_key

__all__ = ["Outcome", "OutcomeVerdict", "StepReport"]

#: More ways to divide damage than this are not followed one by one.
_MOST_WAYS = 300
#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 4


@dataclass(frozen=True, slots=True)
class StepReport:
    """One combat damage step: `first` or `regular`, what was dealt, and what died after it with the rules by which it did."""

    step: str
    damage: tuple[Dealt, ...]
    died: Mapping[str, tuple[str, ...]]

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        damage = [{"source": one.source, "target": one.target, "amount": one.amount} for one in self.damage]
        return {
            "step": self.step,
            "damage": damage,
            "died": list(self.died),
            "rules": {name: list(rules) for name, rules in self.died.items()},
        }


@dataclass(frozen=True, slots=True)
class OutcomeVerdict(ProposalVerdict):
    """The outcome of combat under one proposal.

    Attributes:
        before: what died before any combat damage was dealt, by abilities that triggered.
        steps: the combat damage steps.
        players: `life`, `poison`, `commander_damage`, and `lost`, the rule by which the player lost the game, or None.
        objects: what was on the battlefield: `zone` (None for what ceased to exist), `damage`, `counters`, `attached_to`.
        triggers: the abilities that triggered.
        ways: the number of ways to divide damage that this is about; where they differ, what differs is None above, and
        differences: has its least and greatest value, or all its values, by where it stands.
    """

    before: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    steps: tuple[StepReport, ...] | None = ()
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    triggers: tuple[Trigger, ...] | None = ()
    ways: int = 1
    differences: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        answer = ProposalVerdict.as_json(self)
        if self.verdict == "illegal":
            return answer
        triggers = None if self.triggers is None else [
            {"source": one.source, "ability": one.ability, "times": one.times, "rule": one.rule} for one in self.triggers
        ]  # fmt: skip
        return answer | {
            "before": {"died": list(self.before)},
            "steps": None if self.steps is None else [step.as_json() for step in self.steps],
            "players": {name: dict(state) for name, state in self.players.items()},
            "objects": {name: dict(state) for name, state in self.objects.items()},
            "triggers": triggers,
            "ways": self.ways,
            "differences": dict(self.differences),
        }


@dataclass(frozen=True, slots=True)
class _Line:
    """One way that combat goes: the combat now, the steps so far, everything that happened."""

    combat: Combat
    changes: Changes
    before: Mapping[str, tuple[str, ...]]
    steps: tuple[StepReport, ...] = ()
    rules: frozenset[str] = frozenset()


class _IllegalError(Exception):
    """Raised where a proposal divides damage illegally."""

    def __init__(self, step: str, violations: Sequence[Violation], rules: frozenset[str]) -> None:
        super().__init__(step)
        self.violations = violations
        self.rules = rules


class Outcome:
    """The outcome of combat in one scenario.

    Args:
        scenario: the board, on which attackers have been declared, and the proposals: none, or damage by step.
        seconds: the time allowed, None for as long as it takes.
        explain: for the same arguments as other judgements.
        explain_seconds: the time that looking for the nearest damage may take in all.

    Raises:
        InputError: for words that cannot be read, and for what the rules of the scenario's release do not have.
    """

    judges = "outcome"

    def __init__(
        self, scenario: Scenario, *, seconds: float | None = 10.0, explain: bool = False, explain_seconds: float = EXPLAIN_SECONDS
    ) -> None:
        del explain
        self.scenario = scenario
        self._left_to_explain = explain_seconds
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.known: Knowledge = knowledge()
        self.combat = begin(scenario, self.known, self.judges)
        self.release = self.combat.release
        refuse_what_is_newer(self.combat)
        self.conditions = tuple(dict.fromkeys(self.combat.problem.base.conditions.values()))
        #: What matters only if it triggers, which is seen as combat is followed.
        self.waiting = waiting_on(self.combat.board, self.combat.reading)
        self.all_not_understood = self.combat.problem.not_understood()
        waiting = {one.text for one in self.waiting}
        self.not_understood = tuple(text for text in self.all_not_understood if text not in waiting)

    def judge(self, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the outcome under each proposal, by name; without proposals the one outcome is called `outcome`."""
        if not proposals:
            return {"outcome": self._outcome(())}
        return {proposal.name: self._outcome(proposal.raw) for proposal in proposals}

    def with_nearest(self, proposal: Proposal, verdict: ProposalVerdict) -> ProposalVerdict:
        """Return the verdict with the legal damage of all steps from which an illegal `proposal` differs in as little damage as possible.

        The verdict as it was for what is not illegal, where something is open or not understood, where it depends on what other players
        choose, and where the time does not suffice.
        """
        if verdict.verdict != "illegal" or self.conditions or self.all_not_understood or self._left_to_explain <= 0:
            return verdict
        deadline = time.monotonic() + self._left_to_explain
        line, active = self._begun(frozenset()), self.scenario.board.active
        try:
            found = nearest_outcome(self, line, list(proposal.raw), active=active, seconds_left=lambda: deadline - time.monotonic())
        except UndecidedError:
            return verdict
        finally:
            self._left_to_explain = deadline - time.monotonic()
        if found is None:
            return verdict
        return replace(verdict, nearest=found[0]) if len(found) == 1 else replace(verdict, nearest_steps=tuple(found))

    def counts(self) -> dict[str, int]:
        """Raise UndecidedError: outcomes are not declared, so there is nothing to count."""
        raise UndecidedError("an outcome is nothing that could be counted; say `judge: damage` to count the ways to divide damage")

    def declarations(self, limit: int | None = None) -> Iterator[Division]:
        """Raise UndecidedError, as `counts`."""
        del limit
        self.counts()
        yield {}

    def programs(self) -> list[str]:
        """Return the program, with its facts, that says what may be assigned in the first combat damage step."""
        combat, _ = resolve_declared_triggers(self.combat)
        return [combat.problem.text("damage-divisions", proposal_facts(combat, ()))]

    # ------------------------------------------------------------ following a combat

    def _outcome(self, given: Sequence[Mapping[str, Any]]) -> ProposalVerdict:
        start = time.perf_counter()
        verdict = self._answered(given)
        return replace(verdict, seconds=time.perf_counter() - start)

    def _answered(self, given: Sequence[Mapping[str, Any]]) -> ProposalVerdict:
        if len(self.conditions) > _MOST_OPEN:
            return ProposalVerdict("undecided", not_understood=tuple(f"the board does not say whether {text}" for text in self.conditions))
        found = []
        changed: list[Changes] = []
        try:
            for taken in ways_to_take(self.conditions):
                lines = list(self._followed(self._begun(taken), list(given)))
                changed += [one.changes for one in lines]
                found.append(self._verdict(lines))
        except _IllegalError as error:
            return ProposalVerdict(
                "illegal",
                violations=tuple(replace(one, rule=self._numbered(one.rule)) for one in error.violations),
                cites=cited_in(self.release, error.rules, self.known),
            )
        except UndecidedError as error:
            return ProposalVerdict("undecided", not_understood=(*self.all_not_understood, str(error)))
        triggered = triggered_in(happened_in(self.scenario.board, changed), self.waiting)
        unread = tuple(text for text in self.all_not_understood if text in triggered or text in self.not_understood)
        first, *others = found
        same = all(replace(other, assumptions=()) == replace(first, assumptions=()) for other in others)
        unclear = () if same else tuple(f"the board does not say whether {text}" for text in self.conditions)
        settled = tuple(f"it makes no difference whether {text}" for text in self.conditions) if same else ()
        not_understood = (*unread, *unclear, *first.not_understood)
        return replace(
            first,
            verdict="undecided" if not_understood else "legal",
            assumptions=(*first.assumptions, *settled),
            not_understood=not_understood,
        )

    def _begun(self, taken: frozenset[str]) -> _Line:
        """Return combat as its damage begins, with these open conditions taken to be met."""
        combat, changes = resolve_declared_triggers(replace(self.combat, taken=taken) if taken else self.combat)
        return _Line(combat, changes, changes.died or {}, rules=changes.rules)

    def _followed(self, line: _Line, given: Sequence[Mapping[str, Any]]) -> Iterator[_Line]:
        """Yield every way in which combat can go from `line`, with the damage that the file gives for the steps that are left."""
        coming = self.next_step(line, given)
        if coming is None:
            yield line
            return
        step, raw, rest = coming
        for after in self.after(line, step, raw):
            yield from self._followed(after, rest)

    def next_step(
        self, line: _Line, given: Sequence[Mapping[str, Any]]
    ) -> tuple[Step, Mapping[str, Any] | None, Sequence[Mapping[str, Any]]] | None:
        """Return what may be assigned in the step that comes next, the damage that the file gives for it, and that for later steps.

        None if there is no such step.

        Raises:
            UndecidedError: if damage is given for more steps than there are.
        """
        if _over(line.combat, line.changes) or (line.steps and not self._another_step(line)):
            if given:
                raise UndecidedError(f"damage is given for {len(given)} combat damage step(s) more than there are")
            return None
        step = step_of(line.combat)
        if not step.assigns and not line.combat.first_done:
            return None
        return step, *self._given(_name(line, step), given)

    def after(self, line: _Line, step: Step, raw: Mapping[str, Any] | None) -> Iterator[_Line]:
        """Yield every way in which combat can go on after a step for which the file gives this damage.

        Raises:
            UndecidedError: if there are too many ways, or the time is over.
        """
        for assigned in self._assignments(line.combat, step, raw):
            yield self._dealt(line, step, _name(line, step), assigned)

    def _another_step(self, line: _Line) -> bool:
        return line.steps[-1].step == "first"

    @staticmethod
    def _given(step: str, given: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any] | None, Sequence[Mapping[str, Any]]]:
        """Return the damage that the file gives for `step`, and that for later ones."""
        if given and given[0].get("step", step) == step:
            return given[0], given[1:]
        return None, given

    def _assignments(self, combat: Combat, step: Step, raw: Mapping[str, Any] | None) -> Iterator[Division]:
        """Yield the legal assignments of all players in a step that agree with the damage given for it."""
        assign: dict[str, Mapping[str, int]] = dict(raw["assign"]) if raw is not None else {}
        ways: list[Division] = [{name: dict(gifts) for name, gifts in assign.items()}]
        for player, divisions in step.divisions.items():
            announced = raw is not None and player == raw.get("by", combat.board.active)
            if announced or any(name in assign for name in divisions.sources):
                # Who has only one recipient has no choice, so the file may leave it out.
                forced = {
                    name: {source.recipients[0]: source.amount}
                    for name, source in divisions.sources.items()
                    if name not in assign and len(source.recipients) == 1 and not source.instead
                }
                ways = [{**way, **forced} for way in ways]
                continue
            for name in step.without_order:
                if name in divisions.sources:
                    raise UndecidedError(f"the file does not say in which order {name} assigns damage (order)")
            try:
                number = divisions.count(self._seconds_left())
            except TooManyError as error:
                raise UndecidedError(f"the ways in which {player} may divide damage were not counted: {error}") from None
            if number * len(ways) > _MOST_WAYS:
                raise UndecidedError(f"there are {number:,} ways in which {player} may divide damage; propose one of them")
            ways = [{**way, **more} for way in ways for more in divisions.listed()]
        for way in ways:
            if raw is not None:
                self._refuse_illegal(combat, way)
            yield way

    def _refuse_illegal(self, combat: Combat, way: Division) -> None:
        raw = {"assign": way}
        found = judged(combat, proposal_facts(combat, (raw,)), {1: raw})
        if found.wrong:
            rules = {violation.rule for violation in found.violations[1]}
            raise _IllegalError("", found.violations[1], frozenset(rules | found.applies | rules_of(combat)))
        if found.without_order:
            raise UndecidedError(f"the file does not say in which order {found.without_order[1][0]} assigns damage (order)")

    def _dealt(self, line: _Line, step: Step, name: str, assigned: Division) -> _Line:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise UndecidedError("the time limit was reached before every way to divide damage was followed")
        damage = [Dealt(source, target, amount) for source, gifts in assigned.items() for target, amount in gifts.items() if amount]
        after, changes = deal(line.combat, damage)
        if name == "first":
            after = replace(after, first_done=True, dealt_first=step.assigns)
        if changes.lost and not _over(after, joined(line.changes, changes)):
            after = without_players(after, changes.lost.keys())
        report = StepReport(name, changes.damage, changes.died or {})
        rules = line.rules | step.applies | changes.rules | rules_of(line.combat)
        return _Line(after, joined(line.changes, changes), line.before, (*line.steps, report), rules)

    def _seconds_left(self) -> float | None:
        return None if self.deadline is None else max(0.01, self.deadline - time.monotonic())

    # ------------------------------------------------------------ answers

    def _verdict(self, lines: Sequence[_Line]) -> OutcomeVerdict:
        """Return what all lines have in common, and in what they differ."""
        reports = [self._report(line) for line in lines]
        first = reports[0]
        if len(reports) == 1:
            return first
        differences: dict[str, Any] = {}
        players = {name: _common([one.players[name] for one in reports], f"players.{name}", differences) for name in first.players}
        objects = {name: _common([one.objects[name] for one in reports], f"objects.{name}", differences) for name in first.objects}
        return replace(
            first,
            steps=first.steps if all(one.steps == first.steps for one in reports) else None,
            players=players,
            objects=objects,
            triggers=first.triggers if all(one.triggers == first.triggers for one in reports) else None,
            not_understood=tuple(dict.fromkeys(text for one in reports for text in one.not_understood)),
            assumptions=tuple(dict.fromkeys(text for one in reports for text in one.assumptions)),
            cites=tuple(sorted({rule for one in reports for rule in one.cites}, key=sort_key)),
            ways=len(reports),
            differences=differences,
        )

    def _report(self, line: _Line) -> OutcomeVerdict:
        board, changes = line.combat.board, line.changes
        lost = changes.lost or {}
        players = {
            name: {
                "life": player.life,
                "poison": player.extra.get("poison", 0),
                "commander_damage": dict(player.extra.get("commander_damage", {})),
                "lost": self._numbered(lost[name]) if name in lost else None,
            }
            for name, player in board.players.items()
        }
        objects = {}
        for name, before in self.scenario.board.objects.items():
            if before.zone == "battlefield":
                thing = board.objects[name]
                counts = {kind: count for kind, count in (("loyalty", thing.loyalty), ("defense", thing.defense)) if count is not None}
                objects[name] = {
                    "zone": None if thing.zone == "nowhere" else thing.zone,
                    "damage": thing.damage,
                    "counters": {**thing.counters, **(counts if thing.zone == "battlefield" else {})},
                    "attached_to": thing.attached_to,
                }
        steps = tuple(
            replace(step, died={name: tuple(map(self._numbered, rules)) for name, rules in step.died.items()}) for step in line.steps
        )
        return OutcomeVerdict(
            "legal",
            assumptions=assumed(self.combat, replace(changes, triggers=())),
            not_understood=tuple(f"the file does not say: {text}" for text in changes.choices),
            cites=cited_in(self.release, line.rules | changes.rules, self.known),
            before=line.before,
            steps=steps,
            players=players,
            objects=objects,
            triggers=tuple(replace(trigger, rule=self._numbered(trigger.rule)) for trigger in changes.triggers),
        )

    def _numbered(self, rule: str) -> str:
        return in_numbering_of(self.release, rule, self.known)


def _name(line: _Line, step: Step) -> str:
    return "first" if step.strikers and not line.combat.first_done else "regular"


def _over(combat: Combat, changes: Changes) -> bool:
    """Return whether at most one player is left, with which the game ends and nothing is removed any more (104.1, 104.2a)."""
    lost = changes.lost or {}
    return bool(lost) and len(lost) >= len(combat.board.players) - 1


def _common(states: Sequence[Mapping[str, Any]], where: str, differences: dict[str, Any]) -> dict[str, Any]:
    """Return what is the same in all `states`, None for the rest; note between what the rest differs."""
    found: dict[str, Any] = {}
    for key, value in states[0].items():
        values = [state[key] for state in states]
        if all(other == value for other in values):
            found[key] = value
            continue
        found[key] = None
        differences[f"{where}.{key}"] = _bounds(values)
    return found


def _bounds(values: Iterable[Any]) -> Any:
    kept = list(values)
    if all(isinstance(value, int) for value in kept):
        return {"least": min(kept), "most": max(kept)}
    return [value for index, value in enumerate(kept) if value not in kept[:index]]
