"""The grammar: its aliases are terms of the vocabulary, and it leaves no choice open."""

from __future__ import annotations

import logging
import re
import sys
import tomllib
from pathlib import Path

import lark
import pytest

from lawmage.resources import data_folder
from lawmage.text import parser, words

GRAMMAR = Path(parser.__file__).with_name("sentences.lark").read_text(encoding="utf-8")
#: Aliases for the transformer, and words.
STRUCTURE = {
    "when",
    "unless",
    "clause",
    "subject",
    "object",
    "noun",
    "quoted",
    "everything",
    "itself",
    "thing",
    "not",
    "either",
    "affected",
    "harmless",
    "part",
    "names",
    "permanent",
    "creature",
    "given",
    "for_each_colored",
    "counters_of",
}
WORDS = {
    *("this", "you", "opponent", "defending_player", "attacking_player", "its_owner", "planeswalker_you_control"),
    *("permanent_you_control", "planeswalker_its_owner_controls", "number_1", "number_2", "number_3", "targets", "players"),
    *("any_player", "number_0", "value_counters"),
    *("controller_of_attached", "value_goaded", "value_sacrifice", "value_return", "value_tap", "value_tap_undeclared"),
}
#: What conditions ask for that boards can tell, by the tables of wordings.toml.
ASKED = {"value": ("above", "half", "stock", "gathered", "ruling", "blessing", "marked"), "event": ("done", "suffered")}


def test_aliases_are_terms_of_the_vocabulary() -> None:
    terms = set(re.findall(r'lm:term "(\w+)"', (data_folder("kb") / "vocabulary.ttl").read_text(encoding="utf-8")))
    aliases = set(re.findall(r"->\s*(\w+)", re.sub(r"//.*", "", GRAMMAR)))
    named = {part for alias in aliases for part in alias.removeprefix("not_").split("__")}
    wordings = tomllib.loads(Path(parser.__file__).with_name("wordings.toml").read_text(encoding="utf-8"))
    asked = {f"{sort}_{word}" for sort, tables in ASKED.items() for table in tables for word in wordings[table]}
    assert named - STRUCTURE - WORDS - asked <= terms
    assert asked <= named
    assert len(named & terms) > 40


def test_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        made = lark.Lark(GRAMMAR, parser="lalr", lexer=parser.WordLexer, start=["sentence", "condition", "quality"], debug=True)
    assert made.terminals
    assert not [record for record in caplog.records if "conflict" in record.getMessage().lower()]


def test_phrases_are_whole_words_in_lower_case() -> None:
    phrases = re.findall(r'(?<!lm:term )"([^"]*)"', re.sub(r"//.*", "", GRAMMAR))
    assert [phrase for phrase in phrases if phrase != phrase.lower() or phrase != " ".join(phrase.split())] == []


@pytest.mark.parametrize(
    ("written", "name", "plural"),
    [("Walls", "Wall", True), ("Elves", "Elf", True), ("Mice", "Mouse", True), ("Harpies", "Harpy", True),
     ("Sphinxes", "Sphinx", True),
     ("Time Lords", "Time Lord", True), ("Merfolk", "Merfolk", False), ("Plains", "Plains", False)],
)  # fmt: skip
def test_subtypes(written: str, name: str, plural: bool) -> None:
    assert words.subtype(written) == (name, plural)
    assert words.subtype(written.lower()) is None
    assert words.subtype(written.lower(), any_case=True) == (name, plural)


def test_every_turn_is_a_regular_expression() -> None:
    for name in ("triggered", "cost", "chapter", "heading", "bearing", "beside", "harmless", "veto", "follows", "not_a_condition", "price",
                 "of_the_declaration", "of_each", "defined"):  # fmt: skip
        assert not words.turn(name).fullmatch("zorp")


def test_subtypes_are_those_of_the_rulebook(shared: Path) -> None:
    text = (shared / "data" / "rules" / "MagicCompRules 20260807.txt").read_text(encoding="utf-8-sig").replace("’", "'")
    for kind, number in (("artifact", "g"), ("enchantment", "h"), ("land", "i"), ("planeswalker", "j"), ("spell", "k"), ("creature", "m")):
        line = next(line for line in text.splitlines() if line.startswith(f"205.3{number} ") and len(line) > 60)
        listed = re.split(r"types are |word long: ", line)[-1].partition(". Of")[0]
        names = {re.sub(r"^and |\(.*?\)|\.$", "", name.strip()).strip() for name in re.sub(r"\(see rule [^)]*\)", "", listed).split(",")}
        assert names <= words.listed("subtypes", kind)


def test_ability_words_are_those_of_the_rulebook(shared: Path) -> None:
    text = (shared / "data" / "rules" / "MagicCompRules 20260807.txt").read_text(encoding="utf-8-sig").replace("’", "'")
    line = next(line for line in text.splitlines() if line.startswith("207.2c "))
    names = {name.strip().removeprefix("and ").rstrip(".") for name in line.partition("The ability words are ")[2].split(",")}
    assert names == words.listed("dashes", "ability_words")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for bytecode."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def test_tables_are_kept_beside_the_bytecode(monkeypatch: pytest.MonkeyPatch, beside: Path) -> None:
    made = parser._parser.__wrapped__()
    assert list(beside.rglob("sentences-*.lark"))
    monkeypatch.setattr(parser, "_keep", lambda *_: pytest.fail("made anew"))
    kept = parser._parser.__wrapped__()
    assert {terminal.name for terminal in kept.terminals} == {terminal.name for terminal in made.terminals}
    assert kept.lexer_conf.ignore == made.lexer_conf.ignore


def test_damaged_tables_are_made_anew(beside: Path) -> None:
    parser._parser.__wrapped__()
    (kept,) = beside.rglob("sentences-*.lark")
    kept.write_bytes(kept.read_bytes()[:100])
    assert parser._parser.__wrapped__().terminals
    assert kept.stat().st_size > 100


def test_nothing_is_kept_where_no_bytecode_is(monkeypatch: pytest.MonkeyPatch, beside: Path) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert parser._parser.__wrapped__().terminals
    assert list(beside.rglob("*")) == []
