"""Each rule by which asp/ finds a play wrong exists, and scenario files show plays that break it and plays that don't.

So does each keyword that plays have to know: a scenario file has it, and tells legal from illegal or says what happens.
"""

from __future__ import annotations

import re

import pytest

from lawmage.play import judge
from lawmage.play.knowledge import knowledge
from lawmage.resources import data_folder
from lawmage.rulebook.store import load_graph

from .expectations import load_cases, rule_of

PLAYS = ("cast", "activate", "special", "attach", "trigger")
FILES = ("601-casting-spells", "602-activating-abilities", "116-special-actions", "118-total-cost", "115-targets", "701.003-attach")
#: Not of heads with (T,H): the rule of the constraint T is told there.
HEAD = re.compile(r'^(?:barred|unpaid|mistargeted|unattachable)\([^"\n:]*"(\d{3}\.\d+[a-z]?)",\w', re.MULTILINE)
#: What is told by Python of what asp/entry/pay-total.lp answers.
PAYMENT = ("wrong_payment", "not_enough_mana")
KEYWORDS = """
    deathtouch, defender, double strike, enchant, equip, first strike, flash, flying, reach, intimidate, transfigure, level up, daybound,
    nightbound, disturb, read ahead, visit, prototype, solved, afflict, ascend, assist, jump-start, mentor, afterlife, riot, spectacle,
    escape, companion, plot, saddle, spree, freerunning, gift, offspring, impending, exhaust, max speed, start your engines!
"""


@pytest.fixture(scope="module")
def rules() -> set[str]:
    """The rules that plays are found to break."""
    stated = {number for file in FILES for number in HEAD.findall((data_folder("asp") / f"{file}.lp").read_text(encoding="utf-8"))}
    return stated | {knowledge().breaches[breach].by for breach in PAYMENT}


def test_the_rules_exist(rules: set[str]) -> None:
    assert len(rules) > 20
    assert rules - load_graph().by_number.keys() == set()


def test_each_rule_is_kept_and_broken(rules: set[str]) -> None:
    kept: set[str] = set()
    broken: set[str] = set()
    for file, scenario in load_cases().items():
        if scenario.judge in PLAYS:
            verdicts = judge(scenario, seconds=None).proposals.values()
            found = {violation.rule for verdict in verdicts for violation in verdict.violations}
            broken |= found
            if any(verdict.verdict == "legal" for verdict in verdicts):
                kept |= {rule_of(file), *found}
    assert rules - broken == set()
    assert rules - kept == set()


@pytest.mark.parametrize("keyword", [" ".join(name.split()) for name in KEYWORDS.split(",")])
def test_each_keyword_has_cases(keyword: str) -> None:
    named = re.compile(rf"(?<![\w-]){re.escape(keyword)}(?![\w-])")
    verdicts: set[str] = set()
    for scenario in load_cases().values():
        things = scenario.board.objects.values()
        if any(named.search(" ".join((*thing.keywords, thing.text or "")).lower()) for thing in things):
            verdicts.update(verdict for verdict in map(verdict_of, (scenario.expect or {}).values()) if verdict)
            if scenario.judge == "outcome" or "count" in (scenario.expect or {}):
                verdicts |= {"legal", "illegal"}
    assert {"legal", "illegal"} <= verdicts


def verdict_of(expected: object) -> str:
    """Return the verdict that is expected; empty where none is."""
    return str(expected.get("verdict", "")) if isinstance(expected, dict) else expected if isinstance(expected, str) else ""
