"""Reading a scenario that a caller hands over; and what it says as plain data."""

from __future__ import annotations

from dataclasses import replace

from lawmage.answers.answered import Answered
from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.scenario import read_scenario
from lawmage.yaml_tree import parse_tree, to_python

__all__ = ["read", "release_of", "scenario"]


def read(source: Source, release: str | None = None, objects: int | None = None) -> Scenario:
    """Return the scenario of a text.

    Args:
        source: the text, and its name for messages.
        release: replaces the one that the text says.
        objects: the most that the board may have; None for no other limit than that of the text's size.

    Raises:
        InputError: if it is none, or its board has more.
        DataError: if it names a card and there is no card data.
    """
    try:
        made = read_scenario(source.text, file=source.name)
    except InputError:
        from lawmage.decks.cases import has_decks

        if has_decks(source.text):
            raise InputError("has decks and no board; `lawmage test` judges such files", file=source.name) from None
        raise
    found = len(made.board.objects)
    if objects is not None and found > objects:
        raise InputError(f"the board has {found:,} objects; expected at most {objects:,}", file=source.name)
    return made if release is None else replace(made, release=release)


def release_of(scenario: Scenario) -> str:
    """Return the release as of which a scenario is judged."""
    from lawmage.play.knowledge import knowledge

    return scenario.release or knowledge().release


def scenario(source: Source, *, objects: int | None = None) -> Answered:
    """Return `{"scenario": {..}}`: a scenario as the JSON that its YAML stands for. It is checked, and nothing is judged.

    Args:
        source: the scenario.
        objects: the most that its board may have.

    Raises:
        InputError: if it is none; unknown keys are errors.
        DataError: if it names a card and there is no card data.
    """
    read(source, None, objects)
    return Answered({"scenario": to_python(parse_tree(source.text, file=source.name))})
