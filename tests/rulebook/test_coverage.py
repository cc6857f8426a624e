"""Coverage of the rules: what encodes them, what is recorded, what `lawmage coverage` and `lawmage rule` say."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from clingo import ast
from typer.testing import CliRunner, Result

from lawmage.cli import app
from lawmage.errors import DataError, InputError
from lawmage.resources import data_folder
from lawmage.rulebook.coverage import (
    DEFINITION,
    ENCODED,
    OPEN,
    OUT_OF_SCOPE,
    STATUSES,
    SUPPORTING,
    Coverage,
    Record,
    Recorded,
    Shown,
    coverage,
    load_scope,
    read_record,
    write_record,
)
from lawmage.rulebook.coverage_page import make_page
from lawmage.rulebook.encodings import encodings, program_statements
from lawmage.rulebook.store import load_graph


@pytest.fixture(scope="module")
def covered() -> Coverage:
    return coverage()


# --- what encodes a rule

PROGRAM = """\
% Purpose: an example (100.1).

#defined a/1. #defined b/2.

% 509.1a, 509.1b - a comment
% that goes on with 702.9b.
p(X) :- a(X). q(X..3) :- b(X,1),
    not p(X).
% without a number
r("a % b. c") :- a(1).

s :- r(_).
% 508.1 - something
violated("702.111b","2017-06-05:704.5j") :- s.
:~ s. [1]
#show s/0.
"""


def test_statements_name_the_rules_above_or_in_them() -> None:
    found = [(each.line, each.text, each.rules) for each in program_statements("x.lp", PROGRAM)]
    assert found == [
        (7, "p(X) :- a(X).", ("509.1a", "509.1b", "702.9b")),
        (7, "q(X..3) :- b(X,1), not p(X).", ("509.1a", "509.1b", "702.9b")),
        (10, 'r("a % b. c") :- a(1).', ()),
        (12, "s :- r(_).", ()),
        (14, 'violated("702.111b","2017-06-05:704.5j") :- s.', ("702.111b", "704.5j")),
    ]


def test_statements_are_those_that_clingo_reads() -> None:
    for path in sorted(data_folder("asp").glob("*.lp")):
        nodes: list[ast.AST] = []
        ast.parse_files([str(path)], nodes.append)
        lines = sorted(node.location.begin.line for node in nodes if node.ast_type == ast.ASTType.Rule)
        assert sorted(each.line for each in program_statements(path.name, path.read_text(encoding="utf-8"))) == lines, path.name


def test_places_are_those_of_the_statements() -> None:
    for each in program_statements("x.lp", PROGRAM):
        assert " ".join(PROGRAM[slice(*each.place)].split()) == each.text


def test_fingerprints_tell_encodings_apart_and_stay() -> None:
    first, second = encodings(), encodings()
    assert first == second
    assert [key for key, times in Counter((each.file, each.fingerprint) for each in first).items() if times > 1] == []


# --- what is recorded


def test_a_record_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kb" / "rules").mkdir(parents=True)
    (tmp_path / "kb" / "vocabulary.ttl").write_text('lm:encodes "2026-08-07"', encoding="utf-8")
    record = Record(
        (Recorded("asp/x.lp", "0123456789ab", "509.1c-example"), Recorded("asp/x.lp", "ba9876543210", "")),
        {"509.1c": Shown(("509.1c-example",), ("a", "b")), "510.4": Shown(applied=("c",))},
    )
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    assert read_record() == Record((), {})
    write_record(record, tmp_path / "kb" / "rules")
    assert read_record() == record


def test_a_damaged_record_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kb" / "rules").mkdir(parents=True)
    (tmp_path / "kb" / "vocabulary.ttl").write_text('lm:encodes "2026-08-07"', encoding="utf-8")
    (tmp_path / "kb" / "rules" / "coverage.ttl").write_text("what?", encoding="utf-8")
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"coverage\.ttl can't be read"):
        read_record()


# --- scope


def test_scope_names_what_there_is() -> None:
    graph, scope = load_graph(coverage().release), load_scope()
    assert (scope.by_number.keys() | scope.exactly.keys()) - graph.by_number.keys() == set()
    assert {status for status, _ in (*scope.exactly.values(), *scope.by_number.values(), *scope.by_kind.values())} <= {
        DEFINITION,
        SUPPORTING,
        OUT_OF_SCOPE,
        OPEN,
    }


def test_each_entry_of_scope_says_something(covered: Coverage) -> None:
    """An entry that covers only rules which are encoded or relied on is out of date."""
    reasons = {rule.reason for rule in covered.rules}
    scope = load_scope()
    assert {reason for _, reason in (*scope.exactly.values(), *scope.by_number.values(), *scope.by_kind.values())} <= reasons


# --- what became of the rules


def test_each_rule_has_one_status(covered: Coverage) -> None:
    numbers = [place.number for place in load_graph(covered.release).places if place.kind in ("rule", "subrule")]
    assert [rule.number for rule in covered.rules] == numbers
    assert {rule.status for rule in covered.rules} <= STATUSES.keys()
    assert all(rule.reason for rule in covered.rules if rule.status in (DEFINITION, OUT_OF_SCOPE))


def test_encoded_means_needed_and_shown(covered: Coverage) -> None:
    encoded = [rule for rule in covered.rules if rule.status == ENCODED]
    assert len(encoded) > 100
    for rule in encoded:
        assert any(case for _, case in rule.encoding.encodings), rule.number
        shown = rule.encoding.shown
        assert (shown.kept and shown.broken) or shown.applied, rule.number


def test_some_rules_are_what_they_are_known_to_be(covered: Coverage) -> None:
    statuses = {rule.number: rule.status for rule in covered.rules}
    assert {statuses[number] for number in ("509.1b", "509.1c", "702.9b", "702.111b", "903.5c", "704.5g", "120.3a")} == {ENCODED}
    assert statuses["702.111"] == DEFINITION
    assert statuses["905.1a"] == OUT_OF_SCOPE
    assert statuses["306.8"] == SUPPORTING
    assert statuses["709.3"] == OPEN
    assert SUPPORTING in statuses.values()


# --- the commands


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "80", "NO_COLOR": "1"})


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder for installed texts."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))


def test_coverage_is_a_table_that_fits() -> None:
    answer = run("coverage")
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    row = next(line for line in lines if line.startswith("all"))
    total, *parts = (int(number) for number in re.findall(r"\d+", row.replace(",", "")))
    assert total == sum(parts) > 3000
    assert any(line.startswith("509 Declare Blockers Step") for line in lines)


def test_coverage_as_json_adds_up() -> None:
    document = json.loads(run("coverage", "--json").stdout)
    assert document["rules"] == sum(document["statuses"].values()) == len(document["each"])
    assert sum(chapter["rules"] for chapter in document["chapters"]) == document["rules"]
    for status in STATUSES:
        assert sum(chapter[status] for chapter in document["chapters"]) == document["statuses"][status]


def test_coverage_as_a_page(tmp_path: Path) -> None:
    file = tmp_path / "coverage.html"
    assert run("coverage", "--html", str(file)).exit_code == 0
    page = file.read_text(encoding="utf-8")
    assert page.count("<b>") == len(coverage().rules)
    assert "http://" not in page
    assert "https://" not in page
    wrong = run("coverage", "--html", str(tmp_path))
    assert isinstance(wrong.exception, InputError)
    assert "is a folder" in str(wrong.exception)


def test_a_page_escapes_what_it_shows(covered: Coverage) -> None:
    assert "<Menace>" not in make_page(covered, {"702.111": "<Menace>"})


def test_a_rule_shows_what_encodes_it() -> None:
    shown = run("rule", "509.1c").stdout
    assert re.search(r"asp/509-declare-blockers\.lp: \d+", shown)
    assert "Broken in the cases: 509.1c" in shown
    encoding = json.loads(run("rule", "509.1c", "--json").stdout)["encoding"]
    assert "509.1c-example" in encoding["kept"]
    assert {each["file"] for each in encoding["encodings"]} >= {"asp/509-declare-blockers.lp", "asp/constraints.lp"}
