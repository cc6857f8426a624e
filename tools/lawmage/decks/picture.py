"""What a deck is made of, in numbers: for the picture beside a verdict. No rule depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lawmage.decks.resolved import ResolvedDeck, ResolvedEntry

__all__ = ["counts_of"]

_DECK = ("commander", "signature", "main")
_COLORS = ("white", "blue", "black", "red", "green")


def counts_of(deck: ResolvedDeck) -> dict[str, Any]:
    """Return how many cards of a deck there are of each type (a card of several counts for each), of each colour identity's colour
    (`colorless` for none), and of each mana value, lands left out.
    """
    types: Counter[str] = Counter()
    colors: Counter[str] = Counter()
    values: Counter[int] = Counter()
    for entry in _entries(deck):
        card = entry.card
        for word in card.faces[0].types:
            types[word] += entry.count
        for color in card.color_identity or ("colorless",):
            colors[color] += entry.count
        if "land" not in card.faces[0].types:
            values[int(card.mana_value)] += entry.count
    return {
        "types": dict(types.most_common()),
        "colors": {color: colors[color] for color in (*_COLORS, "colorless") if colors[color]},
        "mana_values": {str(value): values[value] for value in sorted(values)},
    }


def _entries(deck: ResolvedDeck) -> Iterable[ResolvedEntry]:
    return (entry for entry in deck.entries if entry.section in _DECK)
