"""Shipped lineage and translation of numbers. Most of this needs no text: it is what a fresh machine can answer."""

from __future__ import annotations

import itertools
from pathlib import Path

import pyoxigraph
import pyshacl
import pytest
import rdflib

from lawmage.errors import DataError, UnknownNameError
from lawmage.resources import data_folder
from lawmage.rulebook import history
from lawmage.rulebook.history import follow, lineages_between, load_shipped, main, quads, read_shipped, translate
from lawmage.rulebook.lineage import GONE, MOVED, NEW, REWORDED, SAME, SPLIT, Lineage, Link, compare_all
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.rdf import VOCABULARY, unpack
from lawmage.rulebook.rdf import quads as release_quads
from lawmage.rulebook.store import install, load_graph, shipped_releases

from .made import release

NEWEST = "2026-08-07"
RULES = data_folder("kb") / "rules"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for installed texts."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    return tmp_path


# --- what is shipped


def test_shipped_lineage_is_what_the_texts_say(releases: list[Rulebook]) -> None:
    computed = {(lineage.older, lineage.newer): lineage for lineage in compare_all(releases)}
    shipped = load_shipped()
    assert shipped.keys() == computed.keys()
    for pair, lineage in computed.items():
        assert set(shipped[pair].links) == set(lineage.links), "run: python -m lawmage.rulebook.history FILE..."


def test_shipped_lineage_joins_all_shipped_releases() -> None:
    assert list(load_shipped()) == list(itertools.pairwise(shipped_releases()))


def shipped_statements() -> list[tuple[str, str, str]]:
    """The shipped lineage as subject, predicate, object."""
    document = unpack((RULES / "lineage.trig.xz").read_bytes())
    statements = []
    for quad in pyoxigraph.parse(document, format=pyoxigraph.RdfFormat.TRIG):
        assert isinstance(quad.subject, pyoxigraph.NamedNode)
        assert isinstance(quad.object, pyoxigraph.NamedNode)
        statements.append((quad.subject.value, quad.predicate.value, quad.object.value))
    return statements


def test_every_iri_is_one_of_the_releases() -> None:
    """That what is said about lineage and what is said about a release are about the same things."""
    named = {iri for subject, _, target in shipped_statements() for iri in (subject, target)}
    iris = {str(quad.subject)[1:-1] for date in shipped_releases() for quad in release_quads(load_graph(date))}
    assert named <= iris, sorted(named - iris)[:5]


def test_quads_and_back() -> None:
    kinds = (REWORDED, MOVED, "moved and reworded", SPLIT, "merged", NEW, GONE)
    links = [Link(f"100.{i}" if kind != NEW else None, f"100.{i}a" if kind != GONE else None, kind) for i, kind in enumerate(kinds, 1)]
    links += [
        Link("200.1", "200.1", REWORDED, references_only=True),
        Link("200.2", "200.2", SAME, examples_changed=True),
        Link("200.3", "200.4", "moved and reworded", references_only=True, examples_changed=True),
        Link("702.175~2", "702.176", MOVED),
        Link("glossary:Zone “X”, Y/Z (Obsolete)", "glossary:100%", MOVED),
    ]
    lineage = Lineage("2030-01-01", "2031-01-01", tuple(links))
    document = pyoxigraph.serialize(quads([lineage]), format=pyoxigraph.RdfFormat.TRIG)
    assert document is not None
    assert read_shipped(document, ["2030-01-01", "2031-01-01"]) == {("2030-01-01", "2031-01-01"): lineage}


def test_the_vocabulary_describes_every_term_of_lineage() -> None:
    vocabulary = rdflib.Graph().parse(RULES / "vocabulary.ttl", format="turtle")
    described = {str(term) for term in vocabulary.subjects(rdflib.RDFS.comment)}
    used = {predicate for _, predicate, _ in shipped_statements()}
    assert used <= described
    names = ("changesExamplesOf", "goneIn", "mergedFrom", "movedFrom", "newIn", "renumbers", "rewords", "splitFrom")
    assert used == {VOCABULARY + name for name in names}


def test_shapes_accept_what_is_shipped_and_see_faults() -> None:
    shapes = rdflib.Graph().parse(RULES / "shapes.ttl", format="turtle")
    shipped = rdflib.Graph()
    for statement in shipped_statements():
        subject, predicate, target = map(rdflib.URIRef, statement)
        shipped.add((subject, predicate, target))
    shipped.parse(RULES / "encoded.ttl", format="turtle")
    conforms, _, report = pyshacl.validate(shipped, shacl_graph=shapes)
    assert conforms, report
    head = f"@prefix lm: <{VOCABULARY}> . @prefix a: <urn:lawmage:rules:2030-01-01:> . @prefix b: <urn:lawmage:rules:2031-01-01:> . "
    for fault in (
        "b:100.1 lm:movedFrom a:100.2, a:100.3 .",
        "b:100.1 lm:newIn <urn:lawmage:rules:2031-01-01> ; lm:rewords a:100.1 .",
        "a:100.1 lm:goneIn <urn:lawmage:rules:2031-01-01> . b:100.2 lm:movedFrom a:100.1 .",
        "b:100.1 lm:rewords a:100.1 ; lm:renumbers a:100.1, a:100.2 .",
        "<urn:other:100.1> lm:movedFrom a:100.1 .",
        'a:100.1 lm:encodedFrom "no fingerprint" .',
    ):
        assert not pyshacl.validate(rdflib.Graph().parse(data=head + fault, format="turtle"), shacl_graph=shapes)[0], fault


@pytest.mark.parametrize("content", [b"", b"damaged"])
def test_a_damaged_file_is_named(content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "kb" / "rules").mkdir(parents=True)
    (tmp_path / "kb" / "rules" / "lineage.trig.xz").write_bytes(content)
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"lineage\.trig\.xz|is damaged"):
        load_shipped()


# --- translation


@pytest.mark.parametrize(
    ("number", "start", "end", "became"),
    [
        # Banding was 702.21 until ward came; old forum posts cite 702.21j and 702.21k for how it divides damage.
        ("702.21", "2020-11-20", NEWEST, "702.22"),
        ("702.21j", "2017-06-05", NEWEST, "702.22j"),
        ("702.21k", "2017-06-05", NEWEST, "702.22k"),
        ("702.22", NEWEST, "2015-01-23", "702.21"),
        ("702.46", "2020-11-20", NEWEST, "702.47"),
        ("702.46", NEWEST, "2020-11-20", "702.45"),
        # Casting as though with flash: the two subrules of 2016 changed places and letters.
        ("601.3a", "2016-08-26", NEWEST, "601.3c"),
        ("601.3b", "2016-08-26", NEWEST, "601.3b"),
        ("601.3a", NEWEST, "2016-08-26", ""),
        # Fight.
        ("701.11", "2017-06-05", NEWEST, "701.14"),
        ("701.12", "2018-07-13", NEWEST, "701.14"),
        ("701.12d", "2022-11-18", NEWEST, "701.14d"),
        # Goad.
        ("701.36", "2017-06-05", NEWEST, "701.15"),
        ("701.37", "2018-07-13", NEWEST, "701.15"),
        ("701.38", "2020-11-20", NEWEST, "701.15"),
        ("701.38c", "2022-11-18", NEWEST, "701.15c"),
        ("701.15", NEWEST, "2015-01-23", ""),
        # Regenerate.
        ("701.15", "2020-11-20", NEWEST, "701.19"),
        ("701.15", "2025-02-07", NEWEST, "701.19"),
        # The order of damage assignment is gone; priority in the step has its number.
        ("509.2", "2024-09-20", NEWEST, ""),
        ("509.4", "2024-09-20", NEWEST, "509.2"),
        ("510.1c", "2024-09-20", NEWEST, "510.1c"),
        # What lets a deck have any number of a card.
        ("112.6m", "2018-07-13", NEWEST, "113.6n"),
        ("903.5b", "2015-01-23", NEWEST, "903.5b"),
        # A chapter that moved, and one whose number was used twice by mistake.
        ("718", "2022-11-18", NEWEST, "717"),
        ("702.175~2", "2024-09-20", "2024-11-08", "702.176"),
        ("702.175", "2024-09-20", "2024-11-08", "702.175"),
        # From 2026-02-27 to 2026-04-17 chapters 726 and up made room for a new one.
        ("732", "2026-02-27", "2026-04-17", "733"),
        # A rule of 2015 that was split, and a term that was renamed.
        ("201.3", "2015-01-23", NEWEST, "201.4 201.4b 201.4c 201.4d"),
        ("glossary:Totem Armor", "2015-01-23", NEWEST, "glossary:Umbra Armor"),
        ("Rule 702.21.", "2020-11-20", "2020-11-20", "702.21"),
    ],
)
def test_numbers_are_translated(number: str, start: str, end: str, became: str) -> None:
    answer = translate(number, start, end)
    assert " ".join(answer.became) == became or answer.became == (became,)


def test_translation_forwards_and_back_leads_home() -> None:
    lineages = lineages_between("2015-01-23", NEWEST)
    alone = 0
    for place in load_graph("2015-01-23").places:
        there = follow(place.number, "2015-01-23", NEWEST, lineages)
        if len(there.became) == 1:
            back = follow(there.became[0], NEWEST, "2015-01-23", lineages)
            assert place.number in back.became
            alone += back.became == (place.number,)
    assert alone > 2400


def test_every_translated_number_exists() -> None:
    numbers = load_graph(NEWEST).by_number
    for start in ("2015-01-23", "2019-01-25", "2024-09-20"):
        lineages = lineages_between(start, NEWEST)
        for place in load_graph(start).places:
            assert all(number in numbers for number in follow(place.number, start, NEWEST, lineages).became)


def test_what_happened_on_the_way_is_told() -> None:
    answer = translate("701.38", "2020-11-20", NEWEST)
    assert (answer.kind, answer.reworded) == (MOVED, False)
    assert [(step.newer, step.links) for step in answer.steps] == [("2025-06-06", (Link("701.38", "701.15", MOVED),))]
    assert translate("509.2", "2024-09-20", NEWEST).kind == GONE
    assert translate("201.3", "2015-01-23", NEWEST).kind == SPLIT
    assert translate("607.2a", "2015-01-23", NEWEST).kind == SAME
    reworded = translate("702.2c", "2025-06-06", NEWEST)
    assert (reworded.kind, reworded.references_only) == (REWORDED, False)
    assert translate("104.6", "2026-02-27", "2026-04-17").references_only


def test_a_number_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r'2020-11-20 has no rule "702.999"; did you mean'):
        translate("702.999", "2020-11-20", NEWEST)


# --- releases that the user has installed


def test_a_newer_release_needs_both_texts() -> None:
    old, new = (
        release(NEWEST, {"100.1": "A text that stays."}),
        release("2031-01-01", {"100.1": "Another text.", "100.2": "A text that stays."}),
    )
    install(new, [], [], file="new.txt")
    with pytest.raises(DataError, match=rf"install that of {NEWEST} with: lawmage data import FILE"):
        lineages_between("2026-04-17", "2031-01-01")
    install(old, [], [], file="old.txt")
    first, second = lineages_between("2026-04-17", "2031-01-01")
    assert (first.older, first.newer) == ("2026-04-17", NEWEST)
    assert second.after("100.1") == (Link("100.1", "100.2", MOVED),)
    assert lineages_between(NEWEST, NEWEST) == []


# --- the chore


def test_the_chore_wants_all_releases(tmp_path: Path, sample_text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.txt").write_text(sample_text)
    assert main([]) == 2
    assert main([str(tmp_path / "one.txt")]) == 2
    assert main([str(tmp_path / "none.txt")]) == 2
    assert "too few or too many: 2015-01-23" in capsys.readouterr().err


def test_the_chore_writes_what_is_shipped(tmp_path: Path) -> None:
    made = history.ship(load_shipped().values(), tmp_path)
    assert unpack(made.read_bytes()) == unpack((RULES / "lineage.trig.xz").read_bytes())
