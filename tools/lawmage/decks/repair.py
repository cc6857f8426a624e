"""A smallest set of changes that makes a deck legal, found by clingo's optimisation."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import clingo

from lawmage.decks.facts import COLORS
from lawmage.decks.formats import deck_knowledge
from lawmage.decks.leaders import leading_cards
from lawmage.decks.legality import Judge
from lawmage.decks.resolved import ResolvedDeck
from lawmage.decks.verdict import Change, Repair
from lawmage.play.solver import ground
from lawmage.resources import data_folder

__all__ = ["repair"]

#: Seconds after which the best repair found so far is given.
TIME_LIMIT = 10.0
#: The most cards that need be added or removed without saying which; a larger difference has no repair here.
_MOST_UNNAMED = 500
_ATOM = re.compile(r"(\w+)\((\d+)(?:,(\d+))?\)")
_STARTING = ("main", "commander", "signature")


def repair(deck: ResolvedDeck, judge: Judge, *, seconds: float = TIME_LIMIT) -> Repair:
    """Return a smallest set of changes after which `judge` finds nothing wrong with `deck`.

    A change is a card removed, added, or made (or no longer) a commander; cards added are basic lands of the commanders' identity, or
    others that fit. Commanders that can lead stay where that is possible, however many other cards would be spared by other ones.

    Args:
        deck: the deck; names that were not found are passed over.
        judge: what judges it.
        seconds: after which the search stops with the best that was found, which then isn't proved smallest.

    Returns:
        The changes; `possible` is false if there is none.
    """
    problem = _Problem.of(deck, judge)
    # unsatisfiable cores prove at once what branch and bound counts out: that nothing smaller than the faults will do
    control = ground(problem.facts, "--opt-strategy=usc", rules=_program(str(data_folder("asp"))))
    found, proved = _search(control, seconds)
    if found is None:
        return Repair(possible=False, proved=proved)
    return Repair(tuple(_changes(problem, judge, found)), proved=proved)


@dataclass(frozen=True, slots=True)
class _Problem:
    """The facts on a deck, and by card number what it lists: cards of the starting deck, its commanders, companion, sideboard."""

    facts: str
    listed: dict[int, int]
    led: tuple[int, ...]
    outside: tuple[int, ...]
    beside: int

    @classmethod
    def of(cls, deck: ResolvedDeck, judge: Judge) -> _Problem:
        vocabulary = judge.vocabulary
        starting = [entry for entry in deck.entries if entry.section in _STARTING]
        listed: dict[int, int] = {}
        for entry in starting:
            number = vocabulary.of(entry.card).number
            listed[number] = listed.get(number, 0) + entry.count
        led = tuple(dict.fromkeys(vocabulary.of(entry.card).number for entry in starting if entry.section == "commander"))
        given = [entry.card for entry in deck.entries if entry.section == "companion"]
        outside = tuple(dict.fromkeys(vocabulary.of(card).number for card in given))
        beside = sum(entry.count for entry in deck.entries if entry.section == "sideboard")
        alone, pairs = leading_cards(deck, judge)
        able = {vocabulary.of(card).number for card in (*alone, *(card for pair in pairs for card in pair))}
        whole = bool(given) or any(vocabulary.of(entry.card).bends for entry in starting if entry.section == "commander")
        text = [vocabulary.text, f"most({min(_MOST_UNNAMED, _difference(judge, sum(listed.values())))})."]
        made = {vocabulary.of(entry.card).number: vocabulary.of(entry.card) for entry in starting}
        for number, count in listed.items():
            facts = made[number]
            leads = number in able or number in led
            text.append(f"listed({number},{count}).{facts.always}")
            text.append(vocabulary.fully(facts) if whole else facts.asked if leads or count > 1 else "")
            text.append(f"{facts.leading}{f'able({number}).' if number in able else ''}" if leads else "")
        text += (f"led({number})." for number in led)
        text += (f"spelled({vocabulary.of(entry.card).number})." for entry in starting if entry.section == "signature")
        for card in given:
            facts = vocabulary.of(card)
            text.append(f"outside({facts.number}).{facts.always}{facts.outside}{vocabulary.fully(facts)}")
        if beside:
            text.append(f"beside({beside}).")
            limits = [made.number for made, _ in vocabulary.provisions if made.kind == "sideboard_limit" and made.number is not None]
            text += (f"beside_at_most({limit})." for limit in limits if limit < beside)
        if not able:
            text.append(vocabulary.newcomer())
        return cls("\n".join(text), listed, led, outside, beside)


def _difference(judge: Judge, size: int) -> int:
    """Return how many cards can need to be added or removed: what the sizes ask for, with all cards gone in the worst case."""
    asked = [made.number for made, _ in judge.vocabulary.provisions if made.kind in ("minimum_size", "maximum_size") and made.number]
    return max([size, *asked])


def _search(control: clingo.Control, seconds: float) -> tuple[str | None, bool]:
    """Return the best model found, as text, and whether it is proved best."""
    best: str | None = None
    deadline = time.monotonic() + seconds
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            if not handle.wait(max(0.0, deadline - time.monotonic())):
                handle.cancel()
                return best, False
            model = handle.model()
            if model is None:
                return best, True
            best = str(model)


def _changes(problem: _Problem, judge: Judge, model: str) -> Iterator[Change]:
    names = judge.vocabulary.names
    atoms = [(name, int(first), int(second or 0)) for name, first, second in _ATOM.findall(model)]
    stays = {card: count for name, card, count in atoms if name == "stays"}
    leads = {card for name, card, _ in atoms if name == "leads"}
    identity = next((mask for name, _, mask in atoms if name == "identity_of"), 0)
    for card, count in problem.listed.items():
        if stays[card] < count:
            section = "commander" if card in problem.led and card not in leads else "main"
            yield Change("remove", count - stays[card], names[card], names[card], section)
    for card in problem.led:
        if card not in leads and stays[card]:
            yield Change("undesignate", 1, names[card], f"{names[card]} as a commander", "commander")
    for card in sorted(leads - set(problem.led)):
        if names[card]:
            yield Change("designate", 1, names[card], f"{names[card]} as a commander", "commander")
        else:
            yield Change("add", 1, None, "a commander whose colour identity has the colours of the other cards", "commander")
    kept = {card for name, card, _ in atoms if name == "companion_stays"}
    for card in problem.outside:
        if card not in kept:
            yield Change("remove", 1, names[card], f"{names[card]} as the companion", "companion")
    beside = next((number for name, number, _ in atoms if name == "sideboard_stays"), 0)
    if beside < problem.beside:
        yield Change("remove", problem.beside - beside, None, "any cards of the sideboard", "sideboard")
    for name, number, _ in atoms:
        if name == "added" and number:
            yield Change(
                "add",
                number,
                None,
                f"{_lands(identity, number)}, or {'another card that fits' if number == 1 else 'other cards that fit'}",
                "main",
            )
        if name == "dropped" and number:
            yield Change("remove", number, None, "any card but the commanders" if number == 1 else "any cards but the commanders", "main")


def _lands(identity: int, number: int) -> str:
    """Return what so many basic lands are called that fit an identity."""
    colors = {color for place, color in enumerate(COLORS) if identity >> place & 1}
    kinds = [kind for kind, color in deck_knowledge().produces.items() if color in colors]
    kinds.sort(key=lambda kind: COLORS.index(deck_knowledge().produces[kind]))
    called = "basic land" if number == 1 else "basic lands"
    return f"{called} ({', '.join(kinds)})" if kinds else f"{called} without a basic land type"


@lru_cache(maxsize=4)
def _program(folder: str) -> str:
    from lawmage.play.program import statements

    return "\n".join(statements(Path(folder) / "entry" / "deck-repair.lp"))
