"""Forge's `.dck`: `[Section]` headings, `Key=Value` settings, and cards as `4 Name|SET|art|[123]`."""

from __future__ import annotations

import re

from lawmage.decks.deck import Deck, Entry, Notice
from lawmage.decks.sections import section_of
from lawmage.errors import InputError

__all__ = ["is_forge", "read_forge"]

_HEADING = re.compile(r"\[([A-Za-z ]{2,30})\]")
_CARD = re.compile(r"(\d+)\s+([^|]{1,300})((?:\|[^|]{0,100}){0,6})")
_SETTINGS = "metadata"


def is_forge(text: str) -> bool:
    """Tell whether the first line that isn't empty is a heading of Forge's."""
    heading = _HEADING.fullmatch(text.lstrip()[:200].split("\n", 1)[0].strip())
    return heading is not None and (heading[1].casefold() == _SETTINGS or section_of(heading[1]) is not None)


def read_forge(text: str, source: str) -> Deck:
    """Return the deck of a Forge file.

    Raises:
        InputError: naming the first line that is no heading, setting or card.
    """
    section: str | None = None
    title: str | None = None
    entries: list[Entry] = []
    notices: list[Notice] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith(("#", "//")):
            continue
        if heading := _HEADING.fullmatch(line):
            section = _section(heading[1], number, notices)
        elif section is None or section == _SETTINGS:
            name, equals, value = line.partition("=")
            if not equals:
                raise InputError(f'found "{line[:80]}"; expected a setting such as Name=TITLE', file=source, line=number)
            title = value.strip() or None if name.strip().casefold() in {"name", "title"} and title is None else title
        else:
            entries.append(_card(line, section, number, source))
    return Deck(source, "forge", title, tuple(entries), notices=tuple(notices))


def _section(heading: str, number: int, notices: list[Notice]) -> str:
    if heading.casefold() == _SETTINGS:
        return _SETTINGS
    section = section_of(heading)
    if section is None:
        notices.append(Notice(number, f"the section [{heading}] is read as cards beside the deck"))
    return section or "beside"


def _card(line: str, section: str, number: int, source: str) -> Entry:
    card = _CARD.fullmatch(line)
    if card is None:
        raise InputError(f'found "{line[:80]}"; expected a card such as 1 NAME|SET', file=source, line=number)
    set_code, *rest = [part.strip() for part in card[3].split("|")[1:]] or [""]
    numbered = next((part[1:-1] for part in rest if part.startswith("[") and part.endswith("]")), None)
    name = card[2].strip()
    foil = name.endswith("+")
    return Entry(int(card[1][:9]), name.removesuffix("+"), section, number, set_code or None, numbered, foil)
