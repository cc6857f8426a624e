"""The words before a list of modes (700.2) -> how many of them are chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lawmage.text.aims import Aim
from lawmage.text.costs import Price
from lawmage.text.described import number_of

__all__ = ["NO_MODES", "Mode", "Modes", "begins_modes", "modes_after"]

_CHOICE = r"choose (?:one or more|one or both|any number|(?:up to )?(?:one|two|three|four|five|x))"
_OPENING = re.compile(rf"{_CHOICE}(?: ?—|\.(?= (?:you may choose|if |each mode)|$))")
_COUNTED = re.compile(r"choose (one or more|one or both|any number|up to \w+|\w+)")


@dataclass(frozen=True, slots=True)
class Mode:
    """One of the modes of a spell or ability: its words, its cost where it has one, its targets (None where they are not understood)."""

    written: str
    price: Price | None
    aims: tuple[Aim, ...] | None


@dataclass(frozen=True, slots=True)
class Modes:
    """The modes of a spell or ability.

    Attributes:
        each: the modes.
        least, most: how many are chosen; `most` is None for any number.
        again: whether the same one may be chosen more than once.
        unread: what says of their number more than is understood.
    """

    each: tuple[Mode, ...] = ()
    least: int = 1
    most: int | None = 1
    again: bool = False
    unread: str = ""

    def with_mode(self, mode: Mode) -> Modes:
        """Return them with one more."""
        return replace(self, each=(*self.each, mode))


#: What is not modal.
NO_MODES = Modes()


def begins_modes(lower: str) -> int | None:
    """Return where in a text in lower case, of a spell or ability, the words begin that stand before a list of modes; None without them."""
    found = _OPENING.search(lower)
    return found.start() if found else None


def modes_after(opening: str) -> Modes:
    """Return how many modes are chosen, by the words before their list, in lower case; none stand in it yet."""
    sentences = [sentence.strip() for sentence in re.split(r"[.—]", opening) if sentence.strip()]
    again = any("the same mode more than once" in sentence for sentence in sentences[1:])
    unread = next((one for one in sentences[1:] if "instead" in one or "each mode" in one), "")
    match = _COUNTED.match(opening)
    if match is None:
        return Modes(least=1, most=None, again=again, unread=unread)
    words = match[1]
    if words in ("one or more", "any number"):
        return Modes(least=0 if words == "any number" else 1, most=None, again=again, unread=unread)
    if words == "one or both":
        return Modes(least=1, most=2, again=again, unread=unread)
    count = number_of(words.removeprefix("up to "))
    least = 0 if words.startswith("up to ") else count or 1
    return Modes(least=least, most=count, again=again, unread=unread or ("" if count else opening))
