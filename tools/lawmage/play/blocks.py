"""Declaring blockers (509.1): judging proposals, listing and counting legal declarations.

Each defending player's declaration is judged on its own (802.4b). What is legal is decided by asp/509-declare-blockers.lp alone.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import clingo

from lawmage.board import BlockChoice, Board, Proposal, Scenario
from lawmage.errors import LawmageError
from lawmage.play.bound import Limits, upper_bound
from lawmage.play.facts import Facts, Problem, build
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.mana import mana_amounts
from lawmage.play.program import specialise
from lawmage.play.reading import Reading, read_board
from lawmage.play.solver import Best, Model, count_models, facts_of, ground, maximise, models, only_model
from lawmage.play.verdict import Declaration, Judgement, ProposalVerdict, Requirements, Violation
from lawmage.play.words import Sentences
from lawmage.resources import data_folder
from lawmage.rulebook.model import sort_key

__all__ = ["Blocks", "UndecidedError"]

#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 8


class UndecidedError(LawmageError):
    """A question that has no honest answer: something is not understood, or the time is over."""


@dataclass(frozen=True, slots=True)
class _World:
    """What asp/ says of one proposal of one defending player, or of a best declaration."""

    violated: tuple[tuple[clingo.Symbol, ...], ...]
    obeyed: frozenset[tuple[clingo.Symbol, ...]]


@dataclass(frozen=True, slots=True)
class _Case:
    """One defending player's problem, with the open conditions taken one way."""

    worlds: dict[str, _World]
    best: Best
    better: Declaration
    obeyed_by_best: frozenset[tuple[clingo.Symbol, ...]]


class Blocks:
    """The declare blockers step of one scenario.

    Args:
        scenario: the board and the proposals.
        seconds: the time allowed for each search, None for as long as it takes.

    Raises:
        InputError: for words that cannot be read (see `lawmage.play.reading`).
    """

    def __init__(self, scenario: Scenario, *, seconds: float | None = 10.0) -> None:
        self.scenario = scenario
        self.board: Board = scenario.board
        self.seconds = seconds
        self.known: Knowledge = knowledge()
        self.reading: Reading = read_board(self.board, self.known, file=scenario.file)
        self.problem: Problem = build(self.board, self.reading, self.known, "block")
        self.sentences = Sentences(self.problem, self.known)
        self.defenders = _defending_players(self.board)
        self.not_understood = tuple(f"{unread.holder}: {unread.sentence}" for unread in self.reading.unread)

    # ------------------------------------------------------------ judging

    def judge(self, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the verdict on each proposal, by name."""
        start = time.perf_counter()
        if len(self.problem.conditions) > _MOST_OPEN:
            return {proposal.name: self._too_many() for proposal in proposals}
        parts: dict[str, list[ProposalVerdict]] = defaultdict(list)
        for defender in self.defenders:
            answers = [self._case(self._best(self._with_proposals(defender, proposals, taken)), proposals) for taken in self._choices()]
            for proposal in proposals:
                parts[proposal.name].append(self._combine([self._verdict(proposal.name, case) for case in answers]))
        seconds = (time.perf_counter() - start) / max(1, len(proposals))
        return {proposal.name: self._together(parts[proposal.name], seconds) for proposal in proposals}

    def _too_many(self) -> ProposalVerdict:
        conditions = self.problem.conditions.values()
        return ProposalVerdict("undecided", not_understood=tuple(f"the board does not say whether {text}" for text in conditions))

    def _choices(self) -> Iterator[tuple[int, ...]]:
        """Yield every way to take the open conditions: the numbers of those taken to be met."""
        numbers = list(self.problem.conditions)
        for flags in itertools.product((False, True), repeat=len(numbers)):
            yield tuple(number for number, flag in zip(numbers, flags, strict=True) if flag)

    def programs(self) -> list[str]:
        """Return the program, with its facts, that is run first for each defending player, with no open condition taken to be met."""
        texts = []
        for defender in self.defenders:
            facts = self._with_proposals(defender, self.scenario.proposals, ())
            texts.append(_text("declare-blockers", _searching(facts) if "requirement" in self.problem.groups else facts))
        return texts

    def _with_proposals(self, defender: str, proposals: Sequence[Proposal], taken: tuple[int, ...]) -> Facts:
        facts = self._facts(defender, taken)
        for index, proposal in enumerate(proposals, start=1):
            facts.add("world", index)
            self._propose(facts, index, self._blocks_of(defender, proposal))
        return facts

    def _facts(self, defender: str, taken: Iterable[int]) -> Facts:
        facts = self.problem.facts.copy()
        facts.add("defender", f"p({self.problem.players[defender]})")
        for number in taken:
            facts.add("taken", number)
        return facts

    def _propose(self, facts: Facts, world: int, choices: Iterable[BlockChoice]) -> None:
        numbers = self.problem.numbers
        for choice in choices:
            for attacker in choice.attackers:
                if attacker in numbers:
                    facts.add("proposed", world, numbers[choice.blocker], numbers[attacker])
            for kind, amount in mana_amounts(choice.pay or "").items():
                facts.add("paid", world, numbers[choice.blocker], kind, amount)

    def _best(self, facts: Facts) -> Best:
        """Judge the proposals among `facts`, and find a best declaration where anything is required."""
        if "requirement" not in self.problem.groups:
            return Best(facts_of(_ground("declare-blockers", facts)), 0, proved=True)

        def bound() -> tuple[int, Model | None]:
            limit = upper_bound(_limits(facts_of(_ground("declare-blockers-bound", facts))))
            attempt = facts.copy()
            for predicate in ("world", "greatest"):
                attempt.add(predicate, "best")
            for blocker, attacker in limit.attempt:
                attempt.add("proposed", "best", blocker, attacker)
            model = only_model(_ground("declare-blockers", attempt))
            fine = model is not None and not any(atom.name == "violated" and _is_best(atom) for atom in model[0])
            return limit.most, model if fine else None

        return maximise(_ground("declare-blockers", _searching(facts)), seconds=self.seconds, bound=bound)

    def _blocks_of(self, defender: str, proposal: Proposal) -> list[BlockChoice]:
        """Return the part of a proposal that `defender` declares; blockers that nobody could declare go to the first defender."""
        mine = []
        for choice in proposal.blocks:
            controller = self.board.objects[choice.blocker].controller
            owner = controller if controller in self.defenders else self.defenders[0]
            if owner == defender and choice.blocker in self.problem.numbers:
                mine.append(choice)
        return mine

    def _case(self, best: Best, proposals: Sequence[Proposal]) -> _Case:
        violated: defaultdict[int, list[tuple[clingo.Symbol, ...]]] = defaultdict(list)
        obeyed: defaultdict[int, set[tuple[clingo.Symbol, ...]]] = defaultdict(set)
        by_best: set[tuple[clingo.Symbol, ...]] = set()
        better: defaultdict[str, list[str]] = defaultdict(list)
        for atom in best.atoms:
            arguments = atom.arguments
            if atom.name == "block":
                if not _is_best(atom):
                    continue
                better[self.problem.holders[arguments[1].number]].append(self.problem.holders[arguments[2].number])
            elif _is_best(atom):
                by_best.add(tuple(arguments[1:]))
            elif atom.name == "violated":
                violated[arguments[0].number].append(tuple(arguments[1:]))
            else:
                obeyed[arguments[0].number].add(tuple(arguments[1:]))
        worlds = {
            proposal.name: _World(tuple(sorted(violated[index])), frozenset(obeyed[index]))
            for index, proposal in enumerate(proposals, start=1)
        }
        order = list(self.problem.numbers)
        return _Case(
            worlds=worlds,
            best=best,
            better={blocker: tuple(sorted(better[blocker], key=order.index)) for blocker in sorted(better, key=order.index)},
            obeyed_by_best=frozenset(by_best),
        )

    def _verdict(self, name: str, case: _Case) -> ProposalVerdict:
        world = case.worlds[name]
        violations = [self.sentences.violation(*atom) for atom in world.violated]
        obeyed = len(world.obeyed)
        # A legal declaration may obey more than the best free one, if it pays.
        maximum = case.best.value if case.best.proved else None
        short = case.best.value > obeyed
        if short:
            violations.append(self.sentences.too_few(obeyed, case.best.value, case.obeyed_by_best - world.obeyed, case.better))
        verdict: Judgement = "illegal" if violations else "legal" if maximum is not None else "undecided"
        return ProposalVerdict(
            verdict,
            violations=tuple(violations),
            requirements=Requirements(obeyed, maximum, case.better if short else None),
            cites=self._cites(violations),
        )

    def _cites(self, violations: Iterable[Violation]) -> tuple[str, ...]:
        """Return the rules that decide: those disobeyed, and those of every constraint on the board."""
        cited = {violation.rule for violation in violations}
        for number, rule in self.problem.rules.items():
            constraint = self.problem.constraints[number]
            assert constraint is not None
            cited |= {rule, self.known.kinds[constraint.kind].by}
        return tuple(sorted(cited, key=sort_key))

    def _combine(self, ways: list[ProposalVerdict]) -> ProposalVerdict:
        """Return the verdict that holds however the open conditions are taken, or that it is undecided."""
        verdicts = {way.verdict for way in ways}
        chosen = next((way for way in ways if way.verdict == "illegal"), ways[0])
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

    def _together(self, parts: list[ProposalVerdict], seconds: float) -> ProposalVerdict:
        """Put the verdicts on the parts of several defending players together: all have to be legal (802.4b)."""
        verdicts = [part.verdict for part in parts]
        verdict: Judgement = "undecided" if "undecided" in verdicts else "illegal" if "illegal" in verdicts else "legal"
        maxima = [part.requirements.maximum for part in parts]
        better = {blocker: attackers for part in parts for blocker, attackers in (part.requirements.better or {}).items()}
        return ProposalVerdict(
            verdict,
            violations=tuple(violation for part in parts for violation in part.violations),
            requirements=Requirements(
                obeyed=sum(part.requirements.obeyed for part in parts),
                maximum=None if None in maxima else sum(maximum for maximum in maxima if maximum is not None),
                better=better if any(part.requirements.better is not None for part in parts) else None,
            ),
            assumptions=tuple(dict.fromkeys(text for part in parts for text in part.assumptions)),
            not_understood=tuple(dict.fromkeys(text for part in parts for text in part.not_understood)),
            cites=tuple(sorted({rule for part in parts for rule in part.cites}, key=sort_key)),
            seconds=seconds,
        )

    # ------------------------------------------------------------ listing

    def declarations(self, limit: int | None = None) -> Iterator[Declaration]:
        """Yield every legal declaration, or the first `limit`; with several defending players, every combination.

        Raises:
            UndecidedError: if a sentence or condition that could matter is not understood, or the maximum is not found in time.
        """
        self._refuse_unclear()
        first, *others = (self._declarations_of(defender, limit) for defender in self.defenders)
        rest = [list(each) for each in others]
        combined = (dict(itertools.chain(*(part.items() for part in parts))) for one in first for parts in itertools.product([one], *rest))
        yield from itertools.islice(combined, limit)

    def _declarations_of(self, defender: str, limit: int | None) -> Iterator[Declaration]:
        holders, order = self.problem.holders, list(self.problem.numbers)
        for model in models(self._listing(defender), limit=limit):
            blocks: defaultdict[str, list[str]] = defaultdict(list)
            for atom in model.symbols(shown=True):
                blocks[holders[atom.arguments[1].number]].append(holders[atom.arguments[2].number])
            yield {blocker: tuple(sorted(blocks[blocker], key=order.index)) for blocker in sorted(blocks, key=order.index)}

    def count(self) -> int:
        """Return the number of legal declarations.

        Raises:
            UndecidedError: as `declarations`, or if counting takes longer than the time allowed.
        """
        self._refuse_unclear()
        product = 1
        for defender in self.defenders:
            number, complete = count_models(self._listing(defender), seconds=self.seconds)
            if not complete:
                raise UndecidedError(f"there are more than {number:,} legal declarations; counting was stopped at the time limit")
            product *= number
        return product

    def _listing(self, defender: str) -> clingo.Control:
        facts = self._facts(defender, ())
        best = self._best(facts)
        if not best.proved:
            raise UndecidedError("the greatest number of requirements was not found within the time limit")
        facts.add("least", best.value)
        for predicate in ("world", "searched"):
            facts.add(predicate, "any")
        return _ground("list-blocks", facts)

    def _refuse_unclear(self) -> None:
        if self.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.not_understood)}")
        if self.problem.conditions:
            raise UndecidedError(f"the board does not say whether {', nor whether '.join(self.problem.conditions.values())}")


def _is_best(atom: clingo.Symbol) -> bool:
    """Tell whether an atom is about the best declaration rather than about a proposal, which has a number."""
    return atom.arguments[0].type is not clingo.SymbolType.Number


def _searching(facts: Facts) -> Facts:
    """Return the facts with those that ask for a best declaration."""
    search = facts.copy()
    for predicate in ("world", "searched", "free", "greatest"):
        search.add(predicate, "best")
    return search


def _text(entry: str, facts: Facts) -> str:
    program = specialise(data_folder("asp") / "entry" / f"{entry}.lp", frozenset(facts.signatures))
    return f"{program.text}\n{facts.text(program.takes)}"


def _ground(entry: str, facts: Facts) -> clingo.Control:
    return ground(_text(entry, facts), "--opt-heuristic=sign")


def _defending_players(board: Board) -> list[str]:
    """Return the players who declare blockers, in the order of the file: those attacked, or all opponents if nobody is."""
    opponents = [name for name in board.players if name != board.active]
    attacked: set[str] = set()
    for attack in board.attacks or ():
        if attack.target in board.objects:
            target = board.objects[attack.target]
            attacked |= {target.protector or target.controller}
        else:
            attacked.add(attack.target)
    return [name for name in opponents if name in attacked] or opponents[:1]


def _limits(atoms: Iterable[clingo.Symbol]) -> Limits:
    edges: set[tuple[int, int]] = set()
    slots: dict[int, int] = {}
    seats: dict[int, int] = {}
    threshold: dict[int, int] = {}
    totals: list[int] = []
    pair: dict[tuple[int, int], int] = {}
    blocker: dict[int, int] = {}
    attacker: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for atom in atoms:
        match atom.name, [argument.number for argument in atom.arguments]:
            case "edge", [b, a]:
                edges.add((b, a))
            case "slots", [b, n]:
                slots[b] = n
            case "seats", [a, n]:
                seats[a] = n
            case "threshold", [a, n]:
                threshold[a] = n
            case "total", [n]:
                totals.append(n)
            case "gain_pair", [b, a, n]:
                pair[b, a] = n
            case "gain_blocker", [b, n]:
                blocker[b] = n
            case "gain_attacker", [a, k, n]:
                attacker[a][k] = n
    return Limits(frozenset(edges), slots, seats, threshold, min(totals, default=None), pair, blocker, dict(attacker))
