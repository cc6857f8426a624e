"""What a person types to search the rulebook, as terms. See `lawmage.rulebook.search` for what the terms mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lawmage.rulebook.search_index import fold, way_to, words_of

__all__ = ["Term", "clean", "in_quotes", "parse", "word_term"]

#: More of a query is left out.
_LONGEST_QUERY = 1000
_MOST_TERMS = 32
_LONGEST_WORD = 60
_CHUNK = re.compile(r'["“”„]([^"“”„]*)["“”„]|(\S+)')
_NUMBER = re.compile(r"([0-9]|[0-9]{3}(?:\.[0-9]{1,3}[a-z]{0,2})?)(?:~[0-9]+)?[.,:;]?")
_BEFORE_A_NUMBER = frozenset({"cr", "rule", "rules", "section", "chapter"})
#: Where in the index a term may stand, by its kind. What is side by side isn't so across the titles above each other.
_COLUMNS = {"word": "title text above", "beginning": "title text above", "phrase": "title text", "quoted": "title text"}


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a query.

    Attributes:
        kind: a `word`; several words side by side, in any form (`phrase`) or as they are (`quoted`); any word with a `beginning`;
            a `number`.
        words: the word, the words, the words with the beginning (in a query, the beginning), or the number.
        said: as it was asked for.
    """

    kind: Literal["word", "phrase", "quoted", "beginning", "number"]
    words: tuple[str, ...]
    said: str

    def __str__(self) -> str:
        return self.said

    def expression(self, columns: str = "") -> str:
        """Return the term in the language of FTS5, for these columns or for the usual ones of its kind.

        Its words have no quotation marks in them, so nothing that was typed acts as an operator.
        """
        if self.kind == "number":
            under = f"{{number}} : ^ {in_quotes(way_to(self.words[0]))}"
            # a lone digit in a text is no section
            named = "" if len(self.words[0]) == 1 else f" OR {{title text}} : {in_quotes(self.words[0])}"
            return under if columns else f"({under}{named})"
        words = " OR ".join(map(in_quotes, self.words)) if self.kind == "beginning" else in_quotes(" ".join(self.words))
        return f"({{{columns or _COLUMNS[self.kind]}}} : ({words}))"


def word_term(word: str) -> Term:
    """Return the term for a single word."""
    return Term("word", (word,), word)


def in_quotes(words: str) -> str:
    """Return `words` between quotation marks."""
    return f'"{words}"'


def clean(query: str) -> str:
    """Return `query`, shortened if it is far too long, with spaces for what can't be printed (control characters, half characters)."""
    shortened = query[:_LONGEST_QUERY]
    return " ".join("".join(character if character.isprintable() else " " for character in shortened).split())


def parse(query: str) -> Iterator[Term]:
    """Yield the terms of any string, at most 32."""
    chunks = list(_CHUNK.finditer(query))[:_MOST_TERMS]
    plain = [chunk[2] or "" for chunk in chunks]
    for place, chunk in enumerate(chunks):
        following = plain[place + 1] if place + 1 < len(plain) else ""
        if chunk[1] is not None:
            if words := words_of(chunk[1])[:_MOST_TERMS]:
                yield Term("quoted", tuple(words), in_quotes(chunk[1].strip()))
        elif number := _number(plain[place], alone=len(chunks) == 1 or fold(plain[place - 1]) in _BEFORE_A_NUMBER):
            yield Term("number", (number,), number)
        elif not (fold(plain[place]) in _BEFORE_A_NUMBER and _number(following, alone=True)):
            yield from _words(plain[place])


def _number(chunk: str, *, alone: bool) -> str:
    """Return the rule number that a chunk is. One digit is a section only where nothing else is asked."""
    match = _NUMBER.fullmatch(chunk.lower().strip("()[]"))
    return match[1] if match and (alone or len(match[1]) > 1) else ""


def _words(chunk: str) -> Iterator[Term]:
    words = [word[:_LONGEST_WORD] for word in words_of(chunk)[:_MOST_TERMS]]
    if len(words) > 1:  # "first-strike", "+1/+1"
        yield Term("phrase", tuple(words), chunk)
    elif words and chunk.endswith("*"):
        yield Term("beginning", (words[0],), f"{words[0]}*")
    elif words:
        yield word_term(words[0])
