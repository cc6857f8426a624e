"""What helps after a verdict on declarations: what cannot all hold together, and the legal declaration nearest to an illegal one."""

from __future__ import annotations

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import clingo

from lawmage.board import Board, Proposal, Scenario
from lawmage.play.alike import alike_on
from lawmage.play.clash import find_clash, shown_at_once
from lawmage.play.counted_nearest import counted_nearest
from lawmage.play.declaring import Declaring, Taken
from lawmage.play.facts import Facts, Problem
from lawmage.play.knowledge import Knowledge
from lawmage.play.mana import is_twofold, mana_amounts, one_of, paid_amounts, term_of, written_mana
from lawmage.play.nearest import Paying, find_nearest, if_legal
from lawmage.play.nearest_paid import Supplies
from lawmage.play.plain_clash import PlainClash
from lawmage.play.plain_nearest import apart, gained_by, nearest_at_once
from lawmage.play.quick import Judged, Pair, Position, propose
from lawmage.play.reading import Reading
from lawmage.play.solver import minimum
from lawmage.play.stratified import NotEvaluatedError, Value, value_of
from lawmage.play.verdict import Acts, Declaration, ProposalVerdict

__all__ = ["EXPLAIN_SECONDS", "Helping"]

#: The time that looking for clashes and for what is nearest may take, in seconds: it helps and decides nothing.
EXPLAIN_SECONDS = 1.0
#: About what it takes to write a pair down for a search, and to count with it; nothing is begun that takes longer than is left.
_SEARCHING_A_PAIR, _COUNTING_A_PAIR = 5e-5, 1e-6
#: The time of a search that only comes first.
_FIRST_SECONDS = 0.1
#: So many ways are tried to pay what can be paid with one mana or with two.
_MOST_PAYMENTS = 64
#: What asp/ calls what is done with permanents to pay.
_GIVEN = "given"


@dataclass(frozen=True, slots=True)
class _Payment:
    """What pays for each creature of a declaration: mana and life, as written, and what is done with permanents.

    `judged` is what is said of the declaration then; None where nothing has to be paid on the board.
    """

    pay: Mapping[str, str]
    acts: Mapping[str, Acts]
    judged: Judged | None

    @property
    def is_right(self) -> bool:
        """Whether the declaration disobeys nothing."""
        return self.judged is None or not self.judged.violated


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
        self._near: dict[tuple[str, frozenset[Pair], int, Taken], tuple[Any, ...] | None] = {}
        #: Of the proposal that was asked about last: the pairs of a player's part.
        self._asked_part: tuple[Proposal | None, str, Sequence[Pair], frozenset[Pair]] = None, "", (), frozenset()
        #: The declaration that was made last, and of what.
        self._made: tuple[frozenset[Pair], Declaration] | None = None
        #: Of the proposal for which what is nearest is looked for.
        self._payments: dict[tuple[str, frozenset[Pair]], _Payment | None] = {}
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

    def _ground_in(self, entry: int, facts: Facts, seconds: float, *options: str) -> clingo.Control | None:
        """Return a program ready to search, or None if already that would take longer than `seconds`."""
        return self._ground(entry, facts, *options) if self._pairs * _SEARCHING_A_PAIR < seconds else None

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

    @property
    def _kinds(self) -> Callable[[Collection[int]], Mapping[int, int]]:
        """What returns the kind of each of some objects that has several like it, though each speaks for itself."""
        # No method: a step that is held by what it holds itself stays until the garbage collector comes.
        return partial(_kinds_among, self.board, self.reading, self.known, self.problem)

    def _expect_nearest(self, position: Position, player: str, proposals: Sequence[Proposal], taken: Taken) -> None:
        """Look for what shows at once to be nearest to what seems to be illegal, so that it is judged along with the proposals."""
        if self._left_to_explain <= 0 or taken:
            return
        limits, most = position.limits, position.bound.most
        for proposal in proposals:
            if gained_by(limits, self._part_of(player, proposal)[0]) < most:
                found = self._near_at_once(position, player, proposal, most, taken)
                if found is not None:
                    position.expect([found])

    def _part_of(self, player: str, proposal: Proposal) -> tuple[Sequence[Pair], frozenset[Pair]]:
        """Return the pairs of `player`'s part of a proposal, in order and as a set."""
        if self._asked_part[0] is not proposal or self._asked_part[1] != player:
            pairs = self.proposed(player, proposal)
            self._asked_part = proposal, player, pairs, frozenset(pairs)
        return self._asked_part[2], self._asked_part[3]

    def _declaration_of(self, declared: Iterable[tuple[Value, ...]]) -> Declaration:
        pairs = frozenset(declared)
        if self._made is None or self._made[0] != pairs:
            self._made = pairs, super()._declaration_of(pairs)
        return self._made[1]

    def _near_at_once(self, position: Position, player: str, proposal: Proposal, most: int, taken: Taken) -> tuple[Any, ...] | None:
        wanted, those = self._part_of(player, proposal)
        key = player, those, most, taken
        if key not in self._near:
            limits = position.limits
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

        at_once, said = self._plain_clashes.get((player, taken)), self.problem.sentence_of
        with suppress(NotEvaluatedError):
            found = None if at_once is None else shown_at_once(at_once, said)
            if found is None:
                position = self._position(player, taken)
                found = find_clash(position, self._entry(6), search, seconds=seconds, plain=self.plain, said=said)
            return tuple(dict.fromkeys(map(self.sentences.part_of_clash, found)))
        return ()

    def with_nearest(self, proposal: Proposal, verdict: ProposalVerdict) -> ProposalVerdict:
        """Return the verdict with the legal declaration in which as few creatures as possible do something else than in `proposal`.

        Of those, one that as few pairs as possible tell from it. Costs are part of it only where the proposal already has the creature do
        what costs something; what is to be paid is said, and with which permanents: as many as can be of those that were named. Bands are
        left out. The verdict as it was for what is not illegal, where the greatest number of requirements is not known, and where no
        declaration is proved to be nearest in the time for explanations. What the board leaves open does not matter to it.
        """
        if verdict.verdict != "illegal" or self.not_understood or (self.problem.conditions and "cost" in self.problem.groups):
            return verdict
        self._payments.clear()
        pairs: list[Pair] = []
        pay: dict[str, str] = {}
        given: dict[str, Acts] = {}
        with suppress(NotEvaluatedError):
            for player in self.players():
                shown = self._judged_already(player, proposal)
                if shown is not None:
                    pairs += shown
                    continue
                with self._explaining() as seconds:
                    found = self._nearest_whatever(player, proposal, seconds)
                    paid = None if found is None else self._payment(player, proposal, found)
                if found is None or paid is None or not paid.is_right:
                    return verdict
                pairs += found
                pay |= paid.pay
                given |= paid.acts
            return replace(verdict, nearest=self._declaration_of(pairs), nearest_pay=pay, nearest_with=given)
        return verdict

    def _judged_already(self, player: str, proposal: Proposal) -> Sequence[Pair] | None:
        """Return what shows at once to be nearest, if it was judged along with the proposal, and is legal; None where anything is paid."""
        most = self._most.get((player, ()))
        if not most or self.problem.conditions or "cost" in self.problem.groups:
            return None
        wanted, those = self._part_of(player, proposal)
        near = self._near.get((player, those, most, ()))
        position = self._positions.get((player, ()))
        return if_legal(position, near, most) if near and position is not None and position.is_free(wanted) else None

    def _payment(self, player: str, proposal: Proposal, pairs: Collection[Pair]) -> _Payment | None:
        """Return what pays for a declaration, as was proposed where that pays for it; None where nothing that does is found in time."""
        if "cost" not in self.problem.groups:
            return _Payment({}, {}, None)
        key = player, frozenset(pairs)
        if key not in self._payments:
            acts = self._acts(player, proposal, pairs) if any(self._asked(player, "asks", pairs)) else {}
            self._payments[key] = None if acts is None else self._paid_right(player, proposal, pairs, acts)
        return self._payments[key]

    def _paid_right(self, player: str, proposal: Proposal, pairs: Collection[Pair], acts: Mapping[str, Acts]) -> _Payment:
        """Return a payment with which the declaration is legal, if there is one, and else some payment."""
        prices = self._prices(player, pairs)
        named = {choice.attacker: choice.pay for choice in proposal.attacks} | {choice.blocker: choice.pay for choice in proposal.blocks}
        pay = {name: named.get(name) or price for name, price in prices.items()}
        judged = self._judged(player, pairs, pay, acts)
        wrong = {self.problem.holders[value] for row in judged.violated for value in row[2:] if isinstance(value, int)}
        others = [{name: prices[name] if name in wrong else each for name, each in pay.items()}, prices]
        for other in itertools.chain(others, itertools.islice(_in_full(prices), _MOST_PAYMENTS)):
            if not judged.violated:
                break
            if other != pay:
                pay = other
                judged = self._judged(player, pairs, pay, acts)
        return _Payment(pay, acts, judged)

    def _prices(self, player: str, pairs: Collection[Pair]) -> dict[str, str]:
        """Return the mana and life that have to be paid for each creature of a declaration, as written."""
        amounts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        # What is levied is paid once for whatever stands in the place of how often.
        owed = [
            *self._asked(player, "charges", pairs),
            *((number, actor, 1) for number, actor, _ in set(self._asked(player, "levies", pairs))),
        ]
        for number, actor, times in owed:
            constraint = self.problem.constraints[number]
            assert constraint is not None
            amounts[actor].update({symbol: times * amount for symbol, amount in mana_amounts(constraint.value or "").items()})
        return {self.problem.holders[actor]: written_mana(amounts[actor]) for actor in sorted(amounts)}

    def _acts(self, player: str, proposal: Proposal, pairs: Collection[Pair]) -> dict[str, Acts] | None:
        """Return what is done with which permanents to pay for a declaration: as much as can be of what was named to."""
        facts = self._any_legal(player, 0)
        facts.add("settled")
        for pair in pairs:
            facts.add("wanted", *pair)
        for name, (_, *given) in self.proposed_beside("any", player, proposal):
            if name == _GIVEN:
                facts.add("named", *given)
        # That each cost asks for so many shows at once how few suffice, where cores are looked for.
        control = self._ground_in(5, facts, self._left_to_explain, "--opt-strategy=usc")
        atoms = None if control is None else minimum(control, seconds=self._left_to_explain)
        if atoms is None:
            return None
        found: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        for atom in atoms:
            if atom.name == _GIVEN:
                _, payer, act, thing = atom.arguments
                found[payer.arguments[-1].number].append((str(act), thing.number))
        return {self.problem.holders[actor]: self._by_act(found[actor]) for actor in sorted(found)}

    def _by_act(self, given: Collection[tuple[str, int]]) -> Acts:
        return {act: tuple(self.problem.holders[thing] for other, thing in sorted(given) if other == act) for act in sorted(dict(given))}

    def _paying(self, player: str, proposal: Proposal) -> Paying:
        """Return what `player` may declare where costs are paid."""
        facts = self._facts(player, (), self.problem.facts)
        facts.add("paying")
        kinds = [[self.problem.numbers[name] for name in kind] for kind in self.alike.kinds]

        def told(pairs: Collection[Pair]) -> Judged | None:
            payment = self._payment(player, proposal, pairs)
            return None if payment is None else payment.judged

        supplies = Supplies.of(self._position(player, ()).stated(self._entry(9)))
        return Paying(Position(self._entry(0), self._entry(7), facts, kinds, self.alike.spoken_for), told, supplies)

    def _judged(self, player: str, pairs: Collection[Pair], paid: Mapping[str, str], given: Mapping[str, Acts]) -> Judged:
        """Return what is said of a declaration for which something is paid."""
        declared, numbers = Facts(), self.problem.numbers
        propose(declared, 1, pairs)
        for name, pay in paid.items():
            for kind, amount in paid_amounts(pay).items():
                declared.add("paid", 1, numbers[name], term_of(kind), amount)
        for name, acts in given.items():
            for act, things in acts.items():
                declared.add_rows(_GIVEN, 4, [(1, numbers[name], act, numbers[thing]) for thing in things])
        return self._position(player, ()).judged(declared, searching=False)[0][1]

    def _asked(self, player: str, name: str, pairs: Collection[Pair]) -> Iterator[tuple[int, int, Any]]:
        """Yield the costs, `charges`, `asks` or `levies`, of a declaration: the constraint, the creature, and how often or how much."""
        for number, _, _, actor, *at, times in self._position(player, ()).stated(self._entry(6)).get(name, ()):
            # A cost to attack is about a pair, one to block about the creature.
            if any(pair[0] == actor and (not at or pair[1] == at[0]) for pair in pairs):
                yield number, actor, times

    def _nearest_whatever(self, player: str, proposal: Proposal, seconds: float) -> Sequence[Pair] | None:
        """Return what is legal however open conditions are taken and nearest: in one of these ways nothing legal is nearer."""
        deadline = time.monotonic() + seconds
        found: list[Sequence[Pair]] = []
        for taken in self._choices():
            most, left = self._most.get((player, taken)), deadline - time.monotonic()
            near = self._nearest(player, proposal, most, left, taken) if most is not None and left > 0 else None
            if near is None:
                return None
            found.append(near)
        if len(found) == 1:
            return found[0]
        wanted, _ = self._part_of(player, proposal)
        furthest = max(apart(near, wanted) for near in found)
        return next((near for near in found if apart(near, wanted) == furthest and self._is_legal(player, near)), None)

    def _is_legal(self, player: str, pairs: Collection[Pair]) -> bool:
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

    def _nearest(self, player: str, proposal: Proposal, most: int, seconds: float, taken: Taken) -> Sequence[Pair] | None:
        wanted, _ = self._part_of(player, proposal)
        deadline = time.monotonic() + seconds
        # What has to be got ready first pays off where several boards are judged, or where a search alone does not end.
        for counting in (False, True) if self.plain else (True, False):
            left = deadline - time.monotonic()
            if counting and self._pairs * _COUNTING_A_PAIR < left:
                with suppress(NotEvaluatedError):
                    position = self._position(player, taken)
                    at_once = partial(self._near_at_once, position, player, proposal, most, taken)
                    paying = partial(self._paying, player, proposal) if "cost" in self.problem.groups else None
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
                    return [(value_of(atom.arguments[1]), value_of(atom.arguments[2])) for atom in atoms if atom.name != _GIVEN]
        return None


def _kinds_among(board: Board, reading: Reading, known: Knowledge, problem: Problem, objects: Collection[int]) -> dict[int, int]:
    """Return the kind of each of these objects that has several like it, though each speaks for itself."""
    kinds = alike_on(board, reading, known, among={problem.holders[one] for one in objects}).kinds
    return {problem.numbers[name]: place for place, kind in enumerate(kinds) for name in kind}


def _in_full(prices: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield ways to pay prices in which no symbol leaves open whether it is paid with one mana or with two (107.4e)."""
    for ways in itertools.product(*[list(_ways_to_pay(mana_amounts(price))) for price in prices.values()]):
        yield dict(zip(prices, ways, strict=True))


def _ways_to_pay(amounts: Mapping[str, int]) -> Iterator[str]:
    twofold = {symbol: amount for symbol, amount in amounts.items() if is_twofold(symbol)}
    rest = {symbol: amount for symbol, amount in amounts.items() if symbol not in twofold}
    for doubled in itertools.product(*[range(amount + 1) for amount in twofold.values()]):
        paid = Counter(rest)
        for (symbol, amount), twice in zip(twofold.items(), doubled, strict=True):
            paid["generic"] += 2 * twice
            paid[one_of(symbol)] += amount - twice
        yield written_mana(paid)
