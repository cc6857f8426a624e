"""Is there a block that the defending player survives? Asked of one board for any of the attacks that some of its creatures make.

A *flow* (`lawmage.play.bound`) of the damage that blocks can prevent comes first: where even that leaves too much, every block loses, and
the block that it suggests may survive. Where it overrates what is prevented it is cut up into cases (an attacker is blocked by one creature
or by several, ...). Then clingo searches (asp/510-surviving-blocks.lp). A block survives by the numbers of `lawmage.play.lethal_combat`;
where those leave it open, or do not say all that matters, it is followed through combat with every way to divide damage.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import clingo

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.play.best_block import damage_of, score_of
from lawmage.play.blocks import Blocks
from lawmage.play.bound import Bound, Limits, limits_from, upper_bound
from lawmage.play.declarations import UndecidedError
from lawmage.play.harmless import refuse_costs_that_matter, refuse_what_is_not_followed, stated_on
from lawmage.play.lethal_combat import DAMAGE, LIFE, Fighter, Harm, What, by_commander, harm_on
from lawmage.play.solver import facts_of
from lawmage.play.verdict import Declaration

__all__ = ["MOST_ATTACKS", "BlockSearch", "Clock", "Found", "after_attacks", "blocks_against", "one_by_one"]

#: The most attacks that are asked about one by one, where one tells nothing about another.
MOST_ATTACKS = 4_096
#: Conflicts allowed to the search before the flow is cut up, which proves what the search alone may not end on.
_SHORT = "3000"
#: The parts into which the flow is cut at most, before that search and after it.
_FEW_PARTS, _MOST_PARTS = 24, 256
#: The sums of damage to its blockers that a search tells apart for one attacker at most.
_MOST_SUMS = 200

#: What a search returns that has found that there is nothing.
_NONE: Declaration = {}

_Way: TypeAlias = Literal["blocked", "unblocked", "by one", "by several"]


@dataclass(frozen=True, slots=True)
class Clock:
    """When the time is over: in terms of `time.monotonic`, or None for never."""

    deadline: float | None

    @classmethod
    def after(cls, seconds: float | None) -> Clock:
        """Return a clock whose time is over after so many seconds from now."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float | None:
        """The seconds that are left, at least a moment."""
        return None if self.deadline is None else max(0.001, self.deadline - time.monotonic())

    def check(self) -> None:
        """Raise UndecidedError if the time is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise UndecidedError("the time limit was reached")


@dataclass(frozen=True, slots=True)
class Found:
    """Whether every block loses; if not, one that survives. `by` says how it was found: `flow`, `search` or `following`."""

    lethal: bool
    block: Declaration | None
    by: str


class _Blocks(Blocks):
    """The declare blockers step, with the search for blocks that the player may survive in the place of listing."""

    entries = (*Blocks.entries[:2], "surviving-blocks", "changing", *Blocks.entries[4:])

    def bounding(self, player: str) -> Limits:
        """Return the numbers that a flow is bounded by."""
        facts = self._facts(player, ()).copy()
        # All pairs matter here, not only those that a requirement is about.
        facts.add("searched", "any")
        facts.add("paying")
        return limits_from(self._limits(facts))

    def most_obeyed(self, player: str) -> int:
        """Return how many requirements a block has to obey."""
        best = self._best(self._facts(player, ()))
        if not best.proved:
            raise UndecidedError("the greatest number of requirements was not found within the time limit")
        return best.value

    def asks(self, player: str) -> set[str]:
        """Return what something that bears on blocks asks about: `attackers`, `blockers`, `tapping` (see asp/506-changing.lp)."""
        return {atom.arguments[0].name for atom in facts_of(self._ground(3, self._facts(player, ())))}

    def search(self, player: str, least: int, rows: Iterator[tuple[str, tuple[int | str, ...]]]) -> clingo.Control:
        """Return the grounded search for blocks that obey at least so many requirements, with the facts `rows`."""
        facts = self._facts(player, ()).copy()
        facts.add("least", least)
        for predicate in ("world", "searched"):
            facts.add(predicate, "any")
        for name, arguments in rows:
            facts.add(name, *arguments)
        return self._ground(2, facts)


class BlockSearch:
    """The blocks of one defending player.

    Args:
        scenario: a board, on which no attack needs to have been declared.
        attacks: what attacks, or all that may.
        player: the defending player.
        clock: the time allowed.

    Raises:
        InputError, UndecidedError: as `lawmage.play.lethal_combat.harm_on`.
    """

    def __init__(self, scenario: Scenario, attacks: Collection[Attack], player: str, clock: Clock) -> None:
        self.player = player
        self.clock = clock
        self.step = _Blocks(after_attacks(scenario, attacks), seconds=clock.left)
        self.scenario = replace(self.step.scenario, board=self.step.before_growth)
        if self.step.not_understood:
            raise UndecidedError(f"not understood: {'; '.join(self.step.not_understood)}")
        refuse_costs_that_matter(self.step)
        if self.step.problem.conditions:
            raise UndecidedError(f"the board does not say whether {', nor whether '.join(self.step.problem.conditions.values())}")
        refuse_what_is_not_followed(self.step)
        self.harm: Harm = harm_on(self.scenario, player)
        self.attackers = [attack.attacker for attack in attacks if attack.target == player and attack.attacker in self.harm.fighters]
        self._names = self.step.problem.holders
        self._numbers = self.step.problem.numbers
        self._control: clingo.Control | None = None
        #: Between what the damage lies that `least` is looking for.
        self.known: tuple[int, int] | None = None

    @cached_property
    def asks(self) -> frozenset[str]:
        """What something on the board asks about: `attackers`, `blockers`, `tapping` (see asp/506-changing.lp)."""
        return self.harm.asks | self.step.asks(self.player)

    @cached_property
    def gains(self) -> bool:
        """Whether the player may gain life by blocking, and so by being attacked."""
        return any(one.heals and one.total for those in self._reach.values() for one in those)

    @cached_property
    def in_numbers(self) -> bool:
        """Whether numbers say what comes of a block."""
        board = self.step.board
        return (
            self.step.release == self.step.known.release
            and not self.harm.unsettled
            and "blockers" not in self.asks
            and not board.bands
            and not any(thing.blocked for thing in board.objects.values())
        )

    def answer(self, attackers: Collection[str]) -> Found:
        """Return whether `attackers`, of those that may attack, win whatever blocks.

        Raises:
            UndecidedError: where that is not found out, or not in time.
        """
        if not self.in_numbers:
            return self._by_following()
        absent = frozenset(self.attackers) - frozenset(attackers)
        return self._by_flow(absent, _FEW_PARTS) or self._searched(absent)

    def aim(self, amount: int, what: What = DAMAGE) -> None:
        """Ask from now on whether every block leaves so much of `what`, whatever else becomes of the player."""
        if self.harm.limits != {what: amount}:
            self.harm = replace(self.harm, limits={what: amount})
            # What was grounded has another number in it.
            self._control = None

    def least(self, attackers: Collection[str], at_least: int = 0) -> tuple[int, Declaration]:
        """Return the least damage that `attackers` do whatever blocks, of which `at_least` is known, and a block that leaves no more.

        What `answer` is asked after this is about damage. Raises as `answer`.
        """
        if not self.in_numbers:
            return min(((self._damage(block), block) for block in self._followed()), key=lambda pair: pair[0])
        absent = frozenset(self.attackers) - frozenset(attackers)
        self.aim(at_least)
        total = self._total(DAMAGE, absent)
        flow = _Flow(self, DAMAGE, absent, total)
        low, high, step = max(at_least, total - flow.prevented(flow.bound({}), {})), total, 1
        self.known = low, high
        best: Declaration | None = None
        while best is None or low < high:
            aimed = low + step if best is None else min(low + step, high)
            self.aim(aimed)
            block = self.answer(attackers).block
            if block is None:
                low, step = aimed, 2 * step
            else:
                best, high, step = block, self._damage(block, absent), 1
            self.known = low, high
        return high, best

    def _damage(self, block: Declaration, absent: Collection[str] = ()) -> int:
        """Return the damage that a block leaves."""
        if self.in_numbers:
            least, most = self.harm.damage(self._present(absent), block)
            if least == most:
                return least
        return self._followed_damage(self._with_attackers(absent), block)

    def bounds(self) -> dict[What, tuple[int, int]]:
        """Return between what lies how much of each the attack of all does against the block that is best against it."""
        found = {}
        for what in self.harm.limits if self.in_numbers else ():
            total = self._total(what, ())
            flow = _Flow(self, what, (), total)
            bound = flow.bound({})
            block, most = self._block(bound.attempt), total
            if self._legal(block):
                most = sum(self.harm.lets_through(name, block, what) for name in self.attackers)
            found[what] = (max(0, total - flow.prevented(bound, {})), most)
        return found

    # ------------------------------------------------------------ following every block

    def _by_following(self) -> Found:
        for block in self._followed():
            if not self._loses(block):
                return Found(False, block, "following")
        return Found(True, None, "following")

    def _followed(self) -> Iterator[Declaration]:
        for block in self.step.declarations():
            self.clock.check()
            yield block

    def _loses(self, block: Declaration, absent: Collection[str] = ()) -> bool:
        """Tell whether the player loses with `block`, or has taken what is asked about, by following it through combat."""
        scenario = self._with_attackers(absent)
        if DAMAGE in self.harm.limits:
            return self._followed_damage(scenario, block) >= self.harm.limits[DAMAGE]
        return bool(scenario.board.attacks) and score_of(scenario, block, self.clock.deadline, self.player).loses

    def _followed_damage(self, scenario: Scenario, block: Declaration) -> int:
        """Return the damage that a block leaves, by following it through combat."""
        return damage_of(scenario, block, self.clock.deadline, self.player).damage if scenario.board.attacks else 0

    def _with_attackers(self, absent: Collection[str]) -> Scenario:
        """Return the board on which all but `absent` attack."""
        attacks = tuple(attack for attack in self.scenario.board.attacks or () if attack.attacker not in absent)
        return replace(self.scenario, board=replace(self.scenario.board, attacks=attacks))

    # ------------------------------------------------------------ the flow of prevented damage

    @cached_property
    def _bounding(self) -> Limits:
        return self.step.bounding(self.player)

    @cached_property
    def _reach(self) -> Mapping[str, list[Fighter]]:
        """The creatures that can block each attacker."""
        found: defaultdict[str, list[Fighter]] = defaultdict(list)
        for blocker, attacker in self._bounding.edges:
            found[self._names[attacker]].append(self.harm.fighters[self._names[blocker]])
        return found

    def _present(self, absent: Collection[str]) -> list[str]:
        return [name for name in self.attackers if name not in absent]

    def _total(self, what: What, absent: Collection[str]) -> int:
        return sum(self.harm.fighters[name].unblocked()[what] for name in self._present(absent))

    def _by_flow(self, absent: Collection[str], parts: int) -> Found | None:
        """Return what the flow proves, or a block that it suggests and that survives; cut up into so many cases at most."""
        for what in self.harm.limits:
            if self._total(what, absent) >= self.harm.limits[what] or what in (LIFE, DAMAGE):
                found = self._by_flow_of(what, absent, parts)
                if found is not None:
                    return found
        return None

    def _by_flow_of(self, what: What, absent: Collection[str], parts: int) -> Found | None:
        total, limit, present = self._total(what, absent), self.harm.limits[what], self._present(absent)
        undecided = [name for name in self._to_cut(absent) if self.harm.fighters[name].unblocked()[what]]
        flow = _Flow(self, what, absent, total)
        cases: list[tuple[int, dict[str, _Way]]] = [(0, {})]
        proved = True
        for _ in range(parts):
            if not cases:
                return Found(True, None, "flow") if proved else None
            self.clock.check()
            index, decided = cases.pop()
            bound = flow.bound(decided)
            if total - flow.prevented(bound, decided) >= limit:
                continue
            block = self._block(bound.attempt)
            if self.harm.fate(present, block) == "survives" and self._legal(block):
                return Found(False, block, "flow")
            if index == len(undecided):
                proved = False
                continue
            name = undecided[index]
            cases += [(index + 1, {**decided, name: way}) for way in self._ways(name)]
        return None

    def _block(self, pairs: Iterable[tuple[int, int]]) -> Declaration:
        block: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        for blocker, attacker in pairs:
            block[self._names[blocker]] += (self._names[attacker],)
        return dict(block)

    def _ways(self, name: str) -> tuple[_Way, _Way]:
        """Return two ways to be blocked or not, of which one is what happens."""
        spills, several = self.harm.fighters[name].spills, self._threshold(name) > 1
        return ("by several" if spills else "blocked", "unblocked" if several else "by one")

    def _to_cut(self, absent: Collection[str]) -> list[str]:
        """Return the attackers of which the flow may count more as prevented than any block prevents, the largest first."""
        fighters = self.harm.fighters
        found = [one for one in self._present(absent) if self._threshold(one) > 1 or (fighters[one].spills and len(self._reach[one]) > 1)]
        return sorted(found, key=lambda name: -fighters[name].total)

    def _threshold(self, name: str) -> int:
        return self._bounding.threshold.get(self._numbers[name], 1)

    @cached_property
    def _obeyed(self) -> int:
        return self.step.most_obeyed(self.player) if "requirement" in self.step.problem.groups else 0

    def _legal(self, block: Declaration) -> bool:
        choices = tuple(BlockChoice(blocker, tuple(those)) for blocker, those in block.items())
        return self.step.judge([Proposal("block", blocks=choices)])["block"].verdict == "legal"

    # ------------------------------------------------------------ the search

    def _searched(self, absent: Collection[str]) -> Found:
        control = self._ground()
        literals = {atom.symbol.arguments[0].number: atom.literal for atom in control.symbolic_atoms.by_signature("absent", 1)}
        these = [literal if self._names[number] in absent else -literal for number, literal in literals.items()]
        unsure: UndecidedError | None = None
        conflicts = _SHORT
        while True:
            self.clock.check()
            block = self._next(control, these, conflicts)
            if block is None and conflicts == _SHORT:
                if (by_flow := self._by_flow(absent, _MOST_PARTS)) is not None:
                    return by_flow
                conflicts = "umax"
                block = self._next(control, these, conflicts)
            if block is _NONE or block is None:
                if unsure is not None:
                    raise unsure
                return Found(True, None, "search")
            fate = self.harm.fate(self._present(absent), block)
            try:
                if fate == "survives" or (fate == "unsure" and not self._loses(block, absent)):
                    return Found(False, block, "search")
            except UndecidedError as error:
                unsure = error
            with control.backend() as backend:
                backend.add_rule([], [*these, *self._exactly(control, block)])

    def _next(self, control: clingo.Control, assumptions: list[int], conflicts: str) -> Declaration | None:
        """Return a block, _NONE if there is no other, or None if that was not found out within so many conflicts."""
        configuration = control.configuration.solve
        assert isinstance(configuration, clingo.Configuration)
        configuration.solve_limit = conflicts
        with control.solve(assumptions=assumptions, yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(self.clock.left):
                handle.cancel()
                raise UndecidedError("the time limit was reached")
            model = handle.model()
            if model is None:
                return _NONE if handle.get().unsatisfiable else None
            atoms = model.symbols(shown=True)
        return self._block((atom.arguments[1].number, atom.arguments[2].number) for atom in atoms)

    def _exactly(self, control: clingo.Control, block: Declaration) -> Iterator[int]:
        """Yield the literals of a block: those of the pairs that it has, and against all others."""
        for atom in control.symbolic_atoms.by_signature("block", 3):
            _, blocker, attacker = atom.symbol.arguments
            has = self._names[attacker.number] in block.get(self._names[blocker.number], ())
            yield atom.literal if has else -atom.literal

    def _ground(self) -> clingo.Control:
        if self._control is None:
            self._control = self.step.search(self.player, self._obeyed, self._rows())
        return self._control

    def _rows(self) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """Yield the numbers for the search, in favour of the defending player where they are bounds."""
        numbers, fighters = self._numbers, self.harm.fighters
        commanders = {by_commander(name): str(number) for name, number in numbers.items()}
        terms = {what: commanders.get(what, what) for what in self.harm.limits}
        for what, limit in self.harm.limits.items():
            yield "limit", (terms[what], limit)
        blocking = {one.name for those in self._reach.values() for one in those}
        for name in blocking:
            one = fighters[name]
            if one.heals and one.total:
                yield "gains", (numbers[name], one.total)
            if one.first:
                yield "opens", (numbers[name], one.first)
            if one.deadly:
                yield "deadly", (numbers[name],)
        for name in self.attackers:
            one, number = fighters[name], numbers[name]
            for what, amount in one.counted(one.total).items():
                if amount and what in terms:
                    yield "damages", (number, terms[what], amount)
            if one.sickens and one.steps:
                yield "sickens", (number, "poison", one.sickens * one.steps)
            if not one.spills or not one.total:
                continue
            # Blockers that others attack as well may need less, but the player is none the worse for them.
            yield "spills", (number,)
            if not one.stays and one.regular:
                yield "endures", (number, one.lethal)
            needs = {blocker.name: blocker.needs(one) for blocker in self._reach[name]}
            yield from (("needs", (numbers[blocker], number, need)) for blocker, need in needs.items())
            done = 0
            for level in _sums(needs.values(), one.total):
                yield from (("spares", (number, terms[what], level, level - done)) for what in one.counted(0) if what in terms)
                done = level


def blocks_against(attack: Mapping[str, str], scenario: Scenario, player: str, clock: Clock) -> BlockSearch:
    """Return the search for blocks against one attack, where attacks are asked about one by one.

    Args:
        attack: what each attacker attacks.
        scenario, player, clock: as `BlockSearch` takes them.

    Raises:
        InputError: as `BlockSearch`.
        UndecidedError: the same, and if anything asks which creatures are tapped where attacks may have to be paid for.
    """
    blocks = BlockSearch(scenario, [Attack(*pair) for pair in attack.items()], player, clock)
    if "tapping" in blocks.asks and any(blocks.step.known.kinds[one.kind].group == "cost" for one in stated_on(blocks.step)):
        raise UndecidedError("something on the board asks which creatures are tapped, as those that pay for attacks may be")
    return blocks


def after_attacks(scenario: Scenario, attacks: Collection[Attack]) -> Scenario:
    """Return the scenario with `attacks` declared; what it says of attackers is of the moment before, where it has none declared."""
    board = replace(scenario.board, attacks=tuple(attacks), blocks=None)
    if scenario.board.attacks is None:
        untapped = [board.objects[attack.attacker] for attack in attacks if board.objects[attack.attacker].tapped is False]
        board = replace(board, objects=board.objects | {thing.id: replace(thing, tapped=None) for thing in untapped}) if untapped else board
    return replace(scenario, board=board, judge="block", proposals=(), expect=None)


def one_by_one(attacks: Sequence[Mapping[str, str]], ask: Callable[[Mapping[str, str]], bool], clock: Clock) -> bool:
    """Ask about each attack by itself, those by most creatures first, until `ask` says that it is enough; return whether it did.

    Raises:
        UndecidedError: if it never did and one of them is undecided, or there are more than MOST_ATTACKS; if the time is over.
    """
    unclear: UndecidedError | None = None
    for attack in sorted(attacks[:MOST_ATTACKS], key=len, reverse=True):
        clock.check()
        try:
            if ask(attack):
                return True
        except UndecidedError as error:
            unclear = error
    if unclear is not None:
        raise unclear
    if len(attacks) > MOST_ATTACKS:
        raise UndecidedError(f"there are more than {MOST_ATTACKS:,} legal attacks, of which one tells nothing about another")
    return False


@dataclass(slots=True)
class _Flow:
    """The flow of `what` blocks can prevent, of `total` that some attackers would do."""

    search: BlockSearch
    what: What
    absent: Collection[str]
    total: int

    def prevented(self, bound: Bound, decided: Mapping[str, _Way]) -> int:
        """Return how much is prevented at most, where it is decided for some attackers how they are blocked."""
        forced = sum(way in ("blocked", "by several") for way in decided.values())
        return bound.most - self._weight * (self.search._obeyed + forced)

    @property
    def _weight(self) -> int:
        """What a requirement weighs: more than all that can be prevented, since as many as possible are obeyed."""
        gained = sum(one.total for one in self.search.harm.fighters.values() if one.heals) if self.what == LIFE else 0
        return self.total + gained + 1

    def bound(self, decided: Mapping[str, _Way]) -> Bound:
        """Return the greatest flow."""
        search, base, weight = self.search, self.search._bounding, self._weight
        numbers, names = search._numbers, search._names
        gone = {numbers[name] for name in self.absent} | {numbers[name] for name, way in decided.items() if way == "unblocked"}
        edges = [pair for pair in base.edges if pair[1] not in gone]
        seats = dict(base.seats)
        required = search._obeyed > 0
        pair_gain = Counter({pair: weight * number for pair, number in base.gain_pair.items() if required and pair[1] not in gone})
        blocker_gain = Counter({key: weight * number for key, number in base.gain_blocker.items() if required})
        attacker_gain: dict[Any, Counter[int]] = {
            key: Counter({needed: weight * number for needed, number in gains.items()})
            for key, gains in base.gain_attacker.items()
            if required and key not in gone
        }
        if self.what == LIFE:
            for name in {names[blocker] for blocker, _ in edges}:
                one = search.harm.fighters[name]
                if one.heals:
                    blocker_gain[numbers[name]] += one.total
        for name in search._present(self.absent):
            number, one = numbers[name], search.harm.fighters[name]
            done = one.unblocked()[self.what]
            if number in gone or not done:
                continue
            gains = attacker_gain.setdefault(number, Counter())
            way = decided.get(name)
            if way in ("blocked", "by several"):
                gains[2 if way == "by several" else 1] += weight
            if not one.spills:
                gains[1] += done
                continue
            amount = one.counted(one.total).get(self.what, 0)
            gains[1] += done - amount
            spared = {blocker.name: _spared(one, blocker, amount, alone=way == "by one") for blocker in search._reach[name]}
            if way == "by several":
                best = sorted(spared.values(), reverse=True)
                gains[2] += min(amount, sum(best[:2]))
                for size in range(3, len(best) + 1):
                    gains[size] += min(amount, sum(best[:size])) - min(amount, sum(best[: size - 1]))
                continue
            for blocker, spares in spared.items():
                pair_gain[numbers[blocker], number] += spares
            if way == "by one" or not (required or blocker_gain):
                enough = 1 if way == "by one" else max(base.threshold.get(number, 1), _enough(spared.values(), amount))
                seats[number] = min(seats.get(number, enough), enough)
        return upper_bound(
            base._replace(
                edges=edges,
                seats=seats,
                gain_pair=pair_gain,
                gain_blocker=blocker_gain,
                gain_attacker={key: +gains for key, gains in attacker_gain.items()},
            )
        )


def _spared(one: Fighter, blocker: Fighter, amount: int, *, alone: bool) -> int:
    """Return what a blocker of one with excess damage spares the player of `amount`: no set of blockers spares more than its sum."""
    needs = blocker.needs(one)
    if blocker.first and not one.stays:
        if alone:
            needs = amount if one.felled([blocker]) else needs
        else:
            # It is destroyed early only by those that have enough together, each of which has its share in that.
            needs = amount if blocker.deadly else max(needs, -(-amount * blocker.first // max(1, one.lethal)))
    return min(amount, needs)


def _enough(spared: Collection[int], amount: int) -> int:
    """Return how many blockers are always enough to prevent `amount`: more prevent no more."""
    done = 0
    for count, least in enumerate(sorted(spared), start=1):
        done += least
        if done >= amount:
            return count
    return max(1, len(spared))


def _sums(needs: Collection[int], most: int) -> list[int]:
    """Return, in order, what blockers can need together, up to `most`."""
    found = {0}
    for need in needs:
        found |= {min(most, one + need) for one in found}
        if len(found) > _MOST_SUMS:
            raise UndecidedError("an attacker with excess damage has too many different blockers")
    return sorted(found - {0})
