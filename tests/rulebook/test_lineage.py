"""What became of what from one release to the next: every kind in made-up releases, invariants and counts in the official ones."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lawmage.rulebook.lineage import (
    CHANGES,
    GONE,
    MERGED,
    MOVED,
    MOVED_AND_REWORDED,
    NEW,
    REWORDED,
    SAME,
    SPLIT,
    Lineage,
    Link,
    compare,
    compare_all,
)
from lawmage.rulebook.model import GLOSSARY, Rulebook
from lawmage.rulebook.wording import plain

from .made import release

FLYING = "A winged creature stays in the air above the walls of the castle."
WALLS = "Walls keep out everything that walks, swims or digs."
GATES = "Gates open at dawn and are shut again when the bell has rung twice."
MOAT = "The moat is filled with dark water in which an old crocodile sleeps."
TOWER = "From the tower the watchman sees three days of road in each direction."


def links(old: dict[str, str], new: dict[str, str]) -> set[tuple[str | None, str | None, str]]:
    lineage = compare(release("2030-01-01", old), release("2031-01-01", new))
    return {(link.old, link.new, link.kind) for link in lineage.links}


def test_the_same_words_at_the_same_number_are_no_link() -> None:
    assert links({"100.1": FLYING, "100.2": WALLS}, {"100.1": FLYING, "100.2": WALLS}) == set()


def test_quotation_marks_dashes_and_spaces_are_no_words() -> None:
    old = "“Flying” isn’t a colour — it’s an ability."
    assert links({"100.1": old}, {"100.1": "\"Flying\"  isn't a colour - it's an ability."}) == set()
    assert links({"100.1": old}, {"100.1": "“Flying” isn’t a color — it’s an ability."}) == {("100.1", "100.1", REWORDED)}


def test_a_number_that_names_another_rule_is_a_move_and_a_new_rule() -> None:
    assert links({"100.1": FLYING}, {"100.1": WALLS, "100.2": FLYING}) == {(None, "100.1", NEW), ("100.1", "100.2", MOVED)}


def test_a_rule_that_makes_room_is_followed_though_its_words_change() -> None:
    changed = FLYING.replace("above the walls", "high above the walls")
    assert links({"100.1": FLYING, "100.2": WALLS}, {"100.1": GATES, "100.2": changed, "100.3": WALLS}) == {
        (None, "100.1", NEW),
        ("100.1", "100.2", MOVED_AND_REWORDED),
        ("100.2", "100.3", MOVED),
    }


def test_new_and_gone() -> None:
    assert links({"100.1": FLYING}, {"100.1": MOAT}) == {(None, "100.1", NEW), ("100.1", None, GONE)}


def test_split() -> None:
    assert links({"100.1": f"{FLYING} {GATES}"}, {"100.1": FLYING, "100.2": GATES}) == {
        ("100.1", "100.1", SPLIT),
        ("100.1", "100.2", SPLIT),
    }


def test_merged() -> None:
    assert links({"100.1": FLYING, "100.2": GATES, "100.3": MOAT}, {"100.1": f"{FLYING} {GATES}", "100.2": MOAT}) == {
        ("100.1", "100.1", MERGED),
        ("100.2", "100.1", MERGED),
        ("100.3", "100.2", MOVED),
    }


def test_words_are_given_to_one_piece_only() -> None:
    lookalike = GATES.replace("Gates", "Drawbridges")
    assert links({"100.1": f"{FLYING} {GATES}"}, {"100.1": FLYING, "100.2": GATES, "200.1": lookalike}) >= {
        ("100.1", "100.2", SPLIT),
        (None, "200.1", NEW),
    }


def test_a_heading_moves_with_what_stands_under_it() -> None:
    old = {"100.1": "Bells", "100.1a": GATES, "100.2": "Water", "100.2a": MOAT, "100.2b": WALLS}
    new = {"100.1": "Towers", "100.1a": TOWER, "100.2": "Bells", "100.2a": GATES, "100.3": "Moats", "100.3a": MOAT, "100.3b": WALLS}
    assert links(old, new) == {
        (None, "100.1", NEW),
        (None, "100.1a", NEW),
        ("100.1", "100.2", MOVED),
        ("100.1a", "100.2a", MOVED),
        ("100.2", "100.3", MOVED_AND_REWORDED),
        ("100.2a", "100.3a", MOVED),
        ("100.2b", "100.3b", MOVED),
    }


def test_of_the_same_words_at_two_places_each_stays_with_its_rule() -> None:
    same = "This may be done only once each turn."
    old = {"100.1": "Bells", "100.1a": GATES, "100.1b": same, "100.2": "Water", "100.2a": MOAT, "100.2b": same}
    new = {"100.1": "Water", "100.1a": MOAT, "100.1b": same, "100.2": "Bells", "100.2a": GATES, "100.2b": WALLS, "100.2c": same}
    assert {("100.1b", "100.2c", MOVED), ("100.2b", "100.1b", SAME)} & links(old, new) == {("100.1b", "100.2c", MOVED)}
    assert compare(release("2030-01-01", old), release("2031-01-01", new)).before("100.2c") == (Link("100.1b", "100.2c", MOVED),)


def test_rewording_by_the_numbers_alone_is_said() -> None:
    old = release("2030-01-01", {"100.1": f"{GATES} See rule 100.2.", "100.2": MOAT})
    new = release("2031-01-01", {"100.1": f"{GATES} See rule 100.3.", "100.2": TOWER, "100.3": MOAT})
    assert compare(old, new).after("100.1") == (Link("100.1", "100.1", REWORDED, references_only=True),)
    assert compare(old, release("2031-01-01", {"100.1": f"{GATES} See rule 100.1.", "100.2": MOAT})).after("100.1")[0].references_only
    assert not compare(old, release("2031-01-01", {"100.1": f"{GATES} Read rule 100.2.", "100.2": MOAT})).after("100.1")[0].references_only


def test_changed_examples_are_said_and_are_no_rewording() -> None:
    old = release("2030-01-01", {"100.1": FLYING, "100.2": WALLS}, examples={"100.1": ("Bats.",)})
    new = release("2031-01-01", {"100.1": FLYING, "100.2": WALLS}, examples={"100.1": ("Bats.", "Owls.")})
    assert compare(old, new).links == (Link("100.1", "100.1", SAME, examples_changed=True),)
    assert sum(compare(old, new).counts().values()) == 0


def test_glossary_entries_are_followed_to_another_term_and_never_to_a_rule() -> None:
    old = release("2030-01-01", {"100.1": WALLS}, {"Moat Guard": MOAT, "Watch": TOWER, "Gate": GATES})
    new = release("2031-01-01", {"100.1": WALLS, "100.2": GATES}, {"Water Guard": MOAT, "Watch": FLYING})
    assert {(link.old, link.new, link.kind) for link in compare(old, new).links} == {
        ("glossary:Moat Guard", "glossary:Water Guard", MOVED),
        ("glossary:Watch", "glossary:Watch", REWORDED),
        ("glossary:Gate", None, GONE),
        (None, "100.2", NEW),
    }


# --- the official releases


@pytest.fixture(scope="module")
def lineages(releases: list[Rulebook]) -> list[Lineage]:
    return list(compare_all(releases))


def test_counts_between_all_releases(lineages: list[Lineage]) -> None:
    names = [*CHANGES, "references only", "examples changed"]
    actual = [["older", "newer", *names]]
    for lineage in lineages:
        counts = lineage.counts()
        counts["references only"] = sum(link.references_only for link in lineage.links)
        counts["examples changed"] = sum(link.examples_changed for link in lineage.links)
        actual.append([lineage.older, lineage.newer, *(str(counts[name]) for name in names)])
    with (Path(__file__).parent / "lineage.tsv").open(newline="") as file:
        expected = list(csv.reader(file, delimiter="\t"))
    assert actual == expected, "\n" + "\n".join("\t".join(row) for row in actual)


def wording(rulebook: Rulebook, number: str) -> str:
    if number.startswith(GLOSSARY):
        return plain(rulebook.by_term[number.removeprefix(GLOSSARY)].text)
    node = rulebook.by_number[number]
    return plain(node.text or node.heading)


def numbers(rulebook: Rulebook) -> set[str]:
    return {*rulebook.by_number, *(GLOSSARY + term for term in rulebook.by_term)}


def test_every_part_is_accounted_for_once(lineages: list[Lineage], releases: list[Rulebook]) -> None:
    for lineage, old, new in zip(lineages, releases, releases[1:], strict=False):
        assert {link.old for link in lineage.links} - {None} <= numbers(old)
        assert {link.new for link in lineage.links} - {None} <= numbers(new)
        for number in numbers(old):
            after = lineage.after(number)
            assert len({link.new for link in after}) == len(after)
            for link in after:
                assert link.new is None or link in lineage.before(link.new) or link.kind == SAME
        for number in numbers(new):
            for link in lineage.before(number):
                assert link.old is None or link in lineage.after(link.old) or link.kind == SAME


def test_links_say_what_is_so(lineages: list[Lineage], releases: list[Rulebook]) -> None:
    for lineage, old, new in zip(lineages, releases, releases[1:], strict=False):
        for number in numbers(old) & numbers(new):
            if lineage.after(number) == (Link(number, number, SAME),):
                assert wording(old, number) == wording(new, number), (lineage.newer, number)
        for link in lineage.links:
            assert (link.old is None) == (link.kind == NEW) or link.kind == SPLIT
            assert (link.new is None) == (link.kind == GONE)
            if link.old is not None and link.new is not None:
                same_words = wording(old, link.old) == wording(new, link.new)
                if link.kind in (SAME, MOVED, REWORDED, MOVED_AND_REWORDED):
                    assert same_words == (link.kind in (SAME, MOVED)), (lineage.newer, link)
                    assert (link.old == link.new) == (link.kind in (SAME, REWORDED)), (lineage.newer, link)
                if link.kind == SPLIT:
                    assert len(lineage.after(link.old)) > 1
                if link.kind == MERGED:
                    assert len(lineage.before(link.new)) > 1
