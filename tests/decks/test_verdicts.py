"""The verdicts on the real decks beside the checkout. Each that isn't legal was looked at, with the rulebook; `verdicts.tsv` says why."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from lawmage.decks.answers import Question, answer_files

TABLE = Path(__file__).with_name("verdicts.tsv")


@pytest.fixture(scope="module")
def reviewed() -> dict[tuple[str, str], dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as opened:
        return {(row["file"], row["deck"]): row for row in csv.DictReader(opened, delimiter="\t")}


@pytest.fixture(scope="module")
def answered(shared: Path) -> dict[tuple[str, str], dict[str, Any]]:
    root = shared / "data" / "decks"
    files = sorted(file for folder in root.iterdir() for file in folder.iterdir())
    found = answer_files([(str(file), file.read_bytes()) for file in files], Question())
    return {
        (file.relative_to(root).as_posix(), f"{place}/{len(answers)}"): answer
        for file, answers in zip(files, found, strict=True)
        for place, answer in enumerate(answers, start=1)
    }


def test_verdicts_and_rules(answered: dict[tuple[str, str], dict[str, Any]], reviewed: dict[tuple[str, str], dict[str, str]]) -> None:
    assert list(answered) == list(reviewed)
    got = {
        deck: (answer.get("verdict", "error"), ", ".join(dict.fromkeys(violation["rule"] for violation in answer.get("violations", []))))
        for deck, answer in answered.items()
    }
    assert got == {deck: (row["verdict"], row["rules"]) for deck, row in reviewed.items()}


def test_every_deck_that_is_not_legal_has_a_remark(reviewed: dict[tuple[str, str], dict[str, str]]) -> None:
    assert [deck for deck, row in reviewed.items() if row["verdict"] != "legal" and not row["remark"]] == []


@pytest.mark.parametrize(
    ("file", "rule", "card"),
    [
        ("moxfield_style_txt/cmd-political-puppets.txt", "ban list", "Trade Secrets"),
        ("moxfield_style_txt/c19-mystic-intellect.txt", "ban list", "Dockside Extortionist"),
        ("moxfield_style_txt/nec-upgrades-unleashed.txt", "903.5b", "Mossfire Valley"),
    ],
)
def test_known_faults(answered: dict[tuple[str, str], dict[str, Any]], file: str, rule: str, card: str) -> None:
    assert [(violation["rule"], violation["cards"]) for violation in answered[file, "1/1"]["violations"]] == [(rule, [card])]
