"""Differences between releases: words, composition over several releases, histories."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawmage.errors import UnknownNameError
from lawmage.rulebook.diff import DELETE, EQUAL, INSERT, Piece, changes, compose, heading_of, histories, text_of_part, word_changes
from lawmage.rulebook.graph import build_graph
from lawmage.rulebook.history import follow, lineages_between
from lawmage.rulebook.lineage import (
    GONE,
    MERGED,
    MOVED,
    MOVED_AND_REWORDED,
    NEW,
    REWORDED,
    SAME,
    SPLIT,
    Link,
    compare,
    compare_all,
)
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.store import load_graph
from lawmage.rulebook.wording import plain

from .made import release

GATES = "Gates open at dawn and are shut again when the bell has rung twice."
MOAT = "The moat is filled with dark water in which an old crocodile sleeps."
TOWER = "From the tower the watchman sees three days of road in each direction."
WALLS = "Walls keep out everything that walks, swims or digs."


def joined(pieces: list[Piece], *operations: str) -> str:
    return "".join(piece.text for piece in pieces if piece.operation in operations)


def squeezed(text: str) -> str:
    return "".join(plain(text).split())


# --- words


def test_words() -> None:
    assert word_changes("A creature can’t attack alone.", "A creature can't block or attack alone.") == [
        Piece(EQUAL, "A creature can't"),
        Piece(INSERT, " block or"),
        Piece(EQUAL, " attack alone."),
    ]
    assert word_changes("See rule 100.2.", "See rule 100.3.") == [
        Piece(EQUAL, "See rule"),
        Piece(DELETE, " 100.2"),
        Piece(INSERT, " 100.3"),
        Piece(EQUAL, "."),
    ]
    assert word_changes("", "New.") == [Piece(INSERT, "New.")]
    assert word_changes("Gone.", "") == [Piece(DELETE, "Gone.")]
    assert word_changes("“Same” — words", '"Same" - words') == [Piece(EQUAL, '"Same" - words')]


def test_words_equal_by_chance_do_not_break_a_change() -> None:
    old = "The gate is shut by the guard at night."
    new = "The gate may never be left to the cook at night."
    assert [piece.operation for piece in word_changes(old, new)] == [EQUAL, DELETE, INSERT, EQUAL]


@given(
    st.lists(st.sampled_from(["the", "a", "gate", "moat", "‘", "’", ",", ".", "100.2a", "{T}", "“tap”"])),
    st.lists(st.sampled_from(["the", "a", "gate", "moat", ",", ".", "100.2b", "{T}"])),
)
def test_pieces_make_up_both_texts(old_words: list[str], new_words: list[str]) -> None:
    old, new = " ".join(old_words), " ".join(new_words)
    pieces = word_changes(old, new)
    assert joined(pieces, EQUAL, INSERT) == new
    assert squeezed(joined(pieces, EQUAL, DELETE)) == squeezed(old)
    assert all(first.operation != second.operation for first, second in pairwise(pieces))


# --- several releases


BOOKS = [
    release("2030-01-01", {"100.1": GATES, "100.2": MOAT, "100.3": f"{TOWER} {WALLS}"}),
    release("2031-01-01", {"100.1": GATES.replace("twice", "once"), "100.2": MOAT, "100.3": TOWER, "100.4": WALLS}),
    release("2032-01-01", {"100.1": GATES, "100.2": TOWER, "100.3": WALLS}),
    release("2033-01-01", {"100.1": GATES, "100.2": MOAT, "100.3": f"{TOWER} {WALLS}"}),
]
GRAPHS = [build_graph(book, []) for book in BOOKS]
LINEAGES = list(compare_all(BOOKS))


def composed(first: int, last: int) -> set[tuple[str | None, str | None, str]]:
    lineage = compose(LINEAGES[first:last], GRAPHS[first], GRAPHS[last])
    assert (lineage.older, lineage.newer) == (BOOKS[first].release, BOOKS[last].release)
    return {(link.old, link.new, link.kind) for link in lineage.links}


def test_composed_with_nothing_between_is_the_lineage_itself() -> None:
    assert composed(1, 1) == set()
    for index, lineage in enumerate(LINEAGES):
        assert composed(index, index + 1) == {(link.old, link.new, link.kind) for link in lineage.links}


def test_what_ends_as_it_began_did_not_change() -> None:
    """The text of 100.1 was changed and changed back; 100.2 was dropped and came back; 100.3 was split and merged."""
    assert composed(0, 3) == set()


def test_what_happened_between_is_put_together() -> None:
    assert composed(0, 2) == {("100.2", None, GONE), ("100.3", "100.2", SPLIT), ("100.3", "100.3", SPLIT)}
    assert composed(1, 3) == {
        ("100.1", "100.1", REWORDED),
        ("100.3", "100.3", MERGED),
        ("100.4", "100.3", MERGED),
    }


@pytest.mark.parametrize(("older", "newer"), [("2015-01-23", "2026-08-07"), ("2019-01-25", "2020-11-20"), ("2026-02-27", "2026-04-17")])
def test_shipped_lineage_composed_covers_both_releases(older: str, newer: str) -> None:
    old, new = load_graph(older), load_graph(newer)
    lineages = lineages_between(older, newer)
    lineage = compose(lineages, old, new)
    for number in old.by_number:
        links = lineage.after(number)
        assert all(link.new is None or link.new in new.by_number for link in links)
        if links[0].kind not in (GONE, SAME):
            assert {link.new for link in links} == set(follow(number, older, newer, lineages).became)
    for number in new.by_number:
        assert all(link.old is None or link.old in old.by_number for link in lineage.before(number))
    for link in lineage.links:
        if link.kind in (MOVED, MOVED_AND_REWORDED):
            assert link.old != link.new
        if link.kind == NEW:
            assert link.new is not None
            assert old.by_number.get(link.new, new.by_number["1"]).fingerprint != new.by_number[link.new].fingerprint


# --- what a person is shown


def test_changes_have_headings_and_words() -> None:
    old = release("2030-01-01", {"100.1": "Gates", "100.1a": GATES}, {"Bell": MOAT}, {"100.1a": ("One bell.",)})
    new = release("2031-01-01", {"100.1": "Gates", "100.1a": GATES}, {"Bell": MOAT + " It bites."}, {"100.1a": ("Two bells.",)})
    links = compare(old, new).links
    graphs = build_graph(old, []), build_graph(new, [])
    first, second = changes(links, old, new, *graphs)
    assert (first.link.new, first.heading, first.link.examples_changed) == ("100.1a", "Gates", True)
    assert first.words is not None
    assert joined(first.words, DELETE, INSERT) == " One bell Two bells"
    assert second.heading == "Bell"
    assert second.words is not None
    assert joined(second.words, INSERT) == " It bites."
    assert [change.words for change in changes(links, old, None, *graphs)] == [None, None]


def test_texts_of_parts() -> None:
    book = release("2030-01-01", {"100.1": "Gates", "100.1a": GATES}, {"Bell": MOAT}, {"100.1a": ("One bell.",)})
    assert text_of_part(book, "100.1a") == f"{GATES}\nExample: One bell."
    assert text_of_part(book, "100.1") == "Gates"
    assert text_of_part(book, "glossary:Bell") == MOAT
    assert text_of_part(book, "100.9") is text_of_part(book, None) is text_of_part(None, "100.1") is None
    assert heading_of(build_graph(book, []), "100.1a") == "Gates"
    assert heading_of(build_graph(book, []), "999.9") == ""


# --- histories


def text(date: str) -> Rulebook | None:
    return next((book for book in BOOKS if book.release == date), None)


def test_history_of_a_rule() -> None:
    (history,) = histories("100.1", GRAPHS[0], GRAPHS[3], LINEAGES, text)
    assert (history.number, history.release, history.heading) == ("100.1", "2033-01-01", "Heading 100")
    assert [(step.older, step.newer) for step in history.steps] == [("2030-01-01", "2031-01-01"), ("2031-01-01", "2032-01-01")]
    words = history.steps[0].changes[0].words
    assert words is not None
    assert (joined(words, DELETE), joined(words, INSERT)) == (" twice", " once")


def test_a_number_of_two_rules_has_two_histories() -> None:
    newer, older = histories("100.2", GRAPHS[0], GRAPHS[2], LINEAGES[:2], text)
    assert [[change.link for change in step.changes] for step in newer.steps] == [
        [Link("100.3", "100.3", SPLIT), Link("100.3", "100.4", SPLIT)],
        [Link("100.3", "100.2", MOVED)],
    ]
    assert [[change.link for change in step.changes] for step in older.steps] == [[Link("100.2", None, GONE)]]


def test_history_of_a_number_that_only_one_release_has() -> None:
    (history,) = histories("100.4", GRAPHS[1], GRAPHS[2], LINEAGES[1:2], text)
    assert history.release == "2031-01-01"
    with pytest.raises(UnknownNameError, match=r'has no rule "100.9"; did you mean'):
        histories("100.9", GRAPHS[0], GRAPHS[3], LINEAGES, text)


def test_history_takes_in_what_stands_under_the_rule() -> None:
    goad = histories("701.15", load_graph("2015-01-23"), load_graph("2026-08-07"), lineages_between("2015-01-23", "2026-08-07"), text)
    assert [(history.release, history.heading) for history in goad] == [("2026-08-07", "Goad"), ("2015-01-23", "Search")]
    last = goad[0].steps[-1]
    assert last.newer == "2025-06-06"
    assert [change.link for change in last.changes] == [
        Link(f"701.38{letter}", f"701.15{letter}", MOVED) for letter in ("", "a", "b", "c", "d")
    ]
