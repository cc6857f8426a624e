"""Searching a release: its rules, examples and glossary, and the keywords.

A query is words, all of which have to occur in some form (`block` finds "blocked"); "words in quotes", which have to stand side by
side as they are; beginnings of words (`deatht*`); rule numbers (`702.2`), which stand for what is under them and what names them. Nothing
else in a query has a meaning. What doesn't occur is taken for a typing error, and the answer says what was searched for instead.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from lawmage.rulebook.model import number_above
from lawmage.rulebook.search_index import fold, open_index, words_of
from lawmage.rulebook.store import choose_release, installed_releases

__all__ = ["Answer", "Hit", "Span", "search"]

#: More of a query is left out.
_LONGEST_QUERY = 1000
_MOST_TERMS = 32
_LONGEST_WORD = 60
_MOST_COMPLETIONS = 50
_SHORTEST_BEGINNING = 3
_CHUNK = re.compile(r'["“”„]([^"“”„]*)["“”„]|(\S+)')
_NUMBER = re.compile(r"(\d|\d{3}(?:\.\d{1,3}[a-z]{0,2})?)(?:~\d+)?[.,:;]?")
_BEFORE_A_NUMBER = frozenset({"cr", "rule", "rules", "section", "chapter"})
#: What the index's matches are marked with; no text has these characters.
_OPEN, _CLOSE = "\x02", "\x03"
_WORD_COLUMNS = "title text above"
_PLACES = {"number": "number", "title": "title"}

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found.

    Attributes:
        number: a rule number or `glossary:` and a term; for an example or a keyword, that of its rule.
        kind: `section`, `chapter`, `rule`, `subrule`, `example`, `glossary entry` or `keyword`.
        part: `example 1`, `example 2`, ..., else empty.
        title: its heading, term or name; `heading` is the nearest one that it stands under. Either may be empty.
        text: empty where it isn't installed; of a keyword, what lawmage's catalogue says about it.
        title_matches, text_matches: where the title and the text match, in characters.
    """

    number: str
    kind: str
    part: str
    title: str
    heading: str
    text: str
    title_matches: tuple[Span, ...]
    text_matches: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Attributes:
        query: as asked, without what can't be printed, shortened if it was far too long.
        searched: what was searched for; `corrections` has what was put in the place of what, an empty string where nothing was.
        every: whether all of it occurs in each hit; if nothing has all, the hits have some of it.
        release: the release searched, and whether its text was.
        total: how many hits there are; `hits` has the best of them, best first.
    """

    query: str
    searched: str
    corrections: dict[str, str]
    every: bool
    release: str
    with_text: bool
    total: int
    hits: tuple[Hit, ...]


def search(query: str, *, release: str | None = None, limit: int = 10) -> Answer:
    """Search a release for `query`; see the module's docstring. Any string is a query.

    Args:
        query: what a person types.
        release: a known release; by default the newest whose text is installed, or the newest known.
        limit: the most hits to return.

    Hits with the number or the exact title asked for come first, then those with the words in their titles, then by relevance (bm25).

    Raises:
        UnknownNameError: if the release is not known.
        DataError: if its file is damaged.
    """
    installed = installed_releases()
    chosen = choose_release(release or (max(installed) if installed else None))
    cleaned = _clean(query)
    with closing(open_index(chosen)) as index:
        index.create_function("holds", 3, _holds, deterministic=True)
        terms, corrections = _correct(index, list(_parse(cleaned)))
        name = " ".join(word for term in terms for word in term.words) or fold(cleaned)
        ids, expression, every = _find(index, terms, name)
        return Answer(
            query=cleaned,
            searched=" ".join(map(str, terms)),
            corrections=corrections,
            every=every,
            release=chosen,
            with_text=chosen in installed,
            total=len(ids),
            hits=tuple(_hits(index, ids[:limit], expression)),
        )


# ---------------------------------------------------------------- the query


@dataclass(frozen=True, slots=True)
class _Term:
    """A part of a query.

    Attributes:
        kind: a `word`; several words side by side, in any form (`phrase`) or as they are (`quoted`); any word with a `beginning`;
            a `number`.
        words: the word, the words, the words that begin so, or the number.
        said: as it was asked for.
    """

    kind: Literal["word", "phrase", "quoted", "beginning", "number"]
    words: tuple[str, ...]
    said: str

    def __str__(self) -> str:
        return self.said

    def expression(self, columns: str = _WORD_COLUMNS) -> str:
        """Return the term in the language of FTS5. Its words have no quotation marks, so nothing of a query can act there."""
        if self.kind == "beginning":
            return f"{{{columns}}} : ({' OR '.join(map(_quoted, self.words))})"
        return f"{{{columns}}} : {_quoted(' '.join(self.words))}"


def _quoted(words: str) -> str:
    return f'"{words}"'


def _clean(query: str) -> str:
    """Return `query` with spaces for what can't be printed (control characters, line breaks, halves of characters)."""
    shortened = query[:_LONGEST_QUERY]
    return " ".join("".join(character if character.isprintable() else " " for character in shortened).split())


def _parse(query: str) -> Iterator[_Term]:
    chunks = list(_CHUNK.finditer(query))[:_MOST_TERMS]
    for chunk, following in zip(chunks, [*chunks[1:], None], strict=True):
        quoted, plain = chunk.groups()
        if quoted is not None:
            words = words_of(quoted)[:_MOST_TERMS]
            if words:
                yield _Term("quoted", tuple(words), _quoted(quoted.strip()))
            continue
        number = _number(plain, alone=len(chunks) == 1)
        if number:
            yield _Term("number", (number,), number)
        elif not (fold(plain) in _BEFORE_A_NUMBER and following is not None and _number(following[2] or "", alone=True)):
            yield from _words(plain)


def _number(chunk: str, *, alone: bool) -> str:
    """Return the rule number that a chunk is. One digit is a section only where nothing else is asked."""
    match = _NUMBER.fullmatch(chunk.lower().strip("()[]"))
    return match[1] if match and (alone or len(match[1]) > 1) else ""


def _words(chunk: str) -> Iterator[_Term]:
    words = [word[:_LONGEST_WORD] for word in words_of(chunk)[:_MOST_TERMS]]
    if len(words) > 1:  # "first-strike", "+1/+1"
        yield _Term("phrase", tuple(words), chunk)
    elif words and chunk.endswith("*"):
        # completed when the index is at hand
        yield _Term("beginning", tuple(words), f"{words[0]}*")
    elif words:
        yield _Term("word", tuple(words), words[0])


# ---------------------------------------------------------------- what isn't found as it is


def _correct(index: sqlite3.Connection, asked: list[_Term]) -> tuple[list[_Term], dict[str, str]]:
    """Return terms that occur, in the place of those asked for that don't, and what was put in the place of what."""
    terms: list[_Term] = []
    corrections: dict[str, str] = {}
    vocabulary = _Vocabulary(index)
    for term in asked:
        if term.kind == "beginning":
            term = _Term("beginning", vocabulary.completions(term.words[0]), term.said)
        if term.words and _occurs(index, term):
            terms.append(term)
            continue
        before = terms[-1] if terms and terms[-1].kind == term.kind == "word" else None
        joined = _word(before.words[0] + term.words[0]) if before else None
        if before and joined and vocabulary.has(joined.words[0]):  # "death touch"
            corrections[f"{before.said} {term.said}"] = joined.said
            terms[-1:] = [joined]
            continue
        found = list(_instead(index, vocabulary, term))
        corrections[term.said] = " ".join(map(str, found))
        terms += found
    return terms, corrections


def _word(word: str) -> _Term:
    return _Term("word", (word,), word)


def _instead(index: sqlite3.Connection, vocabulary: _Vocabulary, term: _Term) -> Iterator[_Term]:
    """Yield what to search for in the place of a term that doesn't occur."""
    if term.kind == "number":
        above = number_above(term.words[0])
        while above and not _occurs(index, _Term("number", (above,), above)):
            above = number_above(above)
        if above:
            yield _Term("number", (above,), above)
    elif term.kind in ("word", "beginning"):
        word = term.words[0] if term.words else term.said.rstrip("*")
        completions = vocabulary.completions(word) if term.kind == "word" and len(word) >= _SHORTEST_BEGINNING else ()
        if completions:
            yield _Term("beginning", completions, f"{word}*")
        else:
            yield from map(_word, vocabulary.nearest(word))
    else:
        nearest = [word if _occurs(index, _word(word)) else vocabulary.nearest(word) for word in term.words]
        words = tuple(word for found in nearest for word in ([found] if isinstance(found, str) else found))
        side_by_side = _Term("phrase", words, _quoted(" ".join(words)))
        if len(words) > 1 and _occurs(index, side_by_side):
            yield side_by_side
        else:
            yield from map(_word, words)


def _occurs(index: sqlite3.Connection, term: _Term) -> bool:
    return index.execute(f"SELECT 1 FROM search WHERE {_condition([term])} LIMIT 1", _parameters([term])).fetchone() is not None


class _Vocabulary:
    """The words of an index."""

    def __init__(self, index: sqlite3.Connection) -> None:
        self._index = index
        self._candidates: dict[str, tuple[str, ...]] = {}
        self._uses: dict[str, int] = {}

    def has(self, word: str) -> bool:
        return self._index.execute("SELECT 1 FROM word WHERE word = ?", (word,)).fetchone() is not None

    def completions(self, beginning: str) -> tuple[str, ...]:
        """Return the words that begin so, those used most if there are many."""
        rows = self._index.execute(
            "SELECT word FROM word WHERE word >= ? AND word < ? ORDER BY uses DESC LIMIT ?",
            (beginning, beginning + "\U0010ffff", _MOST_COMPLETIONS),
        )
        return tuple(word for (word,) in rows)

    def nearest(self, word: str) -> tuple[str, ...]:
        """Return the word or the words of a title that `word` was meant as; none if nothing is near enough."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        if not self._candidates:
            self._uses = dict(self._index.execute("SELECT word, uses FROM word"))
            names = [name.split() for (name,) in self._index.execute("SELECT DISTINCT name FROM entry WHERE name LIKE '% %'")]
            self._candidates = {"".join(name): tuple(name) for name in names} | {word: (word,) for word in self._uses}
        # one slip in a short word, two in a longer one; the shortest are too near to each other
        slips = 0 if len(word) < 3 else 1 if len(word) < 6 else 2 if len(word) < 10 else 3
        near = process.extract(word, list(self._candidates), scorer=OSA.distance, score_cutoff=slips, limit=20)
        if not near:
            return ()
        best = min(near, key=lambda found: (found[1], -self._uses.get(found[0], 0)))
        return self._candidates[best[0]]


# ---------------------------------------------------------------- looking


def _find(index: sqlite3.Connection, terms: list[_Term], name: str) -> tuple[list[int], str, bool]:
    """Return the row numbers found, best first, the FTS5 expression that they match, and whether each has every term."""
    exact = {row for (row,) in index.execute("SELECT id FROM entry WHERE name = ? AND name != ''", (name,))}
    scores: dict[int, float] = {}
    every, expression = True, ""
    for connective in ("AND", "OR") if len(terms) > 1 else ("AND",):
        if scores or not terms:
            break
        every = connective == "AND"
        scores = dict(
            index.execute(
                f"SELECT rowid, bm25(search, 1, 10, 1, 0.5) FROM search WHERE {_condition(terms, connective)}", _parameters(terms, connective)
            )
        )
        expression = _parameters(terms, connective)[0]
    number = terms[0].words[0] if len(terms) == 1 and terms[0].kind == "number" else ""
    if number:
        exact = {row for (row,) in index.execute("SELECT id FROM entry WHERE printed = ?", (number,))}
        titled = _matching(index, terms, "number")
    else:
        titled = _matching(index, terms, "title") if every else set()

    def rank(row: int) -> tuple[int, float, int]:
        place = 0 if row in exact else 1 if row in titled else 2
        # what is under a number stands in the order of the book
        return place, 0.0 if number and place < 2 else scores.get(row, 0.0), row

    return sorted({*exact, *scores}, key=rank), expression, every or bool(exact)


def _matching(index: sqlite3.Connection, terms: list[_Term], column: str) -> set[int]:
    if not terms:
        return set()
    return {row for (row,) in index.execute(f"SELECT rowid FROM search WHERE {_condition(terms)}", _parameters(terms, "AND", column))}
