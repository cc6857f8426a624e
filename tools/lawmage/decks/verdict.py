"""What is answered about a deck: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Candidate", "Change", "Companion", "DeckVerdict", "DeckViolation", "Repair", "Word"]

Word = Literal["legal", "illegal", "undecided"]
#: The letters of the colours, in the rulebook's order (105.1).
_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


@dataclass(frozen=True, slots=True)
class DeckViolation:
    """Something that is wrong with a deck.

    Attributes:
        rule: the rule's number in the numbering of the release; `ban list`, `card pool` or `format rule` for what no numbered rule states.
        kind: its name in kb/formats/vocabulary.ttl.
        cards: the full names of the cards that it is about, if any.
        message: one sentence.
    """

    rule: str
    kind: str
    cards: tuple[str, ...]
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return it as in CONTRACT.md."""
        return {"rule": self.rule, "cards": list(self.cards), "message": self.message}


@dataclass(frozen=True, slots=True)
class Companion:
    """The card given as the companion, and whether it can be."""

    name: str
    verdict: Word


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of change in a repair.

    Attributes:
        action: `remove` cards of the deck, `add` cards to it, `designate` a card of it as a commander, or `undesignate` one.
        count: how many cards.
        card: the full name of the card; None where any will do that `what` describes.
        what: in words, what is removed or added.
        section: where the card stands, for removals.
    """

    action: Literal["remove", "add", "designate", "undesignate"]
    count: int
    card: str | None
    what: str
    section: str = "main"

    def as_json(self) -> dict[str, Any]:
        """Return it as a document."""
        return {"action": self.action, "count": self.count, "card": self.card, "what": self.what, "section": self.section}


@dataclass(frozen=True, slots=True)
class Repair:
    """A smallest set of changes that makes a deck legal; `possible` is false where none was found, `proved` whether none is smaller."""

    changes: tuple[Change, ...] = ()
    possible: bool = True
    proved: bool = True

    @property
    def size(self) -> int:
        """How many cards are removed, added or designated."""
        return sum(change.count for change in self.changes)

    def as_json(self) -> dict[str, Any]:
        """Return it as a document."""
        changes = [change.as_json() for change in self.changes]
        return {"size": self.size, "possible": self.possible, "proved": self.proved, "changes": changes}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card, or two, that could lead a deck as it is listed.

    Attributes:
        names: full names.
        fits: whether the deck with these commanders breaks no rule on commanders and colour identity.
        legal: whether it would be legal altogether.
    """

    names: tuple[str, ...]
    fits: bool
    legal: bool


@dataclass(frozen=True, slots=True)
class DeckVerdict:
    """Whether a deck is legal in a format.

    Attributes:
        source: the file.
        format: the format's name.
        release: the release of the rules, an ISO date.
        verdict: `undecided` if nothing is found to be wrong, but something was not found or can't be told.
        commanders: full names.
        companion: the card given as the companion, if any.
        color_identity: of the commanders together (702.124c), with a chosen colour; None without a commander.
        cards: how many cards the starting deck has, commanders included.
        violations: everything that is wrong.
        assumptions: what was assumed, such as the colour chosen.
        not_understood: names that were not found, and statements of cards that no deck list settles.
        ban_list: the day of the ban list that was used; None where the publishers' data of the cards say what is banned.
        game_changers: cards that the Commander brackets list; for information.
        title: the deck's name, if any.
    """

    source: str
    format: str
    release: str
    verdict: Word
    commanders: tuple[str, ...]
    companion: Companion | None
    color_identity: tuple[str, ...] | None
    cards: int
    violations: tuple[DeckViolation, ...] = ()
    assumptions: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    ban_list: str | None = None
    game_changers: tuple[str, ...] = ()
    title: str | None = None

    def as_json(self, repair: Repair | None = None) -> dict[str, Any]:
        """Return it as in CONTRACT.md, "A deck answers with"; colours are letters."""
        return {
            "file": self.source,
            "title": self.title,
            "format": self.format,
            "release": self.release,
            "commanders": list(self.commanders),
            "companion": None if self.companion is None else {"name": self.companion.name, "verdict": self.companion.verdict},
            "color_identity": None if self.color_identity is None else letters(self.color_identity),
            "cards": self.cards,
            "verdict": self.verdict,
            "violations": [violation.as_json() for violation in self.violations],
            "repair": None if repair is None else repair.as_json(),
            "ban_list": self.ban_list,
            "assumptions": list(self.assumptions),
            "not_understood": list(self.not_understood),
            "game_changers": list(self.game_changers),
        }


def letters(colors: Sequence[str], known: Mapping[str, str] = _LETTERS) -> list[str]:
    """Return colours as letters, in the order of the rulebook."""
    return [letter for color, letter in known.items() if color in colors]
