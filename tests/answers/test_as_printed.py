"""Each answer is what the command prints with `--json`, and each error its sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lawmage.answers import ANSWERS, Answered, Source
from lawmage.cli import app
from lawmage.errors import LawmageError

BOARD = """
battlefield:
  m: {controller: A, pt: 3/3, keywords: [menace], text: "This creature must be blocked if able."}
  b: {controller: D, pt: 2/2}
  c: {controller: D, pt: 1/1}
attack: {m: D}
propose: {one: {b: m}, both: {b: m, c: m}}
expect: {one: illegal, both: illegal}
"""
UNREAD = """
battlefield:
  v: {controller: A, pt: 2/2, text: "Creatures can't block sideways."}
  b: {controller: D, pt: 1/1}
attack: [v]
propose: {none: {}}
"""
WRONG = "battlefield: {m: {controller: A, pt: 3/3, keyword: [menace]}}\n"
DECK = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n1 Black Lotus\n"
MISSPELT = "1 Isamaru, Hound of Kondo\n99 Plains\n"
TWO_DECKS = 'Name,Count\nPlains,1\n"Sol Ring",1\n'
DECK_CASE = """
judge: deck
decks: {few: {commander: ["Isamaru, Hound of Konda"], main: {Plains: 3}}}
expect: {few: illegal}
"""
HOUSE = "lawmage: 1\nformat: house\nbased_on: commander\nbanned: [Sol Ring]\n"
FILES = {
    "board.yaml": BOARD,
    "unread.yaml": UNREAD,
    "wrong.yaml": WRONG,
    "empty.yaml": "",
    "deck.txt": DECK,
    "misspelt.txt": MISSPELT,
    "list.csv": TWO_DECKS,
    "case.yaml": DECK_CASE,
}


def source(name: str) -> Source:
    return Source(name, FILES[name])


def sources(*names: str) -> tuple[Source, ...]:
    return tuple(map(source, names))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a function, and the command line that asks the same."""

    name: str
    words: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.words


QUESTIONS = [
    Asked("check", "check board.yaml", {"sources": sources("board.yaml")}),
    Asked(
        "check",
        "check board.yaml wrong.yaml empty.yaml unread.yaml",
        {"sources": sources("board.yaml", "wrong.yaml", "empty.yaml", "unread.yaml")},
    ),
    Asked("check", "check board.yaml --explain", {"sources": sources("board.yaml"), "explain": True}),
    Asked("check", "check board.yaml --release 2020-01-01", {"sources": sources("board.yaml"), "release": "2020-01-01"}),
    Asked(
        "check",
        "check board.yaml --compare 2015-01-23 2026-08-07",
        {"sources": sources("board.yaml"), "compare": ("2015-01-23", "2026-08-07")},
    ),
    Asked(
        "check",
        "check board.yaml --compare 2015-01-23 2026-08-07 --explain",
        {"sources": sources("board.yaml"), "compare": ("2015-01-23", "2026-08-07"), "explain": True},
    ),
    Asked("enumerate", "enumerate board.yaml", {"source": source("board.yaml")}),
    Asked("enumerate", "enumerate board.yaml --count", {"source": source("board.yaml"), "count": True}),
    Asked("enumerate", "enumerate board.yaml --limit 1", {"source": source("board.yaml"), "limit": 1}),
    Asked("enumerate", "enumerate board.yaml --best", {"source": source("board.yaml"), "best": True}),
    Asked("enumerate", "enumerate board.yaml --best --explain", {"source": source("board.yaml"), "best": True, "explain": True}),
    Asked("enumerate", "enumerate board.yaml --explain", {"source": source("board.yaml"), "explain": True}),
    Asked("enumerate", "enumerate unread.yaml", {"source": source("unread.yaml")}),
    Asked("enumerate", "enumerate wrong.yaml", {"source": source("wrong.yaml")}),
    Asked("outcome", "outcome board.yaml", {"source": source("board.yaml")}),
    Asked("outcome", "outcome board.yaml --explain", {"source": source("board.yaml"), "explain": True}),
    Asked("outcome", "outcome wrong.yaml", {"source": source("wrong.yaml")}),
    Asked("lethal", "lethal board.yaml", {"source": source("board.yaml")}),
    Asked("lethal", "lethal board.yaml --max-damage --explain", {"source": source("board.yaml"), "max_damage": True, "explain": True}),
    Asked("lethal", "lethal board.yaml --player Z", {"source": source("board.yaml"), "player": "Z"}),
    Asked("test", "test board.yaml case.yaml unread.yaml", {"sources": sources("board.yaml", "case.yaml", "unread.yaml")}),
    Asked("deck", "deck deck.txt", {"sources": sources("deck.txt")}),
    Asked("deck", "deck deck.txt --explain --no-repair", {"sources": sources("deck.txt"), "explain": True, "repair": False}),
    Asked("deck", "deck misspelt.txt", {"sources": sources("misspelt.txt")}),
    Asked("deck", "deck deck.txt --format comander", {"sources": sources("deck.txt"), "format": "comander"}),
    Asked(
        "deck",
        "deck list.csv --commander Isamaru_hound_of_konda --ban-list 2020-01-01",
        {"sources": sources("list.csv"), "commanders": ["Isamaru_hound_of_konda"], "ban_list": "2020-01-01"},
    ),
    Asked("convert", "deck deck.txt --to arena", {"source": source("deck.txt"), "to": "arena"}),
    Asked("convert", "deck deck.txt --to arenas", {"source": source("deck.txt"), "to": "arenas"}),
    Asked("pairings", "pairings amy pond", {"name": "amy pond"}),
    Asked("pairings", "pairings amy pond --explain", {"name": "amy pond", "explain": True}),
    Asked("pairings", "pairings --count", {"count": True}),
    Asked("pairings", "pairings Isamaru,", {"name": "Isamaru,"}),
    Asked("pairings", "pairings --format brawll --count", {"format": "brawll", "count": True}),
    Asked("card", "card grizzly bears", {"name": "grizzly bears"}),
    Asked("card", "card grizly baers", {"name": "grizly baers"}),
    Asked("card", "card fire", {"name": "fire"}),
    Asked("rule", "rule 702.2", {"number": "702.2"}),
    Asked("rule", "rule 702.2 --release 2015-01-23", {"number": "702.2", "release": "2015-01-23"}),
    Asked("rule", "rule 702.2zz", {"number": "702.2zz"}),
    Asked("rule", "rule 702.2 --release 2015-01-24", {"number": "702.2", "release": "2015-01-24"}),
    Asked("deps", "deps 702.2", {"number": "702.2"}),
    Asked("deps", "deps 702.2 --reverse --depth 2", {"number": "702.2", "reverse": True, "depth": 2}),
    Asked("deps", "deps 510.1 --transitive", {"number": "510.1", "transitive": True}),
    Asked("path", "path 702.2 510.1", {"start": "702.2", "end": "510.1"}),
    Asked("path", "path 702.2 510.1x", {"start": "702.2", "end": "510.1x"}),
    Asked("search", "search deathtouch --limit 3", {"words": "deathtouch", "limit": 3}),
    Asked("search", "search qqqqqqq", {"words": "qqqqqqq"}),
    Asked("keyword", "keyword menace", {"name": "menace"}),
    Asked("keyword", "keyword mutate --release 2015-01-23", {"name": "mutate", "release": "2015-01-23"}),
    Asked("keyword", "keyword menacing", {"name": "menacing"}),
    Asked("keywords", "keyword", {}),
    Asked("diff", "diff 2026-02-27 2026-04-17", {"old": "2026-02-27", "new": "2026-04-17"}),
    Asked("diff", "diff 2026-02-27 2026-02-27", {"old": "2026-02-27", "new": "2026-02-27"}),
    Asked("diff", "diff 2015-01-23 2026-08-07 701.15", {"old": "2015-01-23", "new": "2026-08-07", "number": "701.15"}),
    Asked("diff", "diff 2015-01-23 2026-08-07 --release 2015-01-23", {"old": "2015-01-23", "new": "2026-08-07", "release": "2015-01-23"}),
    Asked("history", "diff 2015-01-23 2026-08-07 702.2", {"number": "702.2"}),
    Asked("translate", "translate 702.21 2020-11-20", {"number": "702.21", "start": "2020-11-20"}),
    Asked("translate", "translate 702.21 2020-11-21", {"number": "702.21", "start": "2020-11-21"}),
    Asked("locate", "locate short", {"text": "short"}),
    Asked("drift", "drift", {}),
    Asked("drift", "drift 2025-11-14", {"release": "2025-11-14"}),
    Asked("query", "query most-cited --param n=3", {"name": "most-cited", "parameters": {"n": "3"}}),
    Asked("query", "query most-cited --param n=x", {"name": "most-cited", "parameters": {"n": "x"}}),
    Asked("query", "query most-sited", {"name": "most-sited"}),
    Asked("queries", "query", {}),
    Asked("coverage", "coverage", {}),
    Asked("coverage_cards", "coverage cards", {}),
    Asked("data_status", "data status", {}),
]
#: What no command prints: it is for the pages alone.
NOT_PRINTED = {"board", "complete", "contents", "formats", "reading", "releases", "scenario", "scenario_file"}


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Judge before anything is compared: while a process still loads, what an explanation adds in a short time may be left out."""
    for _ in range(2):
        ANSWERS["check"](sources=sources("board.yaml"), explain=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the files, in which the commands run; nothing is installed."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_the_answer_is_what_the_command_prints(asked: Asked) -> None:
    words = [word.replace("_", " ") for word in asked.words.split()]
    printed = CliRunner().invoke(app, [*words, "--json"], env={"COLUMNS": "1000"})
    if isinstance(printed.exception, LawmageError):
        with pytest.raises(type(printed.exception)) as raised:
            ANSWERS[asked.name](**asked.arguments)
        assert str(raised.value) == str(printed.exception)
        return
    answered = ANSWERS[asked.name](**asked.arguments)
    assert printed.exit_code == answered.status, printed.output
    assert without_times(answered.document) == without_times(json.loads(printed.stdout))


def test_everything_that_is_printed_is_compared() -> None:
    assert {asked.name for asked in QUESTIONS} | NOT_PRINTED == {*ANSWERS}
    assert len({*ANSWERS}) == len(ANSWERS)


def without_times(value: Any) -> Any:
    """Return a document without how long things took."""
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key != "seconds"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_answers_hold_json_alone() -> None:
    for name, arguments in (
        ("check", {"sources": sources("board.yaml")}),
        ("search", {"words": "deathtouch"}),
        ("rule", {"number": "702.2"}),
    ):
        answered: Answered = ANSWERS[name](**arguments)
        assert json.loads(json.dumps(answered.document)) == answered.document
