"""The board: what a scenario says, as plain values. `lawmage.scenario` reads it from YAML or JSON.

Objects are named by the file's names (`m`, `b1`); players by theirs (`A`, `D`). Characteristics are lower case, but for
subtypes and names, which keep the capitals of the rulebook; comparisons fold case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Attack", "BlockChoice", "Board", "Effect", "Object", "Player", "Proposal", "Scenario"]


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `extra` holds what is stated beside life and mana (poison, speed, ...)."""

    name: str
    life: int = 20
    mana: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Object:
    """A permanent, or a card in another zone.

    Attributes:
        id: its name in the file.
        zone: `battlefield`, `hand`, `graveyard`, `exile`, `library`, `command`, `stack` or `outside`.
        controller: who controls it (its owner in zones other than the battlefield and the stack).
        power, toughness: as printed, before counters and effects; None where it has none.
        keywords: as written, such as `protection from red`.
        text: its other rules text.
        counters: how many of each kind.
        attached_to: the id of the object it is attached to.
        protector: for a battle, the player who protects it.
        line: the line in the file, for messages; `keyword_lines` has one for each keyword.
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
    tapped: bool = False
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
    line: int = 0
    keyword_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """A continuous effect without a source on the board. `affects` names the objects it was announced for.

    `source` names the object whose ability it comes from: "this creature" in its text is that object.
    """

    controller: str
    text: str
    affects: tuple[str, ...] = ()
    source: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Attack:
    """One attacking creature. `target` is a player or object; `pay` the payment named, if any."""

    attacker: str
    target: str
    pay: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class BlockChoice:
    """One blocking creature: what it blocks, and the payment named, if any."""

    blocker: str
    attackers: tuple[str, ...]
    pay: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A named candidate for the next step. For a block, `blocks`; other kinds keep what the file says in `raw`."""

    name: str
    blocks: tuple[BlockChoice, ...] = ()
    raw: Any = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table at the moment of the question.

    `objects` and `players` keep the order of the file. `attacks` is None where no attack has been declared yet.
    """

    players: dict[str, Player]
    active: str
    objects: dict[str, Object]
    effects: tuple[Effect, ...] = ()
    attacks: tuple[Attack, ...] | None = None
    blocks: tuple[BlockChoice, ...] | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file: a board, what is proposed on it, and what is expected.

    Attributes:
        release: an ISO date as given, or None for the newest known.
        judge: what the proposals are (`attack`, `block`, ...), after defaults.
        expect: `count` and verdicts by proposal name, or None where the file is not a test.
    """

    board: Board
    judge: str
    proposals: tuple[Proposal, ...] = ()
    title: str = ""
    release: str | None = None
    expect: dict[str, Any] | None = None
    file: str | None = None
