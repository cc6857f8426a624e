"""Reading a scenario that a caller hands over."""

from __future__ import annotations

from dataclasses import replace

from lawmage.answers.source import Source
from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.scenario import read_scenario

__all__ = ["read", "release_of"]


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
    scenario = read_scenario(source.text, file=source.name)
    found = len(scenario.board.objects)
    if objects is not None and found > objects:
        raise InputError(f"the board has {found:,} objects; expected at most {objects:,}", file=source.name)
    return scenario if release is None else replace(scenario, release=release)


def release_of(scenario: Scenario) -> str:
    """Return the release as of which a scenario is judged."""
    from lawmage.play.knowledge import knowledge

    return scenario.release or knowledge().release
