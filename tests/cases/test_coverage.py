"""The record of what is needed (kb/rules/coverage.ttl) is about the statements and facts as they are, and about cases that are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lawmage.rulebook.coverage import coverage, encoding_of, read_record
from lawmage.rulebook.encodings import Encoding, encodings

from .record import Trial, answers_change, cases, clingo_statements, needed_by

REFRESH = "; run: python -m tests.cases.record --changed"


@pytest.fixture(autouse=True)
def shipped_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))


def test_whatever_encodes_a_rule_has_been_tried() -> None:
    covered = coverage()
    untried = [f"{each.file}:{each.line} {each.text[:100]}" for each in covered.untried]
    assert untried == [], f"new or changed since the record was made: {untried}{REFRESH}"
    assert covered.forgotten == (), f"recorded, and not there any more{REFRESH}"


def test_recorded_cases_are_there() -> None:
    record = read_record()
    named = {each.needed_by for each in record.encodings if each.needed_by}
    for shown in record.shown.values():
        named.update(shown.kept, shown.broken, shown.applied)
    assert named - cases().keys() == set(), f"recorded cases that are not there{REFRESH}"


def still_needed(chosen: Callable[[list[Encoding]], list[Encoding]]) -> dict[str, str]:
    """Return those of the chosen encodings that the recorded case doesn't need any more, with the case."""
    needed, statements = read_record().needed, clingo_statements()
    found = [each for each in encodings() if needed.get((each.file, each.fingerprint))]
    without = {}
    for each in chosen(found):
        case = needed[each.file, each.fingerprint]
        statement = statements[each.file, each.line, each.fingerprint] if each.line else ""
        if not needed_by(Trial(each, statement, (case,)))[1]:
            without[f"{each.file}:{each.line} {each.text[:100]}"] = case
    return without


def test_some_of_what_is_recorded_is_so() -> None:
    """A sample of statements and facts: what the recorded case answers changes without each, and nothing changes with all."""
    assert still_needed(lambda found: found[:: max(1, len(found) // 20)]) == {}
    assert not answers_change("509.1c-example")


@pytest.mark.slow
def test_all_that_is_recorded_is_so() -> None:
    assert still_needed(lambda found: found) == {}


def test_a_rule_names_what_encodes_it_and_its_cases() -> None:
    found = encoding_of("702.111b")
    assert [(each.file, each.text) for each, _ in found.encodings] == [("kb/keywords/702.111-menace.ttl", "menace imposes MinBlockers 2")]
    assert all(case for _, case in found.encodings)
    assert "702.111b-menace" in found.shown.kept
    assert "702.111b-menace" in found.shown.broken
