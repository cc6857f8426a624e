"""What became of each rule and glossary entry from one release to the next, told by content rather than by number.

A number may name another rule in the next release, so numbers only help to choose between texts that are alike. Texts are compared
as bags of words in which a word counts the more, the fewer texts have it. In this order, and each text at most once:

1. the same number with the same words;
2. the same words elsewhere, at a place that fits;
3. words that are alike, chapters first, then what stands under them, the more readily the better the place fits;
4. what is left and was part of a text that lost those words (split), or whose words another text gained (merged).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from lawmage.rulebook.model import GLOSSARY, Rulebook
from lawmage.rulebook.references import find_references
from lawmage.rulebook.wording import plain, skeleton

__all__ = [
    "CHANGES",
    "GONE",
    "MERGED",
    "MOVED",
    "MOVED_AND_REWORDED",
    "NEW",
    "REWORDED",
    "SAME",
    "SPLIT",
    "Lineage",
    "Link",
    "compare",
    "compare_all",
]

SAME = "same"
REWORDED = "reworded"
MOVED = "moved"
MOVED_AND_REWORDED = "moved and reworded"
SPLIT = "split"
MERGED = "merged"
NEW = "new"
GONE = "gone"
CHANGES = (REWORDED, MOVED, MOVED_AND_REWORDED, SPLIT, MERGED, NEW, GONE)

#: How alike two texts must be (0 to 1) to be taken for the same rule, by what their places have in common.
_SAME_PLACE = 0.3  # the number, and what it stands under
_SAME_NUMBER = 0.4
_BESIDE = 0.36  # what they stand under, and nearly the place there
_SAME_CHAPTER = 0.46
_GLOSSARY = 0.5
_UNPLACED = 0.6
_OTHER_PLACE = 0.7  # what they stand under is known to have become something else
#: How far apart such places are at most.
_NEAR = 2
#: How much a fitting place counts between texts that are alike.
_PARENT_BONUS = 0.15
_NUMBER_BONUS = 0.1
#: How much of a text another one must have lost or gained for it to be a part of that.
_PART = 0.6
_PART_IN_CHAPTER = 0.5
#: Words in more texts than this (of those still without a match) lead to no candidates.
_COMMON = 40


@dataclass(frozen=True, slots=True)
class Link:
    """That a part of the older release became a part of the newer one.

    Attributes:
        old: a number (or `glossary:` and a term) of the older release; None for what is new.
        new: likewise of the newer one; None for what is gone.
        kind: `same` or one of `CHANGES`. A part that became several has a link of the kind `split` to each; one that several
            became parts of has a link of the kind `merged` from each.
        references_only: reworded, but only in the numbers that it refers to.
        examples_changed: its worked examples are not the same. A link of the kind `same` is there to say this.
    """

    old: str | None
    new: str | None
    kind: str
    references_only: bool = False
    examples_changed: bool = False


@dataclass(frozen=True)
class Lineage:
    """What became of each part of `older` in `newer`, two ISO dates.

    `links` has only what changed, in the order of the newer release and then what is gone. A part that has no link there has the
    same number and the same words in both releases; quotation marks, dashes and white space don't count as words.
    """

    older: str
    newer: str
    links: tuple[Link, ...]

    @cached_property
    def _from_old(self) -> Mapping[str, list[Link]]:
        return _group((link.old, link) for link in self.links)

    @cached_property
    def _from_new(self) -> Mapping[str, list[Link]]:
        return _group((link.new, link) for link in self.links)

    def after(self, number: str) -> tuple[Link, ...]:
        """Return what became of a number that exists in the older release."""
        return tuple(self._from_old.get(number, ())) or (Link(number, number, SAME),)

    def before(self, number: str) -> tuple[Link, ...]:
        """Return what a number that exists in the newer release was."""
        return tuple(self._from_new.get(number, ())) or (Link(number, number, SAME),)

    def counts(self) -> dict[str, int]:
        """Return how many links there are of each of `CHANGES`."""
        found = Counter(link.kind for link in self.links)
        return {kind: found[kind] for kind in CHANGES}


def _group(pairs: Iterable[tuple[str | None, Link]]) -> dict[str, list[Link]]:
    groups: dict[str, list[Link]] = {}
    for number, link in pairs:
        if number is not None:
            groups.setdefault(number, []).append(link)
    return groups


def compare(old: Rulebook, new: Rulebook) -> Lineage:
    """Return what became of each part of `old` in `new`."""
    return _Comparison(_Side(old), _Side(new)).lineage()


def compare_all(rulebooks: Iterable[Rulebook]) -> Iterator[Lineage]:
    """Yield the lineage between each two consecutive releases of those given, oldest first."""
    sides = map(_Side, sorted(rulebooks, key=lambda rulebook: rulebook.release))
    for old, new in pairwise(sides):
        yield _Comparison(old, new).lineage()


# ---------------------------------------------------------------- the parts of one release


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a release.

    Attributes:
        level: 0 to 3: sections and chapters, rules, subrules, glossary.
        place: how many parts stand before it under the same parent.
        text: its plain text or heading; `bare` is the same without the numbers it refers to.
        words: its own words.
        examples: the plain texts of its worked examples.
    """

    number: str
    level: int
    parent: str | None
    place: int
    is_heading: bool
    text: str
    bare: str
    words: Mapping[str, int]
    examples: tuple[str, ...] = ()


_LEVELS = {"section": 0, "chapter": 0, "rule": 1, "subrule": 2}
_GLOSSARY_LEVEL = 3


class _Side:
    """The parts of one release, by number and in order."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.release = rulebook.release
        spans: dict[str, dict[tuple[int, int], None]] = defaultdict(dict)
        for references in find_references(rulebook):
            for reference in references:
                if reference.part == "text":
                    spans[reference.source][reference.start, reference.end] = None
        parts = []
        places: Counter[str | None] = Counter()
        for node in rulebook.nodes:
            text = node.text or node.heading
            bare = _without(text, tuple(spans.get(node.number, ())))
            place, level, is_heading = places[node.parent], _LEVELS[node.kind], bool(node.heading)
            places[node.parent] += 1
            examples = tuple(_without(example, ()) for example in node.examples)
            parts.append(_Part(node.number, level, node.parent, place, is_heading, _without(text, ()), bare, _words(text), examples))
        for entry in rulebook.glossary:
            number = GLOSSARY + entry.term
            words = _words(f"{entry.term} {entry.term} {entry.text}")
            bare = _without(entry.text, tuple(spans.get(number, ())))
            parts.append(_Part(number, _GLOSSARY_LEVEL, None, 0, False, _without(entry.text, ()), bare, words))
        self.parts = {part.number: part for part in parts}
        self.chapters: dict[str, str] = {}
        self.texts_with: Counter[str] = Counter()
        for part in parts:
            self.texts_with.update(part.words.keys())
        self._children: dict[str, list[_Part]] = defaultdict(list)
        for part in parts:
            if part.parent is not None:
                self._children[part.parent].append(part)
                self.chapters[part.number] = part.number if part.level == 0 else self.chapters[part.parent]

    def words(self, part: _Part) -> Mapping[str, int]:
        """Return the words that tell what a part is about: its own, and for a heading those of everything under it."""
        if not part.is_heading:
            return part.words
        total = Counter(part.words)
        for child in self._children.get(part.number, ()):
            total.update(self.words(child))
        return total


@lru_cache(maxsize=1 << 15)
def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """Return the plain form of `text`, with a mark in place of each span (these are in order)."""
    for start, end in reversed(spans):
        text = f"{text[:start]}#{text[end:]}"
    return plain(text)


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> Mapping[str, int]:
    return Counter(skeleton(text).split())


# ---------------------------------------------------------------- comparing two


class _Comparison:
    """The search for what became of what; `became` and `was` are the pairs found so far, in both directions."""

    def __init__(self, old: _Side, new: _Side) -> None:
        self.old, self.new = old, new
        self.became: dict[str, str] = {}
        self.was: dict[str, str] = {}
        texts = len(old.parts) + len(new.parts)
        with_word = old.texts_with + new.texts_with
        self._weights = {word: math.log(texts / count) for word, count in with_word.items()}

    def lineage(self) -> Lineage:
        """Return the result."""
        self._pair_same_number()
        self._pair_same_words()
        for levels in ((0,), (1,), (2,), (1, 2), (_GLOSSARY_LEVEL,)):
            self._pair_alike(levels)
        pieces = self._find_parts(self.new, self.old, self.was, self.became)
        sources = self._find_parts(self.old, self.new, self.became, self.was)
        links = [*self._links_to_new(pieces, sources), *(self._gone(sources))]
        return Lineage(self.old.release, self.new.release, tuple(links))

    def _pair(self, old: str, new: str) -> None:
        self.became[old], self.was[new] = new, old

    def _left(self) -> tuple[list[_Part], list[_Part]]:
        """Return the parts of each side that have no match yet."""
        return (
            [part for part in self.old.parts.values() if part.number not in self.became],
            [part for part in self.new.parts.values() if part.number not in self.was],
        )

    def _under_same(self, old: _Part, new: _Part) -> bool:
        return old.parent is not None and self.became.get(old.parent) == new.parent

    def _pair_same_number(self) -> None:
        uses = Counter((side, part.bare) for side in (self.old, self.new) for part in side.parts.values())
        for number, part in self.old.parts.items():
            other = self.new.parts.get(number)
            if other is not None and other.bare == part.bare:
                # Words that several parts have don't tell that what they stand under is still the same.
                alone = uses[self.old, part.bare] == uses[self.new, part.bare] == 1
                if alone or part.parent is None or self._under_same(part, other):
                    self._pair(number, number)

    def _pair_same_words(self) -> None:
        old_left, new_left = self._left()
        news: dict[tuple[bool, str], list[_Part]] = defaultdict(list)
        for part in new_left:
            news[part.level == _GLOSSARY_LEVEL, part.bare].append(part)
        olds = Counter((part.level == _GLOSSARY_LEVEL, part.bare) for part in old_left)
        for part in old_left:
            key = part.level == _GLOSSARY_LEVEL, part.bare
            candidates = [other for other in news.get(key, ()) if other.number not in self.was]
            fitting = [other for other in candidates if self._under_same(part, other)]
            if fitting or (len(candidates) == 1 and olds[key] == 1):
                self._pair(part.number, (fitting or candidates)[0].number)

    def _pair_alike(self, levels: tuple[int, ...]) -> None:
        old_left, new_left = ([part for part in side if part.level in levels] for side in self._left())
        words = {part.number: self.new.words(part) for part in new_left}
        sizes = {part.number: self._weight(words[part.number]) for part in new_left}
        by_word: dict[str, list[_Part]] = defaultdict(list)
        by_parent: dict[str | None, list[_Part]] = defaultdict(list)
        for part in new_left:
            by_parent[part.parent].append(part)
            for word in words[part.number]:
                by_word[word].append(part)
        found: list[tuple[float, str, str]] = []
        for part in old_left:
            own = self.old.words(part)
            size = self._weight(own)
            candidates = {other.number for word in own if len(by_word.get(word, ())) <= _COMMON for other in by_word.get(word, ())}
            if part.parent in self.became:
                candidates.update(other.number for other in by_parent[self.became[part.parent]])
            if part.number in sizes:
                candidates.add(part.number)
            for number in candidates:
                other = self.new.parts[number]
                alike = 2 * self._shared(own, words[number]) / (size + sizes[number] or 1)
                if alike >= self._least(part, other):
                    bonus = _PARENT_BONUS * self._under_same(part, other) + _NUMBER_BONUS * (part.number == number)
                    found.append((alike + bonus, part.number, number))
        for _, old, new in sorted(found, key=lambda item: (-item[0], item[1:])):
            if old not in self.became and new not in self.was:
                self._pair(old, new)

    def _least(self, old: _Part, new: _Part) -> float:
        """Return how alike two parts have to be, given their places."""
        same_number = old.number == new.number
        if old.level == _GLOSSARY_LEVEL:
            return 0.0 if same_number else _GLOSSARY
        if self._under_same(old, new):
            return _SAME_PLACE if same_number else _BESIDE if abs(old.place - new.place) <= _NEAR else _SAME_CHAPTER
        if same_number:
            return _SAME_NUMBER
        if old.parent is None or new.parent is None:
            return _UNPLACED
        if self._in_same_chapter(old.number, new.number):
            return _SAME_CHAPTER
        return _OTHER_PLACE if old.parent in self.became and new.parent in self.was else _UNPLACED

    def _in_same_chapter(self, old: str, new: str) -> bool:
        chapter = self.old.chapters.get(old)
        return chapter is not None and self.became.get(chapter) == self.new.chapters.get(new)

    def _weight(self, words: Mapping[str, int]) -> float:
        return sum(count * self._weights[word] for word, count in words.items())

    def _shared(self, some: Mapping[str, int], others: Mapping[str, int]) -> float:
        if len(some) > len(others):
            some, others = others, some
        return sum(min(count, others[word]) * self._weights[word] for word, count in some.items() if word in others)

    def _find_parts(self, side: _Side, other: _Side, matched: Mapping[str, str], back: Mapping[str, str]) -> dict[str, str]:
        """Return the parts of `side` without a match whose words stood in a text of `other` that its own match lacks.

        The result maps each to that text. Words are given to one part only, the one that they make up most of.
        """
        missing: dict[str, Counter[str]] = {}
        for number, twin in back.items():
            part, match = other.parts[number], side.parts[twin]
            if part.bare != match.bare and not part.is_heading and (lacking := Counter(part.words) - Counter(match.words)):
                missing[number] = lacking
        found: dict[str, str] = {}
        claims: list[tuple[float, str, str]] = []
        for part in side.parts.values():
            size = 0.0 if part.number in matched or part.is_heading else self._weight(part.words)
            if size:
                claims.extend(
                    (covered, part.number, number)
                    for number, lacking in missing.items()
                    if (covered := self._shared(part.words, lacking) / size) >= _PART_IN_CHAPTER
                )
        for _, number, source in sorted(claims, key=lambda claim: (-claim[0], claim[1:])):
            part = side.parts[number]
            if number in found or (part.level == _GLOSSARY_LEVEL) != (other.parts[source].level == _GLOSSARY_LEVEL):
                continue
            near = side.chapters.get(number) == side.chapters.get(back[source])
            if self._shared(part.words, missing[source]) / self._weight(part.words) >= (_PART_IN_CHAPTER if near else _PART):
                found[number] = source
                missing[source] -= Counter(part.words)
        return found

    def _links_to_new(self, pieces: Mapping[str, str], sources: Mapping[str, str]) -> Iterator[Link]:
        split = set(pieces.values())
        merged: dict[str, list[str]] = defaultdict(list)
        for old, new in sources.items():
            merged[new].append(old)
        for number, part in self.new.parts.items():
            if number not in self.was:
                whole = pieces.get(number)
                yield Link(whole, number, SPLIT if whole else NEW)
                continue
            old = self.was[number]
            kind = self._kind(self.old.parts[old], part)
            if number in merged:
                kind = MERGED
            elif old in split:
                kind = SPLIT
            before = self.old.parts[old]
            only = kind in (REWORDED, MOVED_AND_REWORDED) and before.bare == part.bare
            if kind != SAME or before.examples != part.examples:
                yield Link(old, number, kind, only, before.examples != part.examples)
            for other in merged.get(number, ()):
                yield Link(other, number, MERGED)

    def _gone(self, sources: Mapping[str, str]) -> Iterator[Link]:
        for number in self.old.parts:
            if number not in self.became and number not in sources:
                yield Link(number, None, GONE)

    def _kind(self, old: _Part, new: _Part) -> str:
        if old.text == new.text:
            return SAME if old.number == new.number else MOVED
        return REWORDED if old.number == new.number else MOVED_AND_REWORDED
