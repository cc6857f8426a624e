"""What helps after a verdict on declarations: what cannot all hold together, and the legal declaration nearest to an illegal one."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import clingo

from lawmage.board import Proposal, Scenario
from lawmage.play.alike import alike_on
from lawmage.play.clash import find_clash
from lawmage.play.counted_nearest import counted_nearest
from lawmage.play.declaring import Declaring, Taken
from lawmage.play.facts import Facts
from lawmage.play.mana import mana_amounts, paid_amounts, term_of, written_mana
from lawmage.play.nearest import Paying, find_nearest
from lawmage.play.plain_clash import PlainClash
from lawmage.play.plain_nearest import apart, gained_by, nearest_at_once
from lawmage.play.quick import Judged, Position, propose
from lawmage.play.solver import minimum
from lawmage.play.stratified import NotEvaluatedError, value_of
from lawmage.play.verdict import ProposalVerdict

__all__ = ["EXPLAIN_SECONDS", "Helping"]

#: The time that looking for clashes and for what is nearest may take, in seconds: it helps and decides nothing.
EXPLAIN_SECONDS = 1.0
#: About what it takes to write a pair down for a search, and to count with it; nothing is begun that takes longer than is left.
_SEARCHING_A_PAIR, _COUNTING_A_PAIR = 5e-5, 1e-6
#: The time of a search that only comes first.
_FIRST_SECONDS = 0.1


class Helping(Declaring):
    """A step in which players declare something, with what helps those whose declaration is illegal.

    Args:
        explain_seconds: the time that looking for what cannot all hold, and for what is nearest, may take in all.
        scenario, seconds, explain, plain: as for `Declaring`.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        seconds: float | None = 10.0,
        explain: bool = False,
        explain_seconds: float = EXPLAIN_SECONDS,
        plain: bool = False,
    ) -> None:
        super().__init__(scenario, seconds=seconds, explain=explain, plain=plain)
        self._left_to_explain = explain_seconds
        self._clashes: dict[tuple[str, Taken], tuple[str, ...]] = {}
        self._plain_clashes: dict[tuple[str, Taken], PlainClash] = {}
        self._near: dict[tuple[str, str, int, Taken], tuple[Any, ...] | None] = {}
        #: How many requirements can be obeyed, by whom and how open conditions are taken; None: that was not found. Judging says so.
        self._most: dict[tuple[str, Taken], int | None] = {}

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

    def _clash_in(self, player: str, taken: Taken) -> tuple[str, ...]:
        """Return sentences on what cannot all hold, if not every requirement can be obeyed."""
        if (player, taken) not in self._clashes:
            with self._explaining() as seconds:
                self._clashes[player, taken] = self._clash(player, taken, seconds) if self._pairs * _COUNTING_A_PAIR < seconds else ()
        return self._clashes[player, taken]

    def _expect_clash(self, position: Position, player: str, taken: Taken) -> None:
        """Look for a clash that shows at once, so that what shows it is judged along with the proposals."""
        if self._left_to_explain > 0:
            found = self._plain_clashes[player, taken] = PlainClash(position, self._entry(8), self._kinds)
            position.expect(found.witnesses)

    def _kinds(self) -> dict[int, int]:
        """Return the kind of each object that has several like it, also on boards on which each speaks for itself."""
        alike = self.alike if self.alike.kinds else alike_on(self.board, self.reading, self.known, fewest=0)
        return {self.problem.numbers[name]: place for place, kind in enumerate(alike.kinds) for name in kind}

    def _expect_nearest(self, position: Position, player: str, proposals: Sequence[Proposal], taken: Taken) -> None:
        """Look for what shows at once to be nearest to what seems to be illegal, so that it is judged along with the proposals."""
        if self._left_to_explain <= 0 or taken:
            return
        limits, most = position.limits, position.bound.most
        for proposal in proposals:
            if gained_by(limits, self._wanted(player, proposal)) < most:
                found = self._near_at_once(position, player, proposal, most, taken)
                if found is not None:
                    position.expect([found])

    def _near_at_once(self, position: Position, player: str, proposal: Proposal, most: int, taken: Taken) -> tuple[Any, ...] | None:
        key = player, proposal.name, most, taken
        if key not in self._near:
            limits, wanted = position.limits, self._wanted(player, proposal)
            shown = None if wanted else counted_nearest(limits, wanted, most, position.bound.attempt)
            if shown is None and position.helped:
                shown = nearest_at_once(limits, wanted, most)
            self._near[key] = shown or (counted_nearest(limits, wanted, most, position.bound.attempt) if wanted else None)
        return self._near[key]

    def _clash(self, player: str, taken: Taken, seconds: float) -> tuple[str, ...]:
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

    def _nearest(self, player: str, proposal: Proposal, most: int, seconds: float, taken: Taken) -> Sequence[tuple[Any, Any]] | None:
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
