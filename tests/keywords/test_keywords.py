"""Reading the catalogue: what is in it, how keywords are found, what is said about damaged files."""

from __future__ import annotations

import dataclasses
import json
import lzma
import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from lawmage.errors import DataError, UnknownNameError
from lawmage.keywords import Ability, Cost, Keyword, Variant, find_keyword, form_pattern, load_keywords, load_words

KB = Path(__file__).resolve().parent.parent.parent / "kb"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of kb/ to spoil."""
    (tmp_path / "kb").mkdir()
    shutil.copy(KB / "vocabulary.ttl", tmp_path / "kb")
    shutil.copytree(KB / "keywords", tmp_path / "kb" / "keywords")
    return tmp_path / "kb"


def test_all_are_there_in_the_order_of_the_rulebook() -> None:
    keywords = load_keywords()
    assert len(keywords) == 265
    names = list(keywords)
    assert names[0] == "activate"
    assert names.index("mill") < names.index("deathtouch") < names.index("flying") < names.index("menace") < names.index("storied")


def test_one_read_in_full() -> None:
    flashback = load_keywords()["flashback"]
    assert flashback.rule == "702.34"
    assert not flashback.action
    assert flashback.since == date(2015, 1, 23)
    assert flashback.kinds == ("Static",)
    assert flashback.abilities == (Ability(("Static",), ("Graveyard",)), Ability(("Static",), ("Stack",)))
    assert flashback.places == ("Graveyard", "Stack")
    assert flashback.place_rules == ("702.34a",)
    assert flashback.forms == ("flashback {cost}",)
    assert flashback.costs == (Cost("AlternativeCost", "702.34a", "{cost}"),)
    assert flashback.stacking == ()
    assert [statement.rule for statement in flashback.statements] == ["702.34a"]


def test_constraints_are_put_into_words() -> None:
    keywords = load_keywords()
    assert [(imposed.rule, imposed.reading) for imposed in keywords["menace"].imposes] == [
        ("702.111b", "can't be blocked except by 2 or more")
    ]
    flying = keywords["flying"].imposes[0]
    assert flying.kind == "blocked_only_by"
    assert flying.reading == "can't be blocked except by (keyword flying or keyword reach)"
    assert keywords["landwalk"].imposes[0].reading == "can't be blocked while defending player controls (quality)"


def test_every_term_has_a_word() -> None:
    words = load_words()
    for keyword in load_keywords().values():
        nodes: list[Keyword | Variant] = [keyword, *keyword.variants]
        for node in nodes:
            terms = [*node.kinds, *node.places, *node.timing, *node.events, *node.stacking, *(cost.kind for cost in node.costs)]
            assert all(words[term].label and words[term].comment for term in terms)
        assert all(words[sort].label for statement in keyword.statements for sort in statement.sorts)


def test_every_word_is_used() -> None:
    words = set(re.findall(r"^lm:(\w+) ", (KB / "keywords" / "vocabulary.ttl").read_text(encoding="utf-8"), re.MULTILINE))
    used = "".join(file.read_text(encoding="utf-8") for file in (KB / "keywords").glob("*.ttl") if file.name != "vocabulary.ttl")
    # a slot is used by its name in braces; the zones that AnyZone includes are all named
    slots = {word for word in words if word.endswith("Slot")}
    named = {slot for slot in slots if f"{{{slot.removesuffix('Slot').lower()}}}" in used}
    assert {word for word in words - slots if f"lm:{word} " not in used} == {"broader", "includes", "slot", "pattern", "Library"}
    assert slots == named


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("flying", "flying"),
        ("Double  Strike", "double strike"),
        ("first-strike", "first strike"),
        ("702.9", "flying"),
        ("702.90", "infect"),
        ("totem armor", "umbra armor"),
        ("Doctor’s companion", "partner"),
        ("megamorph", "morph"),
        ("islandwalk", "landwalk"),
        ("nonbasic landwalk", "landwalk"),
        ("protection from red", "protection"),
        ("protection from everything", "protection"),
        ("hexproof from white", "hexproof"),
        ("ward {2}", "ward"),
        ("Ward—Pay 3 life", "ward"),
        ("basic landcycling {1}{W}", "cycling"),
        ("islandcycling", "cycling"),
        ("afflict 2", "afflict"),
        ("suspend 4—{1}{U}", "suspend"),
        ("infinity", "∞"),
        ("for mirrodin!", "for mirrodin!"),
    ],
)
def test_finding(asked: str, name: str) -> None:
    assert find_keyword(asked).name == name


@pytest.mark.parametrize(("asked", "meant"), [("flyng", "flying"), ("Deathtuch", "deathtouch"), ("indestructable", "indestructible")])
def test_a_misspelt_name_gets_a_suggestion(asked: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f'there is no keyword "{asked}"; did you mean "{meant}"'):
        find_keyword(asked)


@pytest.mark.parametrize("asked", ["", "702.1", "702.999", "x" * 100_000, "ward {" * 30])
def test_nonsense_is_not_found(asked: str) -> None:
    with pytest.raises(UnknownNameError):
        find_keyword(asked)


def test_a_form_knows_its_slots() -> None:
    ward = form_pattern("ward {cost}")
    assert ward.fullmatch("ward {2}")
    assert ward.fullmatch("ward—discard a card")
    assert not ward.fullmatch("ward")
    assert not ward.fullmatch("warded {2}")
    assert form_pattern("afflict {number}").fullmatch("afflict x")


def test_values_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_keywords()["flying"].name = "walking"  # type: ignore[misc]


def test_changing_the_answer_changes_nothing() -> None:
    load_keywords().clear()
    assert len(load_keywords()) == 265


def test_a_new_keyword_is_a_file(copied: Path) -> None:
    (copied / "keywords" / "702.900-glowing.ttl").write_text(
        """
        @prefix lm: <urn:lawmage:vocabulary:> .
        @prefix kw: <urn:lawmage:keyword:> .
        kw:glowing a lm:KeywordAbility ; lm:name "glowing" ; lm:rule "702.900" ; lm:writtenForm "glowing {number}" ;
            lm:since "2030-01-01"^^<http://www.w3.org/2001/XMLSchema#date> ; lm:imposes [ a lm:CannotBlock ; lm:rule "702.900a" ] .
        """,
        encoding="utf-8",
    )
    assert find_keyword("glowing 3", copied).imposes[0].reading == "can't block"
    assert "glowing" not in load_keywords()


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("kw:flying a lm:KeywordAbility", "702.009-flying.ttl"),
        ('kw:flying a <urn:lawmage:vocabulary:KeywordAbility> ; <urn:lawmage:vocabulary:since> "soon" .', "keyword flying"),
    ],
)
def test_a_damaged_file_is_named(copied: Path, spoilt: str, said: str) -> None:
    (copied / "keywords" / "702.009-flying.ttl").write_text(f"@prefix kw: <urn:lawmage:keyword:> .\n{spoilt}", encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_keywords(copied)


def test_missing_keywords_are_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no keywords"):
        load_keywords(tmp_path)


# --- on the cards that there are


def _lines(card: dict[str, object]) -> list[str]:
    """Return what may be a keyword on a card: its lines without reminder text, their parts, their first sentences; in lower case."""
    faces = card.get("card_faces", [])
    assert isinstance(faces, list)
    text = "\n".join([str(card.get("oracle_text") or ""), *(str(face.get("oracle_text", "")) for face in faces)])
    lines = re.sub(r" ?\([^)]*\)", "", text).lower().replace("’", "'").split("\n")
    parts = [part for line in lines for part in (line, *re.split(r"[,;] ", line), line.split(". ")[0])]
    return [part.strip().removesuffix(".") for part in parts]


def test_written_forms_are_those_on_cards(shared: Path) -> None:
    keywords = {name: keyword for name, keyword in load_keywords().items() if not keyword.action}
    patterns = {name: [form_pattern(form) for form in _forms(keyword)] for name, keyword in keywords.items()}
    found: dict[str, list[bool]] = {}
    with lzma.open(shared / "data" / "cards" / "oracle-cards.json.xz") as file:
        cards = json.load(file)
    for card in cards:
        names = {name.lower() for name in card.get("keywords", [])} & keywords.keys()
        lines = _lines(card) if names else []
        if any(lines):
            for name in names:
                found.setdefault(name, []).append(any(pattern.fullmatch(line) for pattern in patterns[name] for line in lines))
    # the rest are granted in the middle of sentences, or stand on stickers
    counts = {name: (sum(hits), len(hits)) for name, hits in found.items()}
    assert sum(total for _, total in counts.values()) > 15_000
    assert sum(hits for hits, _ in counts.values()) > 0.995 * sum(total for _, total in counts.values())
    assert [name for name, (hits, _) in counts.items() if not hits] == []
    assert keywords.keys() - counts.keys() == {"absorb", "poisonous", "space sculptor", "visit", "∞"}


def _forms(keyword: Keyword) -> list[str]:
    return [*keyword.forms, *(form for variant in keyword.variants for form in variant.forms)]


def test_keywords_stand_on_the_cards_they_are_said_to(shared: Path) -> None:
    with lzma.open(shared / "data" / "cards" / "oracle-cards.json.xz") as file:
        cards = json.load(file)
    limited = {name: keyword.appears_on for name, keyword in load_keywords().items() if keyword.appears_on}
    astray = []
    for card in cards:
        kinds = " ".join([card["type_line"], *(face.get("type_line", "") for face in card.get("card_faces", []))]).lower()
        for name in {name.lower() for name in card.get("keywords", [])} & limited.keys():
            if not any(kind in kinds for kind in limited[name]):
                astray.append((name, card["name"]))
    # cards outside the rules of tournaments, and one that only names the keyword
    assert len(astray) <= 3
