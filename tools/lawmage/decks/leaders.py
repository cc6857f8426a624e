"""Who could lead a deck as it is listed: clingo judges the deck with each of its cards, and each pair of them, as commanders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from lawmage.cards.card import Card
from lawmage.decks.formats import deck_knowledge
from lawmage.decks.legality import Judge
from lawmage.decks.resolved import ResolvedDeck, ResolvedEntry
from lawmage.decks.verdict import Candidate, DeckVerdict

__all__ = ["candidates", "leading_cards"]

#: The most pairs of one deck that are tried.
_MOST_PAIRS = 2_000
#: How many choices a judge remembers.
_MOST_KEPT = 50_000


def candidates(deck: ResolvedDeck, judge: Judge) -> list[Candidate]:
    """Return the cards, and the pairs of cards, of `deck` that could be its commanders, those first with which it would be legal.

    A pair is left out if one of its cards fits alone. What the deck gives as commanders is not looked at.

    Args:
        deck: the deck.
        judge: what judges it.
    """
    plain = _without_commanders(deck)
    alone, pairs = leading_cards(plain, judge)
    choices: list[tuple[Card, ...]] = [*((card,) for card in alone), *pairs]
    found: list[Candidate] = []
    for choice, verdict in zip(choices, judge.judge([_led_by(plain, choice) for choice in choices]), strict=True):
        fits = not _about(verdict, ("leading", "pairing", "identity"))
        found.append(Candidate(tuple(card.name for card in choice), fits, verdict.verdict == "legal"))
    fitting = {one.names[0] for one in found if one.fits and len(one.names) == 1}
    kept = [one for one in found if len(one.names) == 1 or not fitting.intersection(one.names)]
    return sorted(kept, key=lambda one: (not one.legal, not one.fits, len(one.names), one.names))


def leading_cards(deck: ResolvedDeck, judge: Judge) -> tuple[list[Card], list[tuple[Card, Card]]]:
    """Return the cards of a starting deck that can be a commander alone, and the pairs that can together, whatever the other cards are."""
    cards = list({entry.card.oracle_id: entry.card for entry in deck.entries if entry.section in ("main", "commander")}.values())
    alone = list(_leading(deck, [(card,) for card in cards], judge, ("leading",)))
    paired = [card for card in cards if judge.vocabulary.of(card).pairing]
    partners = {card.oracle_id for card in paired}
    # a pair needs a card with an ability that lets it be one of two
    couples = [couple for couple in combinations(cards, 2) if partners.intersection(card.oracle_id for card in couple)][:_MOST_PAIRS]
    pairs = list(_leading(deck, couples, judge, ("leading", "pairing")))
    return [card for (card,) in alone], [(first, second) for first, second in pairs]


def _leading(deck: ResolvedDeck, choices: Sequence[tuple[Card, ...]], judge: Judge, about: Sequence[str]) -> Iterator[tuple[Card, ...]]:
    """Yield the choices that nothing forbids to be commanders of a deck of nothing else; what is found out is kept with the judge."""
    known = judge.leading
    if len(known) > _MOST_KEPT:
        known.clear()
    new = [choice for choice in choices if _identifiers(choice) not in known]
    tried = [ResolvedDeck(deck.source, None, tuple(ResolvedEntry(1, card, "commander") for card in choice)) for choice in new]
    for choice, verdict in zip(new, judge.judge(tried), strict=True):
        known[_identifiers(choice)] = not _about(verdict, about)
    yield from (choice for choice in choices if known[_identifiers(choice)])


def _identifiers(choice: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.oracle_id for card in choice)


def _about(verdict: DeckVerdict, parts: Iterable[str]) -> bool:
    breaches = deck_knowledge().breaches
    return any(breaches[one.kind].about in parts for one in verdict.violations)


def _without_commanders(deck: ResolvedDeck) -> ResolvedDeck:
    entries = tuple(replace(entry, section="main") if entry.section == "commander" else entry for entry in deck.entries)
    return replace(deck, entries=entries)


def _led_by(deck: ResolvedDeck, choice: Sequence[Card]) -> ResolvedDeck:
    """Return the deck with one copy of each of `choice` as a commander in place of one in the main deck."""
    left = {card.oracle_id for card in choice}
    entries = [ResolvedEntry(1, card, "commander") for card in choice]
    for entry in deck.entries:
        if entry.section == "main" and entry.card.oracle_id in left:
            left.discard(entry.card.oracle_id)
            if entry.count > 1:
                entries.append(replace(entry, count=entry.count - 1))
        else:
            entries.append(entry)
    return replace(deck, entries=tuple(entries))
