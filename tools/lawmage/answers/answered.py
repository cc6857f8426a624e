"""An answer: the JSON document that a command prints with `--json`, and its exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lawmage.answers.source import Source
from lawmage.errors import LawmageError

__all__ = ["BAD_INPUT", "NO", "UNDECIDED", "YES", "Answered", "each", "refused", "status_of"]

#: The exit statuses of CONTRACT.md: legal or found, illegal or not found, bad input, undecided.
YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Answered:
    """What a command answers.

    Attributes:
        document: JSON values only.
        status: the exit status of the command, 0 to 3.
    """

    document: dict[str, Any]
    status: int = YES


def status_of(statuses: Iterable[int]) -> int:
    """Return the exit status of several answers: the first of 2, 3, 1, 0 that occurs among them."""
    found = set(statuses)
    return next((status for status in (BAD_INPUT, UNDECIDED, NO) if status in found), YES)


def each(sources: Sequence[Source], answer: Callable[[Source], Answered]) -> Answered:
    """Return the answers on several scenarios as one; where one of them can't be judged, the reason stands in its place."""
    found = []
    for source in sources:
        try:
            found.append(answer(source))
        except LawmageError as error:
            found.append(refused(source.name, error))
    return Answered({"files": [one.document for one in found]}, status_of(one.status for one in found))


def refused(file: str, error: LawmageError) -> Answered:
    """Return what stands in the place of the answer on a file that can't be judged."""
    return Answered({"lawmage": 1, "file": file, "error": str(error)}, BAD_INPUT)
