"""Programs that are cut down to what the facts can make fire give the same answers as the whole programs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import clingo
import pytest
from tests.cases.expectations import load_cases

from lawmage.board import Scenario
from lawmage.play import judge, payment
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.damage_facts import CombatProblem
from lawmage.play.declarations import Declarations
from lawmage.play.facts import Facts
from lawmage.play.payment import Payment
from lawmage.play.program import Program, signatures_of, specialise, statements
from lawmage.play.stratified import Key, Row
from lawmage.resources import data_folder
from lawmage.scenario import load_scenario


def small(scenario: Scenario) -> bool:
    """Whether it is about a declaration, on a board so small that all best declarations of the whole program can be listed."""
    return scenario.judge in {"attack", "block"} and len(scenario.board.objects) <= 7


CASES = [file for file, scenario in load_cases().items() if small(scenario)]


def answers(program: str, options: Iterable[str] = ()) -> list[list[str]]:
    """Return the shown atoms of every (optimal) model."""
    control = clingo.Control(["0", "--opt-mode=optN", *options], logger=lambda *_: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    found: list[list[str]] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            if not model.cost or model.optimality_proven:
                found.append(sorted(map(str, model.symbols(shown=True))))
    return sorted(found)


@pytest.mark.parametrize("file", CASES, ids=lambda path: path.stem)
def test_a_cut_down_program_answers_as_the_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Facts]] = []
    run = Declarations._ground

    def record(step: Declarations, entry: int, facts: Facts, *options: str) -> clingo.Control:
        asked.append((step.entries[entry], facts.copy()))
        return run(step, entry, facts, *options)

    monkeypatch.setattr(Declarations, "_ground", record)
    scenario = load_scenario(file)
    {"attack": Attacks, "block": Blocks}[scenario.judge](scenario, plain=True).judge(scenario.proposals)
    assert asked
    for name, facts in asked:
        entry = data_folder("asp") / "entry" / f"{name}.lp"
        code = entry.read_text(encoding="utf-8")
        whole = "\n".join((entry.parent / part).read_text(encoding="utf-8") for part in re.findall('#include "(.+)"', code))
        shows = "\n".join(line for line in code.splitlines() if line.startswith("#show"))
        program = specialise(entry, facts.signatures)
        assert len(program.text) < len(whole) / 2
        assert answers(f"{program.text}\n{facts.text(program.takes)}") == answers(f"{whole}\n{shows}\n{facts.text()}")


def in_combat(scenario: Scenario) -> bool:
    """Whether it is about damage or what combat does, on a board so small that the whole program is soon grounded.

    What judges plays and events is derived, and compared in test_derived.py.
    """
    named = scenario.judge == "outcome" and any(isinstance(proposal.raw, dict) for proposal in scenario.proposals)
    return scenario.judge in {"damage", "outcome"} and not named and len(scenario.board.objects) <= 6


#: A few cases of each kind.
OTHERS = [
    file
    for kind in ("damage", "outcome")
    for file in [file for file, scenario in load_cases().items() if in_combat(scenario) and scenario.judge == kind][::12]
]


@pytest.mark.parametrize("file", OTHERS, ids=lambda path: path.stem)
def test_a_cut_down_program_answers_as_the_whole_on_other_questions(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, Program, str]] = []
    cut_down = CombatProblem._program

    def record(problem: CombatProblem, entry: str, facts: Facts) -> Program:
        program = cut_down(problem, entry, facts)
        asked.append((problem.combat.folder / f"{entry}.lp", program, facts.text()))
        return program

    monkeypatch.setattr(CombatProblem, "_program", record)
    judge(load_scenario(file))
    assert asked
    for entry, program, facts in asked:
        assert answers(f"{program.text}\n{facts}") == answers("\n".join([*statements(entry), facts]))


#: Totals with symbols of each kind, and mana, help and life that pay them or don't.
PAYMENTS = {
    "nothing": (Payment({}, {}), True),
    "generic": (Payment({"generic": 2}, {"red": 1, "generic": 1}), True),
    "a colour that is not there": (Payment({"red": 1}, {"generic": 1}), False),
    "more than is owed": (Payment({"red": 1}, {"red": 2}), False),
    "more than is owed, of what is there": (Payment({"red": 1}, {"red": 2}, exact=False), True),
    "hybrid": (Payment({"w/u": 2, "blue": 1}, {"white": 1, "blue": 2}), True),
    "two or a colour": (Payment({"2/w": 2}, {"white": 1, "green": 2}), True),
    "two or a colour, half": (Payment({"2/w": 2}, {"green": 3}), False),
    "Phyrexian": (Payment({"w/p": 2}, {"white": 1}, life=2, life_left=5), True),
    "Phyrexian beside a cost in life": (Payment({"w/p": 1}, {}, life=3, life_owed=1, life_left=3), True),
    "more life than is left": (Payment({"w/p": 2}, {}, life=4, life_left=3), False),
    "snow": (Payment({"snow": 1, "generic": 1}, {"snow": 2}), True),
    "helpers": (Payment({"generic": 1, "green": 1}, {"red": 1}, helpers={"a": ("generic", "green")}), True),
    "helpers of another colour": (Payment({"green": 2}, {"green": 1}, helpers={"a": ("generic", "blue")}), False),
    "somebody helps": (Payment({"generic": 5, "red": 1}, {"red": 2}, helped=True), True),
    "somebody helps with generic mana alone": (Payment({"red": 1}, {}, helped=True), False),
}


@pytest.mark.parametrize(("paid", "enough"), PAYMENTS.values(), ids=PAYMENTS)
def test_a_cut_down_program_answers_as_the_whole_on_payments(paid: Payment, enough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = data_folder("asp") / "entry" / "pay-total.lp"
    asked: list[Facts] = []

    class Recorded(Facts):
        def __init__(self) -> None:
            super().__init__()
            asked.append(self)

    monkeypatch.setattr(payment, "Facts", Recorded)
    assert payment._is_found(paid) == payment.pays(paid) == enough
    facts = asked[0]
    program = specialise(entry, facts.signatures)
    found = answers(f"{program.text}\n{facts.text(program.takes)}")
    assert found == answers("\n".join([*statements(entry), facts.text()]))
    assert bool(found) == enough


def test_signatures_name_constants_and_not_numbers_or_strings() -> None:
    facts: dict[tuple[str, int], list[tuple[int | str, ...]]] = {}
    facts |= {("test", 4): [(3, "keyword", '"flying"', "p(1)"), (5, "keyword", '"reach"', "p(2)")], ("test", 2): [(4, "type")]}
    assert signatures_of(facts) == {("test", 4), ("test", 4, 1, "keyword"), ("test", 2), ("test", 2, 1, "type")}
    assert signatures_of(facts, {("test", 2): (1,)}) == {("test", 4), ("test", 2), ("test", 2, 1, "type")}


#: Facts, and what is left of a rule that asks for one of several constants and for others not.
SEVERAL: dict[str, tuple[dict[Key, list[Row]], list[str]]] = {
    "all of them": ({("t", 2): [(1, "a"), (2, "b"), (3, "c")]}, ["s(X) :- t(X,(a;b;c)); not u(X,(a;b))."]),
    "two of them": ({("t", 2): [(1, "a"), (2, "c"), (3, "d")]}, ["s(X) :- t(X,(a;c)); not u(X,(a;b))."]),
    "one of them": ({("t", 2): [(1, "b"), (2, "d")]}, ["s(X) :- t(X,b); not u(X,(a;b))."]),
    "none of them": ({("t", 2): [(2, "d")]}, []),
    "one that is not asked for in another": ({("t", 2): [(1, "b")], ("u", 2): [(1, "c")]}, ["s(X) :- t(X,b)."]),
}


@pytest.mark.parametrize(("facts", "left"), SEVERAL.values(), ids=SEVERAL)
def test_constants_that_do_not_occur_are_not_asked_for(facts: dict[Key, list[Row]], left: list[str], tmp_path: Path) -> None:
    entry = tmp_path / "several.lp"
    entry.write_text("s(X) :- t(X,(a;b;c)), not u(X,(a;b)). #show s/1.", encoding="utf-8")
    facts = {("u", 2): [(1, "a")], **facts}
    program = specialise(entry, frozenset(signatures_of(facts)))
    assert [rule for rule in program.rules if not rule.startswith("#show")] == left
    given = "\n".join(f"{name}({','.join(map(str, row))})." for (name, _), rows in facts.items() for row in rows if isinstance(row, tuple))
    assert answers(f"{program.text}\n{given}") == answers("\n".join([*statements(entry), given]))


def test_what_is_derived_is_asked_for_with_all_constants(tmp_path: Path) -> None:
    entry = tmp_path / "derived.lp"
    entry.write_text("t(X,V) :- f(X,V). t(X,e) :- g(X). s(X) :- t(X,(a;b)). #show s/1.", encoding="utf-8")
    program = specialise(entry, frozenset(signatures_of({("f", 2): [(1, "a"), (2, "b")], ("t", 2): [(3, "a")]})))
    assert "s(X) :- t(X,(a;b))." in program.rules
    assert answers(f"{program.text}\nf(1,a). f(2,b). t(3,a).") == [["s(1)", "s(2)", "s(3)"]]


def test_what_cannot_be_obeyed_is_not_maximised(tmp_path: Path) -> None:
    entry = tmp_path / "maximised.lp"
    entry.write_text("{ s(X) : f(X) }. #maximize { 1,X : s(X), w(X) }. #show s/1.", encoding="utf-8")
    assert ":~" not in specialise(entry, frozenset(signatures_of({("f", 1): [1]}))).text
    assert ":~" in specialise(entry, frozenset(signatures_of({("f", 1): [1], ("w", 1): [1]}))).text
