"""Why two cards can be commanders together: the rules and abilities that let them, with the pairs that each lets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from lawmage.decks.pairings import Pair
from lawmage.play.declaration_words import listed
from lawmage.play.explain import Rulings, Step

__all__ = ["explain_pairs"]

#: More pairs than this are not named.
_MOST_NAMED = 12


def explain_pairs(pairs: Sequence[Pair], card: str | None, release: str) -> Step:
    """Return which rule lets which pairs be commanders.

    Args:
        pairs: as `lawmage.decks.pairings` finds them.
        card: the one that all pairs have in common, if they were asked for so.
        release: of the rules.

    Raises:
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    rulings = Rulings(release)
    alike: defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
    for pair in pairs:
        other = pair.second if pair.first == card else pair.first
        alike[pair.rules, pair.abilities].append(other if card is not None else f"{pair.first} with {pair.second}")
    children = []
    for (rules, abilities), names in alike.items():
        shown = names[:_MOST_NAMED] + ([f"{len(names) - _MOST_NAMED:,} more"] if len(names) > _MOST_NAMED else [])
        by = f" by {listed(dict.fromkeys(filter(None, abilities)))}" if any(abilities) else ""
        first, *others = map(rulings.encoded, rules)
        under = [rulings.step(rule) for rule in others]
        children.append(rulings.step(first, f"{rulings.gist(first)} So{by}: {listed(shown)}.", under))
    number = f"{len(pairs):,} {'pair' if len(pairs) == 1 else 'pairs'}"
    if not pairs:
        said = (
            "No ability lets two cards be commanders." if card is None else f"No ability lets {card} be a commander together with another."
        )
    else:
        said = f"{number} of cards can be commanders together." if card is None else f"{card} can be a commander in {number}."
    return Step(None, said, None, tuple(children))
