"""The best block on a board without hidden information, and what comes of it.

Of two blocks that one is better in which the defending player does not lose the game; then that which leaves more life; then that which
keeps more value: the power and toughness together of the creatures of the defending player that are left, less those of the attacking
player. The attacking player divides damage so as to leave the defending player the worst, knowing the block.

Which blocks are legal is stated by asp/509-count.lp in numbers, what creatures can do to each other by asp/510-exchanges.lp. Where no
creature blocks two attackers, and nothing on the board is beyond those numbers, what comes of an attacker and the creatures that block it
depends on nothing else: each such exchange is worked out once, and attackers are taken one after another with the blockers that are left.
Otherwise every legal block is followed through combat as `lawmage outcome` does it, on small boards.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from typing import Any, TypeAlias

from lawmage.board import BlockChoice, Board, Scenario, defending_player
from lawmage.errors import InputError
from lawmage.play.blocks import Blocks
from lawmage.play.combat import Changes, Dealt, deal, resolve_declared_triggers, without_players
from lawmage.play.counting_form import Ask, Form
from lawmage.play.damage import begin, step_of
from lawmage.play.damage_facts import Combat
from lawmage.play.declarations import UndecidedError
from lawmage.play.harmless import refuse_costs_that_matter
from lawmage.play.knowledge import knowledge
from lawmage.play.verdict import Declaration, declaration_as_json

__all__ = ["BestBlock", "Score", "best_block", "best_block_by_trying", "damage_of", "score_of"]

#: More creatures that could block are too many for taking attackers one after another.
_MOST_BLOCKERS = 12
#: More legal blocks than this, or ways to divide damage in a step, are not followed through combat one by one.
_MOST_TRIED, _MOST_WAYS = 2_000, 2_000
#: The counters that 510-exchanges.lp takes in: those that change power and toughness.
_COUNTERS = frozenset({"+1/+1", "-1/-1"})

#: Not losing (0 before -1), life that is left, value that is kept: the greater, the better.
_Key: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Score:
    """What a block leaves the defending player: whether they lose the game, their life, the value kept (see above).

    Where combat was followed, `damage` is what they took, and `steps` how damage was divided: proposals for `judge: outcome`.
    """

    loses: bool
    life: int
    value: int
    damage: int = field(default=0, compare=False)
    steps: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    @property
    def key(self) -> _Key:
        """What is compared: the greater, the better."""
        return -self.loses, self.life, self.value


@dataclass(frozen=True, slots=True)
class BestBlock:
    """A best block in the form of a proposal, and its score. `life_lost` is what it costs; less than 0 where life is gained."""

    block: Declaration
    score: Score
    life_lost: int

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "block": declaration_as_json(self.block),
            "loses": self.score.loses,
            "life": self.score.life,
            "life_lost": self.life_lost,
            "value": self.score.value,
        }


def best_block(scenario: Scenario, *, seconds: float | None = 10.0) -> BestBlock:
    """Return a best legal block for the one defending player of `scenario`.

    Raises:
        InputError: as `lawmage.play.judge`, and where blocks have been declared or no attack has been.
        UndecidedError: where several players defend, something is not understood, or the board is too large or the time over.
    """
    step = _step(scenario, seconds)
    return _Exchanges(step).best() if _apart(step) else best_block_by_trying(scenario, seconds=seconds)


def best_block_by_trying(scenario: Scenario, *, seconds: float | None = 10.0) -> BestBlock:
    """Return a best legal block, found by following each through combat. Raises as `best_block`."""
    step = _step(scenario, seconds)
    deadline = None if seconds is None else time.monotonic() + seconds
    player = step.players()[0]
    best: BestBlock | None = None
    for number, block in enumerate(step.declarations()):
        if number >= _MOST_TRIED or (deadline is not None and time.monotonic() > deadline):
            raise UndecidedError(f"there are more than {number:,} legal blocks, which have to be followed through combat one by one")
        score = score_of(scenario, block, deadline)
        if best is None or (score.key, -len(block)) > (best.score.key, -len(best.block)):
            best = BestBlock(block, score, scenario.board.players[player].life - score.life)
    assert best is not None
    return best


def _step(scenario: Scenario, seconds: float | None) -> Blocks:
    if scenario.board.attacks is None or scenario.board.blocks is not None:
        raise InputError("a best block is looked for where attackers have been declared and no blocks yet", file=scenario.file)
    step = Blocks(scenario, seconds=seconds)
    if len(step.players()) != 1:
        raise UndecidedError("a best block is looked for where one player defends")
    if step.not_understood:
        raise UndecidedError(f"not understood: {'; '.join(step.not_understood)}")
    refuse_costs_that_matter(step)
    return step


# ---------------------------------------------------------------- following a block through combat


def score_of(scenario: Scenario, block: Declaration, deadline: float | None = None, player: str | None = None) -> Score:
    """Return what is left after combat with `block`, where the attacking player divides damage first and as is worst for the defending one.

    Args:
        scenario: a board on which attackers have been declared.
        block: what blocks what.
        deadline: when to stop, in terms of `time.monotonic`; None for never.
        player: the player it is about; None for the one whom the first attacker attacks.

    Raises:
        UndecidedError: where combat depends on what the file does not say, or on too many ways to divide damage, or the time is over.
    """
    return _followed(scenario, block, _by_key, deadline, player, to_the_end=False)


def damage_of(scenario: Scenario, block: Declaration, deadline: float | None = None, player: str | None = None) -> Score:
    """Return what is left after combat with `block`, where the attacking player divides damage so that most is dealt to the defending one.

    Combat goes on where the player would lose the game between its steps. Arguments and errors are those of `score_of`.
    """
    return _followed(scenario, block, _by_damage, deadline, player, to_the_end=True)


def _by_key(score: Score) -> _Key:
    return score.key


def _by_damage(score: Score) -> int:
    return -score.damage


def _followed(
    scenario: Scenario, block: Declaration, best: Callable[[Score], Any], deadline: float | None, player: str | None, *, to_the_end: bool
) -> Score:
    choices = tuple(BlockChoice(blocker, tuple(attackers)) for blocker, attackers in block.items())
    if player is None:
        player = defending_player(scenario.board, scenario.board.attacks[0].target) if scenario.board.attacks else ""
    board = replace(scenario.board, blocks=choices)
    combat = begin(replace(scenario, board=board, judge="outcome", proposals=()), knowledge(), "outcome")
    _refuse_unclear(combat)
    line = _Line(player, _worth(combat), best, to_the_end, deadline)
    after, changes = resolve_declared_triggers(combat)
    if changes.choices or changes.not_followed:
        raise UndecidedError(f"what combat does is not all followed: {'; '.join((*changes.choices, *changes.not_followed))}")
    return _worst(*_those_left(after, line, changes), line, "opening")


@dataclass(frozen=True, slots=True)
class _Line:
    """How combat is followed for `player`: the worth of each creature, the best score (the greatest by `best`), what was dealt so far."""

    player: str
    worth: Mapping[str, int]
    best: Callable[[Score], Any]
    to_the_end: bool
    deadline: float | None
    damage: int = 0
    steps: tuple[Mapping[str, Any], ...] = ()


def _worth(combat: Combat) -> Mapping[str, int]:
    """Return the power and toughness of each creature as combat begins."""
    found = {}
    for atom in _exchanges(combat):
        if atom.name == "worth":
            found[combat.problem.name(atom.arguments[0])] = atom.arguments[1].number
    return found


def _refuse_unclear(combat: Combat) -> None:
    unread, conditions = combat.problem.not_understood(), dict.fromkeys(combat.problem.base.conditions.values())
    if unread:
        raise UndecidedError(f"not understood: {'; '.join(unread)}")
    if conditions:
        raise UndecidedError(f"the board does not say whether {', nor whether '.join(conditions)}")


def _those_left(combat: Combat, line: _Line, changes: Changes) -> tuple[Combat, frozenset[str]]:
    """Return the combat without those who have just lost, where it goes on for the player (800.4a), and else those with whom it ends."""
    gone = frozenset(changes.lost or ())
    if gone and line.player not in gone and not line.to_the_end and len(combat.board.players) - len(gone) > 1:
        return without_players(combat, gone), frozenset()
    return combat, gone


def _worst(combat: Combat, lost: frozenset[str], line: _Line, before: str) -> Score:
    """Return the score at the end of combat, where the active player chooses first and the other one answers."""
    if before == "regular" or (lost and not line.to_the_end):
        return _left(combat.board, line, lost)
    step = step_of(combat)
    if not step.assigns and not combat.first_done:
        return _left(combat.board, line, lost)
    if step.without_order:
        raise UndecidedError(f"the file does not say in which order {step.without_order[0]} assigns damage (order)")
    name = "first" if step.strikers and not combat.first_done else "regular"
    ways: dict[bool, list[dict[str, dict[str, int]]]] = {}
    for active in (True, False):
        found: list[dict[str, dict[str, int]]] = [{}]
        for who, divisions in step.divisions.items():
            if (who == combat.board.active) == active:
                found = [{**one, **more} for one in found for more in divisions.listed()]
                if len(found) > _MOST_WAYS:
                    raise UndecidedError("there are too many ways to divide damage")
        ways[active] = found

    def then(attacking: dict[str, dict[str, int]], defending: dict[str, dict[str, int]]) -> Score:
        if line.deadline is not None and time.monotonic() > line.deadline:
            raise UndecidedError("the time limit was reached")
        gifts = [(source, target, amount) for source, given in {**attacking, **defending}.items() for target, amount in given.items()]
        after, changes = deal(combat, [Dealt(*gift) for gift in gifts if gift[2]])
        if changes.choices or changes.not_followed:
            raise UndecidedError(f"what combat does is not all followed: {'; '.join((*changes.choices, *changes.not_followed))}")
        if name == "first":
            after = replace(after, first_done=True, dealt_first=step.assigns)
        dealt = sum(one.amount for one in changes.damage if one.target == line.player)
        given = {"assign": {**attacking, **defending}, "step": name}
        onward = replace(line, damage=line.damage + dealt, steps=(*line.steps, given))
        return _worst(*_those_left(after, onward, changes), onward, name)

    return min((max((then(one, other) for other in ways[False]), key=line.best) for one in ways[True]), key=line.best)


def _left(board: Board, line: _Line, lost: frozenset[str]) -> Score:
    kept = 0
    for name, number in line.worth.items():
        thing = board.objects[name]
        if thing.zone == "battlefield":
            kept += number if thing.controller == line.player else -number if thing.controller == board.active else 0
    return Score(line.player in lost, board.players[line.player].life, kept, line.damage, line.steps)


# ---------------------------------------------------------------- exchange by exchange


def _apart(step: Blocks) -> bool:
    """Tell whether the board has nothing but what exchanges take in, one attacker and its blockers at a time."""
    board = step.board
    attacks = board.attacks or ()
    there = [thing for thing in board.objects.values() if thing.zone == "battlefield"]
    return (
        step.release == step.known.release
        and not step.problem.conditions
        and not board.bands
        and all(attack.target in board.players for attack in attacks)
        and not any(thing.attached_to or thing.blocked or (thing.counters.keys() - _COUNTERS) for thing in there)
        and not any(board.objects[attack.attacker].commander for attack in attacks)
        and not step.reading.triggered
    )


def _exchanges(combat: Combat) -> Sequence[Any]:
    facts = combat.problem.facts()
    combat.problem.add_state(facts)
    for number in combat.problem.base.numbers.values():
        facts.add("fights", number)
    return combat.problem.run("exchanges", facts)


@dataclass(slots=True)
class _Fighter:
    """What one creature does and endures in combat damage steps: see asp/510-exchanges.lp."""

    name: str = ""
    first: int = 0
    regular: int = 0
    lethal: int = 0
    deadly: bool = False
    stays: bool = False
    spills: bool = False
    heals: bool = False
    worth: int = 0
    bit: int = 0

    def needs(self, striker: _Fighter) -> int:
        """Return how much damage by `striker` is lethal to it (510.1c, 702.2c)."""
        return min(self.lethal, 1) if striker.deadly else max(0, self.lethal)


@dataclass(frozen=True, slots=True)
class _Way:
    """An attacker and what blocks it (bits): requirements obeyed, life that it costs, value that is kept or lost."""

    blockers: int
    gain: int
    damage: int
    value: int


#: What has been chosen for some attackers: damage, value that is lost, the number of creatures that block, and those that block each as
#: bits. The least is the best.
_Plan: TypeAlias = tuple[int, int, int, tuple[int, ...]]


@dataclass(slots=True)
class _Exchanges:
    """A board on which exchanges do not depend on each other."""

    step: Blocks
    fighters: dict[str, _Fighter] = field(default_factory=dict)

    def best(self) -> BestBlock:
        step = self.step
        player = step.players()[0]
        form = step.form(player)
        if form is None or any(form.slots.get(actor, 2) != 1 for actor, _ in form.edges):
            return self._by_trying()
        attackers = [attack.attacker for attack in step.board.attacks or () if attack.attacker in step.problem.numbers]
        holders = step.problem.holders
        blockers = list(dict.fromkeys(holders[actor.number] for actor, _ in sorted(form.edges)))
        if len(blockers) > _MOST_BLOCKERS:
            raise UndecidedError(f"{len(blockers)} creatures could block; a best block is looked for with up to {_MOST_BLOCKERS}")
        if not self._read(player, attackers, blockers):
            return self._by_trying()
        damage, lost, _, chosen = self._planned(_Rules(form, holders, {name: self.fighters[name].bit for name in blockers}), attackers)
        block: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        for name in blockers:
            for attacker, bits in zip(attackers, chosen, strict=True):
                if bits & self.fighters[name].bit:
                    block[name] += (attacker,)
        board = step.board
        life = board.players[player].life - damage
        kept = sum(
            fighter.worth * (1 if board.objects[name].controller == player else -1)
            for name, fighter in self.fighters.items()
            if board.objects[name].controller in (player, board.active)
        )
        return BestBlock(dict(block), Score(life <= 0, life, kept - lost), damage)

    def _by_trying(self) -> BestBlock:
        return best_block_by_trying(self.step.scenario, seconds=self.step.seconds)

    def _read(self, player: str, attackers: Sequence[str], blockers: Sequence[str]) -> bool:
        """Read what asp/ says of each creature, and tell whether it says all."""
        combat = begin(self.step.scenario, self.step.known, "outcome")
        problem = combat.problem
        _refuse_unclear(combat)
        waiting = {trigger.keyword for trigger in self.step.known.triggers}
        if any(use[0] in waiting for use in problem.base.uses):
            return False
        self.fighters = {name: _Fighter(name, bit=1 << index) for index, name in enumerate(blockers)}
        for atom in _exchanges(combat):
            if atom.name == "beyond":
                return False
            name = problem.name(atom.arguments[0])
            fighter = self.fighters.setdefault(name, _Fighter(name))
            match atom.name, atom.arguments[1:]:
                case "strikes", [when, number]:
                    setattr(fighter, when.name, number.number)
                case "lethal" | "worth", [number]:
                    setattr(fighter, atom.name, number.number)
                case word, _:
                    setattr(fighter, word, True)
        # Life that is gained in one step may keep the player alive for the next.
        healers = [one for one in self.fighters.values() if one.heals and self.step.board.objects[one.name].controller == player]
        return not healers and all(self.fighters.get(name, _Fighter()).lethal > 0 for name in (*attackers, *blockers))

    # ------------------------------------------------------------ choosing

    def _planned(self, rules: _Rules, attackers: Sequence[str]) -> _Plan:
        """Return the best plan that is legal: attackers one by one, of the plans with the same blockers and requirements the best."""
        plans: dict[tuple[int, int], _Plan] = {(0, 0): (0, 0, 0, ())}
        for attacker in attackers:
            ways = self._ways(rules, attacker)
            after: dict[tuple[int, int], _Plan] = {}
            for (used, gain), (damage, lost, number, chosen) in plans.items():
                for way in ways:
                    bits = way.blockers
                    if not bits & used:
                        state = used | bits, gain + way.gain
                        made = damage + way.damage, lost - way.value, number + bits.bit_count(), (*chosen, bits)
                        if state not in after or made < after[state]:
                            after[state] = made
            plans = after
        legal = [(gain + rules.gain_of(used), rules.is_free(used), plan) for (used, gain), plan in plans.items() if rules.allow(used)]
        most = max(gain for gain, free, _ in legal if free)
        return min(plan for gain, _, plan in legal if gain >= most)

    def _ways(self, rules: _Rules, attacker: str) -> list[_Way]:
        """Return the ways to block an attacker; where fewer creatures are always allowed, without those that fewer do as well."""
        one = self.fighters[attacker]
        ideal = 0 if one.stays else one.worth
        fighters = [fighter for fighter in self.fighters.values() if fighter.bit]
        ways: list[_Way] = []
        enough: list[int] = []
        for bits in sorted(rules.choices(attacker), key=int.bit_count):
            if any(less & bits == less for less in enough):
                continue
            damage, value = exchange(one, [fighter for fighter in fighters if fighter.bit & bits])
            if rules.fewer_may:
                if any(way.damage <= damage and way.value >= value and way.blockers & bits == way.blockers for way in ways):
                    continue
                if damage == 0 and value >= ideal:
                    enough.append(bits)
            ways.append(_Way(bits, rules.gain_at(attacker, bits), damage, value))
        return ways


def exchange(attacker: _Fighter, blockers: Sequence[_Fighter]) -> tuple[int, int]:
    """Return the damage to the player, and the change of value, when `blockers` block `attacker`, whose damage is divided as is worst."""
    first, regular = attacker.first, attacker.regular
    if not blockers:
        return first + regular, 0
    if _destroyed(attacker, [(one, one.first) for one in blockers]):
        regular = 0
    needs = {one.name: one.needs(attacker) for one in blockers}
    spilt = 0
    if attacker.spills:
        # 702.19b: what is left once all are assigned lethal damage; what an earlier step has dealt counts.
        asks = sum(needs.values())
        spilt = max(0, first - asks) + max(0, regular - max(0, asks - first))
    mortal = [one for one in blockers if not one.stays]
    hit = _Hit(attacker, blockers, mortal, needs, first, regular, spilt > 0)
    if not first or not _destroyed(attacker, [(one, one.first + one.regular) for one in blockers]):
        # Whom the first step destroys, if it does, makes no difference to the attacker.
        return spilt, hit.change((), first + regular)
    if sum(needs[one.name] for one in mortal) <= first:
        return spilt, hit.change(mortal, 0)
    soon = (early for early in _subsets(mortal) if sum(needs[one.name] for one in early) <= first)
    # What the first step leaves over is dealt in advance; or another one dies in it, which is better yet.
    return spilt, min(hit.change(early, first + regular - sum(needs[one.name] for one in early) if regular else 0) for early in soon)


@dataclass(frozen=True, slots=True)
class _Hit:
    """An exchange: who takes part, what each of `mortal` needs, what the attacker deals in each step, whether all get lethal damage."""

    attacker: _Fighter
    blockers: Sequence[_Fighter]
    mortal: Sequence[_Fighter]
    needs: Mapping[str, int]
    first: int
    regular: int
    all_lethal: bool

    def change(self, early: Sequence[_Fighter], room: int) -> int:
        """Return the change of value where `early` are destroyed before the others strike, and with the damage `room` those worth most."""
        hits = [(one, one.first) for one in self.blockers] + [(one, one.regular) for one in self.blockers if one not in early]
        kept = self.attacker.worth if _destroyed(self.attacker, hits) else 0
        rest = [one for one in self.mortal if one not in early]
        if self.all_lethal or sum(self.needs[one.name] for one in rest) <= room:
            gone = sum(one.worth for one in rest)
        else:
            gone = _heaviest([(self.needs[one.name], one.worth) for one in rest], room)
        return kept - sum(one.worth for one in early) - gone


def _heaviest(items: Sequence[tuple[int, int]], room: int) -> int:
    """Return the greatest worth of items (size, worth) that have room."""
    best = {0: 0}
    for size, worth in items:
        for used, total in list(best.items()):
            if used + size <= room and total + worth > best.get(used + size, -1):
                best[used + size] = total + worth
    return max(best.values())


def _destroyed(attacker: _Fighter, hits: Sequence[tuple[_Fighter, int]]) -> bool:
    """Tell whether damage by blockers destroys an attacker (704.5g, 704.5h)."""
    if attacker.stays:
        return False
    return any(one.deadly and amount for one, amount in hits) or sum(amount for _, amount in hits) >= attacker.lethal


def _subsets(fighters: Sequence[_Fighter]) -> Iterator[tuple[_Fighter, ...]]:
    return chain.from_iterable(combinations(fighters, size) for size in range(len(fighters) + 1))


@dataclass(slots=True)
class _Rules:
    """What makes a block legal (asp/509-count.lp), with names in the place of integers and sets of blockers as bits."""

    form: Form
    holders: Mapping[int, str]
    bits: Mapping[str, int]
    fewer_may: bool = False
    edges: dict[str, int] = field(default_factory=dict)
    places: dict[str, Any] = field(default_factory=dict)
    actors: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for actor, place in self.form.edges:
            name, bit = self.holders[place.number], self._bit(actor)
            self.edges[name] = self.edges.get(name, 0) | bit
            self.places[name] = place
            self.actors[bit] = actor
        # Nothing is required, and nobody needs others that block.
        self.fewer_may = not self.form.asked and not any(self.form.only_with.values())

    def _bit(self, actor: Any) -> int:
        return self.bits.get(self.holders.get(actor.number, ""), 0)

    def _of(self, name: Any) -> int:
        """Return the bits of a set."""
        members = self.form.members.get(name, frozenset())
        return sum({self._bit(member) for member in members})

    def choices(self, attacker: str) -> Iterator[int]:
        """Yield the sets of creatures that may block an attacker, as far as that depends on it alone."""
        yield 0
        edges, place = self.edges.get(attacker, 0), self.places.get(attacker)
        least, most = self.form.threshold.get(place, 1), self.form.seats.get(place, edges.bit_count())
        bits = edges
        while bits:
            if least <= bits.bit_count() <= most:
                yield bits
            bits = (bits - 1) & edges

    def gain_at(self, attacker: str, bits: int) -> int:
        """Return how many requirements are obeyed by what blocks an attacker."""
        place = self.places.get(attacker)
        if place is None or not bits or self.fewer_may:
            return 0
        gain = sum(self.form.gain_pair.get((actor, place), 0) for bit, actor in self.actors.items() if bits & bit)
        for bit, actor in self.actors.items():
            if bits & bit:
                gain += sum(times for of, times in self.form.gain_one_of.get(actor, ()) if place in self.form.members.get(of, ()))
        return gain + sum(ask.times for ask in self.form.asks.get(place, ()) if self._met(ask, bits))

    def _met(self, ask: Ask, bits: int) -> bool:
        number = (bits if ask.of is None else bits & self._of(ask.of)).bit_count()
        return ask.least <= number and (ask.most is None or number <= ask.most)

    def gain_of(self, used: int) -> int:
        """Return how many requirements are obeyed by which creatures block."""
        return sum(self.form.gain_blocker.get(actor, 0) for bit, actor in self.actors.items() if used & bit)

    def is_free(self, used: int) -> bool:
        """Tell whether nothing has to be paid for these creatures to block."""
        return not any(used & bit for bit, actor in self.actors.items() if actor in self.form.priced)

    def allow(self, used: int) -> bool:
        """Tell whether these creatures may block together."""
        form, number = self.form, used.bit_count()
        if form.total is not None and number > form.total:
            return False
        for bit, actor in self.actors.items():
            if used & bit:
                if actor in form.only_alone and number > 1:
                    return False
                for of, least in form.only_with.get(actor, ()):
                    if (used & self._of(of)).bit_count() < least:
                        return False
        for budget, most in form.budgets.items():
            if sum(form.spends.get(actor, {}).get(budget, 0) for bit, actor in self.actors.items() if used & bit) > most:
                return False
        return True
