"""The chore that makes kb/cards/ from imported cards: their facts, and none of their text.

    lawmage data import AtomicCards.json.xz
    python -m lawmage.cards.ship

writes kb/cards/cards.sqlite: names, costs, type lines, power and toughness, colour identity, keywords, legality, and what texts state as
instances of the vocabulary. Sentences and conditions in words become names of their places. Beside it stands coverage.ttl: how much of the
texts was understood. Run it in a checkout when cards have been
published, or when texts are read in another way; the same import gives the same bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lawmage.cards.card import Card, Face
from lawmage.cards.coverage_record import recorded_coverage, write_figures
from lawmage.cards.packing import pack
from lawmage.cards.store import CardStore, StoredCard, shipped_file, write_store
from lawmage.chores import run_chore
from lawmage.constraints import Condition, Constraint
from lawmage.errors import DataError
from lawmage.play.conditions import functions_in
from lawmage.play.knowledge import knowledge
from lawmage.text.bearing import plays_bearing
from lawmage.text.forms import parse_keywords
from lawmage.text.headings import asked_by_heading
from lawmage.text.lines import abilities, own_names, sentences
from lawmage.text.plays import read_plays
from lawmage.text.write import condition_in_words

__all__ = ["main", "ship", "without_text"]

_SYMBOL = re.compile(r"\{[^{}]*\}")
_WORDS = re.compile(r"[a-z]{2}")
#: A keyword with its parameters is shorter; what is longer is a sentence.
_LONGEST_KEYWORD = 80


def ship(store: CardStore, target: Path) -> int:
    """Write the facts of all cards of a store, and return how many bytes they take.

    Raises:
        DataError: if the store has no texts, so that it was shipped itself.
        InputError: if the file can't be written.
    """
    if not store.with_text:
        raise DataError(f"{store.path} has facts only; import the publisher's file first, with: lawmage data import FILE")
    cards: list[StoredCard] = []
    for card, names in store.entries():
        packed = pack(without_text(card))
        cards.append(StoredCard(card.oracle_id, packed, names, len(card.faces)))
    write_store(target, cards, date=store.date, source=store.source, with_text=False, game_changers=store.knows_game_changers)
    if (coverage := recorded_coverage(store)) is not None:
        write_figures(coverage, target.with_name("coverage.ttl"))
    return target.stat().st_size


def without_text(card: Card) -> Card:
    """Return a card without its text, and with places instead of sentences."""
    return replace(card, faces=tuple(map(_face_without_text, card.faces)))


def _face_without_text(face: Face) -> Face:
    places = _Places(face)
    unread = dict.fromkeys((places.of(sentence), judges) for sentence, judges in zip(face.not_understood, face.bears_on, strict=True))
    return replace(
        face,
        text=None,
        keywords=tuple(places.keyword(written) for written in face.keywords),
        constraints=tuple(map(places.constraint, face.constraints)),
        not_understood=tuple(place for place, _ in unread),
        bears_on=tuple(judges for _, judges in unread),
        triggers=tuple(dict.fromkeys(map(places.of, face.triggers))),
        plays=plays_bearing(read_plays(face.text or "", own_names(face.name), knowledge().forms)),
    )


class _Places:
    """Where the sentences of a face stand, and what their places are called."""

    def __init__(self, face: Face) -> None:
        names = own_names(face.name)
        self._sentences = [sentence.lower() for line in abilities(face.text or "") for sentence in sentences(line, names)]
        self._name = face.name
        self._conditions: dict[str, str] = {}

    def of(self, sentence: str) -> str:
        """Return the place of a sentence, of a part of one, or of a line."""
        wanted = sentence.lower()
        numbers = (number for number, found in enumerate(self._sentences, 1) if wanted in found or found in wanted)
        return f"sentence {next(numbers, len(self._sentences))}"

    def keyword(self, written: str) -> str:
        """Return a keyword as written; a cost in words, which is a sentence, becomes its place."""
        costs = [use.cost or "" for use in parse_keywords(written, knowledge().forms)]
        worded = any(_WORDS.search(_SYMBOL.sub("", cost).lower()) for cost in costs)
        if not worded and len(written) <= _LONGEST_KEYWORD:
            return written
        name = written.partition("—")[0].strip() if worded else self._name
        return f"{name}—cost in {self.of(written)}"

    def constraint(self, constraint: Constraint) -> Constraint:
        """Return a constraint without words of the card."""
        value = self.keyword(constraint.value) if constraint.value is not None else None
        return replace(constraint, source="", value=value, conditions=tuple(map(self._condition, constraint.conditions)))

    def _condition(self, condition: Condition) -> Condition:
        # what a heading says is a number
        if not (condition.text or condition.value) or asked_by_heading(condition.text):
            return condition
        number = len(self._conditions) + 1
        zone = functions_in(condition.text)
        place = f"condition {number} of {self._name}" + (f", that it is in {zone}" if zone else "")
        called = self._conditions.setdefault(condition_in_words(condition), place)
        return replace(condition, text=called) if condition.text else condition


def main(arguments: Iterable[str]) -> int:
    """Ship the installed cards, or those of the store that is named; return the exit status."""
    return run_chore(_ship_store, list(arguments), __doc__, most=1)


def _ship_store(names: Sequence[str]) -> Iterator[str]:
    with CardStore.open(*map(Path, names)) as store:
        size = ship(store, shipped_file())
        yield f"{shipped_file()}: {store.count:,} cards of {store.date}, {size:,} bytes"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
