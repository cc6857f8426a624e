"""702.16e: a player can have protection too. What is not read of that leaves an outcome open, though no declaration."""

from __future__ import annotations

import pytest

from lawmage.play.knowledge import knowledge
from lawmage.text.read import read_text


@pytest.mark.parametrize(
    "sentence",
    ["You gain protection from everything.", "Players have protection from red.", "Each opponent gains protection from creatures."],
)
def test_a_player_who_is_spared_damage_bears_on_the_outcome(sentence: str) -> None:
    reading = read_text(sentence, names=(), keywords=knowledge().forms)
    assert (reading.constraints, reading.unread, reading.unread_outcome) == ((), (), (sentence,))


def test_hexproof_of_a_player_does_not() -> None:
    reading = read_text("You have hexproof.", names=(), keywords=knowledge().forms)
    assert (reading.unread, reading.unread_damage, reading.unread_outcome) == ((), (), ())
