"""What a judge answers. `as_json` gives the form of the command line's `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = ["Answer", "Declaration", "Judgement", "ProposalVerdict", "Requirements", "Violation"]

Judgement: TypeAlias = Literal["legal", "illegal", "undecided"]
#: A declaration of blockers: the attackers that each blocking creature blocks, by the names of the file.
Declaration: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a proposal disobeys, the objects that it is about, and a sentence."""

    rule: str
    objects: tuple[str, ...]
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"rule": self.rule, "objects": list(self.objects), "message": self.message}


@dataclass(frozen=True, slots=True)
class Requirements:
    """How many requirements a proposal obeys, how many can be (509.1c), and a declaration that obeys more, if one does.

    `maximum` is None where the search for it was stopped.
    """

    obeyed: int
    maximum: int | None
    better: Declaration | None = None
    clash: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        better = None if self.better is None else {blocker: list(attackers) for blocker, attackers in self.better.items()}
        return {"obeyed": self.obeyed, "maximum": self.maximum, "better": better, "clash": list(self.clash)}


@dataclass(frozen=True, slots=True)
class ProposalVerdict:
    """The verdict on one proposal, with everything that decides it.

    Attributes:
        assumptions: what was assumed where the board does not say.
        not_understood: the sentences that could change the verdict and are not understood.
        cites: the rules that were applied, sorted as in the rulebook.
        seconds: the time it took.
    """

    verdict: Judgement
    violations: tuple[Violation, ...] = ()
    requirements: Requirements = field(default_factory=lambda: Requirements(0, 0))
    assumptions: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdict": self.verdict,
            "violations": [violation.as_json() for violation in self.violations],
            "requirements": self.requirements.as_json(),
            "assumptions": list(self.assumptions),
            "not_understood": list(self.not_understood),
            "cites": list(self.cites),
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdicts on all proposals of a scenario, and the number of legal declarations where it was asked for."""

    release: str
    judge: str
    proposals: Mapping[str, ProposalVerdict]
    file: str | None = None
    count: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        answer: dict[str, Any] = {
            "lawmage": 1,
            "file": self.file,
            "release": self.release,
            "judge": self.judge,
            "proposals": {name: verdict.as_json() for name, verdict in self.proposals.items()},
        }
        if self.count is not None:
            answer["count"] = self.count
        return answer
