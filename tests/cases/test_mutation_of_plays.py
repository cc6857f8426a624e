"""Each rule on plays and events is needed, and what keywords say of them: without it, some scenario file gets another answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from clingo import ast
from rdflib import RDF, Graph, Namespace

from lawmage.board import Scenario
from lawmage.errors import LawmageError
from lawmage.resources import data_folder

from .expectations import disagreements, load_cases
from .test_mutation import with_content

LM = Namespace("urn:lawmage:vocabulary:")
PLAYS = ("cast", "activate", "special", "attach", "trigger")
PROGRAMS = ("begin-play", "attach", "pay-total", "events")
#: The predicates by which asp/ says what is wrong with a play, what it costs, and what happens on an event.
DECIDING = {"barred", "unpaid", "mistargeted", "unattachable", "total", "owes", "pays_for", "source", "candidate", "spared", "enchants"}
DECIDING |= {"triggers", "does", "choose", "lore_added", "chapter_triggers", "sacrificed", "choose_number", "becomes", "gains"}
DECIDING |= {"solved_now", "ask", "in_time", "acts", "main_phase", "fulfilled", "spends", "#false"}
#: Rules that only repeat for one sort of filter what a case shows for another, or that guard against what the reader refuses.
SPARED = re.compile(r"relative_filter|absolute_filter")


@cache
def plays() -> dict[Path, Scenario]:
    """Return the scenarios that judge plays or events."""
    cases = load_cases()
    return {
        file: scenario
        for file, scenario in cases.items()
        if scenario.judge in PLAYS or (scenario.judge == "outcome" and any(isinstance(one.raw, dict) for one in scenario.proposals))
    }


def deciding_rules() -> dict[tuple[Path, str], str]:
    """Return each rule that decides something about plays, by its file and text, with the file's text without it."""
    without = {}
    found: list[ast.AST] = []
    for name in PROGRAMS:
        ast.parse_files([str(data_folder("asp") / "entry" / f"{name}.lp")], found.append)
    for node in found:
        words = re.findall(r"[#\w]+", str(node.head)) if node.ast_type == ast.ASTType.Rule else []
        if words and any(word in DECIDING for word in words[:2]) and not SPARED.search(str(node)):
            begin, end = node.location.begin, node.location.end
            file = Path(begin.filename).resolve()
            text = file.read_text(encoding="utf-8")
            lines = [0, *(match.end() for match in re.finditer("\n", text))]
            start, stop = lines[begin.line - 1] + begin.column - 1, lines[end.line - 1] + end.column - 1
            without[file, str(node)] = text[:start] + text[stop:]
    return without


def said_by_keywords() -> Iterator[tuple[Path, str, str]]:
    """Yield each cost, happening and target of a keyword: its file, what it is, and the file's text without it."""
    for file in sorted((data_folder("kb") / "keywords").glob("702.*.ttl")):
        graph = Graph().parse(file)
        for said in (LM.happens, LM.lets, LM.target, LM["while"]):
            for keyword, _, node in sorted(graph.triples((None, said, None)), key=str):
                graph.remove((keyword, said, node))
                yield file, f"{keyword} {graph.value(node, RDF.type)} {graph.value(node, LM.rule)}", graph.serialize(format="turtle")
                graph.add((keyword, said, node))


@pytest.fixture
def answers_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], bool]:
    """A function that says whether some scenario file gets another answer where `file` has the content `text`."""
    numbers = count()

    def answers_change(file: Path, text: str) -> bool:
        monkeypatch.setenv("LAWMAGE_DATA", str(with_content(tmp_path / str(next(numbers)), file, text)))
        try:
            changed = any(any(disagreements(scenario)) for scenario in plays().values())
        except (RuntimeError, LookupError, LawmageError):
            changed = True
        monkeypatch.delenv("LAWMAGE_DATA")
        return changed

    return answers_change


@pytest.mark.slow
def test_each_deciding_rule_is_needed(answers_change: Callable[[Path, str], bool]) -> None:
    rules = deciding_rules()
    assert len(rules) > 50
    assert [f"{file.name}: {rule}" for (file, rule), text in rules.items() if not answers_change(file, text)] == []


@pytest.mark.slow
def test_what_keywords_say_is_needed(answers_change: Callable[[Path, str], bool]) -> None:
    said = list(said_by_keywords())
    assert len(said) > 50
    assert [f"{file.name}: {what}" for file, what, text in said if not answers_change(file, text)] == []
