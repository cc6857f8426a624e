"""What lawmage says of random decks is what the oracle in plain Python says: all that is wrong, with its rule and its cards.

`LAWMAGE_EXAMPLES=10` tries ten times as many decks.
"""

from __future__ import annotations

import os
from functools import lru_cache
from random import Random

from hypothesis import HealthCheck, example, given, note, settings
from hypothesis import strategies as st

from lawmage.cards.store import CardStore, shipped_file
from lawmage.decks.formats import load_format
from lawmage.decks.legality import Judge
from lawmage.decks.pairings import find_pairings
from lawmage.decks.repair import repair

from .deck_lists import Shelf, deck_of, random_deck, resolved
from .decks import COMPANIONS, Listed, all_pairs, wrongs

EXAMPLES = settings(
    max_examples=12 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
#: Decks of one example, judged in one program.
TOGETHER = 25


@lru_cache(maxsize=1)
def the_judge() -> Judge:
    return Judge()


@lru_cache(maxsize=1)
def banned() -> frozenset[str]:
    """Return the cards that are banned: a fact, not a rule, so the oracle takes it as given."""
    return frozenset(ban.card for ban in load_format("commander").bans if ban.role == "deck" and ban.holds(the_judge().release))


@lru_cache(maxsize=1)
def the_shelf() -> Shelf:
    with CardStore.open(shipped_file()) as store:
        return Shelf.of(list(store.cards()), banned())


def described(deck: Listed) -> str:
    parts = {"commanders": deck.commanders, "companions": deck.companions, "main": deck.main, "sideboard": deck.sideboard}
    return "; ".join(f"{part}: {', '.join(card.name for card in cards)}" for part, cards in parts.items())


@EXAMPLES
@given(seed=st.integers(0, 2**32))
@example(seed=339)  # as many cards are outside with one colour as with another, though for more reasons
def test_all_that_is_wrong_with_random_decks(seed: int) -> None:
    shelf, judge, random = the_shelf(), the_judge(), Random(seed)
    decks = [random_deck(shelf, random, banned()) for _ in range(TOGETHER)]
    for deck, verdict in zip(decks, judge.judge([resolved(deck) for deck in decks]), strict=True):
        found = {(violation.rule, frozenset(violation.cards)) for violation in verdict.violations}
        expected = wrongs(deck)
        if found != expected:
            note(described(deck))
        assert found == expected
        assert verdict.verdict == ("illegal" if expected else "legal")
        assert verdict.cards == len(deck.starting)


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_a_repair_makes_a_deck_legal_and_is_no_larger_than_what_is_known(seed: int) -> None:
    """A legal deck in which some cards were exchanged is repaired by exchanging as many again, or fewer."""
    shelf, judge, random = the_shelf(), the_judge(), Random(seed)
    deck = deck_of(shelf, random, banned())
    if wrongs(deck):
        assert repair(resolved(deck), judge).size > 0
        return
    places = random.sample(range(len(deck.main)), random.randint(0, 10))
    main = [random.choice(shelf.legal) if place in places else card for place, card in enumerate(deck.main)]
    broken = Listed(tuple(main), deck.commanders, deck.companions, banned=banned())
    found = repair(resolved(broken), judge)
    assert found.possible
    assert found.proved
    assert found.size <= 2 * len(places)
    assert (found.size == 0) == (not wrongs(broken))
    assert found.size >= len(removals_needed(broken))
    removed = [change for change in found.changes if change.action == "remove" and change.card and change.section == "main"]
    left = list(main)
    for change in removed:
        for _ in range(change.count):
            left.remove(shelf.by_name[change.card or ""])
    added = sum(change.count for change in found.changes if change.action == "add")
    basics = {"Plains": "white", "Island": "blue", "Swamp": "black", "Mountain": "red", "Forest": "green"}
    identity = {color for card in deck.commanders for color in card.color_identity}
    land = next((name for name, color in basics.items() if color in identity), "Wastes")
    companions = () if any(change.section == "companion" for change in found.changes) else deck.companions
    if not any(change.action in ("designate", "undesignate") for change in found.changes):
        assert wrongs(Listed((*left, *[shelf.by_name[land]] * added), deck.commanders, companions, banned=banned())) == set()


def removals_needed(deck: Listed) -> set[str]:
    """Cards of the main deck that are wrong whatever else is done."""
    led = {card.name for card in deck.commanders}
    return {name for rule, cards in wrongs(deck) if rule in ("903.5c", "903.5d", "card pool") for name in cards} - led


def test_companions_are_those_of_the_cards() -> None:
    having = {card.name for card in the_shelf().legal if any(word.lower() == "companion" for face in card.faces for word in face.keywords)}
    assert having == set(COMPANIONS)


def test_all_pairs_of_the_card_file() -> None:
    shelf = the_shelf()
    found = find_pairings(shelf.by_name.values(), the_judge())
    expected = all_pairs(shelf.legal)
    assert {frozenset((pair.first, pair.second)) for pair in found.all()} == expected
    assert found.count() == len(expected) > 3000
