"""What is judged proposal by proposal, and is neither counted nor listed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from lawmage.board import Proposal, Scenario
from lawmage.errors import InputError
from lawmage.play.verdict import ProposalVerdict

__all__ = ["OneByOne"]


class OneByOne(ABC):
    """A judgement of a scenario in which each proposal stands for itself."""

    scenario: Scenario

    @property
    @abstractmethod
    def _says(self) -> str:
        """What the file says that it is about."""

    @abstractmethod
    def _judge(self, proposal: Proposal) -> ProposalVerdict: ...

    def judge(self, proposals: Iterable[Proposal]) -> dict[str, ProposalVerdict]:
        """Return the verdict on each of `proposals`, by its name."""
        return {proposal.name: self._judge(proposal) for proposal in proposals}

    def counts(self) -> dict[str, int]:
        """Raise InputError: nothing is counted."""
        self._refuse()

    def declarations(self, limit: int | None = None) -> Iterator[Any]:
        """Raise InputError: nothing is listed."""
        del limit
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(f"there is nothing to count or list in a file that {self._says}", file=self.scenario.file)
