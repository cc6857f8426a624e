"""Judging, listing and counting declarations of attackers (508.1) and of blockers (509.1).

Proposals are worlds of one program, a best declaration is another; asp/ says what each disobeys and obeys. Everything here prepares
facts and reads models; `lawmage.play.declaring` has the facts of the board.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import clingo

from lawmage.board import Proposal
from lawmage.errors import LawmageError
from lawmage.play.both_ways import deciding, undecided_by
from lawmage.play.bound import Bound, limits_from, upper_bound
from lawmage.play.counting import Count, count
from lawmage.play.counting_form import Form, form_from
from lawmage.play.dated import cited_in
from lawmage.play.declaring import Taken
from lawmage.play.facts import Facts
from lawmage.play.helping import Helping
from lawmage.play.knowledge import Knowledge
from lawmage.play.listing import list_declarations
from lawmage.play.quick import Judged, Pair, propose
from lawmage.play.solver import SEARCHING, Best, Model, count_models, facts_of, maximise, models, only_model
from lawmage.play.stratified import NotEvaluatedError, Value, in_order, value_of
from lawmage.play.verdict import Declaration, Judgement, ProposalVerdict, Requirements, Violation
from lawmage.rulebook.model import sort_key

__all__ = ["Declarations", "UndecidedError"]

#: What a best declaration is called where proposals have numbers.
_BEST = "best"
#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 8


class UndecidedError(LawmageError):
    """A question that has no honest answer: something is not understood, or the time is over."""


class _Case(NamedTuple):
    """One player's problem, with the open conditions taken one way: what asp/ says of each proposal, and of a best declaration."""

    worlds: dict[str, Judged]
    best: Best
    pairs_of_best: Collection[tuple[Value, ...]]
    obeyed_by_best: frozenset[tuple[Value, ...]]


class Declarations(Helping):
    """One step of a scenario in which players declare something: the arguments are those of `lawmage.play.helping.Helping`."""

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
            seconds = (time.perf_counter() - start) / max(1, len(proposals))
            for proposal in proposals:
                ways = [self._verdict(proposal.name, case, seconds, clash) for case in answers]
                combined = self._combine(ways)
                if explained and len(ways) > 1:
                    found = self._clash_in(player, choices[_chosen(ways)])
                    combined = replace(combined, requirements=replace(combined.requirements, clash=found))
                parts[proposal.name].append(combined)
        return {proposal.name: _together(parts[proposal.name]) for proposal in proposals}

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

    def _with_proposals(self, player: str, proposals: Sequence[Proposal], taken: Taken) -> Facts:
        return self._propose(self._facts(player, taken), player, proposals)

    def _propose(self, facts: Facts, player: str, proposals: Sequence[Proposal]) -> Facts:
        for index, proposal in enumerate(proposals, start=1):
            propose(facts, index, self.proposed(player, proposal))
            facts.add_all(self.proposed_beside(index, player, proposal))
        return facts

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

    def _case(self, player: str, proposals: Sequence[Proposal], taken: Taken) -> _Case:
        case, bound = (None, None) if self.plain else self._case_without_search(player, proposals, taken)
        return case or self._case_by_search(player, proposals, taken, bound)

    def _case_without_search(self, player: str, proposals: Sequence[Proposal], taken: Taken) -> tuple[_Case | None, Bound | None]:
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
        worlds = {proposal.name: judged[index] for index, proposal in enumerate(proposals, start=1)}
        return _Case(worlds, Best((), most, proved=True), best.pairs, best.obeyed), bound

    def _case_by_search(self, player: str, proposals: Sequence[Proposal], taken: Taken, bound: Bound | None) -> _Case:
        best = self._best(self._with_proposals(player, proposals, taken), bound)
        said: dict[str, defaultdict[Value, list[tuple[Value, ...]]]] = defaultdict(lambda: defaultdict(list))
        for name, (world, *rest) in best.atoms:
            said[name][world].append(tuple(rest))
        violated, obeyed = said.pop("violated", defaultdict(list)), said.pop("obeyed", defaultdict(list))
        worlds = {
            proposal.name: Judged(frozenset(violated[index]), frozenset(obeyed[index]), ())
            for index, proposal in enumerate(proposals, start=1)
        }
        pairs = [pair for declared in said.values() for pair in declared[_BEST]]
        return _Case(worlds, best, pairs, frozenset(obeyed[_BEST]))

    def _verdict(self, name: str, case: _Case, seconds: float, clash: tuple[str, ...] = ()) -> ProposalVerdict:
        world = case.worlds[name]
        violations = [self.sentences.violation(*atom) for atom in in_order(world.violated)]
        obeyed = len(world.obeyed)
        # A legal declaration may obey more than the best free one, if it pays.
        maximum = case.best.value if case.best.proved else None
        better = None
        if case.best.value > obeyed:
            better = self._declaration_of(case.pairs_of_best)
            missing = case.obeyed_by_best - world.obeyed
            violations.append(self.sentences.too_few(self.too_few, obeyed, case.best.value, missing, better))
        met = tuple(self.sentences.requirement(*each) for each in in_order(world.obeyed)) if self.explain else ()
        verdict: Judgement = "illegal" if violations else "legal" if maximum is not None else "undecided"
        return ProposalVerdict(
            verdict,
            violations=tuple(violations),
            requirements=Requirements(obeyed, maximum, better, clash, met),
            cites=self._cites(violations),
            seconds=seconds,
        )

    def _cites(self, violations: Iterable[Violation]) -> tuple[str, ...]:
        """Return the rules that decide: those disobeyed, and those of every constraint on the board."""
        applied = frozenset(self.problem.rules.values()).union([self.known.kinds[kind].by for kind in self.problem.kinds])
        return _cited(self.release, applied, frozenset([violation.rule for violation in violations]), self.known)

    def _combine(self, ways: list[ProposalVerdict]) -> ProposalVerdict:
        """Return the verdict that holds however the open conditions are taken, or that it is undecided."""
        if len(ways) == 1 and not self.not_understood:
            return ways[0]
        chosen = ways[_chosen(ways)]
        verdict_by = {frozenset(taken): way.verdict for taken, way in zip(self._choices(), ways, strict=True)}
        decide = frozenset(deciding(list(self.problem.conditions), verdict_by))
        conditions = self.problem.conditions.items()
        unclear = tuple(f"the board does not say whether {text}" for one, text in conditions if one in decide)
        assumed = tuple(f"it makes no difference whether {text}" for one, text in conditions if one not in decide)
        verdict: Judgement = "undecided" if unclear or self.not_understood else chosen.verdict
        return ProposalVerdict(
            verdict,
            violations=chosen.violations,
            requirements=chosen.requirements,
            assumptions=assumed,
            not_understood=(*self.not_understood, *unclear),
            cites=chosen.cites,
            seconds=chosen.seconds,
        )

    # ------------------------------------------------------------ listing

    def declarations(self, limit: int | None = None) -> Iterator[Declaration]:
        """Yield every legal declaration, or the first `limit`; where several players declare, every combination.

        Raises:
            UndecidedError: if a sentence or condition that could matter is not understood, or the maximum is not found in time.
        """
        self._refuse_unread()
        first, *others = (self._declarations_however(player, limit) for player in self.players())
        if not others:
            yield from first
            return
        rest = [list(each) for each in others]
        combined = (dict(itertools.chain(*(part.items() for part in parts))) for one in first for parts in itertools.product([one], *rest))
        yield from itertools.islice(combined, limit)

    def _declarations_however(self, player: str, limit: int | None) -> Iterator[Declaration]:
        """Yield the legal declarations where they are the same however the open conditions are taken."""
        if not self.problem.conditions:
            return self._declarations_of(player, limit)
        listed = {frozenset(taken): list(self._declarations_of(player, limit, taken)) for taken in self._choices()}
        one = listed[frozenset()]
        if any(sorted(map(_said, other)) != sorted(map(_said, one)) for other in listed.values()):
            self._number_however(player)
            self._refuse_unclear()
        return iter(one)

    def _declarations_of(self, player: str, limit: int | None, taken: Taken = ()) -> Iterator[Declaration]:
        counted = self._counted(player, taken)
        if counted is not None:
            yield from itertools.islice(list_declarations(counted[0], counted[1].most_lost, self._part), limit)
            return
        for model in models(self._listing(player, taken), limit=limit):
            yield self._declared(model.symbols(shown=True))

    def counts(self, *, by_listing: bool = False) -> dict[str, int]:
        """Return the number of legal declarations of each player who declares.

        Args:
            by_listing: whether the solver lists them all, as it does where they can't be counted otherwise.

        Raises:
            UndecidedError: as `declarations`, or if counting takes longer than the time allowed.
        """
        self._refuse_unread()
        return {player: self._number_however(player, by_listing=by_listing) for player in self.players()}

    def _number_however(self, player: str, *, by_listing: bool = False) -> int:
        """Return the number of legal declarations where it is the same however the open conditions are taken."""
        numbers = {frozenset(taken): self._number(player, taken, by_listing=by_listing) for taken in self._choices()}
        if len(set(numbers.values())) > 1:
            raise UndecidedError(undecided_by(self.problem.conditions, numbers, "legal declarations"))
        return numbers[frozenset()]

    def _number(self, player: str, taken: Taken, *, by_listing: bool) -> int:
        counted = None if by_listing else self._counted(player, taken)
        if counted is not None:
            return counted[1].number
        number, complete = count_models(self._listing(player, taken), seconds=self.seconds)
        if not complete:
            raise UndecidedError(f"there are more than {number:,} legal declarations; counting was stopped at the time limit")
        return number

    def form(self, player: str, taken: Taken = ()) -> Form | None:
        """Return what makes a declaration of `player` legal in numbers and sets, or None where something on the board is not in them."""
        return form_from(facts_of(self._ground(4, self._facts(player, taken))))

    def _counted(self, player: str, taken: Taken = ()) -> tuple[Form, Count] | None:
        """Count without listing. None where that would take too long, or where something on the board can't be counted so."""
        form = self.form(player, taken)
        counted = None if form is None else count(form, seconds=None if self.seconds is None else self.seconds / 2)
        return None if form is None or counted is None else (form, counted)

    def _part(self, actor: clingo.Symbol, others: Iterable[clingo.Symbol]) -> dict[str, tuple[str, ...] | str | Mapping[str, int]]:
        """Return what a declaration says of one actor."""
        return dict(self.declaration({self.problem.holders[actor.number]: self._named(map(value_of, others))}))

    def _listing(self, player: str, taken: Taken = ()) -> clingo.Control:
        best = self._best(self._facts(player, taken))
        if not best.proved:
            raise UndecidedError("the greatest number of requirements was not found within the time limit")
        # Declarations are told apart, not the ways to pay for them.
        return self._ground(2, self._any_legal(player, best.value, taken), *(("--project=show",) if self.costs.acts else ()))

    def _refuse_unread(self) -> None:
        if self.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.not_understood)}")
        if len(self.problem.conditions) > _MOST_OPEN:
            self._refuse_unclear()

    def _refuse_unclear(self) -> None:
        if self.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.not_understood)}")
        if self.problem.conditions:
            raise UndecidedError(f"the board does not say whether {', nor whether '.join(self.problem.conditions.values())}")


@lru_cache(maxsize=1024)
def _cited(release: str, applied: frozenset[str], disobeyed: frozenset[str], known: Knowledge) -> tuple[str, ...]:
    """Return the rules applied, as `release` numbers them, and those disobeyed, as in the rulebook."""
    return tuple(sorted(disobeyed.union(cited_in(release, applied, known)), key=sort_key))


def _said(declaration: Declaration) -> str:
    return repr(sorted((actor, sorted(said.items()) if isinstance(said, Mapping) else said) for actor, said in declaration.items()))


def _chosen(ways: Sequence[ProposalVerdict]) -> int:
    """Return the place of the verdict that is told of several, by how open conditions are taken."""
    return next((place for place, way in enumerate(ways) if way.verdict == "illegal"), 0)


def _searching(facts: Facts) -> Facts:
    """Return the facts with those that ask for a best declaration."""
    search = facts.copy()
    for predicate in ("world", "sought", "free", "greatest"):
        search.add(predicate, _BEST)
    return search


def _together(parts: list[ProposalVerdict]) -> ProposalVerdict:
    """Put the verdicts on the parts of several players together: all have to be legal (802.4b)."""
    if len(parts) == 1 and not (parts[0].assumptions or parts[0].not_understood):
        return parts[0]
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
        seconds=max(part.seconds for part in parts),
    )
