"""A deck written in a form and read again is the same deck, but for what the form has no place for."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.cards.spelling import key
from lawmage.decks.deck import SECTIONS, Deck, Entry
from lawmage.decks.reading import load_decks, read_deck
from lawmage.decks.writing import CARRIED, FORMS, write_deck
from lawmage.errors import UnknownNameError

#: The forms that keep a card's printing.
PRINTINGS = {"moxfield", "arena", "cockatrice", "forge", "xmage", "csv"}

LEADING = {"commander", "companion"}

Listed = tuple[str, str, str | None, str | None]


def carried(deck: Deck, form: str) -> Counter[Listed]:
    """The cards of `deck` that `form` has a place for, where it keeps them."""
    cards: Counter[Listed] = Counter()
    for entry in deck.entries:
        if section := CARRIED[form].get(entry.section):
            printing = (entry.set_code, entry.collector_number if entry.set_code else None) if form in PRINTINGS else (None, None)
            if form == "xmage" and printing[1] is None:
                printing = (None, None)
            cards[section, entry.name, *printing] += entry.count
    return cards


def read_again(deck: Deck, form: str) -> Deck:
    return read_deck(write_deck(deck, form).encode(), "written")


def listed(deck: Deck) -> Counter[Listed]:
    cards: Counter[Listed] = Counter()
    for entry in deck.entries:
        cards[entry.section, entry.name, entry.set_code, entry.collector_number] += entry.count
    return cards


@pytest.fixture(scope="module")
def real_decks(shared: Path) -> list[Deck]:
    return [deck for file in sorted((shared / "data" / "decks").glob("*/*")) for deck in load_decks(file)]


@pytest.mark.parametrize("form", FORMS)
def test_real_decks(real_decks: list[Deck], form: str) -> None:
    for deck in real_decks:
        again = read_again(deck, form)
        assert listed(again) == carried(deck, form), deck.source
        if form in {"arena", "cockatrice", "xmage"}:
            assert (again.title or "") == " ".join((deck.title or "").split()), deck.source
        if form in {"csv", "moxfield"}:
            foil = Counter(entry.foil for entry in deck.entries if entry.section in CARRIED[form])
            assert Counter(entry.foil for entry in again.entries) == foil, deck.source


words = st.text("aábcdeéghiknorstuâ", min_size=2, max_size=8).map(str.title)
names = (
    st.lists(words, min_size=1, max_size=4).map(" ".join)
    | st.tuples(words, words).map(" // ".join)
    | st.tuples(words, words).map(", ".join)
)
set_codes = st.none() | st.text("ABCDEFGH123", min_size=3, max_size=4).filter(lambda code: not code.isdigit())


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    set_code = draw(set_codes)
    return Entry(
        count=draw(st.integers(1, 30)),
        name=draw(names),
        section=draw(st.sampled_from(SECTIONS)),
        set_code=set_code,
        collector_number=draw(st.none() | st.integers(1, 999).map(str)) if set_code else None,
        foil=draw(st.booleans()),
        categories=tuple(draw(st.lists(words, max_size=2))),
    )


decks = st.builds(
    Deck,
    source=st.just("made"),
    form=st.just("made"),
    title=st.none() | names,
    entries=st.lists(entries(), min_size=1, max_size=12, unique_by=lambda entry: key(entry.name)).map(tuple),
)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=40, deadline=None)
@given(deck=decks)
def test_made_up_decks(form: str, deck: Deck) -> None:
    if form == "cockatrice":  # it names its commanders in words, so each is one card
        deck = replace(deck, entries=tuple(entry for entry in deck.entries if entry.count == 1 or entry.section not in LEADING))
    wanted = carried(deck, form)
    if wanted:
        assert listed(read_again(deck, form)) == wanted


def test_csv_keeps_everything() -> None:
    deck = Deck("made", "made", None, tuple(Entry(2, "A, B", section, 0, "SET", "1", True, ("Ramp", "Card draw")) for section in SECTIONS))
    again = read_again(deck, "csv")
    assert [(e.count, e.name, e.section, e.set_code, e.collector_number, e.foil, e.categories) for e in again.entries] == [
        (e.count, e.name, e.section, e.set_code, e.collector_number, e.foil, e.categories) for e in deck.entries
    ]


@pytest.mark.parametrize("name", ["=1+1", "@SUM", "+cmd|' /C calc'!A0", "'=1+1", "+2 Mace", "-1/-1"])
def test_csv_has_no_formulas_and_is_read_as_it_was(name: str) -> None:
    deck = Deck("made", "made", None, (Entry(2, name, "main", 0, "SET", "-1", False, ("=Ramp",)),))
    written = write_deck(deck, "csv")
    (row,) = list(csv.reader(io.StringIO(written)))[1:]
    assert (row[0], row[4]) == ("2", "-1")  # numbers stay numbers
    assert all(cell[:1] not in ("=", "@") for cell in row)
    assert row[1] in (name, f"'{name}")
    (entry,) = read_again(deck, "csv").entries
    assert (entry.name, entry.set_code, entry.categories) == (name, "SET", ("=Ramp",))


def test_an_unknown_form() -> None:
    with pytest.raises(UnknownNameError, match='did you mean "moxfield"'):
        write_deck(Deck("made", "made", None, (Entry(1, "A"),)), "moxfeld")
