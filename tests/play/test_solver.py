"""Running clingo: what is parsed once, what is read of models, and when a search need not go on."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from lawmage.play import solver
from lawmage.play.solver import SEARCHING, Model, SolverError, count_models, facts_of, ground, maximise, minimum, only_model
from lawmage.play.stratified import Key, Row

FACTS: dict[Key, list[Row]] = {("a", 1): [1, 2, "p(1)", '"x y"'], ("b", 2): [(1, "c"), (2, '"d"')]}
ATOMS = ['a("x y")', "a(1)", "a(2)", "a(p(1))", "b(1,c)", 'b(2,"d")']


@pytest.mark.parametrize("many", [0, solver._MANY], ids=["each time", "once"])
def test_facts_are_the_same_however_they_are_parsed(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_MANY", many)
    for _ in range(2):
        assert sorted(map(str, facts_of(ground("", facts=FACTS)))) == sorted(ATOMS)


def test_parsed_facts_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_MOST_KEPT", 10)
    known = solver._ParsedFacts()
    for first in range(0, 100, 5):
        assert len(list(known.parsed({("a", 1): range(first, first + 5)}))) == 5
    assert sum(map(len, known._known.values())) <= 15


def test_rules_that_are_parsed_once_and_others_are_one_program() -> None:
    atoms = facts_of(ground("c(X) :- b(X).", rules="b(X) :- a(X).\n#show c/1.", facts={("a", 1): [1, 2]}))
    assert sorted(map(str, atoms)) == ["c(1)", "c(2)"]


def test_what_clingo_complains_about_is_a_fault_in_lawmage() -> None:
    with pytest.raises(SolverError, match="unsafe"):
        ground("b(X) :- not a(X).", facts=FACTS)


def test_atoms_of_a_model_are_read_as_values() -> None:
    model = only_model(ground('v(1,"509.1a",(2,3),none,p(1)). w("x y"). z.'))
    assert model is not None
    assert sorted(model[0]) == [("v", (1, '"509.1a"', (2, 3), "none", "p(1)")), ("w", ('"x y"',)), ("z", ())]
    assert only_model(ground("a. :- a.")) is None


def no_bound() -> tuple[int, Callable[[], Model | None]]:
    raise AssertionError("a short search has settled it")


@pytest.mark.parametrize("maximum", ["{ a(1..3) }. :- 3 { a(X) }. #maximize { 1,X : a(X) }.", "a(1..2). { b }."])
def test_an_easy_maximum_needs_no_bound(maximum: str) -> None:
    best = maximise(ground(maximum, *SEARCHING), seconds=1, bound=no_bound)
    assert best.proved
    assert len([name for name, _ in best.atoms if name == "a"]) == 2


#: Fourteen of which each has to be in one of thirteen places: no core says that at once.
PIGEONS = "{ in(P,1..13) } 1 :- P = 1..14. :- in(P,X), in(Q,X), P < Q. in(P) :- in(P,X). #maximize { 1,P : in(P) }. #show in/1."


def test_a_bound_that_is_reached_ends_the_search() -> None:
    assert maximise(ground(PIGEONS, *SEARCHING), seconds=20, bound=lambda: (13, lambda: None)).value == 13


def test_a_search_that_takes_too_long_tells_the_best_so_far() -> None:
    best = maximise(ground(PIGEONS, *SEARCHING), seconds=0.2, bound=lambda: (14, lambda: ((("in", (1,)),), 1)))
    assert not best.proved
    assert 1 <= best.value <= 13


#: To put ten queens on a board, as near to one corner as possible, takes clingo some time.
QUEENS, LEAST = (
    """1 { q(X,Y) : Y = 1..10 } 1 :- X = 1..10. :- q(X,Y), q(Z,Y), X < Z. :- q(X,Y), q(Z,V), X < Z, |X-Z| = |Y-V|.
#minimize { X*Y,X : q(X,Y) }. #show q/2.""",
    275,
)


@pytest.mark.parametrize("seconds", [None, math.inf])
def test_a_search_may_take_as_long_as_it_takes(seconds: float | None) -> None:
    found = minimum(ground(QUEENS), seconds=seconds)
    assert found is not None
    assert sum(atom.arguments[0].number * atom.arguments[1].number for atom in found) == LEAST
    assert maximise(ground(PIGEONS, *SEARCHING), seconds=seconds, bound=lambda: (13, lambda: None)).value == 13
    assert count_models(ground("{ a(1..5) }."), seconds=seconds) == (32, True)


def test_a_search_that_is_over_at_once_finds_nothing() -> None:
    assert minimum(ground(QUEENS), seconds=0) is None
    assert minimum(ground("a. :- a."), seconds=1) is None
