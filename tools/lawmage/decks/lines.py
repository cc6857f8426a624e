"""One line of a text list: how many copies of which card, and the marks beside it.

The marks that are understood, before or after the name:

    4x                    a number of copies; `x4` at the end works too
    COMMANDER: , SB:      a section
    [SET], [SET:123]      a printing; also `(SET) 123`
    *F*, [foil], (F)      foil
    *CMDR*, # !Commander  the commander
    [Ramp, Commander{top}, Maybeboard{noDeck}]   categories, of which some are sections
    #Ramp #Card draw      tags; also `<extended art>`
    ^Have,#37d67a^        a coloured label
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lawmage.decks.deck import Entry
from lawmage.decks.sections import section_of

__all__ = ["LONGEST_LINE", "MOST_COPIES", "CardLine", "read_card_line", "read_name"]

#: In characters; no card's name with all its marks comes near.
LONGEST_LINE = 1000
#: Of one card in one line.
MOST_COPIES = 9999
_MOST_MARKS = 20

_PREFIX = re.compile(r"([A-Za-z][A-Za-z ]{1,15}):\s*(?=\S)")
_COUNT = re.compile(r"(\d+)[xX×]?\s+(?=\S)")
_COUNT_AT_END = re.compile(r"\s[xX×](\d+)$")
_PRINTING_FIRST = re.compile(r"\[([A-Za-z0-9_]{1,8})(?:[:#]([^\]\s]{1,12}))?\]\s*(?=\S)")
_LABEL = re.compile(r"\s*\^[^^]*\^$")
_TAGS = re.compile(r"\s#(?=\s*\S)")
_STARRED = re.compile(r"\s*\*([A-Za-z][\w-]*)\*$")
_BRACKETED = re.compile(r"\s*\[([^\[\]]*)\]$")
_ANGLED = re.compile(r"\s*<([^<>]*)>$")
_FOIL = re.compile(r"\s*\((F|FE|E|foil|etched)\)$")
_ART = re.compile(r"\s\(\d{1,3}\)$")
_PRINTING = re.compile(r"\s*\((?!\d+\))([A-Z0-9_]{2,8}|[a-z0-9_]{2,8})\)(?:\s+([\w★†*+./-]{1,12}))?$")
_SET_AND_NUMBER = re.compile(r"([A-Za-z0-9_]{2,8}):(\*|[^\s:]{1,12})")
_FLAGS = re.compile(r"\{[^{}]*\}")
_FOIL_WORDS = frozenset({"f", "e", "foil", "etched", "f-etch", "foil etched", "surge foil"})
#: Categories and marks that are sections; any other is the user's own word.
_MARKED = frozenset({"commander", "signature", "companion", "sideboard", "maybeboard", "tokens"})


@dataclass(slots=True)
class CardLine:
    """What a line says; `count` and `section` are None where it doesn't say."""

    count: int | None = None
    name: str = ""
    section: str | None = None
    set_code: str | None = None
    collector_number: str | None = None
    foil: bool = False
    categories: list[str] = field(default_factory=list)
    excluded: bool = False

    def entry(self, section: str, line: int) -> Entry:
        """Return the entry of a line that stands in `section`."""
        return Entry(
            count=1 if self.count is None else self.count,
            name=self.name,
            section=self.section or ("maybeboard" if self.excluded else section),
            line=line,
            set_code=self.set_code,
            collector_number=self.collector_number,
            foil=self.foil,
            categories=tuple(self.categories),
        )


def read_card_line(text: str) -> CardLine:
    """Return what a line says. Its `name` is empty if there is nothing but marks.

    The line is at most `LONGEST_LINE` long; every pattern takes linear time in it.
    """
    card = CardLine()
    text = " ".join(text.split())
    prefix = _PREFIX.match(text)
    if prefix and (section := section_of(prefix[1])):
        card.section = section
        text = text[prefix.end() :]
    if count := _COUNT.match(text):
        card.count = int(count[1][:9])
        text = text[count.end() :]
    if printing := _PRINTING_FIRST.match(text):
        card.set_code, card.collector_number = printing[1], printing[2]
        text = text[printing.end() :]
    text = _without_marks(text, card)
    if card.count is None and (count := _COUNT_AT_END.search(text)):
        card.count = int(count[1][:9])
        text = text[: count.start()]
    card.name = text
    return card


def read_name(text: str) -> CardLine:
    """Return what a field says that holds a name alone, but perhaps with marks after it."""
    card = CardLine(count=1)
    plain = " ".join(text[:LONGEST_LINE].split())
    card.name = _without_marks(plain, card) or plain
    card.section = None
    return card


def _without_marks(text: str, card: CardLine) -> str:
    text = _without_tags(text, card)
    for _ in range(_MOST_MARKS):
        shorter = _without_last_mark(text, card)
        if shorter is None:
            break
        text = shorter
    return text.strip()


def _without_tags(text: str, card: CardLine) -> str:
    while text.endswith("^") and (label := _LABEL.search(text)):
        text = text[: label.start()]
    if "#" in text and (tags := _TAGS.search(text)):
        for tag in text[tags.end() :].split("#"):
            _take_word(tag.strip().removeprefix("!"), card, is_section=tag.strip().startswith("!"))
        text = text[: tags.start()]
    return text


def _without_last_mark(text: str, card: CardLine) -> str | None:
    """Return `text` without the mark at its end; None if there is none."""
    text = text.rstrip()
    last = text[-1:]
    mark: re.Match[str] | None = None
    if last == "*" and (mark := _STARRED.search(text)):
        _take_word(mark[1], card, is_section=True)
    elif last == "]" and (mark := _BRACKETED.search(text)):
        _take_brackets(mark[1], card)
    elif last == ">" and (mark := _ANGLED.search(text)):
        _take_word(mark[1], card, is_section=False)
    elif last == ")" and (mark := _FOIL.search(text)):
        card.foil = True
    elif "(" in text and (mark := _PRINTING.search(text)):
        card.set_code, card.collector_number = mark[1], mark[2]
    elif last == ")":
        mark = _ART.search(text)
    if mark is None:
        return None
    return text[: mark.start()]


def _take_brackets(inside: str, card: CardLine) -> None:
    if printing := _SET_AND_NUMBER.fullmatch(inside):
        card.set_code, card.collector_number = printing[1], None if printing[2] == "*" else printing[2]
        return
    words = inside.split(",")
    if len(words) == 1 and card.set_code is None and re.fullmatch(r"[A-Z0-9_]{2,8}", inside):
        card.set_code = inside
        return
    for word in words:
        if "{noDeck}" in word:
            card.excluded = True
        _take_word(_FLAGS.sub("", word).strip(), card, is_section=True)


def _take_word(word: str, card: CardLine, *, is_section: bool) -> None:
    if word.casefold() in _FOIL_WORDS:
        card.foil = True
        return
    section = section_of(word) if is_section else None
    if section in _MARKED:
        card.section = card.section or section
    elif word:
        card.categories.append(word)
