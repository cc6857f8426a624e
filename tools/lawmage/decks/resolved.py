"""A deck whose names have been looked up: what is judged."""

from __future__ import annotations

from dataclasses import dataclass

from lawmage.cards.card import Card
from lawmage.decks.deck import Entry, Notice

__all__ = ["NotFound", "ResolvedDeck", "ResolvedEntry"]


@dataclass(frozen=True, slots=True)
class ResolvedEntry:
    """So many copies of a card in a section of a deck.

    Attributes:
        count: how many, at least 1.
        card: the card.
        section: one of `lawmage.decks.deck.SECTIONS`.
        line: the line that lists it, 0 where there is none.
    """

    count: int
    card: Card
    section: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class NotFound:
    """An entry whose name no card has, or several could mean.

    Attributes:
        entry: as listed.
        message: one sentence that says so, with suggestions.
    """

    entry: Entry
    message: str


@dataclass(frozen=True, slots=True)
class ResolvedDeck:
    """A deck with cards in place of names.

    Attributes:
        source: the file it comes from.
        title: the deck's name, None where it has none.
        entries: the cards that were found, in the file's order. Commanders and companion stand in the
            sections of that name; what is no part of a deck (maybeboard, tokens) is left out.
        not_found: the entries that were not; a deck with one of them can't be judged.
        notices: what a reader should know, such as how the commander was found.
        form: which form the file has, as in `lawmage.decks.deck.Deck`.
    """

    source: str
    title: str | None = None
    entries: tuple[ResolvedEntry, ...] = ()
    not_found: tuple[NotFound, ...] = ()
    notices: tuple[Notice, ...] = ()
    form: str = "text"

    def section(self, name: str) -> tuple[ResolvedEntry, ...]:
        """Return the entries of one section."""
        return tuple(entry for entry in self.entries if entry.section == name)
