"""A deck as a file lists it, before its names are looked up: plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

__all__ = ["SECTIONS", "Deck", "Entry", "Notice"]

#: Where a card of a list can stand. Only `main`, `commander` and `signature` are the deck itself; `beside` is what is no part of it.
SECTIONS = ("commander", "signature", "companion", "main", "sideboard", "maybeboard", "tokens", "beside")


@dataclass(frozen=True, slots=True)
class Entry:
    """So many copies of a card, as the file lists them.

    Attributes:
        count: how many, at least 1.
        name: the name as written, without marks such as a set code.
        section: one of `SECTIONS`; `signature` is a signature spell, `beside` what is kept beside a deck (a scheme, a card for display).
        line: the line that lists it, counted from 1; 0 where the form has no lines of its own (JSON).
        set_code, collector_number: which printing, where the file says so.
        foil: whether it is marked as foil.
        categories: the user's own words for it (categories, tags).
    """

    count: int
    name: str
    section: str = "main"
    line: int = 0
    set_code: str | None = None
    collector_number: str | None = None
    foil: bool = False
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a reader should know about a list: a line that names no card, or a form that leaves room for doubt.

    Attributes:
        line: the line it is about; 0 for the whole list.
        message: one sentence.
    """

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck of a file.

    Attributes:
        source: the file, `-` for standard input.
        form: which form it has, such as `moxfield`, `xmage`, `csv`.
        title: the deck's name, None where the file gives none.
        entries: the cards in the file's order.
        stated_commanders: names that the file gives as commanders in words, such as a comment `CDR: NAME`, without a section of their own;
            each is also an entry of another section, or missing from the list.
        notices: what a reader should know.
    """

    source: str
    form: str
    title: str | None = None
    entries: tuple[Entry, ...] = ()
    stated_commanders: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many cards each section has, sections without cards left out."""
        total: Counter[str] = Counter()
        for entry in self.entries:
            total[entry.section] += entry.count
        return {section: total[section] for section in SECTIONS if total[section]}
