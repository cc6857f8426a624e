"""What is asked with open conditions taken in every way: one answer where all ways agree, else which conditions decide it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["deciding", "undecided_by"]

_Condition = TypeVar("_Condition", bound=Hashable)


def deciding(conditions: Sequence[_Condition], answers: Mapping[frozenset[_Condition], object]) -> list[_Condition]:
    """Return the conditions that decide: those for which the answer changes somewhere with nothing but how they are taken.

    Args:
        conditions: all open conditions.
        answers: the answer for every way to take them, which is the set of those that are taken to be met.
    """
    return [one for one in conditions if any(answers[met - {one}] != answers[met | {one}] for met in answers)]


def undecided_by(conditions: Mapping[_Condition, str], numbers: Mapping[frozenset[_Condition], int], what: str) -> str:
    """Return the sentence that says which conditions a number depends on, and how.

    Args:
        conditions: the open conditions, each with its words.
        numbers: the number for every way to take them; they are not all the same.
        what: what is counted.
    """
    found = deciding(list(conditions), numbers)
    unsaid = f"the board does not say whether {', nor whether '.join(conditions[one] for one in found)}"
    if len(found) == 1:
        met, not_met = numbers[frozenset(found)], numbers[frozenset()]
        return f"{unsaid}; if it is so there are {met:,} {what}, if not {not_met:,}"
    return f"{unsaid}; as that is there are from {min(numbers.values()):,} to {max(numbers.values()):,} {what}"
