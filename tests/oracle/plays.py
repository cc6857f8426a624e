"""When a spell may be cast, and for how much, in plain Python from the rulebook (117.1a, 307.5, 601.2f, 601.3); shares nothing with asp/.

Payments are found by trying every way to pay, one mana after another.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

__all__ = ["Spell", "State", "allowed", "payable", "total"]

COLORS = "WUBRG"


@dataclass(frozen=True)
class Spell:
    """A card in a player's hand or graveyard: `kind` is a card type; costs are symbols without braces, such as ("2", "R")."""

    owner: str
    kind: str
    zone: str
    cost: tuple[str, ...]
    flash: bool = False
    flashback: tuple[str, ...] | None = None
    spectacle: tuple[str, ...] | None = None
    kicker: tuple[str, ...] | None = None
    way: str = ""
    kicked: bool = False


@dataclass(frozen=True)
class State:
    """What a cast depends on beside the card.

    Attributes:
        active, priority: players; nobody has priority where it is None.
        phase, step: as in scenarios; step is empty in main phases.
        stack: whether anything is on the stack.
        only_sorcery: the players who can cast spells only any time they could cast a sorcery.
        forbidden: the players who can't cast instant and sorcery spells.
        lost_life: the players who lost life this turn.
        more, less: how much generic mana spells cost more and less.
    """

    active: str
    priority: str | None
    phase: str
    step: str = ""
    stack: bool = False
    only_sorcery: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    lost_life: frozenset[str] = frozenset()
    more: int = 0
    less: int = 0
    pool: tuple[str, ...] = field(default=())


def allowed(state: State, spell: Spell, player: str) -> bool:
    """Return whether `player` may begin to cast `spell` in the way that it names (601.3)."""
    if spell.owner != player or state.priority != player or state.step == "untap":
        return False
    if spell.kind == "land":
        return False
    if player in state.forbidden and spell.kind in ("instant", "sorcery"):
        return False
    main = state.active == player and state.phase in ("main1", "main2") and not state.stack
    if player in state.only_sorcery and not main:
        return False
    if not (spell.kind == "instant" or spell.flash or main):
        return False
    if spell.kicked and spell.kicker is None:
        return False
    if spell.way == "flashback":
        return spell.flashback is not None and spell.zone == "graveyard" and spell.kind in ("instant", "sorcery")
    if spell.way == "spectacle" and (spell.spectacle is None or not state.lost_life - {player}):
        return False
    return spell.zone == "hand"


def total(state: State, spell: Spell) -> Counter[str]:
    """Return the total cost (601.2f): generic mana under "1", every other symbol under its own."""
    base = {"flashback": spell.flashback, "spectacle": spell.spectacle}.get(spell.way) or spell.cost
    symbols = [*base, *(spell.kicker or () if spell.kicked else ())]
    owed = Counter(symbol for symbol in symbols if not symbol.isdecimal())
    generic = sum(int(symbol) for symbol in symbols if symbol.isdecimal()) + state.more - state.less
    if generic > 0:
        owed["1"] = generic
    return owed


def payable(owed: Counter[str], pool: tuple[str, ...]) -> bool:
    """Return whether the mana of `pool` (letters, `C` for colourless) pays `owed`, by trying everything."""
    flat = tuple(sorted(owed.elements()))

    @cache
    def pay(symbols: tuple[str, ...], mana: tuple[str, ...]) -> bool:
        if not symbols:
            return True
        first, rest = symbols[0], symbols[1:]
        for half in first.split("/"):
            if half == "P" and pay(rest, mana):
                return True
            if half == "2" and pay((*rest, "1", "1"), mana):
                return True
            for place, one in enumerate(mana):
                if (half == "1" or half == one) and pay(rest, mana[:place] + mana[place + 1 :]):
                    return True
        return False

    return pay(flat, tuple(sorted(pool)))
