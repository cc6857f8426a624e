"""A brute force for declaring blockers, in plain Python.

Written from the rulebook alone (509.1a-c, 506.5, 802.4, 702) to be compared with what lawmage proves. It knows nothing of the
knowledge base, of the solver's programs or of the reading of card text: a board here is made of objects that mean one thing
each, and `to_scenario` writes the same board down in words, as a scenario.

It is slow on purpose: every declaration is listed, every restriction is asked about every declaration, and obeyed requirements
are counted one by one.
"""

# Every restriction is asked the same question, whatever it needs for the answer.
# ruff: noqa: ARG002

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any, ClassVar, TypeAlias

__all__ = [
    "AllBlock",
    "AllMustBlock",
    "AllOrNone",
    "Blocks",
    "BlocksAttacker",
    "BlocksIfAble",
    "Board",
    "CanBeBlockedAsThoughWithout",
    "CanBlockAsThough",
    "CanBlockMore",
    "CanBlockOnly",
    "CanBlockWhileTapped",
    "CannotBeBlocked",
    "CannotBeBlockedBy",
    "CannotBlock",
    "CannotBlockAlone",
    "CannotBlockThem",
    "CannotBlockUnlessGreaterPower",
    "CannotBlockUnlessOthers",
    "CannotBlockUnlessPaid",
    "Change",
    "Creature",
    "Filter",
    "Gets",
    "HasKeyword",
    "Judgement",
    "Land",
    "LesserPowerCannotBlock",
    "MaximumBlockers",
    "MaximumBlockersForStrong",
    "MaximumTotal",
    "MinimumBlockers",
    "MustBeBlocked",
    "OnlyBlockedBy",
    "Requirement",
    "Restriction",
    "Statement",
    "View",
    "count",
    "counts",
    "every_creature",
    "judge",
    "keyword_rules_broken",
    "legal_declarations",
    "maximum",
    "requirements_obeyed",
    "restrictions_broken",
    "to_scenario",
    "unrestricted",
]

#: Who blocks what. Creatures that don't block are not in it.
Blocks: TypeAlias = Mapping[str, frozenset[str]]

COLORS = ("white", "blue", "black", "red", "green")
#: The plural of the subtypes used here, as protection names them.
PLURALS = {"Dragons": "Dragon", "Elves": "Elf", "Goblins": "Goblin", "Walls": "Wall"}
WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature. `attacking` is the player or planeswalker it attacks; `counters` is its number of +1/+1 counters."""

    name: str
    controller: str = "D"
    base_power: int = 2
    toughness: int = 2
    colors: frozenset[str] = frozenset()
    artifact: bool = False
    subtypes: frozenset[str] = frozenset()
    keywords: tuple[str, ...] = ()
    tapped: bool = False
    counters: int = 0
    attacking: str | None = None

    @property
    def power(self) -> int:
        return self.base_power + self.counters


#: 205.3i, 305.6.
BASIC_LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest"})


@dataclass(frozen=True, slots=True)
class Land:
    """A land."""

    name: str
    controller: str
    subtypes: frozenset[str] = frozenset()
    supertypes: frozenset[str] = frozenset()
    artifact: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A description of creatures: `kind` is one of those in `describes`."""

    kind: str
    value: str = ""
    number: int = 0

    def describes(self, creature: Creature) -> bool:
        match self.kind:
            case "any":
                return True
            case "color":
                return self.value in creature.colors
            case "not color":
                return self.value not in creature.colors
            case "artifact":
                return creature.artifact
            case "subtype":
                return self.value in creature.subtypes
            case "not subtype":
                return self.value not in creature.subtypes
            case "keyword":
                return self.value in creature.keywords
            case "no keyword":
                return self.value not in creature.keywords
            case "power at least":
                return creature.power >= self.number
            case "power at most":
                return creature.power <= self.number
        raise ValueError(self.kind)

    @property
    def plural(self) -> str:
        """As cards write it: `creatures with flying`."""
        match self.kind:
            case "color" | "artifact":
                return f"{self.value or 'artifact'} creatures"
            case "not color":
                return f"non{self.value} creatures"
            case "subtype":
                return next(plural for plural, singular in PLURALS.items() if singular == self.value)
            case "not subtype":
                return f"non-{self.value} creatures"
        return f"creatures{self._qualities}"

    @property
    def singular(self) -> str:
        """As cards write it: `a creature with flying`."""
        match self.kind:
            case "color" | "artifact":
                words = f"{self.value or 'artifact'} creature"
            case "not color":
                words = f"non{self.value} creature"
            case "subtype":
                words = self.value
            case "not subtype":
                words = f"non-{self.value} creature"
            case _:
                words = f"creature{self._qualities}"
        return f"{'an' if words[0] in 'aeiouAEIOU' else 'a'} {words}"

    @property
    def _qualities(self) -> str:
        match self.kind:
            case "keyword":
                return f" with {self.value}"
            case "no keyword":
                return f" without {self.value}"
            case "power at least":
                return f" with power {self.number} or greater"
            case "power at most":
                return f" with power {self.number} or less"
        return ""


def every_creature() -> Filter:
    """Return the filter that describes every creature."""
    return Filter("any")


@dataclass(frozen=True, slots=True)
class View:
    """All that counts for one defending player: their creatures, and what attacks them or their planeswalkers (802.4a, b)."""

    board: Board
    player: str
    creatures: dict[str, Creature]
    attackers: dict[str, Creature]
    blockers: dict[str, Creature]

    def blocking(self, attacker: str, blocks: Blocks) -> list[Creature]:
        """The creatures that block `attacker`."""
        return [self.blockers[name] for name, blocked in blocks.items() if attacker in blocked]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence. `on` is the creature whose text it is, or the creature that an effect names if `by_effect`."""

    on: str
    by_effect: bool = field(default=False, kw_only=True)

    @property
    def sentence(self) -> str:
        raise NotImplementedError

    @property
    def effect(self) -> str | None:
        """The sentence as a spell says it of a target, or None where it is always on a permanent."""
        return None

    @property
    def affects(self) -> list[str]:
        return [self.on]


class Restriction(Statement):
    """509.1b: what makes a declaration illegal. `pairwise`: it speaks of one creature blocking one attacker."""

    __slots__ = ()
    pairwise: ClassVar[bool] = False

    def broken(self, view: View, blocks: Blocks) -> bool:
        raise NotImplementedError


class Requirement(Statement):
    """509.1c: what a declaration obeys or not. One statement may state several requirements."""

    __slots__ = ()

    def obeyed(self, view: View, blocks: Blocks) -> int:
        raise NotImplementedError


class Change(Statement):
    """613: what a creature is. On a permanent it is said of all creatures of its controller."""

    __slots__ = ()

    def apply(self, creature: Creature) -> Creature:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class HasKeyword(Change):
    keyword: str

    def apply(self, creature: Creature) -> Creature:
        return replace(creature, keywords=(*creature.keywords, self.keyword))

    @property
    def sentence(self) -> str:
        return f"Creatures you control have {self.keyword}."

    @property
    def effect(self) -> str:
        return f"Target creature gains {self.keyword} until end of turn."


@dataclass(frozen=True, slots=True)
class Gets(Change):
    number: int

    def apply(self, creature: Creature) -> Creature:
        return replace(creature, base_power=creature.base_power + self.number, toughness=creature.toughness + self.number)

    @property
    def sentence(self) -> str:
        return f"Creatures you control get +{self.number}/+{self.number}."

    @property
    def effect(self) -> str:
        return f"Target creature gets +{self.number}/+{self.number} until end of turn."


# Restrictions on the creature that blocks


@dataclass(frozen=True, slots=True)
class CannotBlock(Restriction):
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return self.on in blocks

    @property
    def sentence(self) -> str:
        return "This creature can't block."

    @property
    def effect(self) -> str:
        return "Target creature can't block this turn."


@dataclass(frozen=True, slots=True)
class CannotBlockThem(Restriction):
    """This creature can't block F."""

    whom: Filter
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return any(self.whom.describes(view.attackers[name]) for name in blocks.get(self.on, ()))

    @property
    def sentence(self) -> str:
        return f"This creature can't block {self.whom.plural}."


@dataclass(frozen=True, slots=True)
class CanBlockOnly(Restriction):
    """This creature can block only F."""

    whom: Filter
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return not all(self.whom.describes(view.attackers[name]) for name in blocks.get(self.on, ()))

    @property
    def sentence(self) -> str:
        return f"This creature can block only {self.whom.plural}."


@dataclass(frozen=True, slots=True)
class CannotBlockAlone(Restriction):
    """506.5: a creature blocks alone if it is the only creature declared as a blocker, whatever it blocks."""

    def broken(self, view: View, blocks: Blocks) -> bool:
        return set(blocks) == {self.on}

    @property
    def sentence(self) -> str:
        return "This creature can't block alone."


@dataclass(frozen=True, slots=True)
class CannotBlockUnlessOthers(Restriction):
    """This creature can't block unless at least N others block."""

    number: int

    def broken(self, view: View, blocks: Blocks) -> bool:
        return self.on in blocks and len(blocks) - 1 < self.number

    @property
    def sentence(self) -> str:
        return f"This creature can't block unless at least {WORDS[self.number]} other creatures block."


@dataclass(frozen=True, slots=True)
class CannotBlockUnlessGreaterPower(Restriction):
    def broken(self, view: View, blocks: Blocks) -> bool:
        own = view.blockers[self.on].power if self.on in blocks else 0
        return self.on in blocks and not any(view.blockers[name].power > own for name in blocks)

    @property
    def sentence(self) -> str:
        return "This creature can't block unless a creature with greater power also blocks."


@dataclass(frozen=True, slots=True)
class CannotBlockUnlessPaid(Statement):
    """A cost to block (509.1d). Whether it was paid is said by `judge`, so it is neither of the other two."""

    mana: int

    @property
    def sentence(self) -> str:
        return f"This creature can't block unless you pay {{{self.mana}}}."


@dataclass(frozen=True, slots=True)
class MaximumTotal(Restriction):
    """No more than N creatures can block each combat, counted for each defending player (802.4b)."""

    number: int

    def broken(self, view: View, blocks: Blocks) -> bool:
        return len(blocks) > self.number

    @property
    def sentence(self) -> str:
        return f"No more than {WORDS[self.number]} creature{'s' if self.number > 1 else ''} can block each combat."


# Restrictions on the creature that is blocked


@dataclass(frozen=True, slots=True)
class CannotBeBlocked(Restriction):
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return bool(view.blocking(self.on, blocks))

    @property
    def sentence(self) -> str:
        return "This creature can't be blocked."

    @property
    def effect(self) -> str:
        return "Target creature can't be blocked this turn."


@dataclass(frozen=True, slots=True)
class CannotBeBlockedBy(Restriction):
    """This creature can't be blocked by F."""

    whom: Filter
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return any(self.whom.describes(creature) for creature in view.blocking(self.on, blocks))

    @property
    def sentence(self) -> str:
        return f"This creature can't be blocked by {self.whom.plural}."


@dataclass(frozen=True, slots=True)
class OnlyBlockedBy(Restriction):
    """This creature can't be blocked except by F."""

    whom: Filter
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        return not all(self.whom.describes(creature) for creature in view.blocking(self.on, blocks))

    @property
    def sentence(self) -> str:
        return f"This creature can't be blocked except by {self.whom.plural}."


@dataclass(frozen=True, slots=True)
class LesserPowerCannotBlock(Restriction):
    """Creatures with power less than this creature's power can't block it, or any creature of its controller if `team`."""

    team: bool = False
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, blocks: Blocks) -> bool:
        own = view.creatures[self.on]
        protected = [name for name, a in view.attackers.items() if name == self.on or (self.team and a.controller == own.controller)]
        return any(creature.power < own.power for name in protected for creature in view.blocking(name, blocks))

    @property
    def sentence(self) -> str:
        whom = "creatures you control" if self.team else "it"
        return f"Creatures with power less than this creature's power can't block {whom}."


@dataclass(frozen=True, slots=True)
class MinimumBlockers(Restriction):
    """This creature can't be blocked except by N or more creatures."""

    number: int

    def broken(self, view: View, blocks: Blocks) -> bool:
        return 0 < len(view.blocking(self.on, blocks)) < self.number

    @property
    def sentence(self) -> str:
        return f"This creature can't be blocked except by {WORDS[self.number]} or more creatures."


@dataclass(frozen=True, slots=True)
class MaximumBlockers(Restriction):
    """This creature can't be blocked by more than N creatures."""

    number: int

    def broken(self, view: View, blocks: Blocks) -> bool:
        return len(view.blocking(self.on, blocks)) > self.number

    @property
    def sentence(self) -> str:
        return f"This creature can't be blocked by more than {WORDS[self.number]} creature{'s' if self.number > 1 else ''}."


@dataclass(frozen=True, slots=True)
class MaximumBlockersForStrong(Restriction):
    """Each creature you control with power P or greater can't be blocked by more than one creature."""

    power: int

    def broken(self, view: View, blocks: Blocks) -> bool:
        own = view.creatures[self.on]
        strong = [name for name, a in view.attackers.items() if a.controller == own.controller and a.power >= self.power]
        return any(len(view.blocking(name, blocks)) > 1 for name in strong)

    @property
    def sentence(self) -> str:
        return f"Each creature you control with power {self.power} or greater can't be blocked by more than one creature."


@dataclass(frozen=True, slots=True)
class AllOrNone(Restriction):
    """Tapped creatures are creatures that the defending player controls, and they don't block."""

    def broken(self, view: View, blocks: Blocks) -> bool:
        blocking = view.blocking(self.on, blocks)
        return bool(blocking) and len(blocking) < len(view.blockers)

    @property
    def sentence(self) -> str:
        return "This creature can't be blocked unless all creatures defending player controls block it."


# Permissions


@dataclass(frozen=True, slots=True)
class CanBlockMore(Statement):
    """This creature can block `number` additional creatures, or any number of creatures if None."""

    number: int | None

    @property
    def _what(self) -> str:
        match self.number:
            case None:
                return "any number of creatures"
            case 1:
                return "an additional creature"
        return f"an additional {WORDS[self.number]} creatures"

    @property
    def sentence(self) -> str:
        return f"This creature can block {self._what}{'' if self.number is None else ' each combat'}."

    @property
    def effect(self) -> str:
        return f"Target creature can block {self._what} this turn."


@dataclass(frozen=True, slots=True)
class CanBlockAsThough(Statement):
    """This creature can block F as though it had a keyword (609.4)."""

    whom: Filter
    keyword: str

    @property
    def sentence(self) -> str:
        return f"This creature can block {self.whom.plural} as though it had {self.keyword}."


@dataclass(frozen=True, slots=True)
class CanBeBlockedAsThoughWithout(Statement):
    """Any creature with the keyword can be blocked as though it didn't have it (609.4)."""

    keyword: str

    @property
    def sentence(self) -> str:
        return f"Creatures with {self.keyword} can be blocked as though they didn't have {self.keyword}."


@dataclass(frozen=True, slots=True)
class CanBlockWhileTapped(Statement):
    """Tapped creatures of its controller can block as though they were untapped (609.4)."""

    @property
    def sentence(self) -> str:
        return "Tapped creatures you control can block as though they were untapped."


# Requirements


@dataclass(frozen=True, slots=True)
class BlocksIfAble(Requirement):
    def obeyed(self, view: View, blocks: Blocks) -> int:
        return self.on in blocks

    @property
    def sentence(self) -> str:
        return "This creature blocks each combat if able."

    @property
    def effect(self) -> str:
        return "Target creature blocks this turn if able."


@dataclass(frozen=True, slots=True)
class BlocksAttacker(Requirement):
    """A spell or ability said of `on`: it blocks `attacker` if able."""

    attacker: str

    def obeyed(self, view: View, blocks: Blocks) -> int:
        return self.attacker in blocks.get(self.on, ())

    @property
    def sentence(self) -> str:
        raise NotImplementedError

    @property
    def effect(self) -> str:
        return f"{self.on} blocks {self.attacker} this turn if able."


@dataclass(frozen=True, slots=True)
class AllBlock(Requirement):
    """All creatures block each combat if able: one requirement for each creature."""

    def obeyed(self, view: View, blocks: Blocks) -> int:
        return len(blocks)

    @property
    def sentence(self) -> str:
        return "All creatures block each combat if able."


@dataclass(frozen=True, slots=True)
class MustBeBlocked(Requirement):
    """This creature must be blocked (by F; by N or more; by exactly N) if able: one requirement."""

    by: Filter = field(default_factory=every_creature)
    number: int = 1
    exactly: bool = False

    def obeyed(self, view: View, blocks: Blocks) -> int:
        blocking = sum(self.by.describes(creature) for creature in view.blocking(self.on, blocks))
        return blocking == self.number if self.exactly else blocking >= self.number

    @property
    def _by(self) -> str:
        if self.exactly:
            return f" by exactly {WORDS[self.number]} creature{'s' if self.number > 1 else ''}"
        if self.number > 1:
            return f" by {WORDS[self.number]} or more creatures"
        return "" if self.by == every_creature() else f" by {self.by.singular}"

    @property
    def sentence(self) -> str:
        return f"This creature must be blocked{self._by} if able."

    @property
    def effect(self) -> str | None:
        return None if self._by else "Target creature must be blocked this turn if able."


@dataclass(frozen=True, slots=True)
class AllMustBlock(Requirement):
    """All creatures (F) able to block this creature do so: one requirement for each creature."""

    by: Filter = field(default_factory=every_creature)

    def obeyed(self, view: View, blocks: Blocks) -> int:
        return sum(self.by.describes(creature) for creature in view.blocking(self.on, blocks))

    @property
    def sentence(self) -> str:
        return f"All {self.by.plural} able to block this creature do so."

    @property
    def effect(self) -> str:
        return f"All {self.by.plural} able to block target creature this turn do so."


@dataclass(frozen=True, slots=True)
class Board:
    """What blockers are declared on. Players are A, who attacks, D and, if they control something or are attacked, E.

    `mana` is how much colorless mana D has to pay with, or None if the board doesn't say.
    """

    creatures: tuple[Creature, ...]
    statements: tuple[Statement, ...] = ()
    lands: tuple[Land, ...] = ()
    planeswalkers: tuple[tuple[str, str], ...] = ()
    mana: int | None = None

    @property
    def players(self) -> list[str]:
        controlling = {creature.controller for creature in self.creatures} | {land.controller for land in self.lands}
        attacked = {creature.attacking for creature in self.creatures} - {name for name, _ in self.planeswalkers}
        return sorted(
            {"A", "D"} | controlling | {player for _, player in self.planeswalkers} | {player for player in attacked if player is not None}
        )

    @property
    def defending_players(self) -> list[str]:
        """Who declares blockers: who is attacked, and D where there is nobody else who could be."""
        attacked = dict(self.planeswalkers)
        players = {attacked.get(c.attacking, c.attacking) for c in self.creatures if c.attacking is not None}
        return sorted(players) if "E" in self.players else ["D"]

    def view(self, player: str) -> View:
        """All that counts for `player`'s declaration."""
        attacked = {player, *(name for name, controller in self.planeswalkers if controller == player)}
        creatures = self.changed_creatures()
        return View(
            self,
            player,
            creatures,
            {name: creature for name, creature in creatures.items() if creature.attacking in attacked},
            {name: creature for name, creature in creatures.items() if creature.controller == player},
        )

    def changed_creatures(self) -> dict[str, Creature]:
        """The creatures as changes make them."""
        creatures = {creature.name: creature for creature in self.creatures}
        for change in (statement for statement in self.statements if isinstance(statement, Change)):
            team = creatures[change.on].controller
            for name, creature in creatures.items():
                if name == change.on if change.by_effect else creature.controller == team:
                    creatures[name] = change.apply(creature)
        return creatures


# Keywords, by the rule that says what each does


def protected_from(quality: str, creature: Creature) -> bool:
    """702.16: whether `creature` has the quality."""
    match quality:
        case "everything" | "creatures":
            return True
        case "artifacts":
            return creature.artifact
        case "all colors":
            return bool(creature.colors)
        case "multicolored":
            return len(creature.colors) > 1
        case "monocolored":
            return len(creature.colors) == 1
    if quality in COLORS:
        return quality in creature.colors
    return PLURALS[quality] in creature.subtypes


def tapped_for(lands: Iterable[Land], player: str) -> int:
    """305.6: how much mana `player` gets from untapped lands with a basic land type, one each."""
    return sum(land.controller == player and not BASIC_LAND_TYPES.isdisjoint(land.subtypes) for land in lands)


def walks_past(keyword: str, land: Land) -> bool:
    """702.14c: whether `land` is of the kind that a landwalk ability names."""
    *qualities, kind = keyword.removesuffix("walk").split()
    has = {*land.supertypes, *(["artifact"] if land.artifact else [])}
    return (kind == "land" or kind in {subtype.lower() for subtype in land.subtypes}) and all(
        quality.removeprefix("non") not in has if quality.startswith("non") else quality in has for quality in qualities
    )


def keyword_rules_broken(view: View, attacker: Creature, blocker: Creature) -> set[str]:
    """Return the numbers of the rules under which `blocker` can't block `attacker`, from keywords alone."""
    has, of = set(attacker.keywords), set(blocker.keywords)
    for statement in view.board.statements:
        match statement:
            case CanBlockAsThough() if statement.on == blocker.name and statement.whom.describes(attacker):
                of.add(statement.keyword)
            case CanBeBlockedAsThoughWithout():
                has.discard(statement.keyword)
    broken = {
        "702.9b": "flying" in has and not of & {"flying", "reach"},
        "702.13b": "intimidate" in has and not (blocker.artifact or attacker.colors & blocker.colors),
        "702.28b": ("shadow" in has) != ("shadow" in of),
        "702.31b": "horsemanship" in has and "horsemanship" not in of,
        "702.36b": "fear" in has and not (blocker.artifact or "black" in blocker.colors),
        "702.118b": "skulk" in has and blocker.power > attacker.power,
        "702.147a": "decayed" in of,
        "702.16f": any(
            protected_from(quality, blocker)
            for k in has
            if k.startswith("protection")
            for quality in k.removeprefix("protection from ").split(" and from ")
        ),
        "702.14c": any(
            walks_past(k, land) for k in has if k.endswith("walk") for land in view.board.lands if land.controller == view.player
        ),
    }
    return {rule for rule, is_broken in broken.items() if is_broken}


# The verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is true of one declaration by one player.

    Attributes:
        restrictions: the rule numbers of the restrictions it breaks; 509.1b for those that sentences state.
        obeyed: how many requirements it obeys.
        maximum: how many any declaration can obey that breaks no restriction and needs no payment.
    """

    restrictions: frozenset[str]
    obeyed: int
    maximum: int

    @property
    def legal(self) -> bool:
        return not self.restrictions and self.obeyed >= self.maximum


def restrictions_broken(view: View, blocks: Blocks, paid: bool, *, only_pairwise: bool = False) -> frozenset[str]:
    """Return the numbers of the rules that `blocks` breaks. `paid`: whatever must be paid to block has been paid."""
    broken = set()
    for name, attackers in blocks.items():
        blocker = view.blockers[name]
        if blocker.tapped and not any(
            isinstance(s, CanBlockWhileTapped) and view.creatures[s.on].controller == view.player for s in view.board.statements
        ):
            broken.add("509.1a")
        for attacker in attackers:
            broken |= keyword_rules_broken(view, view.attackers[attacker], blocker)
    for statement in view.board.statements:
        match statement:
            case Restriction():
                if (statement.pairwise or not only_pairwise) and statement.broken(view, blocks):
                    broken.add("509.1b")
            case CannotBlockUnlessPaid() if statement.on in blocks and not paid:
                broken.add("509.1b")
    if only_pairwise:
        return frozenset(broken)
    price = sum(s.mana for s in view.board.statements if isinstance(s, CannotBlockUnlessPaid) and s.on in blocks)
    if paid and view.player == "D" and view.board.mana is not None and price > view.board.mana + tapped_for(view.board.lands, "D"):
        broken.add("118.3")
    for name, attackers in blocks.items():
        more = [s.number for s in view.board.statements if isinstance(s, CanBlockMore) and s.on == name]
        if None not in more and len(attackers) > 1 + sum(number or 0 for number in more):
            broken.add("509.1a")
    for name, creature in view.attackers.items():
        if "menace" in creature.keywords and len(view.blocking(name, blocks)) == 1:
            broken.add("702.111b")
    return frozenset(broken)


def requirements_obeyed(view: View, blocks: Blocks) -> int:
    """Return how many requirements `blocks` obeys; equal requirements from several sources count once each."""
    return sum(s.obeyed(view, blocks) for s in view.board.statements if isinstance(s, Requirement))


def unrestricted(view: View, paid: bool) -> Iterator[Blocks]:
    """Yield every declaration that breaks no restriction. A pair that can never be is left out before the rest is listed."""
    choices: list[list[tuple[str, frozenset[str]]]] = []
    for name in view.blockers:
        able = [a for a in view.attackers if not restrictions_broken(view, {name: frozenset({a})}, paid, only_pairwise=True)]
        more = [s.number for s in view.board.statements if isinstance(s, CanBlockMore) and s.on == name]
        most = len(able) if None in more else 1 + sum(number or 0 for number in more)
        choices.append([(name, frozenset(some)) for size in range(most + 1) for some in combinations(able, size)])
    for chosen in product(*choices):
        blocks = {name: attackers for name, attackers in chosen if attackers}
        if not restrictions_broken(view, blocks, paid):
            yield blocks


def legal_declarations(board: Board, player: str = "D") -> list[Blocks]:
    """Return every legal declaration of `player`, whether or not something must be paid for it."""
    view = board.view(player)
    most = maximum(view)
    return [blocks for blocks in unrestricted(view, paid=True) if requirements_obeyed(view, blocks) >= most]


def maximum(view: View) -> int:
    """Return the most requirements that a declaration can obey that breaks no restriction and costs nothing (509.1c)."""
    return max(requirements_obeyed(view, blocks) for blocks in unrestricted(view, paid=False))


def counts(board: Board) -> dict[str, int]:
    """Return how many legal declarations each defending player has."""
    return {player: len(legal_declarations(board, player)) for player in board.defending_players}


def count(board: Board) -> int:
    """Return how many legal declarations there are, all defending players together."""
    product_of_counts = 1
    for number in counts(board).values():
        product_of_counts *= number
    return product_of_counts


def judge(board: Board, blocks: Mapping[str, frozenset[str]], *, paid: bool = True) -> dict[str, Judgement]:
    """Judge what each defending player declares (802.4b). `paid`: each cost to block has been paid.

    A blocker declared to block an attacker that attacks somebody else breaks 802.4a, and is not asked about the rest.
    """
    judgements = {}
    for player in board.defending_players:
        view = board.view(player)
        own = {name: attackers for name, attackers in blocks.items() if name in view.blockers and attackers}
        if any(attackers - set(view.attackers) for attackers in own.values()):
            judgements[player] = Judgement(frozenset({"802.4a"}), 0, maximum(view))
        else:
            judgements[player] = Judgement(restrictions_broken(view, own, paid), requirements_obeyed(view, own), maximum(view))
    return judgements


# The same board as a scenario file says it


def to_scenario(board: Board, proposals: Mapping[str, Mapping[str, frozenset[str]]]) -> dict[str, Any]:
    """Return the board as a scenario: a mapping in the format of scenario files."""
    costs = {s.on: f"{{{s.mana}}}" for s in board.statements if isinstance(s, CannotBlockUnlessPaid)}
    battlefield: dict[str, Any] = {}
    for creature in board.creatures:
        entry: dict[str, Any] = {"controller": creature.controller, "pt": f"{creature.base_power}/{creature.toughness}"}
        if creature.artifact:
            entry["types"] = ["artifact", "creature"]
        if creature.subtypes:
            entry["subtypes"] = sorted(creature.subtypes)
        if creature.colors:
            entry["colors"] = sorted(creature.colors)
        if creature.keywords:
            entry["keywords"] = list(creature.keywords)
        if creature.tapped:
            entry["tapped"] = True
        if creature.counters:
            entry["counters"] = {"+1/+1": creature.counters}
        if text := "\n".join(s.sentence for s in board.statements if s.on == creature.name and not s.by_effect):
            entry["text"] = text
        battlefield[creature.name] = entry
    for land in board.lands:
        types = ["artifact", "land"] if land.artifact else ["land"]
        battlefield[land.name] = {"controller": land.controller, "types": types, "subtypes": sorted(land.subtypes)}
        battlefield[land.name] |= {"supertypes": sorted(land.supertypes)}
    for name, controller in board.planeswalkers:
        battlefield[name] = {"controller": controller, "types": ["planeswalker"], "loyalty": 4}

    def proposal(blocks: Mapping[str, frozenset[str]]) -> dict[str, Any]:
        listed = {blocker: sorted(attackers) for blocker, attackers in blocks.items()}
        return {b: {"attackers": some, "pay": costs[b]} if b in costs else some for b, some in listed.items()}

    return {
        "lawmage": 1,
        "players": {player: {"mana": f"{{{board.mana}}}"} if player == "D" and board.mana is not None else {} for player in board.players},
        "battlefield": battlefield,
        "effects": [{"controller": "A", "text": s.effect, "affects": s.affects} for s in board.statements if s.by_effect],
        "attack": {creature.name: creature.attacking for creature in board.creatures if creature.attacking is not None},
        "propose": {name: proposal(blocks) for name, blocks in proposals.items()},
    }
