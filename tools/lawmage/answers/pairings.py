"""What `lawmage pairings` answers: which two cards can be commanders together."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.answers.answered import NO, YES, Answered
from lawmage.answers.judged import quoted
from lawmage.cards.names import find
from lawmage.cards.store import CardStore
from lawmage.decks.explain_pairs import explain_pairs
from lawmage.decks.formats import Format, shipped_format
from lawmage.decks.legality import Judge
from lawmage.decks.pairings import Pair, Pairings, find_pairings
from lawmage.play.explain import Step

__all__ = ["answer_on", "explanation_of", "find_pairs", "pairings"]


def pairings(
    name: str | None = None,
    *,
    count: bool = False,
    format: str = "commander",
    ban_list: str | None = None,
    explain: bool = False,
    release: str | None = None,
) -> Answered:
    """List the legal second commanders for a card, or all legal pairs, with the rule that allows each (702.124).

    Args:
        name: a card; without it, all pairs are meant.
        count: whether only their number is wanted.
        format: the name of a format that comes with lawmage.
        ban_list: the day whose ban list counts; by default the newest known on the release's.
        explain: whether it is explained which rule lets which pairs.
        release: of the rules; by default the newest known.

    Raises:
        UnknownNameError: if there is no such card or format.
        InputError: if the name is that of several cards, or a date is none.
        DataError: if there are no cards.
    """
    shipped_format(format)
    pairs, basis = find_pairs(name, Judge(format, release, ban_list))
    return answer_on(pairs, basis, count=count, why=explanation_of(pairs, basis) if explain else None)


def find_pairs(name: str | None, judge: Judge) -> tuple[list[Pair], dict[str, Any]]:
    """Return the pairs, and what they rest on: the card in full, the format, the releases.

    Raises:
        UnknownNameError, InputError, DataError: as `pairings`.
    """
    with CardStore.open() as store:
        card = find(store, name) if name else None
        date = store.date
        found = _all_pairs(judge.format, judge.release, judge.ban_list, store.path, store.path.stat().st_mtime_ns)
    asked = {} if card is None else {"card": card.name}
    basis = {"format": judge.format.name, "release": judge.release, "ban_list": judge.ban_list, "cards_of": date}
    return found.all() if card is None else found.of(card.name), asked | basis


@lru_cache(maxsize=4)
def _all_pairs(format: Format, release: str, ban_list: str | None, cards: Path, _written: int) -> Pairings:
    with CardStore.open(cards) as store:
        return find_pairings(store.cards(), Judge(format, release, ban_list))


def explanation_of(pairs: list[Pair], basis: dict[str, Any]) -> Step:
    """Return which rule lets which pairs be commanders.

    Raises:
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    return explain_pairs(pairs, basis.get("card"), basis["release"])


def answer_on(pairs: list[Pair], basis: dict[str, Any], *, count: bool, why: Step | None = None) -> Answered:
    """Return the answer: the pairs, or their number alone; an explanation quotes the rules whose texts are installed."""
    listed = {} if count else {"pairs": [pair.as_json() for pair in pairs]}
    explanation = {} if why is None else {"explanation": quoted({"pairs": why}, basis["release"])["pairs"].as_json()}
    return Answered(basis | {"count": len(pairs)} | listed | explanation, YES if pairs else NO)
