"""Formats: what kb/formats/ says, and a user's own in Turtle and YAML, good and bad."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph
import pytest

from lawmage.decks.formats import Ban, deck_knowledge, load_format, load_format_file, present_name
from lawmage.decks.legality import Judge
from lawmage.errors import InputError, LawmageError, UnknownNameError
from lawmage.resources import data_folder
from lawmage.rulebook.store import load_graph, shipped_releases

PREFIXES = "@prefix lm: <urn:lawmage:vocabulary:> . @prefix fmt: <urn:lawmage:format:> .\n"
OWN = PREFIXES + 'fmt:own a lm:Format ; lm:name "own" ; lm:basedOn fmt:commander '


def test_formats_by_name() -> None:
    assert {"commander", "commander-draft", "brawl", "standard-brawl", "oathbreaker"} <= set(deck_knowledge().formats)
    with pytest.raises(UnknownNameError, match='no format "comander"; did you mean "commander"'):
        load_format("comander")


def test_every_kind_of_provision_has_a_meaning_in_asp() -> None:
    programs = "".join(file.read_text(encoding="utf-8") for file in data_folder("asp").glob("[79]*.lp"))
    kinds = {provision.kind for made in deck_knowledge().formats.values() for provision in made.provisions}
    assert [kind for kind in sorted(kinds) if not re.search(rf"\b{kind}\b", programs)] == []
    words = set(re.findall(r"violated\(D,[^,]+,([a-z_]+),", programs))
    assert words == set(deck_knowledge().breaches)


def test_dates_are_releases() -> None:
    dates = {day for made in deck_knowledge().formats.values() for one in made.provisions for day in (one.since, one.until) if day}
    assert dates <= set(shipped_releases())


def test_each_word_is_described() -> None:
    store = pyoxigraph.Store()
    store.load(path=str(data_folder("kb") / "formats" / "vocabulary.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    described = {
        str(quad.subject)
        for quad in store.quads_for_pattern(None, pyoxigraph.NamedNode("http://www.w3.org/2000/01/rdf-schema#comment"), None)
    }
    terms = {str(quad.subject) for quad in store.quads_for_pattern(None, pyoxigraph.NamedNode("urn:lawmage:vocabulary:provides"), None)}
    assert terms == set()
    for file in (data_folder("kb") / "formats").glob("[a-u]*.ttl"):
        used = set(re.findall(r"\blm:[a-z]\w+", file.read_text(encoding="utf-8")))
        known = {name.rpartition(":")[2].rstrip(">") for name in described} | {"anyOf", "passes", "failsTest", "value", "rule", "number"}
        assert sorted(word for word in used if word.removeprefix("lm:") not in known) == []


def test_the_ban_list_of_a_day() -> None:
    commander = load_format("commander")
    assert commander.list_of("2026-08-07") == "2026-02-09"
    assert commander.list_of("2025-12-31") == "2025-04-22"
    assert commander.list_of("2015-02-01") == ""
    assert Ban("X", banned="2020-01-02", lifted="2020-02-02").holds("2020-02-01")
    assert not Ban("X", banned="2020-01-02", lifted="2020-02-02").holds("2020-02-02")
    assert not Ban("X", banned="2020-01-02").holds("2020-01-01")


def test_what_is_restated_replaces_what_is_inherited() -> None:
    brawl, commander = load_format("brawl").provided("2026-08-07"), load_format("commander").provided("2026-08-07")
    assert [made.number for made in brawl if made.kind == "minimum_size"] == [60]
    assert sum(made.kind == "leads" for made in brawl) == 4
    assert [made for made in brawl if made.kind == "pairing"] == [made for made in commander if made.kind == "pairing"]
    assert load_format("brawl").bans == ()
    assert load_format("commander-draft").bans == load_format("commander").bans


def test_older_names() -> None:
    assert present_name("chief jim hopper") == "Sophina, Spearsage Deserter"
    assert present_name("Grizzly Bears") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("fmt:x a", "is not Turtle"),
        (PREFIXES, "names none"),
        (OWN + '. fmt:other a lm:Format ; lm:name "other" .', "describes one new format"),
        (OWN + '; lm:provides [ a lm:MinimumSise ; lm:rule "format rule" ] .', "of the kind MinimumSise"),
        (OWN + "; lm:provides [ a lm:MinimumSize ; lm:number 40 ] .", "has no lm:rule"),
        (OWN + '; lm:provides [ a lm:MinimumSize ; lm:rule "format rule" ; lm:number -1 ] .', "is -1, expected"),
        (OWN + '; lm:bans [ lm:role "deck" ] .', "names no card"),
        (OWN + '; lm:bans [ lm:card "X" ; lm:role "attic" ] .', 'for the role "attic"'),
        (OWN + '; lm:bends [ lm:card "X" ; lm:kind "flies" ] .', 'taken to state "flies"'),
        (OWN + '; lm:bends [ lm:card "X" ; lm:kind "copies_at_most" ] .', "takes number"),
        (PREFIXES + 'fmt:own a lm:Format ; lm:name "own" ; lm:basedOn fmt:nothing .', "the format nothing"),
        (PREFIXES + 'fmt:own a lm:Format ; lm:name "own" ; lm:basedOn fmt:own .', "based on itself"),
    ],
)
def test_bad_turtle_gets_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "own.ttl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence) as error:
        load_format_file(file)
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "is a map"),
        ("format: x", "lawmage: 1"),
        ("lawmage: 1", '"format" is missing'),
        ("lawmage: 1\nformat: x\nminimun: 3", 'unknown key "minimun"; did you mean "minimum"'),
        ("lawmage: 1\nformat: x\nminimum: many", "minimum has to be a whole number"),
        ("lawmage: 1\nformat: x\nbased_on: comander", 'did you mean "commander"'),
        ("lawmage: 1\nformat: x\nbanned: Ponder", "banned has to be a list"),
        ("lawmage: 1\nformat: x\ncompanion: 3", "companion has to be true or false"),
        ("lawmage: 1\nformat: x\nleads: [{colour: [red]}]", "colour"),
        ("lawmage: 1\nformat: x\nbends: {Ponder: may_leap}", 'did you mean "may_lead"'),
        ("lawmage: 1\nformat: x\nbends: [Ponder]", "bends has to be a map"),
    ],
)
def test_bad_yaml_gets_one_sentence_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence) as error:
        load_format_file(file)
    assert str(error.value).startswith(f"{file}:{text.count(chr(10)) + 1}: ")
    assert "\n" not in str(error.value)


def test_a_missing_file(tmp_path: Path) -> None:
    for name in ("none.ttl", "none.yaml"):
        with pytest.raises(LawmageError, match=name):
            load_format(str(tmp_path / name))


@pytest.mark.parametrize("release", ["2018-07-13", "2025-11-14"])
def test_every_rule_has_a_number_in_each_release(release: str) -> None:
    """Provisions are in the numbering of the release: no number there is one that its rulebook does not have."""
    graph = load_graph(release)
    for name in deck_knowledge().formats:
        rules = {rule for _, rule in Judge(name, release).vocabulary.provisions if rule[0].isdecimal()}
        assert sorted(rule for rule in rules if rule not in graph.by_number) == []
