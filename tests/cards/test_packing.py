"""Cards as bytes and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.cards.card import Card, Face
from lawmage.cards.packing import pack, unpack
from lawmage.constraints import Condition, Constraint, Filter
from lawmage.constraints import Test as Ask

WORDS = st.text(max_size=12)
NUMBERS = st.integers(-5, 10**6)
TESTS = st.builds(Ask, kind=WORDS, value=st.none() | WORDS | NUMBERS, negated=st.booleans())
FILTERS = st.builds(Filter, any_of=st.lists(st.lists(TESTS, max_size=3).map(tuple), max_size=3).map(tuple))
SUBJECTS = FILTERS | st.sampled_from(["self", "attached", "affected"])
CONDITIONS = st.builds(Condition, kind=WORDS, who=WORDS, filter=st.none() | FILTERS, number=NUMBERS, negated=st.booleans(), text=WORDS)
CONSTRAINTS: st.SearchStrategy[Constraint] = st.builds(
    Constraint,
    kind=WORDS,
    subject=SUBJECTS,
    object=st.none() | SUBJECTS,
    number=st.none() | NUMBERS,
    value=st.none() | WORDS,
    power=NUMBERS,
    toughness=NUMBERS,
    conditions=st.lists(CONDITIONS, max_size=2).map(tuple),
    source=WORDS,
    target=st.none() | WORDS,
)
TUPLES = st.lists(WORDS, max_size=3).map(tuple)
FACES = st.builds(
    Face,
    name=WORDS,
    mana_cost=st.none() | WORDS,
    types=TUPLES,
    power=st.none() | WORDS,
    keywords=TUPLES,
    constraints=st.lists(CONSTRAINTS, max_size=2).map(tuple),
    not_understood=TUPLES,
    bears_on=st.lists(st.frozensets(WORDS, max_size=2), max_size=2).map(tuple),
    activated=st.booleans(),
    text=st.none() | WORDS,
)
CARDS = st.builds(
    Card,
    oracle_id=WORDS,
    name=WORDS,
    layout=WORDS,
    faces=st.lists(FACES, max_size=3).map(tuple),
    mana_value=NUMBERS | st.floats(0, 100),
    color_identity=TUPLES,
    legalities=st.dictionaries(WORDS.filter(bool), WORDS, max_size=3),
    game_changer=st.none() | st.booleans(),
)


@given(st.one_of(CONSTRAINTS, CARDS))
@settings(max_examples=150, deadline=None)
def test_there_and_back(value: Constraint | Card) -> None:
    packed = pack(value)
    again = unpack(packed)
    assert again == value
    assert repr(again) == repr(value) or isinstance(value, Card)  # sets have no order
    assert pack(again) == packed
    assert b"\n" not in packed


def test_only_what_is_not_as_usual_is_kept() -> None:
    assert pack(Constraint("cannot_block")) == b'{"":"Constraint","kind":"cannot_block"}'
    assert pack(Ask("power", 0)) != pack(Ask("power"))
    assert unpack(pack(Card("", "", "", (), mana_value=0.5))).mana_value == 0.5


def test_true_is_not_one() -> None:
    assert unpack(pack(Ask("power", 1))).value is not True


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"": "Unknown"}',
        b'{"": "Card"}',
        b'{"": "Test", "kind": "a", "older": 1}',
        b'{"": "set"}',
        b'{"": ["Test"]}',
        b"[" * 10**5,
    ],
)
def test_damage(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(data)


@pytest.mark.parametrize("value", [b"bytes", object(), json])
def test_what_cannot_be_kept(value: Any) -> None:
    with pytest.raises(TypeError):
        pack(value)
