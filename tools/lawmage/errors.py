"""The exceptions that lawmage raises on purpose.

    LawmageError                 anything a user can cause and mend; the command line prints it and exits 2
    +-- InputError               a file, a key or a value that is not what was expected, with its place
    +-- UnknownNameError              a rule, keyword, object, query or release that does not exist, with a suggestion
    +-- DataError                installed or shipped data that is missing or damaged
    +-- CheckerDisagreementError a verdict of ours that our own checker does not confirm; please report it

Every message is one sentence that says what was found, what was expected and, if something is close, what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["CheckerDisagreementError", "DataError", "InputError", "LawmageError", "UnknownNameError", "suggestion"]


class LawmageError(Exception):
    """Anything a user can cause and mend."""


class InputError(LawmageError):
    """Input that is not what was expected.

    Args:
        message: one sentence without a final line break.
        file: the file it is about, if any.
        line: the line in that file, counted from 1.
    """

    def __init__(self, message: str, *, file: str | Path | None = None, line: int | None = None) -> None:
        self.message = message
        self.file = None if file is None else str(file)
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        place = "" if self.file is None else self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


class UnknownNameError(LawmageError):
    """A name that nothing has."""


class DataError(LawmageError):
    """Data of ours, shipped or installed, that is missing or damaged."""


class CheckerDisagreementError(LawmageError):
    """A verdict that the independent checker (`lawmage.checker`) does not confirm: a fault of lawmage's, so no verdict is given.

    Args:
        proposal: the name of the proposal.
        disagreements: what is not so in the verdict on it.
        file: the scenario file, if any.
    """

    def __init__(self, proposal: str, disagreements: Sequence[str], *, file: str | Path | None = None) -> None:
        self.proposal = proposal
        self.disagreements = tuple(disagreements)
        self.file = None if file is None else str(file)
        super().__init__(
            f"{'' if self.file is None else f'{self.file}: '}lawmage's own checker does not confirm the verdict on the proposal "
            f"{proposal} ({'; '.join(self.disagreements)}), so none is given; please report this together with the file"
        )


def suggestion(name: str, known: Iterable[str], *, cutoff: float = 70.0) -> str:
    """Return `; did you mean "X"?` for the known name closest to `name`, or an empty string.

    `cutoff` is a similarity between 0 and 100 under which nothing is suggested.
    """
    from rapidfuzz import fuzz, process, utils

    best = process.extractOne(name, list(known), scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=cutoff)
    return f'; did you mean "{best[0]}"?' if best else ""
