"""Decks made at random for the oracle: legal ones of all kinds of commanders and companions, and what a slip makes of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from lawmage.cards.card import Card
from lawmage.decks.resolved import ResolvedDeck, ResolvedEntry

from .decks import COMPANIONS, Listed, all_pairs

__all__ = ["Shelf", "deck_of", "random_deck", "resolved"]

_BASICS = {"white": "Plains", "blue": "Island", "black": "Swamp", "red": "Mountain", "green": "Forest"}


@dataclass
class Shelf:
    """Cards to build with: all that the format has, some that it hasn't, and by what they can be used for."""

    by_name: dict[str, Card]
    legal: list[Card] = field(default_factory=list)
    foreign: list[Card] = field(default_factory=list)
    leaders: list[Card] = field(default_factory=list)
    odd_leaders: list[Card] = field(default_factory=list)
    pairs: list[tuple[Card, Card]] = field(default_factory=list)
    within: dict[tuple[str, ...], list[Card]] = field(default_factory=dict)

    @classmethod
    def of(cls, cards: Sequence[Card], banned: frozenset[str]) -> Shelf:
        """Sort cards."""
        shelf = cls({card.name: card for card in cards})
        for card in cards:
            if "commander" not in card.legalities or card.name in banned or card.mana_value != int(card.mana_value):
                shelf.foreign.append(card)
                continue
            shelf.legal.append(card)
            front = card.faces[0]
            if "legendary" in front.supertypes and "creature" in front.types:
                shelf.leaders.append(card)
            elif "legendary" in front.supertypes or "Vehicle" in front.subtypes or "Spacecraft" in front.subtypes:
                shelf.odd_leaders.append(card)
        pairs = sorted(map(sorted, all_pairs(shelf.legal)))
        shelf.pairs = [(shelf.by_name[one], shelf.by_name[other]) for one, other in pairs]
        found: dict[tuple[str, ...], list[Card]] = defaultdict(list)
        for card in shelf.legal:
            found[card.color_identity].append(card)
        shelf.within = dict(found)
        return shelf

    def fitting(self, identity: set[str]) -> list[Card]:
        """Return the cards within an identity."""
        return [card for colors, cards in self.within.items() if set(colors) <= identity for card in cards]


def deck_of(shelf: Shelf, random: Random, banned: frozenset[str]) -> Listed:
    """Return a deck that is as good as legal: its companion may ask for more."""
    kind = random.random()
    if kind < 0.35:
        commanders: tuple[Card, ...] = random.choice(shelf.pairs)
    else:
        commanders = (random.choice(shelf.leaders if kind < 0.85 else shelf.odd_leaders),)
    identity = {color for card in commanders for color in card.color_identity}
    pool = shelf.fitting(identity)
    companions: tuple[Card, ...] = ()
    if random.random() < 0.4:
        companions = (shelf.by_name[random.choice(sorted(COMPANIONS))],)
        trial = Listed((), commanders)
        breaks = COMPANIONS[companions[0].name]
        pool = [card for card in random.sample(pool, min(400, len(pool))) if not list(breaks(replace(trial, main=(card,), commanders=())))]
    cards = random.sample(pool, min(random.randint(5, 40), len(pool)))
    cards = [card for card in cards if card not in commanders and card not in companions]
    basics = [shelf.by_name[_BASICS[color]] for color in sorted(identity)] or [shelf.by_name["Wastes"]]
    lands = [random.choice(basics) for _ in range(100 - len(commanders) - len(cards))]
    return Listed(tuple(cards + lands), commanders, companions, banned=banned)


def random_deck(shelf: Shelf, random: Random, banned: frozenset[str]) -> Listed:
    """Return a deck with none, one or several slips."""
    deck = deck_of(shelf, random, banned)
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        deck = random.choice(_SLIPS)(deck, shelf, random)
    return deck


def _swapped(deck: Listed, card: Card, random: Random) -> Listed:
    """Put a card in the place of one of the main deck."""
    main = list(deck.main)
    if main:
        main[random.randrange(len(main))] = card
    return replace(deck, main=tuple(main))


def _any_color(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    return _swapped(deck, random.choice(shelf.legal), random)


def _twice(deck: Listed, _shelf: Shelf, random: Random) -> Listed:
    return _swapped(deck, random.choice(deck.starting), random) if deck.starting else deck


def _many(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    card = shelf.by_name[random.choice(("Relentless Rats", "Seven Dwarves", "Nazgûl", "Persistent Petitioners", "Snow-Covered Forest"))]
    number = random.randint(2, 11)
    return replace(deck, main=(card,) * number + deck.main[number:])


def _foreign(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    return _swapped(deck, random.choice(shelf.foreign), random)


def _dropped(deck: Listed, _shelf: Shelf, _random: Random) -> Listed:
    return replace(deck, main=deck.main[1:])


def _added(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    return replace(deck, main=(*deck.main, random.choice(shelf.legal)))


def _other_leader(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    others = [random.choice(shelf.leaders), random.choice(shelf.odd_leaders), random.choice(shelf.legal), *random.choice(shelf.pairs)]
    commanders = list(deck.commanders)
    if commanders:
        commanders[random.randrange(len(commanders))] = random.choice(others)
    return replace(deck, commanders=tuple(commanders))


def _one_more_leader(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    more = random.choice((random.choice(shelf.leaders), *random.choice(shelf.pairs)))
    return replace(deck, commanders=(*deck.commanders, more), main=deck.main[1:])


def _no_leader(deck: Listed, _shelf: Shelf, _random: Random) -> Listed:
    return replace(deck, commanders=deck.commanders[1:])


def _companion(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    name = random.choice((*sorted(COMPANIONS), random.choice(shelf.legal).name))
    return replace(deck, companions=(*deck.companions, shelf.by_name[name]))


def _companion_inside(deck: Listed, _shelf: Shelf, random: Random) -> Listed:
    return _swapped(deck, deck.companions[0], random) if deck.companions else deck


def _sideboard(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    return replace(deck, sideboard=tuple(random.sample(shelf.legal, random.randint(1, 15))))


def _land(deck: Listed, shelf: Shelf, random: Random) -> Listed:
    lands = ("Steam Vents", "Dryad Arbor", "Evolving Wilds", "Command Tower", "Mountain", "Forest", "Wastes", "Leyline of the Guildpact")
    return _swapped(deck, shelf.by_name[random.choice(lands)], random)


_SLIPS: tuple[Callable[[Listed, Shelf, Random], Listed], ...] = (
    _any_color,
    _twice,
    _many,
    _foreign,
    _dropped,
    _added,
    _other_leader,
    _one_more_leader,
    _no_leader,
    _companion,
    _companion_inside,
    _sideboard,
    _land,
)


def resolved(deck: Listed) -> ResolvedDeck:
    """Return a deck as lawmage takes it, copies of a card counted together or not as they come."""
    entries: list[ResolvedEntry] = []
    sections = {"commander": deck.commanders, "main": deck.main, "companion": deck.companions, "sideboard": deck.sideboard}
    for section, cards in sections.items():
        for card in cards:
            last = entries[-1] if entries else None
            if last is not None and last.section == section and last.card is card:
                entries[-1] = replace(last, count=last.count + 1)
            else:
                entries.append(ResolvedEntry(1, card, section))
    return ResolvedDeck("random", None, tuple(entries))
