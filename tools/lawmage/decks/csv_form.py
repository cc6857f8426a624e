"""Decks as CSV: any columns in any order, with commas, semicolons or tabs, of which one is the name and one the number of copies."""

from __future__ import annotations

import csv
import io
import re

from lawmage.csv_cells import unguarded
from lawmage.decks.deck import Deck, Entry
from lawmage.decks.lines import read_name
from lawmage.decks.sections import section_of
from lawmage.errors import InputError

__all__ = ["is_csv", "read_csv"]

_COLUMNS = {
    "name": ("name", "card name", "cardname", "card"),
    "count": ("count", "quantity", "qty", "amount", "copies"),
    "section": ("section", "board", "zone", "category", "categories", "sideboard"),
    "set_code": ("set code", "setcode", "edition code", "set", "edition", "printing", "expansion"),
    "collector_number": ("collector number", "collectornumber", "card number", "number", "cn"),
    "foil": ("foil", "finish", "modifier"),
    "commander": ("commander", "is commander"),
    "categories": ("tags", "categories", "category"),
}
_YES = frozenset({"true", "yes", "1", "x", "foil", "etched", "y"})


def is_csv(text: str) -> bool:
    """Tell whether the first line names at least a column of names and one of numbers."""
    columns = _columns(_header(text))
    return "name" in columns and "count" in columns


def read_csv(text: str, source: str) -> Deck:
    """Return the deck of a CSV file.

    Raises:
        InputError: if a row has no name or no number of copies, or isn't CSV; naming the line.
    """
    header = _header(text)
    columns = _columns(header)
    body = text.lstrip("\n")
    skipped = len(text) - len(body)
    reader = csv.reader(io.StringIO(body), delimiter=_delimiter(text), strict=True)
    entries: list[Entry] = []
    try:
        next(reader)
        for row in reader:
            line = reader.line_num + skipped
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header) and len(row) <= max(columns.values()):
                raise InputError(f"has {len(row)} fields; expected {len(header)}, as in the first line", file=source, line=line)
            entries.append(_entry(row, columns, source, line))
    except csv.Error as error:
        raise InputError(f"isn't CSV ({error})", file=source, line=reader.line_num + skipped) from None
    return Deck(source, "csv", None, tuple(entries))


def _first_line(text: str) -> str:
    return text.lstrip("\n")[:2000].split("\n", 1)[0]


def _delimiter(text: str) -> str:
    return max(",;\t", key=_first_line(text).count)


def _header(text: str) -> list[str]:
    try:
        return next(csv.reader([_first_line(text)], delimiter=_delimiter(text)), [])
    except csv.Error:
        return []


def _columns(header: list[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, cell in enumerate(header):
        places.setdefault(re.sub(r"[\s_]+", " ", cell).strip().casefold(), place)
    return {column: places[name] for column, names in _COLUMNS.items() for name in reversed(names) if name in places}


def _entry(row: list[str], columns: dict[str, int], source: str, line: int) -> Entry:
    cells = {column: unguarded(row[place].strip()) if place < len(row) else "" for column, place in columns.items()}
    if not cells["name"]:
        raise InputError("has no name; expected a card's name", file=source, line=line)
    if not re.fullmatch(r"\d{1,9}[xX]?", cells["count"]):
        raise InputError(f'found "{cells["count"][:20]}"; expected a number of copies', file=source, line=line)
    section = next((found for word in cells.get("section", "").split(",") if (found := section_of(word))), "main")
    card = read_name(cells["name"])
    card.count = int(cells["count"].rstrip("xX"))
    card.set_code = cells.get("set_code") or card.set_code
    card.collector_number = cells.get("collector_number") or card.collector_number
    card.foil = card.foil or cells.get("foil", "").casefold() in _YES
    card.categories += [word.strip() for word in cells.get("categories", "").split(",") if word.strip()]
    return card.entry("commander" if cells.get("commander", "").casefold() in _YES else section, line)
