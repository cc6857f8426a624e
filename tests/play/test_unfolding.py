"""Programs with fewer rules have the same models."""

from __future__ import annotations

import clingo
import pytest

from lawmage.play.unfolding import split, unfolded


def models(program: str) -> list[list[str]]:
    """Return the shown atoms of every model, those that are more than once as often."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    found: list[list[str]] = []
    with control.solve(yield_=True) as handle:
        found.extend(sorted(map(str, model.symbols(shown=True))) for model in handle)
    return sorted(found)


FACTS = "f(1). f(2). g(1,2). g(2,2). g(2,3). g(3,1). g(1,4). h(best)."
GIVEN = {("f", 1), ("g", 2), ("h", 1)}
#: Rules, and the rules that are left of them.
PROGRAMS = {
    "a renaming": (["a(X) :- f(X).", "s(X) :- a(X)."], ["s(X) :- f(X)."]),
    "a renaming that forgets": (["a(X) :- g(X,_).", "s(X) :- f(X); not a(X)."], ["s(X) :- f(X); not g(X,_)."]),
    "another variable": (["a(Y) :- g(X,Y).", "s(X) :- a(X)."], ["s(X) :- g(X1,X)."]),
    "a constant": (["a(X,2) :- f(X).", "s(X,N+1) :- a(X,N)."], ["s(X,2+1) :- f(X)."]),
    "what is chosen": (["a(X) :- f(X); not g(X,X).", "{ s(X): a(X) } :- h(_)."], ["{ s(X): f(X), not g(X,X) }."]),
    "what is counted": (["a(X) :- f(X).", "s(N) :- N = #count { X: a(X) }."], ["s(N) :- N = #count { X: f(X) }."]),
    "what holds for all": (["a(X) :- f(X).", "s(X) :- f(X); a(Y): g(X,Y)."], ["s(X) :- f(X); f(Y): g(X,Y)."]),
    "less is asked": (["s(X) :- h(_); f(X).", "s(X) :- f(X); g(X,Y)."], ["s(X) :- f(X)."]),
    "several rules for what is renamed": (
        ["a(X) :- f(X).", "a(X) :- g(X,_).", "s(X) :- a(X)."],
        ["s(X) :- f(X).", "s(X) :- g(X,X1)."],
    ),
    "what one literal leaves open": (
        ["s(X) :- f(X1); g(X,_); not g(_,X).", "#false :- h(best); g(_,4)."],
        ["s(X) :- f(X1); g(X,X2); not g(_,X).", "#false :- h(best); g(X1,4)."],
    ),
    "what several literals leave open": (["s(X) :- g(X,_); g(_,X)."], ["s(X) :- g(X,_); g(_,X)."]),
    "what is open beside an aggregate": (["s(X) :- g(X,_); 1 <= { g(X,Y) }."], ["s(X) :- g(X,_); 1 <= { g(X,Y) }."]),
    "what is open beside a choice": (["{ s(Y): f(Y) } :- g(X,_)."], ["{ s(Y): f(Y) } :- g(X,_)."]),
    "several rules for what is asked once": (
        ["a(X) :- f(X).", "a(X) :- g(Y,X); not f(Y).", "s(X) :- a(X); g(X,X)."],
        ["s(X) :- f(X); g(X,X).", "s(X) :- g(X1,X); not f(X1); g(X,X)."],
    ),
    "several rules for what is asked beside much": (
        ["a(X) :- f(X).", "a(X) :- g(X,Y).", "s(X) :- a(X); not g(2,X); not g(3,X); not g(4,X); not g(5,X); not g(6,X)."],
        None,
    ),
    "several rules for what is counted": (["a(X) :- f(X).", "a(X) :- g(Y,X).", "s(N) :- N = #count { X: a(X) }."], None),
    "several rules for what is asked for all": (["a(X) :- f(X).", "a(X) :- g(Y,X).", "s(X) :- f(X); a(Y): g(X,Y)."], None),
    "several rules for what is chosen": (["a(X) :- f(X).", "a(X) :- g(Y,X).", "{ s(X): a(X) } 1 :- h(best)."], None),
    "several rules for what is denied": (["a(X) :- f(X).", "a(X) :- g(Y,X).", "s(X) :- g(X,X); not a(X)."], None),
    "what the rest of a rule implies": (["a(X) :- f(X).", "a(X) :- g(X,Y).", "s(X) :- a(X); f(X)."], ["s(X) :- f(X)."]),
    "what several literals imply": (
        ["a(X) :- g(X,Y); f(Y); not g(Y,Y).", "a(X) :- f(X).", "s(X,Z) :- a(X); g(X,Z); not g(Z,Z); f(Z)."],
        ["s(X,Z) :- g(X,Z); not g(Z,Z); f(Z)."],
    ),
    "what a condition repeats": (["1 >= { s(X,Y): f(X), g(X,Y) } :- f(X); f(2)."], ["1 >= { s(X,Y): g(X,Y) } :- f(X); f(2)."]),
    "a condition alone": (["s(X) :- f(X); 1 <= { f(Y): f(X) }; f(Y)."], ["s(X) :- f(X); 1 <= { f(Y) }; f(Y)."]),
    "recursion": (["a(X) :- f(X); not s(X).", "s(X) :- f(X); a(X); g(X,X).", "a(X) :- a(X); g(X,Y)."], None),
    "negation of two literals": (["a(X) :- f(X); g(X,X).", "s(X) :- f(X); not a(X)."], None),
    "what is counted as an atom": (["a(X) :- g(X,Y).", "s :- 2 <= { a(X) }."], None),
    "a constant that is not asked for": (["a(X,2) :- f(X).", "s(X) :- a(X,3).", "s(X) :- g(X,X)."], None),
    "what several say": (["a(X) :- g(X,Y); f(Y).", "s(X) :- a(X); f(X)."], ["s(X) :- g(X,X1); f(X1); f(X)."]),
    "what would be asked twice": (["a(X) :- g(X,Y); f(Y).", "s(X) :- a(X); f(X).", "s(X,Y) :- a(X); a(Y)."], None),
    "what is long": (["a(X) :- f(X); g(X,2); g(X,3); not g(X,4); not g(X,5); not g(X,6).", "s(X) :- a(X); g(X,X)."], None),
    "a pool": (["a((1;2)).", "s(X) :- f(X); a(X)."], None),
    "names in strings": (['a("X",X) :- f(X).', 's("a(X)",X) :- a("X",X).'], ['s("a(X)",X) :- f(X).']),
}


@pytest.mark.parametrize(("rules", "left"), PROGRAMS.values(), ids=PROGRAMS)
def test_fewer_rules_have_the_same_models(rules: list[str], left: list[str] | None) -> None:
    program = [*rules, *(f"#show s/{arity}." for arity in (0, 1, 2))]
    found = unfolded(program, GIVEN)
    assert [line for line in found if not line.startswith("#show")] == (rules if left is None else left)
    assert models("\n".join([*found, FACTS])) == models("\n".join([*program, FACTS]))


#: Rules that give `a`, and a rule that asks for it where nothing else in the rule implies it.
NOT_IMPLIED = {
    "of another value": ("a(X) :- g(X,Y); f(Y).", "s(X,Z) :- a(X); g(X,Y); f(Z); f(Y+1)."),
    "of any value": ("a(X) :- g(X,Y); f(Y).", "s(X) :- a(X); g(X,_); f(_)."),
    "denied of some value": ("a(X) :- f(X); not g(X,_).", "s(X) :- a(X); f(X); g(Z,_); not g(X,Z)."),
    "of a constant": ("a(1) :- f(1).", "s(X) :- a(X); f(X)."),
    "of sums": ("a(X+1) :- f(X).", "s(X) :- a(X+1); f(X)."),
    "with a comparison": ("a(X) :- f(X); X < 2.", "s(X) :- a(X); f(X)."),
    "by itself": ("a(X) :- a(X); f(X).", "s(X) :- a(X); f(X)."),
}


@pytest.mark.parametrize(("giving", "asking"), NOT_IMPLIED.values(), ids=NOT_IMPLIED)
def test_what_is_not_implied_is_asked(giving: str, asking: str) -> None:
    program = [giving, "a(X) :- g(X,3); f(3); f(4).", asking, "s :- a(2).", *(f"#show s/{arity}." for arity in (0, 1, 2))]
    found = unfolded(program, GIVEN)
    assert models("\n".join([*found, FACTS])) == models("\n".join([*program, FACTS]))
    assert any(line.startswith("s(") and ("a(" in line or "X < 2" in line or "f(1)" in line) for line in found)


def test_what_is_shown_or_has_facts_of_its_own_stays() -> None:
    program = ["a(X) :- f(X).", "g(X,X) :- f(X).", "s(X) :- a(X); g(X,X).", "#show a/1.", "#show s/1."]
    assert unfolded(program, GIVEN) == program


def test_split_minds_brackets_and_strings() -> None:
    assert split('a(b,c),"d,\\",e",{f,g}', ",") == ["a(b,c)", '"d,\\",e"', "{f,g}"]
