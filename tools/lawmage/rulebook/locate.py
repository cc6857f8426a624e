"""Which rule a passage comes from, in which releases it reads so, and the references that a copy of it has lost.

A passage is looked up by its words alone, in all installed texts together: first as it stands, whole or as a part of a longer text, then
the text that is most like it. Web copies lose the numbers that they make links of ("See rule , “Combat Damage Step.”"), so numbers
don't count as words; the ones that a passage still has must agree with the text, the missing ones are put back from it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property
from itertools import accumulate

from lawmage.rulebook.model import GLOSSARY, INTRODUCTION, Rulebook
from lawmage.rulebook.wording import Token, has_reference, skeleton, tokens

__all__ = ["CREDITS", "LEAST_LENGTH", "TITLE", "Hit", "Library", "Located", "Place", "locate", "passages", "releases_of"]

TITLE = "title"
CREDITS = "credits"
#: A shorter passage is located only if it is a whole heading, rule, example or entry.
LEAST_LENGTH = 40
#: How alike (0 to 100) a passage and a text, or the part of it most like the passage, must be.
_ALIKE = 87.0
#: So many of the texts with the most words in common are compared with a passage.
_CANDIDATES = 30
#: A passage longer than this is no rule.
_LONGEST = 20_000
#: A longer passage with fewer letters in words than this (numbers of rules don't count) is a table or a picture.
_FEWEST_LETTERS = 20
#: So many of the rarest words of a passage are looked up in the index of words.
_TELLING = 16

_LABEL = re.compile(r"\W*(?:Example: ?|(?P<number>\d{3}(?:\.\d+[a-z]{0,2})?|\d(?=\. ))\.?\s+)(?=\S)")
_STARTS = re.compile(r"(?<=[.!?:”\")])\s+(?=\d{3}\.\d+[a-z]{0,2}\.?\s+[A-Z“\"]|Example: )")
_ENDS = ".!?:;)]”\"'’"
#: What a place is, in the order in which one is preferred where a passage fits several.
_PARTS = ("text", "heading", "example", "entry", "term", "paragraph")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: a release, a number (or `glossary:` and a term, `title`, `introduction`, `credits`), and a part of it.

    `part` is `text`, `heading`, `example 1`, ..., `entry` or `term` (of the glossary), or `paragraph`.
    """

    release: str
    number: str
    part: str


@dataclass(frozen=True, slots=True)
class Located:
    """What is known about a passage.

    Attributes:
        passage: as given.
        rule: its number in the newest release in question, or None if the passage is from no installed text.
        part: which part of the rule, as in `Place`; empty for None.
        also: other rules of that release that have the same words.
        releases: those in which it reads so, oldest first.
        numbers: its number in each of them.
        exact: whether the words are those of the book; else they are only like them.
        likeness: from 0 to 100; 100 if exact.
        restored: the passage with its references.
        references: those that were missing, as printed.
    """

    passage: str
    rule: str | None
    part: str = ""
    also: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    numbers: Mapping[str, str] | None = None
    exact: bool = False
    likeness: float = 0.0
    restored: str = ""
    references: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What it is, in words."""
        if self.rule is None:
            return "not rules text"
        return "rules text" if self.exact else "like rules text"


def passages(document: str) -> list[str]:
    """Return the passages of a document: its paragraphs, cut where a new rule or example starts.

    A paragraph is a line, and the following ones as long as a long line doesn't end as a sentence does.
    """
    paragraphs: list[str] = []
    goes_on = False
    for line in map(str.strip, document.splitlines()):
        if goes_on and line and not _LABEL.match(line):
            paragraphs[-1] += f"\n{line}"
        elif line:
            paragraphs.append(line)
        goes_on = len(line) >= LEAST_LENGTH and line[-1] not in _ENDS
    return [piece for paragraph in paragraphs for piece in _STARTS.split(paragraph)]


def releases_of(found: Iterable[Located]) -> tuple[str, ...]:
    """Return the releases in which most of the passages read so."""
    counts = Counter(release for located in found for release in located.releases)
    most = max(counts.values(), default=0)
    return tuple(sorted(release for release, count in counts.items() if count == most))


def locate(document: Sequence[str], library: Library) -> list[Located]:
    """Locate passages that come from one document, in order; one of several lines that is nowhere is taken line by line.

    Where a passage reads the same in several releases, its number and its references are those of the newest release that most of the
    document agrees with.
    """
    find = cache(library.find)
    found: list[tuple[str, list[Hit]]] = []
    for passage in document:
        whole = "\n" not in passage or find(passage)
        found.extend((piece, find(piece)) for piece in ([passage] if whole else passage.split("\n")))
    counts = Counter(release for _, hits in found for release in {hit.place.release for hit in hits})
    most = max(counts.values(), default=0)
    likely = {release for release, count in counts.items() if count == most}
    return [_choose(passage, hits, likely) for passage, hits in found]


# ---------------------------------------------------------------- all texts


@dataclass(frozen=True, slots=True)
class Hit:
    """A text that a passage may come from, at one of its places.

    `whole` says whether the passage is all of the text; `exact` and `likeness` are as in `Located`.
    """

    place: Place
    text: str
    whole: bool
    exact: bool
    likeness: float


class Library:
    """The texts of several releases, each distinct one once, ready for looking passages up."""

    def __init__(self, rulebooks: Iterable[Rulebook]) -> None:
        self._places: dict[str, list[Place]] = {}
        for rulebook in rulebooks:
            for text, place in _texts(rulebook):
                self._places.setdefault(text, []).append(place)
        self._texts = list(self._places)
        self._skeletons = [skeleton(text) for text in self._texts]
        # Where each skeleton starts in the haystack: all of them, with line breaks around each.
        self._starts = list(accumulate((len(words) + 1 for words in self._skeletons), initial=1))
        self._haystack = "\n" + "\n".join(self._skeletons) + "\n"

    def __len__(self) -> int:
        return len(self._texts)

    def find(self, passage: str) -> list[Hit]:
        """Return the places where a passage may come from, or nothing."""
        label = _LABEL.match(passage)
        body = passage[label.end() :] if label else passage
        if len(body) > _LONGEST:
            return []
        # A digit at the start is the number of a section, or of a paragraph in the glossary.
        hits = self._exactly(passage) if label and len(label["number"] or "") == 1 else []
        hits = hits or self._exactly(body) or self._nearly(body)
        stated = [hit for hit in hits if label and hit.place.number == label["number"]]
        return stated or hits

    def _exactly(self, passage: str) -> list[Hit]:
        words = skeleton(passage)
        if not words or (len(passage) >= LEAST_LENGTH and len(words) < _FEWEST_LETTERS):
            return []
        found = list(self._containing(words, whole_only=len(passage) < LEAST_LENGTH))
        agreeing = [(text, whole) for text, whole in found if _agrees(passage, text)]
        return [Hit(place, text, whole, bool(agreeing), 100.0) for text, whole in agreeing or found for place in self._places[text]]

    def _nearly(self, passage: str) -> list[Hit]:
        words = skeleton(passage)
        if len(passage) < LEAST_LENGTH or len(words) < _FEWEST_LETTERS:
            return []
        return [Hit(place, text, False, False, score) for text, score in self._like(words) for place in self._places[text]]

    def _containing(self, words: str, *, whole_only: bool) -> Iterator[tuple[str, bool]]:
        """Yield each text that has these words, and whether they are all of it."""
        needle = f"\n{words}\n" if whole_only else words
        start, last = self._haystack.find(needle), -1
        while start >= 0:
            index = bisect_right(self._starts, start + whole_only) - 1
            if index != last:
                yield self._texts[index], words == self._skeletons[index]
            last = index
            start = self._haystack.find(needle, self._starts[index + 1] - 1)

    def _like(self, words: str) -> list[tuple[str, float]]:
        """Return the texts most like these words, with how alike they are, if that is enough."""
        from rapidfuzz import fuzz

        known = [word for word in set(words.split()) if word in self._with_word]
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(known, key=lambda word: len(self._with_word[word]))[:_TELLING]:
            for index in self._with_word[word]:
                shared[index] += self._weights[word]
        nearest = sorted(shared, key=shared.__getitem__, reverse=True)[:_CANDIDATES]
        scored = []
        for index in nearest:
            text = self._skeletons[index]
            compare = fuzz.partial_ratio if len(words) <= len(text) else fuzz.ratio
            scored.append((self._texts[index], compare(words, text, score_cutoff=_ALIKE)))
        best = max((score for _, score in scored), default=0.0)
        return [(text, score) for text, score in scored if score == best and score >= _ALIKE]

    @cached_property
    def _with_word(self) -> Mapping[str, list[int]]:
        """The texts that have each word."""
        index: dict[str, list[int]] = defaultdict(list)
        for number, words in enumerate(self._skeletons):
            for word in set(words.split()):
                index[word].append(number)
        return index

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """What each word counts: the less, the more texts have it."""
        return {word: math.log(1 + len(self._texts) / len(found)) for word, found in self._with_word.items()}


def _texts(rulebook: Rulebook) -> Iterator[tuple[str, Place]]:
    release = rulebook.release
    for name, text in ((TITLE, rulebook.title), (INTRODUCTION, rulebook.introduction), (CREDITS, rulebook.credits)):
        for paragraph in text.split("\n"):
            yield paragraph, Place(release, name, "paragraph")
    for node in rulebook.nodes:
        yield node.text or node.heading, Place(release, node.number, "text" if node.text else "heading")
        for count, example in enumerate(node.examples, 1):
            yield example, Place(release, node.number, f"example {count}")
    for entry in rulebook.glossary:
        yield entry.term, Place(release, GLOSSARY + entry.term, "term")
        yield entry.text, Place(release, GLOSSARY + entry.term, "entry")
        if "\n" in entry.text:
            for paragraph in entry.text.split("\n"):
                yield paragraph, Place(release, GLOSSARY + entry.term, "entry")


# ---------------------------------------------------------------- one passage


def _choose(passage: str, hits: Sequence[Hit], likely: set[str]) -> Located:
    """Put what was found about a passage together, as of the newest of the likely releases."""
    if not hits:
        return Located(passage, None, restored=passage)
    by_release: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by_release[hit.place.release].append(hit)
    for found in by_release.values():
        found.sort(key=lambda hit: (not hit.whole, _PARTS.index(hit.place.part.partition(" ")[0])))
    releases = sorted(by_release)
    chosen = max(likely.intersection(releases), default=releases[-1])
    hit = by_release[chosen][0]
    # A heading is also the term of a glossary entry, which is no other rule.
    others = [other.place.number for other in by_release[chosen] if other.place.part != "term"]
    restored, references = _restore(passage, hit.text)
    return Located(
        passage=passage,
        rule=hit.place.number,
        part=hit.place.part,
        also=tuple(dict.fromkeys(number for number in others if number != hit.place.number)),
        releases=tuple(releases),
        numbers={release: by_release[release][0].place.number for release in releases},
        exact=hit.exact,
        likeness=hit.likeness,
        restored=restored,
        references=references,
    )


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two words that follow each other in a text: its span and the references in it."""

    start: int
    end: int
    references: tuple[Token, ...]


def _words_and_gaps(text: str) -> tuple[list[str], list[_Gap]]:
    """Return the words of a text and the gaps around them: one before each word, and one at the end."""
    words: list[str] = []
    gaps: list[_Gap] = []
    start = 0
    references: list[Token] = []
    for token in tokens(text):
        if token.is_reference:
            references.append(token)
            continue
        words.append(token.text)
        gaps.append(_Gap(start, token.start, tuple(references)))
        start, references = token.end, []
    return words, [*gaps, _Gap(start, len(text), tuple(references))]


def _aligned_gaps(passage: str, text: str) -> Iterator[tuple[_Gap, _Gap]]:
    """Yield the gaps of a passage that stand beside words which it has in common with the text, with the gaps they are there."""
    words, gaps = _words_and_gaps(passage)
    text_words, text_gaps = _words_and_gaps(text)
    blocks = SequenceMatcher(None, words, text_words, autojunk=False).get_matching_blocks()
    for block in blocks:
        for step in range(block.size + 1) if block.size else ():
            place, text_place = block.a + step, block.b + step
            inside = 0 < step < block.size
            if inside or (step == 0 and place == 0) or (step and place == len(words)):
                yield gaps[place], text_gaps[text_place]


def _agrees(passage: str, text: str) -> bool:
    """Tell whether the references that a passage has are those of the text."""
    if not has_reference(passage):
        return True
    for gap, text_gap in _aligned_gaps(passage, text):
        printed = [reference.text for reference in text_gap.references]
        if any(not any(_is_part(reference.text, other) for other in printed) for reference in gap.references):
            return False
    return True


def _is_part(reference: str, printed: str) -> bool:
    """Tell whether `reference` is a printed one, or what is left of a range of it at either end."""
    return reference == printed or printed.startswith(f"{reference}-") or (reference[0] == "-" and printed.endswith(reference))


def _restore(passage: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Return a passage with the references that only the text has, and these as they are printed there."""
    if not has_reference(text):
        return passage, ()
    restored, done = "", 0
    references: list[str] = []
    for gap, text_gap in _aligned_gaps(passage, text):
        present = {reference.text for reference in gap.references}
        missing = [reference for reference in text_gap.references if reference.text not in present]
        agree = all(any(_is_part(reference.text, other.text) for other in text_gap.references) for reference in gap.references)
        at_edge = gap.start == 0 and not passage[: gap.end].strip()
        if missing and agree and not at_edge:
            between = text[text_gap.start : text_gap.end].replace("\n", " ")
            between = between.lstrip() if gap.start == 0 else between.rstrip() if gap.end == len(passage) else between
            restored += passage[done : gap.start] + between
            references.extend(text[reference.start : reference.end] for reference in missing)
            done = gap.end
    return restored + passage[done:], tuple(references)
