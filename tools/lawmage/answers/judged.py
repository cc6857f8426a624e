"""A scenario with what was found about its proposals, and the JSON document of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lawmage.answers.answered import NO, UNDECIDED, YES, Answered, status_of
from lawmage.board import Scenario
from lawmage.play.explain import Step, quoted_from
from lawmage.play.verdict import Answer

__all__ = ["VERDICT_STATUS", "Judged", "quoted", "text_in"]

#: The exit status of each verdict on a proposal.
VERDICT_STATUS = {"legal": YES, "illegal": NO, "undecided": UNDECIDED}


@dataclass(frozen=True, slots=True)
class Judged:
    """A scenario, the verdicts on what it proposes, and the argument for each by its proposal, where it was asked for."""

    scenario: Scenario
    verdicts: Answer
    why: Mapping[str, Step] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The scenario's title, or its file."""
        return self.scenario.title or self.scenario.file or ""

    @property
    def status(self) -> int:
        """The exit status."""
        return status_of(VERDICT_STATUS[one.verdict] for one in self.verdicts.proposals.values())

    def answer(self) -> Answered:
        """Return the answer on this file; explanations quote the rules whose texts are installed.

        Raises:
            DataError: if an installed text is damaged.
        """
        document = self.verdicts.as_json()
        for name, step in quoted(self.why, self.verdicts.release).items():
            document["proposals"][name]["explanation"] = step.as_json()
        return Answered(document, self.status)


def text_in(release: str) -> Callable[[str], str]:
    """Return a function that gives the text of a rule of a release; an empty one where that isn't installed.

    Raises:
        DataError: if the installed file is damaged.
    """
    from lawmage.rulebook.store import load_installed

    installed = load_installed(release)
    rules = {} if installed is None else installed.rulebook.by_number
    return lambda rule: rules[rule].text if rule in rules else ""


def quoted(steps: Mapping[str, Step], release: str) -> dict[str, Step]:
    """Return explanations, by proposals, with the text of each rule that they name, as far as it is installed."""
    if not steps:
        return {}
    text = text_in(release)
    return {name: quoted_from(step, text) for name, step in steps.items()}
