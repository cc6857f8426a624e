"""Programs without choices have the model that clingo finds, evaluated at once or in two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import clingo
import pytest

from lawmage.play import stratified
from lawmage.play.alike import Member
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.lifted import Kinds, Lifted
from lawmage.play.program import statements
from lawmage.play.rule_functions import KEYS, number_of, program_of
from lawmage.play.stratified import Derived, Key, NotEvaluatedError, Relation, Rules, order, value_of
from lawmage.resources import data_folder

FACTS: dict[Key, list[Any]] = {
    ("n", 1): [1, 2, 3],
    ("edge", 2): [(1, 2), (2, 3), (1, 3), (3, 3)],
    ("word", 2): [(1, '"a"'), (2, "b"), (2, "p(1)"), (3, "b")],
    ("weight", 3): [(1, "x", 5), (2, "x", 5), (2, "y", -1)],
}

PROGRAMS = {
    "joins": "path(X,Z) :- edge(X,Y), edge(Y,Z). self(X) :- edge(X,X). first(X) :- edge(X,_).",
    "negation": "sink(X) :- n(X), not edge(X,_). other(X,Y) :- n(X), n(Y), not edge(X,Y), X != Y.",
    "constants": 'is(X) :- word(X,b). is(X) :- word(X,"a"). is(X) :- word(X,(b;c)).',
    "arithmetic": "up(X+1,X-1,2*X,-X) :- n(X). least(X) :- n(X), X + 1 <= 2.",
    "tuples": "pair((X,Y)) :- edge(X,Y). back(Y,X) :- pair((X,Y)). same(X) :- pair((X,X)).",
    "terms": "named(f(X,Y)) :- edge(X,Y). from(X) :- named(f(X,_)).",
    "order": "before(X,Y) :- word(_,X), word(_,Y), X < Y. below((X,U),(Y,V)) :- word(X,U), word(Y,V), (X,U) < (Y,V).",
    "all": "onto(X) :- n(X), edge(X,Y) : n(Y), Y > 1. none(X) :- n(X), not edge(X,Y) : n(Y), Y > X.",
    "all of several": "both(X) :- n(X), n(Y) : edge(X,Y), word(Y,b).",
    "count": "deg(X,N) :- n(X), N = #count { Y : edge(X,Y) }. two(X) :- n(X), 2 { edge(X,Y) }. one(X) :- n(X), { edge(X,Y) } 1.",
    "exactly": "exact(X) :- n(X), 1 { edge(X,Y) : Y > 1 } 1.",
    "sum": "sum(X,N) :- n(X), N = #sum { W,K : weight(X,K,W) }. more(X) :- n(X), #sum { W,K : weight(X,K,W); 1,Y : edge(X,Y) } > 4.",
    "extremes": "max(X,N) :- n(X), N = #max { W : weight(X,_,W) }, N != #inf. min(X,N) :- n(X), N = #min { W : weight(X,_,W) }, N != #sup.",
    "what two have": "end(Y) :- edge(_,Y). to(X,Y) :- n(X), n(Y), end(Y). at(X,Y,Z) :- n(X), edge(Y,Z), on(Y,Z). on(X,X) :- n(X).",
    "nothing": "yes :- n(1). no :- n(4). then(X) :- n(X), yes, not no.",
    "layers": "a(X) :- n(X), not b(X). b(X) :- c(X), X > 1. c(X) :- edge(_,X).",
}


def facts(names: Sequence[str] | None = None) -> dict[int, Relation]:
    return {number_of(key): Relation(dict.fromkeys(rows)) for key, rows in FACTS.items() if names is None or key[0] in names}


def written(key: Key, row: Any) -> str:
    return f"{key[0]}({','.join(map(str, row if key[1] > 1 else [row]))})."


def by_clingo(program: str) -> dict[Key, set[Any]]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program + "\n".join(written(key, row) for key, rows in FACTS.items() for row in rows))
    control.ground([("base", [])])
    found: dict[Key, set[Any]] = {}
    for atom in control.symbolic_atoms:
        symbol = atom.symbol
        values = tuple(map(value_of, symbol.arguments))
        found.setdefault((symbol.name, len(values)), set()).add(values[0] if len(values) == 1 else values)
    return found


def told(derived: Derived) -> dict[Key, set[Any]]:
    """Return the rows of all predicates that have any, with terms f(a) as clingo writes them."""
    rows = {key: derived.get(key).rows for key in derived.rules.keys}
    return {key: {f"f{row[1:]}".replace(" ", "") if key[0] == "named" else row for row in found} for key, found in rows.items() if found}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_model_is_clingos(program: str) -> None:
    rules = Rules([program])
    at_once = Derived(rules, facts())
    at_once.check()
    assert told(at_once) == {key: rows for key, rows in by_clingo(program).items() if key in rules.keys}
    below = Derived(rules, facts(["n", "word", "weight"]))
    in_steps = Derived(rules, facts(["edge"]), below, rules.settled(frozenset({number_of(("edge", 2))})))
    assert told(in_steps) == told(at_once)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_asked_often_are_one_function(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows come in the same order as well, also where the function was made for more facts than there are."""
    monkeypatch.setattr(stratified, "OFTEN", 1)
    rules = Rules([program])
    heads = frozenset(number_of(key) for key in rules.heads)
    for there in [None, ["n", "edge"], ["n", "word", "weight"], []]:
        one_by_one, straight = Derived(rules, facts(there)), Derived(rules, facts(there), asked=heads)
        for key in rules.heads:
            assert list(straight.get(key).rows) == list(one_by_one.get(key).rows)
    settled = rules.settled(frozenset({number_of(("edge", 2))}))
    below = Derived(rules, facts(["n", "word", "weight"]), asked=rules.used(settled))
    in_steps = Derived(rules, facts(["edge"]), below, settled, asked=heads - settled)
    assert told(in_steps) == told(Derived(rules, facts()))


def test_one_function_serves_fewer_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made anew only for what it does not serve, and not before that is asked often."""
    made: list[object] = []

    def counted(*given: Any) -> Any:
        made.append(given)
        return program_of(*given)

    monkeypatch.setattr(stratified, "OFTEN", 3)
    monkeypatch.setattr(stratified, "program_of", counted)
    rules = Rules(["a(X) :- n(X). a(X) :- edge(X,_). b(X) :- a(X), not word(X,b)."])
    asked = frozenset({number_of(("b", 1))})

    def derived(*names: str) -> list[Any]:
        found = Derived(rules, facts(names), asked=asked)
        return sorted(found.get(("b", 1)).rows)

    assert [derived("n", "edge") for _ in range(4)] == [[1, 2, 3]] * 4
    assert len(made) == 1
    assert derived("edge") == [1, 2, 3]
    assert len(made) == 1
    assert [derived("n", "word") for _ in range(5)] == [[1]] * 5
    assert len(made) == 1
    assert [derived("n", "word") for _ in range(3)] == [[1]] * 3
    assert len(made) == 2
    assert derived("edge", "word") == [1]
    assert len(made) == 2


def test_what_nothing_is_taken_from_has_only_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stratified, "OFTEN", 1)
    rules = Rules(["b(X) :- n(X), not word(X,b). c(X) :- b(X), not edge(X,X)."])
    asked = frozenset({number_of(("c", 1))})
    for names, found, renamed in ((["n", "word", "edge"], [1], False), (["n", "edge"], [1, 2], True), (["n"], [1, 2, 3], True)):
        there = facts(names)
        derived = Derived(rules, there, asked=asked)
        assert list(derived.get(("c", 1)).rows) == found
        assert (derived.get(("b", 1)) is there[number_of(("n", 1))]) == renamed


def test_no_function_serves_where_something_depends_on_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What serves other facts is not made for these as well."""
    monkeypatch.setattr(stratified, "OFTEN", 1)
    rules = Rules(["a(X) :- n(X). a(Y) :- a(X), edge(X,Y). b(X) :- a(X), not word(X,b). { b(X) } :- weight(X,_,_)."])
    asked = frozenset({number_of(("b", 1))})

    def widened(*names: str) -> set[Key]:
        return {KEYS[number] for number in rules.widened(frozenset(facts(names)))}

    assert widened("n") == {("n", 1)}
    for name, error in (("edge", "depend on themselves"), ("weight", "head")):
        for _ in range(3):
            with pytest.raises(NotEvaluatedError, match=error):
                Derived(rules, facts(["n", name]), asked=asked).get(("b", 1))
        assert widened("n") == {("n", 1)}
    assert [widened("word") for _ in range(20)][-1] == {("n", 1), ("word", 2)}
    assert list(Derived(rules, facts(["n", "word"]), asked=asked).get(("b", 1)).rows) == [1]


def test_facts_of_what_is_derived() -> None:
    given = facts() | {number_of(("like", 1)): Relation({9: None})}
    renamed = Derived(Rules(["like(X) :- m(X). like(X) :- n(X)."]), given)
    assert set(renamed.get(("like", 1)).rows) == {9, 1, 2, 3}
    assert set(given[number_of(("like", 1))].rows) == {9}
    assert renamed.get(("edge", 2)) is given[number_of(("edge", 2))]


@pytest.mark.parametrize("rule", ["{ a(X) } :- n(X).", "a(X/2) :- n(X).", "a(X) :- n(X), not { edge(X,Y) } 1."])
def test_other_forms_are_refused(rule: str) -> None:
    with pytest.raises(NotEvaluatedError, match=r"evaluated|aggregate"):
        Derived(Rules([rule]), facts()).get(("a", 1))


def test_what_forbids_is_refused_where_it_matters() -> None:
    Derived(Rules([":- n(X), m(X)."]), facts()).check()
    with pytest.raises(NotEvaluatedError, match="head"):
        Derived(Rules([":- n(X), edge(X,X)."]), facts()).check()


def test_recursion_is_refused() -> None:
    rules = Rules(["a(X) :- b(X). a(X) :- n(X). b(X) :- a(X)."])
    with pytest.raises(NotEvaluatedError, match="depend on themselves"):
        Derived(rules, facts()).get(("a", 1))


def test_what_programs_share_is_derived_once() -> None:
    one = Rules(["a(X) :- n(X). b(X) :- a(X), edge(X,_). c(X) :- b(X)."])
    other = Rules(["b(X) :- a(X), edge(X,_). a(X) :- n(X). c(X) :- b(X). c(X) :- n(X). d(X) :- c(X)."])
    shared = other.shared(one)
    below = Derived(one, facts())
    found = Derived(other, facts(), below, shared)
    assert set(found.get(("d", 1)).rows) == {1, 2, 3}
    assert set(below.get(("c", 1)).rows) == {1, 2, 3}
    assert found.get(("b", 1)) is below.get(("b", 1))


@pytest.mark.parametrize("name", [*Attacks.entries[:2], *Blocks.entries[:2]])
def test_declarations_can_be_judged_so(name: str) -> None:
    """All rules of the programs can be evaluated, but for those that search."""
    rules = Rules(statements(data_folder("asp") / "entry" / f"{name}.lp"))
    evaluated = [
        source for these in rules.sources.values() for source in these if not ("searched(" in source.text or "_open(" in source.text)
    ]
    assert evaluated
    for source in evaluated:
        if not source.text.startswith("#false"):
            source.function(0)


def test_values_sort_as_symbols() -> None:
    values: list[Any] = [(2, 1), (1, "b"), (1, 3), "none", "b", '"a"', '"c"', "p(10)", "p(2)", 3, -1]
    symbols = [clingo.parse_term(f"({value[0]},{value[1]})" if isinstance(value, tuple) else str(value)) for value in values]
    assert [value_of(symbol) for symbol in sorted(symbols)] == sorted(values, key=order)


def test_a_few_speak_for_all() -> None:
    """Atoms about any members of a kind are those about the first ones, if the same members are the same."""
    members = [Member(number) for number in range(10, 15)]
    kinds = Kinds([members], 3)
    rows = [(first, second, 1) for first in members[:3] for second in members[:3] if first != second] + [(members[0], 7, 2)]
    lifted = Lifted(Relation(dict.fromkeys(rows)), kinds)
    assert (14, 13, 1) not in rows
    assert (members[4], members[3], 1) in lifted.rows
    assert (members[4], members[4], 1) not in lifted.rows
    assert sorted(lifted.index((0, 2))[members[4], 1]) == [(14, 10, 1), (14, 11, 1), (14, 12, 1), (14, 13, 1)]
    assert list(lifted.index((1,)).get(7, ())) == [(number, 7, 2) for number in range(10, 15)]
    assert len(list(lifted.rows)) == 5 * 4 + 5
