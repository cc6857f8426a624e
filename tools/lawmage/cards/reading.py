"""What the rules text of a face states, gathered from the readers of `lawmage.text`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lawmage.constraints import Constraint
from lawmage.keywords import load_keywords
from lawmage.play.knowledge import knowledge
from lawmage.text.bearing import bearing, triggers
from lawmage.text.deck import DeckReading, read_deck_text
from lawmage.text.forms import parse_keywords
from lawmage.text.lines import abilities, own_names
from lawmage.text.read import TextReading, read_text
from lawmage.text.words import turn

__all__ = ["DECK", "FaceReading", "read_face", "readings_of"]

#: What a line that is not understood bears on if it is about building a deck, beside the judgements of `lawmage.text.bearing`.
DECK = frozenset({"deck"})
_QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What a text states; the attributes are those of `lawmage.cards.card.Face`."""

    keywords: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    not_understood: tuple[str, ...] = ()
    bears_on: tuple[frozenset[str], ...] = ()
    triggers: tuple[str, ...] = ()
    activated: bool = False


def read_face(text: str, name: str) -> FaceReading:
    """Return what the rules text of a face called `name` states.

    Raises:
        InputError: if the text has more than 20,000 characters.
    """
    if not text:
        return FaceReading()
    read, deck = readings_of(text, name)
    unread = bearing(read)
    for line in deck.unread:
        unread[line] = unread.get(line, frozenset()) | DECK
    return FaceReading(
        keywords=tuple(map(_without_condition, read.keywords)),
        constraints=(*read.constraints, *deck.constraints),
        not_understood=tuple(unread),
        bears_on=tuple(unread.values()),
        triggers=triggers(read),
        activated=_has_activated_keyword(read.keywords) or any(map(_is_activated, abilities(text))),
    )


@lru_cache(maxsize=32)
def readings_of(text: str, name: str) -> tuple[TextReading, DeckReading]:
    """Return what the readers of texts say of that of a face called `name`; the last ones are kept, as others ask for the same.

    Raises:
        InputError: if the text has more than 20,000 characters.
    """
    names, forms = own_names(name), knowledge().forms
    return read_text(text, names=names, keywords=forms), read_deck_text(text, names, forms)


def _without_condition(written: str) -> str:
    """Return a keyword as written, but for a sentence behind a dash that states something itself."""
    name, dash, _ = written.partition(" — ")
    return name if dash and name.lower() in _headings() else written


@lru_cache(maxsize=1)
def _headings() -> frozenset[str]:
    """Return the keywords that stand before a sentence, with a dash between."""
    forms = (form for keyword in load_keywords().values() for form in keyword.forms)
    return frozenset(form.partition(" — ")[0] for form in forms if " — {" in form)


def _is_activated(line: str) -> bool:
    """Return whether a line is an activated ability: a cost, a colon, an effect (602.1), or a loyalty ability (606.1)."""
    cost, colon, _ = _QUOTED.sub("", line).partition(":")
    return bool(colon) and bool(turn("cost").match(cost.rpartition(" — ")[2].strip().lower()))


def _has_activated_keyword(keywords: tuple[str, ...]) -> bool:
    forms = knowledge().forms
    return any(use.keyword in _activated_keywords() for written in keywords for use in parse_keywords(written, forms))


@lru_cache(maxsize=1)
def _activated_keywords() -> frozenset[str]:
    found = load_keywords().values()
    return frozenset(one.name for one in found if "Activated" in {*one.kinds, *(kind for each in one.abilities for kind in each.kinds)})
