"""The files of decks of this folder: what they expect holds, and each rule that decides about decks has been seen to decide.

Left out are the slow checks that each rule of the programs is needed: `pytest -m slow tests/cases/test_decks.py`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from clingo import ast

from lawmage.decks.cases import DeckCase, is_deck_case, load_deck_case, outcomes
from lawmage.decks.formats import deck_knowledge
from lawmage.errors import LawmageError
from lawmage.resources import data_folder

from .expectations import CASES, rule_of
from .test_mutation import with_content

PROGRAMS = ("702.124-partner.lp", "702.139-companion.lp", "903-commander.lp", "108-cards.lp")
#: Rules that allow, and never forbid by themselves.
ONLY_ALLOW = {"903.3a", "903.4b", "903.12e", "113.6n"}


def deck_files() -> list[Path]:
    return [file for file in sorted(CASES.rglob("*.yaml")) if is_deck_case(file)]


@cache
def load(file: Path) -> DeckCase:
    return load_deck_case(file)


@pytest.fixture(autouse=True)
def shipped_cards(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path_factory.mktemp("home")))


def disagreements(case: DeckCase) -> list[str]:
    return [f"{name} is {actual}, not {expected}" for name, expected, actual in outcomes(case) if expected != actual]


@pytest.mark.parametrize("file", deck_files(), ids=lambda file: file.relative_to(CASES).as_posix())
def test_every_expectation_holds(file: Path) -> None:
    case = load(file)
    assert case.title, f"{file.name} has no title"
    assert set(case.expect) == set(case.decks), f"{file.name} expects nothing of some deck"
    assert disagreements(case) == []


def test_files_stand_where_their_rule_is() -> None:
    assert [file for file in deck_files() if file.parent.name != rule_of(file).partition(".")[0]] == []


def test_each_rule_has_a_legal_and_an_illegal_deck() -> None:
    """Each rule that a provision or a program names is broken by some deck, and kept by a legal one of the same file."""
    programs = "".join((data_folder("asp") / name).read_text(encoding="utf-8") for name in PROGRAMS)
    named = set(re.findall(r'"(\d{3}\.\d+[a-z]?)"', programs))
    formats = deck_knowledge().formats.values()
    named |= {provision.rule for made in formats for provision in made.provisions if provision.rule[0].isdecimal()}
    broken: dict[str, set[str]] = defaultdict(set)
    for file in deck_files():
        case = load(file)
        for deck, verdict in zip(case.decks.values(), case.judge.judge(list(case.decks.values())), strict=True):
            del deck
            for rule in {violation.rule for violation in verdict.violations} or {""}:
                broken[file.name].add(rule)
    seen = {rule for rules in broken.values() for rule in rules}
    legal_too = {rule for rules in broken.values() if "" in rules for rule in rules}
    wanted = {rule for rule in named if ":" not in rule} - ONLY_ALLOW
    assert len(wanted) > 15
    assert wanted - seen == set()
    assert wanted - legal_too == set()


#: What is said of no card in the shipped facts; tests/decks/test_judging.py has made-up ones.
NO_CARD = {"restricted"}


def deciding_rules() -> dict[str, str]:
    """Return each rule of the programs that decide about decks, as text, with the program's text without it, by file and rule."""
    found: dict[str, str] = {}
    for name in PROGRAMS:
        file = data_folder("asp") / name
        text = file.read_text(encoding="utf-8")
        lines = [0, *(match.end() for match in re.finditer("\n", text))]
        nodes: list[ast.AST] = []
        ast.parse_files([str(file)], nodes.append)
        for node in nodes:
            if node.ast_type == ast.ASTType.Rule and not NO_CARD.intersection(re.findall(r"\w+", str(node.head))):
                begin, end = node.location.begin, node.location.end
                start, stop = lines[begin.line - 1] + begin.column - 1, lines[end.line - 1] + end.column - 1
                found[f"{name}: {node}"] = text[:start] + text[stop:]
    return found


def changes(name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether some file of decks gets another answer where the program `name` has the content `text`."""
    monkeypatch.setenv("LAWMAGE_DATA", str(with_content(folder, data_folder("asp") / name, text)))
    try:
        return any(disagreements(load_deck_case(file)) for file in deck_files())
    except (LawmageError, ValueError):
        # a program that says nothing of a deck any more, or something that is no answer
        return True
    finally:
        monkeypatch.delenv("LAWMAGE_DATA")


@pytest.mark.slow
def test_each_rule_is_needed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = deciding_rules()
    assert len(rules) > 80
    idle = [
        rule for rule, text in rules.items() if not changes(rule.partition(":")[0], text, tmp_path_factory.mktemp("without"), monkeypatch)
    ]
    assert idle == []
