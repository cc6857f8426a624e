"""Scenario files as plain data, for whoever draws the board."""

from __future__ import annotations

from lawmage.answers.answered import Answered
from lawmage.answers.scenarios import read
from lawmage.answers.source import Source
from lawmage.yaml_tree import parse_tree, to_python

__all__ = ["scenario"]


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
