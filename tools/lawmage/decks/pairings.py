"""All pairs of cards that can be commanders together: clingo pairs classes of cards, not cards.

Cards of a class have the same abilities that let them be one of two commanders, with the same words, and the same of the characteristics
that these abilities ask about; a name counts only where an ability asks for it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

from lawmage.cards.card import Card
from lawmage.decks.facts import PLACE, pairing_facts
from lawmage.decks.legality import Judge
from lawmage.play.solver import ground
from lawmage.resources import data_folder

__all__ = ["Pair", "Pairings", "find_pairings"]

_PAIR = re.compile(r"pair\((\d+),(\d+),(\d+)\)")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards that can be commanders together, and the rules and abilities that let them; names in the order of the alphabet."""

    first: str
    second: str
    rules: tuple[str, ...]
    abilities: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as a document."""
        return {"cards": [self.first, self.second], "rule": self.rules[0], "rules": list(self.rules), "abilities": list(self.abilities)}


@dataclass(frozen=True, slots=True)
class Pairings:
    """Which classes of cards pair.

    Attributes:
        members: the full names of the cards of each class, sorted.
        pairs: for two classes (the first not greater), the rules and abilities by which each card of one pairs with each of the other.
    """

    members: tuple[tuple[str, ...], ...]
    pairs: dict[tuple[int, int], tuple[tuple[str, ...], tuple[str, ...]]]

    def count(self) -> int:
        """Return the number of pairs."""
        sizes = [len(names) for names in self.members]
        return sum(sizes[a] * (sizes[a] - 1) // 2 if a == b else sizes[a] * sizes[b] for a, b in self.pairs)

    def all(self) -> list[Pair]:
        """Return all pairs, sorted by their names."""
        return sorted(self._listed(), key=lambda pair: (pair.first, pair.second))

    def of(self, name: str) -> list[Pair]:
        """Return the pairs of the card with this full name."""
        return [pair for pair in self.all() if name in (pair.first, pair.second)]

    def _listed(self) -> Iterator[Pair]:
        for (a, b), (rules, abilities) in self.pairs.items():
            couples = combinations(self.members[a], 2) if a == b else product(self.members[a], self.members[b])
            for one, other in couples:
                yield Pair(min(one, other), max(one, other), rules, abilities)


def find_pairings(cards: Iterable[Card], judge: Judge) -> Pairings:
    """Return all pairs of `cards` that can be commanders together in the format and release of `judge`.

    Cards that the format doesn't have, or that are banned in a deck or as a commander, are left out.
    """
    vocabulary = judge.vocabulary
    able = [vocabulary.of(card) for card in cards if vocabulary.may_pair(card)]
    able = [made for made in able if not made.refused]
    mutual = {place for place, (provision, _) in enumerate(vocabulary.provisions) if provision.partner == "mutual"}
    asked_for = {word for made in able for place, word in made.pairing if place in mutual}
    classes: dict[tuple[str, tuple[tuple[int, int], ...], tuple[int, ...]], list[str]] = defaultdict(list)
    facts: list[str] = []
    for made in able:
        called = tuple(word for word in made.called if word in asked_for)
        key = (made.profile, made.pairing, called)
        if key not in classes:
            number = len(classes)
            facts.append(made.profile.replace(PLACE, str(number)) + pairing_facts(number, made.pairing, called))
        classes[key].append(made.card.name)
    paired = [bool(pairing) or any(kind in profile for kind in vocabulary.known.pairing) for profile, pairing, _ in classes]
    sizes = [len(names) for names in classes.values()]
    numbers = range(len(sizes))
    # a pair needs a card with an ability; a card does not pair with itself
    couples = [f"couple({a},{b})." for a in numbers for b in numbers[a:] if (paired[a] or paired[b]) and (a != b or sizes[a] > 1)]
    text = "\n".join([vocabulary.text, *facts, *couples])
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for first, second, place in _PAIR.findall(_solved(text)):
        found[int(first), int(second)].add(int(place))
    return Pairings(
        tuple(tuple(sorted(names)) for names in classes.values()),
        {couple: _by(sorted(places), judge) for couple, places in found.items()},
    )


def _by(places: Iterable[int], judge: Judge) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules and abilities of kinds of pair; what a card says by itself has a number beyond theirs."""
    provisions = judge.vocabulary.provisions
    kinds = [provisions[place] if place < len(provisions) else None for place in places]
    rules = [rule for kind in kinds for rule in ([kind[1]] if kind else judge.vocabulary.known.pairing.values())]
    abilities = [re.sub(r"\[text\]", kind[0].text or "[text]", kind[0].keyword) if kind else "" for kind in kinds]
    return tuple(dict.fromkeys(rules)), tuple(dict.fromkeys(abilities))


@lru_cache(maxsize=4)
def _program(folder: str) -> str:
    from lawmage.play.program import statements

    return "\n".join(statements(Path(folder) / "entry" / "pairings.lp"))


def _solved(facts: str) -> str:
    """Return the only model of a program as text: reading atom by atom takes longer than finding them."""
    control = ground(facts, rules=_program(str(data_folder("asp"))))
    with control.solve(yield_=True) as handle:
        return str(handle.model())
