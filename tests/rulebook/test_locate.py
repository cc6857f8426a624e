"""Locating passages: every way in which a copy differs from the book, in made-up releases; the seeds and the official releases."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lawmage.rulebook.locate import Library, Located, locate, passages, releases_of
from lawmage.rulebook.model import GLOSSARY, Rulebook
from lawmage.rulebook.wording import has_reference, plain, skeleton, tokens

from .made import release

GATES = "Gates open at dawn and are shut again when the bell has rung twice. See rule 100.2."
MOAT = "The moat is filled with dark water (see rules 100.1a–c and 100.3) in which an old crocodile sleeps."
TOWER = "From the tower the watchman sees three days of road. (See rule 101, “Roads and Towers.”)"
COST = "Opening a gate follows the rules for paying tolls in rules 100.1b and 100.2f–h."
BOOKS = [
    release("2030-01-01", {"100.1": "Gates", "100.1a": GATES, "100.2": MOAT, "100.3": TOWER}),
    release(
        "2031-01-01",
        {
            "100.1": "Gates",
            "100.1a": GATES,
            "100.2": "A text that is new.",
            "100.3": MOAT,
            "100.4": TOWER.replace("101", "102"),
            "100.5": COST,
        },
        {"Gate": "1. A way in. See rule 100.1, “Gates.”\n2. A way out."},
        {"100.1a": ("One morning the bell rings only once, so the gates stay open.",)},
    ),
]
LIBRARY = Library(BOOKS)
OLD, NEW = (book.release for book in BOOKS)


def one(passage: str) -> Located:
    (located,) = locate([passage], LIBRARY)
    return located


# --- words


def test_three_forms_of_a_text() -> None:
    text = "“Lim-Dûl™” can’t pay — see rules 601.2b and 601.2f–h (or rule 702) — for 1,000 cards."
    assert plain(text) == '"Lim-Dûl" can\'t pay-see rules 601.2b and 601.2f-h (or rule 702)-for 1,000 cards.'
    assert skeleton(text) == "lim dul can t pay see rules and or rule for 1 000 cards"
    assert [token.text for token in tokens(text) if token.is_reference] == ["601.2b", "601.2f-h", "702"]
    assert " ".join(token.text for token in tokens(text) if not token.is_reference) == skeleton(text)
    assert all(text[token.start : token.end].casefold()[:2] in (token.text[:2], "dû") for token in tokens(text))
    assert has_reference("rules –d")
    assert has_reference("section 7")
    assert not has_reference("+1/+1, -X/-X, {2} and 1,000")


@pytest.mark.parametrize("copy", ["rules –d apply", "rules -d apply", "rules 510.1c–d apply", "rules apply", "Rules, apply"])
def test_copies_have_the_skeleton_of_the_text(copy: str) -> None:
    assert skeleton(copy) == skeleton("rules 510.1c–d apply")


# --- where a passage is from


@pytest.mark.parametrize(
    ("passage", "rule", "part", "releases"),
    [
        (GATES, "100.1a", "text", (OLD, NEW)),
        (MOAT, "100.3", "text", (OLD, NEW)),
        (COST, "100.5", "text", (NEW,)),
        ("Gates", "100.1", "heading", (OLD, NEW)),
        ("100.1. Gates", "100.1", "heading", (OLD, NEW)),
        ("A text that is new.", "100.2", "text", (NEW,)),
        ("Example: One morning the bell rings only once, so the gates stay open.", "100.1a", "example 1", (NEW,)),
        ("one morning the bell rings only once, so the gates", "100.1a", "example 1", (NEW,)),
        ("2. A way out.", "glossary:Gate", "entry", (NEW,)),
        ("1. Heading 1", "1", "heading", (OLD, NEW)),
        ("Gate", "glossary:Gate", "term", (NEW,)),
        ("ates open at dawn and are shut again when the be", "100.1a", "text", (OLD, NEW)),
        ("  • GATES OPEN AT DAWN\nAND ARE SHUT AGAIN WHEN THE BELL", "100.1a", "text", (OLD, NEW)),
    ],
)
def test_where_passages_are_from(passage: str, rule: str, part: str, releases: tuple[str, ...]) -> None:
    located = one(passage)
    assert (located.rule, located.part, located.releases, located.exact) == (rule, part, releases, True)
    assert located.numbers is not None
    assert located.numbers[located.releases[-1]] == rule


def test_a_stated_number_says_which_release() -> None:
    assert one(f"100.2. {MOAT}").releases == (OLD,)
    assert one(f"100.3 {MOAT}").releases == (NEW,)
    assert one(f"100.9 {MOAT}").releases == (OLD, NEW)


def test_references_that_are_there_must_agree() -> None:
    assert one(TOWER).releases == (OLD,)
    assert one(TOWER.replace("101", "102")).releases == (NEW,)
    other = one(TOWER.replace("101", "999"))
    assert (other.rule, other.exact, other.kind) == ("100.4", False, "like rules text")


def test_nearly_quoted_passages() -> None:
    located = one("Gates are open at dawn and shut agian when the bell has rung twice.")
    assert (located.rule, located.exact, located.kind) == ("100.1a", False, "like rules text")
    assert 87 <= located.likeness < 100


@pytest.mark.parametrize(
    "passage",
    [
        "Search the rules of this game, or browse them chapter by chapter.",
        "Comprehensive Rules",
        "Moat",
        "sleeps.",
        "| Gates | ● | ○ | ● | ◐ | ○ | ● | ○ | ● | ● | ○ |",
        "100.1a",
        "???",
        "The watchman and the crocodile share an old lantern in winter, says the song.",
        "word " * 10_000,
        "gates " * 3_000,
    ],
)
def test_what_is_not_in_the_book_is_said_to_be_nowhere(passage: str) -> None:
    located = one(passage)
    assert (located.rule, located.releases, located.kind, located.restored) == (None, (), "not rules text", passage)


def test_the_same_words_in_two_rules_are_both_named() -> None:
    library = Library([release("2030-01-01", {"100.1": GATES, "100.2": "Towers", "100.2a": GATES})])
    (located,) = locate([GATES], library)
    assert (located.rule, located.also) == ("100.1", ("100.2a",))


def test_a_document_decides_between_releases() -> None:
    whole = locate([MOAT, TOWER.replace("101", "")], LIBRARY)
    assert releases_of(whole) == (OLD, NEW)
    assert [located.rule for located in whole] == ["100.3", "100.4"]
    old = locate([MOAT, TOWER], LIBRARY)
    assert releases_of(old) == (OLD,)
    assert [located.rule for located in old] == ["100.2", "100.3"]
    assert releases_of(locate(["nothing"], LIBRARY)) == ()


# --- references


@pytest.mark.parametrize(
    ("lost", "text", "references"),
    [
        ("Gates open at dawn and are shut again when the bell has rung twice. See rule .", GATES, ("100.2",)),
        ("Gates open at dawn and are shut again when the bell has rung twice. See rule", GATES, ("100.2",)),
        (MOAT.replace("100.1a", "").replace("100.3", ""), MOAT, ("100.1a–c", "100.3")),
        (MOAT.replace("100.1a–c ", ""), MOAT, ("100.1a–c",)),
        (MOAT.replace("100.3", "").replace("–", "-"), MOAT.replace("–", "-"), ("100.3",)),
        (TOWER.replace("101", ""), TOWER.replace("101", "102"), ("102",)),
        (COST.replace("100.1b", "").replace("100.2f", ""), COST, ("100.1b", "100.2f–h")),
        (COST, COST, ()),
        ("the rules for paying tolls in rules and –h.", "the rules for paying tolls in rules 100.1b and 100.2f–h.", ("100.1b", "100.2f–h")),
        ("–c and ) in which an old crocodile sleeps.", "100.1a–c and 100.3) in which an old crocodile sleeps.", ("100.1a–c", "100.3")),
        ("in which an old crocodile sleeps all the day.", "in which an old crocodile sleeps all the day.", ()),
    ],
)
def test_lost_references_are_put_back(lost: str, text: str, references: tuple[str, ...]) -> None:
    located = one(lost)
    assert (located.restored, located.references) == (text, references)


def test_references_are_put_back_into_a_nearly_quoted_passage() -> None:
    located = one("From the tall tower the watchman sees three days of road. (See rule , “Roads and Towers.”)")
    assert not located.exact
    assert located.restored == "From the tall tower the watchman sees three days of road. (See rule 102, “Roads and Towers.”)"


def test_a_reference_that_differs_is_left_alone() -> None:
    passage = TOWER.replace("101", "999")
    assert one(passage).restored == passage


# --- documents


def test_passages_of_a_document() -> None:
    assert passages("Heading\nA first paragraph.\n\n  A second one.  \r\nA third.") == [
        "Heading",
        "A first paragraph.",
        "A second one.",
        "A third.",
    ]
    assert passages("100.1a One rule is here. 100.1b Another one. Example: An example.") == [
        "100.1a One rule is here.",
        "100.1b Another one.",
        "Example: An example.",
    ]
    wrapped = "A long line that was broken by a mail program\nin the middle of its sentence."
    assert passages(wrapped) == [wrapped]
    assert passages("") == passages(" \n\n\t\n") == []


def test_lines_that_belong_together_are_tried_together_and_then_alone() -> None:
    document = f"{GATES[:50]}\n{GATES[50:]}\nA web page's menu with a long line and no end\n{COST}"
    assert [located.rule for located in locate(passages(document), LIBRARY)] == ["100.1a", None, "100.5"]


# --- the official releases


@pytest.fixture(scope="module")
def library(releases: list[Rulebook]) -> Library:
    return Library(releases)


#: Each seed: its paragraphs, those of the web page itself, the references put back, and the releases it may be of.
SEEDS = {
    "000_d7b8391014445bf5.txt": (61, 2, 6, ("2024-11-08", "2025-02-07", "2025-06-06")),
    "002_8dbfb94d12da6988.txt": (61, 2, 14, ("2024-09-20", "2024-11-08", "2025-02-07", "2025-06-06")),
    "003_633060dc367e2985.txt": (60, 1, 0, ("2024-09-20", "2024-11-08", "2025-02-07", "2025-06-06")),
    "004_4a7e2129bd40fce9.txt": (61, 2, 12, ("2025-02-07",)),
}
#: What a lost reference leaves behind: nothing after these words, or the end of a range.
LEFT_BEHIND = re.compile(r"\brules? (?=[,.)]|and [-–]|[-–])|\band (?=[-–])")


@pytest.mark.parametrize("name", SEEDS)
def test_every_paragraph_of_the_seeds_is_located_and_restored(name: str, shared: Path, library: Library, releases: list[Rulebook]) -> None:
    count, of_the_page, lost, agreed = SEEDS[name]
    document = (shared / "seeds" / name).read_text(encoding="utf-8")
    found = locate(passages(document), library)
    assert len(found) == count
    assert {located.passage for located in found if located.rule is None} <= {
        "Comprehensive Rules",
        "Search the official Magic: The Gathering rules, or browse them chapter by chapter.",
    }
    located = [each for each in found if each.rule is not None]
    assert len(located) == count - of_the_page
    assert all(each.exact for each in located)
    assert releases_of(found) == agreed
    assert len(LEFT_BEHIND.findall(document)) == lost
    assert sum(len(each.references) for each in found) == lost
    book = next(book for book in releases if book.release == agreed[-1])
    for each in located:
        assert not LEFT_BEHIND.search(each.restored)
        if each.part == "text" and each.rule is not None:
            assert plain(each.restored) == plain(book.by_number[each.rule].text)


def garbled(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    for place in sorted(rng.sample(range(len(words)), max(1, len(words) // 15)), reverse=True):
        if rng.random() < 0.5:
            del words[place]
        else:
            words[place] = words[place][::-1][:3] + words[place][3:]
    return " ".join(words)


WAYS: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, _: text,
    "in capitals": lambda text, _: text.upper(),
    "typed again": lambda text, _: plain(text),
    "without links": lambda text, _: re.sub(r"\b\d{3}(?:\.\d+[a-z]*)?\b", "", text),
    "with mistakes": garbled,
}


@pytest.mark.parametrize("way", WAYS)
def test_random_passages_of_all_releases_are_located(way: str, library: Library, releases: list[Rulebook]) -> None:
    rng = random.Random(way)
    right = total = 0
    while total < 150:
        book = rng.choice(releases)
        number, text = rng.choice(
            [*((node.number, node.text) for node in book.nodes), *((GLOSSARY + entry.term, entry.text) for entry in book.glossary)]
        )
        start = rng.randrange(max(1, len(text) - 60))
        passage = WAYS[way](" ".join(text[start:][: rng.randrange(60, 400)].split()), rng)
        if len(passage) < 50:
            continue
        total += 1
        right += (book.release, number) in {(hit.place.release, hit.place.number) for hit in library.find(passage)}
    assert right >= total * (0.9 if way == "with mistakes" else 0.97), f"{right} of {total}"
