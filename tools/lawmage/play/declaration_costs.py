"""What has to be paid for declarations (508.1h, 509.1d), and what there is to pay with, as facts for asp/."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lawmage.board import Board, Scenario
from lawmage.constraints import Filter
from lawmage.play.amounts import amounts_of
from lawmage.play.facts import Problem, quoted
from lawmage.play.knowledge import Knowledge
from lawmage.play.mana import (
    barred_sources,
    is_twofold,
    mana_amounts,
    mana_facts,
    one_of,
    paid_amounts,
    source_of,
    term_of,
    unread_sources,
    unread_together,
)
from lawmage.play.reading import Reading, costs_objects
from lawmage.play.turning import acts

__all__ = ["DeclarationCosts"]

#: What kinds of costs are paid for each of (lm:forEach) that is counted here.
_CARDS, _COUNTERS = "cards in hand", "counters"
#: More different costs than this that ask that the same is done with permanents are not worked out.
_MOST_ACTS = 6


class DeclarationCosts:
    """The costs of declarations on a board."""

    def __init__(self, scenario: Scenario, board: Board, reading: Reading, known: Knowledge, problem: Problem) -> None:
        self._scenario = scenario
        self.board = board
        self.reading = reading
        self.known = known
        self.problem = problem

    def facts(self, player: str) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield what `player` can pay with, where the board says what the mana pool holds, and how kinds of mana count."""
        if "cost" in self.problem.groups:
            yield from self._asked_acts()
            yield from self._counted_for_costs()
        symbols = self._symbols_or_paid()
        if not symbols:
            return
        yield from mana_facts(symbols)
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

    def unread(self, players: Callable[[], Iterable[str]]) -> Iterator[str]:
        """Yield what is not understood of what one of `players` has to pay, and of texts that could let somebody pay more."""
        if "cost" in self.problem.groups:
            for player in players():
                if self.board.players[player].mana is not None:
                    yield from unread_sources(self.board, player)
                    yield from dict.fromkeys(barred_sources(self.board, player).values())
                    yield from unread_together(self.symbols)
            yield from self._unread_acts()
        yield from self._unread_hands()

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

    def _unread_hands(self) -> Iterator[str]:
        """Yield the hands that something depends on and that the board tells nothing of."""
        if not self._counts_hands:
            return
        speaking = [(holder, self.board.objects[holder.name].controller) for holder in self.reading.objects]
        speaking += [(holder, effect.controller) for holder, effect in zip(self.reading.effects, self.board.effects, strict=True)]
        for holder, player in speaking:
            if player not in self._in_hand and any(self._for_each(state.kind) == _CARDS for state in holder.states):
                yield f"{holder.name}: how many cards {player} has in hand"

    @cached_property
    def acts(self) -> Mapping[str, Sequence[int]]:
        """The constraints that ask that something is done with permanents to pay, by what: `sacrifice`, `return` or `tap`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, constraint in enumerate(self.problem.constraints) if "cost" in self.problem.groups else ():
            if constraint is not None and self.known.kinds[constraint.kind].group == "cost" and costs_objects(constraint):
                found[acts()[constraint.value or ""].done].append(number)
        return found

    def _asked_acts(self) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield what is to be done for which constraints, and all sets of constraints that ask for the same."""
        place = 0
        for act, numbers in self.acts.items():
            for number in numbers:
                yield "act", (number, act)
                constraint = self.problem.constraints[number]
                if constraint is not None and acts()[constraint.value or ""].undeclared:
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
        return "cost" in self.problem.groups and any(self._for_each(kind) == _CARDS for kind in self.problem.kinds)

    def _for_each(self, kind: str) -> str:
        return self.known.kinds[kind].for_each

    @property
    def _in_hand(self) -> Mapping[str, int]:
        """How many cards there are in the hands of which the board tells."""
        return dict(amounts_of(self.board, "hand"))

    def _counted_for_costs(self) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the counters on objects, and which of them something has to be paid for; and how many cards players have in hand."""
        if self._counts_hands:
            for player, cards in self._in_hand.items():
                yield "in_hand", (f"p({self.problem.players[player]})", cards)
        for cost, constraint in enumerate(self.problem.constraints):
            if constraint is None or self._for_each(constraint.kind) != _COUNTERS or not isinstance(constraint.object, Filter):
                continue
            named = {test.value for tests in constraint.object.any_of for test in tests}
            for name, number in self.problem.numbers.items():
                for kind, amount in self.board.objects[name].counters.items():
                    yield "counters", (number, quoted(kind), amount)
                    if None in named or kind.casefold() in named:
                        yield "names_counter", (cost, quoted(kind))

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The symbols of all that has to be paid."""
        if "cost" not in self.problem.groups:
            return frozenset()
        constraints = (constraint for constraint in self.problem.constraints if constraint is not None)
        written = [one.value for one in constraints if one.value and self.known.kinds[one.kind].group == "cost"]
        return frozenset(symbol for one in written for symbol in mana_amounts(one))

    def _symbols_or_paid(self) -> frozenset[str]:
        """The symbols of all that has to be paid, and of all that is or may be named as paid."""
        paid = {choice.pay for proposal in self._scenario.proposals for choice in proposal.attacks if choice.pay}
        paid |= {choice.pay for proposal in self._scenario.proposals for choice in proposal.blocks if choice.pay}
        if not paid and "cost" not in self.problem.groups:
            return frozenset()
        # What is nearest says in which of two ways such a symbol is paid.
        twofold = [one_of(symbol) for symbol in self.symbols if is_twofold(symbol)]
        return self.symbols.union(twofold, *map(paid_amounts, paid)) if paid or twofold else self.symbols
