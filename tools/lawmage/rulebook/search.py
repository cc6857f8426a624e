"""Searching a release: its rules, examples and glossary, and the keywords.

A query is words, all of which have to occur in some form (`block` finds "blocked"); "words in quotes", which have to stand side by
side as they are; beginnings of words (`deatht*`); rule numbers (`702.2`), which stand for what is under them and what names them. Nothing
else in a query has a meaning. What doesn't occur is taken for a typing error, and the answer says what was searched for instead.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from lawmage.rulebook.model import number_above
from lawmage.rulebook.search_index import fold, open_index, words_of
from lawmage.rulebook.search_query import Term, clean, in_quotes, parse, word_term
from lawmage.rulebook.store import choose_release, installed_releases

__all__ = ["Answer", "Hit", "Span", "search"]

_MOST_COMPLETIONS = 50
_SHORTEST_BEGINNING = 3
#: What the index's matches are marked with; no text has these characters.
_OPEN, _CLOSE = "\x02", "\x03"
#: How much a match counts in the columns of the index: number, title, text, titles above.
_WEIGHTS = "1, 10, 1, 0.5"

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
    chosen = choose_release(max(installed) if release is None and installed else release)
    cleaned = clean(query)
    with closing(open_index(chosen)) as index:
        index.create_function("holds", 3, _holds, deterministic=True)
        terms, corrections = _correct(index, list(parse(cleaned)))
        name = " ".join(word for term in terms for word in term.words) or fold(cleaned)
        rows, every = _find(index, terms, name)
        return Answer(
            query=cleaned,
            searched=" ".join(map(str, terms)),
            corrections=corrections,
            every=every,
            release=chosen,
            with_text=chosen in installed,
            total=len(rows),
            hits=tuple(_hits(index, rows[:limit], terms)),
        )


# ---------------------------------------------------------------- what isn't found as it is


def _correct(index: sqlite3.Connection, asked: list[Term]) -> tuple[list[Term], dict[str, str]]:
    """Return terms that occur, in the place of those asked for that don't, and what was put in the place of what."""
    terms: list[Term] = []
    corrections: dict[str, str] = {}
    vocabulary = _Vocabulary(index)
    waiting = deque(asked)
    while waiting:
        term = waiting.popleft()
        if waiting and term.kind == waiting[0].kind == "word" and _is_split(index, term.words + waiting[0].words):
            joined = word_term(term.words[0] + waiting[0].words[0])
            corrections[f"{term} {waiting.popleft()}"] = joined.said
            term = joined
        if term.kind == "beginning":
            term = replace(term, words=vocabulary.completions(term.words[0]) or term.words)
        if _occurs(index, term):
            terms.append(term)
        else:
            instead = list(_instead(index, vocabulary, term))
            corrections[term.said] = " ".join(map(str, instead))
            terms += instead
    return terms, corrections


def _is_split(index: sqlite3.Connection, words: tuple[str, ...]) -> bool:
    """Tell whether two words are one title that is never written in two: "death touch"."""
    named = index.execute("SELECT 1 FROM entry WHERE name = ?", ("".join(words),)).fetchone() is not None
    return named and not _occurs(index, Term("phrase", words, ""))


def _instead(index: sqlite3.Connection, vocabulary: _Vocabulary, term: Term) -> Iterator[Term]:
    """Yield what to search for in the place of a term that doesn't occur."""
    if term.kind == "number":
        number = term.words[0]
        while "." in number:
            number = number_above(number)
            above = Term("number", (number,), number)
            if _occurs(index, above):
                yield above
                return
    elif term.kind == "word" and (completions := vocabulary.completions(term.words[0])):
        yield Term("beginning", completions, f"{term.words[0]}*")
    else:
        words = tuple(near for single in term.words for near in vocabulary.nearest(single))
        side_by_side = Term("phrase", words, in_quotes(" ".join(words)))
        if len(words) > 1 and _occurs(index, side_by_side):
            yield side_by_side
        else:
            yield from map(word_term, words)


class _Vocabulary:
    """The words of an index."""

    def __init__(self, index: sqlite3.Connection) -> None:
        self._index = index
        self._candidates: dict[str, tuple[str, ...]] = {}
        self._uses: dict[str, int] = {}

    def completions(self, beginning: str) -> tuple[str, ...]:
        """Return the words that begin so, those used most if there are many; none for one or two letters."""
        if len(beginning) < _SHORTEST_BEGINNING:
            return ()
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
            without_apostrophes = {word.replace("'", ""): (word,) for word in self._uses}
            as_they_are = {word: (word,) for word in self._uses}
            self._candidates = {"".join(name): tuple(name) for name in names} | without_apostrophes | as_they_are
        # the shortest words are too near to each other
        slips = 0 if len(word) < 4 else 1 if len(word) < 7 else 2 if len(word) < 10 else 3
        near = process.extract(word, list(self._candidates), scorer=OSA.distance, score_cutoff=slips, limit=20)
        if not near:
            return ()
        best = min(near, key=lambda found: (found[1], -self._uses.get(found[0], 0)))
        return self._candidates[best[0]]


# ---------------------------------------------------------------- looking


def _condition(terms: list[Term], connective: str = "AND", columns: str = "") -> tuple[str, list[str]]:
    """Return a condition on rows of the table `search`, and its parameters."""
    condition, parameters = "search MATCH ?", [f" {connective} ".join(term.expression(columns) for term in terms)]
    if connective == "AND":
        # the index knows words without their endings; what was quoted has to stand there as it is
        for term in terms:
            if term.kind == "quoted":
                condition += " AND holds(title, text, ?)"
                parameters.append(" ".join(term.words))
    return condition, parameters


def _holds(title: str, text: str, phrase: str) -> bool:
    # as in the index, an apostrophe parts words
    return any(f" {phrase} ".replace("'", " ") in f" {' '.join(words_of(string))} ".replace("'", " ") for string in (title, text))


def _occurs(index: sqlite3.Connection, term: Term) -> bool:
    condition, parameters = _condition([term])
    return index.execute(f"SELECT 1 FROM search WHERE {condition} LIMIT 1", parameters).fetchone() is not None


def _rows(index: sqlite3.Connection, terms: list[Term], columns: str) -> set[int]:
    condition, parameters = _condition(terms, columns=columns)
    return {row for (row,) in index.execute(f"SELECT rowid FROM search WHERE {condition}", parameters)}


def _scores(index: sqlite3.Connection, terms: list[Term], connective: str) -> dict[int, float]:
    """Return the rows with all terms or with any, and how well they fit: the less the better."""
    condition, parameters = _condition(terms, connective)
    return dict(index.execute(f"SELECT rowid, bm25(search, {_WEIGHTS}) FROM search WHERE {condition}", parameters))


def _find(index: sqlite3.Connection, terms: list[Term], name: str) -> tuple[list[int], bool]:
    """Return the row numbers found, best first, and whether each of them has every term."""
    number = terms[0].words[0] if len(terms) == 1 and terms[0].kind == "number" else ""
    exact = {row for (row,) in index.execute("SELECT id FROM entry WHERE printed = ? OR name = ?", (number or None, name or None))}
    scores = _scores(index, terms, "AND") if terms else {}
    every = bool(scores) or len(terms) < 2
    if not every:
        scores = _scores(index, terms, "OR")
    # of several terms, a number says nothing about a title
    titled = terms if number else [term for term in terms if term.kind != "number"]
    better = _rows(index, titled, "title") if titled and every else set()

    def rank(row: int) -> tuple[int, float, int]:
        place = 0 if row in exact else 1 if row in better else 2
        # what is under a number stands in the order of the book
        return place, 0.0 if place == 0 or (number and place == 1) else scores[row], row

    return sorted(exact | scores.keys(), key=rank), every


def _hits(index: sqlite3.Connection, rows: list[int], terms: list[Term]) -> Iterator[Hit]:
    chosen = json.dumps(rows)
    marked: dict[int, tuple[str, str]] = {}
    if terms:
        marks = f"'{_OPEN}', '{_CLOSE}'"
        expression = _condition(terms, "OR")[1][0]
        found = index.execute(
            f"SELECT rowid, highlight(search, 1, {marks}), highlight(search, 2, {marks}) FROM search"
            " WHERE search MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
            (expression, chosen),
        )
        marked = {row: (title, text) for row, title, text in found}
    entries = index.execute(
        "SELECT id, entry.number, kind, part, heading, title, text FROM entry JOIN search ON search.rowid = id"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (chosen,),
    )
    hits: dict[int, Hit] = {}
    for row, number, kind, part, heading, title, text in entries:
        marked_title, marked_text = marked.get(row, (title, text))
        hits[row] = Hit(number, kind, part, title, heading, text, _spans(marked_title), _spans(marked_text))
    return (hits[row] for row in rows)


def _spans(marked: str) -> tuple[Span, ...]:
    """Return where the marked parts of a text are in the text without marks."""
    spans: list[Span] = []
    place = 0
    for count, piece in enumerate(re.split(f"[{_OPEN}{_CLOSE}]", marked)):
        if count % 2:
            spans.append((place, place + len(piece)))
        place += len(piece)
    return tuple(spans)
