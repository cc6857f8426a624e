"""What is no deck gets one sentence with its place, and nothing hangs or fills the memory."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.decks.deck import Deck
from lawmage.decks.reading import LARGEST_FILE, load_decks, read_deck, read_decks
from lawmage.errors import InputError

BOMB = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><cockatrice_deck><deckname>&b;</deckname></cockatrice_deck>'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 Plains\nwhat is this\n", r'deck:2: found "what is this"; expected a number of copies and a card\'s name'),
        ("1 Plains\n2 [M10]\n", r"deck:2: found"),
        ("", "deck: is empty"),
        ("  \n\n", "deck: is empty"),
        ("Sideboard\n", "deck: lists no cards"),
        ("10000 Plains", "deck:1: has 10,000 copies"),
        ("9" * 30 + " Plains", "deck:1: has 999,999,999 copies"),
        ("1 " + "a" * 1500, "deck:1: is 1,502 characters long"),
        ("[metadata]\nname\n", r'deck:2: found "name"; expected a setting'),
        ("[Main]\nPlains\n", r'deck:2: found "Plains"; expected a card'),
        ("<html><body></body></html>", "deck:1: is XML with the root <html>"),
        ("<cockatrice_deck>\n<zone name='main'><card number='1'/></zone></cockatrice_deck>", "deck:2: found a <card> without a name"),
        ("<cockatrice_deck>\n<card number='-1' name='A'/></cockatrice_deck>", 'deck:2: found "-1"; expected a number'),
        ("<?xml version='1.0'?>\n<cockatrice_deck>\n<zone>", "deck:3: isn't well-formed XML"),
        ("<Deck>" + "<a>" * 20, "deck:1: is nested more than 8 deep"),
        (BOMB, "deck: has a document type or entities"),
        ('{"main": [{"name": "A", "count": 1},]}', "deck:1: isn't JSON"),
        ('{"main": ' + "[" * 100_000, "deck: is nested too deep"),
        ('{"data": ' * 900 + '{"main": ["A"]}' + "}" * 900, "deck: is nested too deep"),
        ('{"main": [{"count": 1}]}', r"deck: found a card without a name at main\[0\]"),
        ('{"main": [{"name": "A", "count": 1.5}]}', r'deck: found 1.5 copies of "A" at main\[0\]'),
        ('{"main": [{"name": "A", "count": ' + "9" * 5000 + "}]}", "deck: isn't a deck"),
        ('{"main": {"A": 1, "A": 2}}', 'deck: isn\'t a deck .the key "A" stands twice'),
        ('{"name": "no cards"}', "deck: has no list of cards"),
        ('{"main": [17]}', r"deck: found 17 at main\[0\]; expected a card"),
        ("Count,Name\n1,A\nx,B\n", 'deck:3: found "x"; expected a number of copies'),
        ("Count,Name\n1,\n", "deck:2: has no name"),
        ("Count,Name\n1\n", "deck:2: has 1 fields; expected 2"),
        ('Count,Name\n1,"A\n', "deck:2: isn't CSV"),
        ("Event #: 1\nwhat\n", r'deck:2: found "what"; expected a pick'),
        ('{"main": ["1 \\u001b[31m"]}', r"deck: found '\\x1b\[31m'; expected a card's name"),
        ("1 Pl\0ains", "deck:1: isn't a text file"),
        ("\n".join(f"1 Card {number}" for number in range(20_001)), "deck: lists 20,001 cards"),
    ],
)  # fmt: skip
def test_one_sentence_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        read_decks(text.encode(), "deck")
    assert "\n" not in str(caught.value)


def test_no_copies_are_named() -> None:
    deck = read_deck(b"0 Island\n1 Plains", "deck")
    assert [(notice.line, notice.message) for notice in deck.notices] == [(1, '"Island" has no copies')]
    assert len(deck.entries) == 1


def test_too_large() -> None:
    with pytest.raises(InputError, match="is larger than 8 MB"):
        read_decks(b"1" * (LARGEST_FILE + 1), "deck")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: can't be read"):
        load_decks("nowhere.txt")


def test_several_decks_where_one_is_wanted() -> None:
    with pytest.raises(InputError, match="has 2 decks; expected one"):
        read_deck(b'[{"main": ["A"]}, {"main": ["B"]}]', "deck")


PIECES = [
    "1 ",
    "12x ",
    "[",
    "]",
    "(",
    ")",
    "*",
    "#",
    "^",
    "<",
    ">",
    "|",
    ":",
    "//",
    "SB: ",
    "Commander",
    "\n",
    "\n\n",
    "Sol Ring",
    "{",
    "}",
    '"',
    ",",
    "\t",
    " ",
    "&",
    ";",
    "é",
]


def attempt(data: bytes) -> tuple[Deck, ...] | str:
    try:
        return read_decks(data, "deck")
    except InputError as error:
        return str(error)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_is_a_deck_or_one_sentence(text: str) -> None:
    answer = attempt(text.encode(errors="replace"))
    if isinstance(answer, str):
        assert answer.startswith("deck")
        assert "\n" not in answer
    else:
        assert all(entry.count > 0 and entry.name for deck in answer for entry in deck.entries)


KEYS = [
    "data",
    "deck",
    "decks",
    "boards",
    "entries",
    "cards",
    "main",
    "commander",
    "name",
    "count",
    "quantity",
    "categories",
    "card",
    "set",
    "A",
]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.floats() | st.sampled_from(["1 A", "A", "", "\x1b[31m", "\ud800", "a\nb"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(values)
def test_any_json_is_a_deck_or_one_sentence(value: object) -> None:
    answer = attempt(json.dumps(value).encode())
    texts = [answer] if isinstance(answer, str) else [text for deck in answer for text in texts_of(deck)]
    assert all(text.isprintable() for text in texts)


def texts_of(deck: Deck) -> list[str]:
    """Every text of a deck that could be shown or written."""
    marks = [mark for entry in deck.entries for mark in (entry.name, entry.set_code, entry.collector_number, *entry.categories) if mark]
    return [deck.title or "", *(notice.message for notice in deck.notices), *marks]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_deck_or_an_error(data: bytes) -> None:
    answer = attempt(data)
    assert answer
    assert not isinstance(answer, str) or answer.startswith("deck")


@pytest.mark.parametrize("piece", ["*a", "[a", "<a", "^a", " ", "(AB) ", "#", "\t*", "{a}"])
def test_long_lines_take_linear_time(piece: str) -> None:
    line = "1 a" + piece * (900 // len(piece)) + "!"
    read_decks("\n".join([line] * 500).encode(), "deck")
