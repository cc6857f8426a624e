"""From the names of a list to cards, and to who leads it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lawmage.cards.card import Card
from lawmage.cards.names import find
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore
from lawmage.decks.deck import Deck, Notice
from lawmage.decks.resolved import NotFound, ResolvedDeck, ResolvedEntry
from lawmage.errors import InputError, LawmageError, UnknownNameError

__all__ = ["CARDS_KEPT", "Finder", "resolve", "set_apart"]

#: How many cards a `Finder` keeps at most; a deck has a hundred, and all decks that people play together use fewer than twice as many.
CARDS_KEPT = 12_000
_LOOKED_UP = frozenset({"commander", "signature", "companion", "main", "sideboard"})
#: Looking for a name that is like an unknown one takes time; a list with more of them is no deck.
_MOST_NOT_FOUND = 25
#: Forms without a place for commanders: their programs keep them in the sideboard.
_COMMANDERS_IN_SIDEBOARD = frozenset({"xmage", "mtgo", "cockatrice"})
_MOST_COMMANDERS = 2
_UNKNOWN_KEPT = 1000
_UNKNOWN_PREPARED = 100


class Finder:
    """Finds cards by name and keeps what it found, without their texts, so that a run over many decks needs little memory.

    Args:
        store: the cards.
        kept: how many cards it keeps at most.
    """

    def __init__(self, store: CardStore, kept: int = CARDS_KEPT) -> None:
        self._store = store
        self._kept = kept
        self._found: dict[str, Card] = {}
        self._unknown: dict[str, LawmageError] = {}
        self._same: dict[object, object] = {}

    def find(self, name: str) -> Card:
        """Return the card called `name`.

        Raises:
            UnknownNameError: if there is none.
            InputError: if there are several.
        """
        card = self._found.get(name)
        if card is not None:
            return card
        if name in self._unknown:
            raise self._unknown[name].with_traceback(None)
        try:
            card = self._look_up(name)
        except LawmageError as error:
            if len(self._unknown) < _UNKNOWN_KEPT:
                self._unknown[name] = error
            raise
        if len(self._found) < self._kept:
            card = self._found[name] = self._compact(card)
        return card

    def prepare(self, decks: Iterable[Deck]) -> None:
        """Look up the names in `decks` in the order in which the store keeps them, so that it opens each of its parts once."""
        names = {entry.name for deck in decks for entry in deck.entries if entry.section in _LOOKED_UP}
        unknown = 0
        for name in sorted(names - self._found.keys(), key=key):
            try:
                self.find(name)
            except LawmageError:
                unknown += 1
                if unknown > _UNKNOWN_PREPARED:
                    return

    def _look_up(self, name: str) -> Card:
        left, slashes, right = name.partition(" // ")
        # Printings with the same face on both sides are listed by some sites as if the card had two names.
        searched = left if slashes and left == right else name
        try:
            return find(self._store, searched)
        except InputError:
            # Sites that write one name of a card write its first.
            wanted = key(searched)
            cards = self._store.many(oracle_id for oracle_id, _ in self._store.by_key(wanted)).values()
            first = [card for card in cards if key(card.faces[0].name) == wanted]
            if len(first) != 1:
                raise
            return first[0]

    def _compact(self, card: Card) -> Card:
        """Return `card` without texts; what is equal in many cards is kept once."""
        legalities = self._same.setdefault(frozenset(card.legalities.items()), card.legalities)
        faces = tuple(replace(face, text=None) for face in card.faces)
        return replace(card, faces=faces, legalities=legalities)  # type: ignore[arg-type]  # what was put in is what comes out


def resolve(deck: Deck, finder: Finder, *, commanders: Sequence[str] = (), companion: str | None = None) -> ResolvedDeck:
    """Return `deck` with its names looked up, its commanders and companion in the sections of that name.

    Args:
        deck: as listed.
        finder: where cards come from.
        commanders: names that replace what the list says; a card that the list lacks is added.
        companion: a name, likewise.

    Raises:
        UnknownNameError, InputError: if no card, or several, are called as `commanders` or `companion` say.
    """
    led = tuple(finder.find(name) for name in commanders)
    joined = finder.find(companion) if companion is not None else None
    entries: list[ResolvedEntry] = []
    not_found: list[NotFound] = []
    notices = list(deck.notices)
    looked_up = [entry for entry in deck.entries if entry.section in _LOOKED_UP]
    for place, entry in enumerate(looked_up):
        try:
            entries.append(ResolvedEntry(entry.count, finder.find(entry.name), entry.section, entry.line))
        except LawmageError as error:
            not_found.append(NotFound(entry, str(error)))
            if len(not_found) == _MOST_NOT_FOUND:
                left = len(looked_up) - place - 1
                notices.append(Notice(entry.line, f"so many names are unknown that the {left} cards after this one are not looked up"))
                break
    resolved = ResolvedDeck(deck.source, deck.title, tuple(entries), tuple(not_found), tuple(notices))
    if led:
        resolved = set_apart(resolved, led, "commander")
    elif not resolved.section("commander"):
        resolved = _find_commanders(resolved, deck, finder)
    return set_apart(resolved, (joined,), "companion") if joined is not None else resolved


def _find_commanders(resolved: ResolvedDeck, deck: Deck, finder: Finder) -> ResolvedDeck:
    """Look for commanders where the form keeps them without saying so: in comments, or in the sideboard."""
    present = {entry.card.oracle_id for entry in resolved.entries}
    stated = [card for name in deck.stated_commanders if (card := _card(finder, name)) is not None and card.oracle_id in present]
    if stated:
        return set_apart(resolved, stated, "commander")
    for name in deck.stated_commanders:
        notice = Notice(0, f'a comment names "{name}" as the commander, but the list has no such card')
        resolved = replace(resolved, notices=(*resolved.notices, notice))
    sideboard = resolved.section("sideboard")
    if deck.form in _COMMANDERS_IN_SIDEBOARD and 1 <= sum(entry.count for entry in sideboard) <= _MOST_COMMANDERS:
        names = " and ".join(entry.card.name for entry in sideboard)
        notice = Notice(sideboard[0].line, f"{names} in the sideboard is read as the commander, as this form has no other place for it")
        moved = set_apart(resolved, [entry.card for entry in sideboard], "commander")
        return replace(moved, notices=(*moved.notices, notice))
    return resolved


def _card(finder: Finder, name: str) -> Card | None:
    try:
        return finder.find(name)
    except (UnknownNameError, InputError):
        return None


def set_apart(resolved: ResolvedDeck, cards: Sequence[Card], section: str) -> ResolvedDeck:
    """Make `cards` the only ones of a section: what stood there goes to the deck, one copy of each comes out of the list or is added."""
    entries = [replace(entry, section="main") if entry.section == section else entry for entry in resolved.entries]
    notices = list(resolved.notices)
    for card in cards:
        place = next(_places(entries, card.oracle_id), None)
        if place is None:
            notices.append(Notice(0, f"{card.name} is not in the list, so it is counted beside it"))
            entries.append(ResolvedEntry(1, card, section))
            continue
        entry = entries[place]
        rest = [replace(entry, count=entry.count - 1)] if entry.count > 1 else []
        entries[place : place + 1] = [replace(entry, count=1, section=section), *rest]
    return replace(resolved, entries=tuple(entries), notices=tuple(notices))


def _places(entries: Sequence[ResolvedEntry], oracle_id: str) -> Iterator[int]:
    """Yield where a card stands, in the sections from which one is set apart first."""
    return itertools.chain.from_iterable(
        (place for place, entry in enumerate(entries) if entry.section == section and entry.card.oracle_id == oracle_id)
        for section in ("sideboard", "main")
    )
