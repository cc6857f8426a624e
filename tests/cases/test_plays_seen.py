"""Everything that asp/ can find wrong with a play has been found in some scenario file, and everything that can happen has happened."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import clingo
import pytest

from lawmage.play import events, judge, plays
from lawmage.play.knowledge import knowledge
from lawmage.resources import data_folder

from .expectations import load_cases

PLAYS = ("cast", "activate", "special", "attach", "trigger")
FILES = ("601-casting-spells", "602-activating-abilities", "116-special-actions", "118-total-cost", "115-targets", "701.003-attach")
FOUND = re.compile(r'^(?:barred|unpaid|mistargeted|unattachable)\((?:[^()]|\([^()]*\))*?(?:"[\d.a-z]+"|,R),(\w+)', re.MULTILINE)


@pytest.fixture(scope="module")
def seen() -> tuple[set[str], set[str]]:
    """The breaches and kinds of constraints in the violations of all scenario files, and what events bring about."""
    breaches: set[str] = set()
    happened: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        violation, take = plays._Words._violation, events._After.take

        def noted(self: Any, rule: str, why: clingo.Symbol, *rest: Any, **named: Any) -> Any:
            breaches.add(why.name or self.problem.base.constraints[why.arguments[0].number].kind)
            return violation(self, rule, why, *rest, **named)

        def taken(self: Any, atoms: Iterable[clingo.Symbol]) -> None:
            shown = list(atoms)
            happened.update(atom.name for atom in shown)
            happened.update(atom.arguments[2].name for atom in shown if atom.name == "does")
            take(self, shown)

        patch.setattr(plays._Words, "_violation", noted)
        patch.setattr(events._After, "take", taken)
        for scenario in load_cases().values():
            if scenario.judge in PLAYS or (scenario.judge == "outcome" and any(isinstance(one.raw, dict) for one in scenario.proposals)):
                judge(scenario, seconds=None)
    return breaches, happened


def test_every_breach_has_been_found(seen: tuple[set[str], set[str]]) -> None:
    stated = {word for file in FILES for word in FOUND.findall((data_folder("asp") / f"{file}.lp").read_text(encoding="utf-8"))}
    assert len(stated) > 30
    assert stated - seen[0] == set()


def test_every_constraint_that_forbids_has_been_found(seen: tuple[set[str], set[str]]) -> None:
    forbidding = {kind.term for kind in knowledge().kinds.values() if "play" in kind.judges and kind.says}
    # An Aura that can't enchant something is told by 303.4j.
    assert forbidding - {"enchants_only"} - seen[0] == set()


def test_everything_that_can_happen_has_happened(seen: tuple[set[str], set[str]]) -> None:
    program = (data_folder("asp") / "entry" / "events.lp").read_text(encoding="utf-8")
    shown = set(re.findall(r"#show (\w+)/", program))
    assert shown - {"ask"} - seen[1] == set()
    assert {"puts_counters", "removes_counters", "creates_tokens", "designates", "transforms", "gains_keyword", "sets", "goes_to"} <= seen[
        1
    ]
