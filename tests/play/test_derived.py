"""What is derived of the programs that judge plays and events is what clingo finds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import clingo
import pytest
from tests.cases.expectations import load_cases

from lawmage.play import derived, events, judge, nearest_play, plays
from lawmage.play.facts import Facts
from lawmage.play.play_words import PLAYS
from lawmage.play.program import specialise, statements
from lawmage.play.rule_functions import NotEvaluatedError
from lawmage.play.solver import facts_of, ground
from lawmage.play.stratified import Key


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


CHOSEN = frozenset({("picked", 1)})
PICKING = """
named((X,N),"a") :- size(X,N).
wide(X) :- named((X,N),"a"), N > 1.
wide(X) :- marked(X).
pair((X,Y)) :- wide(X), size(Y,_), X < Y.
{ picked(X) : wide(X) }.
covered(Y) :- picked(X), pair((X,Y)).
:- picked(X), barred(X).
:~ size(Y,_), not covered(Y). [2@2,Y]
:~ picked(X), size(X,N). [N@1,X]
:~ never(X). [1@3,X]
#show picked/1. #show wide/1. #show covered/1.
"""


def best(control: clingo.Control) -> tuple[list[list[str]], dict[int, int]]:
    """Return what the best models show, and how good they are by priority, where that is not 0."""
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    control.configuration.solve.opt_mode = "optN"  # type: ignore[union-attr]
    found: list[list[str]] = []
    cost: Counter[int] = Counter()
    with control.solve(yield_=True) as handle:
        for model in handle:
            if model.optimality_proven or not model.cost:
                found.append(sorted(map(str, model.symbols(shown=True))))
                cost = Counter(dict(zip(model.priority, model.cost, strict=True)))
    return sorted(found), {priority: number for priority, number in cost.items() if number}


@pytest.mark.parametrize("barred", [(), (2,), (1, 2)])
def test_what_is_searched_after_the_rest_was_derived(tmp_path: Path, barred: tuple[int, ...]) -> None:
    entry = tmp_path / "picking.lp"
    entry.write_text(PICKING, encoding="utf-8")
    facts = Facts()
    facts.add_rows("size", 2, [(1, 1), (2, 2), (3, 3), (4, 1), (5, 1)])
    facts.add("marked", 1)
    facts.add_rows("barred", 1, barred)
    found = best(derived.searched(entry, facts, CHOSEN))
    assert found == best(ground("\n".join([*statements(entry), facts.text()])))
    assert found[1] == ({2: 2, 1: 1} if 1 not in barred else {2: 6, 1: 3})


def test_what_is_nearest_is_as_good_as_without_deriving(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, Facts, frozenset[Key]]] = []
    search = derived.searched

    def record(entry: Path, facts: Facts, chosen: frozenset[Key]) -> clingo.Control:
        asked.append((entry, facts, chosen))
        return search(entry, facts, chosen)

    monkeypatch.setattr(nearest_play, "searched", record)
    monkeypatch.setattr(nearest_play.NearestPlay, "_one_change", lambda *_: iter(()))  # so that all is searched
    cases = [scenario for scenario in load_cases().values() if scenario.judge in PLAYS and len(scenario.board.objects) <= 5]
    for scenario in cases[::10]:
        judge(scenario, explain=True)
    compared = asked[:: max(1, len(asked) // 10)]
    assert len(compared) >= 10
    for entry, facts, chosen in compared:
        whole = best(ground("\n".join([*statements(entry), facts.text()])))
        found = best(search(entry, facts, chosen))
        assert bool(found[0]) == bool(whole[0])
        assert found == whole
