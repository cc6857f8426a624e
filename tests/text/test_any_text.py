"""Whatever the text: no crash, and each sentence is accounted for once."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lawmage import constraints
from lawmage.text import parser
from lawmage.text.forms import parse_keywords
from lawmage.text.read import read_text
from lawmage.text.write import same, write_sentence

from .notation import FORMS

GRAMMAR = Path(parser.__file__).with_name("sentences.lark").read_text(encoding="utf-8")
WORDS = sorted(
    {word for phrase in re.findall(r'"([^"]*)"', re.sub(r"//.*", "", GRAMMAR)) for word in phrase.split()} - {"<keyword>", "<quoted>"}
)
SPECIAL = [
    "~",
    "this creature",
    "Bosk",
    "flying",
    "protection from red",
    "Walls",
    "Elf",
    '"',
    "(",
    ")",
    ",",
    ".",
    "—",
    "•",
    "{2}",
    ":",
    "\n",
    "+1/+1",
    "2",
]


@settings(deadline=None)
@given(st.text(max_size=300))
@example('"' * 99)
@example("named " * 50)
@example("non-" * 50 + "Wall")
@example("LEVEL 1-4 — • — 2+ | I, II — ")
def test_any_characters(text: str) -> None:
    read_text(text, names=["Bosk", ""], keywords=FORMS)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS + SPECIAL * 5), max_size=40).map(" ".join))
def test_any_words_of_the_grammar(text: str) -> None:
    reading = read_text(text, names=["Bosk"], keywords=FORMS)
    read = {constraint.source for constraint in reading.constraints}
    assert not read & {*reading.unread, *reading.silent}
    for part in (*read, *reading.unread, *reading.silent, *reading.keywords):
        assert part.strip()


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.sampled_from(["This creature can't block.", "Draw a card.", "Zorps can't block.", "Flying", "{T}: Add {G}."]), max_size=8)
)
def test_each_sentence_is_accounted_for_once(lines: list[str]) -> None:
    reading = read_text("\n".join(lines), keywords=FORMS)
    assert len(reading.constraints) == lines.count("This creature can't block.")
    assert len(reading.unread) == lines.count("Zorps can't block.")
    assert len(reading.silent) == lines.count("Draw a card.") + lines.count("{T}: Add {G}.")
    assert len(reading.keywords) == lines.count("Flying")


@settings(deadline=None)
@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=12).map(lambda words: "protection from " + " ".join(words)))
def test_any_keyword(written: str) -> None:
    for use in parse_keywords(written, FORMS):
        assert use.written == " ".join(use.written.split()).lower()


_TESTS = st.builds(
    constraints.Test,
    st.sampled_from(["color", "type", "subtype", "keyword", "controlled_by", "other", "tapped", "power_at_most", "zorped"]),
    st.sampled_from([None, "red", "creature", "Elf", "flying", "you", 2]),
    st.booleans(),
)
_FILTERS = st.lists(st.lists(_TESTS, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple).map(constraints.Filter)
_SIDES = st.sampled_from(["self", "attached", "affected"]) | _FILTERS
_CONDITIONS = st.builds(
    constraints.Condition,
    st.sampled_from(["open", "is", "attached_is", "controls", "turn"]),
    st.sampled_from(["", "you", "opponent"]),
    st.none() | _FILTERS,
    st.integers(0, 3),
    st.booleans(),
    st.sampled_from(["", "you win", "it can't block", "a, b"]),
)


@settings(deadline=None, max_examples=100)
@given(
    st.builds(
        constraints.Constraint,
        st.sampled_from(["cannot_block", "gets", "has_keyword", "all_block", "attack_cost", "damage_is_multiplied", "zorps"]),
        _SIDES,
        st.none() | _SIDES,
        st.none() | st.integers(0, 12),
        st.sampled_from([None, "flying", "{2}", "zorping"]),
        conditions=st.lists(_CONDITIONS, max_size=2).map(tuple),
        target=st.sampled_from([None, "you", "nobody"]),
    )
)
def test_what_is_written_reads_back(constraint: constraints.Constraint) -> None:
    sentence = write_sentence(constraint, FORMS)
    assert sentence is None or any(same(constraint, read) for read in read_text(sentence, keywords=FORMS).constraints)


def test_long_texts_end() -> None:
    for unit in (
        "(",
        "()",
        "((",
        '"',
        "a, ",
        "Walls or ",
        "Walls, ",
        "with flying or ",
        "target ",
        "non-",
        "creatures you control with ",
        "Bosk ",
        "— ",
        "Flying, ",
        "named ",
        "Bosk enters with a +1/+1 counter on it ",
        "this spell costs {2} less to cast for each ",
        "be the target of spells unless ",
        "gets +1/+1 for each creature and/or ",
        "is a Zombie in addition to its other types and ",
        "Otherwise, ",
        "as long as it's tapped, ",
    ):
        read_text((unit * 20_000)[:20_000], names=["Bosk"], keywords=FORMS)
        read_text("This creature can't be blocked by " + (unit * 4_000)[:4_000] + ".", names=["Bosk"], keywords=FORMS)
