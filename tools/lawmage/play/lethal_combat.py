"""What attackers do to a defending player under a block, in the numbers of asp/510-exchanges.lp and 510-harm.lp.

Damage counts towards several ways to lose the game: life, poison, and combat damage by each commander (*What*, below); and as damage, for
the question how much of it an attack does at least. What comes of a block is known exactly but for two things: attackers that may assign
excess damage and share a blocker, and life that is gained in the second of two combat damage steps. There the numbers are bounds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lawmage.board import Scenario
from lawmage.play.damage import begin
from lawmage.play.damage_facts import Combat
from lawmage.play.declarations import UndecidedError
from lawmage.play.happenings import waiting_on
from lawmage.play.knowledge import knowledge

__all__ = ["DAMAGE", "LIFE", "POISON", "Fate", "Fighter", "Harm", "What", "by_commander", "harm_on"]

#: A way to lose the game: `life`, `poison` (the words of asp/), or `damage by` a commander; or `damage`, all combat damage to the player.
What: TypeAlias = str
#: What is known of a block: the player has not lost, has lost, or it depends on how damage is divided.
Fate: TypeAlias = Literal["survives", "loses", "unsure"]

LIFE, POISON, DAMAGE = "life", "poison", "damage"


def by_commander(name: str) -> What:
    """Return what combat damage by a commander counts towards (903.10a)."""
    return f"damage by {name}"


@dataclass(slots=True)
class Fighter:
    """What one creature does and endures in combat damage steps: see the programs."""

    name: str
    first: int = 0
    regular: int = 0
    lethal: int = 0
    sickens: int = 0
    deadly: bool = False
    stays: bool = False
    spills: bool = False
    heals: bool = False
    poisons: bool = False
    leads: bool = False

    @property
    def total(self) -> int:
        """The damage of both steps."""
        return self.first + self.regular

    @property
    def steps(self) -> int:
        """The number of steps in which it deals damage."""
        return (self.first > 0) + (self.regular > 0)

    def needs(self, striker: Fighter) -> int:
        """Return how much damage by `striker` is lethal to it (510.1c, 702.2c)."""
        return min(self.lethal, 1) if striker.deadly else self.lethal

    def counted(self, amount: int) -> dict[What, int]:
        """Return what `amount` of damage by it counts towards, without the counters that come with any damage."""
        return {DAMAGE: amount, POISON if self.poisons else LIFE: amount} | ({by_commander(self.name): amount} if self.leads else {})

    def unblocked(self) -> Counter[What]:
        """Return what it does where nothing blocks it."""
        return Counter(self.counted(self.total)) + Counter({POISON: self.sickens * self.steps})

    def felled(self, blockers: Iterable[Fighter]) -> bool:
        """Tell whether `blockers` destroy it in the first of two steps."""
        hits = [one for one in blockers if one.first]
        return not self.stays and (any(one.deadly for one in hits) or sum(one.first for one in hits) >= self.lethal)

    def through(self, blockers: list[Fighter]) -> tuple[int, int]:
        """Return the damage that it deals the player in each step at most, where `blockers` block it and no other attacker."""
        if not blockers:
            return self.first, self.regular
        if not self.spills:
            return 0, 0
        asks = sum(one.needs(self) for one in blockers)
        first = max(0, self.first - asks)
        # 702.19b: what has been assigned in the first step need not be assigned again.
        return first, 0 if self.felled(blockers) else max(0, self.total - asks) - first


@dataclass(frozen=True, slots=True)
class Harm:
    """The creatures of a board in numbers.

    Attributes:
        fighters: all creatures, by name.
        limits: of what the player must not reach so much.
        unsettled: why the numbers are not all that matters.
        asks: what something on the board asks about: `attackers`, `blockers`, `tapping` (see asp/506-changing.lp).
    """

    fighters: Mapping[str, Fighter]
    limits: Mapping[What, int]
    unsettled: frozenset[str]
    asks: frozenset[str]

    def kills(self, done: Mapping[What, int]) -> bool:
        """Tell whether the player loses by what is `done`."""
        return any(done.get(what, 0) >= limit for what, limit in self.limits.items())

    def lets_through(self, attacker: str, block: Mapping[str, Iterable[str]], what: What) -> int:
        """Return how much of `what` an attacker does at most under a block, less the life that is gained for certain by blocking it."""
        one = self.fighters[attacker]
        blockers = [name for name, blocked in block.items() if attacker in blocked]
        if not blockers:
            return one.unblocked()[what]
        if one.spills and any(len(tuple(block[name])) > 1 for name in blockers):
            first, regular = one.first, one.regular
        else:
            first, regular = one.through([self.fighters[name] for name in blockers])
        sick = one.sickens * ((first > 0) + (regular > 0)) if what == POISON else 0
        healers = [self.fighters[name] for name in blockers if self.fighters[name].heals and len(tuple(block[name])) == 1]
        gained = sum(blocker.total for blocker in healers) if what == LIFE and not self.two_steps else 0
        return one.counted(first + regular).get(what, 0) + sick - gained

    @property
    def two_steps(self) -> bool:
        """Whether there may be two combat damage steps."""
        return any(one.first for one in self.fighters.values())

    def fate(self, attackers: Iterable[str], block: Mapping[str, Iterable[str]]) -> Fate:
        """Return what a block comes to, where `attackers` attack the player and damage is divided as is worst for them."""
        return self._counted(attackers, block).fate(self)

    def damage(self, attackers: Iterable[str], block: Mapping[str, Iterable[str]]) -> tuple[int, int]:
        """Return between what lies the combat damage that `attackers` do to the player under a block, where they are out for that."""
        count = self._counted(attackers, block)
        return count.least[DAMAGE], count.most[DAMAGE]

    def _counted(self, attackers: Iterable[str], block: Mapping[str, Iterable[str]]) -> _Count:
        count = _Count()
        blockers: defaultdict[str, list[Fighter]] = defaultdict(list)
        for name, blocked in block.items():
            for attacker in blocked:
                blockers[attacker].append(self.fighters[name])
        shared = {name for name, blocked in block.items() if len(tuple(blocked)) > 1}
        for name in attackers:
            one, those = self.fighters[name], blockers[name]
            least = one.through(those)
            # Damage that others assign to a shared blocker counts as well (702.19b).
            loose = one.spills and any(blocker.name in shared for blocker in those)
            count.add(one, least, (one.first, one.regular) if loose else least)
        two_steps = self.two_steps
        for name in block:
            one = self.fighters[name]
            if one.heals:
                # Who is destroyed in the first step gains nothing in the second, and neither does who blocks what is.
                count.gain(one.first, one.regular, 0 if two_steps else one.regular)
        return count


@dataclass(slots=True)
class _Count:
    """What attackers do at least and at most where they are out to kill, and life that is gained."""

    least: Counter[What] = field(default_factory=Counter)
    most: Counter[What] = field(default_factory=Counter)
    first_least: Counter[What] = field(default_factory=Counter)
    first_most: Counter[What] = field(default_factory=Counter)
    gained_first: int = 0
    gained_most: int = 0
    gained_least: int = 0

    def add(self, one: Fighter, least: tuple[int, int], most: tuple[int, int]) -> None:
        for (first, regular), in_first, in_all in ((least, self.first_least, self.least), (most, self.first_most, self.most)):
            in_first.update(one.counted(first))
            in_all.update(one.counted(first + regular))
            in_all[POISON] += one.sickens * ((first > 0) + (regular > 0))

    def gain(self, first: int, most: int, least: int) -> None:
        self.gained_first += first
        self.gained_most += first + most
        self.gained_least += first + least

    def fate(self, harm: Harm) -> Fate:
        def lost(first: Counter[What], all_: Counter[What], gained: int) -> bool:
            early = {**first, LIFE: first[LIFE] - self.gained_first}
            return harm.kills(early) or harm.kills({**all_, LIFE: all_[LIFE] - gained})

        if lost(self.first_least, self.least, self.gained_most):
            return "loses"
        return "unsure" if lost(self.first_most, self.most, self.gained_least) else "survives"


def harm_on(scenario: Scenario, player: str) -> Harm:
    """Return the numbers of the board of `scenario`, on which attackers have been declared, for the defending player `player`.

    Raises:
        InputError: as `lawmage.play.judge`.
        UndecidedError: where something that could matter is not understood or open.
    """
    combat = begin(scenario, knowledge(), "outcome")
    problem = combat.problem
    # What triggers on damage resolves after the player has lost by it (704.3), where there is no other step, and nothing happens before.
    later = {one.text for one in waiting_on(scenario.board, combat.reading)}
    if not later.issuperset(problem.not_understood()) or (later and _costs(combat)):
        raise UndecidedError(f"not understood: {'; '.join(problem.not_understood())}")
    if problem.base.conditions:
        raise UndecidedError(f"the board does not say whether {', nor whether '.join(problem.base.conditions.values())}")
    facts = problem.facts()
    problem.add_state(facts)
    for number in problem.base.numbers.values():
        facts.add("fights", number)
    fighters: dict[str, Fighter] = {}
    limits: dict[What, int] = {}
    unsettled, asks = set(), set()
    for atom in problem.run("harm", facts):
        first = atom.arguments[0]
        match atom.name, atom.arguments[1:]:
            case "unsettled", _:
                unsettled.add(first.name)
                continue
            case "turns_on" | "overlooked", _:
                asks.add(first.name)
                continue
            case "limit", [what, amount]:
                if problem.name(first) == player:
                    commander = problem.name(what)
                    limits[by_commander(commander) if commander else what.name] = amount.number
                continue
        fighter = fighters.setdefault(problem.name(first), Fighter(problem.name(first)))
        match atom.name, atom.arguments[1:]:
            case "strikes", [when, amount]:
                setattr(fighter, when.name, amount.number)
            case "lethal" | "sickens", [amount]:
                setattr(fighter, atom.name, amount.number)
            case word, _:
                setattr(fighter, word, True)
    waiting = {trigger.keyword for trigger in combat.known.triggers}
    unsettled |= {use[0] for use in problem.base.uses if use[0] in waiting}
    for one in fighters.values():
        # A creature that does not die of damage that any amount of is lethal may have to be assigned it twice.
        if one.lethal <= 0 or (one.spills and one.deadly and one.first and one.regular):
            unsettled.add(one.name)
    harm = Harm(fighters, limits, frozenset(unsettled), frozenset(asks))
    if later and (harm.unsettled or harm.two_steps):
        raise UndecidedError(f"not understood: {'; '.join(problem.not_understood())}")
    return harm


def _costs(combat: Combat) -> bool:
    """Return whether something on the board has to be paid for: what is paid may make abilities trigger."""
    said = (*combat.reading.objects, *combat.reading.effects)
    return any(combat.known.kinds[state.kind].group == "cost" for holder in said for state in holder.states)
