"""From a deck to the forms that other programs read."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from lawmage.csv_cells import guarded
from lawmage.decks.deck import SECTIONS, Deck, Entry
from lawmage.errors import UnknownNameError, suggestion

__all__ = ["CARRIED", "FORMS", "write_deck"]

_EVERY = {section: section for section in SECTIONS}
_SIDE = {"commander": "sideboard", "companion": "sideboard", "main": "main", "sideboard": "sideboard"}
_CARRIED: dict[str, dict[str, str]] = {
    "moxfield": {section: section for section in SECTIONS if section != "beside"},
    "arena": {section: section for section in ("commander", "companion", "main", "sideboard")},
    "mtgo": _SIDE,
    "cockatrice": {section: section for section in ("commander", "companion", "main", "sideboard", "tokens")},
    "forge": {"commander": "commander", "main": "main", "companion": "sideboard", "sideboard": "sideboard"},
    "xmage": _SIDE,
    "csv": _EVERY,
}
#: For each form, in which section it keeps the cards of each section; sections that it has no place for are missing.
CARRIED: Mapping[str, Mapping[str, str]] = MappingProxyType(_CARRIED)


def write_deck(deck: Deck, form: str) -> str:
    """Return `deck` in one of `FORMS`, with a final line break.

    Cards of sections that the form has no place for (see `CARRIED`) are left out. What a form doesn't need, such as foil, may be too.

    Raises:
        UnknownNameError: if there is no such form.
    """
    if form not in _WRITERS:
        raise UnknownNameError(f'decks can\'t be written as "{form}"; expected one of {", ".join(FORMS)}{suggestion(form, FORMS)}')
    kept = {section: [entry for entry in deck.entries if entry.section == section] for section in SECTIONS}
    return _WRITERS[form](deck, {section: entries for section, entries in kept.items() if entries and section in CARRIED[form]})


_Sections = dict[str, list[Entry]]


def _moxfield(_deck: Deck, sections: _Sections) -> str:
    headings = {"commander": "COMMANDER", "signature": "SIGNATURE SPELLS", "main": "MAINBOARD"}
    blocks = []
    for section, entries in sections.items():
        lines = [
            _with_printing(entry) + (" *F*" if entry.foil else "") + "".join(f" #{word}" for word in entry.categories if "#" not in word)
            for entry in entries
        ]
        blocks.append("\n".join([f"{headings.get(section, section.upper())}:", *lines]))
    return "\n\n".join(blocks) + "\n"


def _arena(deck: Deck, sections: _Sections) -> str:
    headings = {"commander": "Commander", "companion": "Companion", "main": "Deck", "sideboard": "Sideboard"}
    blocks = [f"About\nName {' '.join(deck.title.split())}"] if deck.title else []
    blocks += ["\n".join([headings[section], *map(_with_printing, entries)]) for section, entries in sections.items()]
    return "\n\n".join(blocks) + "\n"


def _mtgo(_deck: Deck, sections: _Sections) -> str:
    """Write MTGO's text, in which commanders stand in the sideboard."""
    main = [f"{entry.count} {entry.name}" for entry in sections.get("main", [])]
    side = [f"{entry.count} {entry.name}" for section in ("commander", "companion", "sideboard") for entry in sections.get(section, [])]
    return "\n".join([*main, *(["", "SIDEBOARD:", *side] if side else [])]) + "\n"


def _cockatrice(deck: Deck, sections: _Sections) -> str:
    """Write Cockatrice's XML. It has no place for commanders, so its users keep them in the sideboard and name them in a comment."""
    stated = [
        f"{word}: {entry.name}" for word, part in (("CDR", "commander"), ("Companion", "companion")) for entry in sections.get(part, [])
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<cockatrice_deck version="1">',
        f"  <deckname>{escape(deck.title or '')}</deckname>",
    ]
    lines.append(f"  <comments>{escape(chr(10).join(stated))}</comments>")
    for zone, parts in (("main", ("main",)), ("side", ("commander", "companion", "sideboard")), ("tokens", ("tokens",))):
        entries = [entry for part in parts for entry in sections.get(part, [])]
        if entries:
            lines += [f'  <zone name="{zone}">', *map(_cockatrice_card, entries), "  </zone>"]
    return "\n".join([*lines, "</cockatrice_deck>"]) + "\n"


def _cockatrice_card(entry: Entry) -> str:
    printing = f" setShortName={quoteattr(entry.set_code)}" if entry.set_code else ""
    if entry.collector_number:
        printing += f" collectorNumber={quoteattr(entry.collector_number)}"
    return f'    <card number="{entry.count}" name={quoteattr(entry.name)}{printing}/>'


def _forge(deck: Deck, sections: _Sections) -> str:
    """Write Forge's `.dck`; it looks for a companion in the sideboard."""
    lines = ["[metadata]", f"Name={' '.join((deck.title or 'Deck').split())}"]
    for heading, parts in (("Commander", ("commander",)), ("Main", ("main",)), ("Sideboard", ("companion", "sideboard"))):
        entries = [entry for part in parts for entry in sections.get(part, [])]
        if entries:
            lines += [f"[{heading}]", *map(_forge_card, entries)]
    return "\n".join(lines) + "\n"


def _forge_card(entry: Entry) -> str:
    parts = [entry.name + ("+" if entry.foil else "")]
    if entry.set_code:
        parts += [entry.set_code] + ([f"[{entry.collector_number}]"] if entry.collector_number else [])
    return f"{entry.count} {'|'.join(parts)}"


def _xmage(deck: Deck, sections: _Sections) -> str:
    """Write XMage's `.dck`, in which commanders stand in the sideboard. It wants a printing for each card."""
    lines = [f"NAME:{' '.join(deck.title.split())}"] if deck.title else []
    for section in ("main", "commander", "companion", "sideboard"):
        for entry in sections.get(section, []):
            printing = f"[{entry.set_code}:{entry.collector_number}] " if entry.set_code and entry.collector_number else ""
            lines.append(f"{'' if section == 'main' else 'SB: '}{entry.count} {printing}{entry.name}")
    return "\n".join(lines) + "\n"


def _csv(_deck: Deck, sections: _Sections) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["Count", "Name", "Section", "Set code", "Collector number", "Foil", "Tags"])
    for section, entries in sections.items():
        for entry in entries:
            told = (entry.name, section, entry.set_code or "", entry.collector_number or "", "foil" if entry.foil else "")
            writer.writerow([entry.count, *map(guarded, (*told, ",".join(entry.categories)))])
    return written.getvalue()


def _with_printing(entry: Entry) -> str:
    printing = f" ({entry.set_code})" if entry.set_code else ""
    if printing and entry.collector_number:
        printing += f" {entry.collector_number}"
    return f"{entry.count} {entry.name}{printing}"


_WRITERS: dict[str, Callable[[Deck, _Sections], str]] = {
    "moxfield": _moxfield,
    "arena": _arena,
    "mtgo": _mtgo,
    "cockatrice": _cockatrice,
    "forge": _forge,
    "xmage": _xmage,
    "csv": _csv,
}
#: The forms that `write_deck` writes.
FORMS = tuple(_WRITERS)
