"""What a judge answers. `as_json` gives the form of the command line's `--json`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = [
    "Acts",
    "Answer",
    "Declaration",
    "Judgement",
    "ProposalVerdict",
    "Requirements",
    "Violation",
    "count_as_json",
    "declaration_as_json",
]

Judgement: TypeAlias = Literal["legal", "illegal", "undecided"]
#: A declaration in the form of a proposal, by the names of the file: the attackers that each blocking creature blocks, or the player
#: or permanent that each attacking creature attacks, or how much damage each creature assigns to whom.
Declaration: TypeAlias = Mapping[str, tuple[str, ...] | str | Mapping[str, int]]

#: What is done with which permanents to pay, by the words for it: `sacrifice`, `return`, `tap`.
Acts: TypeAlias = Mapping[str, tuple[str, ...]]


def declaration_as_json(declaration: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON form of a declaration, or of a play, which a scenario file could propose."""
    return {key: _as_json(value) for key, value in declaration.items()}


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return declaration_as_json(value)
    return [_as_json(one) for one in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a proposal disobeys, the objects that it is about, and a sentence.

    `because` has, where a constraint on the board is disobeyed, its integer in the problem and that of what states it; for explanations.
    """

    rule: str
    objects: tuple[str, ...]
    message: str
    because: tuple[int, int] | None = field(default=None, compare=False)
    _say: Mapping[str, Callable[[], Any]] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def said_when_read(cls, rule: str, objects: Callable[[], tuple[str, ...]], message: Callable[[], str]) -> Violation:
        """Return a violation of which the objects and the sentence are made when they are first read: few verdicts are."""
        violation = cls.__new__(cls)
        for name, value in (("rule", rule), ("because", None), ("_say", {"objects": objects, "message": message})):
            object.__setattr__(violation, name, value)
        return violation

    def __getattr__(self, name: str) -> Any:
        # What has no value yet is asked for here, and what never has one.
        if name in ("objects", "message") and (say := self._say.get(name)) is not None:
            object.__setattr__(self, name, say())
            object.__setattr__(self, "_say", {other: left for other, left in self._say.items() if other != name})
        return object.__getattribute__(self, name)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"rule": self.rule, "objects": list(self.objects), "message": self.message}


@dataclass(frozen=True, slots=True)
class Requirements:
    """How many requirements a proposal obeys, how many can be (509.1c), and a declaration that obeys more, if one does.

    `maximum` is None where the search for it was stopped. `met` names the requirements obeyed, and `clash` a smallest set of
    restrictions and requirements that cannot all hold, where an explanation was asked for and not every requirement can be obeyed.
    """

    obeyed: int
    maximum: int | None
    better: Declaration | None = None
    clash: tuple[str, ...] = ()
    met: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        better = None if self.better is None else declaration_as_json(self.better)
        return {"obeyed": self.obeyed, "maximum": self.maximum, "better": better, "clash": list(self.clash), "met": list(self.met)}


@dataclass(frozen=True, slots=True)
class ProposalVerdict:
    """The verdict on one proposal, with everything that decides it.

    Attributes:
        assumptions: what was assumed where the board does not say.
        not_understood: the sentences that could change the verdict and are not understood.
        cites: the rules that were applied, sorted as in the rulebook.
        seconds: the time it took.
        divides: for damage, the player who divides that of each creature.
        nearest: for an illegal declaration or play, the legal one that is nearest to it, where it was asked for and found.
        nearest_pay: what has to be paid for each creature in it, where anything has.
        nearest_with: what is done with which permanents to pay for each creature in it, where anything is.
        nearest_steps: in the place of `nearest`, for damage of several combat damage steps, that of each.
        no_nearest: that no such play is legal, in a sentence, where that was found.
    """

    verdict: Judgement
    violations: tuple[Violation, ...] = ()
    requirements: Requirements = field(default_factory=lambda: Requirements(0, 0))
    assumptions: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    seconds: float = 0.0
    divides: Mapping[str, str] | None = None
    nearest: Mapping[str, Any] | None = None
    nearest_pay: Mapping[str, str] = field(default_factory=dict)
    nearest_with: Mapping[str, Acts] = field(default_factory=dict)
    nearest_steps: tuple[Mapping[str, Any], ...] = ()
    no_nearest: str = ""

    @property
    def has_nearest(self) -> bool:
        """Whether what is legal and nearest was found."""
        return self.nearest is not None or bool(self.nearest_steps)

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
            **({} if self.divides is None else {"divides": dict(self.divides)}),
            **({} if self.nearest is None else {"nearest": declaration_as_json(self.nearest)}),
            **({"nearest_pay": dict(self.nearest_pay)} if self.nearest_pay else {}),
            **({"nearest_with": declaration_as_json(self.nearest_with)} if self.nearest_with else {}),
            **({"nearest_steps": [declaration_as_json(step) for step in self.nearest_steps]} if self.nearest_steps else {}),
            **({"nearest": None, "no_nearest": self.no_nearest} if self.no_nearest else {}),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdicts on all proposals of a scenario, and the number of legal declarations where it was asked for.

    Where several players declare, `counts` has the number for each and `count` is the product. `divides` has, for damage, who divides
    that of each creature in the first step that there is.
    """

    release: str
    judge: str
    proposals: Mapping[str, ProposalVerdict]
    file: str | None = None
    counts: Mapping[str, int] | None = None
    divides: Mapping[str, str] | None = None

    @property
    def count(self) -> int | None:
        """The number of legal declarations, of all players together."""
        return None if self.counts is None else math.prod(self.counts.values())

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        answer: dict[str, Any] = {
            "lawmage": 1,
            "file": self.file,
            "release": self.release,
            "judge": self.judge,
            "proposals": {name: verdict.as_json() for name, verdict in self.proposals.items()},
        }
        if self.divides is not None:
            answer["divides"] = dict(self.divides)
        if self.counts is not None:
            answer |= count_as_json(self.counts)
        return answer


def count_as_json(counts: Mapping[str, int]) -> dict[str, Any]:
    """Return `count`, and `counts` where several players declare."""
    return {"count": math.prod(counts.values()), **({"counts": dict(counts)} if len(counts) > 1 else {})}
