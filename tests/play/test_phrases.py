"""What texts are read as, in words that a player would use."""

from __future__ import annotations

import pytest

from lawmage.play.knowledge import knowledge
from lawmage.play.phrases import constraint_in_words
from lawmage.play.reading import read_board
from lawmage.scenario import scenario_from


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "This creature gets +1/+1 for each creature that shares a color with it.",
            "gets +1/+1 for each creature that shares a color with it",
        ),
        ("This creature gets +3/+2 for each Aura attached to it.", "gets +3/+2 for each Aura attached to it"),
        ("Other creatures you control get +0/+1.", "each other one you control: gets +0/+1"),
        ("This creature can block Dragons as though it had reach.", "can block any Dragon as though it had reach"),
        ("This creature can't be blocked by creatures with power 3 or less.", "can't be blocked by any with power at most 3"),
        ("This creature can't be blocked by enchanted creatures.", "can't be blocked by any enchanted one"),
        ("As long as you control an artifact, this creature has flying.", "has flying, if you control at least 1 artifact"),
        ("During your turn, this creature can't be blocked.", "can't be blocked, if it is your turn"),
        ("As long as this creature is equipped, it has menace.", "has menace, if it is equipped"),
        (
            "This creature can't attack unless defending player controls an Island.",
            "can't attack, unless the defending player controls at least 1 Island",
        ),
        (
            "Creatures with power less than this creature's power can't block creatures you control.",
            "each one with power less than that of the source: can't block any you control",
        ),
    ],
)
def test_what_is_read_is_told_plainly(text: str, told: str) -> None:
    scenario = scenario_from(
        {"battlefield": {"c": {"controller": "A", "pt": "2/2", "text": text}}, "judge": "attack", "propose": {"p": {}}}
    )
    (holder,) = read_board(scenario.board, knowledge(), file=None).objects
    assert told in [constraint_in_words(constraint, knowledge()) for constraint in holder.states]
