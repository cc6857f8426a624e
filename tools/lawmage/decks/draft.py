"""A draft's log as MTGO and XMage save it: the cards that were picked are the list."""

from __future__ import annotations

import re

from lawmage.decks.deck import Deck, Entry
from lawmage.errors import InputError

__all__ = ["is_draft", "read_draft"]

_PICK = "-->"
_OTHER = re.compile(r"(?:Event #|Time|Players):|-{3,}|Pack \d+ pick \d+:")


def is_draft(text: str) -> bool:
    """Tell whether a text starts like a draft's log."""
    return text.lstrip().startswith("Event #:")


def read_draft(text: str, source: str) -> Deck:
    """Return the cards picked; the cards passed on are indented in the log, as are the players.

    Raises:
        InputError: naming the first line that is neither.
    """
    entries = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(_PICK):
            entries.append(Entry(1, line.removeprefix(_PICK).strip(), "main", number))
        elif line.strip() and not line.startswith((" ", "\t")) and not _OTHER.match(line):
            raise InputError(f'found "{line[:80]}"; expected a pick after {_PICK}', file=source, line=number)
    return Deck(source, "draft", None, tuple(entries))
