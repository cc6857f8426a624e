"""References: every way in which the rulebook writes one, and an audit of what isn't taken as one."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import astuple, fields
from pathlib import Path

import pytest

from lawmage.rulebook.counts import Counts, count
from lawmage.rulebook.model import GLOSSARY, GlossaryEntry, Node, Reference, Rulebook, Unresolved
from lawmage.rulebook.references import KINDS, find_misprints, find_references, text_of

Found = list[tuple[Rulebook, list[Reference], list[Unresolved]]]


@pytest.fixture(scope="module")
def found(releases: list[Rulebook]) -> Found:
    return [(rulebook, *find_references(rulebook)) for rulebook in releases]


# --- ways of writing, in a made-up release that has just these numbers

NUMBERS = re.findall(
    r"\S+",
    "1 100 101 101.1 101.1a 101.1b 101.1c 101.1d 101.1e 101.1f 101.1g 101.1h 101.1i 101.1j 101.1k 101.1m 101.1n 101.1p "
    "101.2 101.3 101.4 101.10 102 102.1 102.1z 102.1aa 102.1ab 2 200 200.1",
)
TERMS = ["Attack", "Active Player, Nonactive Player Order", "Block, Blocked (Obsolete)", "Continuous Effect", "Dependency", "X"]
HEADINGS = {"101": "Turns", "102": "Players", "2": "Parts"}


def made_up(text: str, *, in_glossary: bool = False) -> Rulebook:
    nodes = []
    for number in NUMBERS:
        kind = "section" if len(number) == 1 else "chapter" if "." not in number else "subrule" if number[-1].isalpha() else "rule"
        parent = {"section": None, "chapter": number[0], "rule": number[:3], "subrule": number.rstrip("abcdefghijklmnopqrstuvwxyz")}
        nodes.append(Node(number, kind, parent[kind], HEADINGS.get(number, "")))
    glossary = [GlossaryEntry(term, "") for term in TERMS]
    if in_glossary:
        glossary.append(GlossaryEntry("Subject", text))
    else:
        nodes.append(Node("200.2", "rule", "200", "", text))
    return Rulebook("2030-01-01", tuple(nodes), tuple(glossary), "", "", ())


def targets(text: str, *, in_glossary: bool = False) -> str:
    references, unresolved = find_references(made_up(text, in_glossary=in_glossary))
    assert not unresolved
    return " ".join(reference.target.removeprefix(GLOSSARY) for reference in references)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See rule 101.1a.", "101.1a"),
        ("See rule 101.1.", "101.1"),
        ("as specified in 101.1a.", "101.1a"),
        ("(see rule 101)", "101"),
        ("See 101, “Turns.”", "101"),
        ("See section 2, “Parts.”", "2"),
        ("See sections 1 and 2.", "1 2"),
        ("See rules 101 and 102.", "101 102"),
        ("See rules 101, “Turns,” and 102, “Players.”", "101 102"),
        ("See rule 101, “Turns,” rule 102, “Players,” and rule 200.1.", "101 102 200.1"),
        ('See rule 101, "Turns," and section 2, "Parts."', "101 2"),
        ("See rules 101.1b, 101.2, and 102.1z.", "101.1b 101.2 102.1z"),
        ("rules 101.1b and 101.1f–h", "101.1b 101.1f 101.1g 101.1h"),
        ("rules 101.1f-h", "101.1f 101.1g 101.1h"),
        ("rules 101.1f—h", "101.1f 101.1g 101.1h"),
        ("the steps in 101.1i–n are", "101.1i 101.1j 101.1k 101.1m 101.1n"),
        ("rules 101.3–10 apply", "101.3 101.4 101.10"),
        ("rules 101.3–101.10 apply", "101.3 101.4 101.10"),
        ("rules 101.1a–101.1c apply", "101.1a 101.1b 101.1c"),
        ("rules 102.1z–ab", "102.1z 102.1aa 102.1ab"),
        ("Rules 101.1 and 101.1a–b apply", "101.1 101.1a 101.1b"),
        ("rules 101.1a–b, 101.2–3, and 101.1p.", "101.1a 101.1b 101.2 101.3 101.1p"),
        ("rules 101.1a and b are", "101.1a 101.1b"),
        ("rule 101.1a or b.", "101.1a 101.1b"),
        ("subrule 101.1k is followed by 101.1m, then 101.1n", "101.1k 101.1m 101.1n"),
        ("steps 101.1a–b of rule 101, “Turns.”", "101.1a 101.1b 101"),
        ("(rules 101.2 and 101.3)", "101.2 101.3"),
        ("rule 101.2 (for turns), rule 101.3 (for parts), and rule 101.4 (for all)", "101.2 101.3 101.4"),
        ("See rule 101.1a. Also see rule 102.", "101.1a 102"),
        # no references
        ("deals 101 damage", ""),
        ("exactly 100 cards, and 101 life", ""),
        ("999,101 more times", ""),
        ("2.5 inches, 101,100 coins, $101.10, 1101.1, Model-101.1, version 3.101.1", ""),
        ("rule 1011 of 2011–2018", ""),
        ("rule 101.2—a rule or rule 101.1b—a rule", "101.2 101.1b"),
        ("rule 101.1a and a card", "101.1a"),
        ("phase 1 and 2 of the turn; section one", ""),
    ],
)
def test_ways_of_writing_numbers(text: str, expected: str) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See Attack.", "Attack"),
        ("(Obsolete) A word. See Active Player, Nonactive Player Order.", "Active Player, Nonactive Player Order"),
        ("See rule 101.1. See also Dependency, Attack.", "101.1 Dependency Attack"),
        ("See also Attack and Blocked.", "Attack Block, Blocked (Obsolete)"),
        ("See “Attack.”", "Attack"),
        ("See X.", "X"),
        ("See also Continuous Effects.", "Continuous Effect"),
        ("See rule 101, “Turns,” and rule 102.1z. See also rule 200.1.", "101 102.1z 200.1"),
        ("See 101, “Turns.”", "101"),
        ("Players may see the cards. See the tournament rules.", ""),
    ],
)
def test_ways_of_writing_in_the_glossary(text: str, expected: str) -> None:
    assert targets(text, in_glossary=True) == expected


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("See rule 101.1.", "cites"),
        ("follows the steps in rules 101.1a and 101.1c", "cites cites"),
        ("(See rule 101.1.)", "see also"),
        ("a token (it’s no card; see rules 101.1a and 101.1b) or rule 101.2", "see also,see also,cites"),
        ("See rule 101.1. See also rule 102.", "cites,see also"),
        ("See rule 101.1. Also see rules 101.2 and 102.", "cites,see also,see also"),
        ("This is an exception to rule 101.1. See rule 102.", "exception to,cites"),
        ("This is an exception to rules 101.1a–b.", "exception to,exception to"),
        ("This is an exception to 101.1.", "exception to"),
        ("This is an exception to the procedure described in rule 101.1.", "exception to"),
        ("There is an exception to this. See rule 101.1.", "cites"),
        ("(There is one.) See rule 101.1.", "cites"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    references, _ = find_references(made_up(text))
    assert ",".join(reference.kind for reference in references) == kinds.replace("cites cites", "cites,cites")


def test_kinds_in_the_glossary() -> None:
    references, _ = find_references(made_up("A thing (see rule 101.1). See also rule 102. See Attack.", in_glossary=True))
    assert [reference.kind for reference in references] == ["defined by", "see also", "see also"]


def test_spans_are_what_is_printed(sample: Rulebook) -> None:
    references, _ = find_references(sample)
    assert {text_of(sample, item.source, item.part)[item.start : item.end] for item in references} == {
        *("100.1a–b", "100.2", "101", "101.1", "101.1a", "101.1a–c", "101.1b", "101.1c", "2", "200", "200.1", "Name"),
        "Piece",
        "Turn",
    }
    example = next(item for item in references if item.part == "example 1")
    assert (example.source, example.target) == ("100.1", "101.1b")


def test_what_does_not_exist_is_reported_with_its_place(sample: Rulebook) -> None:
    _, unresolved = find_references(sample)
    assert unresolved[0] == Unresolved("introduction", "text", "200.1k", 39, 45)
    assert [(item.source, item.target) for item in unresolved[2:]] == [
        ("101.1c", "100.9"),
        ("glossary:Turn", "glossary:Nothing"),
    ]
    for item in unresolved:
        assert text_of(sample, item.source, item.part)[item.start : item.end] == item.target.removeprefix(GLOSSARY)


def test_a_range_whose_end_is_missing_keeps_what_exists() -> None:
    references, unresolved = find_references(made_up("rules 101.1n–z"))
    assert [item.target for item in references] == ["101.1n", "101.1p"]
    assert [item.target for item in unresolved] == ["101.1z"]


def test_the_title_tells_two_bearers_of_a_number_apart() -> None:
    rulebook = made_up("See rule 101, “Turns.” See rule 101, “Other Turns.” See rule 101.")
    twice = (*rulebook.nodes[:-1], Node("101~2", "chapter", "1", "Other Turns"), rulebook.nodes[-1])
    references, _ = find_references(Rulebook("2030-01-01", twice, (), "", "", ()))
    assert [item.target for item in references] == ["101", "101~2", "101"]


def test_misprints_have_a_title_that_belongs_elsewhere() -> None:
    rulebook = made_up("See rule 101, “Players.” See rule 102, “Players.” See section 2, “Parts and More.”")
    (misprint,) = find_misprints(rulebook, find_references(rulebook)[0])
    assert (misprint.reference.target, misprint.title, misprint.meant) == ("101", "Players", "102")


# --- the official releases


def test_counts_of_every_release(found: Found) -> None:
    names = [field.name for field in fields(Counts)]
    actual = [["release", *names]]
    actual += [[item[0].release, *map(str, astuple(count(*item)))] for item in found]
    with (Path(__file__).parent / "counts.tsv").open(newline="") as file:
        expected = list(csv.reader(file, delimiter="\t"))
    assert actual == expected, "\n" + "\n".join("\t".join(row) for row in actual)


def test_references_are_well_formed(found: Found) -> None:
    for rulebook, references, _ in found:
        assert len(set(references)) == len(references)
        for item in references:
            assert item.kind in KINDS
            assert item.target in rulebook.by_number or item.target.removeprefix(GLOSSARY) in rulebook.by_term
            printed = text_of(rulebook, item.source, item.part)[item.start : item.end]
            assert item.target.startswith(GLOSSARY) or printed[0].isdigit() or (len(printed) == 1 and item.target[-1] == printed)


#: The publisher's references to what doesn't exist: (where, what is printed) and the releases that have it.
SLIPS = {
    ("702.123d", "903.11a"): ("2017-06-05", "2017-06-05"),
    ("glossary:Map", "110.10"): ("2024-02-02", "2026-02-27"),
}


def test_only_slips_of_the_publisher_are_unresolved(found: Found) -> None:
    seen: dict[tuple[str, str], list[str]] = {}
    for rulebook, _, unresolved in found:
        for item in unresolved:
            seen.setdefault((item.source, item.target), []).append(rulebook.release)
    assert {place: (dates[0], dates[-1]) for place, dates in seen.items()} == SLIPS


def test_misprints_of_the_publisher(found: Found) -> None:
    seen = {
        (misprint.reference.source.partition(".")[2] or misprint.reference.source, misprint.reference.target, misprint.meant)
        for rulebook, references, _ in found
        for misprint in find_misprints(rulebook, references)
    }
    assert seen == {("glossary:Exert", "701.36", "701.37"), ("glossary:Endure", "702.62", "701.63"), ("5", "613", "611")}


def test_more_references_than_by_a_simple_pattern(found: Found) -> None:
    """The best count published by others for the newest release is 709 to rules, 353 to chapters, 772 from the glossary."""
    pairs = {(item.source, item.target) for item in found[-1][1]}
    from_rules = [target for source, target in pairs if source[0].isdigit()]
    assert sum("." in target for target in from_rules) == 913
    assert sum("." not in target for target in from_rules) == 418
    assert sum(source.startswith(GLOSSARY) and not target.startswith(GLOSSARY) for source, target in pairs) == 814


#: Every number in the releases that looks like a rule's and isn't covered by a reference, by what stands around it.
EXPLAINED = {
    "a deck's size": r"\b(?:exactly|both) 100\b",
    "how often a loop is repeated": r"\b999,999\b",
}


def both(references: list[Reference], unresolved: list[Unresolved]) -> list[Reference | Unresolved]:
    return [*references, *unresolved]


def texts(rulebook: Rulebook) -> Iterator[tuple[str, str, str]]:
    yield "introduction", "text", rulebook.introduction
    for node in rulebook.nodes:
        yield node.number, "text", node.text
        yield from ((node.number, f"example {index}", example) for index, example in enumerate(node.examples, 1))
    for entry in rulebook.glossary:
        yield GLOSSARY + entry.term, "text", entry.text


def test_audit_every_number_that_is_no_reference_is_explained(found: Found) -> None:
    """The credits are left out: their numbers are addresses, patents and years."""
    looks_like_a_number = re.compile(r"(?<!\d)\d{3}(?!\d)(?:\.\d+[a-z]{0,2})?|(?i:section|chapter)s? \d+|\d{3}\.\d+[a-z]*")
    continues = re.compile(r",? (?:and|or|to|through) (?:[b-z]\b(?!’)|\d)|[-–—][\da-z]{1,3}\b")
    kinds_met = set()
    for rulebook, references, unresolved in found:
        covered: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for item in both(references, unresolved):
            covered.setdefault((item.source, item.part), []).append((item.start, item.end))
        for source, part, text in texts(rulebook):
            spans = covered.get((source, part), [])
            for match in looks_like_a_number.finditer(text):
                if not any(start <= match.end() - 1 < end for start, end in spans):
                    around = text[max(0, match.start() - 20) : match.end() + 20]
                    kind = next((name for name, pattern in EXPLAINED.items() if re.search(pattern, around)), None)
                    assert kind is not None, (rulebook.release, source, part, around)
                    kinds_met.add(kind)
            for start, end in spans:
                more = continues.match(text, end)
                assert more is None or any(start < more.end() <= end for start, end in spans), (rulebook.release, source, more)
    assert kinds_met == set(EXPLAINED)


def test_audit_every_see_in_the_glossary_is_a_reference(found: Found) -> None:
    for rulebook, references, unresolved in found:
        covered = {(item.source, item.start) for item in both(references, unresolved)}
        for entry in rulebook.glossary:
            for match in re.finditer(r"\b(?:[Ss]ee also|[Aa]lso see|See) [“\"]?(?:rules? |section )?(\S)", entry.text):
                assert (GLOSSARY + entry.term, match.start(1)) in covered, (rulebook.release, entry.term, match[0])
