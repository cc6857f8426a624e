"""Verdicts as of a release: what every release has a number for, and which changes of words since 2015 change a verdict."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Any

import pyoxigraph
import pytest

from lawmage.errors import InputError
from lawmage.play import judge
from lawmage.play.dated import in_numbering_of
from lawmage.play.knowledge import knowledge
from lawmage.resources import data_folder
from lawmage.rulebook.drift import encoded_rules
from lawmage.rulebook.history import follow, lineages_between
from lawmage.rulebook.lineage import MOVED, SAME
from lawmage.rulebook.store import load_graph, shipped_releases
from lawmage.scenario import scenario_from

RELEASES = list(shipped_releases())
#: The judgements that are given as of earlier releases.
JUDGED = {dated.word for dated in knowledge().dated if dated.sort == "judgement"}
PREFIXES = "PREFIX lm: <urn:lawmage:vocabulary:> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "


@cache
def programs() -> frozenset[str]:
    """Return the files of asp/ that the judgements of earlier releases include, with the folder."""
    entries = [
        path for path in (data_folder("asp") / "entry").glob("*.lp") if re.search("attack|block|damage|combat|death|state", path.stem)
    ]
    assert len(entries) > 15
    included = {name for path in entries for name in re.findall(r'#include "\.\./([^"]+)"', path.read_text(encoding="utf-8"))}
    return frozenset({f"asp/{name}" for name in included} | {f"asp/entry/{path.name}" for path in entries})


@cache
def judged_rules() -> dict[str, str]:
    """Return the numbers of the rules that decide something in these judgements, each with what says so."""
    known = knowledge()
    chapters = {known.keywords[trigger.keyword].rule for trigger in known.triggers}
    chapters |= {
        keyword.rule for keyword in known.keywords.values() if any(known.kinds[one.kind].judges & JUDGED for one in keyword.imposes)
    }
    found = {kind.by: kind.term for kind in known.kinds.values() if kind.judges & JUDGED}
    for number, files in encoded_rules().items():
        if programs() & {*files}:
            found[number] = ", ".join(sorted(programs() & {*files}))
        elif chapter_of(number) in chapters or chapter_of(number) == "701.15":
            found[number] = files[0]
    return found


def chapter_of(number: str) -> str:
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


@cache
def store() -> pyoxigraph.Store:
    found = pyoxigraph.Store()
    kb = data_folder("kb")
    for file in (
        kb / "vocabulary.ttl",
        *(kb / "keywords").glob("70*.ttl"),
        kb / "rules" / "rewordings.ttl",
        kb / "rules" / "vocabulary.ttl",
    ):
        found.load(path=str(file), format=pyoxigraph.RdfFormat.TURTLE)
    return found


def rows(query: str) -> list[dict[str, str]]:
    solutions = store().query(PREFIXES + query)
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    return [{name: "" if row[name] is None else str(row[name].value) for name in names} for row in solutions]


def since() -> dict[str, str]:
    """Return the first release of each keyword, by its rule."""
    query = "SELECT ?rule ?since { ?keyword lm:since ?since ; lm:rule ?rule FILTER NOT EXISTS { ?keyword a lm:Dated } }"
    return {row["rule"]: row["since"] for row in rows(query)}


def rewordings() -> dict[tuple[str, str], set[str]]:
    """Return the classes of the changes in kb/rules/rewordings.ttl, by rule and release."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows("SELECT ?rule ?release ?class { ?change lm:changedRule ?rule ; lm:changedIn ?release ; a ?class }"):
        found[row["rule"], row["release"]].add(row["class"].removeprefix("urn:lawmage:vocabulary:"))
    return found


@cache
def changes() -> frozenset[tuple[str, str]]:
    """Return where the words of a rule that is judged changed: its number in the encoded release, and the release that changed it."""
    release = knowledge().release
    lineages = lineages_between(RELEASES[0], release)
    born = since()
    return frozenset(
        (number, step.newer)
        for number in judged_rules()
        for step in follow(number, release, RELEASES[0], lineages).steps
        for link in step.links
        if link.kind not in (MOVED, SAME) and not link.references_only and born.get(chapter_of(number)) != step.newer
    )


def test_every_change_of_what_is_judged_is_classified_once() -> None:
    known = rewordings()
    assert len(changes()) > 100
    assert sorted(changes() - known.keys()) == [], "look at `lawmage diff OLD NEW RULE`, and say in kb/rules/rewordings.ttl what it changes"
    assert {change: classes for change, classes in known.items() if len(classes) != 1} == {}


def test_nothing_is_classified_that_did_not_change() -> None:
    born = {(rule, release) for rule, release in rewordings() if since().get(chapter_of(rule)) == release}
    assert sorted(rewordings().keys() - changes() - born) == []


def test_what_changes_a_verdict_is_held_by_a_dated_fact() -> None:
    """The fact begins with the release of the change, or ends with the one before."""
    held = rows(
        "SELECT ?rule ?release ?fact ?since ?until ?counter { ?change a lm:VerdictChange ; lm:changedRule ?rule ; lm:changedIn ?release ."
        " OPTIONAL { ?change lm:heldBy ?fact OPTIONAL { ?fact lm:since ?since } OPTIONAL { ?fact lm:until ?until }"
        " OPTIONAL { ?fact lm:counterSince ?counter } } }"
    )
    assert len(held) > 20
    for row in held:
        before = RELEASES[RELEASES.index(row["release"]) - 1]
        assert row["release"] in (row["since"], row["counter"]) or row["until"] == before, row


def test_what_holds_no_fact_says_why() -> None:
    bare = "SELECT ?rule { ?change a ?class ; lm:changedRule ?rule . VALUES ?class { lm:Clarification lm:ChangeElsewhere } "
    assert rows(bare + "FILTER NOT EXISTS { ?change rdfs:comment ?why } }") == []


@pytest.mark.parametrize("release", RELEASES)
def test_rules_on_declarations_have_a_number_in_every_release(release: str) -> None:
    """A declaration is judged by rules of the release, so each that can be cited is there; battles and the like are refused before."""
    known = knowledge()
    there = load_graph(release).by_number
    absent = {(dated.sort, dated.word) for dated in known.dated if not dated.holds(release)}
    rules = {kind.by for kind in known.kinds.values() if kind.judges & {"attack", "block"}}
    rules |= {breach.by for breach in known.breaches.values() if breach.by.startswith(("302.", "508.", "509.", "510.", "802.", "118."))}
    imposed = [known.designations["goaded"]] if ("designation", "goaded") not in absent else []
    imposed += [keyword.imposes for keyword in known.keywords.values() if ("keyword", keyword.name) not in absent]
    rules |= {one.source for each in imposed for one in each if known.kinds[one.kind].judges & {"attack", "block"}}
    assert len(rules) > 30
    assert {rule for rule in rules if in_numbering_of(release, rule, known) not in there} == set()


# ---------------------------------------------------------------- boards


def creature(**more: Any) -> dict[str, Any]:
    return {"controller": "A", "pt": "2/2", **more}


def board(release: str, things: dict[str, Any], **more: Any) -> Any:
    players: dict[str, Any] = {"A": {}, "D": {}, "E": {}}
    return judge(scenario_from({"release": release, "players": players, "battlefield": things, "propose": {"p": {}}, **more}), checked=True)


@pytest.mark.parametrize(
    ("release", "rules"),
    [
        ("2016-08-26", ("508.1d", "701.35a")),
        ("2017-06-05", ("508.1d", "701.36a")),
        ("2019-08-23", ("508.1d", "701.37b")),
        ("2026-08-07", ("508.1d", "701.15b")),
    ],
)
def test_goad_is_cited_by_the_number_of_the_release(release: str, rules: tuple[str, ...]) -> None:
    verdict = board(release, {"x": creature(goaded_by=["D"])}).proposals["p"]
    assert (verdict.verdict, verdict.requirements.maximum) == ("illegal", 2)
    assert verdict.cites == rules


@pytest.mark.parametrize(
    ("release", "thing", "sentence"),
    [
        (
            "2015-01-23",
            {"goaded_by": ["D"]},
            "x has the designation goaded, which the rules have since 2016-08-26, not in the release 2015-01-23",
        ),
        ("2015-01-23", {"keywords": ["menace"]}, "x has the keyword menace, which the rules have since 2016-08-26"),
        ("2015-01-23", {"keywords": ["skulk"]}, "x has the keyword skulk, which the rules have since 2016-08-26"),
        ("2019-10-04", {"counters": {"flying": 1}}, "x has the counter flying, which the rules have since 2020-04-17"),
        (
            "2015-01-23",
            {"text": "This creature can't attack unless you pay {C}."},
            "x has the mana symbol C, which the rules have since 2016",
        ),
        ("2023-04-14", {"text": "This creature can't attack unless you pay {C/W}."}, "x has the mana symbol C/color, .* since 2024-09-20"),
        ("2023-04-14", {"counters": {"shadow": 1}}, "x has the counter shadow, which the rules have since 2024-02-02"),
        ("2025-02-07", {"counters": {"decayed": 1}}, "x has the counter decayed, which the rules have since 2025-06-06"),
        (
            "2022-11-18",
            {"types": ["battle"], "defense": 3, "protector": "D"},
            "x has the card type battle, which the rules have since 2023-04-14",
        ),
    ],
)
def test_what_a_release_does_not_have_is_refused(release: str, thing: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        board(release, {"x": creature(**thing)})


@pytest.mark.parametrize("release", RELEASES)
def test_a_clash_is_told_in_the_numbers_of_the_release(release: str) -> None:
    text = "This creature attacks each combat if able. This creature can't attack."
    scenario = {"release": release, "battlefield": {"x": creature(text=text)}, "propose": {"p": {}, "q": ["x"]}}
    answer = judge(scenario_from(scenario), explain=True, checked=True)
    there = load_graph(release).by_number
    assert answer.proposals["p"].verdict == "legal"
    assert answer.proposals["q"].violations[0].rule in there
    numbers = [number for said in answer.proposals["p"].requirements.clash for number in re.findall(r"\((\d+\.\d+[a-z]?)\)", said)]
    assert numbers
    assert set(numbers) <= there.keys()


def test_a_planeswalker_type_was_unique_until_2017() -> None:
    walker = {"controller": "D", "types": ["planeswalker"], "subtypes": ["Jace"], "loyalty": 3}
    things = {"m": creature(), "v": walker, "w": {**walker, "name": "Another"}}
    mapping = {"battlefield": things, "attack": {"m": "D"}, "block": {}, "judge": "outcome"}
    verdicts = {release: outcome(mapping, release) for release in ("2017-06-05", "2018-07-13")}
    assert verdicts["2018-07-13"].verdict == "legal"
    assert verdicts["2017-06-05"].verdict == "undecided"
    assert "(704.5j)" in " ".join(verdicts["2017-06-05"].not_understood)


def test_a_phased_out_token_ceased_to_exist_until_2017() -> None:
    things = {"m": creature(), "t": {"controller": "D", "pt": "1/1", "token": True, "phased_out": True}}
    mapping = {"battlefield": things, "attack": {"m": "D"}, "block": {}, "judge": "outcome"}
    zones = {release: outcome(mapping, release).as_json()["objects"]["t"]["zone"] for release in ("2017-06-05", "2018-07-13")}
    assert zones == {"2017-06-05": None, "2018-07-13": "battlefield"}


def outcome(mapping: dict[str, Any], release: str) -> Any:
    return next(iter(judge(scenario_from({**mapping, "release": release})).proposals.values()))
