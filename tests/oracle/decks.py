"""Commander decks judged in plain Python, written from the rulebook (release 2026-08-07) and from what the ten companions say.

Nothing here is shared with asp/, kb/ or tools/lawmage/decks: it takes cards and gives what is wrong as pairs of a rule and card names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from lawmage.cards.card import Card, Face

__all__ = ["COMPANIONS", "Listed", "Wrong", "all_pairs", "can_pair", "wrongs"]

#: A rule (or `ban list`, `card pool`), and the names of the cards that it is about.
Wrong = tuple[str, frozenset[str]]

_LANDS = {"Plains": "white", "Island": "blue", "Swamp": "black", "Mountain": "red", "Forest": "green"}
_PERMANENT = {"artifact", "battle", "creature", "enchantment", "land", "planeswalker"}
_ANY_NUMBER = (
    "Cid, Timeless Artificer",
    "Dragon's Approach",
    "Hare Apparent",
    "Persistent Petitioners",
    "Rat Colony",
    "Relentless Rats",
    "Shadowborn Apostle",
    "Slime Against Humanity",
    "Tempest Hawk",
    "Templar Knight",
)
_UP_TO = {"Seven Dwarves": 7, "Nazgûl": 9}
_OTHERWISE_CREATURES = {"Grist, the Hunger Tide": {"Insect"}}
_EVERY_TYPE = ("Mistform Ultimus",)
_CHOOSES_A_COLOR = ("The Prismatic Piper", "Faceless One", "Clara Oswald")


@dataclass(frozen=True)
class Listed:
    """A deck: its main part and commanders, and what stands beside."""

    main: tuple[Card, ...]
    commanders: tuple[Card, ...] = ()
    companions: tuple[Card, ...] = ()
    sideboard: tuple[Card, ...] = ()
    size: int = 100
    banned: frozenset[str] = field(default_factory=frozenset)
    no_companions: frozenset[str] = frozenset({"Lutri, the Spellchaser"})

    @property
    def starting(self) -> tuple[Card, ...]:
        """702.139b, 903.5a: the commanders are part of it."""
        return self.commanders + self.main


# ---------------------------------------------------------------- cards outside the game


def _faces(card: Card) -> tuple[Face, ...]:
    """709.4: a split card has the characteristics of both halves; 712.8a, 715.4: others those of their front or normal face."""
    return card.faces if card.layout in ("split", "aftermath") else card.faces[:1]


def _types(card: Card) -> set[str]:
    found = {kind for face in _faces(card) for kind in face.types}
    return found | {"creature"} if card.name in _OTHERWISE_CREATURES else found


def _subtypes(card: Card) -> set[str]:
    return {kind for face in _faces(card) for kind in face.subtypes} | _OTHERWISE_CREATURES.get(card.name, set())


def _every_type(card: Card) -> bool:
    return card.name in _EVERY_TYPE or "changeling" in _keywords(card)


def _is(card: Card, kind: str) -> bool:
    return kind in _subtypes(card) or _every_type(card)


def _legendary(card: Card) -> bool:
    return any("legendary" in face.supertypes for face in _faces(card))


def _keywords(card: Card) -> set[str]:
    return {word.lower() for face in _faces(card) for word in face.keywords}


def _basic_land(card: Card) -> bool:
    return "basic" in card.faces[0].supertypes and "land" in _types(card)


def _produces(card: Card) -> set[str]:
    return {_LANDS[kind] for kind in _subtypes(card) if kind in _LANDS}


# ---------------------------------------------------------------- commanders (903.3, 702.124)


def _can_lead(card: Card) -> bool:
    if any(said.kind == "may_lead" for face in card.faces for said in face.constraints):
        return True
    with_box = any(face.power is not None for face in _faces(card))
    return _legendary(card) and (
        "creature" in _types(card) or "Vehicle" in _subtypes(card) or ("Spacecraft" in _subtypes(card) and with_box)
    )


def _background(card: Card) -> bool:
    return _legendary(card) and "enchantment" in _types(card) and "Background" in _subtypes(card)


def _doctor(card: Card) -> bool:
    return _legendary(card) and "creature" in _types(card) and _subtypes(card) == {"Time Lord", "Doctor"} and not _every_type(card)


def _abilities(card: Card) -> set[tuple[str, str]]:
    """Return the partner abilities of a card: the rule, and the words in it."""
    found: set[tuple[str, str]] = set()
    for word in _keywords(card):
        if word == "partner":
            found.add(("702.124h", ""))
        elif match := re.fullmatch("partner—(character select|father & son|friends forever|survivors)", word):
            found.add(("702.124i", match[1]))
        elif match := re.fullmatch("partner with (.+)", word):
            found.add(("702.124j", match[1]))
        elif word == "choose a background":
            found.add(("702.124k", ""))
        elif word == "doctor's companion":
            found.add(("702.124m", ""))
    return found


def can_pair(one: Card, other: Card) -> bool:
    """Return whether two cards can be commanders together."""
    for first, second in ((one, other), (other, one)):
        for rule, words in _abilities(first):
            if rule in ("702.124h", "702.124i") and (rule, words) in _abilities(second) and _legendary(first) and _legendary(second):
                return True
            if rule == "702.124j" and words == second.name.lower() and (rule, first.name.lower()) in _abilities(second):
                return _legendary(first) and _legendary(second)
            if rule == "702.124k" and _background(second):
                return True
            if rule == "702.124m" and _doctor(second) and _legendary(first) and "creature" in _types(first):
                return True
    return False


def _leaders(deck: Listed) -> Iterator[Wrong]:
    led = deck.commanders
    if not led:
        yield "903.3", frozenset()
    paired = len(led) == 2 and can_pair(*led)
    for card in led:
        if _background(card):
            if not any(("702.124k", "") in _abilities(other) for other in led):
                yield "702.124k", frozenset({card.name})
        elif not _can_lead(card):
            yield "903.3", frozenset({card.name})
    if len(led) > 2:
        yield "702.124g", frozenset()
    if len(led) == 2 and not paired:
        rules = [{rule for rule, _ in _abilities(card)} for card in led]
        names = frozenset(card.name for card in led)
        if not rules[0] and not rules[1]:
            yield "702.124a", names
        elif not rules[0] or not rules[1]:
            yield from ((rule, names) for rule in rules[0] | rules[1])
        elif rules[0] & rules[1]:
            yield from ((rule, names) for rule in rules[0] & rules[1])
        else:
            yield "702.124f", names


# ---------------------------------------------------------------- construction (903.4, 903.5)


def _identities(deck: Listed) -> list[set[str]]:
    """Return the identities that the commanders can have: 903.4b, one colour each is chosen."""
    fixed = {color for card in deck.commanders for color in card.color_identity}
    found = [fixed]
    for card in deck.commanders:
        if card.name in _CHOOSES_A_COLOR:
            found = [identity | {color} for identity in found for color in _LANDS.values()]
    return found


def _outside(deck: Listed, identity: set[str]) -> list[Wrong]:
    found: list[Wrong] = []
    for card in {card.oracle_id: card for card in deck.starting}.values():
        if not set(card.color_identity) <= identity:
            found.append(("903.5c", frozenset({card.name})))
        if not _produces(card) <= identity:
            found.append(("903.5d", frozenset({card.name})))
    return found


def _strange(deck: Listed, identity: set[str]) -> list[Card]:
    """903.11a: companions that do not fit an identity."""
    return [card for card in deck.companions if not set(card.color_identity) <= identity]


def _chosen(deck: Listed) -> set[str]:
    """Return the identity with the colours chosen that leave the fewest cards outside; of those, the one with the first colours."""
    order = list(_LANDS.values())

    def rank(identity: set[str]) -> tuple[int, int]:
        outside = {name for _, names in _outside(deck, identity) for name in names}
        return len(outside) + len(_strange(deck, identity)), sum(1 << order.index(color) for color in identity)

    return min(_identities(deck), key=rank)


def _construction(deck: Listed) -> Iterator[Wrong]:
    counts = Counter(card.name for card in deck.starting)
    if sum(counts.values()) != deck.size:
        yield "903.5a", frozenset()
    for card in {card.oracle_id: card for card in deck.starting}.values():
        most = _UP_TO.get(card.name, 1)
        if counts[card.name] > most and not _basic_land(card) and card.name not in _ANY_NUMBER:
            yield "903.5b", frozenset({card.name})
        if card.name in deck.banned:
            yield "ban list", frozenset({card.name})
        elif "commander" not in card.legalities:
            yield "card pool", frozenset({card.name})
    if deck.commanders:
        yield from _outside(deck, _chosen(deck))
    if deck.sideboard:
        yield "903.5e", frozenset()


# ---------------------------------------------------------------- companions (702.139)


def _each(which: Callable[[Card], bool], what: Callable[[Card], bool]) -> Callable[[Listed], Iterator[str]]:
    def broken(deck: Listed) -> Iterator[str]:
        yield from {card.name for card in deck.starting if which(card) and not what(card)}

    return broken


def _any(_card: Card) -> bool:
    return True


def _permanent(card: Card) -> bool:
    return bool(_types(card) & _PERMANENT)


def _nonland(card: Card) -> bool:
    return "land" not in _types(card)


def _one_of_each_symbol(card: Card) -> bool:
    symbols = [symbol for face in _faces(card) for symbol in re.findall(r"\{.+?\}", face.mana_cost or "")]
    return len(symbols) == len(set(symbols))


def _names_differ(deck: Listed) -> Iterator[str]:
    counts = Counter(card.name for card in deck.starting if _nonland(card))
    yield from (name for name, count in counts.items() if count > 1)


def _share_a_type(deck: Listed) -> Iterator[str]:
    cards = [card for card in deck.starting if _nonland(card)]
    if cards and not set.intersection(*map(_types, cards)):
        different = {card.oracle_id: card for card in cards}.values()
        counts = Counter(kind for card in different for kind in _types(card))
        most = max(counts.values())
        kind = min(kind for kind, count in counts.items() if count == most)
        yield from {card.name for card in cards if kind not in _types(card)}


def _twenty_more(_deck: Listed) -> Iterator[str]:
    yield ""  # 903.5a: the minimum and the maximum are the same


COMPANIONS: dict[str, Callable[[Listed], Iterator[str]]] = {
    "Gyruda, Doom of Depths": _each(_any, lambda card: card.mana_value % 2 == 0),
    "Jegantha, the Wellspring": _each(_any, _one_of_each_symbol),
    "Kaheera, the Orphanguard": _each(
        lambda card: "creature" in _types(card),
        lambda card: any(_is(card, kind) for kind in ("Cat", "Elemental", "Nightmare", "Dinosaur", "Beast")),
    ),
    "Keruga, the Macrosage": _each(_nonland, lambda card: card.mana_value >= 3),
    "Lurrus of the Dream-Den": _each(_permanent, lambda card: card.mana_value <= 2),
    "Lutri, the Spellchaser": _names_differ,
    "Obosh, the Preypiercer": _each(_nonland, lambda card: card.mana_value % 2 == 1),
    "Umori, the Collector": _share_a_type,
    "Yorion, Sky Nomad": _twenty_more,
    "Zirda, the Dawnwaker": _each(_permanent, lambda card: any(face.activated for face in _faces(card))),
}


def _companion(deck: Listed) -> Iterator[Wrong]:
    if len(deck.companions) > 1:
        yield "702.139a", frozenset()
    for card in deck.companions:
        if card.name in COMPANIONS:
            yield from (("702.139a", frozenset({name, card.name} - {""})) for name in COMPANIONS[card.name](deck))
        else:
            yield "702.139a", frozenset({card.name})
        if card.name in deck.no_companions or card.name in deck.banned:
            yield "ban list", frozenset({card.name})
        elif "commander" not in card.legalities:
            yield "card pool", frozenset({card.name})
        if card.name in {other.name for other in deck.starting}:
            yield "903.11a", frozenset({card.name})


def wrongs(deck: Listed) -> set[Wrong]:
    """Return everything that is wrong with a deck."""
    found = {*_leaders(deck), *_construction(deck), *_companion(deck)}
    if deck.commanders:
        found |= {("903.11a", frozenset({card.name})) for card in _strange(deck, _chosen(deck))}
    return found


def all_pairs(cards: Iterable[Card]) -> set[frozenset[str]]:
    """Return all pairs of cards that can be commanders together, one pair after the other."""
    able = [card for card in cards if _abilities(card) or _background(card) or _doctor(card)]
    return {frozenset({one.name, other.name}) for one, other in combinations(able, 2) if can_pair(one, other)}
