"""A brute force for declaring attackers, in plain Python.

Written from the rulebook alone (118.3, 302.6, 310.9b, 506.2-5, 508.1a-j, 701.15b-d, 702.3, 702.10, 702.22c-d, 802) to be compared with what
lawmage proves. Like the one for blocks it knows nothing of the knowledge base, of the solver's programs or of the reading of card
text: what a statement means is written here, and `to_scenario` writes the same board down in words.

It is slow on purpose: every declaration is listed, every restriction is asked about every declaration, and obeyed requirements
are counted one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, ClassVar, TypeAlias

from . import blocks
from .blocks import WORDS, Creature, Filter, Judgement, Land, Statement, every_creature, tapped_for

__all__ = [
    "AllAttack",
    "AttackAsThoughHasty",
    "AttackAsThoughWithoutDefender",
    "Attacks",
    "AttacksIfAble",
    "AttacksPlayer",
    "AttacksTax",
    "Board",
    "CannotAttack",
    "CannotAttackAlone",
    "CannotAttackPlayer",
    "CannotAttackUnlessControls",
    "CannotAttackUnlessGreaterPower",
    "CannotAttackUnlessHas",
    "CannotAttackUnlessOthers",
    "CannotAttackUnlessPaid",
    "CannotAttackUnlessPaidForCounters",
    "CannotAttackUnlessSuch",
    "CountersTax",
    "CreaturesCannotAttack",
    "CreaturesCannotAttackYou",
    "Goaded",
    "LandTypesTax",
    "MaximumAttackers",
    "MaximumAttackersOfYou",
    "OnlyAttacksAlone",
    "OpponentsAttack",
    "Requirement",
    "Restriction",
    "TeamAttacks",
    "count",
    "judge",
    "legal_declarations",
    "maximum",
    "to_scenario",
    "unrestricted",
]

#: What each attacking creature attacks: a player, planeswalker or battle.
Attacks: TypeAlias = Mapping[str, str]
#: The bands among them.
Bands: TypeAlias = Collection[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Board:
    """What attackers are declared on. A attacks; all other players are A's opponents and defending players (506.2, 802.2).

    Attributes:
        players: in turn order.
        planeswalkers: name and controller of each.
        battles: name, controller and protector of each.
        enchantments: name and controller of each: what has a statement and is nothing else.
        sick: the creatures that came under their controller's control this turn.
        mana: how much mana A has, or None if A has whatever is needed.
        has: how much each player has of what statements ask for.
    """

    creatures: tuple[Creature, ...]
    statements: tuple[Statement, ...] = ()
    players: tuple[str, ...] = ("A", "D")
    lands: tuple[Land, ...] = ()
    planeswalkers: tuple[tuple[str, str], ...] = ()
    battles: tuple[tuple[str, str, str], ...] = ()
    enchantments: tuple[tuple[str, str], ...] = ()
    sick: frozenset[str] = frozenset()
    mana: int | None = None
    has: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def view(self) -> View:
        """Return all that counts for A's declaration."""
        creatures = blocks.Board(self.creatures, self.statements).changed_creatures()
        controllers = {
            **{creature.name: creature.controller for creature in self.creatures},
            **dict(self.planeswalkers),
            **{name: controller for name, controller, _ in self.battles},
            **dict(self.enchantments),
        }
        defended = {player: player for player in self.players} | dict(self.planeswalkers)
        defended |= {name: protector for name, _, protector in self.battles}
        return View(self, creatures, controllers, defended)


@dataclass(frozen=True, slots=True)
class View:
    """A board, the creatures as changes make them, who controls each permanent, and whom an attack on each thing concerns (508.5)."""

    board: Board
    creatures: dict[str, Creature]
    controllers: dict[str, str]
    defended: dict[str, str]

    @property
    def attackers(self) -> dict[str, Creature]:
        """A's creatures, able to attack or not."""
        return {name: creature for name, creature in self.creatures.items() if creature.controller == "A"}

    @property
    def targets(self) -> list[str]:
        """Whom and what A may attack: defending players, their planeswalkers, the battles they protect (506.2, 310.9b, 802.3)."""
        return [target for target, defending in self.defended.items() if defending != "A"]

    def on_player_or_planeswalker(self, target: str, player: str, *, planeswalkers: bool) -> bool:
        """Whether `target` is `player`, or a planeswalker of theirs where `planeswalkers` says that these count too."""
        return target == player or (planeswalkers and (target, player) in self.board.planeswalkers)


# Restrictions (508.1c)


class Restriction(Statement):
    """508.1c: what makes a declaration illegal. `pairwise`: it speaks of one creature and what it attacks."""

    __slots__ = ()
    pairwise: ClassVar[bool] = False

    def broken(self, view: View, attacks: Attacks) -> bool:
        raise NotImplementedError


class Requirement(Statement):
    """508.1d: what a declaration obeys or not. One statement may state several requirements."""

    __slots__ = ()

    def obeyed(self, view: View, attacks: Attacks) -> int:
        raise NotImplementedError


class Cost(Statement):
    """508.1h: what must be paid for some attacks. Nobody has to pay it (508.1d)."""

    __slots__ = ()

    def due(self, view: View, attacker: str, target: str) -> int:
        raise NotImplementedError


def you(planeswalkers: bool) -> str:
    """Return the words for a player, and planeswalkers of theirs."""
    return "you or planeswalkers you control" if planeswalkers else "you"


def capital(words: str) -> str:
    return words[0].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class CannotAttack(Restriction):
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:  # noqa: ARG002
        return self.on in attacks

    @property
    def sentence(self) -> str:
        return "This creature can't attack."

    @property
    def effect(self) -> str:
        return "Target creature can't attack this turn."


@dataclass(frozen=True, slots=True)
class CannotAttackPlayer(Restriction):
    """An effect of `player`'s: the creature can't attack that player (or their planeswalkers)."""

    player: str
    planeswalkers: bool = False
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:
        return self.on in attacks and view.on_player_or_planeswalker(attacks[self.on], self.player, planeswalkers=self.planeswalkers)

    @property
    def effect(self) -> str:
        return f"Target creature can't attack {you(self.planeswalkers)} this turn."


@dataclass(frozen=True, slots=True)
class CreaturesCannotAttack(Restriction):
    """F can't attack, whoever controls them."""

    whom: Filter
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:
        return any(self.whom.describes(view.creatures[name]) for name in attacks)

    @property
    def sentence(self) -> str:
        return capital(f"{self.whom.plural} can't attack.")


@dataclass(frozen=True, slots=True)
class CreaturesCannotAttackYou(Restriction):
    """F can't attack the controller of the permanent that says so (or their planeswalkers)."""

    whom: Filter = field(default_factory=every_creature)
    planeswalkers: bool = False
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:
        own = view.controllers[self.on]
        return any(
            self.whom.describes(view.creatures[name]) and view.on_player_or_planeswalker(target, own, planeswalkers=self.planeswalkers)
            for name, target in attacks.items()
        )

    @property
    def sentence(self) -> str:
        return capital(f"{self.whom.plural} can't attack {you(self.planeswalkers)}.")


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessControls(Restriction):
    """This creature can't attack unless (or if) its controller or the defending player (508.5) controls a land of a kind."""

    defending: bool
    land: str
    unless: bool = True
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:
        if self.on not in attacks:
            return False
        who = view.defended[attacks[self.on]] if self.defending else view.controllers[self.on]
        controls = any(self.land in land.subtypes for land in view.board.lands if land.controller == who)
        return controls != self.unless

    @property
    def sentence(self) -> str:
        who = "defending player controls" if self.defending else "you control"
        article = "an" if self.land[0] in "AEIOU" else "a"
        return f"This creature can't attack {'unless' if self.unless else 'if'} {who} {article} {self.land}."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessHas(Restriction):
    """This creature can't attack unless (or if) a player has so much of something, or so little (119.1, 402.1, 404.1, 122.1f)."""

    who: str
    what: str
    number: int
    most: bool = False
    unless: bool = True
    pairwise: ClassVar[bool] = True

    def broken(self, view: View, attacks: Attacks) -> bool:
        if self.on not in attacks:
            return False
        you = view.controllers[self.on]
        meant = {
            "you have": [you],
            "an opponent has": [player for player in view.board.players if player != you],
            "defending player has": [view.defended[attacks[self.on]]],
            "a player has": list(view.board.players),
        }[self.who]
        held = [view.board.has[player][self.what] for player in meant]
        return any(have <= self.number if self.most else have >= self.number for have in held) != self.unless

    @property
    def sentence(self) -> str:
        words = {
            "life": "life",
            "hand": "cards in hand",
            "graveyard": "cards in your graveyard" if self.who == "you have" else "cards in their graveyard",
            "poison": "poison counters",
        }[self.what]
        number = f"{self.number} or {'less' if self.most else 'more'}"
        return f"This creature can't attack {'unless' if self.unless else 'if'} {self.who} {number} {words}."


@dataclass(frozen=True, slots=True)
class CannotAttackAlone(Restriction):
    """506.5: a creature attacks alone if it is the only creature declared as an attacker, whatever it attacks."""

    def broken(self, view: View, attacks: Attacks) -> bool:  # noqa: ARG002
        return set(attacks) == {self.on}

    @property
    def sentence(self) -> str:
        return "This creature can't attack alone."


@dataclass(frozen=True, slots=True)
class OnlyAttacksAlone(Restriction):
    """506.5, the other way round."""

    def broken(self, view: View, attacks: Attacks) -> bool:  # noqa: ARG002
        return self.on in attacks and len(attacks) > 1

    @property
    def sentence(self) -> str:
        return "This creature can only attack alone."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessOthers(Restriction):
    """This creature can't attack unless at least N others attack, anything (802.3a)."""

    number: int

    def broken(self, view: View, attacks: Attacks) -> bool:  # noqa: ARG002
        return self.on in attacks and len(attacks) - 1 < self.number

    @property
    def sentence(self) -> str:
        return f"This creature can't attack unless at least {WORDS[self.number]} other creatures attack."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessGreaterPower(Restriction):
    def broken(self, view: View, attacks: Attacks) -> bool:
        return self.on in attacks and not any(view.creatures[name].power > view.creatures[self.on].power for name in attacks)

    @property
    def sentence(self) -> str:
        return "This creature can't attack unless a creature with greater power also attacks."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessSuch(Restriction):
    """This creature can't attack unless a creature that F describes also attacks: another one, whatever this creature is."""

    whom: Filter

    def broken(self, view: View, attacks: Attacks) -> bool:
        return self.on in attacks and not any(self.whom.describes(view.creatures[name]) for name in attacks if name != self.on)

    @property
    def sentence(self) -> str:
        return f"This creature can't attack unless {self.whom.singular} also attacks."


@dataclass(frozen=True, slots=True)
class MaximumAttackers(Restriction):
    """No more than N creatures can attack, whomever they attack (802.3a)."""

    number: int

    def broken(self, view: View, attacks: Attacks) -> bool:  # noqa: ARG002
        return len(attacks) > self.number

    @property
    def sentence(self) -> str:
        return f"No more than {WORDS[self.number]} creature{'s' if self.number > 1 else ''} can attack each combat."


@dataclass(frozen=True, slots=True)
class MaximumAttackersOfYou(Restriction):
    """No more than N creatures can attack the controller of the permanent that says so; their planeswalkers are not they."""

    number: int

    def broken(self, view: View, attacks: Attacks) -> bool:
        return list(attacks.values()).count(view.controllers[self.on]) > self.number

    @property
    def sentence(self) -> str:
        return f"No more than {WORDS[self.number]} creature{'s' if self.number > 1 else ''} can attack you each combat."


# Requirements (508.1d)


@dataclass(frozen=True, slots=True)
class AttacksIfAble(Requirement):
    def obeyed(self, view: View, attacks: Attacks) -> int:  # noqa: ARG002
        return self.on in attacks

    @property
    def sentence(self) -> str:
        return "This creature attacks each combat if able."

    @property
    def effect(self) -> str:
        return "Target creature attacks this turn if able."


@dataclass(frozen=True, slots=True)
class AttacksPlayer(Requirement):
    """An effect of `player`'s: the creature attacks that player if able. Attacking a planeswalker of theirs is something else."""

    player: str

    def obeyed(self, view: View, attacks: Attacks) -> int:  # noqa: ARG002
        return attacks.get(self.on) == self.player

    @property
    def effect(self) -> str:
        return "Target creature attacks you this turn if able."


@dataclass(frozen=True, slots=True)
class AllAttack(Requirement):
    """All creatures attack if able: one requirement for each creature of the attacking player."""

    def obeyed(self, view: View, attacks: Attacks) -> int:  # noqa: ARG002
        return len(attacks)

    @property
    def sentence(self) -> str:
        return "All creatures attack each combat if able."


@dataclass(frozen=True, slots=True)
class TeamAttacks(Requirement):
    """F that the controller of the permanent that says so controls attack if able: one requirement for each."""

    whom: Filter = field(default_factory=every_creature)

    def obeyed(self, view: View, attacks: Attacks) -> int:
        own = view.controllers[self.on]
        return sum(self.whom.describes(view.creatures[name]) for name in attacks if view.controllers[name] == own)

    @property
    def sentence(self) -> str:
        return capital(f"{self.whom.plural} you control attack each combat if able.")


@dataclass(frozen=True, slots=True)
class OpponentsAttack(Requirement):
    """Creatures of opponents of the controller of the permanent that says so attack (that player, if `you`) if able: one each."""

    you: bool = False

    def obeyed(self, view: View, attacks: Attacks) -> int:
        own = view.controllers[self.on]
        return sum(not self.you or target == own for name, target in attacks.items() if view.controllers[name] != own)

    @property
    def sentence(self) -> str:
        return f"Creatures your opponents control attack {'you ' if self.you else ''}each combat if able."


@dataclass(frozen=True, slots=True)
class Goaded(Requirement):
    """701.15b: two requirements, to attack and to attack a player who is not `by`. It is goaded, or `by_effect` an effect goads it."""

    by: str

    @property
    def player(self) -> str:
        return self.by

    @property
    def effect(self) -> str:
        return "Goad target creature."

    def obeyed(self, view: View, attacks: Attacks) -> int:
        target = attacks.get(self.on)
        return (target is not None) + (target in view.board.players and target != self.by)


# Costs (508.1h) and permissions


@dataclass(frozen=True, slots=True)
class AttacksTax(Cost):
    """Creatures can't attack the controller of the permanent that says so (or their planeswalkers) unless N is paid for each."""

    mana: int
    planeswalkers: bool = False

    def due(self, view: View, attacker: str, target: str) -> int:  # noqa: ARG002
        return self.mana if view.on_player_or_planeswalker(target, view.controllers[self.on], planeswalkers=self.planeswalkers) else 0

    @property
    def sentence(self) -> str:
        each = "of those creatures" if self.planeswalkers else "creature they control that's attacking you"
        return f"Creatures can't attack {you(self.planeswalkers)} unless their controller pays {{{self.mana}}} for each {each}."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessPaid(Cost):
    mana: int

    def due(self, view: View, attacker: str, target: str) -> int:  # noqa: ARG002
        return self.mana if attacker == self.on else 0

    @property
    def sentence(self) -> str:
        return f"This creature can't attack unless you pay {{{self.mana}}}."


@dataclass(frozen=True, slots=True)
class CannotAttackUnlessPaidForCounters(Cost):
    def due(self, view: View, attacker: str, target: str) -> int:  # noqa: ARG002
        return view.creatures[attacker].counters if attacker == self.on else 0

    @property
    def sentence(self) -> str:
        return "This creature can't attack unless you pay {1} for each +1/+1 counter on it."


@dataclass(frozen=True, slots=True)
class CountersTax(Cost):
    """Creatures with counters can't attack the controller of the permanent that says so unless as much is paid as each has counters."""

    def due(self, view: View, attacker: str, target: str) -> int:
        return view.creatures[attacker].counters if target == view.controllers[self.on] else 0

    @property
    def sentence(self) -> str:
        each = "where X is the number of counters on that creature"
        return f"Each creature with a counter on it can't attack you unless its controller pays {{X}}, {each}."


@dataclass(frozen=True, slots=True)
class LandTypesTax(Cost):
    """Creatures can't attack the controller of the permanent that says so unless as much is paid for each as their lands have types."""

    def due(self, view: View, attacker: str, target: str) -> int:  # noqa: ARG002
        player = view.controllers[self.on]
        types = frozenset().union(*(land.subtypes for land in view.board.lands if land.controller == player))
        return len(types & blocks.BASIC_LAND_TYPES) if target == player else 0

    @property
    def sentence(self) -> str:
        where = "where X is the number of basic land types among lands you control"
        return (
            f"Creatures can't attack you unless their controller pays {{X}} for each creature they control that's attacking you, {where}."
        )


@dataclass(frozen=True, slots=True)
class AttackAsThoughWithoutDefender(Statement):
    """The creature (or each of its controller's, if `team`) can attack as though it didn't have defender (609.4)."""

    team: bool = False

    @property
    def sentence(self) -> str:
        whom, they = ("Creatures you control", "they") if self.team else ("This creature", "it")
        return f"{whom} can attack as though {they} didn't have defender."


@dataclass(frozen=True, slots=True)
class AttackAsThoughHasty(Statement):
    """The creature (or each of its controller's, if `team`) can attack as though it had haste (302.6, 609.4)."""

    team: bool = False

    @property
    def sentence(self) -> str:
        whom, they = ("Creatures you control", "they") if self.team else ("This creature", "it")
        return f"{whom} can attack as though {they} had haste."


# The verdict


def requirements_obeyed(view: View, attacks: Attacks) -> int:
    """Return how many requirements `attacks` obeys.

    Equal requirements of several sources count once each, but goading again by the same player is nothing (701.15d).
    """
    stated = [s for s in view.board.statements if isinstance(s, Requirement)]
    goads = {replace(s, by_effect=False) for s in stated if isinstance(s, Goaded)}
    return sum(s.obeyed(view, attacks) for s in stated if not isinstance(s, Goaded)) + sum(s.obeyed(view, attacks) for s in goads)


def costs(view: View, attacks: Attacks) -> dict[str, int]:
    """Return what must be paid for each of `attacks` that is not free."""
    stated = [s for s in view.board.statements if isinstance(s, Cost)]
    due = {name: sum(s.due(view, name, target) for s in stated) for name, target in attacks.items()}
    return {name: amount for name, amount in due.items() if amount}


def held_back_by_sickness(view: View, creature: Creature) -> bool:
    """302.6, and effects that let it attack all the same."""
    return (
        creature.name in view.board.sick
        and "haste" not in creature.keywords
        and not any(
            s.on == creature.name or (s.team and view.controllers[s.on] == creature.controller)
            for s in view.board.statements
            if isinstance(s, AttackAsThoughHasty)
        )
    )


def held_back_by_defender(view: View, creature: Creature) -> bool:
    """702.3b, and effects that let it attack all the same."""
    return "defender" in creature.keywords and not any(
        s.on == creature.name or (s.team and view.controllers[s.on] == creature.controller)
        for s in view.board.statements
        if isinstance(s, AttackAsThoughWithoutDefender)
    )


def restrictions_broken(view: View, attacks: Attacks, paid: bool, *, only_pairwise: bool = False) -> frozenset[str]:
    """Return the numbers of the rules that `attacks` breaks. `paid`: whatever must be paid is paid, if A has so much."""
    broken = set()
    if not set(attacks.values()) <= set(view.targets):
        # What attacks nothing that may be attacked is not asked about the rest.
        return frozenset({"508.1b"})
    for name in attacks:
        creature = view.creatures[name]
        if creature.tapped:
            broken.add("508.1a")
        if held_back_by_sickness(view, creature):
            broken.add("302.6")
        if held_back_by_defender(view, creature):
            broken.add("702.3b")
    for statement in view.board.statements:
        if isinstance(statement, Restriction) and (statement.pairwise or not only_pairwise) and statement.broken(view, attacks):
            broken.add("508.1c")
    due = sum(costs(view, attacks).values())
    if due and not paid:
        broken.add("508.1j")
    elif view.board.mana is not None and due > view.board.mana + tapped_for(view.board.lands, "A"):
        broken.add("118.3")
    return frozenset(broken)


def unrestricted(view: View, paid: bool) -> Iterator[Attacks]:
    """Yield every declaration that breaks no restriction. A pair that can never be is left out before the rest is listed."""
    choices = [
        [(name, None), *((name, t) for t in view.targets if not restrictions_broken(view, {name: t}, paid, only_pairwise=True))]
        for name in view.attackers
    ]
    for chosen in product(*choices):
        attacks = {name: target for name, target in chosen if target is not None}
        if not restrictions_broken(view, attacks, paid):
            yield attacks


def maximum(view: View) -> int:
    """Return the most requirements that a declaration can obey that breaks no restriction and costs nothing (508.1d)."""
    return max(requirements_obeyed(view, attacks) for attacks in unrestricted(view, paid=False))


def legal_declarations(board: Board) -> list[Attacks]:
    """Return every legal declaration, whether or not something must be paid for it. Bands are not counted."""
    view = board.view()
    most = maximum(view)
    return [attacks for attacks in unrestricted(view, paid=True) if requirements_obeyed(view, attacks) >= most]


def count(board: Board) -> int:
    """Return how many legal declarations there are."""
    return len(legal_declarations(board))


def bands_broken(view: View, attacks: Attacks, bands: Bands) -> frozenset[str]:
    """Return the numbers of the rules that `bands` break: what a band is made of (702.22c), and that it attacks one thing (702.22d)."""
    broken = set()
    for band in bands:
        members = [view.creatures[name] for name in band]
        if not (with_banding(members) or with_bands_with_other(members)):
            broken.add("702.22c")
        if len({attacks[name] for name in band}) > 1:
            broken.add("702.22d")
    if any(sum(name in band for band in bands) > 1 for name in attacks):
        broken.add("702.22c")
    return frozenset(broken)


def with_banding(members: list[Creature]) -> bool:
    """Whether one or more have banding, and at most one has not."""
    having = sum("banding" in creature.keywords for creature in members)
    return having > 0 and len(members) - having <= 1


def with_bands_with_other(members: list[Creature]) -> bool:
    """Whether all have a quality, here a subtype, and one of them has "bands with other" of it."""
    named = {k.removeprefix("bands with other ") for creature in members for k in creature.keywords if k.startswith("bands with other ")}
    return any(all(blocks.PLURALS[plural] in creature.subtypes for creature in members) for plural in named)


def judge(board: Board, attacks: Attacks, bands: Bands = (), *, paid: bool = True) -> Judgement:
    """Judge a declaration. `paid`: each cost to attack has been paid."""
    view = board.view()
    broken = restrictions_broken(view, attacks, paid)
    if "508.1b" not in broken:
        broken |= bands_broken(view, attacks, bands)
    return Judgement(broken, requirements_obeyed(view, attacks), maximum(view))


# The same board as a scenario file says it


def to_scenario(board: Board, proposals: Mapping[str, tuple[Attacks, Bands]], *, paid: bool = True) -> dict[str, Any]:
    """Return the board as a scenario in which whatever the proposals cost is paid, unless `paid` is False."""
    said = tuple(statement for statement in board.statements if statement.by_effect or not isinstance(statement, Goaded))
    scenario = blocks.to_scenario(blocks.Board(board.creatures, said, board.lands, board.planeswalkers), {})
    battlefield = scenario["battlefield"]
    for name, controller, protector in board.battles:
        battlefield[name] = {"controller": controller, "types": ["battle"], "subtypes": ["Siege"], "defense": 4, "protector": protector}
    for name, controller in board.enchantments:
        battlefield[name] = {"controller": controller, "types": ["enchantment"]}
    for name in board.sick:
        battlefield[name]["sick"] = True
    for goad in (statement for statement in board.statements if isinstance(statement, Goaded) and not statement.by_effect):
        holder = battlefield[goad.on]
        holder["goaded_by"] = sorted({goad.by, *holder.get("goaded_by", ())})
    for name, _ in board.planeswalkers + board.enchantments:
        battlefield[name]["text"] = "\n".join(s.sentence for s in said if s.on == name and not s.by_effect)
    view = board.view()

    def proposal(attacks: Attacks, bands: Bands) -> dict[str, Any]:
        due = costs(view, attacks) if paid else {}
        declared: dict[str, Any] = {
            name: {"target": target, "pay": f"{{{due[name]}}}"} if name in due else target for name, target in attacks.items()
        }
        return declared | ({"bands": sorted(map(sorted, bands))} if bands else {})

    players: dict[str, Any] = {player: dict(board.has.get(player, {})) for player in board.players}
    if board.mana is not None:
        players["A"]["mana"] = "{C}" * board.mana or "{0}"
    return {
        "lawmage": 1,
        "players": players,
        "battlefield": battlefield,
        "effects": [{"controller": getattr(s, "player", "A"), "text": s.effect, "affects": s.affects} for s in said if s.by_effect],
        "judge": "attack",
        "propose": {name: proposal(attacks, bands) for name, (attacks, bands) in proposals.items()},
    }
