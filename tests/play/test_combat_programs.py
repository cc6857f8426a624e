"""The programs on combat, cut down to what the facts can make fire, give the same answers as the whole programs."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from tests.cases.expectations import load_cases

from lawmage.board import Scenario
from lawmage.play import judge
from lawmage.play.damage_facts import CombatProblem
from lawmage.play.facts import Facts
from lawmage.play.program import statements
from lawmage.resources import data_folder


def is_of_combat(scenario: Scenario) -> bool:
    """Whether it is about combat damage and its outcome, rather than about a named event."""
    named = scenario.judge == "outcome" and any("event" in proposal.raw for proposal in scenario.proposals)
    return scenario.judge in ("damage", "outcome") and not named


SCENARIOS: dict[Path, Scenario] = {file: scenario for file, scenario in load_cases().items() if is_of_combat(scenario)}


def shown(program: str) -> list[str]:
    """Return the shown atoms of a program that has exactly one model."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        (found,) = [sorted(map(str, model.symbols(shown=True))) for model in handle]
    return found


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda path: path.stem)
def test_a_cut_down_program_answers_as_the_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, Facts]] = []
    run = CombatProblem.run

    def record(self: CombatProblem, entry: str, facts: Facts) -> tuple[clingo.Symbol, ...]:
        asked.append((entry, self.text(entry, facts), facts.copy()))
        return run(self, entry, facts)

    monkeypatch.setattr(CombatProblem, "run", record)
    judge(SCENARIOS[file], seconds=None)
    assert asked
    for entry, text, facts in asked[:12]:
        whole = "\n".join(statements(data_folder("asp") / "entry" / f"{entry}.lp"))
        assert shown(text) == shown(f"{whole}\n{facts.text()}")
