"""The words of a sentence, with names, keywords, subtypes and quotations recognised; words and turns of rules text as data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

__all__ = ["Phrases", "Word", "listed", "pasts", "plural", "shown", "split_words", "subtype", "turn", "turns", "types_of", "types_of_cards"]

#: What the grammar sees in the place of words that are data.
_ITSELF, _KEYWORD, _SUBTYPE, _QUOTED, _NAME = "~", "<keyword>", "<subtype>", "<quoted>", "<name>"
#: How many words a keyword can have in a sentence.
_LONGEST_PHRASE = 16

_QUOTATION = re.compile(r'"[^"]*"')
_WORD = re.compile(r'"[^"]*"|[^\s,"]+|[,"]')
#: A name behind "named" ends where the sentence goes on.
_NAMED = re.compile(
    r"(?<=\bnamed )[A-Z][^.\",]*?(?=[,.\"]|$| (?:can|can't|has|have|gets?|gains?|attacks?|blocks?|is|are|you|an opponent|your|or|and)\b)"
)
_NON = re.compile(r"non-?(?=[A-Za-z]{3})", re.IGNORECASE)
#: People on cards are objects like any others.
_PRONOUNS = {"he": "it", "she": "it", "him": "it", "his": "its", "her": "its", "he's": "it's", "she's": "it's"}
#: What can own something in the words that the grammar reads.
_OWNERS = frozenset({"~", "creature", "permanent", "artifact", "land", "enchantment", "planeswalker", "token", "vehicle"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or words that are one thing: `shown` to the grammar (in lower case), `raw` as written, from `start` to `end`."""

    shown: str
    raw: str
    start: int
    end: int


class Phrases(Protocol):
    """Something that knows phrases, such as keywords."""

    def longest(self, words: Sequence[str]) -> int:
        """Return how many of `words` are the longest phrase at their start, 0 for none."""


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=32)
def listed(section: str, name: str) -> frozenset[str]:
    """Return the words of a list of words.toml."""
    return frozenset(re.split(r",\s*", _table()[section][name].strip()))


def types_of_cards(sort: str) -> frozenset[str]:
    """Return the card types that a word for cards means, in lower case; one is a word for itself."""
    return listed("cards", sort) if sort in _table()["cards"] else frozenset({sort})


@lru_cache(maxsize=32)
def turn(name: str) -> re.Pattern[str]:
    """Return a turn of rules text of words.toml as a regular expression, for text in lower case."""
    written = (_table()["openings"] | _table()["sentences"])[name]
    return re.compile(written, re.VERBOSE if "\n" in written else 0)


def turns(section: str) -> Mapping[str, re.Pattern[str]]:
    """Return all turns of rules text of a section of words.toml, for text in lower case."""
    return _turns(section)


@lru_cache(maxsize=8)
def _turns(section: str) -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(written) for name, written in _table()[section].items()}


def split_words(text: str, names: Iterable[str] = (), phrases: Phrases | None = None, *, any_case: bool = False) -> list[Word]:
    """Return the words of `text`; `names` are those that mean the object itself, `phrases` knows the keywords.

    Subtypes have a capital on cards; with `any_case` they are recognised without.
    """
    words: list[Word] = []
    for start, end, itself in _pieces(text, names):
        if itself:
            words.append(Word(_ITSELF, text[start:end], start, end))
        else:
            words.extend(_plain(text, start, end))
    if phrases is not None:
        words = _merge_phrases(words, phrases)
    return _merge_subtypes(_split_prefixes(words), any_case=any_case)


def shown(words: Iterable[Word]) -> str:
    """Return the words as the grammar sees them."""
    return " ".join(word.shown for word in words)


def subtype(written: str, *, any_case: bool = False) -> tuple[str, bool] | None:
    """Return the subtype that `written` means and whether it is a plural; None if it means none."""
    return _subtypes_of_any_case().get(written.lower()) if any_case else _subtypes().get(written)


def types_of(subtype: str) -> tuple[str, ...]:
    """Return the card types that have a subtype, which is in lower case (205.3)."""
    return tuple(kind for kind in _table()["subtypes"] if subtype in map(str.lower, listed("subtypes", kind)))


@lru_cache(maxsize=1)
def _subtypes() -> dict[str, tuple[str, bool]]:
    names = {name for kind in _table()["subtypes"] for name in listed("subtypes", kind)}
    return {plural(name): (name, True) for name in names} | {name: (name, False) for name in names}


@lru_cache(maxsize=1)
def _subtypes_of_any_case() -> dict[str, tuple[str, bool]]:
    return {written.lower(): found for written, found in _subtypes().items()}


def plural(name: str) -> str:
    """Return the plural of a subtype or card type."""
    if name in _table()["plurals"]:
        return _table()["plurals"][name]
    if name.endswith("y") and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s")


def pasts() -> Mapping[str, str]:
    """Return the pasts of verbs that no rule of spelling gives, by the verb."""
    return _table()["pasts"]


def _pieces(text: str, names: Iterable[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the stretches of `text` outside and inside the names of the object itself; there are none in quotations."""
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    last = 0
    if pattern:
        quoted = [match.span() for match in _QUOTATION.finditer(text)]
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text):
            if not any(start < match.start() < end for start, end in quoted):
                yield last, match.start(), False
                yield match.start(), match.end(), True
                last = match.end()
    yield last, len(text), False


def _plain(text: str, start: int, end: int) -> Iterator[Word]:
    names = {match.start(): match.end() for match in _NAMED.finditer(text, start, end)}
    while match := _WORD.search(text, start, end):
        first, start = match.span()
        raw = match.group()
        if first in names:
            start = names[first]
            yield Word(_NAME, text[first:start], first, start)
        elif len(raw) > 1 and raw.startswith('"'):
            # 'has "..., you gain 1 life," and': the comma belongs to the sentence outside.
            inner = raw[1:-1].removesuffix(",")
            yield Word(_QUOTED, inner, first, first + len(inner) + 1)
            if len(inner) < len(raw) - 2:
                yield Word(",", ",", start - 2, start - 1)
        elif raw.endswith("'s") and raw[:-2].lower() in _OWNERS:
            yield Word(raw[:-2].lower(), raw[:-2], first, start - 2)
            yield Word("'s", "'s", start - 2, start)
        else:
            yield Word(_PRONOUNS.get(raw.lower(), raw.lower()), raw, first, start)


def _merge_phrases(words: Sequence[Word], phrases: Phrases) -> list[Word]:
    merged: list[Word] = []
    plain = [word.raw for word in words]
    position = 0
    while position < len(words):
        taken = phrases.longest(plain[position : position + _LONGEST_PHRASE])
        merged.append(_joined(words[position : position + taken], _KEYWORD) if taken else words[position])
        position += taken or 1
    return merged


def _split_prefixes(words: Iterable[Word]) -> Iterator[Word]:
    """Part "non" from the word that it denies."""
    for word in words:
        match = _NON.match(word.raw) if _is_plain(word) else None
        if match:
            middle = word.start + match.end()
            yield Word("non", match.group(), word.start, middle)
            yield Word(word.shown[match.end() :], word.raw[match.end() :], middle, word.end)
        else:
            yield word


def _merge_subtypes(given: Iterable[Word], *, any_case: bool) -> list[Word]:
    words = list(given)
    merged: list[Word] = []
    position = 0
    while position < len(words):
        for count in (2, 1):
            group = words[position : position + count]
            if all(map(_is_plain, group)) and subtype(" ".join(word.raw for word in group), any_case=any_case):
                merged.append(_joined(group, _SUBTYPE))
                position += len(group)
                break
        else:
            merged.append(words[position])
            position += 1
    return merged


def _is_plain(word: Word) -> bool:
    return word.shown == word.raw.lower()


def _joined(words: Sequence[Word], what: str) -> Word:
    return Word(what, " ".join(word.raw for word in words).replace(" ,", ","), words[0].start, words[-1].end)
