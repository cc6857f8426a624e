"""Declaring blockers (509.1): judging proposals, listing and counting legal declarations.

Each defending player's declaration is judged on its own (802.4b). What is legal is decided by asp/509-declare-blockers.lp alone.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import clingo

from lawmage.board import BlockChoice, Board, Proposal, Scenario
from lawmage.errors import LawmageError
from lawmage.play.bound import Limits, upper_bound
from lawmage.play.facts import Problem, build
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.mana import mana_amounts
from lawmage.play.program import Signature, signatures, specialise
from lawmage.play.reading import Reading, read_board
from lawmage.play.solver import Best, facts_of, ground, maximise, models
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
    in_force: frozenset[int]


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
            answers = [self._cases(defender, proposals, taken) for taken in self._choices()]
            for proposal in proposals:
                parts[proposal.name].append(self._combine([self._verdict(proposal.name, case) for case in answers]))
        seconds = (time.perf_counter() - start) / max(1, len(proposals))
        return {proposal.name: self._together(parts[proposal.name], seconds) for proposal in proposals}

    def _too_many(self) -> ProposalVerdict:
        return ProposalVerdict("undecided", not_understood=tuple(self.problem.conditions.values()))

    def _choices(self) -> Iterator[tuple[int, ...]]:
        """Yield every way to take the open conditions: the numbers of those taken to be met."""
        numbers = list(self.problem.conditions)
        for flags in itertools.product((False, True), repeat=len(numbers)):
            yield tuple(number for number, flag in zip(numbers, flags, strict=True) if flag)

    def _cases(self, defender: str, proposals: Sequence[Proposal], taken: tuple[int, ...]) -> _Case:
        facts, keys = self._facts(defender, taken)
        for index, proposal in enumerate(proposals, start=1):
            facts += f"proposal({index}).\n"
            keys.update(signatures("proposal", (index,)))
            for atom, arguments in self._proposed(index, self._blocks_of(defender, proposal)):
                facts += f"{atom}({','.join(map(str, arguments))}).\n"
                keys.update(signatures(atom, arguments))
        search = "requirement" in self.problem.groups
        if search:
            facts += "search.\n"
            keys.add(("search", 0))
        control = self._ground("declare-blockers", facts, keys)
        if search:
            best = maximise(control, seconds=self.seconds, bound=lambda: self._bound(defender, taken))
        else:
            best = Best(facts_of(control), 0, proved=True)
        return self._case(best, proposals)

    def _facts(self, defender: str, taken: Iterable[int]) -> tuple[str, set[Signature]]:
        facts = self.problem.facts + f"defender(p({self.problem.players[defender]})).\n"
        keys = set(self.problem.signatures) | {("defender", 1)}
        for number in taken:
            facts += f"taken({number}).\n"
            keys.add(("taken", 1))
        return facts, keys

    @staticmethod
    def _ground(entry: str, facts: str, keys: set[Signature]) -> clingo.Control:
        return ground(specialise(_entry(entry), frozenset(keys)) + "\n" + facts, "--opt-heuristic=sign")

    def _bound(self, defender: str, taken: tuple[int, ...]) -> int:
        facts, keys = self._facts(defender, taken)
        return upper_bound(_limits(facts_of(self._ground("declare-blockers-bound", facts, keys))))

    def _blocks_of(self, defender: str, proposal: Proposal) -> list[BlockChoice]:
        """Return the part of a proposal that `defender` declares; blockers that nobody could declare go to the first defender."""
        mine = []
        for choice in proposal.blocks:
            controller = self.board.objects[choice.blocker].controller
            owner = controller if controller in self.defenders else self.defenders[0]
            if owner == defender and choice.blocker in self.problem.numbers:
                mine.append(choice)
        return mine

    def _proposed(self, index: int, choices: list[BlockChoice]) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        numbers = self.problem.numbers
        for choice in choices:
            for attacker in choice.attackers:
                if attacker in numbers:
                    yield "proposed", (index, numbers[choice.blocker], numbers[attacker])
            for kind, amount in mana_amounts(choice.pay or "").items():
                yield "paid", (index, numbers[choice.blocker], kind, amount)

    def _case(self, best: Best, proposals: Sequence[Proposal]) -> _Case:
        violated: defaultdict[int, list[tuple[clingo.Symbol, ...]]] = defaultdict(list)
        obeyed: defaultdict[int, set[tuple[clingo.Symbol, ...]]] = defaultdict(set)
        by_best: set[tuple[clingo.Symbol, ...]] = set()
        better: defaultdict[str, list[str]] = defaultdict(list)
        in_force: set[int] = set()
        for atom in best.atoms:
            arguments = atom.arguments
            if atom.name == "block":
                better[self.problem.holders[arguments[1].number]].append(self.problem.holders[arguments[2].number])
            elif atom.name == "applied":
                in_force.add(arguments[0].number)
            elif arguments[0].type is not clingo.SymbolType.Number:
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
            in_force=frozenset(in_force),
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
            cites=self._cites(case, violations),
        )

    def _cites(self, case: _Case, violations: list[Violation]) -> tuple[str, ...]:
        cited = {violation.rule for violation in violations}
        for number in case.in_force:
            constraint = self.problem.constraints[number]
            if constraint is not None:
                kind = self.known.kinds[constraint.kind]
                cited |= {kind.by, constraint.source if number in self.problem.keyword_of else kind.by}
        return tuple(sorted(cited, key=sort_key))

    def _combine(self, ways: list[ProposalVerdict]) -> ProposalVerdict:
        """Return the verdict that holds however the open conditions are taken, or that it is undecided."""
        verdicts = {way.verdict for way in ways}
        chosen = next((way for way in ways if way.verdict == "illegal"), ways[0])
        conditions = tuple(self.problem.conditions.values())
        unclear = conditions if len(verdicts) > 1 else ()
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
            UndecidedError: as `declarations`.
        """
        self._refuse_unclear()
        product = 1
        for defender in self.defenders:
            product *= sum(1 for _ in models(self._listing(defender)))
        return product

    def _listing(self, defender: str) -> clingo.Control:
        facts, keys = self._facts(defender, ())
        if "requirement" in self.problem.groups:
            search = self._ground("declare-blockers", facts + "search.\n", keys | {("search", 0)})
            best = maximise(search, seconds=self.seconds, bound=lambda: self._bound(defender, ()))
            if not best.proved:
                raise UndecidedError("the greatest number of requirements was not found within the time limit")
            facts += f"least({best.value}).\n"
            keys.add(("least", 1))
        return self._ground("list-blocks", facts + "listing.\n", keys | {("listing", 0)})

    def _refuse_unclear(self) -> None:
        unclear = (*self.not_understood, *self.problem.conditions.values())
        if unclear:
            raise UndecidedError(f"not understood: {'; '.join(unclear)}")


def _entry(name: str) -> Path:
    return data_folder("asp") / "entry" / f"{name}.lp"


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
