"""From the names of a list to cards, and to who leads it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lawmage.cards.card import Card
from lawmage.cards.names import find
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore
from lawmage.decks.deck import Deck, Notice
from lawmage.decks.formats import present_name
from lawmage.decks.resolved import NotFound, ResolvedDeck, ResolvedEntry
from lawmage.errors import InputError, LawmageError, UnknownNameError

__all__ = ["CARDS_KEPT", "Finder", "readings", "resolve", "set_apart"]

#: When a `Finder` has so many cards, it forgets them before it looks up those of the next decks.
CARDS_KEPT = 12_000
_LOOKED_UP = frozenset({"commander", "signature", "companion", "main", "sideboard"})
#: Looking for a name that is like an unknown one takes time; a list with more of them is no deck.
_MOST_NOT_FOUND = 25
#: Forms without a place of their own for commanders and companions: programs and people keep them in the sideboard.
_COMMANDERS_IN_SIDEBOARD = frozenset({"xmage", "mtgo", "cockatrice", "text", "dec", "mwdeck"})
_MOST_COMMANDERS = 2
#: Two commanders and a companion.
_MOST_BESIDE = 3


class Finder:
    """Finds cards by name and keeps what it found, without their texts, so that a run over many decks needs little memory.

    Args:
        file: of the cards; opened as long as something is looked up.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._found: dict[str, Card] = {}
        self._unknown: dict[str, LawmageError] = {}
        self._same: dict[object, object] = {}

    def find(self, name: str) -> Card:
        """Return the card called `name`.

        Raises:
            UnknownNameError: if there is none.
            InputError: if there are several.
        """
        if name not in self._found and name not in self._unknown:
            with CardStore.open(self._file) as store:
                self._add(store, name)
        if name in self._unknown:
            raise self._unknown[name].with_traceback(None)
        return self._found[name]

    def prepare(self, decks: Sequence[Deck]) -> None:
        """Look up the names in `decks` in the order in which the file has them, so that each of its parts is opened once."""
        if len(self._found) + len(self._unknown) > CARDS_KEPT:
            self._found.clear()
            self._unknown.clear()
        names = {entry.name for deck in decks for entry in deck.entries if entry.section in _LOOKED_UP}
        unknown = 0
        with CardStore.open(self._file) as store:
            for name in sorted(names - self._found.keys() - self._unknown.keys(), key=key):
                unknown += not self._add(store, name)
                if unknown > _MOST_NOT_FOUND * len(decks):
                    return

    def _add(self, store: CardStore, name: str) -> bool:
        """Look up a name and keep what is found; return whether it is a card's."""
        try:
            self._found[name] = self._compact(_look_up(store, name))
        except (InputError, UnknownNameError) as error:
            self._unknown[name] = error
            return False
        return True

    def _compact(self, card: Card) -> Card:
        """Return `card` without texts; what is equal in many cards is kept once."""
        legalities = self._same.setdefault(frozenset(card.legalities.items()), card.legalities)
        faces = tuple(replace(face, text=None) for face in card.faces)
        return replace(card, faces=faces, legalities=legalities)  # type: ignore[arg-type]  # what was put in is what comes out


def _look_up(store: CardStore, name: str) -> Card:
    left, slashes, right = name.partition(" // ")
    # Printings with the same face on both sides are listed by some sites as if the card had two names.
    searched = left if slashes and left == right else name
    try:
        return find(store, searched)
    except UnknownNameError:
        present = present_name(searched)
        if present is None:
            raise
        return find(store, present)
    except InputError:
        # Sites that write one name of a card write its first.
        wanted = key(searched)
        cards = store.many(oracle_id for oracle_id, _ in store.by_key(wanted)).values()
        first = [card for card in cards if key(card.faces[0].name) == wanted]
        if len(first) != 1:
            raise
        return first[0]


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
        except (InputError, UnknownNameError) as error:
            not_found.append(NotFound(entry, str(error)))
            if len(not_found) == _MOST_NOT_FOUND:
                left = len(looked_up) - place - 1
                notices.append(Notice(entry.line, f"so many names are unknown that the {left} cards after this one are not looked up"))
                break
    resolved = ResolvedDeck(deck.source, deck.title, tuple(entries), tuple(not_found), tuple(notices), deck.form)
    if led:
        resolved = set_apart(resolved, led, "commander")
    elif not resolved.section("commander"):
        resolved = _stated_commanders(resolved, deck, finder)
    return set_apart(resolved, (joined,), "companion") if joined is not None else resolved


def readings(deck: ResolvedDeck) -> list[ResolvedDeck]:
    """Return the ways in which a list without a commander can be read, if its form keeps commanders and companions in the sideboard."""
    sideboard = [entry.card for entry in deck.section("sideboard") for _ in range(entry.count)][: _MOST_BESIDE + 1]
    if deck.form not in _COMMANDERS_IN_SIDEBOARD or deck.section("commander") or len(sideboard) > _MOST_BESIDE:
        return []
    found = []
    for companion in (None, *sideboard):
        leaders = [card for card in sideboard if card is not companion]
        if 1 <= len(leaders) <= _MOST_COMMANDERS:
            read = set_apart(deck, leaders, "commander")
            read = set_apart(read, [companion], "companion") if companion else read
            message = f"{_names(leaders)} in the sideboard is read as the commander" + (
                f", {companion.name} as the companion" if companion else ""
            )
            found.append(replace(read, notices=(*read.notices, Notice(deck.section("sideboard")[0].line, message))))
    return found


def _names(cards: Sequence[Card]) -> str:
    return " and ".join(card.name for card in cards)


def _stated_commanders(resolved: ResolvedDeck, deck: Deck, finder: Finder) -> ResolvedDeck:
    """Set apart the commanders that comments name in other words than the list does."""
    present = {entry.card.oracle_id for entry in resolved.entries}
    stated = [card for name in deck.stated_commanders if (card := _card(finder, name)) is not None and card.oracle_id in present]
    if stated:
        return set_apart(resolved, stated, "commander")
    notices = [Notice(0, f'a comment names "{name}" as the commander, but the list has no such card') for name in deck.stated_commanders]
    return replace(resolved, notices=(*resolved.notices, *notices))


def _card(finder: Finder, name: str) -> Card | None:
    try:
        return finder.find(name)
    except (UnknownNameError, InputError):
        return None


def set_apart(resolved: ResolvedDeck, cards: Sequence[Card], section: str) -> ResolvedDeck:
    """Make `cards` the only ones of a section: one copy of each comes out of the list or is added.

    Commanders that stood there are cards of the deck then; a companion that stood there is left out.
    """
    notices = list(resolved.notices)
    if section == "companion":
        notices += [Notice(entry.line, f"{entry.card.name} is not read as the companion") for entry in resolved.section(section)]
        entries = [entry for entry in resolved.entries if entry.section != section]
    else:
        entries = [replace(entry, section="main") if entry.section == section else entry for entry in resolved.entries]
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
