"""What is derived of the programs that judge plays and events is what clingo finds."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from tests.cases.expectations import load_cases

from lawmage.play import derived, events, judge, nearest_play, plays
from lawmage.play.facts import Facts
from lawmage.play.play_words import PLAYS
from lawmage.play.program import specialise
from lawmage.play.rule_functions import NotEvaluatedError
from lawmage.play.solver import facts_of, ground


def by_clingo(entry: Path, facts: Facts) -> tuple[clingo.Symbol, ...]:
    """Return what clingo says that a program shows."""
    program = specialise(entry, facts.signatures)
    return facts_of(ground(facts.text(program.takes), rules=program.text))


def test_all_scenario_files(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def both(entry: Path, facts: Facts) -> tuple[clingo.Symbol, ...]:
        nonlocal compared
        compared += 1
        found = shown_by(entry, facts)
        assert sorted(found) == sorted(by_clingo(entry, facts))
        return found

    class Both(derived.Model):
        """A model of which all that it shows is compared."""

        __slots__ = ()

        def __init__(self, entry: Path, facts: Facts) -> None:
            super().__init__(entry, facts)
            both(entry, facts)

    shown_by = derived.shown_by
    for module in (nearest_play, events):
        monkeypatch.setattr(module, "shown_by", both)
    monkeypatch.setattr(plays, "Model", Both)
    # None of these programs is left to clingo.
    monkeypatch.setattr(derived, "specialise", None)
    for scenario in load_cases().values():
        if scenario.judge in PLAYS or scenario.judge == "outcome":
            judge(scenario)
    assert compared > 500


def test_what_cannot_be_derived_is_left_to_clingo(tmp_path: Path) -> None:
    entry = tmp_path / "reached.lp"
    entry.write_text("reached(X) :- begins(X). reached(Y) :- reached(X), edge(X,Y). #show reached/1.", encoding="utf-8")
    facts = Facts()
    facts.add("begins", 1)
    facts.add("edge", 1, '"two"')
    with pytest.raises(NotEvaluatedError):
        derived.Model(entry, facts)
    assert sorted(derived.shown_by(entry, facts)) == [
        clingo.Function("reached", [clingo.Number(1)]),
        clingo.Function("reached", [clingo.String("two")]),
    ]
