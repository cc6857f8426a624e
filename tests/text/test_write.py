"""Round trip: constraints print as sentences that read back as the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import pytest

from lawmage.cards.card import Face
from lawmage.cards.coverage import faces_in
from lawmage.constraints import Condition, Constraint, Filter
from lawmage.constraints import Test as _Test
from lawmage.play.knowledge import knowledge
from lawmage.text.lines import own_names
from lawmage.text.read import read_text
from lawmage.text.write import same, write_sentence

from . import test_damage_wordings, test_reading
from .notation import FORMS, stated


@pytest.mark.parametrize(
    "text", [text for table in (test_reading, test_damage_wordings) for text, _ in table._cases()], ids=lambda text: text[:50]
)
def test_what_is_read_prints_and_reads_back(text: str) -> None:
    for constraint in read_text(text, names=["Bosk"], keywords=FORMS).constraints:
        sentence = write_sentence(constraint, FORMS)
        assert sentence is not None, stated(constraint)
        assert any(same(constraint, read) for read in read_text(sentence, keywords=FORMS).constraints)


@pytest.mark.parametrize(
    ("constraint", "sentence"),
    [
        (Constraint("cannot_block"), "This creature can't block."),
        (Constraint("cannot_attack", "attached", target="you"), "Enchanted creature can't attack you."),
        (
            Constraint("gets", Filter(((_Test("other"), _Test("subtype", "Elf"), _Test("controlled_by", "you")),)), power=1, toughness=1),
            "Other Elf creatures you control get +1/+1.",
        ),
        (
            Constraint(
                "has_keyword", value="flying", conditions=(Condition("controls", "you", Filter(((_Test("type", "artifact"),),)), 3),)
            ),
            "This creature has flying as long as you control three or more artifacts.",
        ),
        (
            Constraint("attacks_if_able", conditions=(Condition("turn", "you", negated=True),)),
            "This creature attacks if able unless it's your turn.",
        ),
    ],
)
def test_sentence(constraint: Constraint, sentence: str) -> None:
    assert write_sentence(constraint, FORMS) == sentence


def test_what_has_no_wording_prints_as_nothing() -> None:
    assert write_sentence(Constraint("zorps"), FORMS) is None
    assert write_sentence(Constraint("cannot_block", Filter(((_Test("zorped"),),))), FORMS) is None
    assert write_sentence(Constraint("cannot_block", conditions=(Condition("open", negated=True, text="it can't block"),)), FORMS) is None


def test_same_tells_what_differs() -> None:
    one = Constraint("cannot_block", Filter(((_Test("token"), _Test("tapped")),)), source="a")
    assert same(one, replace(one, subject=Filter(((_Test("tapped"), _Test("token")),)), source="b"))
    assert not same(one, replace(one, subject=Filter(((_Test("tapped"),), (_Test("token"),)))))
    assert not same(one, replace(one, conditions=(Condition("open", text="x"),)))


def check_cards(cards: Iterable[tuple[Face, ...]]) -> int:
    """Check what the texts of cards state, and return how many different constraints that are."""
    forms = knowledge().forms
    found: set[Constraint] = set()
    for face in chain.from_iterable(cards):
        found.update(replace(one, source="") for one in read_text(face.text or "", names=own_names(face.name), keywords=forms).constraints)
    without = [stated(one) for one in found if write_sentence(one, forms) is None]
    # One keyword on cards has a sentence of its own behind it.
    assert len(without) <= 1, without
    return len(found)


def test_constraints_of_cards(shared: Path) -> None:
    """Of every 12th card, or with `LAWMAGE_EXAMPLES` of more of them."""
    step = max(1, 12 // int(os.environ.get("LAWMAGE_EXAMPLES", "1")))
    assert check_cards(islice(faces_in(shared / "data" / "cards" / "oracle-cards.json.xz"), 0, None, step)) * step > 2_400


@pytest.mark.slow
def test_constraints_of_all_cards(shared: Path) -> None:
    assert check_cards(faces_in(shared / "data" / "cards" / "oracle-cards.json.xz")) > 2_400
