"""Commanders and companions that a file gives in words, in a comment, beside a list that doesn't set them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from lawmage.cards.spelling import key
from lawmage.decks.deck import Entry
from lawmage.decks.sections import section_of

__all__ = ["place_stated", "stated_in"]

_STATED = re.compile(r"([A-Za-z ]{3,20}):\s*(\S.{0,300})")
_IN_WORDS = frozenset({"commander", "companion"})


def stated_in(line: str) -> tuple[str, str] | None:
    """Return the section and the name that a comment such as `CDR: NAME` or `Commander: NAME` gives; None if it gives none."""
    stated = _STATED.fullmatch(line.strip())
    section = section_of(stated[1]) if stated else None
    return (section, stated[2].strip()) if stated and section in _IN_WORDS else None


def place_stated(entries: list[Entry], stated: Iterable[tuple[str, str]]) -> tuple[list[Entry], tuple[str, ...]]:
    """Move one copy of each stated card from the deck or the sideboard to its section.

    Returns:
        the entries, and the names of commanders that no entry is spelled like.
    """
    left = []
    for section, name in stated:
        wanted = key(name)
        if any(entry.section == section and key(entry.name) == wanted for entry in entries):
            continue
        place = next(
            (i for part in ("main", "sideboard") for i, entry in enumerate(entries) if entry.section == part and key(entry.name) == wanted),
            None,
        )
        if place is not None:
            entry = entries[place]
            rest = [replace(entry, count=entry.count - 1)] if entry.count > 1 else []
            entries[place : place + 1] = [replace(entry, count=1, section=section), *rest]
        elif section == "commander":
            left.append(name)
    return entries, tuple(left)
