"""Judging, listing and counting declarations: what declaring attackers (508.1) and declaring blockers (509.1) have in common.

A declaration pairs a creature that acts with what it acts on. Proposals are worlds of one program, a best declaration is another;
asp/ says what each disobeys and obeys. Everything here prepares facts and reads models.
"""

from __future__ import annotations

import itertools
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import clingo

from lawmage.board import Board, Proposal, Scenario
from lawmage.constraints import Filter
from lawmage.errors import LawmageError
from lawmage.play.alike import Alike, alike_on
from lawmage.play.bound import Bound, limits_from, upper_bound
from lawmage.play.clash import find_clash
from lawmage.play.counting import Count, count
from lawmage.play.counting_form import Form, form_from
from lawmage.play.dated import cited_in, facts_of_then, refuse_what_is_newer
from lawmage.play.facts import Facts, Problem, build, quoted
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.listing import list_declarations
from lawmage.play.mana import (
    mana_amounts,
    mana_facts,
    paid_amounts,
    source_of,
    term_of,
    unread_sources,
    unread_together,
    written_mana,
)
from lawmage.play.nearest import Paying, find_nearest
from lawmage.play.plain_clash import PlainClash
from lawmage.play.plain_nearest import apart, gained_by, nearest_at_once
from lawmage.play.program import Program, places_in, specialise
from lawmage.play.quick import Judged, Pair, Position, propose
from lawmage.play.reading import Reading, costs_objects, read_board
from lawmage.play.solver import SEARCHING, Best, Model, count_models, facts_of, ground, maximise, minimum, models, only_model
from lawmage.play.stratified import NotEvaluatedError, Value, order, value_of
from lawmage.play.turning import acts
from lawmage.play.verdict import Declaration, Judgement, ProposalVerdict, Requirements, Violation
from lawmage.play.words import Sentences
from lawmage.resources import data_folder
from lawmage.rulebook.model import sort_key

__all__ = ["EXPLAIN_SECONDS", "Declarations", "UndecidedError"]

#: The time that looking for clashes and for what is nearest may take, in seconds: it helps and decides nothing.
EXPLAIN_SECONDS = 1.0
#: About what it takes to write a pair down for a search, and to count with it; nothing is begun that takes longer than is left.
_SEARCHING_A_PAIR, _COUNTING_A_PAIR = 5e-5, 1e-6
#: The time of a search that only comes first.
_FIRST_SECONDS = 0.1
#: What a best declaration is called where proposals have numbers.
_BEST = "best"
#: How kinds of costs end that are multiplied by cards in hand.
_FOR_HAND = "_for_hand"
#: More different costs than this that ask that the same is done with permanents are not worked out.
_MOST_ACTS = 6
#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 8


#: Open conditions that are taken to be met: the integer of each, and that of the object or effect that has it.
_Taken: TypeAlias = tuple[tuple[int, int], ...]


class UndecidedError(LawmageError):
    """A question that has no honest answer: something is not understood, or the time is over."""


@dataclass(frozen=True, slots=True)
class _World:
    """What asp/ says of one proposal of one player, or of a best declaration."""

    violated: tuple[tuple[Value, ...], ...]
    obeyed: frozenset[tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class _Case:
    """One player's problem, with the open conditions taken one way."""

    worlds: dict[str, _World]
    best: Best
    better: Declaration
    obeyed_by_best: frozenset[tuple[Value, ...]]


class Declarations(ABC):
    """One step of a scenario in which players declare something.

    Args:
        scenario: the board and the proposals.
        seconds: the time allowed for each search, None for as long as it takes.
        explain: whether verdicts also tell why not every requirement can be obeyed.
        explain_seconds: the time that looking for that, and for what is nearest, may take in all.

    Raises:
        InputError: for words that cannot be read (see `lawmage.play.reading`), and for what the release does not have.
    """

    #: The judgement, as in a scenario's `judge`.
    judges: ClassVar[str]
    #: The entry programs in asp/entry/: to judge, bound, list, find a clash, state the numbers to count from, find what is nearest, and
    #: state the numbers from which a clash, and what is nearest, are counted, and what is evaluated in the place of the second to explain.
    entries: ClassVar[tuple[str, str, str, str, str, str, str, str, str]]
    #: What kb/'s sentences call the acting creature and what it acts on.
    roles: ClassVar[tuple[str, str]]
    #: The breach of kb/ for obeying too few requirements.
    too_few: ClassVar[str]

    def __init__(
        self,
        scenario: Scenario,
        *,
        seconds: float | None = 10.0,
        explain: bool = False,
        explain_seconds: float = EXPLAIN_SECONDS,
        plain: bool = False,
    ) -> None:
        self.scenario = scenario
        self.explain = explain
        self.plain = plain
        self.board: Board = scenario.board
        self.seconds = seconds
        self._left_to_explain = explain_seconds
        self._positions: dict[tuple[str, _Taken], Position] = {}
        self._clashes: dict[tuple[str, _Taken], tuple[str, ...]] = {}
        self._plain_clashes: dict[tuple[str, _Taken], PlainClash] = {}
        self._pairs_of: dict[tuple[str, str], list[tuple[Any, Any]]] = {}
        self._near: dict[tuple[str, str, int, _Taken], tuple[Any, ...] | None] = {}
        self._most: dict[tuple[str, _Taken], int | None] = {}
        self.known: Knowledge = knowledge()
        self._programs = data_folder("asp")
        self.reading: Reading = read_board(self.board, self.known, file=scenario.file)
        self.release, self.file = scenario.release or self.known.release, scenario.file
        refuse_what_is_newer(self)
        self.board = self.as_declared()
        self.alike = alike_on(self.board, self.reading, self.known)
        self.problem: Problem = self._problem(self.alike)
        self.sentences = Sentences(self.problem, self.known, self.roles, self.release)
        self.not_understood = (*self.reading.not_understood(self.judges), *self._unread_of_costs(), *self._unread_hands())

    def as_declared(self) -> Board:
        """Return the board with what has been declared before having changed it."""
        return self.board

    @abstractmethod
    def players(self) -> Sequence[str]:
        """Return the players who declare, each judged alone."""

    @abstractmethod
    def facts_about(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the facts that are special to `player`'s declaration, as predicate and arguments."""

    @abstractmethod
    def proposed(self, world: int | str, player: str, proposal: Proposal) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the facts of the part of a proposal that is `player`'s."""

    @abstractmethod
    def declaration(self, pairs: Mapping[str, Sequence[str]]) -> Declaration:
        """Return a declaration in the form of a proposal, from the names of acting creatures and what each acts on."""

    def pool(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield what `player` can pay with, where the board says what the mana pool holds, and how kinds of mana count."""
        if "cost" in self.problem.groups:
            yield from self._asked_acts()
            yield from self._counted_for_costs()
        if not self._symbols:
            return
        yield from mana_facts(self._symbols)
        mana = self.board.players[player].mana
        if mana is None:
            return
        yield "pays", (f"p({self.problem.players[player]})",)
        yield from (("pool", (term_of(kind), amount)) for kind, amount in paid_amounts(mana).items())
        yield "pool", ("life", max(0, self.board.players[player].life))
        for name, number in self.problem.numbers.items():
            source = source_of(self.board.objects[name])
            for index, kinds in enumerate(source.mana if source else (), start=1):
                yield "adds", (number, index)
                yield from (("makes", (number, index, kind)) for kind in sorted(kinds))
            if source and source.taps:
                yield "taps_for_mana", (number,)
            if source and source.sacrificed:
                yield "consumed_for_mana", (number,)

    def _unread_of_costs(self) -> Iterator[str]:
        """Yield what is not understood of what somebody has to pay, and of texts that could let somebody pay more."""
        if "cost" in self.problem.groups:
            for player in self.players():
                if self.board.players[player].mana is not None:
                    yield from unread_sources(self.board, player)
                    yield from unread_together(self.symbols_of_costs)
            yield from self._unread_acts()

    @cached_property
    def acts(self) -> Mapping[str, Sequence[int]]:
        """The constraints that ask that something is done with permanents to pay, by what: `sacrifice`, `return` or `tap`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, constraint in enumerate(self.problem.constraints) if "cost" in self.problem.groups else ():
            if constraint is not None and self.known.kinds[constraint.kind].group == "cost" and costs_objects(constraint):
                found[(constraint.value or "").partition("_")[0]].append(number)
        return found

    def _asked_acts(self) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield what is to be done for which constraints, and all sets of constraints that ask for the same."""
        place = 0
        for act, numbers in self.acts.items():
            for number in numbers:
                yield "act", (number, act)
                constraint = self.problem.constraints[number]
                if constraint is not None and (constraint.value or "").endswith("_undeclared"):
                    yield "undeclared", (number,)
            # The last of them is the whole set.
            sizes = range(1, len(numbers) + 1) if len(numbers) <= _MOST_ACTS else ()
            for chosen in itertools.chain.from_iterable(itertools.combinations(numbers, size) for size in sizes):
                place += 1
                yield "act_set", (place, act)
                yield from (("in_act_set", (number, place)) for number in chosen)
            yield "whole_act_set", (place,)

    @property
    def _counts_hands(self) -> bool:
        """Whether something on the board depends on how many cards are in a hand."""
        return any(kind.endswith(_FOR_HAND) for kind in self.problem.kinds)

    @property
    def _in_hand(self) -> Mapping[str, int]:
        """How many cards there are in the hands of which the board tells any."""
        return Counter(thing.owner for thing in self.board.objects.values() if thing.zone == "hand")

    def _unread_hands(self) -> Iterator[str]:
        """Yield the hands that something depends on and that the board tells nothing of."""
        if not self._counts_hands:
            return
        speaking = [(holder, self.board.objects[holder.name].controller) for holder in self.reading.objects]
        speaking += [(holder, effect.controller) for holder, effect in zip(self.reading.effects, self.board.effects, strict=True)]
        for holder, player in speaking:
            if player not in self._in_hand and any(state.kind.endswith(_FOR_HAND) for state in holder.states):
                yield f"{holder.name}: how many cards {player} has in hand"

    def _counted_for_costs(self) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the counters on objects, and which of them something has to be paid for; and how many cards players have in hand."""
        if self._counts_hands:
            for player, cards in self._in_hand.items():
                yield "in_hand", (f"p({self.problem.players[player]})", cards)
        for cost, constraint in enumerate(self.problem.constraints):
            if constraint is None or not constraint.kind.endswith("_for_counters") or not isinstance(constraint.object, Filter):
                continue
            named = {test.value for tests in constraint.object.any_of for test in tests}
            for name, number in self.problem.numbers.items():
                for kind, amount in self.board.objects[name].counters.items():
                    yield "counters", (number, quoted(kind), amount)
                    if None in named or kind.casefold() in named:
                        yield "names_counter", (cost, quoted(kind))

    def offered(self, player: str) -> Iterator[tuple[str, str]]:
        """Yield what could be done with which permanents to pay for a declaration of `player`."""
        acts = {number: act for act, numbers in self.acts.items() for number in numbers}
        for atom in facts_of(self._ground(6, self._facts(player, ()))) if acts else ():
            if atom.name == "offered":
                yield acts[atom.arguments[0].number], self.problem.holders[atom.arguments[2].number]

    def _unread_acts(self) -> Iterator[str]:
        """Yield what is not worked out of permanents that pay: for very many different costs, or for mana in some of several ways."""
        if any(len(numbers) > _MOST_ACTS for numbers in self.acts.values()):
            yield f"which permanents pay for which of more than {_MOST_ACTS} different costs"
        for barred in {acts()[act].barred_by for act in self.acts} - {""}:
            texts = [*(thing.whole_text for thing in self.board.objects.values()), *(effect.text for effect in self.board.effects)]
            if any(barred in text.lower() for text in texts):
                yield f"what {barred}"
        for thing in self.board.objects.values() if self.acts else ():
            if thing.zone == "battlefield" and self.board.players[thing.controller].mana is not None:
                source = source_of(thing)
                if source is not None and source.sacrificed is None:
                    yield f"{thing.id}: whether it is sacrificed for mana"

    @cached_property
    def symbols_of_costs(self) -> frozenset[str]:
        """The symbols of all that has to be paid."""
        if "cost" not in self.problem.groups:
            return frozenset()
        constraints = (constraint for constraint in self.problem.constraints if constraint is not None)
        written = [one.value for one in constraints if one.value and self.known.kinds[one.kind].group == "cost"]
        return frozenset(symbol for one in written for symbol in mana_amounts(one))

    @cached_property
    def _symbols(self) -> frozenset[str]:
        """The symbols of all that has to be paid, and of all that is named as paid."""
        paid = {choice.pay for proposal in self.scenario.proposals for choice in proposal.attacks if choice.pay}
        paid |= {choice.pay for proposal in self.scenario.proposals for choice in proposal.blocks if choice.pay}
        return self.symbols_of_costs.union(*map(paid_amounts, paid)) if paid else self.symbols_of_costs

    # ------------------------------------------------------------ judging

    def judge(self, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the verdict on each proposal, by name."""
        start = time.perf_counter()
        if len(self.problem.conditions) > _MOST_OPEN:
            return {proposal.name: self._too_many() for proposal in proposals}
        parts: dict[str, list[ProposalVerdict]] = defaultdict(list)
        for player in self.players():
            choices = list(self._choices())
            answers = [self._case(player, proposals, taken) for taken in choices]
            for taken, case in zip(choices, answers, strict=True):
                self._most[player, taken] = case.best.value if case.best.proved else None
            explained = self.explain and "requirement" in self.problem.groups
            clash = self._clash_in(player, choices[0]) if explained and len(choices) == 1 and proposals else ()
            for proposal in proposals:
                ways = [self._verdict(proposal.name, case, clash) for case in answers]
                combined = self._combine(ways)
                if explained and len(ways) > 1:
                    found = self._clash_in(player, choices[_chosen(ways)])
                    combined = replace(combined, requirements=replace(combined.requirements, clash=found))
                parts[proposal.name].append(combined)
        seconds = (time.perf_counter() - start) / max(1, len(proposals))
        return {proposal.name: _together(parts[proposal.name], seconds) for proposal in proposals}

    def programs(self, *, whole: bool = False) -> list[str]:
        """Return the program, with its facts, that is run first for each player, with no open condition taken to be met.

        Args:
            whole: all of asp/ that judges, with all facts, in the place of what is left of it as nothing else could matter.
        """
        texts = []
        for player in self.players():
            facts = self._with_proposals(player, self.scenario.proposals, ())
            facts = _searching(facts) if "requirement" in self.problem.groups else facts
            texts.append(f'#include "{self._entry(0)}".\n{facts.text()}' if whole else self._text(0, facts))
        return texts

    def _too_many(self) -> ProposalVerdict:
        conditions = self.problem.conditions.values()
        return ProposalVerdict("undecided", not_understood=tuple(f"the board does not say whether {text}" for text in conditions))

    def _choices(self) -> Iterator[_Taken]:
        """Yield every way to take the open conditions: those taken to be met."""
        numbers = list(self.problem.conditions)
        for flags in itertools.product((False, True), repeat=len(numbers)):
            yield tuple(number for number, flag in zip(numbers, flags, strict=True) if flag)

    def _problem(self, alike: Alike | None = None) -> Problem:
        problem = build(self.board, self.reading, self.known, self.judges, alike)
        for name, arguments in facts_of_then(self.release, self.known, self.board, problem.numbers, problem.constraints):
            problem.facts.add(name, *arguments)
        return problem

    @cached_property
    def _all_facts(self) -> Facts:
        """The facts of the board about every object; what the integers in them mean is as in `problem`."""
        return self._problem().facts if self.alike.kinds else self.problem.facts

    def _facts(self, player: str, taken: Iterable[tuple[int, int]], board: Facts | None = None) -> Facts:
        facts = (board or self._all_facts).copy()
        facts.add_all(self.facts_about(player))
        for condition, holder in taken:
            facts.add("taken", condition, holder)
        return facts

    def _with_proposals(self, player: str, proposals: Sequence[Proposal], taken: _Taken) -> Facts:
        return self._propose(self._facts(player, taken), player, proposals)

    def _propose(self, facts: Facts, player: str, proposals: Sequence[Proposal]) -> Facts:
        for index, proposal in enumerate(proposals, start=1):
            facts.add("world", index)
            facts.add_all(self.proposed(index, player, proposal))
        return facts

    def _entry(self, entry: int) -> Path:
        return _entry_file(self._programs, self.entries[entry])

    def _program(self, entry: int, facts: Facts) -> Program:
        file = self._entry(entry)
        return specialise(file, facts.signatures_at(places_in(file)))

    def _text(self, entry: int, facts: Facts) -> str:
        program = self._program(entry, facts)
        return f"{program.text}\n{facts.text(program.takes)}"

    def _ground(self, entry: int, facts: Facts, *options: str) -> clingo.Control:
        program = self._program(entry, facts)
        return ground("", "--opt-heuristic=sign", *options, rules=program.rules, facts=program.taken(facts.relations()))

    def _best(self, facts: Facts, known: Bound | None = None) -> Best:
        """Judge the proposals among `facts`, and find a best declaration where anything is required; `known` may bound it."""
        if "requirement" not in self.problem.groups:
            judged = only_model(self._ground(0, facts))
            assert judged is not None, "nothing forbids that proposals are judged"
            return Best(*judged, proved=True)

        def bound() -> tuple[int, Callable[[], Model | None]]:
            limit = known or upper_bound(limits_from(self._limits(facts)))
            return limit.most, lambda: self._try(facts, limit.attempt)

        return maximise(self._ground(0, _searching(facts), *SEARCHING), seconds=self.seconds, bound=bound)

    def _limits(self, facts: Facts) -> dict[str, list[Any]]:
        found: defaultdict[str, list[Any]] = defaultdict(list)
        for atom in facts_of(self._ground(1, facts)):
            values = [value_of(argument) for argument in atom.arguments]
            found[atom.name].append(tuple(values) if len(values) > 1 else values[0])
        return found

    def _try(self, facts: Facts, pairs: Iterable[Pair]) -> Model | None:
        """Return the model in which the best declaration is that of `pairs`, or None if it disobeys something."""
        attempt = facts.copy()
        attempt.add("greatest", _BEST)
        propose(attempt, _BEST, list(pairs))
        model = only_model(self._ground(0, attempt))
        return None if model is None or any(name == "violated" and world == _BEST for name, (world, *_) in model[0]) else model

    def _case(self, player: str, proposals: Sequence[Proposal], taken: _Taken) -> _Case:
        case, bound = (None, None) if self.plain else self._case_without_search(player, proposals, taken)
        return case or self._case_by_search(player, proposals, taken, bound)

    def _case_without_search(self, player: str, proposals: Sequence[Proposal], taken: _Taken) -> tuple[_Case | None, Bound | None]:
        """Return the case where counting settles it, and what it says in any case of how many requirements can be obeyed."""
        position = self._position(player, taken)
        searching = "requirement" in self.problem.groups
        try:
            if self.explain and searching:
                self._expect_clash(position, player, taken)
                self._expect_nearest(position, player, proposals, taken)
            judged, most, best = position.judged(self._propose(Facts(), player, proposals), searching=searching)
            bound = position.bound if searching else None
        except NotEvaluatedError:
            return None, None
        if best is None:
            return None, bound
        worlds = {proposal.name: _world(judged[index]) for index, proposal in enumerate(proposals, start=1)}
        return _Case(worlds, Best((), most, proved=True), self._declaration_of(best.pairs), best.obeyed), bound

    def _case_by_search(self, player: str, proposals: Sequence[Proposal], taken: _Taken, bound: Bound | None) -> _Case:
        best = self._best(self._with_proposals(player, proposals, taken), bound)
        said: dict[str, defaultdict[Value, list[tuple[Value, ...]]]] = defaultdict(lambda: defaultdict(list))
        for name, (world, *rest) in best.atoms:
            said[name][world].append(tuple(rest))
        violated, obeyed = said.pop("violated", defaultdict(list)), said.pop("obeyed", defaultdict(list))
        worlds = {
            proposal.name: _World(tuple(sorted(violated[index], key=order)), frozenset(obeyed[index]))
            for index, proposal in enumerate(proposals, start=1)
        }
        pairs = [pair for declared in said.values() for pair in declared[_BEST]]
        return _Case(worlds, best, self._declaration_of(pairs), frozenset(obeyed[_BEST]))

    def _position(self, player: str, taken: _Taken) -> Position:
        found = self._positions.get((player, taken))
        if found is None:
            facts = self._facts(player, taken, self.problem.facts)
            kinds = [[self.problem.numbers[name] for name in kind] for kind in self.alike.kinds]
            helping = self._entry(8) if self.explain else None
            if helping is not None and not kinds:
                for proposal in self.scenario.proposals:
                    for pair in self._wanted(player, proposal):
                        facts.add("wanted", *pair)
            found = Position(self._entry(0), self._entry(1), facts, kinds, self.alike.spoken_for, helping=helping)
            self._positions[player, taken] = found
        return found

    def _declared(self, atoms: Iterable[clingo.Symbol]) -> Declaration:
        """Return the declaration that atoms `block(_,B,A)` or `attack(_,A,X)` state, in the order of the file."""
        return self._declaration_of((value_of(atom.arguments[1]), value_of(atom.arguments[2])) for atom in atoms)

    def _declaration_of(self, declared: Iterable[tuple[Value, ...]]) -> Declaration:
        """Return the declaration of pairs of what acts and what it acts on, in the order of the file."""
        pairs: defaultdict[int, list[Value]] = defaultdict(list)
        for actor, other in declared:
            pairs[actor].append(other)
        return self.declaration({self.problem.holders[actor]: self._named(pairs[actor]) for actor in sorted(pairs)})

    def _named(self, values: Iterable[Value]) -> list[str]:
        found = list(values)
        return [self.sentences.name(value) for value in (sorted(found, key=order) if len(found) > 1 else found)]

    def _verdict(self, name: str, case: _Case, clash: tuple[str, ...] = ()) -> ProposalVerdict:
        world = case.worlds[name]
        violations = [self.sentences.violation(*atom) for atom in world.violated]
        obeyed = len(world.obeyed)
        # A legal declaration may obey more than the best free one, if it pays.
        maximum = case.best.value if case.best.proved else None
        short = case.best.value > obeyed
        if short:
            missing = case.obeyed_by_best - world.obeyed
            violations.append(self.sentences.too_few(self.too_few, obeyed, case.best.value, missing, case.better))
        met = tuple(self.sentences.requirement(*each) for each in sorted(world.obeyed, key=order)) if self.explain else ()
        verdict: Judgement = "illegal" if violations else "legal" if maximum is not None else "undecided"
        return ProposalVerdict(
            verdict,
            violations=tuple(violations),
            requirements=Requirements(obeyed, maximum, case.better if short else None, clash, met),
            cites=self._cites(violations),
        )

    def _cites(self, violations: Iterable[Violation]) -> tuple[str, ...]:
        """Return the rules that decide: those disobeyed, and those of every constraint on the board."""
        applied = frozenset(self.problem.rules.values()).union([self.known.kinds[kind].by for kind in self.problem.kinds])
        return _cited(self.release, applied, frozenset([violation.rule for violation in violations]), self.known)

    def _combine(self, ways: list[ProposalVerdict]) -> ProposalVerdict:
        """Return the verdict that holds however the open conditions are taken, or that it is undecided."""
        if len(ways) == 1 and not self.not_understood:
            return ways[0]
        verdicts = {way.verdict for way in ways}
        chosen = ways[_chosen(ways)]
        conditions = tuple(self.problem.conditions.values())
        unclear = tuple(f"the board does not say whether {text}" for text in conditions) if len(verdicts) > 1 else ()
        assumed = tuple(f"it makes no difference whether {text}" for text in conditions) if len(verdicts) == 1 else ()
        verdict: Judgement = "undecided" if unclear or self.not_understood else chosen.verdict
        return ProposalVerdict(
            verdict,
            violations=chosen.violations,
            requirements=chosen.requirements,
            assumptions=assumed,
            not_understood=(*self.not_understood, *unclear),
            cites=chosen.cites,
        )

    # ------------------------------------------------------------ listing

    def declarations(self, limit: int | None = None) -> Iterator[Declaration]:
        """Yield every legal declaration, or the first `limit`; where several players declare, every combination.

        Raises:
            UndecidedError: if a sentence or condition that could matter is not understood, or the maximum is not found in time.
        """
        self._refuse_unclear()
        first, *others = (self._declarations_of(player, limit) for player in self.players())
        if not others:
            yield from first
            return
        rest = [list(each) for each in others]
        combined = (dict(itertools.chain(*(part.items() for part in parts))) for one in first for parts in itertools.product([one], *rest))
        yield from itertools.islice(combined, limit)

    def _declarations_of(self, player: str, limit: int | None) -> Iterator[Declaration]:
        counted = self._counted(player)
        if counted is not None:
            yield from itertools.islice(list_declarations(counted[0], counted[1].most_lost, self._part), limit)
            return
        for model in models(self._listing(player), limit=limit):
            yield self._declared(model.symbols(shown=True))

    def counts(self, *, by_listing: bool = False) -> dict[str, int]:
        """Return the number of legal declarations of each player who declares.

        Args:
            by_listing: whether the solver lists them all, as it does where they can't be counted otherwise.

        Raises:
            UndecidedError: as `declarations`, or if counting takes longer than the time allowed.
        """
        self._refuse_unclear()
        numbers = {}
        for player in self.players():
            counted = None if by_listing else self._counted(player)
            if counted is None:
                number, complete = count_models(self._listing(player), seconds=self.seconds)
                if not complete:
                    raise UndecidedError(f"there are more than {number:,} legal declarations; counting was stopped at the time limit")
            else:
                number = counted[1].number
            numbers[player] = number
        return numbers

    def form(self, player: str) -> Form | None:
        """Return what makes a declaration of `player` legal in numbers and sets, or None where something on the board is not in them."""
        return form_from(facts_of(self._ground(4, self._facts(player, ()))))

    def _counted(self, player: str) -> tuple[Form, Count] | None:
        """Count without listing. None where that would take too long, or where something on the board can't be counted so."""
        form = self.form(player)
        counted = None if form is None else count(form, seconds=None if self.seconds is None else self.seconds / 2)
        return None if form is None or counted is None else (form, counted)

    def _part(self, actor: clingo.Symbol, others: Iterable[clingo.Symbol]) -> dict[str, tuple[str, ...] | str | Mapping[str, int]]:
        """Return what a declaration says of one actor."""
        return dict(self.declaration({self.problem.holders[actor.number]: self._named(map(value_of, others))}))

    def _listing(self, player: str) -> clingo.Control:
        best = self._best(self._facts(player, ()))
        if not best.proved:
            raise UndecidedError("the greatest number of requirements was not found within the time limit")
        # Declarations are told apart, not the ways to pay for them.
        return self._ground(2, self._any_legal(player, best.value), *(("--project=show",) if self.acts else ()))

    def _any_legal(self, player: str, least: int, taken: _Taken = ()) -> Facts:
        """Return the facts that ask for any legal declaration, where `least` requirements have to be obeyed."""
        facts = self._facts(player, taken)
        facts.add("least", least)
        for predicate in ("world", "searched"):
            facts.add(predicate, "any")
        return facts

    # ------------------------------------------------------------ what helps

    @contextmanager
    def _explaining(self) -> Iterator[float]:
        """Give the seconds that are left for what helps, and take off what is used of them."""
        start = time.perf_counter()
        try:
            yield self._left_to_explain
        finally:
            self._left_to_explain -= time.perf_counter() - start

    @property
    def _pairs(self) -> float:
        """About how many pairs of what acts and what is acted on there are."""
        return len(self.board.objects) ** 2 / 4

    def _ground_in(self, entry: int, facts: Facts, seconds: float) -> clingo.Control | None:
        """Return a program ready to search, or None if already that would take longer than `seconds`."""
        return self._ground(entry, facts) if self._pairs * _SEARCHING_A_PAIR < seconds else None

    def _clash_in(self, player: str, taken: _Taken) -> tuple[str, ...]:
        """Return sentences on what cannot all hold, if not every requirement can be obeyed."""
        if (player, taken) not in self._clashes:
            with self._explaining() as seconds:
                self._clashes[player, taken] = self._clash(player, taken, seconds) if self._pairs * _COUNTING_A_PAIR < seconds else ()
        return self._clashes[player, taken]

    def _expect_clash(self, position: Position, player: str, taken: _Taken) -> None:
        """Look for a clash that shows at once, so that what shows it is judged along with the proposals."""
        if self._left_to_explain > 0:
            found = self._plain_clashes[player, taken] = PlainClash(position, self._entry(8))
            position.expect(found.witnesses)

    def _expect_nearest(self, position: Position, player: str, proposals: Sequence[Proposal], taken: _Taken) -> None:
        """Look for what shows at once to be nearest to what seems to be illegal, so that it is judged along with the proposals."""
        if self._left_to_explain <= 0 or taken or not position.helped:
            return
        limits, most = position.limits, position.bound.most
        for proposal in proposals:
            if gained_by(limits, self._wanted(player, proposal)) < most:
                found = self._near_at_once(position, player, proposal, most, taken)
                if found is not None:
                    position.expect([found])

    def _near_at_once(self, position: Position, player: str, proposal: Proposal, most: int, taken: _Taken) -> tuple[Any, ...] | None:
        key = player, proposal.name, most, taken
        if key not in self._near:
            self._near[key] = nearest_at_once(position.limits, self._wanted(player, proposal), most) if position.helped else None
        return self._near[key]

    def _clash(self, player: str, taken: _Taken, seconds: float) -> tuple[str, ...]:
        def search() -> clingo.Control | None:
            facts = self._facts(player, taken)
            facts.add("world", "clash")
            return self._ground_in(3, facts, seconds)

        with suppress(NotEvaluatedError):
            at_once = self._plain_clashes.get((player, taken))
            position, said = self._position(player, taken), self.problem.sentence_of
            found = find_clash(position, self._entry(6), search, seconds=seconds, plain=self.plain, at_once=at_once, said=said)
            return tuple(dict.fromkeys(map(self.sentences.part_of_clash, found)))
        return ()

    def with_nearest(self, proposal: Proposal, verdict: ProposalVerdict) -> ProposalVerdict:
        """Return the verdict with the legal declaration in which as few creatures as possible do something else than in `proposal`.

        Of those, one that as few pairs as possible tell from it. Costs are part of it only where the proposal already has the creature do
        what costs something, and what is to be paid is said; bands are left out. The verdict as it was for what is not illegal, where the
        greatest number of requirements is not known, where it would cost what this does not say, and where no declaration is proved to be
        nearest in the time for explanations. What the board leaves open does not matter to it.
        """
        if verdict.verdict != "illegal" or self.not_understood or (self.problem.conditions and "cost" in self.problem.groups):
            return verdict
        pairs: list[tuple[Any, Any]] = []
        pay: dict[str, str] = {}
        with suppress(NotEvaluatedError):
            for player in self.players():
                with self._explaining() as seconds:
                    found = self._nearest_whatever(player, proposal, seconds)
                if found is None:
                    return verdict
                if "cost" in self.problem.groups and any(any(self._asked(player, name, found)) for name in ("asks", "levies")):
                    return verdict
                pairs += found
                pay |= self._pay(player, found)
            return replace(verdict, nearest=self._declaration_of(pairs), nearest_pay=pay)
        return verdict

    def _pay(self, player: str, pairs: Collection[tuple[Any, Any]]) -> dict[str, str]:
        """Return what has to be paid for each creature of a declaration, as written."""
        if "cost" not in self.problem.groups:
            return {}
        amounts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for number, actor, times in self._asked(player, "charges", pairs):
            constraint = self.problem.constraints[number]
            assert constraint is not None
            amounts[actor].update({symbol: times * amount for symbol, amount in mana_amounts(constraint.value or "").items()})
        return {self.problem.holders[actor]: written_mana(amounts[actor]) for actor in sorted(amounts)}

    def _paying(self, player: str) -> Paying:
        """Return what `player` may declare where costs are paid."""
        facts = self._facts(player, (), self.problem.facts)
        facts.add("paying")
        kinds = [[self.problem.numbers[name] for name in kind] for kind in self.alike.kinds]

        def told(pairs: Collection[tuple[Any, Any]]) -> Judged:
            declared = Facts()
            propose(declared, 1, pairs)
            for name, pay in self._pay(player, pairs).items():
                for kind, amount in paid_amounts(pay).items():
                    declared.add("paid", 1, self.problem.numbers[name], term_of(kind), amount)
            return self._position(player, ()).judged(declared, searching=False)[0][1]

        return Paying(Position(self._entry(0), self._entry(7), facts, kinds, self.alike.spoken_for), told)

    def _asked(self, player: str, name: str, pairs: Collection[tuple[Any, Any]]) -> Iterator[tuple[int, int, int]]:
        """Yield the costs, `charges`, `asks` or `levies`, of a declaration: the constraint, the creature, and how often or how much."""
        for number, _, _, actor, *at, times in self._position(player, ()).stated(self._entry(6)).get(name, ()):
            # A cost to attack is about a pair, one to block about the creature.
            if any(pair[0] == actor and (not at or pair[1] == at[0]) for pair in pairs):
                yield number, actor, times

    def _wanted(self, player: str, proposal: Proposal) -> list[tuple[Any, Any]]:
        """Return the pairs of the part of a proposal that is `player`'s."""
        found = self._pairs_of.get((player, proposal.name))
        if found is None:
            facts = self.proposed("any", player, proposal)
            found = self._pairs_of[player, proposal.name] = [arguments[1:] for name, arguments in facts if name == "proposed"]  # type: ignore[misc]
        return found

    def _nearest_whatever(self, player: str, proposal: Proposal, seconds: float) -> Sequence[tuple[Any, Any]] | None:
        """Return what is legal however open conditions are taken and nearest: in one of these ways nothing legal is nearer."""
        deadline = time.monotonic() + seconds
        found: list[Sequence[tuple[Any, Any]]] = []
        for taken in self._choices():
            most, left = self._most.get((player, taken)), deadline - time.monotonic()
            near = self._nearest(player, proposal, most, left, taken) if most is not None and left > 0 else None
            if near is None:
                return None
            found.append(near)
        if len(found) == 1:
            return found[0]
        wanted = self._wanted(player, proposal)
        furthest = max(apart(near, wanted) for near in found)
        return next((near for near in found if apart(near, wanted) == furthest and self._is_legal(player, near)), None)

    def _is_legal(self, player: str, pairs: Collection[tuple[Any, Any]]) -> bool:
        """Tell whether a declaration for which nothing is paid is legal however open conditions are taken."""
        for taken in self._choices():
            try:
                position, most = self._position(player, taken), self._most[player, taken]
                (told,) = position.told([pairs])
            except NotEvaluatedError:
                return False
            if told.violated or most is None or len(told.obeyed) < most or not position.is_free(pairs):
                return False
        return True

    def _nearest(self, player: str, proposal: Proposal, most: int, seconds: float, taken: _Taken) -> Sequence[tuple[Any, Any]] | None:
        wanted = self._wanted(player, proposal)
        deadline = time.monotonic() + seconds
        # What has to be got ready first pays off where several boards are judged, or where a search alone does not end.
        for counting in (False, True) if self.plain else (True, False):
            left = deadline - time.monotonic()
            if counting and self._pairs * _COUNTING_A_PAIR < left:
                with suppress(NotEvaluatedError):
                    position = self._position(player, taken)
                    at_once = partial(self._near_at_once, position, player, proposal, most, taken)
                    paying = partial(self._paying, player) if "cost" in self.problem.groups else None
                    found = find_nearest(position, self._entry(7), wanted, most, seconds=left, at_once=at_once, paying=paying)
                    if found is not None:
                        return found
            elif not counting:
                facts = self._any_legal(player, most, taken)
                for pair in wanted:
                    facts.add("wanted", *pair)
                control = self._ground_in(5, facts, left)
                atoms = None if control is None else minimum(control, seconds=min(left, _FIRST_SECONDS) if self.plain else left)
                if atoms is not None:
                    return [(value_of(atom.arguments[1]), value_of(atom.arguments[2])) for atom in atoms]
        return None

    def _refuse_unclear(self) -> None:
        if self.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.not_understood)}")
        if self.problem.conditions:
            raise UndecidedError(f"the board does not say whether {', nor whether '.join(self.problem.conditions.values())}")


@lru_cache(maxsize=64)
def _entry_file(folder: Path, name: str) -> Path:
    return folder / "entry" / f"{name}.lp"


@lru_cache(maxsize=1024)
def _cited(release: str, applied: frozenset[str], disobeyed: frozenset[str], known: Knowledge) -> tuple[str, ...]:
    """Return the rules applied, as `release` numbers them, and those disobeyed, as in the rulebook."""
    return tuple(sorted(disobeyed.union(cited_in(release, applied, known)), key=sort_key))


def _chosen(ways: Sequence[ProposalVerdict]) -> int:
    """Return the place of the verdict that is told of several, by how open conditions are taken."""
    return next((place for place, way in enumerate(ways) if way.verdict == "illegal"), 0)


def _world(judged: Judged) -> _World:
    return _World(tuple(sorted(judged.violated, key=order) if len(judged.violated) > 1 else judged.violated), judged.obeyed)


def _searching(facts: Facts) -> Facts:
    """Return the facts with those that ask for a best declaration."""
    search = facts.copy()
    for predicate in ("world", "sought", "free", "greatest"):
        search.add(predicate, _BEST)
    return search


def _together(parts: list[ProposalVerdict], seconds: float) -> ProposalVerdict:
    """Put the verdicts on the parts of several players together: all have to be legal (802.4b)."""
    if len(parts) == 1 and not (parts[0].assumptions or parts[0].not_understood):
        (part,) = parts
        return ProposalVerdict(part.verdict, part.violations, part.requirements, cites=part.cites, seconds=seconds)
    verdicts = [part.verdict for part in parts]
    verdict: Judgement = "undecided" if "undecided" in verdicts else "illegal" if "illegal" in verdicts else "legal"
    maxima = [part.requirements.maximum for part in parts]
    better = {actor: others for part in parts for actor, others in (part.requirements.better or {}).items()}
    return ProposalVerdict(
        verdict,
        violations=tuple(violation for part in parts for violation in part.violations),
        requirements=Requirements(
            obeyed=sum(part.requirements.obeyed for part in parts),
            maximum=None if None in maxima else sum(maximum for maximum in maxima if maximum is not None),
            better=better if any(part.requirements.better is not None for part in parts) else None,
            clash=tuple(dict.fromkeys(text for part in parts for text in part.requirements.clash)),
            met=tuple(text for part in parts for text in part.requirements.met),
        ),
        assumptions=tuple(dict.fromkeys(text for part in parts for text in part.assumptions)),
        not_understood=tuple(dict.fromkeys(text for part in parts for text in part.not_understood)),
        cites=tuple(sorted({rule for part in parts for rule in part.cites}, key=sort_key)),
        seconds=seconds,
    )
