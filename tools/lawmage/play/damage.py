"""Assigning combat damage (510.1): judging proposals, counting and listing the ways to divide it.

What is legal is decided by asp/510-combat-damage.lp and the programs beside it; counting is arithmetic on what they say
(`lawmage.play.divisions`).
"""

from __future__ import annotations

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import clingo

from lawmage.board import Proposal, Scenario
from lawmage.errors import InputError
from lawmage.play.card_types import card_types
from lawmage.play.combat import Changes, resolve_declared_triggers
from lawmage.play.damage_facts import Combat
from lawmage.play.dated import cited_in, in_numbering_of, refuse_what_is_newer
from lawmage.play.declaration_words import listed
from lawmage.play.declarations import UndecidedError
from lawmage.play.divisions import Division, Divisions, Source, TooManyError
from lawmage.play.facts import Facts
from lawmage.play.helping import EXPLAIN_SECONDS
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.nearest_division import moved, nearest_division
from lawmage.play.reading import Unread
from lawmage.play.tapping import with_attackers_tapped
from lawmage.play.verdict import Judgement, ProposalVerdict, Violation

__all__ = ["Damage", "Judged", "Step", "assumed", "begin", "judged", "proposal_facts", "rules_of", "step_of", "ways_to_take"]

#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 8
#: Damage of one assignment must stay within clingo's integers.
_GREATEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Step:
    """What may be assigned in one combat damage step.

    Attributes:
        strikers: the creatures because of which there are two steps.
        assigns: the creatures that may assign damage in it.
        divisions: what each player divides, by player.
        without_order: the creatures that have to follow an order of damage assignment where the file gives none.
        unplaced: for each of these, and each of its recipients, those that in some order have to be assigned lethal damage first.
        applies: the rules that have a part in it.
    """

    strikers: frozenset[str]
    assigns: frozenset[str]
    divisions: Mapping[str, Divisions]
    without_order: tuple[str, ...]
    unplaced: Mapping[str, Mapping[str, frozenset[str]]]
    applies: frozenset[str]

    def divided(self, raw: Mapping[str, Any], active: str) -> Divisions:
        """Return what those players divide of whom a proposal speaks; where no order is given, what they may in every order."""
        named = {source for source, gifts in raw["assign"].items() if any(gifts.values())}
        others = [player for player, divisions in self.divisions.items() if named.intersection(divisions.sources)]
        players = [raw["by"]] if "by" in raw else dict.fromkeys((active, *others))
        divided = [self.divisions[player] for player in players if player in self.divisions]
        sources = {name: self._in_any_order(name, source) for divisions in divided for name, source in divisions.sources.items()}
        return Divisions(sources, divided[0].need if divided else {})

    def _in_any_order(self, name: str, source: Source) -> Source:
        first = self.unplaced.get(name, {})
        return replace(source, after={one: source.after.get(one, frozenset()) | first.get(one, frozenset()) for one in source.recipients})


def begin(scenario: Scenario, known: Knowledge, judges: str) -> Combat:
    """Return the combat of `scenario` in the combat damage step that comes next, before triggered abilities resolve.

    Raises:
        InputError: if the file says that all combat damage has been dealt, or dealt in a step that it does not name; or if it does not say
            how much loyalty or defense is left of what is attacked.
    """
    board = with_attackers_tapped(scenario).board
    for attack in board.attacks or ():
        attacked = board.objects.get(attack.target)
        if attacked is None or attacked.zone != "battlefield":
            continue
        for kind, told in card_types().items():
            key = told.takes
            if key and kind in attacked.types and getattr(attacked, key) is None:
                message = f"{attacked.id} is a {kind} that is attacked, so it needs the key {key}, what is left of it, such as {key}: 3"
                raise InputError(message, file=scenario.file, line=attacked.line or None)
    done = board.damage or ()
    for damage in done:
        if "step" not in damage:
            raise InputError("says that combat damage has been dealt, but not in which step; add `step: first` to it", file=scenario.file)
    steps = [damage["step"] for damage in done]
    if steps not in ([], ["first"]):
        raise InputError("says that all combat damage has been dealt, so none is left to assign", file=scenario.file)
    dealt = frozenset(source for damage in done for source in damage["assign"])
    release = scenario.release or known.release
    return Combat(board, known, judges, release, scenario.file, first_done=bool(steps), dealt_first=dealt)


def ways_to_take(conditions: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield every way to take open conditions: those taken to be met."""
    for flags in itertools.product((False, True), repeat=len(conditions)):
        yield frozenset(text for text, flag in zip(conditions, flags, strict=True) if flag)


def step_of(combat: Combat, step: str | None = None) -> Step:
    """Return what may be assigned in the step that comes next, or in the `first` or `regular` of two."""
    problem = combat.problem
    atoms = problem.run("damage-divisions", _step_facts(combat, step))
    amounts: dict[str, int] = {}
    recipients: defaultdict[str, set[str]] = defaultdict(set)
    after: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    unplaced: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    enough: defaultdict[str, set[str]] = defaultdict(set)
    instead: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    need: dict[str, int] = {}
    divides: dict[str, str] = {}
    named: defaultdict[str, set[str]] = defaultdict(set)
    for atom in atoms:
        match atom.name, atom.arguments:
            case "amount", [source, number]:
                amounts[problem.name(source)] = number.number
            case "need", [other, number]:
                need[problem.name(other)] = number.number
            case "recipient", [source, target, _]:
                recipients[problem.name(source)].add(problem.name(target))
            case "only_after", [source, target, other, *_]:
                after[problem.name(source)][problem.name(target)].add(problem.name(other))
            case "unplaced", [source, target, other]:
                unplaced[problem.name(source)][problem.name(target)].add(problem.name(other))
            case "enough", [source, other]:
                enough[problem.name(source)].add(problem.name(other))
            case "instead", [source, target]:
                instead[problem.name(source)].setdefault(problem.name(target), set())
            case "instead_after", [source, target, other]:
                instead[problem.name(source)].setdefault(problem.name(target), set()).add(problem.name(other))
            case "divides", [player, source]:
                divides[problem.name(source)] = problem.name(player)
            case "applies", [rule]:
                named["applies"].add(rule.string)
            case kind, [creature]:
                named[kind].add(problem.name(creature))
    order = [*combat.board.objects, *combat.board.players]
    by_player: defaultdict[str, dict[str, Source]] = defaultdict(dict)
    for name in sorted(amounts, key=order.index):
        if name in recipients or name in instead:
            by_player[divides[name]][name] = Source(
                amounts[name],
                tuple(sorted(recipients[name], key=order.index)),
                {recipient: frozenset(first) for recipient, first in after[name].items()},
                frozenset(enough[name]),
                {recipient: frozenset(first) for recipient, first in instead[name].items()},
            )
    return Step(
        frozenset(named["striker"]),
        frozenset(named["assigns"]),
        {player: Divisions(sources, need) for player, sources in by_player.items()},
        tuple(sorted(named["without_order"], key=order.index)),
        {source: {target: frozenset(others) for target, others in first.items()} for source, first in unplaced.items()},
        frozenset(named["applies"]),
    )


def _step_facts(combat: Combat, step: str | None) -> Facts:
    facts = combat.problem.facts()
    combat.problem.add_fight(facts)
    combat.problem.add_step(facts, step)
    combat.problem.add_dated(facts)
    return facts


class Damage:
    """A combat damage step of one scenario.

    Args:
        scenario: the board and the proposals.
        seconds: the time allowed for counting, None for as long as it takes.
        explain: for the same arguments as other judgements; what is judged is the same.
        explain_seconds: the time that looking for the nearest divisions may take in all.

    Raises:
        InputError: for words that cannot be read, and for what the rules of the scenario's release do not have.
    """

    judges = "damage"

    def __init__(
        self, scenario: Scenario, *, seconds: float | None = 10.0, explain: bool = False, explain_seconds: float = EXPLAIN_SECONDS
    ) -> None:
        del explain
        self.scenario = scenario
        self.seconds = seconds
        self._left_to_explain = explain_seconds
        self._steps: dict[str | None, list[Step]] = {}
        self.known: Knowledge = knowledge()
        self.combat = begin(scenario, self.known, self.judges)
        self.release = self.combat.release
        refuse_what_is_newer(self.combat)
        self.conditions = tuple(dict.fromkeys(self.combat.problem.base.conditions.values()))
        self.not_understood = self.combat.problem.not_understood()

    # ------------------------------------------------------------ judging

    def judge(self, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the verdict on each proposal, by name."""
        start = time.perf_counter()
        if len(self.conditions) > _MOST_OPEN:
            unclear = tuple(f"the board does not say whether {text}" for text in self.conditions)
            return {proposal.name: ProposalVerdict("undecided", not_understood=unclear) for proposal in proposals}
        ways = [self._verdicts(combat, changes, proposals) for combat, changes in self._ways]
        seconds = (time.perf_counter() - start) / max(1, len(proposals))
        return {proposal.name: replace(self._combine([way[proposal.name] for way in ways]), seconds=seconds) for proposal in proposals}

    def divides(self, verdicts: Mapping[str, ProposalVerdict]) -> dict[str, str]:
        """Return who divides the damage of each creature in the step that comes next, from `verdicts` on it if there is one."""
        for proposal in self.scenario.proposals:
            known = verdicts[proposal.name].divides
            if "step" not in proposal.raw and known is not None:
                return dict(known)
        combat, _ = next(self._begun())
        return {name: player for player, divisions in step_of(combat).divisions.items() for name in divisions.sources}

    def programs(self) -> list[str]:
        """Return the program, with its facts, that judges the proposals of each step, with no open condition taken to be met."""
        combat, _ = next(self._begun())
        return [combat.problem.text("combat-damage", facts) for facts in self._worlds(combat, self.scenario.proposals).values()]

    def _begun(self) -> Iterator[tuple[Combat, Changes]]:
        """Yield the combat as the step begins, for every way to take the open conditions."""
        for taken in ways_to_take(self.conditions):
            yield resolve_declared_triggers(replace(self.combat, taken=taken) if taken else self.combat)

    @cached_property
    def _ways(self) -> list[tuple[Combat, Changes]]:
        """What `_begun` yields, where it is worked out once."""
        return list(self._begun())

    def _worlds(self, combat: Combat, proposals: Sequence[Proposal]) -> dict[str | None, Facts]:
        """Return the facts for each step that proposals are about."""
        worlds: dict[str | None, Facts] = {}
        for index, proposal in enumerate(proposals, start=1):
            step = proposal.raw.get("step")
            if step not in worlds:
                worlds[step] = _step_facts(combat, step)
            _propose(combat, worlds[step], index, proposal.raw)
        return worlds

    def _verdicts(self, combat: Combat, changes: Changes, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        verdicts = {}
        for step, facts in self._worlds(combat, proposals).items():
            found = judged(combat, facts, {index: proposal.raw for index, proposal in enumerate(proposals, start=1)})
            for index, proposal in enumerate(proposals, start=1):
                if proposal.raw.get("step") == step:
                    verdicts[proposal.name] = self._verdict(combat, changes, found, index)
        return verdicts

    def _verdict(self, combat: Combat, changes: Changes, found: Judged, index: int) -> ProposalVerdict:
        violations = tuple(found.violations[index])
        unclear = tuple(
            f"the file does not say in which order {name} assigns damage (order)" for name in found.without_order.get(index, ())
        )
        if index in found.wrong and not violations:
            unclear += ("what is wrong with it, which is a fault of lawmage's own: please report it",)
        verdict: Judgement = "illegal" if violations else "undecided" if unclear else "legal"
        cites = {violation.rule for violation in violations} | found.applies | rules_of(combat)
        return ProposalVerdict(
            verdict,
            violations=tuple(replace(one, rule=in_numbering_of(self.release, one.rule, self.known)) for one in violations),
            assumptions=assumed(combat, changes),
            not_understood=unclear if verdict == "undecided" else (),
            cites=cited_in(self.release, cites, self.known),
            divides=found.divides,
        )

    def _combine(self, ways: list[ProposalVerdict]) -> ProposalVerdict:
        """Return the verdict that holds however the open conditions are taken, or that it is undecided."""
        verdicts = {way.verdict for way in ways}
        chosen = next((way for way in ways if way.verdict == "illegal"), ways[0])
        differs = len(verdicts) > 1
        unclear = tuple(f"the board does not say whether {text}" for text in self.conditions) if differs else ()
        assumed = () if differs else tuple(f"it makes no difference whether {text}" for text in self.conditions)
        return replace(
            chosen,
            verdict="undecided" if unclear or self.not_understood else chosen.verdict,
            assumptions=(*chosen.assumptions, *assumed),
            not_understood=(*self.not_understood, *unclear, *chosen.not_understood),
        )

    # ------------------------------------------------------------ what is nearest

    def with_nearest(self, proposal: Proposal, verdict: ProposalVerdict) -> ProposalVerdict:
        """Return the verdict with the legal division from which an illegal `proposal` differs in as little damage as possible.

        Of what several players divide it is what the proposal speaks of, and what is legal in every order where the file gives none; or
        that there is none. The verdict as it was for what is not illegal, where something is not understood, where the division that is
        nearest if an open condition is taken one way is illegal if it is taken another way, and where the time does not suffice.
        """
        if verdict.verdict != "illegal" or self.not_understood or self._left_to_explain <= 0:
            return verdict
        start = time.perf_counter()
        try:
            return self._with_nearest(proposal.raw, verdict, start + self._left_to_explain)
        except TooManyError:
            return verdict
        finally:
            self._left_to_explain -= time.perf_counter() - start

    def _with_nearest(self, raw: Mapping[str, Any], verdict: ProposalVerdict, deadline: float) -> ProposalVerdict:
        ways = [step.divided(raw, self.scenario.board.active) for step in self._steps_in(raw.get("step"))]
        found = []
        for divisions in ways:
            near = nearest_division(divisions, raw["assign"], seconds=deadline - time.perf_counter())
            if near is None:
                names = [name for name in self._steps_in(raw.get("step"))[0].without_order if name in divisions.sources]
                told = f"no division is legal in every order in which {listed(names)} can assign damage (order)" if names else ""
                return replace(verdict, no_nearest=told)
            found.append(near)
        furthest = max(found, key=lambda near: moved(near, raw["assign"]))
        for divisions in ways if len(ways) > 1 else ():
            if nearest_division(divisions, furthest, seconds=deadline - time.perf_counter()) != furthest:
                return verdict
        return replace(verdict, nearest=furthest)

    def _steps_in(self, step: str | None) -> list[Step]:
        """Return what may be assigned in a step, for every way to take the open conditions."""
        if step not in self._steps:
            self._steps[step] = [step_of(combat, step) for combat, _ in self._ways]
        return self._steps[step]

    # ------------------------------------------------------------ counting and listing

    def counts(self) -> dict[str, int]:
        """Return the number of ways in which the player that the proposals name (`by`), else the active player, may divide damage.

        Raises:
            UndecidedError: if something that could matter is not understood, or counting takes longer than the time allowed.
        """
        player, divisions = self._divisions()
        try:
            return {player: divisions.count(self.seconds)}
        except TooManyError as error:
            raise UndecidedError(f"the ways to divide damage were not counted: {error}") from None

    def declarations(self, limit: int | None = None) -> Iterator[Division]:
        """Yield the ways that `counts` counts, or the first `limit`.

        Raises:
            UndecidedError: if something that could matter is not understood.
        """
        _, divisions = self._divisions()
        yield from itertools.islice(divisions.listed(), limit)

    def _divisions(self) -> tuple[str, Divisions]:
        if self.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.not_understood)}")
        if self.conditions:
            raise UndecidedError(f"the board does not say whether {', nor whether '.join(self.conditions)}")
        combat, _ = next(self._begun())
        step = step_of(combat)
        named = {proposal.raw.get("by") for proposal in self.scenario.proposals}
        player = next(iter(named)) if len(named) == 1 else None
        chosen = player or self.scenario.board.active
        divisions = step.divisions.get(chosen, Divisions({}, {}))
        for name in step.without_order:
            if name in divisions.sources:
                raise UndecidedError(f"the file does not say in which order {name} assigns damage (order)")
        return chosen, divisions


# ---------------------------------------------------------------- one program for several proposals


@dataclass(frozen=True, slots=True)
class Judged:
    """What asp/ says of assignments, by their number."""

    wrong: frozenset[int]
    violations: Mapping[int, list[Violation]]
    divides: Mapping[str, str]
    without_order: Mapping[int, list[str]]
    applies: frozenset[str]


def _propose(combat: Combat, facts: Facts, index: int, raw: Mapping[str, Any]) -> None:
    """Add an assignment in the form of a damage proposal (`Proposal.raw`)."""
    problem = combat.problem
    assign: dict[str, dict[str, int]] = raw["assign"]
    given = {source: sum(gifts.values()) for source, gifts in assign.items()}
    if sum(given.values()) > _GREATEST:
        raise InputError(f"the damage of one assignment adds up to more than {_GREATEST:,}", file=combat.file)
    gotten: Counter[str] = Counter()
    for source, gifts in assign.items():
        for target, amount in gifts.items():
            gotten[target] += amount
            if amount:
                facts.add("assigned", index, problem.terms[source], problem.terms.get(target, "elsewhere"), amount)
    for source, amount in given.items():
        if amount:
            facts.add("gives", index, problem.terms[source], amount)
    for target, amount in gotten.items():
        if target in problem.terms:
            facts.add("gets", index, problem.terms[target], amount)
    if "by" in raw:
        facts.add("by", index, problem.terms[raw["by"]])
        return
    facts.add("open", index)
    blockers = {block.blocker for block in combat.board.blocks or ()}
    for player in dict.fromkeys(
        combat.board.objects[source].controller for source, amount in given.items() if amount and source in blockers
    ):
        facts.add("concerns", index, problem.terms[player])


def judged(combat: Combat, facts: Facts, raws: Mapping[int, Mapping[str, Any]]) -> Judged:
    """Return what is wrong with the assignments among `facts`, which `raws` has by number."""
    wrong: set[int] = set()
    divides: dict[str, str] = {}
    without_order: defaultdict[int, list[str]] = defaultdict(list)
    applies: set[str] = set()
    problem = combat.problem
    holders, players = problem.base.holders, {f"p({number})": name for name, number in problem.base.players.items()}
    # Reading an atom as text takes a fraction of the time that reading its arguments takes.
    for kind, _, inside in (str(atom)[:-1].partition("(") for atom in problem.run("combat-damage", facts)):
        match kind:
            case "divides":
                player, _, source = inside.rpartition(",")
                divides[holders[int(source)]] = players[player]
            case "order_matters":
                world, _, source = inside.partition(",")
                without_order[int(world)].append(holders[int(source)])
            case "applies":
                applies.add(inside.strip('"'))
            case _:
                wrong.add(int(inside.partition(",")[0]))
    violations: defaultdict[int, list[Violation]] = defaultdict(list)
    for atom in sorted(problem.run("combat-damage-violations", facts)) if wrong else ():
        index = atom.arguments[0].number
        violations[index].append(_violation(combat, atom, raws[index]["assign"]))
    order = list(combat.board.objects)
    return Judged(
        frozenset(wrong),
        violations,
        dict(sorted(divides.items(), key=lambda pair: order.index(pair[0]))),
        without_order,
        frozenset(applies),
    )


def _violation(combat: Combat, atom: clingo.Symbol, assign: Mapping[str, Mapping[str, int]]) -> Violation:
    _, rule, why, source, target, other, most = atom.arguments
    names = {key: combat.problem.name(symbol) for key, symbol in (("source", source), ("target", target), ("other", other))}
    given = assign.get(names["source"], {}).values()
    gotten = (gifts.get(names["other"], 0) for gifts in assign.values())
    said = combat.known.breaches[why.name].says.format(
        source=names["source"],
        target=names["target"] or "it",
        other=names["other"],
        number=sum(gotten) if names["other"] else sum(given),
        most=most.number,
    )
    return Violation(rule.string, tuple(dict.fromkeys(name for name in names.values() if name)), said)


def proposal_facts(combat: Combat, raws: Sequence[Mapping[str, Any]], step: str | None = None) -> Facts:
    """Return the facts to judge assignments of one step, in the form of damage proposals, numbered from 1."""
    facts = _step_facts(combat, step)
    for index, raw in enumerate(raws, start=1):
        _propose(combat, facts, index, raw)
    return facts


def rules_of(combat: Combat) -> set[str]:
    """Return the rules of the constraints on the board that bear on the judgement."""
    base, kinds = combat.problem.base, combat.known.kinds
    found: set[str] = set()
    for number, rule in base.rules.items():
        constraint = base.constraints[number]
        assert constraint is not None
        found |= {rule, kinds[constraint.kind].by}
    return found


def assumed(combat: Combat, changes: Changes) -> tuple[str, ...]:
    """Return what was taken for granted."""
    found = []
    if combat.board.blocks is None and combat.board.attacks:
        found.append("no blocks have been declared, so no creature is taken to block")
    unknown = set(changes.taken)
    for trigger in changes.triggers:
        if f"{trigger.ability} of {trigger.source}" not in unknown:
            found.append(f"{trigger.ability} of {trigger.source} has triggered and resolved ({trigger.rule})")
    found += [f"the board is taken to show what became of {text}" for text in changes.taken]
    found += [f'the board is taken to show what became of "{one.sentence}" ({one.holder})' for one in _declared(combat)]
    found += [f"what {text} does is not followed" for text in changes.not_followed]
    return tuple(found)


def _declared(combat: Combat) -> Iterator[Unread]:
    """Yield the triggered abilities of what fights that trigger as attackers and blockers are declared."""
    fighting = {attack.attacker for attack in combat.board.attacks or ()} | {block.blocker for block in combat.board.blocks or ()}
    for one in combat.reading.triggered:
        if one.holder in fighting:
            yield one
