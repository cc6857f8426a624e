"""The board: what a scenario says, as plain values. `lawmage.scenario` reads it from YAML or JSON.

Objects are named by the file's names (`m`, `b1`); players by theirs (`A`, `D`). Characteristics are lower case, but for
subtypes and names, which keep the capitals of the rulebook; comparisons fold case. Lines are for messages: they are 0 where
there are none, and values that differ in them alone are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lawmage.constraints import Constraint

__all__ = [
    "Attack",
    "BlockChoice",
    "Board",
    "CardText",
    "Effect",
    "Object",
    "Player",
    "Proposal",
    "Scenario",
    "defending_player",
    "defending_players",
]


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `mana` is the pool, or None where it is not stated.

    `extra` holds what else is stated: `poison`, `speed`, `starting_total`, `hand`, `graveyard` (whole numbers; of zones those of cards),
    `counters` (kind to number), `commander_damage` (object id to number), `monarch`, `initiative`, `citys_blessing` (true or false).
    """

    name: str
    life: int = 20
    mana: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardText:
    """What the text of an object's card states, read when the card was imported.

    Attributes:
        card: the card's name, for messages.
        keywords: its keyword abilities as written.
        constraints: what it states; `source` is the sentence, or empty where the text is not installed.
        not_understood: what is not understood: the sentence, or the name of its place, and the judgements that it could bear on.
        triggers: its triggered abilities that trigger as attackers and blockers are declared, named likewise.
        text: the text itself, where it is installed.
        plays: where it is not, what of plays it bears on: `play`, `own play` (of the object itself alone), `mana`.
    """

    card: str
    keywords: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    not_understood: tuple[tuple[str, frozenset[str]], ...] = ()
    triggers: tuple[str, ...] = ()
    text: str = ""
    plays: frozenset[str] = frozenset()


@dataclass(slots=True)  # frozen, one of so many fields would take four times as long to make
class Object:
    """A permanent, or a card in another zone. Nothing changes one: `dataclasses.replace` makes another.

    Attributes:
        id: its name in the file.
        zone: `battlefield`, `hand`, `graveyard`, `exile`, `library`, `command`, `stack` or `outside`.
        controller: who controls it; its owner where objects have no controller (108.4a).
        colors: `white`, `blue`, `black`, `red`, `green`, in this order.
        power, toughness: as printed, before counters and effects; None where it has none.
        keywords: as written, such as `protection from red`.
        text: its other rules text.
        card_text: what its card's text states, beside `keywords` and `text`.
        loyalty, defense: what is left of it.
        tapped: None where the file does not say: an attacker is tapped then, if declaring it taps it (508.1f), anything else is not.
        damage: damage marked on it.
        counters: how many of each kind.
        attached_to: the id of the object it is attached to.
        protector: for a battle, the player who protects it.
        designations: words such as `solved`, `plotted`, `saddled`.
        level: its class level (716.2b), where it has one.
        conditions: whether open conditions of its text hold, by their words or names.
        lights: the numbers that are lit up on an Attraction (717.1).
        faces: the object by each face that can be chosen as its card is cast or played; none where there is nothing to choose. The back
            face alone, `transformed`, where it can only be cast in ways that say so.
        also_called: the names beside its own by which such a face goes ("Adventure").
        line: the line in the file, for messages; `keyword_lines` has one for each keyword or is empty.
    """

    id: str
    controller: str
    owner: str
    zone: str = "battlefield"
    name: str | None = None
    types: tuple[str, ...] = ("creature",)
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    defense: int | None = None
    mana_cost: str | None = None
    keywords: tuple[str, ...] = ()
    text: str = ""
    card_text: CardText | None = None
    tapped: bool | None = None
    sick: bool = False
    damage: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    attached_to: str | None = None
    protector: str | None = None
    goaded_by: tuple[str, ...] = ()
    commander: bool = False
    face_down: bool = False
    phased_out: bool = False
    transformed: bool = False
    token: bool = False
    blocked: bool = False
    designations: tuple[str, ...] = ()
    level: int | None = None
    conditions: dict[str, bool] = field(default_factory=dict)
    lights: tuple[int, ...] = ()
    faces: tuple[Object, ...] = ()
    also_called: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    keyword_lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def whole_text(self) -> str:
        """The text of its card, where that is installed, and its other text."""
        return "\n".join(text for text in (self.card_text.text if self.card_text else "", self.text) if text)


@dataclass(frozen=True, slots=True)
class Effect:
    """A continuous effect without a source on the board. `affects` names the objects or players it was announced for.

    `source` names the object whose ability it comes from: "this creature" in its text is that object. `conditions` tells whether open
    conditions of its text hold. `name` tells which card in the command zone says it, if one does.
    """

    controller: str
    text: str
    affects: tuple[str, ...] = ()
    source: str | None = None
    conditions: dict[str, bool] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attacking creature. `target` is a player or object; `pay` the payment named, if any.

    `acts`: what is done to pay beside that, as pairs of what (`sacrifice`, `tap`, `return`) and with which object.
    """

    attacker: str
    target: str
    pay: str | None = None
    acts: tuple[tuple[str, str], ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BlockChoice:
    """One blocking creature: what it blocks, the payment named, if any, and what is done to pay beside that, as for `Attack`."""

    blocker: str
    attackers: tuple[str, ...]
    pay: str | None = None
    acts: tuple[tuple[str, str], ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A named candidate for the next step.

    Attributes:
        attacks, bands: for `judge: attack`, as in `Board`.
        blocks, order: for `judge: block`, as in `Board`.
        raw: for other kinds, what the file says, checked and with names as text: for damage a map of `assign` (source to
            target to amount), `step` and `by` where they are given; for an outcome a tuple of those, or a map of the keys of an
            event; for a play a map of its keys.
    """

    name: str
    attacks: tuple[Attack, ...] = ()
    bands: tuple[tuple[str, ...], ...] = ()
    blocks: tuple[BlockChoice, ...] = ()
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    raw: Any = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table at the moment of the question.

    `objects` and `players` keep the order of the file; for players that is the turn order.

    Attributes:
        attacks: what has been declared, or None where no attack has been declared yet.
        bands: the bands in which creatures attack (702.22c), by attackers.
        blocks: what has been declared, or None where no blocks have been declared yet.
        order: for a creature, those it deals damage to in the order that was announced, as releases until 2024 had it.
        damage: what has been dealt, one map a step as in `Proposal.raw`, or None.
        turn: `phase`, `step`, `priority` and `land_played` where the file gives them.
        history: what has happened this turn or game, as the file gives it.
    """

    players: dict[str, Player]
    active: str
    objects: dict[str, Object]
    effects: tuple[Effect, ...] = ()
    attacks: tuple[Attack, ...] | None = None
    bands: tuple[tuple[str, ...], ...] = ()
    blocks: tuple[BlockChoice, ...] | None = None
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    damage: tuple[dict[str, Any], ...] | None = None
    turn: dict[str, Any] = field(default_factory=dict)
    history: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file: a board, what is proposed on it, and what is expected.

    Attributes:
        release: an ISO date as given, or None for the newest known.
        judge: what the proposals are (`attack`, `block`, ...), after defaults.
        expect: `count`, `counts`, `outcome`, and verdicts by proposal name; None where the file is not a test.
    """

    board: Board
    judge: str
    proposals: tuple[Proposal, ...] = ()
    title: str = ""
    release: str | None = None
    expect: dict[str, Any] | None = None
    file: str | None = field(default=None, compare=False)


def defending_player(board: Board, target: str) -> str:
    """Return who defends `target`, a player or an object (508.5): that player, its protector or its controller.

    For an object that has left the battlefield it is who defended it, as far as the board tells.
    """
    if target in board.players:
        return target
    thing = board.objects[target]
    return thing.protector or thing.controller


def defending_players(board: Board) -> tuple[str, ...]:
    """Return who may declare blocks, in turn order after the active player (509.1a, 802.4).

    Where there are two players it is the nonactive one; otherwise all whom a declared attack concerns.
    """
    names = list(board.players)
    start = names.index(board.active)
    others = names[start + 1 :] + names[:start]
    if len(others) == 1:
        return tuple(others)
    attacked = {defending_player(board, attack.target) for attack in board.attacks or ()}
    return tuple(name for name in others if name in attacked)
