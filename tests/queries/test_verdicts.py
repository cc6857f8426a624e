"""Verdicts as RDF: what `lawmage check --format turtle` writes can be asked about beside the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.errors import InputError
from lawmage.queries import ask, stored_queries
from lawmage.query_process import ask_own

from .engines import EXAMPLE, both, example_verdicts, to_rdflib

RUNNER = CliRunner()
#: rdflib itself uses what it deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")


@pytest.fixture(scope="module")
def turtle() -> str:
    return example_verdicts()


def test_which_verdicts_turn_on_a_rule(turtle: str) -> None:
    query = stored_queries()["verdicts-by-rule"]
    answer = ask(query, {"rule": "702.111"}, added={"verdicts": turtle})
    assert [row[1:] for row in answer.rows if answer.columns[0] == "board"] == [
        ("both", "legal", "applied", "702.111b"),
        ("nobody", "illegal", "applied", "702.111b"),
        ("one", "illegal", "violated", "702.111b"),
    ]
    assert not ask(query, {"rule": "702.2"}, added={"verdicts": turtle}).rows
    assert not ask(query, {"rule": "702.111"}).rows


def test_both_engines_agree(turtle: str) -> None:
    from lawmage.rulebook.dataset import load_dataset

    store = load_dataset("2026-08-07", added={"verdicts": turtle})
    one, other = both(store, to_rdflib(store), stored_queries()["verdicts-by-rule"], {"rule": "509.1"}, "2026-08-07")
    assert one == other
    assert len(one) == 6


def test_an_own_query_sees_them_with_their_provenance(turtle: str) -> None:
    text = """PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX lm: <urn:lawmage:vocabulary:>
    SELECT ?answer ?release ?moment WHERE { ?verdict lm:answer ?answer ; prov:wasGeneratedBy ?judgement .
      ?judgement prov:used ?release ; prov:endedAtTime ?moment . ?release a lm:Release } ORDER BY ?answer"""
    answer = ask_own(text, "own.rq", added={"verdicts": turtle})
    assert [row[0] for row in answer.rows] == ["illegal", "illegal", "legal"]
    assert {row[2] for row in answer.rows} == {"2026-08-07T12:00:00Z"}


def test_every_word_is_described(turtle: str) -> None:
    assert not ask(stored_queries()["words-undescribed"], added={"verdicts": turtle}).rows


def test_what_is_no_turtle_is_refused(turtle: str) -> None:
    with pytest.raises(InputError, match="verdicts: is not Turtle"):
        ask(stored_queries()["verdicts-by-rule"], {"rule": "702.111"}, added={"verdicts": turtle[:-5]})


def test_on_the_command_line(tmp_path: Path) -> None:
    written = RUNNER.invoke(app, ["check", str(EXAMPLE), "--format", "turtle"])
    assert written.exit_code == 1
    file = tmp_path / "verdicts.ttl"
    file.write_text(written.stdout, encoding="utf-8")
    asked = RUNNER.invoke(app, ["query", "verdicts-by-rule", "-p", "rule=702.111b", "--add", str(file), "--csv"])
    assert asked.exit_code == 0
    assert len(asked.stdout.splitlines()) == 4


def test_what_others_wrote_is_no_formula_in_csv(tmp_path: Path) -> None:
    file = tmp_path / "others.ttl"
    file.write_text('<urn:x> <urn:says> "=1+1", "+2 Mace", -5 .', encoding="utf-8")
    query = tmp_path / "said.rq"
    query.write_text("SELECT ?said WHERE { <urn:x> <urn:says> ?said } ORDER BY STR(?said)", encoding="utf-8")
    asked = RUNNER.invoke(app, ["query", str(query), "--add", str(file), "--csv"])
    assert asked.stdout.splitlines() == ["said", "+2 Mace", "-5", "'=1+1"]
