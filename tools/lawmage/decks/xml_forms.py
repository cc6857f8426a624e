"""Decks as XML: Cockatrice (`.cod`), MTGO (`.dek`) and OCTGN (`.o8d`). Read through defusedxml: no entities, no document types."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import Any
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import Locator

from lawmage.decks.deck import Deck, Entry, Notice
from lawmage.decks.lines import read_name
from lawmage.decks.sections import section_of
from lawmage.decks.stated import place_stated, stated_in
from lawmage.errors import InputError

__all__ = ["read_xml"]

_DECLARATION = re.compile(r"\s*<\?xml[^>]{0,200}\?>")
_FORMS = {"cockatrice_deck": "cockatrice", "Deck": "mtgo", "deck": "octgn"}
#: Elements that say nothing about which cards there are.
_IGNORED = {
    "cockatrice": {
        "cockatrice_deck",
        "tags",
        "tag",
        "bannerCard",
        "lastLoadedTimestamp",
        "format",
        "sideboard_plan",
        "name",
        "move_card_to_zone",
    },
    "mtgo": {"Deck", "NetDeckID", "PreconstructedDeckID"},
    "octgn": {"deck", "notes"},
}
_DEEPEST = 8
_LONGEST_TEXT = 100_000


def read_xml(text: str, source: str) -> Deck:
    """Return the deck of an XML file.

    Raises:
        InputError: if it isn't XML, has entities of its own, is of another kind, or has a card without a name; naming the line.
    """
    from xml.sax import SAXParseException

    from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.sax import parse  # type: ignore[import-untyped]

    handler = _Handler(source)
    # The text is decoded already: what its declaration says about an encoding no longer holds.
    declaration = _DECLARATION.match(text)
    body = text[declaration.end() :] if declaration else text
    lines_before = text[: declaration.end()].count("\n") if declaration else 0
    handler.lines_before = lines_before
    try:
        parse(io.BytesIO(body.encode("utf-8")), handler, forbid_dtd=True)
    except DefusedXmlException:
        raise InputError("has a document type or entities of its own; expected a deck as a program saves it", file=source) from None
    except SAXParseException as error:
        line = (error.getLineNumber() or 1) + lines_before
        raise InputError(f"isn't well-formed XML ({error.getMessage()})", file=source, line=line) from None
    entries, left = place_stated(handler.entries, handler.stated)
    return Deck(source, handler.form, handler.title, tuple(entries), left, tuple(handler.notices))


@dataclass(slots=True)
class _Open:
    name: str
    attributes: dict[str, str]
    line: int
    text: list[str] = field(default_factory=list)


class _Handler(ContentHandler):
    """Collects the cards while the parser reads, so that each knows its line."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.form = ""
        self.title: str | None = None
        self.entries: list[Entry] = []
        self.stated: list[tuple[str, str]] = []
        self.notices: list[Notice] = []
        self.lines_before = 0
        self._open: list[_Open] = []
        self._section = "main"
        self._length = 0
        self._unread: set[str] = set()
        self._locator: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._locator = locator

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        line = self._line()
        if not self._open and name not in _FORMS:
            raise InputError(
                f"is XML with the root <{name[:40]}>; expected a deck of Cockatrice, MTGO or OCTGN", file=self.source, line=line
            )
        if len(self._open) >= _DEEPEST:
            raise InputError(f"is nested more than {_DEEPEST} deep; expected a deck", file=self.source, line=line)
        if not self._open:
            self.form = _FORMS[name]
        self._open.append(_Open(name, dict(attrs.items()), line))
        self._length = 0
        if (self.form, name) in {("cockatrice", "zone"), ("octgn", "section")}:
            self._start_section(dict(attrs.items()).get("name", ""), line)

    def characters(self, content: str) -> None:
        self._length += len(content)
        if self._length > _LONGEST_TEXT:
            raise InputError(f"has a text of more than {_LONGEST_TEXT:,} characters", file=self.source, line=self._line())
        self._open[-1].text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        element = self._open.pop()
        text = "".join(element.text)
        attributes = element.attributes
        match self.form, name:
            case "cockatrice", "card":
                self._add(element, attributes.get("name", ""), attributes.get("number", "1"), self._section)
            case "mtgo", "Cards":
                side = attributes.get("Sideboard", "false").casefold() in {"true", "1"}
                self._add(element, attributes.get("Name", ""), attributes.get("Quantity", "1"), "sideboard" if side else "main")
            case "octgn", "card":
                self._add(element, text, attributes.get("qty", "1"), self._section)
            case "cockatrice", "deckname":
                self.title = text.strip() or None
            case "cockatrice", "comments":
                self.stated += [stated for line in text.splitlines() if (stated := stated_in(line))]
            case ("cockatrice", "zone") | ("octgn", "section"):
                self._section = "main"
            case _ if name not in _IGNORED[self.form] and name not in self._unread and len(self._unread) < 20:
                self._unread.add(name)
                self.notices.append(Notice(element.line, f"the element <{name[:40]}> is not read"))

    def _start_section(self, name: str, line: int) -> None:
        section = section_of(name)
        if section is None:
            self.notices.append(Notice(line, f'the section "{name[:40]}" is read as cards beside the deck'))
        self._section = section or "beside"

    def _add(self, element: _Open, name: str, count: str, section: str) -> None:
        if not name.strip():
            raise InputError(f"found a <{element.name}> without a name; expected the card's name", file=self.source, line=element.line)
        if not re.fullmatch(r"\s*\d{1,9}\s*", count):
            raise InputError(f'found "{count[:20]}"; expected a number of copies', file=self.source, line=element.line)
        card = read_name(name)
        card.count = int(count)
        card.set_code = element.attributes.get("setShortName") or card.set_code
        card.collector_number = element.attributes.get("collectorNumber") or card.collector_number
        self.entries.append(card.entry(section, element.line))

    def _line(self) -> int:
        return ((self._locator.getLineNumber() or 1) if self._locator else 1) + self.lines_before
