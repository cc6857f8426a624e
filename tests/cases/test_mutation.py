"""Each rule and each constraint is needed: without it, some scenario file of this folder gets another answer.

The knowledge base and the programs are copied, one rule or constraint is left out of the copy, and the files are run with it, those first
that need something of the copied file according to kb/rules/coverage.ttl. So the record is checked in another way than it is made.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from clingo import ast
from rdflib import RDF, Graph, Namespace

from lawmage.board import Scenario
from lawmage.resources import data_folder
from lawmage.rulebook.coverage import read_record
from lawmage.rulebook.encodings import encodings

from .expectations import JUDGED, disagreements, load_cases, statements
from .record import clingo_statements

LM = Namespace("urn:lawmage:vocabulary:")

#: The predicates by which asp/ says that a declaration is illegal, or that it obeys a requirement; `#false` is a constraint.
DECIDING = {"violated", "barred", "obeyed", "#false"}
#: The same for combat damage: how it may be assigned, what results from it, what triggers.
DECIDING.update(
    ["amount", "assigns", "became_blocked", "divided_otherwise", "divides", "early", "enough", "instead", "instead_after", "need"]
)
DECIDING.update(["only_after", "recipient", "stray", "unequal", "usurped"])
DECIDING.update(["cancels", "choice", "dealt", "falls_off", "happens", "leaves", "loses", "regenerated", "saved", "undecided", "uses_up"])
DECIDING.update(["bonus", "costs_life", "infects", "triggered"])


def with_content(folder: Path, file: Path, text: str) -> Path:
    """Return `folder`, made a copy of lawmage's data in which `file`, a file of kb/ or asp/, has the content `text`."""
    for name in ("kb", "asp", "queries"):
        source = data_folder(name)
        shutil.copytree(source, folder / name, copy_function=os.symlink)
        if file.is_relative_to(source):
            copy = folder / name / file.relative_to(source)
    copy.unlink()
    copy.write_text(text, encoding="utf-8")
    return folder


def deciding_rules() -> dict[tuple[Path, str], str]:
    """Return each rule that decides something, by its file and text, with the file's text without it."""
    without = {}
    for node in statements():
        words = re.findall(r"[#\w]+", str(node.head)) if node.ast_type == ast.ASTType.Rule else []
        if words and words[0] in DECIDING:
            begin, end = node.location.begin, node.location.end
            file = Path(begin.filename).resolve()
            text = file.read_text(encoding="utf-8")
            lines = [0, *(match.end() for match in re.finditer("\n", text))]
            start, stop = lines[begin.line - 1] + begin.column - 1, lines[end.line - 1] + end.column - 1
            without[file, str(node)] = text[:start] + text[stop:]
    return without


def imposed_constraints() -> Iterator[tuple[Path, str, str]]:
    """Yield each constraint that a keyword imposes on what is judged: its file, what it is, and the file's text without it."""
    vocabulary = Graph().parse(data_folder("kb") / "vocabulary.ttl")
    kinds = {kind for kind, judged in vocabulary.subject_objects(LM.judges) if str(judged) in JUDGED}
    for file in sorted((data_folder("kb") / "keywords").glob("*.ttl")):
        graph = Graph().parse(file)
        for keyword, _, constraint in sorted(graph.triples((None, LM.imposes, None)), key=str):
            if graph.value(constraint, RDF.type) in kinds:
                graph.remove((keyword, LM.imposes, constraint))
                yield file, f"{keyword} by {graph.value(constraint, LM.rule)}", graph.serialize(format="turtle")
                graph.add((keyword, LM.imposes, constraint))


@cache
def recorded() -> list[tuple[str, str, str]]:
    """Return what is needed: the file of asp/ or kb/, the statement as clingo writes it, if it is one, and the case that needs it."""
    needed, written = read_record().needed, clingo_statements()
    keys = [(each, needed.get((each.file, each.fingerprint))) for each in encodings()]
    return [(each.file, written.get((each.file, each.line, each.fingerprint), ""), case) for each, case in keys if case]


def needed_by(file: Path, rule: str) -> list[str]:
    """Return the cases that need something of a file, those first that need `rule`."""
    name = f"{file.parent.name}/{file.name}"
    found = [(statement != rule, case) for other, statement, case in recorded() if other.endswith(name)]
    return list(dict.fromkeys(case for _, case in sorted(found)))


def ordered(names: list[str]) -> Iterator[Scenario]:
    """Yield the scenarios of these names in their order, and then the others."""
    scenarios = {path.stem: scenario for path, scenario in load_cases().items()}
    yield from (scenarios.pop(name) for name in names if name in scenarios)
    yield from scenarios.values()


@pytest.fixture
def answers_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str, str], bool]:
    """A function that says whether some scenario file gets another answer where `file` has the content `text`, without `rule`."""
    numbers = count()

    def answers_change(file: Path, text: str, rule: str) -> bool:
        scenarios = ordered(needed_by(file, rule))
        monkeypatch.setenv("LAWMAGE_DATA", str(with_content(tmp_path / str(next(numbers)), file, text)))
        try:
            changed = any(any(disagreements(scenario)) for scenario in scenarios)
        except (RuntimeError, LookupError):
            # Without the rule the program makes no sense any more, and clingo, or who reads its answer, says so.
            changed = True
        monkeypatch.delenv("LAWMAGE_DATA")
        return changed

    return answers_change


@pytest.mark.slow
def test_without_a_change_no_answer_changes(answers_change: Callable[[Path, str, str], bool]) -> None:
    file = data_folder("asp") / "509-declare-blockers.lp"
    assert not answers_change(file, file.read_text(encoding="utf-8"), "")


@pytest.mark.slow
def test_each_deciding_rule_is_needed(answers_change: Callable[[Path, str, str], bool]) -> None:
    rules = deciding_rules()
    assert len(rules) > 20
    assert [f"{file.name}: {rule}" for (file, rule), text in rules.items() if not answers_change(file, text, rule)] == []


@pytest.mark.slow
def test_each_constraint_of_a_keyword_is_needed(answers_change: Callable[[Path, str, str], bool]) -> None:
    constraints = list(imposed_constraints())
    assert len(constraints) > 10
    assert [f"{file.name}: {what}" for file, what, text in constraints if not answers_change(file, text, "")] == []
