"""What is proposed beyond combat, and the facts about it: a play, the ways to do it, what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lawmage.board import Object
from lawmage.play.facts import Facts, Problem
from lawmage.text.aims import Aim
from lawmage.text.costs import Price
from lawmage.text.modes import Modes

__all__ = ["Cost", "Offered", "Play", "PlayProblem", "Way"]


@dataclass(frozen=True, slots=True)
class Play:
    """What is proposed: its kind (`cast`, `activate`, `special`, `trigger`), the object, the player, and what the file says of it.

    `face` is the face of its card that is chosen, where one is.
    """

    kind: str
    object: str
    player: str
    raw: Mapping[str, Any]
    face: Object | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """A way to do what is proposed: the names by which it can be asked for, words for it, and the rule that gives it.

    `plain` tells whether nothing else depends on whether it is asked for: no targets, text or face, nothing that is not worked out.
    """

    names: tuple[str, ...]
    told: str
    rule: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost among the facts: words for it, the rule that says so, and what it asks for."""

    told: str
    rule: str
    price: Price


@dataclass(frozen=True, slots=True)
class Offered:
    """An additional cost that may be paid: the names that it goes by, whom or what is chosen for it, whether it can be repeated."""

    names: tuple[str, ...]
    chosen: str = ""
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class PlayProblem:
    """The facts of a play, and what their integers mean.

    Attributes:
        base: the problem of the board.
        facts: all facts.
        ways, costs, aims: what is behind their integers, which start at 1.
        offered: the additional costs that may be paid.
        modes: those of the spell, or of the ability that is asked for.
        choices: what the file leaves open and the player chooses (601.2b), which ability or which modes: each as keys of a proposal.
        conditions: the words for each condition that fails.
        unread: what is not understood and could change the verdict.
        only_allowing, only_forbidding: what of it could only make legal what is not, or the other way round.
        untold: what is not understood and could only change how much mana the total is.
        assumptions: what is assumed where the file does not say.
        helped: whether another player pays a part of the mana.
    """

    base: Problem
    facts: Facts
    ways: tuple[Way, ...]
    costs: tuple[Cost, ...]
    aims: tuple[Aim, ...]
    offered: tuple[Offered, ...]
    modes: Modes
    choices: tuple[Mapping[str, Any], ...]
    conditions: Mapping[int, str]
    unread: tuple[str, ...]
    only_allowing: frozenset[str]
    only_forbidding: frozenset[str]
    untold: tuple[str, ...]
    assumptions: tuple[str, ...]
    helped: bool
