"""How much of the text of cards is understood: sentences that concern combat or deck building, by sort, and those left over.

What concerns combat and of what sort a sentence is say the word lists of coverage.toml, which are wider than the reader and independent
of it. A sentence is *understood* if it is read into constraints that asp/ can express, or if the grammar reads it and it states nothing
that bears on declarations or damage. A sentence that the reader only passes over because of its words is not.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from lawmage.cards.card import Face
from lawmage.cards.characteristics import split_type_line
from lawmage.cards.reading import readings_of
from lawmage.cards.sources import CardFile
from lawmage.cards.store import CardStore
from lawmage.errors import DataError
from lawmage.play.card_types import types_among
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.reading import expressible
from lawmage.text.forms import KeywordUse, parse_keywords
from lawmage.text.lines import abilities, own_names, sentences, without_label
from lawmage.text.read import TextReading

__all__ = ["GROUPS", "Coverage", "Found", "Group", "faces_in", "measure", "measured", "sentences_of", "share"]

#: The groups of sentences that are counted, and what each holds.
GROUPS: Mapping[str, str] = {
    "keyword lines": "keywords that stand by themselves",
    "static": "static abilities without a condition that mention attack, block or combat damage",
    "static, conditional": "those with a condition",
    "static, other": "static abilities that concern combat without mentioning it: keywords, power and toughness, damage",
    "triggered or activated": "sentences of triggered and activated abilities that mention attack, block or combat damage",
    "one-shot": "sentences of instants and sorceries that mention attack, block or combat damage",
    "deck construction": "what bears on building a deck",
}
_FIGHTERS = ({"creature"}, {"Vehicle", "Aura", "Equipment"})
_COMBAT = {"attack", "block", "damage", "outcome"}
_CHUNK = 250


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence of a face that concerns combat or deck building.

    `outcome` is `understood`; `passed` (the reader says that its words cannot bear on anything); `open` (understood, with a condition
    that a board does not settle) or `unread`. `fighter` tells whether the face is a creature, Vehicle, Aura or Equipment.
    """

    group: str
    sentence: str
    outcome: str
    fighter: bool


@dataclass(slots=True)
class Group:
    """The figures of one group: by outcome, for all cards and for creatures, Vehicles, Auras and Equipment alone; what is left over."""

    outcomes: Counter[str] = field(default_factory=Counter)
    of_fighters: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)

    def add(self, found: Found) -> None:
        """Count one sentence."""
        self.outcomes[found.outcome] += 1
        if found.fighter:
            self.of_fighters[found.outcome] += 1
            if found.outcome in ("passed", "unread"):
                self.left[found.sentence] += 1

    def add_all(self, other: Group) -> None:
        """Count all that another group of the same name has counted."""
        self.outcomes.update(other.outcomes)
        self.of_fighters.update(other.of_fighters)
        self.left.update(other.left)

    def most_left(self, number: int) -> list[tuple[str, int]]:
        """Return the most frequent sentences of creatures, Vehicles, Auras and Equipment that are not understood, with their numbers."""
        return sorted(self.left.items(), key=lambda item: (-item[1], item[0]))[:number]


@dataclass(slots=True)
class Coverage:
    """What was measured: the number of cards, and the figures of each group."""

    cards: int = 0
    groups: dict[str, Group] = field(default_factory=lambda: {name: Group() for name in GROUPS})

    def add(self, other: Coverage) -> None:
        """Count what was measured of other cards, too."""
        self.cards += other.cards
        for name, group in other.groups.items():
            self.groups[name].add_all(group)


def share(outcomes: Mapping[str, int]) -> float | None:
    """Return which part of the sentences is understood, from 0 to 1; None where there are none."""
    total = sum(outcomes.values())
    return (outcomes.get("understood", 0) + outcomes.get("open", 0)) / total if total else None


def faces_in(path: Path | None = None) -> Iterator[tuple[Face, ...]]:
    """Yield the faces of each card of a publisher's file, or of the cards that are installed.

    Raises:
        InputError: if the file isn't one that a publisher of cards makes.
        DataError: if no cards are installed, or only facts without texts.
    """
    if path is not None:
        for record in CardFile(path).records():
            yield tuple(
                Face(face.name, types=types, subtypes=subtypes, text=face.text)
                for face in record.faces
                for _, types, subtypes in [split_type_line(face.type_line)]
            )
        return
    with CardStore.open() as store:
        if not store.with_text:
            raise DataError("the cards that come with lawmage have no texts; install a file of cards with: lawmage data import FILE")
        for card in store.cards():
            yield card.faces


def measure(cards: Iterable[Sequence[Face]], *, jobs: int = 1) -> Coverage:
    """Read the faces of each card and count.

    Args:
        cards: for each card its faces, with text.
        jobs: how many processes read.
    """
    result = Coverage()
    chunks = _chunks(cards)
    if jobs == 1:
        for chunk in chunks:
            result.add(measured(chunk))
    else:
        with get_context("spawn").Pool(jobs) as pool:
            for part in pool.imap_unordered(measured, chunks):
                result.add(part)
    return result


def measured(cards: Sequence[Sequence[Face]]) -> Coverage:
    """Return what is measured of the faces of some cards, in this process."""
    known, result = knowledge(), Coverage(len(cards))
    for faces in cards:
        for face in faces:
            for found in sentences_of(face, known):
                result.groups[found.group].add(found)
    return result


def _chunks(cards: Iterable[Sequence[Face]]) -> Iterator[list[Sequence[Face]]]:
    chunk: list[Sequence[Face]] = []
    for card in cards:
        chunk.append(card)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def sentences_of(face: Face, known: Knowledge) -> Iterator[Found]:
    """Yield the sentences and keyword lines of a face that concern combat or deck building, with what became of each."""
    if not face.text:
        return
    fighter = bool(_FIGHTERS[0] & set(face.types) or _FIGHTERS[1] & set(face.subtypes))
    spell = any(one.followed for one in types_among(face.types))
    names = own_names(face.name)
    read, deck = readings_of(face.text, face.name)
    reading = _Outcomes(read, known)
    built = dict.fromkeys((made.source for made in deck.constraints), "understood") | dict.fromkeys(deck.unread, "unread")
    sort = "static"
    for line in abilities(face.text):
        item = line.removeprefix("•").strip()
        if not line.startswith("•"):
            sort = "one-shot" if spell else "static"
        if _is("sorts", "layout", item):
            sort = "triggered or activated" if _is_triggered_or_activated(item) else sort
            continue
        if _concerns("construction", _outside(item)) and not _is_triggered_or_activated(item):
            for sentence in [item] if _is("sorts", "dashed", item) or not item.endswith(".") else sentences(item, names):
                if _concerns("construction", sentence):
                    outcome = next((what for line, what in built.items() if sentence in line), None) or reading.keyword_line(item)
                    yield Found("deck construction", _general(sentence, face.name), outcome, fighter)
            continue
        if _is("sorts", "dashed", item) or not re.search(r"[.!?\"']$", item):
            yield Found("keyword lines", _general(item, face.name), reading.keyword_line(item), fighter)
            continue
        part, _ = without_label(item)
        for sentence in sentences(part, names):
            if sort == "static" and _is_triggered_or_activated(sentence):
                sort = "triggered or activated"
            group = _group(sentence, sort)
            if group:
                yield Found(group, _general(sentence, face.name), reading.sentence(sentence), fighter)


def _group(sentence: str, sort: str) -> str | None:
    """Return the group of a sentence; a quotation is an ability of its own, so that what only a triggered one mentions is not static."""
    if not _concerns("named", sentence):
        return "static, other" if sort == "static" and _concerns("otherwise", sentence) else None
    if sort != "static":
        return sort
    outside = _outside(sentence)
    quoted = [inner for inner in re.findall(r'"([^"]*)"', sentence) if _concerns("named", inner)]
    if quoted and not _concerns("named", outside) and all(map(_is_triggered_or_activated, quoted)):
        return "triggered or activated"
    return "static, conditional" if _search("conditions", "any", sentence) else "static"


class _Outcomes:
    """What became of each sentence of a text."""

    def __init__(self, reading: TextReading, known: Knowledge) -> None:
        self.known = known
        unread = {*reading.unread, *reading.unread_damage, *reading.unread_outcome}
        self.keywords = Counter(reading.keywords)
        self.outcomes: dict[str, str] = dict.fromkeys(reading.silent, "passed")
        self.outcomes.update(dict.fromkeys(reading.idle, "understood"))
        by_source: defaultdict[str, list[Any]] = defaultdict(list)
        for constraint in reading.constraints:
            by_source[constraint.source].append(constraint)
        for source, made in by_source.items():
            fine = all(expressible(one, known) for one in made)
            opened = any(condition.kind == "open" for one in made for condition in one.conditions)
            self.outcomes[source] = ("open" if opened else "understood") if fine else "unread"
        self.outcomes.update(dict.fromkeys(unread, "unread"))

    def sentence(self, sentence: str) -> str:
        """Return the outcome of a sentence; one that the reader has lost is unread."""
        return self.outcomes.get(sentence, "unread")

    def _bears(self, keyword: str) -> bool:
        return any(self.known.kinds[imposed.kind].judges & _COMBAT for imposed in self.known.keywords[keyword].imposes)

    def keyword_line(self, line: str) -> str:
        """Return the outcome of a line of keywords: each of them is one of the catalogue, with what is written after it understood."""
        part, label = without_label(line)
        if self.outcomes.get(line) in ("understood", "open") or (label and self.outcomes.get(part) in ("understood", "open")):
            return "open"
        rest = re.sub(r"[,; ]", "", line.removesuffix(".").lower())
        used: list[KeywordUse] = []
        for written in sorted(self.keywords, key=len, reverse=True):
            plain = re.sub(r"[,; ]", "", written.lower())
            if plain in rest:
                rest = rest.replace(plain, "")
                used += parse_keywords(written, self.known.forms)
        # What is written after a keyword that means nothing to combat need not be understood here.
        heard = not any(use.unread and self._bears(use.keyword) for use in used)
        return "understood" if used and not rest and heard else "unread"


# ---------------------------------------------------------------- word lists


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("coverage.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=32)
def _pattern(table: str, name: str) -> re.Pattern[str]:
    return re.compile(_lists()[table][name], re.VERBOSE)


def _search(table: str, name: str, text: str) -> bool:
    return bool(_pattern(table, name).search(text.lower()))


def _concerns(what: str, text: str) -> bool:
    return _search("concerns", what, text)


def _is(table: str, name: str, text: str) -> bool:
    return bool(_pattern(table, name).match(text.lower()))


def _outside(text: str) -> str:
    """Return `text` without what stands in quotation marks: that is another object's."""
    return re.sub(r'"[^"]*"', '""', text)


def _is_triggered_or_activated(text: str) -> bool:
    return _is("sorts", "triggered", text) or _is("sorts", "activated", text)


def _general(sentence: str, name: str) -> str:
    """Return a sentence with ~ for the object and N for numbers, so that like ones are counted together."""
    for own in own_names(name):
        sentence = re.sub(rf"(?<![\w-]){re.escape(own)}(?![\w-])", "~", sentence)
    sentence = re.sub(
        r"\b[Tt]his (?:creature|permanent|artifact|land|enchantment|token|Aura|Equipment|Vehicle|Spacecraft)\b", "~", sentence
    )
    sentence = re.sub(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", "N", sentence)
    return re.sub(r"\{[^}]*\}(?:\{[^}]*\})*", "{COST}", sentence)
