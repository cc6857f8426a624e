"""From a file to the decks in it. What form it has is recognised by its content, never by its name."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from lawmage.decks.csv_form import is_csv, read_csv
from lawmage.decks.deck import Deck, Entry, Notice
from lawmage.decks.draft import is_draft, read_draft
from lawmage.decks.forge import is_forge, read_forge
from lawmage.decks.json_forms import is_json, read_json
from lawmage.decks.lines import MOST_COPIES
from lawmage.decks.text_form import read_text
from lawmage.decks.xml_forms import read_xml
from lawmage.errors import InputError
from lawmage.rulebook.encoding import normalize_line_ends, to_text

__all__ = ["LARGEST_FILE", "MOST_ENTRIES", "STDIN", "load_decks", "read_deck", "read_decks"]

#: In bytes. MTGJSON's decks, the largest form, have less than 1 MB.
LARGEST_FILE = 8 * 2**20
#: Of one deck.
MOST_ENTRIES = 20_000
#: What stands for standard input in place of a file's name.
STDIN = "-"
#: What no text for people has; JSON can spell it out all the same.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
#: What comes along when text is copied from web pages: soft hyphens, spaces without width, marks of direction and of byte order.
_INVISIBLE = re.compile(r"[\xad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_PRINTING = re.compile(r"[\w★†*+./-]{1,20}")


def load_decks(file: str | Path) -> tuple[Deck, ...]:
    """Return the decks of a file, or of standard input for `-`.

    Raises:
        InputError: if it can't be read or is no deck.
    """
    source = str(file)
    try:
        if source == STDIN:
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", file=source) from None
    return read_decks(data, source)


def read_deck(data: bytes, source: str) -> Deck:
    """Return the deck of a file's bytes.

    Raises:
        InputError: if it is no deck, naming the line; or if it has several.
    """
    decks = read_decks(data, source)
    if len(decks) > 1:
        raise InputError(f"has {len(decks)} decks; expected one", file=source)
    return decks[0]


def read_decks(data: bytes, source: str) -> tuple[Deck, ...]:
    """Return the decks of a file's bytes: one, unless it is a collection of them.

    Args:
        data: the whole file.
        source: its name, for messages.

    Raises:
        InputError: if it is too large, empty or no deck, naming the line.
    """
    if len(data) > LARGEST_FILE:
        raise InputError(f"is larger than {LARGEST_FILE >> 20} MB; expected a deck", file=source)
    text = _INVISIBLE.sub("", normalize_line_ends(to_text(data, source)))
    if not text.strip():
        raise InputError("is empty; expected a deck", file=source)
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise InputError(f"isn't a text file (it has the character {control[0]!r}); expected a deck", file=source, line=line)
    try:
        return tuple(_checked(deck) for deck in _by_content(text, source))
    except InputError as error:
        raise InputError(_plain(error.message), file=source, line=error.line) from None


def _by_content(text: str, source: str) -> tuple[Deck, ...]:
    if text.lstrip().startswith("<"):
        return (read_xml(text, source),)
    if is_json(text):
        return read_json(text, source)
    for recognised, read in ((is_forge, read_forge), (is_draft, read_draft), (is_csv, read_csv)):
        if recognised(text):
            return (read(text, source),)
    return (read_text(text, source),)


def _checked(deck: Deck) -> Deck:
    """Return the deck without entries of no copies, which become notices.

    Raises:
        InputError: if a number is beyond the limits, a name is none, or no card is left.
    """
    if len(deck.entries) > MOST_ENTRIES:
        raise InputError(f"lists {len(deck.entries):,} cards; expected at most {MOST_ENTRIES:,}", file=deck.source)
    for entry in deck.entries:
        if entry.count > MOST_COPIES:
            message = f'has {entry.count:,} copies of "{entry.name[:80]}"; expected at most {MOST_COPIES:,}'
            raise InputError(message, file=deck.source, line=entry.line or None)
        if not entry.name.isprintable() or not entry.name:
            raise InputError(f"found {entry.name[:80]!a}; expected a card's name", file=deck.source, line=entry.line or None)
    none = tuple(Notice(entry.line, f'"{entry.name}" has no copies') for entry in deck.entries if entry.count < 1)
    left = tuple(_with_plain_marks(entry) for entry in deck.entries if entry.count > 0)
    if not left:
        raise InputError("lists no cards; expected a deck", file=deck.source)
    notices = tuple(replace(notice, message=_plain(notice.message)) for notice in (*deck.notices, *none))
    stated = tuple(_plain(name) for name in deck.stated_commanders)
    return replace(deck, title=_plain(deck.title or "") or None, entries=left, stated_commanders=stated, notices=notices)


def _plain(text: str) -> str:
    """Return `text` as one line that does nothing to a terminal."""
    return " ".join(_CONTROL.sub("?", text).split())


def _with_plain_marks(entry: Entry) -> Entry:
    """Return `entry` without a printing or categories that other forms could take for something else."""
    marks = (entry.set_code, entry.collector_number)
    if all(mark is None or _PRINTING.fullmatch(mark) for mark in marks) and all(word.isprintable() for word in entry.categories):
        return entry
    set_code, number = (mark if mark and _PRINTING.fullmatch(mark) else None for mark in marks)
    return replace(entry, set_code=set_code, collector_number=number, categories=tuple(map(_plain, entry.categories)))
