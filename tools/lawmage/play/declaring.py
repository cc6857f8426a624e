"""What declaring attackers (508.1) and declaring blockers (509.1) have in common: the board, its facts, and the programs that get them.

A declaration pairs a creature that acts with what it acts on. What is judged and listed is in `lawmage.play.declarations`, what helps
after a verdict in `lawmage.play.helping`.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, TypeAlias

import clingo

from lawmage.board import Board, Proposal, Scenario
from lawmage.play.alike import Alike, alike_on
from lawmage.play.dated import facts_of_then, refuse_what_is_newer
from lawmage.play.declaration_costs import DeclarationCosts
from lawmage.play.facts import Facts, Problem, build
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.program import Program, places_in, specialise
from lawmage.play.quick import Pair, Position
from lawmage.play.reading import Reading, read_board
from lawmage.play.solver import facts_of, ground
from lawmage.play.stratified import Value, order, value_of
from lawmage.play.verdict import Declaration
from lawmage.play.words import Sentences
from lawmage.resources import data_folder

__all__ = ["Declaring", "Taken"]

#: Open conditions that are taken to be met: the integer of each, and that of the object or effect that has it.
Taken: TypeAlias = tuple[tuple[int, int], ...]


class Declaring(ABC):
    """One step of a scenario in which players declare something.

    Args:
        scenario: the board and the proposals.
        seconds: the time allowed for each search, None for as long as it takes.
        explain: whether verdicts also tell why not every requirement can be obeyed.
        plain: whether a search comes before what has to be got ready first.

    Raises:
        InputError: for words that cannot be read (see `lawmage.play.reading`), and for what the release does not have.
    """

    #: The judgement, as in a scenario's `judge`.
    judges: ClassVar[str]
    #: The entry programs in asp/entry/: to judge, bound, list, find a clash, state the numbers to count from, find what is nearest, and
    #: state the numbers from which a clash, and what is nearest, are counted, what is evaluated in the place of the second to explain, and
    #: what states how much is taken of what there is to pay with.
    entries: ClassVar[tuple[str, ...]]
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
        plain: bool = False,
    ) -> None:
        self.scenario = scenario
        self.explain = explain
        self.plain = plain
        self.board: Board = scenario.board
        self.seconds = seconds
        self._positions: dict[tuple[str, Taken], Position] = {}
        self.known: Knowledge = knowledge()
        self._programs = data_folder("asp")
        self.reading: Reading = read_board(self.board, self.known, file=scenario.file)
        self.release, self.file = scenario.release or self.known.release, scenario.file
        refuse_what_is_newer(self)
        self.board = self.as_declared()
        self.alike = alike_on(self.board, self.reading, self.known)
        self.problem: Problem = self._problem(self.alike)
        self.costs = DeclarationCosts(scenario, self.board, self.reading, self.known, self.problem)
        self.sentences = Sentences(self.problem, self.known, self.roles, self.release)
        self.not_understood = (*self.reading.not_understood(self.judges), *self.costs.unread(self.players))

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
    def proposed(self, player: str, proposal: Proposal) -> list[Pair]:
        """Return the pairs of what acts and what it acts on in the part of a proposal that is `player`'s."""

    @abstractmethod
    def proposed_beside(self, world: int | str, player: str, proposal: Proposal) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the facts of what else belongs to that part."""

    @abstractmethod
    def declaration(self, pairs: Mapping[str, Sequence[str]]) -> Declaration:
        """Return a declaration in the form of a proposal, from the names of acting creatures and what each acts on."""

    def offered(self, player: str) -> Iterator[tuple[str, str]]:
        """Yield what could be done with which permanents to pay for a declaration of `player`."""
        acts = {number: act for act, numbers in self.costs.acts.items() for number in numbers}
        for atom in facts_of(self._ground(6, self._facts(player, ()))) if acts else ():
            if atom.name == "offered":
                yield acts[atom.arguments[0].number], self.problem.holders[atom.arguments[2].number]

    def _choices(self) -> Iterator[Taken]:
        """Yield every way to take the open conditions: those taken to be met."""
        if not self.problem.conditions:
            yield ()
            return
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

    def _any_legal(self, player: str, least: int, taken: Taken = ()) -> Facts:
        """Return the facts that ask for any legal declaration, where `least` requirements have to be obeyed."""
        facts = self._facts(player, taken)
        facts.add("least", least)
        for predicate in ("world", "searched"):
            facts.add(predicate, "any")
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

    def _position(self, player: str, taken: Taken) -> Position:
        found = self._positions.get((player, taken))
        if found is None:
            facts = self._facts(player, taken, self.problem.facts)
            kinds = [[self.problem.numbers[name] for name in kind] for kind in self.alike.kinds]
            helping = self._entry(8) if self.explain else None
            if helping is not None and not kinds:
                for proposal in self.scenario.proposals:
                    for pair in self.proposed(player, proposal):
                        facts.add("wanted", *pair)
            found = Position(self._entry(0), self._entry(1), facts, kinds, self.alike.spoken_for, helping=helping)
            self._positions[player, taken] = found
        return found

    def _declared(self, atoms: Iterable[clingo.Symbol]) -> Declaration:
        """Return the declaration that atoms `block(_,B,A)` or `attack(_,A,X)` state, in the order of the file."""
        return self._declaration_of((value_of(atom.arguments[1]), value_of(atom.arguments[2])) for atom in atoms)

    def _declaration_of(self, declared: Iterable[tuple[Value, ...]]) -> Declaration:
        """Return the declaration of pairs of what acts and what it acts on, in the order of the file."""
        pairs: dict[int, list[Value]] = {}
        for actor, other in declared:
            pairs.setdefault(actor, []).append(other)
        holders = self.problem.holders
        return self.declaration({holders[actor]: self._named(others) for actor, others in sorted(pairs.items())})

    def _named(self, values: Iterable[Value]) -> list[str]:
        found = list(values)
        return [self.sentences.name(value) for value in (sorted(found, key=order) if len(found) > 1 else found)]


@lru_cache(maxsize=64)
def _entry_file(folder: Path, name: str) -> Path:
    return folder / "entry" / f"{name}.lp"
