"""The attacks that `lawmage lethal` asks about: legal ones, without those that the blocks found so far hold.

An attack that another one is sure to equal is left out as well. One attacker *yields* to another where both may attack in the same ways,
and whatever blocks the other could block it and would let no more through: an attack with the first and without the second is no better
than one with the second in place of the first.

A block tells about other attacks than that which it was found against: without those who block what does not attack it is as legal and as
good against fewer attackers. Where requirements are about blocking some attackers that holds only among attacks with the same of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from typing import Any

import clingo

from lawmage.board import Attack, Board, Scenario, defending_player
from lawmage.play.attacks import Attacks
from lawmage.play.card_types import types_among
from lawmage.play.counting_form import Form
from lawmage.play.declarations import UndecidedError
from lawmage.play.harmless import refuse_costs_that_matter, refuse_what_is_not_followed
from lawmage.play.lethal_blocks import BlockSearch, Clock
from lawmage.play.lethal_combat import LIFE, POISON, Fighter, Harm, What
from lawmage.play.solver import facts_of
from lawmage.play.verdict import Declaration

__all__ = ["AttackSearch", "AttackStep", "Idle", "Part", "Parts", "form_that_tells", "yielding"]


class AttackStep(Attacks):
    """The declare attackers step, with what the search for an attack asks of it."""

    entries = (*Attacks.entries[:3], "changing", *Attacks.entries[4:])

    @classmethod
    def of(cls, scenario: Scenario, clock: Clock) -> AttackStep:
        """Return the step on the board of `scenario`.

        Raises:
            UndecidedError: where an ability triggers that is not followed, or what is done with permanents to pay could change combat.
        """
        step = cls(replace(scenario, judge="attack", proposals=(), expect=None), seconds=clock.left)
        refuse_costs_that_matter(step)
        refuse_what_is_not_followed(step)
        return step

    def asks(self) -> set[str]:
        """Return what an attack could do that is not looked at: `bands`."""
        return {atom.arguments[0].name for atom in facts_of(self._ground(3, self._facts(self.board.active, ())))}

    def search(self) -> clingo.Control:
        """Return a control whose models are the legal attacks."""
        self._refuse_unclear()
        return self._listing(self.board.active)

    def target(self, name: str) -> clingo.Symbol:
        """Return the term of a player or permanent."""
        if name in self.problem.players:
            return clingo.Function("p", [clingo.Number(self.problem.players[name])])
        return clingo.Number(self.problem.numbers[name])

    def attack(self, atoms: Sequence[clingo.Symbol]) -> dict[str, str]:
        """Return what each creature attacks."""
        return {name: str(target) for name, target in self._declared(atoms).items()}


class AttackSearch:
    """The search for a legal attack.

    Attributes:
        literals: for each creature that can attack `player`, what the solver calls that.
        elsewhere: the same for each creature and what else it can attack that `player` defends: planeswalkers and battles.
    """

    def __init__(self, step: AttackStep, player: str, clock: Clock) -> None:
        self.step = step
        self.player = player
        self.clock = clock
        self.control = step.search()
        names, board = step.problem.holders, step.board
        defended = {step.target(name): name for name in step.problem.numbers if _defends(board, player, name)}
        literals: dict[str, int] = {}
        self.elsewhere: dict[tuple[str, str], int] = {}
        for atom in self.control.symbolic_atoms.by_signature("attack", 3):
            _, attacker, target = atom.symbol.arguments
            if target == step.target(player):
                literals[names[attacker.number]] = atom.literal
            elif target in defended:
                self.elsewhere[names[attacker.number], defended[target]] = atom.literal
        self.literals: Mapping[str, int] = {name: literals[name] for name in step.problem.numbers if name in literals}

    def next(self) -> dict[str, str] | None:
        """Return an attack that is left, or None.

        Raises:
            UndecidedError: if the time is over.
        """
        self.clock.check()
        with self.control.solve(yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(self.clock.left):
                handle.cancel()
                raise UndecidedError("the time limit was reached")
            model = handle.model()
            return None if model is None else self.step.attack(model.symbols(shown=True))

    def all(self, most: int) -> list[dict[str, str]]:
        """Return all attacks, or one more than `most`."""
        attacks: list[dict[str, str]] = []
        configuration = self.control.configuration.solve
        assert isinstance(configuration, clingo.Configuration)
        configuration.models = most + 1
        with self.control.solve(yield_=True) as handle:
            for model in handle:
                self.clock.check()
                attacks.append(self.step.attack(model.symbols(shown=True)))
        return attacks

    def prefer_large(self) -> None:
        """Look at large attacks first: what holds them mostly holds their parts."""
        solver = self.control.configuration.solver
        assert isinstance(solver, clingo.Configuration)
        solver.sign_def, solver.sign_fix = "pos", "yes"

    def rule_out(self, harm: Harm, block: Mapping[str, Any], part: Part | None = None) -> None:
        """Leave out the attacks (of a part, if one is given) that `block`, without those who do not attack, holds."""
        with self.control.backend() as backend:
            beaten = [] if part is None else [self._chosen(name, part.chosen) for name in part.required if name in self.literals]
            for what, limit in harm.limits.items():
                weights = [(literal, harm.lets_through(name, block, what)) for name, literal in self.literals.items()]
                # Who does less than nothing (life is gained) does as much as nothing, and more where it stays at home.
                more = -sum(weight for _, weight in weights if weight < 0)
                atom = backend.add_atom()
                signed = [(literal if weight > 0 else -literal, abs(weight)) for literal, weight in weights if weight]
                backend.add_weight_rule([atom], limit + more, signed)
                beaten.append(-atom)
            backend.add_rule([], beaten)

    def forbid(self, present: Collection[str]) -> None:
        """Leave out the attacks of the player by those and no others."""
        with self.control.backend() as backend:
            backend.add_rule([], [self._chosen(name, present) for name in self.literals])

    def _chosen(self, name: str, present: Collection[str]) -> int:
        """Return the literal that says of a creature whether it attacks, as it does or not among `present`."""
        return self.literals[name] if name in present else -self.literals[name]

    @cached_property
    def _most_attackers(self) -> int:
        form = self.step.form(self.step.board.active)
        return len(self.literals) if form is None or form.total is None else form.total

    def ceiling(self, harm: Harm, block: Mapping[str, Any], what: What) -> int:
        """Return how much of `what` no attack exceeds that `block`, without those who do not attack, is legal against."""
        done = (max(0, harm.lets_through(name, block, what)) for name in self.literals)
        return sum(nlargest(self._most_attackers, done))

    def turns_to_player(self, blocks: BlockSearch, form: Form) -> bool:
        """Tell whether only attacks on the player matter, of those on all that the player defends; leave out the others if they could.

        What attacks a planeswalker or battle may have to be blocked as well, and who blocks it may gain life. That is no worse where each
        that can attack it could attack the player as well, or could stay at home and need not be blocked.
        """
        if not self.elsewhere:
            return True
        others = {name: Attack(name, target) for name, target in self.elsewhere if name not in self.literals}.values()
        told: Form | None = form
        if others:
            blocks = BlockSearch(
                self.step.scenario, [*(Attack(name, self.player) for name in self.literals), *others], self.player, self.clock
            )
            told = form_that_tells(blocks)
        if told is None:
            return False
        required = {blocks.step.problem.holders[place.number] for place in _required(told)}
        if not blocks.gains and not required:
            return True
        attacking = self.step.form(self.step.board.active)
        if attacking is None or not all(
            self._as_well(attacking, name, target) or (name not in required and self._is_free(attacking, name))
            for name, target in self.elsewhere
        ):
            return False
        with self.control.backend() as backend:
            for literal in self.elsewhere.values():
                backend.add_rule([], [literal])
        return True

    def _as_well(self, form: Form, attacker: str, target: str) -> bool:
        """Tell whether a creature could attack the player in the place of `target`, at no other cost and obeying no less."""
        actor, there, here = clingo.Number(self.step.problem.numbers[attacker]), self.step.target(target), self.step.target(self.player)
        return (
            attacker in self.literals
            and here not in form.seats
            and ((actor, here) not in form.priced or (actor, there) in form.priced)
            and form.spends_on.get((actor, here), {}) == form.spends_on.get((actor, there), {})
            and form.gain_pair.get((actor, here), 0) >= form.gain_pair.get((actor, there), 0)
        )

    def _is_free(self, form: Form, attacker: str) -> bool:
        """Tell whether a creature need not attack, and nobody attacks only with others."""
        actor = clingo.Number(self.step.problem.numbers[attacker])
        asked = form.gain_blocker.get(actor, 0) or any(gain for (one, _), gain in form.gain_pair.items() if one == actor)
        return not asked and not any(form.only_with.values())

    def leave_out(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Leave out the attacks in which, of a pair, the first attacks the player and the second does not."""
        with self.control.backend() as backend:
            for worse, better in pairs:
                backend.add_rule([], [self.literals[worse], -self.literals[better]])


def _defends(board: Board, player: str, name: str) -> bool:
    """Tell whether a permanent is one that can be attacked, and `player` defends it (508.5)."""
    thing = board.objects[name]
    return any(one.attacked for one in types_among(thing.types)) and defending_player(board, name) == player


def _required(form: Form) -> set[Any]:
    """Return the attackers that requirements to block are about, as the solver calls them."""
    places = {place for (_, place), gain in form.gain_pair.items() if gain} | {place for place, asks in form.asks.items() if asks}
    return places | {place for sets in form.gain_one_of.values() for name, _ in sets for place in form.members.get(name, ())}


def form_that_tells(blocks: BlockSearch) -> Form | None:
    """Return what makes blocks legal, if without those who do not attack they are legal against the others (see above)."""
    if not blocks.in_numbers or "attackers" in blocks.asks:
        return None
    form = blocks.step.form(blocks.player)
    # Who has to block, whatever it is, and who can block only with others may not be left out.
    return None if form is None or any(form.only_with.values()) or any(form.gain_blocker.values()) else form


@dataclass(frozen=True, slots=True)
class Part:
    """The attacks in which, of the attackers that requirements to block are about, `chosen` attack and the rest of `required` does not."""

    required: frozenset[str]
    chosen: frozenset[str]
    blocks: BlockSearch
    idle: Idle


class Parts:
    """The parts of all attacks by creatures that can attack; there is one where nothing has to be blocked.

    Attributes:
        required: the attackers that requirements to block are about.
    """

    def __init__(self, blocks: BlockSearch, form: Form) -> None:
        self._all = blocks
        names = blocks.step.problem.holders
        self.required = frozenset(names[place.number] for place in _required(form)).intersection(blocks.attackers)
        self._parts = {self.required: Part(self.required, self.required, blocks, Idle.on(blocks, form))}

    def of(self, present: Collection[str]) -> Part:
        """Return the part that an attack by `present` belongs to."""
        chosen = self.required.intersection(present)
        if chosen not in self._parts:
            left = [Attack(name, self._all.player) for name in self._all.attackers if name not in self.required - chosen]
            blocks = BlockSearch(self._all.scenario, left, self._all.player, self._all.clock)
            form = form_that_tells(blocks)
            assert form is not None
            self._parts[chosen] = Part(self.required, chosen, blocks, Idle.on(blocks, form))
        return self._parts[chosen]


@dataclass(frozen=True, slots=True)
class Idle:
    """Lets creatures that have nothing to do block attackers that are not there, so that a block rules out more attacks."""

    blocks: BlockSearch
    able: Mapping[str, Sequence[str]]
    least: Mapping[str, int]
    most: int

    @classmethod
    def on(cls, blocks: BlockSearch, form: Form) -> Idle:
        """Read which creatures can block which attackers; nobody where more has to be thought of."""
        names = blocks.step.problem.holders
        able: defaultdict[str, list[str]] = defaultdict(list)
        least: dict[str, int] = {}
        for actor, place in () if form.only_alone or form.priced else form.edges:
            attacker = names[place.number]
            least[attacker] = form.threshold.get(place, 1)
            if form.seats.get(place, least[attacker]) >= least[attacker]:
                able[attacker].append(names[actor.number])
        fighters = blocks.harm.fighters
        order = sorted(able, key=lambda name: (-sum(fighters[name].unblocked().values()), name))
        total = len(blocks.harm.fighters) if form.total is None else form.total
        return cls(blocks, {name: sorted(able[name]) for name in order}, least, total)

    def extended(self, block: Declaration, present: Collection[str]) -> Declaration:
        """Return `block` with idle creatures blocking what is not `present`, those first that do most."""
        extended = dict(block)
        for attacker, able in self.able.items():
            needed = self.least[attacker]
            if attacker not in present and len(extended) + needed <= self.most:
                free = [name for name in able if name not in extended]
                if len(free) >= needed:
                    extended |= dict.fromkeys(free[:needed], (attacker,))
        return extended


# ---------------------------------------------------------------- attackers that yield to others


def yielding(step: AttackStep, blocks: BlockSearch, form: Form, required: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of attackers of which the first yields to the second: see above. Of two that yield to each other one does.

    Attackers that are `required` to be blocked, in one way or another, don't, and nobody yields to them.
    """
    attacking = step.form(step.board.active)
    shared = any(form.slots.get(actor, 2) != 1 for actor, _ in form.edges)
    gains = LIFE in blocks.harm.limits and blocks.gains
    if attacking is None or gains or shared or form.priced or form.spends_on:
        return
    numbers, fighters = step.problem.numbers, blocks.harm.fighters
    ways = {name: _ways(attacking, clingo.Number(numbers[name])) for name in blocks.attackers}
    reach: defaultdict[str, set[int]] = defaultdict(set)
    most: dict[str, tuple[int, float]] = {}
    for actor, place in form.edges:
        name = blocks.step.problem.holders[place.number]
        reach[name].add(actor.number)
        most[name] = form.threshold.get(place, 1), form.seats.get(place, float("inf"))
    strikers = {name for name in reach if any(fighters[blocks.step.problem.holders[one]].first for one in reach[name])}

    def yields(worse: str, better: str) -> bool:
        if ways[worse] is None or ways[worse] != ways[better] or not reach[better] <= reach[worse]:
            return False
        (least, seats), (least_of_better, seats_of_better) = most.get(worse, (1, 0)), most.get(better, (1, 0))
        hard_to_block = not reach[better] or (least <= least_of_better and seats >= seats_of_better)
        return hard_to_block and _does_no_more(fighters[worse], fighters[better], blocks.harm, felled=better in strikers)

    free = [name for name in blocks.attackers if name not in required]
    for index, one in enumerate(free):
        for later in free[index + 1 :]:
            if yields(later, one):
                yield later, one
            elif yields(one, later):
                yield one, later


def _ways(form: Form, actor: Any) -> Any:
    """Return what the numbers say of how a creature may attack, the same for those that may in the same ways; None if it is special."""
    if form.only_with.get(actor) or actor in form.only_alone:
        return None
    return (
        frozenset(place for one, place in form.edges if one == actor),
        form.slots.get(actor),
        frozenset(place for place in form.priced if isinstance(place, tuple) and place[0] == actor),
        actor in form.priced,
        frozenset((form.spends.get(actor) or {}).items()),
        frozenset((place, *sorted(spent.items(), key=str)) for (one, place), spent in form.spends_on.items() if one == actor),
        frozenset((place, gain) for (one, place), gain in form.gain_pair.items() if one == actor),
        form.gain_blocker.get(actor, 0),
        frozenset(form.gain_one_of.get(actor, ())),
        frozenset(name for name, those in form.members.items() if actor in those),
    )


def _does_no_more(worse: Fighter, better: Fighter, harm: Harm, *, felled: bool) -> bool:
    """Tell whether one attacker lets no more through than another, with the same blockers. `felled`: those may destroy it early."""
    if any(worse.unblocked()[what] > better.unblocked()[what] for what in harm.limits):
        return False
    if not worse.spills:
        return True
    counted, of_better = worse.counted(1), better.counted(1)
    return (
        better.spills
        and worse.first <= better.first
        and worse.regular <= better.regular
        and all(counted.get(what, 0) <= of_better.get(what, 0) for what in harm.limits)
        and (POISON not in harm.limits or worse.sickens <= better.sickens)
        and worse.deadly <= better.deadly
        and (not felled or better.stays or (not worse.stays and worse.lethal <= better.lethal))
    )
