"""An answer: the JSON document that a command prints with `--json`, and its exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lawmage.errors import CheckerDisagreementError, DataError, LawmageError

__all__ = ["BAD_INPUT", "NO", "UNDECIDED", "YES", "Answered", "each", "reason", "refusal", "status_of"]

#: The exit statuses of CONTRACT.md: legal or found, illegal or not found, bad input, undecided.
YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
#: What is at fault where it is not the file: the data that lawmage needs, or lawmage itself.
_FAULTS = {DataError: "data", CheckerDisagreementError: "lawmage"}


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


def each(asked: Iterable[tuple[str, Callable[[], Answered]]], *, tell: Callable[[LawmageError], None] | None = None) -> Answered:
    """Return the answers on several files as one.

    Args:
        asked: the name of each file, and what answers on it. Where that raises a LawmageError, the reason stands in the answer's place.
        tell: told of each such error.
    """
    found = []
    for file, answer in asked:
        try:
            found.append(answer())
        except LawmageError as error:
            if tell is not None:
                tell(error)
            found.append(Answered(refusal(file, error), BAD_INPUT))
    return Answered({"files": [one.document for one in found]}, status_of(one.status for one in found))


def refusal(file: str, error: LawmageError) -> dict[str, Any]:
    """Return what stands in the place of the answer on a file that can't be judged."""
    return {"lawmage": 1, "file": file, **reason(error)}


def reason(error: LawmageError) -> dict[str, str]:
    """Return why there is no answer: `error`, a sentence, and `fault` where something else than the file is at fault."""
    fault = next((fault for kind, fault in _FAULTS.items() if isinstance(error, kind)), None)
    return {"error": str(error)} | ({"fault": fault} if fault else {})
